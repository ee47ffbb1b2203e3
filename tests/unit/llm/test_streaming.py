import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import ModelBusy, StreamCut
from desktop_rag.llm.chat import AssistantMessage, ReasoningDelta, TextDelta, TurnProgress
from desktop_rag.llm.failures import ChatEndpoint, EndpointFailure, Retry
from desktop_rag.llm.streaming import ToolCallAssembler, TurnReader
from desktop_rag.llm.written_calls import wire_arguments

ENDPOINT = ChatEndpoint("http://localhost:1234/v1", "scripted")


def call(arguments: object = None, **fields: object) -> dict[str, object]:
    name = fields.pop("name", None)
    return {**fields, "function": {"name": name, "arguments": arguments}}


def assemble(
    *deltas: Sequence[dict[str, object]], offered: Sequence[str] = ("search", "open")
) -> list[tuple[str, str]]:
    assembler = ToolCallAssembler(offered)
    for delta in deltas:
        assembler.feed(list(delta))
    return [(name, arguments) for name, arguments, _ in assembler.calls()]


def read(
    *deltas: dict[str, object], offered: Sequence[str] = (), reason: str = "stop"
) -> tuple[TurnReader, list[object]]:
    reader = TurnReader(ENDPOINT, dict.fromkeys(offered, ()))
    events: list[object] = []
    for delta in deltas:
        events.extend(reader.feed({"choices": [{"index": 0, "delta": delta}]}))
    events.extend(reader.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
    events.extend(reader.end())
    return reader, events


def test_calls_without_arguments_at_one_index_stay_apart() -> None:
    assert assemble(
        [call("", index=0, id="a", name="search")],
        [call("", index=0, id="b", name="open")],
    ) == [("search", "{}"), ("open", "{}")]


def test_calls_without_ids_at_one_index_stay_apart() -> None:
    assert assemble([call(None, index=0, name="search")], [call('{"a": 1}', index=0, name="open")]) == [
        ("search", "{}"),
        ("open", '{"a": 1}'),
    ]


def test_a_name_may_be_split_or_repeated() -> None:
    pieces = assemble([call(None, index=0, id="a", name="sea")], [call("{}", index=0, id="a", name="rch")])
    repeated = assemble(
        [call('{"a"', index=0, name="search")], [call(": 1", index=0, name="search")], [call("}", index=0)]
    )
    assert pieces == [("search", "{}")]
    assert repeated == [("search", '{"a": 1}')]


def test_a_new_id_without_a_name_continues_the_call() -> None:
    assert assemble([call('{"a"', index=0, id="x", name="open")], [call(": 1}", index=0, id="y")]) == [
        ("open", '{"a": 1}')
    ]


def test_interleaved_calls_are_separated_by_index() -> None:
    first = [call("", index=0, id="a", name="search"), call("", index=1, id="b", name="open")]
    assert assemble(first, [call('{"n": 2}', index=1)], [call('{"n": 1}', index=0)]) == [
        ("search", '{"n": 1}'),
        ("open", '{"n": 2}'),
    ]


@pytest.mark.parametrize("arguments", ["", "  ", None, "null", {}, "{}", '""'])
def test_no_arguments_are_an_empty_object(arguments: object) -> None:
    expected = '""' if arguments == '""' else "{}"
    assert assemble([call(arguments, index=0, id="a", name="open")]) == [("open", expected)]


def test_arguments_encoded_twice_are_decoded_once() -> None:
    assert assemble([call(json.dumps('{"a": 1}'), index=0, name="open")]) == [("open", '{"a": 1}')]


def test_broken_arguments_are_passed_on_unchanged() -> None:
    assert assemble([call('{"a": ', index=0, name="open")]) == [("open", '{"a":')]


def test_a_call_without_a_name_is_dropped() -> None:
    assert assemble([call("{}", index=0, id="a")]) == []


@given(
    st.lists(st.tuples(st.sampled_from(["search", "open"]), st.dictionaries(st.text(), st.integers())), max_size=4),
    st.integers(1, 9),
    st.booleans(),
)
def test_any_calls_split_anywhere_come_back(calls: list[tuple[str, dict[str, int]]], size: int, indexed: bool) -> None:
    deltas = []
    for number, (name, value) in enumerate(calls):
        text = json.dumps(value)
        place: dict[str, object] = {"index": number} if indexed else {}
        deltas.append([call("", id=f"call{number}", name=name, **place)])
        deltas += [[call(text[start : start + size], **place)] for start in range(0, len(text), size)]
    assert [(name, json.loads(arguments)) for name, arguments in assemble(*deltas)] == calls


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_text"])
def test_thinking_is_found_under_every_name_and_kept_for_replay(field: str) -> None:
    reader, events = read({field: "Look."}, {"content": "Monthly."})
    message = reader.message("origin")
    assert events == [ReasoningDelta("Look."), TextDelta("Monthly.")]
    assert json.loads(message.raw)["message"] == {"role": "assistant", "content": "Monthly.", field: "Look."}


def test_the_same_thinking_under_two_names_is_taken_once() -> None:
    reader, _ = read({"reasoning": "Look.", "reasoning_content": "Look."})
    assert reader.message("origin").reasoning == "Look."


def test_thinking_inside_the_content_is_not_replayed() -> None:
    reader, _ = read({"content": "<think>Look.</th"}, {"content": "ink>Monthly."})
    message = reader.message("origin")
    assert (message.text, message.reasoning) == ("Monthly.", "Look.")
    assert json.loads(message.raw)["message"] == {"role": "assistant", "content": "Monthly."}


def test_signatures_and_details_of_a_provider_are_replayed() -> None:
    extra = {"google": {"thought_signature": "abc"}}
    reader, _ = read(
        {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "Lo"}]},
        {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "ok.", "signature": "s"}]},
        {"tool_calls": [{**call("{}", index=0, name="open"), "extra_content": extra}]},
        offered=["open"],
    )
    raw = json.loads(reader.message("origin").raw)["message"]
    assert raw["tool_calls"][0]["extra_content"] == extra
    assert raw["reasoning_details"] == [{"type": "reasoning.text", "index": 0, "text": "Look.", "signature": "s"}]


def test_a_written_call_is_run() -> None:
    reader, events = read(
        {"content": 'Searching. <tool_call>{"name": "search", "arguments": {"query": "rent"}}</tool_call>'},
        offered=["search"],
    )
    message = reader.message("origin")
    assert (message.text, message.tool_calls[0].arguments) == ("Searching. ", '{"query": "rent"}')
    assert events == [TextDelta("Searching. ")]
    assert reader.reason(message) == "tools"


def test_text_like_a_written_call_is_shown() -> None:
    reader, events = read({"content": "Write <tool_call> here."}, offered=["search"])
    assert reader.message("origin").text == "Write <tool_call> here."
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Write <tool_call> here."


def test_content_as_parts_is_read() -> None:
    reader, _ = read({"content": [{"type": "text", "text": "Monthly."}]})
    assert reader.message("origin").text == "Monthly."


@pytest.mark.parametrize(
    ("finish", "reason"), [("length", "length"), ("content_filter", "filter"), ("eos", "stop"), ("stop", "stop")]
)
def test_the_reason_is_translated(finish: str, reason: str) -> None:
    reader, _ = read({"content": "M"}, reason=finish)
    assert reader.reason(AssistantMessage("M")) == reason


@pytest.mark.parametrize("delta", [{"content": "Monthly."}, {"tool_calls": [call(name="search", arguments="")]}])
def test_the_end_of_reading_is_told_once_whatever_is_written(delta: dict[str, object]) -> None:
    """The first chunk of llama.cpp has a role only, and so have those that tell how much is read."""
    role: dict[str, object] = {"role": "assistant", "content": None}
    chunks = [{"choices": [{"delta": each}]} for each in (role, delta, delta)]
    reader = TurnReader(ChatEndpoint("http://h/v1", "m"), {"search": ("query",)})
    reading = {"choices": [{"delta": role}], "prompt_progress": {"processed": 9, "total": 9}}
    told = [event for chunk in (reading, *chunks) for event in reader.feed(chunk)]
    assert [event.stage for event in told if isinstance(event, TurnProgress)] == ["reading", "writing"]
    assert not any(
        isinstance(event, TurnProgress)
        for chunk in chunks
        for event in TurnReader(ChatEndpoint("http://h/v1", "m"), {}).feed(chunk)
    )


def test_the_last_usage_counts_and_knows_its_parts() -> None:
    reader = TurnReader(ENDPOINT, {})
    list(reader.feed({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 0}}))
    details = {"prompt_tokens_details": {"cached_tokens": 60}, "completion_tokens_details": {"reasoning_tokens": 5}}
    list(reader.feed({"choices": [], "usage": {"prompt_tokens": 90, "completion_tokens": 12, **details}}))
    list(reader.feed({"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}))
    assert reader.usage is not None
    assert (reader.usage.prompt, reader.usage.completion) == (90, 12)
    assert (reader.usage.cached, reader.usage.reasoning) == (60, 5)


def test_an_error_with_a_code_is_classified_like_a_status() -> None:
    with pytest.raises(EndpointFailure) as caught:
        list(TurnReader(ENDPOINT, {}).feed({"error": {"code": 429, "message": "slow down"}}))
    assert isinstance(caught.value.error, ModelBusy)


def test_an_error_as_the_reason_is_an_error() -> None:
    chunk = {"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "upstream died"}}]}
    with pytest.raises(EndpointFailure, match="upstream died") as caught:
        list(TurnReader(ENDPOINT, {}).feed(chunk))
    assert isinstance(caught.value.error, StreamCut)


@pytest.mark.parametrize("chunk", [[], "text", 5, None, {}, {"object": "list"}])
def test_anything_but_a_completion_suggests_another_address(chunk: object) -> None:
    with pytest.raises(EndpointFailure) as caught:
        list(TurnReader(ENDPOINT, {}).feed(chunk))
    assert caught.value.retry is Retry.OTHER_ADDRESS


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"delta": {"content": None, "tool_calls": None}}]},
        {"choices": [{"delta": {"content": 5, "tool_calls": [None, 5, {"function": 5}]}}], "usage": []},
        {"choices": [{"delta": {"reasoning": {"a": 1}, "reasoning_details": ["x"]}}], "error": None},
    ],
)
def test_wrong_types_are_ignored(chunk: object) -> None:
    reader = TurnReader(ENDPOINT, {})
    assert list(reader.feed(chunk)) == []
    assert reader.message("origin").text == ""


_KEYS = [
    *(
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "function",
        "function_call",
        "name",
        "arguments",
        "index",
    ),
    *("id", "usage", "prompt_tokens", "completion_tokens", "prompt_tokens_details", "cached_tokens", "finish_reason"),
    *("error", "code", "reasoning", "reasoning_details", "type", "text", "refusal", "extra_content", "metadata", "raw"),
]
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=12)
    | st.sampled_from(["\ud83d", "search", "stop", "error", '{"a": 1}', "<think>", "<tool_call>", "search("])
)
_JSON = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=20,
)
_CHUNKS = st.dictionaries(st.sampled_from(["delta", "message", "finish_reason", "usage", "error"]), _JSON).map(
    lambda choice: {"choices": [choice]}
)


@given(st.lists(_JSON | _CHUNKS, max_size=6))
def test_any_chunks_end_in_a_message_or_a_failure(chunks: list[object]) -> None:
    reader = TurnReader(ENDPOINT, {"search": ("queries",)})
    shown: list[object] = []
    try:
        for chunk in chunks:
            shown.extend(reader.feed(chunk))
    except EndpointFailure as failure:
        str(failure.error).encode()
    shown.extend(reader.end())
    message = reader.message("here")
    for text in (message.text, message.reasoning, message.raw, *(c.name + c.arguments for c in message.tool_calls)):
        text.encode()
    for call in message.tool_calls:
        assert re.fullmatch("[A-Za-z0-9_-]{1,64}", call.name)
        json.loads(wire_arguments(call.arguments), parse_constant=pytest.fail)
    assert all(event.text for event in shown if isinstance(event, TextDelta | ReasoningDelta))
    repr(reader.usage)


def test_the_time_that_is_left_to_read_a_prompt_follows_from_what_was_read() -> None:
    reader = TurnReader(ChatEndpoint("http://h/v1", "m"), {})
    progress = {"processed": 300, "total": 900, "cache": 100, "time_ms": 4_000}
    [told] = reader.feed({"choices": [{"delta": {}}], "prompt_progress": progress})
    assert told == TurnProgress("reading", 300, 900, 12.0)
