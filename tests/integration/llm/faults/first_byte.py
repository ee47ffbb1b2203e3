"""Faults before the first event: connecting, the status line, the headers, the framing of the body, the status."""

import json

from desktop_rag.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
    ServerFailed,
    StreamCut,
    ToolsRefused,
)
from tests.integration.llm.faults.fault import (
    CHUNKED,
    EVENT_STREAM,
    GOOD,
    JSON_ANSWER,
    WHOLE,
    Fault,
    answered,
    failed,
)
from tests.raw_endpoint import HOLD, RESET, UNREAD, Flood, Pause, Step, body, chunked, head, split_everywhere, stream

_CLOSED = "closed the connection"
_HUNG_UP = "closed the connection without an answer.*https://"
_SILENT = "did not respond for"
_ODD = "does not speak HTTP"

_COMMENTS: list[Step] = [b": wait\n\n", Pause(0.05)] * 60

CONNECTIONS = [
    failed("closed at once", ModelUnreachable, _HUNG_UP, UNREAD),
    failed("reset before the answer", ModelUnreachable, _HUNG_UP, RESET),
    failed("closed after the request", ModelUnreachable, _HUNG_UP),
    failed("silent after the request", ModelUnreachable, _SILENT, HOLD),
    failed("silent in the status line", ModelUnreachable, _SILENT, b"HTTP/1.1 20", HOLD),
    failed("silent in the headers", ModelUnreachable, _SILENT, b"HTTP/1.1 200 OK\r\nContent-Ty", HOLD),
    failed("silent after the headers", ModelUnreachable, _SILENT, EVENT_STREAM, HOLD),
    failed("only comments", ModelUnreachable, _SILENT, EVENT_STREAM, *_COMMENTS),
    failed("closed in the status line", ModelError, f"{_CLOSED}|{_ODD}", b"HTTP/1.1 20"),
    failed("reset in the status line", ModelUnreachable, _HUNG_UP, b"HTTP/1.1 20", RESET),
    failed("closed in the headers", ModelError, f"{_CLOSED}|{_ODD}", b"HTTP/1.1 200 OK\r\nContent-Type: te"),
    failed("reset in the headers", ModelUnreachable, _HUNG_UP, b"HTTP/1.1 200 OK\r\nContent-Type: te", RESET),
    failed("closed after the headers", ModelUnreachable, "sent an empty answer", EVENT_STREAM),
    failed("reset after the headers", StreamCut, _CLOSED, EVENT_STREAM, RESET),
    Fault("reset once, then an answer", [(RESET,), GOOD], text="Rent is due monthly."),
    Fault("closed once, then an answer", [(), GOOD], text="Rent is due monthly."),
    Fault("empty once, then an answer", [(EVENT_STREAM,), GOOD], text="Rent is due monthly."),
    failed("an answer without a request read", ModelUnreachable, _HUNG_UP, UNREAD, b"", RESET),
]

STATUS_LINES = [
    failed("greeted by SSH", ModelError, f"{_CLOSED}|{_ODD}", b"SSH-2.0-OpenSSH_9.6\r\n"),
    failed("greeted by SMTP", ModelError, f"{_CLOSED}|{_ODD}", b"220 mail.example ESMTP\r\n"),
    failed("a TLS alert on plain HTTP", ModelUnreachable, "https", b"\x15\x03\x01\x00\x02\x02\x46"),
    failed("zeros", ModelError, f"{_CLOSED}|{_ODD}", bytes(64)),
    failed("a body without a head", ModelUnreachable, _ODD, WHOLE),
    failed("a page without a head", ModelError, f"{_CLOSED}|{_ODD}", b"<html>Hello</html>"),
    failed("a word for the status", ModelError, f"{_CLOSED}|{_ODD}", b"HTTP/1.1 OK\r\n\r\n"),
    failed("a status of four digits", ModelUnreachable, _ODD, b"HTTP/1.1 2000 OK\r\n\r\n"),
    failed("an endless status line", ModelUnreachable, _ODD, Flood(b"HTTP/1.1 200 " + b"O" * 65_536)),
    answered("HTTP/1.0", b"HTTP/1.0 200 OK\r\n\r\n", WHOLE),
    answered("a status line without a reason", b"HTTP/1.1 200\r\nConnection: close\r\n\r\n", WHOLE),
    answered("a 100 before the answer", b"HTTP/1.1 100 Continue\r\n\r\n", *GOOD),
    answered("early hints before the answer", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", *GOOD),
    failed(
        "switched protocols",
        ModelError,
        "does not speak HTTP as expected",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
    ),
    answered("head byte by byte", *split_everywhere(EVENT_STREAM), WHOLE),
    answered("line feeds only", EVENT_STREAM.replace(b"\r\n", b"\n"), WHOLE),
]

HEADERS = [
    failed("a header without a colon", ModelUnreachable, _ODD, b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", WHOLE),
    failed("a header with a zero byte", ModelUnreachable, _ODD, b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", WHOLE),
    failed("a header of 200 KB", ModelUnreachable, _ODD, head("200 OK", "X-Long: " + "x" * 200_000), WHOLE),
    failed("endless headers", ModelUnreachable, _ODD, b"HTTP/1.1 200 OK\r\n", Flood(b"X-More: yes\r\n" * 5_000)),
    answered("a folded header", b"HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\nConnection: close\r\n\r\n", WHOLE),
    answered("a header in Latin-1", b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\nConnection: close\r\n\r\n", WHOLE),
    answered("no content type", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", WHOLE),
    answered("the wrong content type", *stream(WHOLE, fields=["Content-Type: text/html; charset=latin-1"])),
    answered("an unknown charset", *stream(WHOLE, fields=["Content-Type: text/event-stream; charset=klingon"])),
    failed("a negative length", ModelUnreachable, _ODD, head("200 OK", "Content-Length: -1"), WHOLE),
    failed("a length that is a word", ModelUnreachable, _ODD, head("200 OK", "Content-Length: some"), WHOLE),
    failed("two lengths", ModelUnreachable, _ODD, head("200 OK", "Content-Length: 4", "Content-Length: 5"), WHOLE),
    failed(
        "an unknown transfer encoding", ModelError, f"{_ODD}|{_CLOSED}", head("200 OK", "Transfer-Encoding: x"), WHOLE
    ),
    answered("the length of the body", head("200 OK", f"Content-Length: {len(WHOLE)}"), WHOLE),
    answered("a body longer than its length", head("200 OK", f"Content-Length: {len(WHOLE)}"), WHOLE, b"more"),
    answered("a body shorter than its length, whole", head("200 OK", f"Content-Length: {len(WHOLE) + 9}"), WHOLE),
]

CHUNKS = [
    answered("one chunk", CHUNKED, chunked(WHOLE), b"0\r\n\r\n"),
    answered("a chunk for each byte", CHUNKED, *map(chunked, split_everywhere(WHOLE)), b"0\r\n\r\n"),
    answered("chunk extensions", CHUNKED, b"%x;name=value\r\n%s\r\n" % (len(WHOLE), WHOLE), b"0\r\n\r\n"),
    answered("trailers", CHUNKED, chunked(WHOLE), b"0\r\nX-Trailer: yes\r\n\r\n"),
    answered("no last chunk", CHUNKED, chunked(WHOLE)),
    answered("sizes with leading zeros", CHUNKED, b"0000%x\r\n%s\r\n" % (len(WHOLE), WHOLE), b"0\r\n\r\n"),
    failed("a size that is no number", ModelError, f"{_ODD}|{_CLOSED}", CHUNKED, b"zz\r\n", WHOLE),
    failed("a negative size", ModelError, f"{_ODD}|{_CLOSED}", CHUNKED, b"-5\r\n", WHOLE),
    failed("a size of 40 digits", ModelError, f"{_ODD}|{_CLOSED}", CHUNKED, b"f" * 40 + b"\r\n", WHOLE),
    failed("an endless size line", ModelError, f"{_ODD}|{_CLOSED}", CHUNKED, Flood(b"0" * 65_536)),
    failed("only the last chunk", ModelUnreachable, "sent an empty answer", CHUNKED, b"0\r\n\r\n"),
]


def _error(message: str, **fields: object) -> bytes:
    return json.dumps({"error": {"message": message, **fields}}).encode()


_STATUSES: list[tuple[str, bytes, type[ModelError], str]] = [
    ("300 Multiple Choices", b"", ModelUnreachable, "redirects"),
    ("301 Moved Permanently", b"", ModelUnreachable, "redirects"),
    ("302 Found", b"<a href=x>moved</a>", ModelUnreachable, "redirects"),
    ("304 Not Modified", b"", ModelUnreachable, "redirects"),
    ("308 Permanent Redirect", b"", ModelUnreachable, "redirects"),
    ("400 Bad Request", b"", ModelError, "did not accept the request"),
    ("400 Bad Request", b"{", ModelError, "did not accept the request"),
    ("400 Bad Request", b"[" * 100_000, ModelError, "did not accept the request"),
    ("400 Bad Request", b"\xff\xfe\x00", ModelError, "did not accept the request"),
    ("400 Bad Request", b'{"error": {"message": "\\ud83d"}}', ModelError, "did not accept the request"),
    ("400 Bad Request", b'{"error": {"message": {"deep": 1}}}', ModelError, "did not accept the request"),
    ("400 Bad Request", b'{"error": null}', ModelError, "did not accept the request"),
    ("400 Bad Request", b'{"error": "max_tokens is invalid"}', ModelError, "max_tokens"),
    ("400 Bad Request", b"<html><body>nginx</body></html>", ModelError, "nginx"),
    ("400 Bad Request", _error("prompt is too long: 9 tokens"), ContextOverflow, "longer than"),
    ("400 Bad Request", _error("x does not support tools"), ToolsRefused, "does not accept tools"),
    ("400 Bad Request", _error("The model `m` does not exist"), ModelMissing, "does not know the model"),
    ("401 Unauthorized", b"", ModelRefused, "did not accept the API key"),
    ("401 Unauthorized", b'{"detail": "no"}', ModelRefused, "did not accept the API key"),
    ("402 Payment Required", b"", ModelRefused, "no credit"),
    ("403 Forbidden", b"<h1>Forbidden</h1>", ModelRefused, "Forbidden"),
    ("404 Not Found", b"page not found", ModelUnreachable, "No model at"),
    ("404 Not Found", _error("model 'm' not found"), ModelMissing, "does not know the model"),
    ("405 Method Not Allowed", b"", ModelUnreachable, "No model at"),
    ("407 Proxy Authentication Required", b"", ModelUnreachable, "proxy"),
    ("408 Request Timeout", b"", ServerFailed, "did not finish in time"),
    ("409 Conflict", b"{}", ModelError, "did not accept the request"),
    ("413 Payload Too Large", b"", ContextOverflow, "longer than"),
    ("415 Unsupported Media Type", b"", ModelError, "did not accept the request"),
    ("422 Unprocessable Entity", b'{"detail": [{"msg": "odd field"}]}', ModelError, "odd field"),
    ("429 Too Many Requests", b"", ModelBusy, "limits the rate"),
    ("429 Too Many Requests", _error("no", code="insufficient_quota"), ModelRefused, "no credit"),
    ("451 Unavailable For Legal Reasons", b"", ModelError, "did not accept the request"),
    ("499 Client Closed Request", b"", ModelError, "did not accept the request"),
    ("500 Internal Server Error", b"", ServerFailed, "failed"),
    ("500 Internal Server Error", b"Traceback (most recent call last)", ServerFailed, "Traceback"),
    ("500 Internal Server Error", _error("tools param requires --jinja flag"), ToolsRefused, "jinja"),
    ("500 Internal Server Error", _error("exceeds the available context size"), ContextOverflow, "longer than"),
    ("501 Not Implemented", b"", ServerFailed, "failed"),
    ("502 Bad Gateway", b"<html>502</html>", ServerFailed, "failed"),
    ("503 Service Unavailable", b"", ModelBusy, "too many requests"),
    ("503 Service Unavailable", _error("Loading model"), ModelBusy, "not ready"),
    ("504 Gateway Timeout", b"", ServerFailed, "did not finish in time"),
    ("520 Unknown", b"error code: 520", ServerFailed, "failed"),
    ("529 Overloaded", _error("Overloaded", type="overloaded_error"), ModelBusy, "too many requests"),
    ("599 Odd", b"", ServerFailed, "failed"),
    ("511 Network Authentication Required", b"<p>Log in</p>", ModelUnreachable, "asks you to sign in .511: Log in"),
    ("700 Odder", b"", ServerFailed, "failed .700"),
    ("204 No Content", b"", ModelUnreachable, "empty answer"),
    ("206 Partial Content", b"nothing", ModelUnreachable, "not as a model does: nothing"),
]
STATUSES = [
    failed(f"{status} number {number}", error, words, *body(status, text))
    for number, (status, text, error, words) in enumerate(_STATUSES)
]

_SECRET_TARGET = "Location: http://admin:hunter2hunter2@127.0.0.1:9/v1?api_key=sk-query-secret"
_FIELDS: list[tuple[str, str, type[ModelError], str]] = [
    ("a redirect with credentials", _SECRET_TARGET, ModelUnreachable, "redirects to http://•••@"),
    ("a redirect of 60,000 characters", "Location: http://x/" + "y" * 60_000, ModelUnreachable, "redirects to"),
    ("a redirect to nonsense", "Location: http://[::1", ModelUnreachable, "redirects to"),
]
REDIRECTS = [failed(name, e, words, *body("307 Temporary Redirect", b"", f)) for name, f, e, words in _FIELDS]

_WAITS = ["0", "-1", "nan", "inf", "1e400", "soon", "Wed, 99 Foo 2099", "Wed, 21 Oct 2015 07:28:00 GMT", "9" * 400, ""]
WAITS = [
    failed(f"Retry-After {wait[:30]!r}", ModelBusy, "limits the rate", *body("429 Slow", b"", f"Retry-After: {wait}"))
    for wait in _WAITS
]

NO_STREAM = [
    answered("one JSON text", *body("200 OK", JSON_ANSWER)),
    answered("one JSON text byte by byte", EVENT_STREAM, *split_everywhere(JSON_ANSWER)),
    answered("one JSON text after blank lines", EVENT_STREAM, b"\n\n\n   ", JSON_ANSWER),
    answered("one JSON text with a byte order mark", *body("200 OK", b"\xef\xbb\xbf" + JSON_ANSWER)),
    failed("half a JSON text", ModelUnreachable, "not as a model", *body("200 OK", JSON_ANSWER[:40])),
    failed("an empty object", ModelUnreachable, "not as a model", *body("200 OK", b"{}")),
    failed("an empty list", ModelUnreachable, "not as a model", *body("200 OK", b"[]")),
    failed("brackets", ModelUnreachable, "not as a model", *body("200 OK", b"[" * 100_000)),
    failed("a page", ModelUnreachable, "Please log in", *body("200 OK", b"<title>Router</title>Please log in")),
    failed("an error with status 200", ModelError, "out of memory", *body("200 OK", _error("out of memory"))),
    failed(
        "a wrong path with status 200",
        ModelUnreachable,
        "Unexpected endpoint",
        *body("200 OK", _error("Unexpected endpoint")),
    ),
    failed("nothing", ModelUnreachable, "empty answer", *body("200 OK", b"")),
    failed("white space", ModelUnreachable, "empty answer", *body("200 OK", b" \n" * 1_000)),
    failed(
        "plain text",
        ModelUnreachable,
        "not as a model does: Hello, I am a web server",
        *body("200 OK", b"Hello, I am a web server."),
    ),
]

FAULTS = [*CONNECTIONS, *STATUS_LINES, *HEADERS, *CHUNKS, *STATUSES, *REDIRECTS, *WAITS, *NO_STREAM]
