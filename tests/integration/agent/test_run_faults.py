"""Runs whose endpoint fails after a search: the turn is kept, the next one works, and no secret is in any file."""

import importlib
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore, merge_deltas
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, LimitReached, RunFailed, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from tests.endpoint import ScriptedEndpoint, SeenRequest
from tests.endpoint import Turn as Answer
from tests.integration.llm.faults import first_byte, in_calls, mid_stream
from tests.integration.llm.faults.fault import CALLED, DONE, Fault, call, delta, event, text
from tests.raw_endpoint import RawEndpoint, Step, body, stream
from tests.slow_cases import slow_but

KEY = "sk-sentinel-7f3a91c2"
PASSWORD = "pass-sentinel-55d0"
SECRETS = (KEY, PASSWORD, "hunter2hunter2")
HURRIED = RequestTimeouts(connect=1.0, first_token=0.5, idle=0.5, without_event=2.0, retry_delays=(), busy=0.05)
SEARCHED = stream(call('{"queries": ["rent"]}'), CALLED)
QUESTION = "When is the rent due?"

_ECHO = f"the key {KEY} and {KEY.upper()} at http://user:{PASSWORD}@host"
ECHOES = [
    Fault("the key in an error", [body("401 Unauthorized", json.dumps({"error": {"message": _ECHO}}).encode())]),
    Fault("the key in a redirect", [body("302 Found", b"", f"Location: http://user:{PASSWORD}@host/?api_key={KEY}")]),
    Fault("the key in the stream", [stream(text("Rent: "), event({"error": {"message": _ECHO}}))]),
    Fault("the key in the text", [stream(delta(content=f"You sent {KEY}."), delta("stop"), DONE)]),
    Fault("the key in a call", [stream(call(json.dumps({"queries": [KEY]})), CALLED), stream(text("Rent."), DONE)]),
    Fault("the key in the thinking", [stream(delta(reasoning_content=f"{KEY}"), text("Rent."), DONE)]),
]
FAILING = [fault for fault in (*first_byte.FAULTS, *mid_stream.FAULTS) if fault.error]
FAULTS = [*ECHOES, *FAILING[::9], *mid_stream.BROKEN[::4], *in_calls.FAULTS[:30:2]]


@pytest.fixture(autouse=True, scope="module")
def loaded_client() -> None:
    """Load the HTTP client, which takes longer than the timeouts of these tests."""
    importlib.import_module("openai").OpenAI  # noqa: B018  # it loads its parts when they are named


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    handler = logging.FileHandler(tmp_path / "log.txt")
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield tmp_path / "log.txt"
    root.setLevel(level)
    root.removeHandler(handler)
    handler.close()


def run(engine: SearchEngine, base_url: str, memory: EndpointMemory, conversation: Conversation) -> list[AgentEvent]:
    profile = Profile("test", base_url.replace("://", f"://user:{PASSWORD}@"), "m")
    model = OpenAIChat(profile, f" {KEY}\r\n", HURRIED, memory, proves_arrival=False)
    return list(answer(Question(QUESTION, conversation), Run(toolkit("full"), model, engine, limits=Limits(steps=4))))


@pytest.mark.parametrize("fault", slow_but(FAULTS[::3], FAULTS), ids=lambda fault: fault.name)
def test_a_failed_turn_is_kept_and_the_next_one_works(
    fault: Fault, engine: SearchEngine, tmp_path: Path, log_file: Path
) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with RawEndpoint([SEARCHED, *fault.script]) as endpoint:
        events = run(engine, endpoint.base_url, memory, Conversation())
    last = events[-1]
    assert isinstance(last, Answered | RunFailed)
    if isinstance(last, RunFailed):
        assert last.title
        assert last.message.endswith((".", "!"))
        assert fault.text.rstrip() in last.text  # blanks at the end are held back
    assert any(isinstance(each, ToolReturned) for each in events)
    turn = stored(tmp_path / "conversations.db", events)
    check_next_run(engine, memory, turn)
    logging.getLogger().handlers[-1].flush()
    assert log_file.stat().st_size
    for path in tmp_path.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not [secret for secret in SECRETS if secret.encode().lower() in data.lower()], path.name
    assert not [secret for secret in SECRETS if secret in repr(events)]


def stored(path: Path, events: list[AgentEvent]) -> Turn:
    """Return the turn as it comes back from the disk."""
    store = ConversationStore(path)
    conversation = store.begin(QUESTION)
    store.save(conversation, Turn(1, QUESTION, tuple(events), 1))
    (turn,) = store.load(conversation).turns
    store.close()
    assert list(turn.events) == merge_deltas(events)
    return turn


def check_next_run(engine: SearchEngine, memory: EndpointMemory, turn: Turn) -> None:
    """Ask again in the same conversation; every request must be one that a strict server takes."""
    finished: tuple[Step, ...] = stream(text("I do not know."), delta("stop"), DONE)
    with RawEndpoint([SEARCHED, finished]) as endpoint:
        run(engine, endpoint.base_url, memory, Conversation((turn,)))
        requests = [json.loads(request.body.decode()) for request in endpoint.requests]
    assert requests
    for request in requests:
        answered: list[str] = []
        for message in request["messages"]:
            calls = message.get("tool_calls") or []
            assert message["role"] in {"system", "user", "assistant", "tool"}
            assert message.get("content") or calls
            assert all(isinstance(json.loads(each["function"]["arguments"]), dict) for each in calls)
            if message["role"] == "tool":
                assert message["tool_call_id"] == answered.pop(0)
            else:
                assert not answered
            answered += [each["id"] for each in calls]
        assert not answered


def test_a_run_tells_that_the_endpoint_cut_a_request_off_and_asks_again(engine: SearchEngine) -> None:
    question = "The rent is due on the third day of each month. " * 600 + QUESTION
    cut, whole = Answer(text="I see no question.", usage=(4_090, 5)), Answer(text="I do not know.", usage=None)
    with ScriptedEndpoint([cut, *[whole] * 3]) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "", HURRIED)
        events = list(answer(Question(question), Run(toolkit("full"), model, engine, limits=Limits(steps=2))))
        assert len(endpoint.requests) > 1
    [told] = [each for each in events if isinstance(each, LimitReached) and each.limit == "truncated"]
    assert "read 4,090 of about" in told.message
    assert "OLLAMA_CONTEXT_LENGTH" in told.message
    assert isinstance(events[-1], Answered)
    assert "I see no question." not in events[-1].text


def test_a_run_tells_that_the_beginning_is_missing_though_nothing_is_counted(engine: SearchEngine) -> None:
    question = "The rent is due on the third day of each month. " * 300 + QUESTION

    def end_only(request: SeenRequest) -> Answer:
        code = re.search(r"Code C is (\d+)", request.last_text)
        return Answer(text=code[1] if code else "I do not know.", usage=None)

    with ScriptedEndpoint([end_only] * 6) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m", context_window=32_768), "", HURRIED)
        events = list(answer(Question(question), Run(toolkit("full"), model, engine, limits=Limits(steps=2))))
        asked = [seen for seen in endpoint.requests if "Three codes stand" in seen.last_text]
    [told] = [each for each in events if isinstance(each, LimitReached) and each.limit == "truncated"]
    assert "does not know what stood at the beginning" in told.message
    assert isinstance(events[-1], Answered)
    assert len(asked) == 1
    assert "Code C" not in events[-1].text
