from desktop_rag.agent.events import AgentEvent, AnswerRestarted, StepStarted
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryPhase
from tests.gui.conversation.conftest import answered, working_events


def _told(events: list[AgentEvent]) -> RunStory:
    story = RunStory()
    for event in events:
        story.take(event)
    return story


def test_thoughts_of_one_step_are_one_entry() -> None:
    story = _told(working_events())
    assert (
        story.entries[0].thought
        == "The lease and the letters about it should say. I search for the notice period first."
    )


def test_results_reach_the_call_they_answer_even_when_ids_repeat() -> None:
    story = _told(working_events())
    assert [(entry.summary, entry.result) for entry in story.entries[1:]] == [
        ("Searching “rent increase”", "8 passages in 3 files"),
        ("Searching “notice period”", "Nothing found"),
        ("Reading lease.pdf, lines 1–40", "40 of 312 lines"),
    ]


def test_the_act_is_the_call_that_is_still_open() -> None:
    events = working_events()
    assert _told(events[:5]).act == "Searching “rent increase”"
    assert _told(events[:6]).act == "Searching “notice period”"
    assert _told(events[:8]).phase is StoryPhase.THINKING


def test_a_preamble_that_is_withdrawn_is_thinking() -> None:
    assert _told([StepStarted(1, 15), AnswerRestarted(1)]).phase is StoryPhase.THINKING


def test_tokens_are_estimated_until_the_endpoint_counts() -> None:
    assert _told(working_events()[:8]).estimated
    assert not _told([*working_events(), answered()]).estimated
