"""Faults in the Responses API: where it breaks, its end, the order of its events, inside arguments, and floods."""

import json
from collections.abc import Sequence

from desktop_rag.errors import ContextOverflow, ModelBusy, ModelError, ModelMissing, ModelRefused, StreamCut
from tests.integration.llm.faults.fault import ARGUMENTS, BREAKS, CHUNKED, DONE, Fault, answered, called, event, failed
from tests.raw_endpoint import HOLD, RESET, Flood, body, chunked, split_everywhere, stream

SENTENCE = "Rent is due monthly."
PIECES = ("Rent is ", "due ", "monthly.")
_USAGE = {
    "input_tokens": 120,
    "output_tokens": 30,
    "input_tokens_details": {"cached_tokens": 100},
    "output_tokens_details": {"reasoning_tokens": 20},
}
_MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": SENTENCE}],
}


def told(kind: str, **fields: object) -> bytes:
    """Return an event with its name."""
    return f"event: {kind}\n".encode() + event({"type": kind, **fields})


def pieces(*texts: str, index: int = 0, **fields: object) -> bytes:
    """Return the deltas of a text."""
    return b"".join(
        told("response.output_text.delta", output_index=index, content_index=0, delta=text, **fields) for text in texts
    )


def ended(kind: str = "completed", output: Sequence[object] = (), **fields: object) -> bytes:
    """Return the last event of a response."""
    response = {"object": "response", "status": kind, "output": output, "usage": _USAGE, "error": None, **fields}
    return told(f"response.{kind}", response=response)


def call_of(name: str = "search", index: int = 0, call_id: str = "call_1") -> dict[str, object]:
    """Return the item of a call without its arguments."""
    return {"id": f"fc_{index}", "type": "function_call", "call_id": call_id, "name": name, "arguments": ""}


def begun(item: object, index: int = 0) -> bytes:
    """Return the event that begins an item."""
    return told("response.output_item.added", output_index=index, item=item)


def finished(item: object, index: int = 0) -> bytes:
    """Return the event that ends an item."""
    return told("response.output_item.done", output_index=index, item=item)


def arguments(*parts: str, index: int = 0, **fields: object) -> bytes:
    """Return the deltas of a call's arguments."""
    return b"".join(
        told("response.function_call_arguments.delta", output_index=index, delta=part, **fields) for part in parts
    )


CREATED = told("response.created", response={"object": "response", "status": "in_progress", "output": []})
_EMPTY_MESSAGE = {**_MESSAGE, "content": []}
WHOLE = CREATED + begun(_EMPTY_MESSAGE) + pieces(*PIECES) + finished(_MESSAGE) + ended(output=[_MESSAGE])
_BEGUN = CREATED + pieces("Rent is ")
_ITEM = {**call_of(), "arguments": ARGUMENTS}
_CALL = begun(call_of()) + arguments(ARGUMENTS[:8], ARGUMENTS[8:])
_SEARCHED = [("search", ARGUMENTS)]
_NEXT = pieces("später")
_PLACES = {
    "between events": b"",
    "in an event's name": b"event: resp",
    "in a field name": b"dat",
    "in the JSON text": _NEXT[:60],
    "before the blank line": _NEXT.rstrip(b"\n")[:-1],
    "in a comment": b": keep-al",
    "with an end marker in the JSON text": _NEXT[:60] + b"\n\n",
}


def _words(place: str, words: str) -> str:
    return "sent invalid JSON" if "end marker" in place else words


BROKEN = [
    failed(f"response {how} {place}", StreamCut, _words(place, words), *stream(_BEGUN, piece, *steps), text="Rent is ")
    for place, piece in _PLACES.items()
    for how, (steps, words) in BREAKS.items()
] + [
    failed(
        f"response {how} in a chunk", StreamCut, words, CHUNKED, chunked(_BEGUN), b"400\r\nda", *steps, text="Rent is "
    )
    for how, (steps, words) in BREAKS.items()
]


def _part(kind: str, number: int, **fields: object) -> bytes:
    return told(f"response.output_text.{kind}", output_index=0, content_index=number, **fields)


_LAST = _part("done", 1, text="due monthly.")
_TEXTS = [{"type": "output_text", "text": text} for text in ("Rent is ", "due monthly.")]
_IN_PARTS = {**_MESSAGE, "content": _TEXTS}
_OTHER = {**_MESSAGE, "content": [{"type": "output_text", "text": "Something else."}]}
_UNNUMBERED = told("response.output_text.delta", output_index=0, delta=SENTENCE)
_UNNUMBERED_END = told("response.output_text.done", output_index=0, text=SENTENCE)
_DONE_ARGUMENTS = told("response.function_call_arguments.done", output_index=0, arguments=ARGUMENTS)
_ENCRYPTED = {"type": "reasoning", "encrypted_content": "e" * 9000}


def _error(code: str, message: str) -> dict[str, object]:
    return {"code": code, "message": message}


ENDS = [
    answered("a whole response", *stream(WHOLE)),
    answered("a whole response, byte by byte", *stream(*split_everywhere(WHOLE))),
    answered("a connection left open", *stream(WHOLE, HOLD)),
    answered("a reset after the end", *stream(WHOLE, RESET)),
    answered("an end marker of the other API", *stream(WHOLE, DONE)),
    answered("no completed, but an end marker", *stream(_BEGUN, pieces(*PIECES[1:]), DONE)),
    answered("events after the end", *stream(WHOLE, pieces(" More."), ended())),
    answered("only deltas and the end", *stream(pieces(*PIECES), ended())),
    answered("only the end", *stream(ended(output=[_MESSAGE]))),
    answered("only finished items", *stream(finished(_MESSAGE), ended())),
    answered("only whole texts", *stream(told("response.output_text.done", output_index=0, text=SENTENCE), ended())),
    answered("not streamed", *body("200 OK", json.dumps({"object": "response", "output": [_MESSAGE]}).encode())),
    answered("no usage", *stream(pieces(*PIECES), ended(usage=None))),
    answered("usage of the wrong type", *stream(pieces(*PIECES), ended(usage=[{"input_tokens": "many"}]))),
    answered("incomplete by length", *stream(pieces(*PIECES), ended("incomplete"))),
    answered(
        "incomplete by a filter",
        *stream(pieces(*PIECES), ended("incomplete", incomplete_details={"reason": "content_filter"})),
    ),
    answered("a refusal", *stream(told("response.refusal.delta", output_index=0, delta=SENTENCE), ended())),
    answered("a refusal whole", *stream(told("response.refusal.done", output_index=0, refusal=SENTENCE), ended())),
    answered("parts, whole at their end", *stream(_part("done", 0, text="Rent is "), _LAST, ended())),
    answered("a part whole, after the deltas of another", *stream(_part("delta", 0, delta="Rent is "), _LAST, ended())),
    answered("parts of a finished item", *stream(finished(_IN_PARTS), ended(output=[_IN_PARTS]))),
    answered("deltas without the number of their part", *stream(_UNNUMBERED, finished(_IN_PARTS), ended())),
    answered("the end without the number of its part", *stream(pieces(*PIECES), _UNNUMBERED_END, ended())),
    answered("the last deltas missing", *stream(pieces(*PIECES[:2]), ended(output=[_MESSAGE]))),
    answered("another text at the end", *stream(pieces(*PIECES), finished(_EMPTY_MESSAGE), ended(output=[_OTHER]))),
    answered("chunks of the other API", *stream(event({"choices": [{"delta": {"content": SENTENCE}}]}), DONE)),
    failed("failed", StreamCut, "tired", *stream(ended("failed", error=_error("vendor", "It is tired.")))),
    failed(
        "failed with the server",
        ModelError,
        "broke",
        *stream(ended("failed", error=_error("server_error", "It broke."))),
    ),
    failed(
        "failed by the rate", ModelBusy, "slow", *stream(ended("failed", error=_error("rate_limit_exceeded", "slow")))
    ),
    failed(
        "failed in the middle",
        StreamCut,
        "broke",
        *stream(_BEGUN, ended("failed", error=_error("x", "It broke."))),
        text="Rent is ",
    ),
    failed(
        "failed without a word",
        StreamCut,
        r"broke off with an error \(.*response.failed.*\)\. Ask again",
        *stream(_BEGUN, told("response.failed", response=None)),
        text="Rent is ",
    ),
    failed(
        "cancelled",
        StreamCut,
        "broke off with an error .*response.cancelled",
        *stream(_BEGUN, told("response.cancelled", response={})),
        text="Rent is ",
    ),
    failed(
        "too long",
        ContextOverflow,
        "longer",
        *stream(told("error", code="context_length_exceeded", message="Too long: context_length_exceeded")),
    ),
    failed(
        "an error of the wrong type",
        StreamCut,
        "broke off with an error",
        *stream(_BEGUN, told("error", error=["x", 3])),
        text="Rent is ",
    ),
    failed(
        "an error in the usual shape",
        StreamCut,
        "odd",
        *stream(_BEGUN, told("error", error={"message": "odd"})),
        text="Rent is ",
    ),
    failed(
        "an unknown model",
        ModelMissing,
        "know",
        *stream(told("error", code="model_not_found", message="The model does not exist.")),
    ),
    failed(
        "an account without credit",
        ModelRefused,
        "has no credit left",
        *stream(told("error", code="insufficient_quota", message="No quota.")),
    ),
    failed("nothing at all", ModelError, "sent an empty answer", *stream(DONE)),
    failed("created, then silence", ModelError, "did not respond for", *stream(CREATED, HOLD)),
    failed("created, then closed", StreamCut, "ended the answer in the middle", *stream(CREATED)),
]
ORDER = [
    answered("unknown events", *stream(told("response.new_thing.delta", delta="x"), told("vendor.ping"), WHOLE)),
    answered("events without a type", *stream(CREATED, event({"delta": "x"}), event([1]), WHOLE)),
    answered(
        "the same item twice",
        *stream(pieces(*PIECES), finished(_MESSAGE), finished(_MESSAGE), ended(output=[_MESSAGE])),
    ),
    answered("the item begins after its text", *stream(pieces(*PIECES), begun(_EMPTY_MESSAGE), ended())),
    answered("created last", *stream(pieces(*PIECES), CREATED, ended())),
    answered(
        "no number of the item",
        *stream(event({"type": "response.output_text.delta", "item_id": "m", "delta": SENTENCE}), ended()),
    ),
    answered(
        "a delta that is no text",
        *stream(told("response.output_text.delta", output_index=0, delta={"a": 1}), pieces(*PIECES), ended()),
    ),
    answered("an enormous number of the item", *stream(pieces(*PIECES, index=10**30), ended())),
    answered("a negative number of the item", *stream(pieces(*PIECES, index=-5), ended())),
    answered(
        "items of the wrong type", *stream(begun("x"), finished(7), pieces(*PIECES), ended(output=["x", None, 3]))
    ),
    answered("output of the wrong type", *stream(pieces(*PIECES), ended(output="all"))),
    answered(
        "half a surrogate pair in each delta",
        *stream(pieces(*PIECES), told("response.output_text.delta", output_index=0, delta=""), ended()),
    ),
    answered(
        "tools of the server", *stream(begun({"type": "web_search_call", "id": "w"}), pieces(*PIECES, index=1), ended())
    ),
]
CALLS = [
    called("a call", _SEARCHED, *stream(CREATED, _CALL, finished(_ITEM), ended(output=[_ITEM]))),
    called("a call, byte by byte", _SEARCHED, *stream(*split_everywhere(_CALL + ended(output=[_ITEM])))),
    called("a call only at the end", _SEARCHED, *stream(CREATED, ended(output=[_ITEM]))),
    called("a call only as an item", _SEARCHED, *stream(finished(_ITEM), ended())),
    called("arguments before the name", _SEARCHED, *stream(arguments(ARGUMENTS), begun(call_of()), ended())),
    called("arguments only at their end", _SEARCHED, *stream(begun(call_of()), _DONE_ARGUMENTS, ended())),
    called("arguments repeated at their end", _SEARCHED, *stream(_CALL, _DONE_ARGUMENTS, ended())),
    called(
        "arguments as an object",
        [("search", '{"query": "rent"}')],
        *stream(finished({**_ITEM, "arguments": {"query": "rent"}}), ended()),
    ),
    called("no arguments", [("search", "{}")], *stream(begun(call_of()), ended())),
    called("broken arguments", [("search", '{"query":')], *stream(begun(call_of()), arguments('{"query": '), ended())),
    called(
        "incomplete in the arguments",
        [("search", '{"query')],
        *stream(begun(call_of()), arguments('{"query'), ended("incomplete")),
    ),
    called(
        "numbered by ids",
        _SEARCHED,
        *stream(
            event({"type": "response.output_item.added", "item": call_of()}),
            event({"type": "response.function_call_arguments.delta", "item_id": "fc_0", "delta": ARGUMENTS}),
            ended(),
        ),
    ),
    called(
        "two calls, mingled",
        [*_SEARCHED, ("open", '{"name": "lease"}')],
        *stream(
            begun(call_of()),
            begun(call_of("open", 1, "call_2"), 1),
            arguments(ARGUMENTS[:5]),
            arguments('{"name": ', index=1),
            arguments(ARGUMENTS[5:]),
            arguments('"lease"}', index=1),
            ended(),
        ),
    ),
    called(
        "a call without a name",
        [],
        *stream(pieces(*PIECES), begun({"type": "function_call"}, 1), arguments("{}", index=1), ended()),
    ),
    called("deep brackets", [("search", "[" * 5000)], *stream(begun(call_of()), arguments("[" * 5000), ended())),
] + [
    failed(
        f"a call {how}",
        StreamCut,
        words,
        *stream(_BEGUN, begun(call_of(), 1), arguments('{"que', index=1), *steps),
        text="Rent is ",
    )
    for how, (steps, words) in BREAKS.items()
]
FLOODS: list[Fault] = [
    Fault("text without end", [stream(Flood(pieces("word " * 200)))]),
    Fault(
        "thinking without end",
        [stream(Flood(told("response.reasoning_text.delta", output_index=0, delta="hm " * 300)))],
    ),
    Fault("arguments without end", [stream(begun(call_of()), Flood(arguments("x" * 1000)))]),
    Fault(
        "calls without end",
        [stream(*(begun(call_of(index=n), n) for n in range(500)), Flood(begun(call_of(index=9), 9)))],
    ),
    Fault("items without end", [stream(*(finished({**_ENCRYPTED, "id": f"r{n}"}, n) for n in range(900)), HOLD)]),
    Fault("one endless event", [stream(b"data: ", Flood(b"x" * 65_536))]),
]
FAULTS = [*BROKEN, *ENDS, *ORDER, *CALLS]
