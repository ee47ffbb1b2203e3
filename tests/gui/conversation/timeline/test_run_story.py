from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    AnswerRestarted,
    ContextMeasured,
    RunStarted,
    RunUsage,
    StepStarted,
)
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StepCost, StepState, StoryPhase, state_after
from tests.gui.conversation.conftest import CONTEXT, working_events


def _story(events: list[AgentEvent]) -> RunStory:
    story = RunStory()
    for event in events:
        story.apply(event)
    return story


def test_thoughts_of_one_step_are_one_entry() -> None:
    story = _story(working_events())
    assert (
        story.entries[0].thought
        == "The lease and the letters about it should say. I search for the notice period first."
    )


def test_results_reach_the_call_they_answer_even_when_ids_repeat() -> None:
    story = _story(working_events())
    assert [(entry.summary, entry.result) for entry in story.entries[1:]] == [
        ("Searching “rent increase”", "8 passages in 3 files"),
        ("Searching “notice period”", "Nothing found"),
        ("Reading lease.pdf, lines 1–40", "40 of 312 lines"),
    ]


def test_the_activity_is_the_call_that_is_still_open() -> None:
    events = working_events()
    assert _story(events[:5]).activity == "Searching “rent increase”"
    assert _story(events[:6]).activity == "Searching “notice period”"
    assert _story(events[:8]).phase is StoryPhase.THINKING


def test_a_restarted_answer_goes_back_to_thinking() -> None:
    assert _story([StepStarted(1, 15), AnswerRestarted(1)]).phase is StoryPhase.THINKING


def test_each_step_has_its_own_cost() -> None:
    story = RunStory()
    for event in (
        RunStarted("?", "full", "qwen3:8b", 1),
        StepStarted(1, 15),
        ContextMeasured(CONTEXT, RunUsage(2_000, 100, 1, estimated=False, money=0.5), 3.0),
        StepStarted(2, 15),
        ContextMeasured(CONTEXT, RunUsage(5_000, 150, 2, estimated=False, money=0.75), 7.0),
        ContextMeasured(CONTEXT, RunUsage(5_000, 150, 2, estimated=False, money=0.75), 7.5),
    ):
        story.apply(event)
    assert story.costs == {1: StepCost(2_100, 0.5, 3.0, False), 2: StepCost(3_050, 0.25, 4.5, False)}


def test_the_state_after_a_step_has_what_was_read_and_written_by_then() -> None:
    events = [*working_events(), AnswerDelta("Draft"), AnswerRestarted(3), AnswerDelta("Three "), AnswerDelta("months")]
    assert state_after(events, 1) == StepState("", 8, 8)
    assert state_after(events, 2) == StepState("", 8, 8)
    assert state_after(events, 3) == StepState("Three months", 8, 8)
    assert state_after([], 1) == StepState("", 0, 0)
