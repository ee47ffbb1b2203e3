"""Every fault of the tables, over real sockets: the turn ends as it must, shows no secret and fills no memory."""

import importlib
import json
import logging
import re
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import ModelError
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    ReasoningDelta,
    RetryDelayed,
    TextDelta,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.message_format import to_wire
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.integration.llm.faults import first_byte, in_calls, mid_stream
from tests.integration.llm.faults.fault import CALLED, STOP, Fault, call, delta, text
from tests.integration.llm.faults.stopping import stops_within
from tests.raw_endpoint import RawEndpoint, body, stream
from tests.slow_cases import slow_but

KEY = "sk-sentinel-7f3a91c2"
PASSWORD = "pass-sentinel-55d0"
SEARCH = ToolSpec("search", "Searches.", '{"type": "object", "properties": {"query": {"type": "string"}}}')
OPEN = ToolSpec("open", "Opens.", '{"type": "object", "properties": {"name": {"type": "string"}}}')
HURRIED = RequestTimeouts(connect=0.4, first_token=0.2, idle=0.4, without_event=2.0, retry_delays=(0.0,), busy=0.05)
PATIENT = RequestTimeouts(connect=4.0, first_token=2.0, idle=4.0, without_event=20.0, retry_delays=(0.0,), busy=0.5)
FAULTS = [*first_byte.FAULTS, *mid_stream.FAULTS, *in_calls.FAULTS]
FLOODS = [*mid_stream.FLOODS, *in_calls.FLOODS, *in_calls.LONG]
ALLOWED = 64 * 1024 * 1024
QUESTION = UserMessage("When is the rent due?")


@pytest.fixture(autouse=True, scope="module")
def loaded_client() -> None:
    """Load the HTTP client, which takes longer than the timeouts of these tests."""
    importlib.import_module("openai").OpenAI  # noqa: B018  # it loads its parts when they are named


def turn(
    endpoint: RawEndpoint, stop: Stop | None = None, timeouts: RequestTimeouts = HURRIED
) -> tuple[list[ChatEvent], ModelError | None]:
    """Return the events of one turn and its error."""
    address = endpoint.base_url.replace("://", f"://user:{PASSWORD}@")
    chat = OpenAIChat(Profile("test", address, "m"), KEY, timeouts)
    events: list[ChatEvent] = []
    try:
        for event in chat.chat(ChatRequest((QUESTION,), (SEARCH, OPEN)), stop or Stop()):
            events.append(event)  # noqa: PERF402  # extend() would lose what came before an error
    except ModelError as error:
        return events, error
    return events, None


def shown_text(events: Sequence[ChatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def test_the_tables_are_long_and_name_each_fault_once() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names)) > 250


@pytest.mark.parametrize("fault", slow_but(FAULTS[::3], FAULTS), ids=lambda fault: fault.name)
def test_a_fault_ends_the_turn_as_it_must(fault: Fault, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for timeouts in (HURRIED, PATIENT):
        with RawEndpoint(fault.script) as endpoint:
            events, error = turn(endpoint, timeouts=timeouts)
        if not came_too_late(error, fault):
            break
    last = events[-1] if events else None
    if fault.error is None:
        assert error is None, error
        assert isinstance(last, TurnEnded)
        assert fault.calls or last.message.text == fault.text
        assert [(call.name, call.arguments) for call in last.message.tool_calls] == list(fault.calls)
        check_next_request(last.message)
    else:
        assert error is not None, "the turn ended without an error"
        assert type(error) is fault.error or fault.error is ModelError, repr(error)
        check_sentence(error, fault.words)
        assert not fault.text or shown_text(events) == fault.text
    check_encodable(events)
    records = "".join(record.getMessage() + str(record.exc_text) for record in caplog.records)
    check_no_secret(repr(events) + records, *([error] if error else []))


def came_too_late(error: ModelError | None, fault: Fault) -> bool:
    """Return whether a turn must be taken again with `PATIENT`: a busy machine may be slower than `HURRIED`."""
    late = re.search("did not (respond|accept a connection)", str(error))
    return late is not None and "did not respond" not in fault.words


def check_sentence(error: ModelError, words: str) -> None:
    """Check that an error is a short sentence of the expected words under a title."""
    text = str(error)
    assert re.search(words, text), text
    assert "127.0.0.1" in text or "model" in text, text
    assert text.endswith((".", "!")), text
    assert len(text) < 900, text
    assert error.title
    assert "\n" not in text


def check_next_request(message: AssistantMessage) -> None:
    """Check that the next request's history is what a strict server takes."""
    results = [ToolMessage(call.id, call.name, "Nothing.") for call in message.tool_calls]
    for origin in ("m http://other", json.loads(message.raw)["origin"]):
        wire = to_wire((QUESTION, message, *results), origin)
        json.dumps(wire, ensure_ascii=False, allow_nan=False).encode()
        assert wire[1]["role"] == "assistant"
        calls = wire[1].get("tool_calls", [])
        assert isinstance(calls, list)
        ids = [call["id"] for call in calls]
        assert ids == [result["tool_call_id"] for result in wire[2:]]
        for function in (each["function"] for each in calls):
            assert isinstance(json.loads(function["arguments"], parse_constant=pytest.fail), dict)
            assert re.fullmatch("[A-Za-z0-9_-]{1,64}", function["name"])
            assert "e999" not in function["arguments"]
            assert "\\ud" not in function["arguments"]


def check_encodable(events: Sequence[ChatEvent]) -> None:
    for event in events:
        if isinstance(event, TextDelta | ReasoningDelta):
            event.text.encode()
        elif isinstance(event, RetryDelayed):
            event.reason.encode()
        else:
            repr(event).encode()


def check_no_secret(text: str, *errors: ModelError) -> None:
    for error in errors:
        text += "".join(traceback.format_exception(error)) + error.title
    for secret in (KEY, PASSWORD, "hunter2hunter2", "sk-query-secret"):
        assert secret not in text


@pytest.mark.parametrize("cut", range(1, len(KEY)))
@pytest.mark.parametrize("field", ["content", "reasoning_content"])
def test_a_key_split_over_two_events_is_hidden(field: str, cut: int) -> None:
    halves = (delta(**{field: f"You sent {KEY[:cut]}"}), delta(**{field: f"{KEY[cut:]} to me."}))
    with RawEndpoint([stream(*halves, text("Rent."), STOP)]) as endpoint:
        events, error = turn(endpoint, timeouts=PATIENT)
    assert error is None
    pieces = [event.text for event in events if isinstance(event, TextDelta | ReasoningDelta)]
    assert "".join(pieces) == "You sent ••• to me.Rent."
    check_no_secret(repr(events))


def test_a_key_split_in_a_call_is_hidden() -> None:
    halves = (call(f'{{"query": "{KEY[:9]}'), call(f'{KEY[9:]}"}}', None))
    with RawEndpoint([stream(*halves, CALLED)]) as endpoint:
        events, _ = turn(endpoint, timeouts=PATIENT)
    last = events[-1]
    assert isinstance(last, TurnEnded)
    assert [each.arguments for each in last.message.tool_calls] == ['{"query": "•••"}']
    check_no_secret(repr(events))


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\ufeff", "\x00", "\u2060"])
def test_a_key_with_hidden_characters_in_it_stays_hidden(hidden: str) -> None:
    spread = hidden.join(KEY)
    pieces = (f"{spread[:20]}", f"{spread[20:]} and {KEY[:9]}{hidden}", KEY[9:])
    called = (call("", f"{KEY[:9]}{hidden}"), call("{}", KEY[9:]))
    with RawEndpoint([stream(text(*pieces), delta(reasoning_content=spread), *called, CALLED)]) as endpoint:
        events, _ = turn(endpoint, timeouts=PATIENT)
    assert shown_text(events) == "••• and •••"
    check_no_secret(repr(events))
    with RawEndpoint([body("400 Bad", json.dumps({"error": {"message": f"bad {spread}"}}).encode())]) as endpoint:
        _, error = turn(endpoint, timeouts=PATIENT)
    assert error is not None
    assert "(400: bad •••)" in str(error)


@pytest.mark.parametrize("key", ["ollama", "lm-studio", "EMPTY", "none", "sk-no-key-required"])
def test_a_word_entered_in_place_of_a_key_is_no_secret(key: str) -> None:
    said = f"Install ollama, lm-studio or none; {key} is EMPTY."
    with RawEndpoint([stream(text(said), STOP)]) as endpoint:
        *_, last = OpenAIChat(Profile("test", endpoint.base_url, "m"), key, PATIENT).chat(
            ChatRequest((QUESTION,)), Stop()
        )
    assert isinstance(last, TurnEnded)
    assert last.message.text == said


@pytest.fixture
def peak_memory() -> Iterator[None]:
    """Check that the peak of the process's memory stays near what it was."""
    reset, status = Path("/proc/self/clear_refs"), Path("/proc/self/status")
    if not reset.exists():
        pytest.skip("the peak can be reset on Linux only")
    reset.write_text("5")
    before = psutil.Process().memory_info().rss
    yield
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    assert int(line.split()[1]) * 1024 - before < ALLOWED


@pytest.mark.usefixtures("peak_memory")
@pytest.mark.parametrize("fault", slow_but(FLOODS[::5], FLOODS), ids=lambda fault: fault.name)
def test_a_flood_does_not_fill_the_memory(fault: Fault) -> None:
    with RawEndpoint(fault.script) as endpoint:
        events, error = turn(endpoint)
    assert error is not None or isinstance(events[-1], TurnEnded)


@pytest.mark.parametrize("fault", FLOODS, ids=lambda fault: fault.name)
def test_stop_ends_a_flood_at_once(fault: Fault) -> None:
    assert stops_within(0.3, fault, turn)
