from desktop_rag.agent.events import AgentEvent, AnswerRestarted, StepStarted
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryPhase
from tests.gui.conversation.conftest import answered, working_events


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


def test_tokens_are_estimated_until_the_endpoint_counts() -> None:
    assert _story(working_events()[:8]).estimated
    assert not _story([*working_events(), answered()]).estimated
