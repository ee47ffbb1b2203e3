"""Faults inside the stream: where it breaks, what its events hold, and floods that would fill the memory."""

import gzip
import json
import zlib

from desktop_rag.errors import ContextOverflow, ModelBusy, ModelError, ModelUnreachable, StreamCut
from tests.integration.llm.faults.fault import (
    BREAKS,
    CHUNKED,
    DONE,
    EVENT_STREAM,
    PIECES,
    STOP,
    WHOLE,
    Fault,
    answered,
    delta,
    event,
    failed,
    text,
)
from tests.raw_endpoint import HOLD, RESET, Flood, Step, body, chunked, head, split_everywhere, stream

_BEGUN = text("Rent is ")
_NEXT = delta(content="später")
_PLACES = {
    "between events": b"",
    "in a field name": b"dat",
    "in the JSON text": _NEXT[:30],
    "in a character": _NEXT.replace(b"\\u00e4", "ä".encode())[: _NEXT.index(b"\\u00e4") + 1],
    "before the blank line": _NEXT.rstrip(b"\n")[:-1],
    "in a comment": b": keep-al",
}
BROKEN = [
    failed(f"{how} {place}", StreamCut, words, *stream(_BEGUN, piece, *steps), text="Rent is ")
    for place, piece in _PLACES.items()
    for how, (steps, words) in BREAKS.items()
]
_LONGER = head("200 OK", "Content-Type: text/event-stream", f"Content-Length: {len(_BEGUN) + 500}")
BROKEN_FRAMES = [
    failed(f"{how} in a chunk", StreamCut, words, CHUNKED, chunked(_BEGUN), b"400\r\ndata", *steps, text="Rent is ")
    for how, (steps, words) in BREAKS.items()
] + [
    failed(f"{how} before the length", StreamCut, words, _LONGER, _BEGUN, *steps, text="Rent is ")
    for how, (steps, words) in BREAKS.items()
]

ENDS = [
    answered("no end marker, closed", *stream(text("Rent is due monthly."), delta("stop"))),
    answered("no end marker, open", *stream(text("Rent is due monthly."), delta("stop"), HOLD)),
    answered(
        "no end marker, comments", *stream(text("Rent is due monthly."), delta("stop"), Flood(b": on\n\n", 50), HOLD)
    ),
    answered("no finish reason", *stream(text("Rent is due monthly."), DONE)),
    answered("text after the end marker", *stream(WHOLE, text(" More."))),
    answered("an open connection after the end marker", *stream(WHOLE, HOLD)),
    answered("reset after the end marker", *stream(WHOLE, RESET)),
    answered("the finish reason twice", *stream(text("Rent is due monthly."), delta("stop"), STOP)),
    answered("an unknown finish reason", *stream(text("Rent is due monthly."), delta("eos_token"), DONE)),
    answered(
        "a number as finish reason",
        *stream(text("Rent is due monthly."), event({"choices": [{"delta": {}, "finish_reason": 1}]}), DONE),
    ),
    answered("an end marker after two spaces", *stream(text("Rent is due monthly."), b"data:  [DONE] \n\n", HOLD)),
    answered(
        "the whole message once more",
        *stream(
            text("Rent is ", "due monthly."),
            event(
                {"choices": [{"delta": {}, "message": {"content": "Rent is due monthly."}, "finish_reason": "stop"}]}
            ),
            DONE,
        ),
    ),
    answered(
        "another choice in between",
        *stream(
            text("Rent is "),
            event({"choices": [{"index": 1, "delta": {"content": "Or "}}]}),
            text("due monthly."),
            STOP,
        ),
    ),
    answered("an end marker without a blank line", *stream(text("Rent is due monthly."), b"data: [DONE]")),
    failed("only an end marker", ModelUnreachable, "empty answer", *stream(DONE)),
    failed(
        "an error as finish reason",
        StreamCut,
        "broke off with an error",
        *stream(_BEGUN, delta("error")),
        text="Rent is ",
    ),
]

_SPLIT_PAIR = [
    b'data: {"choices": [{"delta": {"content": "\\ud83d"}}]}\n\n',
    b'data: {"choices": [{"delta": {"content": "\\ude00"}}]}\n\n',
]
_LONE = b'data: {"choices": [{"delta": {"content": "a\\ud83d"}}]}\n\n'
EVENTS = [
    answered("byte by byte", *stream(*split_everywhere(WHOLE))),
    answered("carriage returns and line feeds", *stream(WHOLE.replace(b"\n", b"\r\n"))),
    answered("carriage returns", *stream(WHOLE.replace(b"\n", b"\r"))),
    answered("a byte order mark", *stream(b"\xef\xbb\xbf" + WHOLE)),
    answered("no space after the colon", *stream(WHOLE.replace(b"data: ", b"data:"))),
    answered("comments between events", *stream(WHOLE.replace(b"\n\n", b"\n\n: on\n\n"))),
    answered("names, ids and retries", *stream(WHOLE.replace(b"data:", b"event: x\nid: 1\nretry: 5\ndata:"))),
    answered("JSON over several data lines", *stream(WHOLE.replace(b'"choices": ', b'"choices":\ndata: '))),
    answered("empty events", *stream(b"data:\n\n" * 3 + WHOLE)),
    answered("null chunks after the first", *stream(text("Rent is "), b"data: null\n\n", text("due monthly."), STOP)),
    answered("chunks without choices", *stream(event({"choices": []}), WHOLE)),
    answered("chunks with null choices", *stream(event({"choices": None}), WHOLE)),
    answered("a choice without a delta", *stream(event({"choices": [{"index": 0}]}), WHOLE)),
    answered("a choice that is a word", *stream(event({"choices": ["odd"]}), WHOLE)),
    answered("a delta that is a list", *stream(event({"choices": [{"delta": [1]}]}), WHOLE)),
    answered("content that is a number", *stream(delta(content=5), WHOLE)),
    answered("content in parts", *stream(delta(content=[{"type": "text", "text": "Rent is due monthly."}]), STOP)),
    answered(
        "two choices",
        *stream(
            event({"choices": [{"delta": {"content": "Rent is due monthly."}}, {"delta": {"content": "No."}}]}), STOP
        ),
    ),
    answered(
        "odd usage", *stream(event({"choices": [], "usage": {"prompt_tokens": "²", "completion_tokens": -1}}), WHOLE)
    ),
    answered("endless usage", *stream(b'data: {"choices": [], "usage": {"prompt_tokens": 1e999}}\n\n', WHOLE)),
    answered(
        "usage of 400 digits",
        *stream(b'data: {"choices": [], "usage": {"prompt_tokens": ' + b"9" * 400 + b"}}\n\n", WHOLE),
    ),
    answered("a surrogate pair in two chunks", *stream(*_SPLIT_PAIR, STOP), text="\U0001f600"),
    answered("a lone surrogate", *stream(_LONE, text("b"), STOP), text="a\ufffdb"),
    answered("a lone surrogate at the end", *stream(_LONE, STOP), text="a"),
    answered("a zero byte in the text", *stream(delta(content="a\0b"), STOP), text="ab"),
    answered(
        "bytes that are no UTF-8",
        *stream(b'data: {"choices": [{"delta": {"content": "a\xffb"}}]}\n\n', STOP),
        text="a\ufffdb",
    ),
    failed(
        "JSON that breaks off",
        StreamCut,
        "invalid JSON",
        *stream(_BEGUN, b'data: {"choices": [\n\n', STOP),
        text="Rent is ",
    ),
    failed(
        "JSON nested 100,000 deep",
        StreamCut,
        "invalid JSON",
        *stream(_BEGUN, b"data: " + b"[" * 100_000 + b"\n\n", STOP),
        text="Rent is ",
    ),
    answered(
        "a number of 5,000 digits",
        *stream(text(*PIECES), b'data: {"choices": [], "usage": {"prompt_tokens": ' + b"1" * 5_000 + b"}}\n\n", STOP),
    ),
    failed(
        "a page in an event", StreamCut, "invalid JSON", *stream(_BEGUN, b"data: <html>\n\n", STOP), text="Rent is "
    ),
]


def _error(**fields: object) -> bytes:
    return event({"error": fields})


ERRORS = [
    failed("an error first", StreamCut, "out of memory", *stream(_error(message="out of memory"))),
    failed(
        "an error in the middle",
        StreamCut,
        "out of memory",
        *stream(_BEGUN, _error(message="out of memory")),
        text="Rent is ",
    ),
    failed("an error that is a word", StreamCut, "oops", *stream(_BEGUN, event({"error": "oops"})), text="Rent is "),
    failed(
        "an error that is a list",
        StreamCut,
        "broke off with an error .*oops",
        *stream(_BEGUN, event({"error": ["oops"]})),
        text="Rent is ",
    ),
    failed("an error with a code", ModelBusy, "limits the rate", *stream(_error(message="slow down", code=429))),
    failed(
        "an overflow in the stream",
        ContextOverflow,
        "longer than",
        *stream(_error(message="maximum context length is 9 tokens")),
    ),
    failed(
        "a lone surrogate in an error",
        StreamCut,
        "broke off with an error",
        *stream(_BEGUN, b'data: {"error": {"message": "\\udead"}}\n\n'),
        text="Rent is ",
    ),
    failed(
        "an error event",
        StreamCut,
        "boom",
        *stream(_BEGUN, b'event: error\ndata: {"error": {"message": "boom"}}\n\n'),
        text="Rent is ",
    ),
    Fault(
        "an error first, then an answer",
        [stream(_error(message="try again")), stream(WHOLE)],
        text="Rent is due monthly.",
    ),
]

_MEGABYTE = 1024 * 1024
_PADDING = b"x" * 65_536


def _packed(data: bytes, encoding: str) -> tuple[Step, ...]:
    packed = gzip.compress(data) if encoding == "gzip" else zlib.compress(data)
    return body("200 OK", packed, f"Content-Encoding: {encoding}")


def _bomb(status: str, kind: bytes) -> tuple[Step, ...]:
    packer = zlib.compressobj(9, wbits=-15)
    megabyte = packer.compress(kind * (_MEGABYTE // len(kind))) + packer.flush(zlib.Z_FULL_FLUSH)
    # The same deflated megabyte all the time; nothing reads as far as the checksum at the end.
    packed = b"\x1f\x8b\x08" + bytes(7) + megabyte * 512 + packer.flush() + bytes(8)
    return body(status, packed, "Content-Encoding: gzip")


FLOODS = [
    failed("an endless line", StreamCut, "without end", *stream(_BEGUN, Flood(_PADDING)), text="Rent is "),
    failed(
        "an endless event",
        StreamCut,
        "without end",
        *stream(_BEGUN, Flood(b"data: " + b"x" * 4_000 + b"\n")),
        text="Rent is ",
    ),
    failed(
        "endless empty data lines",
        StreamCut,
        "without end",
        *stream(_BEGUN, Flood(b"data:\n" * 10_000)),
        text="Rent is ",
    ),
    failed(
        "endless comments", ModelError, "more than|did not respond", *stream(Flood(b": " + b"x" * 65_000 + b"\n\n"))
    ),
    failed(
        "endless events without text",
        ModelError,
        "more than",
        *stream(Flood(event({"choices": [], "pad": "x" * 60_000}))),
    ),
    failed("endless text", StreamCut, "does not end", *stream(Flood(delta(content="word " * 10_000)))),
    failed("endless thinking", StreamCut, "does not end", *stream(Flood(delta(reasoning_content="word " * 10_000)))),
    failed(
        "endless reasoning details",
        StreamCut,
        "does not end",
        *stream(Flood(delta(reasoning_details=[{"type": "t", "text": "x" * 50_000}]))),
    ),
    failed("an endless error", ModelError, r"failed \(500: x+", head("500 Oops", "Connection: close"), Flood(_PADDING)),
    failed(
        "an endless page",
        ModelUnreachable,
        "not as a model|did not respond",
        EVENT_STREAM,
        b"<html>",
        Flood(_PADDING),
    ),
    failed(
        "an endless JSON text",
        ModelUnreachable,
        "not as a model|did not respond",
        EVENT_STREAM,
        b"[",
        Flood(b"[]," * 20_000),
    ),
    failed(
        "an event of 300,000 lists",
        StreamCut,
        "invalid JSON",
        *stream(text("Rent is "), b'data: {"choices": [' + b"[]," * 300_000 + b"[]]}\n\n"),
        text="Rent is ",
    ),
    failed("endless white space", ModelError, "more than|empty answer|without end", EVENT_STREAM, Flood(b" " * 65_536)),
    failed("a packed error of 512 MB", ModelError, r"failed \(500: x+", *_bomb("500 Oops", b"x")),
    failed("a packed line of 512 MB", StreamCut, "without end", *_bomb("200 OK", b"x")),
    failed("packed comments of 512 MB", ModelError, "more than|did not respond", *_bomb("200 OK", b": x\n")),
]

_GZIPPED = (head("200 OK", "Content-Type: text/event-stream", "Content-Encoding: gzip", "Connection: close"),)
_MEMBERS = [gzip.compress(WHOLE[start : start + 90]) for start in range(0, len(WHOLE), 90)]

PACKED = [
    answered("packed with gzip", *_packed(WHOLE, "gzip")),
    answered("gzip in several members", *body("200 OK", b"".join(_MEMBERS), "Content-Encoding: gzip")),
    answered("gzip in several members and blocks", *_GZIPPED, *_MEMBERS),
    answered("a member of one byte after another", *_GZIPPED, *(bytes([each]) for each in b"".join(_MEMBERS))),
    answered("much behind the end of gzip", *_GZIPPED, gzip.compress(WHOLE[: -len(DONE)]), Flood(_PADDING)),
    answered("packed with deflate", *_packed(WHOLE, "deflate")),
    answered("declared as identity", *body("200 OK", WHOLE, "Content-Encoding: identity")),
    failed("packed with brotli", ModelError, "compresses", *body("200 OK", WHOLE, "Content-Encoding: br")),
    failed("damaged gzip", ModelError, "damaged", *body("200 OK", b"not packed", "Content-Encoding: gzip")),
    failed(
        "gzip that breaks off",
        ModelError,
        "sent an empty answer",
        *body("200 OK", gzip.compress(WHOLE)[:60], "Content-Encoding: gzip"),
    ),
    failed(
        "a packed error",
        ModelError,
        "out of memory",
        *body("500 Oops", gzip.compress(json.dumps({"error": "out of memory"}).encode()), "Content-Encoding: gzip"),
    ),
]

FAULTS = [*BROKEN, *BROKEN_FRAMES, *ENDS, *EVENTS, *ERRORS, *FLOODS, *PACKED]
