"""A fault of an endpoint and how the turn must end; builders for the usual answers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop_rag.errors import ModelError
from tests.raw_endpoint import HOLD, RESET, Step, head, stream

# How a stream may break, and the words in which that is told: an open connection that ends early has no right end.
BREAKS: Mapping[str, tuple[tuple[Step, ...], str]] = {
    "closed": ((), "ended the answer in the middle|closed the connection before the answer was complete"),
    "reset": ((RESET,), "closed the connection before the answer was complete"),
    "silent": ((HOLD,), "did not respond for"),
}
ARGUMENTS = '{"query": "rent"}'


@dataclass(frozen=True, slots=True)
class Fault:
    """`script` is played, one entry a connection; the turn ends with `text` and `calls`, or in `error`.

    `words` is a pattern for the error's sentence. With an error, `text` is what must have been shown before.
    """

    name: str
    script: Sequence[Sequence[Step]]
    error: type[ModelError] | None = None
    words: str = ""
    text: str = ""
    calls: Sequence[tuple[str, str]] = field(default=())


def answered(name: str, *steps: Step, text: str = "Rent is due monthly.") -> Fault:
    """Return a fault that must not prevent the answer."""
    return Fault(name, [steps], text=text)


def failed(name: str, error: type[ModelError], words: str, *steps: Step, text: str = "") -> Fault:
    """Return a fault that ends the turn in `error`."""
    return Fault(name, [steps], error, words, text)


def called(name: str, calls: Sequence[tuple[str, str]], *steps: Step) -> Fault:
    """Return a turn that ends with tool calls."""
    return Fault(name, [steps], calls=calls)


def event(value: object) -> bytes:
    """Return a server-sent event."""
    return f"data: {json.dumps(value)}\n\n".encode()


def delta(reason: str | None = None, **fields: object) -> bytes:
    """Return the event of one chunk."""
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": reason}]})


def text(*pieces: str) -> bytes:
    """Return the events of a text in pieces."""
    return b"".join(delta(content=piece) for piece in pieces)


def call(arguments: object, name: str | None = "search", index: int | None = 0, call_id: str | None = "a") -> bytes:
    """Return the event of a part of a tool call."""
    entry: dict[str, object] = {"function": {"name": name, "arguments": arguments}}
    if index is not None:
        entry["index"] = index
    if call_id is not None:
        entry["id"] = call_id
    return delta(tool_calls=[entry])


DONE = b"data: [DONE]\n\n"
STOP = delta("stop") + DONE
CALLED = delta("tool_calls") + DONE
PIECES = ("Rent is ", "due ", "monthly.")
WHOLE = text(*PIECES) + STOP
GOOD = stream(WHOLE)
JSON_ANSWER = json.dumps(
    {"choices": [{"index": 0, "message": {"role": "assistant", "content": "".join(PIECES)}, "finish_reason": "stop"}]}
).encode()
EVENT_STREAM = head("200 OK", "Content-Type: text/event-stream", "Connection: close")
CHUNKED = head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
