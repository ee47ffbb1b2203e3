"""User feedback to a running agent reaches the model, the context and the citations."""

import threading
from dataclasses import replace

import pytest

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    LimitAsked,
    LimitReached,
    Remark,
    RunStopped,
    StepStarted,
    ToolReturned,
)
from desktop_rag.agent.feedback import AnswerReserve, BudgetExtension, Feedback, FeedbackNote, PassageFeedback
from desktop_rag.agent.prompts import MORE_ALLOWED
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.llm.chat import TokenUsage, ToolMessage, UserMessage
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel
from tests.unit.agent.run.test_loop import READ, SEARCH, of


def test_a_note_reaches_the_next_step(library: FakeRetriever) -> None:
    feedback = Feedback()
    note = Says(calls=(SEARCH,), before=lambda: feedback.send(FeedbackNote("Only the flat in Mill Lane.")))
    model = ScriptedModel([note, Says("Done.")])
    events = Asker(library, model, feedback=feedback).ask("When?")
    told = model.requests[1].messages[-1]
    assert isinstance(told, UserMessage)
    assert told.aside
    assert "Only the flat in Mill Lane." in told.text
    assert of(events, Remark) == [Remark(1, "note", "Only the flat in Mill Lane.")]


def test_a_discarded_passage_leaves_the_context_and_cannot_be_cited(library: FakeRetriever) -> None:
    feedback = Feedback()
    discard = Says(calls=(READ,), before=lambda: feedback.send(PassageFeedback("turn1search1", "discard")))
    again = Says(calls=(("search", '{"queries": ["payable rent day"]}'), READ))
    model = ScriptedModel([Says(calls=(SEARCH,)), discard, again, Says("On the third working day [turn1search1 L5].")])
    events = Asker(library, model, feedback=feedback).ask("When?")
    results = [m for m in model.requests[3].messages if isinstance(m, ToolMessage)]
    assert all(e.reference != "turn1search1" for result in results for e in result.evidence)
    assert "discarded turn1search1" in results[-1].text
    assert of(events, Answered)[0].citations == ()


def test_a_pinned_passage_survives_eviction(library: FakeRetriever) -> None:
    feedback = Feedback()
    pin = Says(calls=(SEARCH,), before=lambda: feedback.send(PassageFeedback("turn1search1", "pin")))
    opens = [Says(calls=(("open", f'{{"reference": "turn1search1", "line": {n}}}'),)) for n in range(1, 9)]
    model = ScriptedModel([Says(calls=(SEARCH,)), pin, *opens, Says("Done.")], window=3_000)
    dropping = replace(toolkit("full"), summarizer="", short="never")
    Asker(library, model, dropping, feedback=feedback).ask("When?")
    first = next(m for m in model.requests[-1].messages if isinstance(m, ToolMessage))
    assert [evidence.reference for evidence in first.evidence] == ["turn1search1"]
    assert "third working day" in first.text


def test_a_budget_extension_allows_more_steps(library: FakeRetriever) -> None:
    feedback = Feedback()
    calls = [Says(calls=(("search", f'{{"queries": ["rent {n}"]}}'),)) for n in range(4)]
    calls[0] = replace(calls[0], before=lambda: feedback.send(BudgetExtension()))
    model = ScriptedModel([*calls, Says("Done.")])
    events = Asker(library, model, limits=Limits(steps=2), feedback=feedback).ask("When?")
    assert of(events, LimitReached) == []
    assert of(events, StepStarted)[-1] == StepStarted(5, 7)


def test_a_paused_run_waits_until_resumed(library: FakeRetriever) -> None:
    feedback = Feedback()
    model = ScriptedModel([Says(calls=(SEARCH,), before=feedback.pause), Says("Done.")])
    events: list[AgentEvent] = []
    for event in Asker(library, model, feedback=feedback).events("When?"):
        events.append(event)
        if isinstance(event, Remark) and event.kind == "paused":
            assert len(model.requests) == 1
            threading.Timer(0.05, feedback.resume).start()
    assert [remark.kind for remark in of(events, Remark)] == ["paused", "resumed"]
    assert isinstance(events[-1], Answered)


def test_a_pause_holds_the_answer_that_is_being_written(library: FakeRetriever) -> None:
    feedback = Feedback()
    events: list[AgentEvent] = []
    held = 0
    words = tuple(f"word{n} " for n in range(40))
    model = ScriptedModel([Says(calls=(SEARCH,)), Says(("[not found] ", *words))])
    for event in Asker(library, model, feedback=feedback).events("When?"):
        events.append(event)
        if isinstance(event, AnswerDelta) and not of(events, Remark):
            feedback.pause()
        if isinstance(event, Remark) and event.kind == "paused":
            held = len(of(events, AnswerDelta))
            threading.Timer(0.05, feedback.resume).start()
    assert [remark.kind for remark in of(events, Remark)] == ["paused", "resumed"]
    assert held < 5 < len(of(events, AnswerDelta))
    assert of(events, Answered)[0].text == "".join(words)


def test_a_paused_run_can_be_stopped(library: FakeRetriever) -> None:
    feedback, stop = Feedback(), Stop()
    model = ScriptedModel([Says(calls=(SEARCH,), before=feedback.pause), Says("Done.")])
    events: list[AgentEvent] = []
    for event in Asker(library, model, feedback=feedback, stop=stop).events("When?"):
        events.append(event)
        if isinstance(event, Remark):
            threading.Timer(0.05, stop.set).start()
    assert isinstance(events[-1], RunStopped)


def test_the_model_is_told_of_the_remaining_budget_and_of_repeated_results(library: FakeRetriever) -> None:
    words = ("rent payable", "payable rent monthly", "rent late payable")
    searches = [Says(calls=(("search", f'{{"queries": ["{text} valve"]}}'),)) for text in words]
    model = ScriptedModel([*searches, Says("Done.")])
    events = Asker(library, model, limits=Limits(steps=5)).ask("When?")
    results = [m.text for m in model.requests[-1].messages if isinstance(m, ToolMessage)]
    assert [text.count("left. Read what matters most") for text in results] == [0, 1, 1]
    assert "[2 steps left." in results[2]
    assert "results were shown before. Read them" in results[1]
    assert not any(returned.failed for returned in of(events, ToolReturned))


def _searches(count: int) -> list[Says]:
    return [Says(calls=(("search", f'{{"queries": ["rent {n}"]}}'),)) for n in range(count)]


def _decided(asker: Asker, feedback: Feedback, *decisions: bool) -> list[AgentEvent]:
    events, left = list[AgentEvent](), list(decisions)
    for event in asker.events("When?"):
        events.append(event)
        if isinstance(event, LimitAsked):
            feedback.decide(allowed=left.pop(0))
    return events


def test_an_allowed_run_goes_on_after_its_limit_of_steps(library: FakeRetriever) -> None:
    feedback = Feedback(asks=True)
    model = ScriptedModel([*_searches(4), Says("Done.")])
    events = _decided(Asker(library, model, limits=Limits(steps=2), feedback=feedback), feedback, True)
    (asked,) = of(events, LimitAsked)
    assert (asked.step, asked.limit, asked.message, asked.more) == (2, "steps", "The limit of 2 steps is reached.", 5)
    assert of(events, Remark) == [Remark(2, "extended", "Allowed to go on: 5 more steps")]
    assert of(events, LimitReached) == []
    assert of(events, StepStarted)[-1] == StepStarted(5, 7)
    assert model.requests[2].messages[-1] == UserMessage(MORE_ALLOWED, aside=True)


def test_a_run_that_is_not_allowed_more_answers_at_once(library: FakeRetriever) -> None:
    feedback = Feedback(asks=True)
    model = ScriptedModel([*_searches(2), Says("[not found] Done.")])
    events = _decided(Asker(library, model, limits=Limits(steps=2), feedback=feedback), feedback, False)
    assert [event.limit for event in of(events, LimitReached)] == ["steps"]
    assert of(events, Answered)[0].text.startswith("Done.")
    assert len(model.requests) == 3


def test_a_run_asks_again_at_the_next_limit(library: FakeRetriever) -> None:
    feedback = Feedback(asks=True)
    model = ScriptedModel([*_searches(8), Says("Done.")])
    events = _decided(Asker(library, model, limits=Limits(steps=2), feedback=feedback), feedback, True, False)
    assert [event.step for event in of(events, LimitAsked)] == [2, 7]
    assert len(of(events, LimitReached)) == 1


def test_tokens_are_offered_in_portions_that_suffice_for_the_next_request(library: FakeRetriever) -> None:
    feedback = Feedback(asks=True)
    turns = [replace(turn, usage=TokenUsage(30_000, 500)) for turn in (*_searches(3), Says("Done."))]
    asker = Asker(library, ScriptedModel(turns), limits=Limits(total_tokens=10_000), feedback=feedback)
    asked = of(_decided(asker, feedback, True, False), LimitAsked)
    assert [(event.limit, event.more) for event in asked] == [("total tokens", 40_000), ("total tokens", 20_000)]


def test_without_an_answer_in_time_the_run_ends_by_itself(
    library: FakeRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.agent.run.step.DECISION_SECONDS", 0.05)
    model = ScriptedModel([*_searches(2), Says("Done.")])
    events = Asker(library, model, limits=Limits(steps=2), feedback=Feedback(asks=True)).ask("When?")
    assert len(of(events, LimitAsked)) == len(of(events, LimitReached)) == len(of(events, Answered)) == 1


def test_stop_ends_the_wait_for_a_decision(library: FakeRetriever) -> None:
    stop = Stop()
    asker = Asker(library, ScriptedModel(_searches(2)), limits=Limits(steps=2), feedback=Feedback(asks=True), stop=stop)
    events: list[AgentEvent] = []
    for event in asker.events("When?"):
        events.append(event)
        if isinstance(event, LimitAsked):
            threading.Timer(0.05, stop.set).start()
    assert isinstance(events[-1], RunStopped)


def test_the_limits_of_a_method_are_not_asked_about(library: FakeRetriever) -> None:
    feedback = Feedback(asks=True)
    model = ScriptedModel([*_searches(4), Says("Done.")])
    short = replace(toolkit("full"), limits=Limits(steps=2, tool_calls=0, seconds=0, context_tokens=0, total_tokens=0))
    events = Asker(library, model, short, feedback=feedback).ask("When?")
    assert of(events, LimitAsked) == []
    assert len(of(events, LimitReached)) == 1


def test_the_room_for_the_answer_changes_with_the_next_request(library: FakeRetriever) -> None:
    feedback = Feedback()
    change = Says(calls=(SEARCH,), before=lambda: feedback.send(AnswerReserve(4_000)))
    too_much = Says(calls=(READ,), before=lambda: feedback.send(AnswerReserve(1_000_000)))
    model = ScriptedModel([change, too_much, Says("[not found] Done.")])
    events = Asker(library, model, feedback=feedback).ask("When?")
    assert [request.max_tokens for request in model.requests] == [2_048, 4_000, 8_000]
    assert of(events, Answered)[0].context.reserve == 8_000
