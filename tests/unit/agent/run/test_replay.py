"""A stored run can be replayed, resumed, and forked at any step."""

from dataclasses import replace

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, RunFailed, RunStopped, Thought, ToolCalled, ToolReturned
from desktop_rag.agent.run.replay import RecordedModel, begun_answer, recorded, resume_step
from desktop_rag.agent.run.run_comparison import compare_runs
from desktop_rag.errors import StreamCut
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, timeless
from tests.unit.agent.run.test_loop import ANSWER, READ, SEARCH, of

QUESTION = "When is rent payable?"


def first_run(library: FakeRetriever) -> Turn:
    model = ScriptedModel([Says(thinking="Let me see.", calls=(SEARCH,)), Says(calls=(READ,)), Says(ANSWER)])
    return Turn(1, QUESTION, tuple(Asker(library, model).ask(QUESTION)), 0)


def again(library: FakeRetriever, model: RecordedModel) -> list[AgentEvent]:
    return Asker(library, model).ask(QUESTION)


def test_a_run_is_replayed_without_its_model(library: FakeRetriever) -> None:
    turn = first_run(library)
    events = again(library, RecordedModel(recorded(turn), None, "scripted"))
    assert of(events, ToolCalled) == of(turn.events, ToolCalled)
    assert [timeless(e) for e in of(events, ToolReturned)] == of(turn.events, ToolReturned)
    assert of(events, Thought) == of(turn.events, Thought)
    [now], [then] = of(events, Answered), of(turn.events, Answered)
    assert (now.text, now.citations, now.found) == (then.text, then.citations, True)
    assert now.usage.prompt_tokens == 0


def test_a_replay_notices_removed_documents(library: FakeRetriever) -> None:
    turn = first_run(library)
    library.missing.update(source.content for event in of(turn.events, ToolReturned) for source in event.sources)
    events = again(library, RecordedModel(recorded(turn), None))
    assert of(events, ToolReturned)[0].sources == ()
    assert of(events, Answered)[0].citations == ()
    seen = compare_runs(turn, Turn(1, QUESTION, tuple(events), 0))
    assert seen.cited.left == ("/library/lease.txt",)
    assert seen.queries.both == ("rent payable",)


def test_a_replay_may_diverge_at_any_step(library: FakeRetriever) -> None:
    turn = first_run(library)
    call = of(turn.events, ToolCalled)[0]
    live = ScriptedModel([Says("Part 4711. [turn1search1 L5]")])
    edited = recorded(turn, before_step=1, edited={call.call_id: '{"queries": ["valve part"]}'})
    events = again(library, RecordedModel(edited, live))
    assert [c.arguments for c in of(events, ToolCalled)] == ['{"queries": ["valve part"]}']
    assert len(live.requests) == 1
    assert any(isinstance(m, ToolMessage) and "boiler" in m.text for m in live.requests[0].messages)


def test_an_interrupted_run_resumes_at_its_step(library: FakeRetriever) -> None:
    cut = StreamCut("The connection broke off.")
    model = ScriptedModel([Says(calls=(SEARCH,)), Says(calls=(READ,)), Says("Rent is", error=cut)])
    events = Asker(library, model).ask(QUESTION)
    assert isinstance(events[-1], RunFailed)
    turn = Turn(1, QUESTION, tuple(events), 0)
    assert resume_step(turn) == 3
    live = ScriptedModel([Says(ANSWER)])
    answered = again(library, RecordedModel(recorded(turn, before_step=3), live))[-1]
    assert isinstance(answered, Answered)
    assert answered.citations[0].verdict == "verbatim"
    assert len(live.requests) == 1


def test_a_stopped_call_is_run_again(library: FakeRetriever) -> None:
    stop = Stop()
    events: list[AgentEvent] = []
    for event in Asker(library, ScriptedModel([Says(calls=(SEARCH,))]), stop=stop).events(QUESTION):
        events.append(event)
        if isinstance(event, ToolCalled):
            stop.set()
    assert isinstance(events[-1], RunStopped)
    assert resume_step(Turn(1, QUESTION, tuple(events), 0)) == 1


def test_references_keep_their_names_in_a_later_turn(library: FakeRetriever) -> None:
    turn = first_run(library)
    conversation = Conversation((turn,))
    calls = (("search", '{"queries": ["valve"]}'),)
    second = Asker(
        library, ScriptedModel([Says(calls=calls), Says("4711 [turn2search3 L5].")]), conversation=conversation
    )
    then = Turn(2, "Which part?", tuple(second.ask("Which part?")), 0)
    now = Asker(library, RecordedModel(recorded(then), None), conversation=conversation).ask("Which part?")
    [[cited_then], [cited_now]] = (of(events, Answered)[0].citations for events in (then.events, now))
    assert (cited_now.reference, cited_now.first_line) == (cited_then.reference, 5)


def test_two_runs_are_compared(library: FakeRetriever) -> None:
    left = first_run(library)
    other = ScriptedModel(
        [Says(calls=(("search", '{"queries": ["rent payable", "valve"]}'),)), Says("[not found] No.")]
    )
    right = Turn(1, QUESTION, tuple(Asker(library, other).ask(QUESTION)), 0)
    compared = compare_runs(left, right)
    assert (compared.left.outcome, compared.right.outcome) == ("answered", "not found")
    assert (len(compared.left.claims), compared.left.steps, compared.right.steps) == (1, 3, 2)
    assert (compared.queries.both, compared.queries.right) == (("rent payable",), ("valve",))
    assert compared.documents.both == ("/library/lease.txt",)
    assert compare_runs(replace(left, events=()), right).left.outcome == "unfinished"


def broken_off(library: FakeRetriever, text: str) -> Turn:
    model = ScriptedModel([Says(calls=(SEARCH,)), Says(text, error=StreamCut("The connection broke."))])
    return Turn(1, QUESTION, tuple(Asker(library, model).ask(QUESTION)), 0)


def continued(library: FakeRetriever, turn: Turn, *said: Says) -> tuple[list[AgentEvent], ScriptedModel]:
    live = ScriptedModel(said)
    model = RecordedModel(recorded(turn, before_step=resume_step(turn)), live, begun=begun_answer(turn))
    return Asker(library, model).ask(QUESTION), live


def test_an_answer_that_broke_off_is_continued_from_its_last_whole_sentence(library: FakeRetriever) -> None:
    turn = broken_off(library, f"{ANSWER}. It is paid in euros. Moreover the depo")
    assert begun_answer(turn).endswith("It is paid in euros.")
    events, live = continued(library, turn, Says(("The deposit is", " two months' rent.")))
    *_, begun, asked = live.requests[0].messages
    assert begun.text == begun_answer(turn)
    assert "Go on with the next sentence" in asked.text
    [answered] = of(events, Answered)
    assert "It is paid in euros. The deposit is two months' rent." in answered.text
    assert "depo" not in answered.text.partition("The deposit")[0]
    assert [citation.first_line for citation in answered.citations] == [5]


def test_a_model_that_begins_its_answer_anew_is_not_shown_twice(library: FakeRetriever) -> None:
    turn = broken_off(library, "It is paid in euros each month. Moreover the depo")
    events, _ = continued(library, turn, Says("It is paid in euros each month. The deposit is two months' rent."))
    assert of(events, Answered)[0].text.count("It is paid in euros") == 1


def test_the_text_so_far_survives_a_continuation_that_fails(library: FakeRetriever) -> None:
    turn = broken_off(library, "It is paid in euros. Moreover the depo")
    events, _ = continued(library, turn, Says(error=StreamCut("Gone.")))
    assert of(events, RunFailed)[0].text == "It is paid in euros."
