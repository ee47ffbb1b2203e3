"""A real chat-completions endpoint on loopback that streams what a test wrote down.

    with ScriptedEndpoint([
        Turn(calls=[Call("search", '{"queries": ["rent"]}')]),
        Turn(text=["Rent is due ", "monthly [turn1search1]."]),
    ]) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        ...
    assert endpoint.requests[1].messages[-1]["role"] == "tool"

Each chat request takes the next entry of the script; a request beyond its end gets a 500 that says so. An entry may
be a function from the request to a `Turn`, for answers that depend on what the tools returned. Nothing sleeps:
`Turn(hold=event)` keeps the answer back until the test sets the event (or the client hangs up, which sets
`endpoint.disconnected`); leaving the `with` block lets go of everything.
"""

import json
import select
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

HOLD_POLL_SECONDS = 0.01
# Begin the instructions of a second look.
LOOK = ("You compare statements with the lines", "Do the lines say what the statement says?")


class CallStyle(StrEnum):
    """How a provider spreads tool calls over the deltas."""

    SPLIT = "id and name first, then arguments in pieces, each with its index"
    WHOLE = "one call in one chunk"
    ALL_AT_ONCE = "all calls in one chunk"
    NO_INDEX = "split, but without an index"
    ZERO_INDEX = "split, but every index is 0"
    EMPTY_NAMES = "split; later pieces carry an empty id and name"
    OBJECT_ARGUMENTS = "one chunk, the arguments as an object instead of text"
    NO_IDS = "one chunk, index 0 and no id"


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call the endpoint asks for; `arguments` is JSON text."""

    name: str
    arguments: str = "{}"
    id: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer. With `status` other than 200, `body` and `headers` are sent and nothing else."""

    text: str | Sequence[str] = ()
    reasoning: str | Sequence[str] = ()
    reasoning_field: str = "reasoning_content"
    calls: Sequence[Call] = ()
    style: CallStyle = CallStyle.SPLIT
    finish_reason: str | None = None  # None: "tool_calls" or "stop"; "": never sent
    usage: tuple[int, int] | None = (100, 10)  # prompt and completion tokens; sent only if the client asks
    done: bool = True  # end with data: [DONE]
    cut: bool = False  # drop the connection after the last piece
    error: str = ""  # an error object inside the stream, after the last piece
    chunks: Sequence[str] | None = None  # raw lines instead of all of the above, each sent as it stands
    hold: threading.Event | None = None  # waited for before the status line
    hold_text: threading.Event | None = None  # waited for after the first piece of text, reasoning or calls
    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """What a client sent; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Json]

    @property
    def messages(self) -> list[dict[str, Json]]:
        """Return the messages of a chat request."""
        found = self.body.get("messages")
        return [message for message in found if isinstance(message, dict)] if isinstance(found, list) else []

    @property
    def last_text(self) -> str:
        """Return the text of the last message."""
        content = self.messages[-1].get("content") if self.messages else None
        return content if isinstance(content, str) else ""

    @property
    def is_look(self) -> bool:
        """Return whether it asks for a second look at an answer."""
        first = self.messages[0].get("content") if self.messages else None
        return isinstance(first, str) and first.startswith(LOOK)

    @property
    def tool_names(self) -> list[str]:
        """Return the names of the tools the client offered."""
        tools = self.body.get("tools")
        functions = (
            [tool.get("function") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        )
        return [str(function.get("name")) for function in functions if isinstance(function, dict)]


ScriptEntry: TypeAlias = "Turn | Callable[[SeenRequest], Turn]"


class ScriptedEndpoint:
    """The server; `base_url` ends with `/v1`, `requests` holds the chat requests in order."""

    def __init__(
        self,
        script: Sequence[ScriptEntry] = (),
        *,
        models: Sequence[str] = ("scripted",),
        models_body: str = "",
        pages: Mapping[str, str] | None = None,
        key: str = "",
        refuses: Mapping[str, str] | None = None,
        wrong_path_answers_200: bool = False,
        certificate: Path | None = None,
        scripted_looks: bool = False,
        read_ahead_holds: bool = False,
    ) -> None:
        """Prepare a server.

        `models_body` replaces the usual answer of `/v1/models`; `pages` maps other paths to JSON text; `key` is
        demanded as a Bearer token; `refuses` maps request fields to the message of the 400 they get, which uses up
        no turn; a second look at an answer uses up none either, and its reply judges nothing, unless the script has
        `scripted_looks`, nor does one that an opening window sends, which waits if `read_ahead_holds`;
        `wrong_path_answers_200` answers unknown paths as LM Studio does; `certificate`, a PEM file
        with its key, makes the server speak TLS.
        """
        self.script = list(script)
        self.models_body = models_body or json.dumps({"object": "list", "data": [{"id": name} for name in models]})
        self.pages = dict(pages or {})
        self.key = key
        self.refuses = dict(refuses or {})
        self.wrong_path_answers_200 = wrong_path_answers_200
        self.scripted_looks = scripted_looks
        self.looks: list[SeenRequest] = []  # the requests for a second look that used up no turn
        self.read_ahead: list[SeenRequest] = []  # those of an opening window, which use up none either
        self.reads_ahead = threading.Event()  # one of them has been read
        self._held_ahead = threading.Event() if read_ahead_holds else None
        self.requests: list[SeenRequest] = []
        self.all_requests: list[SeenRequest] = []
        self.arrived = threading.Event()  # a chat request has been read
        self.disconnected = threading.Event()  # a client hung up before its answer was complete
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._scheme = "https" if certificate else "http"
        self._server = _Server(self)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), name="scripted-endpoint")

    @property
    def root_url(self) -> str:
        """Return the address without `/v1`."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """Return the address a profile takes."""
        return f"{self.root_url}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def take(self, request: SeenRequest) -> Turn:
        """Return the turn for `request` and remember both."""
        with self._lock:
            if request.is_look and not self.scripted_looks:
                self.looks.append(request)
                return Turn(text="\n".join(f"{number}. says" for number in range(1, 25)), usage=None)
            if request.body.get("max_tokens") == 1 and not request.is_look:
                self.read_ahead.append(request)
                self.reads_ahead.set()
                return Turn(text="A", usage=None, hold=self._held_ahead)
            self.requests.append(request)
            entry = self.script.pop(0) if self.script else None
            if entry is None:
                return Turn(status=500, body='{"error": {"message": "The script of this endpoint is over."}}')
            return entry if isinstance(entry, Turn) else entry(request)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, owner: ScriptedEndpoint) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep the test output clean of clients that hang up or refuse the certificate; show all else."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # typeshed wants the socket's type


class _HungUp(Exception):
    """The client closed the connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    timeout = 10

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Keep the test output clean."""

    def do_GET(self) -> None:
        """Answer `/v1/models` and the extra pages."""
        self._serve()

    def do_POST(self) -> None:
        """Answer `/v1/chat/completions` and the extra pages."""
        self._serve()

    def _serve(self) -> None:
        self.close_connection = True
        owner = self.server.owner
        request = self._read_request()
        owner.all_requests.append(request)
        try:
            if request.path == "/v1/chat/completions" and request.method == "POST":
                self._chat(owner, request)
            elif not self._has_key(owner):
                self._send(401, '{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}')
            elif request.path == "/v1/models":
                self._send(200, owner.models_body)
            elif request.path in owner.pages:
                self._send(200, owner.pages[request.path])
            elif owner.wrong_path_answers_200:
                self._send(200, '{"error": "Unexpected endpoint or method. Returning 200 anyway"}')
            else:
                self._send(404, '{"error": {"message": "Not Found"}}')
        except (_HungUp, ConnectionError):
            owner.disconnected.set()

    def _read_request(self) -> SeenRequest:
        length = int(self.headers.get("Content-Length") or 0)
        body: Json = json.loads(self.rfile.read(length)) if length else {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        return SeenRequest(self.command, self.path, headers, body if isinstance(body, dict) else {})

    def _has_key(self, owner: ScriptedEndpoint) -> bool:
        return not owner.key or self.headers.get("Authorization") == f"Bearer {owner.key}"

    def _chat(self, owner: ScriptedEndpoint, request: SeenRequest) -> None:
        if not self._has_key(owner):
            self._send(401, '{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}')
            return
        for name, message in owner.refuses.items():
            if name in request.body:
                owner.requests.append(request)
                self._send(400, json.dumps({"error": {"message": message, "param": name}}))
                return
        turn = owner.take(request)
        if request not in owner.read_ahead:
            owner.arrived.set()
        self._wait(turn.hold)
        if turn.status != 200 or turn.body:
            self._send(turn.status, turn.body, turn.headers)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        wants_usage = "stream_options" in request.body
        for number, line in enumerate(turn.chunks if turn.chunks is not None else _lines(turn, wants_usage)):
            self._write(line)
            if number == 0:
                self._wait(turn.hold_text)
        if turn.cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.wfile.write(b"0\r\n\r\n")

    def _write(self, line: str) -> None:
        data = line.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _send(self, status: int, body: str, headers: Mapping[str, str] | None = None) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _wait(self, event: threading.Event | None) -> None:
        closing = self.server.owner.closing
        while event is not None and not event.wait(HOLD_POLL_SECONDS) and not closing.is_set():
            readable = select.select([self.connection], [], [], 0)[0]
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise _HungUp


def _lines(turn: Turn, wants_usage: bool) -> Iterator[str]:
    for piece in _pieces(turn.reasoning):
        yield _event({turn.reasoning_field: piece})
    for piece in _pieces(turn.text):
        yield _event({"role": "assistant", "content": piece})
    for deltas in _call_deltas(turn.calls, turn.style):
        yield _event({"tool_calls": deltas})
    if turn.cut:
        return
    if turn.error:
        yield f"data: {json.dumps({'error': {'message': turn.error}})}\n\n"
        return
    reason = turn.finish_reason if turn.finish_reason is not None else ("tool_calls" if turn.calls else "stop")
    if reason:
        yield _event({}, reason)
    if turn.usage and wants_usage:
        prompt, completion = turn.usage
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        yield f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n"
    if turn.done:
        yield "data: [DONE]\n\n"


def _pieces(text: str | Sequence[str]) -> Sequence[str]:
    return ([text] if text else []) if isinstance(text, str) else text


def _event(delta: dict[str, Json], reason: str | None = None) -> str:
    chunk = {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }
    return f"data: {json.dumps(chunk)}\n\n"


def _call_deltas(calls: Sequence[Call], style: CallStyle) -> Iterator[list[Json]]:
    whole = [_whole(number, call, style) for number, call in enumerate(calls)]
    if style is CallStyle.ALL_AT_ONCE:
        yield whole
        return
    for number, call in enumerate(calls):
        if style in {CallStyle.WHOLE, CallStyle.OBJECT_ARGUMENTS, CallStyle.NO_IDS}:
            yield [whole[number]]
            continue
        index: dict[str, Json] = {"index": 0 if style is CallStyle.ZERO_INDEX else number}
        if style is CallStyle.NO_INDEX:
            index = {}
        yield [{**index, "id": _id(number, call), "type": "function", "function": {"name": call.name, "arguments": ""}}]
        for start in range(0, len(call.arguments), 7):
            function: dict[str, Json] = {"arguments": call.arguments[start : start + 7]}
            if style is CallStyle.EMPTY_NAMES:
                yield [{**index, "id": "", "function": {"name": "", **function}}]
            else:
                yield [{**index, "function": function}]


def _whole(number: int, call: Call, style: CallStyle) -> Json:
    arguments: Json = json.loads(call.arguments) if style is CallStyle.OBJECT_ARGUMENTS else call.arguments
    function: dict[str, Json] = {"name": call.name, "arguments": arguments}
    if style is CallStyle.NO_IDS:
        return {"index": 0, "type": "function", "function": function}
    return {"index": number, "id": _id(number, call), "type": "function", "function": function}


def _id(number: int, call: Call) -> str:
    return call.id or f"call_{number}_of_the_provider"
