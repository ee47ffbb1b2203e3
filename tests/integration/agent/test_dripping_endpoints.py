"""An endpoint that drips or falls silent within a turn does not hold up a run beyond its limit on seconds."""

from collections.abc import Sequence
from threading import Event

import pytest

from desktop_rag.agent.events import AgentEvent, Answered, LimitReached
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import STILL_RUNNING, ChatRequest, TextDelta, TurnEnded, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, Turn
from tests.integration.llm.faults.fault import DONE, STOP, event, text
from tests.raw_endpoint import HOLD, Pause, RawEndpoint, Step, stream

SEARCHED = Turn(calls=[Call("search", '{"queries": ["rent"]}')])
SAID = Turn(text="The rent is due on the third day [turn1search1 L1].")
LIMIT = 2  # seconds
ENOUGH = 30.0  # seconds for a run with this limit on a machine that does much else; each drip below takes longer


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.llm.openai_chat._TELL_SECONDS", 0.0)
    monkeypatch.setattr("desktop_rag.llm.exchange._TICK", 0.02)


@pytest.mark.parametrize(
    "halted",
    [
        Turn(calls=SEARCHED.calls, hold_text=Event()),
        Turn(text=("The rent ", "is due."), hold_text=Event()),
        Turn(reasoning=("Let me ", "see."), text="Yes.", hold_text=Event()),
    ],
    ids=["in a call", "in a sentence", "in its thinking"],
)
def test_a_turn_that_falls_silent_ends_at_the_limit(engine: SearchEngine, halted: Turn) -> None:
    with ScriptedEndpoint([SEARCHED, halted, SAID, SAID]) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "")
        run = Run(toolkit("full"), model, engine, limits=Limits(steps=4, seconds=3))
        events = list(answer(Question("When is the rent due?"), run))
        assert endpoint.disconnected.wait(10.0)
    assert any(isinstance(event, LimitReached) for event in events)
    assert isinstance(events[-1], Answered)


def dripped(word: str) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = (text(word), Pause(0.25))
    return stream(*steps * 400)


CALL = stream(
    event({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {
        "name": "search", "arguments": '{"queries": ["rent"]}'}}]}, "finish_reason": "tool_calls"}]}),
    DONE,
)  # fmt: skip
DRIPS: dict[str, Sequence[Sequence[Step]]] = {
    "words": [dripped("rent ")],
    "words after a search": [CALL, dripped("rent ")],
    "numbers of results": [CALL, dripped("The rent is due on the third day [turn1search1 L1]. ")],
    "empty words": [dripped("")],
    "a word and silence": [stream(text("The "), HOLD, HOLD)],
    "silence after a search": [CALL, stream(HOLD, HOLD)],
}


def run_of(script: Sequence[Sequence[Step]], kit: str, engine: SearchEngine) -> list[AgentEvent]:
    with RawEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "", proves_arrival=False)
        run = Run(toolkit(kit), model, engine, limits=Limits(seconds=LIMIT), second_look=True)
        return list(answer(Question("When is the rent due?"), run))


@pytest.mark.parametrize("script", DRIPS.values(), ids=DRIPS)
def test_a_run_ends_at_its_limit_with_what_was_read(script: Sequence[Sequence[Step]], engine: SearchEngine) -> None:
    answered = run_of(script, "full", engine)[-1]
    assert isinstance(answered, Answered)
    assert answered.citations
    assert answered.seconds < ENOUGH


@pytest.mark.parametrize("kit", ["quick", "auto", "short", "agentic-rag", "logical-rag", "single-shot"])
def test_every_method_ends_at_the_limit(kit: str, engine: SearchEngine) -> None:
    answered = run_of(DRIPS["words"], kit, engine)[-1]
    assert isinstance(answered, Answered)
    assert answered.seconds < ENOUGH


def test_a_sign_that_a_turn_goes_on_divides_no_text() -> None:
    script = [stream(text("The rent "), Pause(0.2), text("is due."), STOP)]
    with RawEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m"), "")
        events = list(model.chat(ChatRequest([UserMessage("When?")]), Stop()))
    assert STILL_RUNNING in events
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "The rent is due."
    assert isinstance(events[-1], TurnEnded)
