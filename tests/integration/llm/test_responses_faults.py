"""The faults in the Responses API, and those before the first byte over it: as with chat completions."""

import importlib
import json

import pytest

from desktop_rag.errors import ModelError
from desktop_rag.llm.chat import ChatEvent, ChatRequest, TextDelta, ToolMessage, TurnEnded
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.responses import responses_body
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Api, Profile
from desktop_rag.stop import Stop
from tests.integration.llm.faults import first_byte, in_responses
from tests.integration.llm.faults.fault import Fault
from tests.integration.llm.faults.stopping import stops_within
from tests.integration.llm.test_faults import (
    HURRIED,
    KEY,
    OPEN,
    PASSWORD,
    PATIENT,
    QUESTION,
    SEARCH,
    came_too_late,
    check_encodable,
    check_no_secret,
    check_sentence,
    peak_memory,
    shown_text,
)
from tests.raw_endpoint import RawEndpoint, stream
from tests.slow_cases import slow_but

__all__ = ["peak_memory"]

EARLY = [fault for fault in first_byte.FAULTS if fault.error]


@pytest.fixture(autouse=True, scope="module")
def loaded_client() -> None:
    """Load the HTTP client, which takes longer than the timeouts of these tests."""
    assert importlib.import_module("openai").OpenAI
    assert importlib.import_module("openai.resources.responses").Responses


def chat_with(endpoint: RawEndpoint, timeouts: RequestTimeouts = HURRIED) -> tuple[OpenAIChat, Profile]:
    address = endpoint.base_url.replace("://", f"://user:{PASSWORD}@")
    profile = Profile("test", address, "m", api=Api.RESPONSES)
    return OpenAIChat(profile, KEY, timeouts), profile


def turn(
    endpoint: RawEndpoint, stop: Stop | None = None, timeouts: RequestTimeouts = HURRIED
) -> tuple[list[ChatEvent], ModelError | None]:
    """Return the events of one turn and its error."""
    chat, _ = chat_with(endpoint, timeouts)
    events: list[ChatEvent] = []
    try:
        for event in chat.chat(ChatRequest((QUESTION,), (SEARCH, OPEN)), stop or Stop()):
            events.append(event)  # noqa: PERF402  # extend() would lose what came before an error
    except ModelError as error:
        return events, error
    return events, None


ALL_FAULTS = [*in_responses.FAULTS, *EARLY]


@pytest.mark.parametrize("fault", slow_but(ALL_FAULTS[::8], ALL_FAULTS), ids=lambda fault: fault.name)
def test_a_fault_ends_the_turn_as_it_must(fault: Fault) -> None:
    for timeouts in (HURRIED, PATIENT):
        with RawEndpoint(fault.script) as endpoint:
            events, error = turn(endpoint, timeouts=timeouts)
            _, profile = chat_with(endpoint)
        if not came_too_late(error, fault):
            break
    assert endpoint.requests == [] or " /v1/responses" in endpoint.requests[0].start_line
    last = events[-1] if events else None
    if fault.error is None:
        assert error is None, error
        assert isinstance(last, TurnEnded)
        assert fault.calls or last.message.text == (fault.text or in_responses.SENTENCE)
        assert [(call.name, call.arguments) for call in last.message.tool_calls] == list(fault.calls)
        check_next_request(last, profile)
    else:
        assert error is not None, "the turn ended without an error"
        assert type(error) is fault.error or fault.error is ModelError, repr(error)
        check_sentence(error, fault.words)
        assert not fault.text or shown_text(events) == fault.text
    check_encodable(events)
    check_no_secret(repr(events), *([error] if error else []))


def check_next_request(last: TurnEnded, profile: Profile) -> None:
    """Check that each call of the next request's items has one result and JSON arguments."""
    dialect = Dialect(profile)
    results = [ToolMessage(call.id, call.name, "Nothing.") for call in last.message.tool_calls]
    request = ChatRequest((QUESTION, last.message, *results))
    for origin in (dialect.origin, "another"):
        items = responses_body(profile, dialect.traits, request, origin)["input"]
        assert isinstance(items, list)
        calls = [item for item in items if item.get("type") == "function_call"]
        assert [call["call_id"] for call in calls] == [call.id for call in last.message.tool_calls]
        assert [i["call_id"] for i in items if i.get("type") == "function_call_output"] == [c["call_id"] for c in calls]
        assert all(isinstance(json.loads(call["arguments"]), dict) for call in calls)
        assert all(item.get("type") != "reasoning" for item in items[-1:])


@pytest.mark.usefixtures("peak_memory")
@pytest.mark.parametrize("fault", slow_but(in_responses.FLOODS[:1], in_responses.FLOODS), ids=lambda fault: fault.name)
def test_a_flood_does_not_fill_the_memory(fault: Fault) -> None:
    with RawEndpoint(fault.script) as endpoint:
        events, error = turn(endpoint)
    assert error is not None or isinstance(events[-1], TurnEnded)


@pytest.mark.parametrize("fault", in_responses.FLOODS, ids=lambda fault: fault.name)
def test_stop_ends_a_flood_at_once(fault: Fault) -> None:
    assert stops_within(0.3, fault, turn)


@pytest.mark.parametrize("cut", range(1, len(KEY)))
def test_a_key_split_over_two_events_is_hidden(cut: int) -> None:
    script = stream(in_responses.pieces(f"You sent {KEY[:cut]}", f"{KEY[cut:]} to me."), in_responses.ended())
    with RawEndpoint([script]) as endpoint:
        events, error = turn(endpoint, timeouts=PATIENT)
    assert error is None
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text == "You sent ••• to me."
    assert KEY not in repr(events)


def test_a_key_cut_before_its_last_character_is_hidden() -> None:
    with RawEndpoint([stream(in_responses.pieces("You sent ", KEY[:-1]))]) as endpoint:
        events, error = turn(endpoint, timeouts=PATIENT)
    assert error is not None
    assert KEY[:-1] not in repr(events) + str(error)
