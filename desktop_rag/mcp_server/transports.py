"""Runs the server of a library over standard input and output, or over HTTP on loopback with a key."""

import json
import logging
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import closing, suppress
from typing import Any

import anyio
import anyio.from_thread
import mcp_types as types
import pydantic_core
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from desktop_rag.errors import LibraryDamaged, LibraryError, Stopped
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.mcp_server.library_server import LibraryServer
from desktop_rag.mcp_server.protocol_clients import MOST_SESSIONS
from desktop_rag.processes.loopback import HOST, LoopbackKey, is_own_page, is_this_computer
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.open_catalog import ReadableLibrary
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

# What stands between standard input and the server: no request stays without an answer.
#
# A line that is no message is answered with an error: without it the client would wait for ever.

NOT_JSON = "This is no JSON that can be read. Send one message (a line); values may be nested 200 levels deep."
NO_REQUEST = (
    "This is no request of JSON-RPC 2.0: it needs “jsonrpc”, “id” (a text or a whole number), “method”, and an object "
    "as “params”."
)
_LAST_SECONDS = 2.0  # for the answers to a client that writes no more: it may wait for this process to end


class Requests:
    """The requests of a client on standard input that wait for their answers."""

    def __init__(self) -> None:
        self._waiting: set[types.RequestId] = set()
        self._all_answered = anyio.Event()
        self._ended = False

    async def pass_readable(
        self,
        incoming: ReadStream[SessionMessage | Exception],
        readable: MemoryObjectSendStream[SessionMessage | Exception],
        outgoing: WriteStream[SessionMessage],
    ) -> None:
        """Pass on the messages of a client until it ends; answer the others with an error.

        The server drops what it works on when the client has ended, so the end is told when all is answered, or a
        little later.
        """
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server has ended
            async with incoming, readable:
                async for item in incoming:
                    if isinstance(item, SessionMessage):
                        if isinstance(item.message, types.JSONRPCRequest):
                            self._waiting.add(item.message.id)
                        elif _has_no_id(item.message):
                            await outgoing.send(SessionMessage(_error(types.INVALID_REQUEST, NO_REQUEST, None)))
                            continue
                        await readable.send(item)
                    elif (error := refusal(item)) is not None:
                        await outgoing.send(SessionMessage(error))
                self._ended = True
                if self._waiting:
                    with anyio.move_on_after(_LAST_SECONDS):
                        await self._all_answered.wait()

    async def pass_answers(
        self, answers: MemoryObjectReceiveStream[SessionMessage], outgoing: WriteStream[SessionMessage]
    ) -> None:
        """Pass on what the server writes, until it ends."""
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody reads any more
            async with answers, outgoing:
                async for item in answers:
                    await outgoing.send(item)
                    if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
                        self._waiting.discard(item.message.id)
                        if self._ended and not self._waiting:
                            self._all_answered.set()


def refusal(error: Exception) -> types.JSONRPCError | None:
    """Return the error that answers a line, with the id of its request if it has one; None for an empty line."""
    problems = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    line = next((problem["input"] for problem in problems if problem["type"] == "json_invalid"), None)
    if isinstance(line, str) and not line.strip():
        return None
    values = [problem["input"] for problem in problems]
    with suppress(ValueError, RecursionError):  # what is nested too deeply for the protocol may be JSON
        values += [json.loads(line)] if isinstance(line, str) else []
    ids = [value.get("id") for value in values if isinstance(value, dict) and "jsonrpc" in value]
    known = next((each for each in ids if isinstance(each, (str, int)) and not isinstance(each, bool)), None)
    code, message = (types.INVALID_REQUEST, NO_REQUEST) if line is None else (types.PARSE_ERROR, NOT_JSON)
    return _error(code, message, known)


def _has_no_id(message: types.JSONRPCMessage) -> bool:
    """Return whether a message is a request whose id cannot be used: the SDK takes it for a notification."""
    return isinstance(message, types.JSONRPCNotification) and not message.method.startswith("notifications/")


def _error(code: int, message: str, known: types.RequestId | None) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=message))


# The HTTP middleware of the server: rejects requests without the key or without a message, and says why.

MOST_BODY = 1_000_000  # bytes of a request
MOST_REST, REST_SECONDS = 16 * MOST_BODY, 2.0  # of a refused request that are still taken

Scope = MutableMapping[str, Any]
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
App = Callable[[Scope, _Receive, _Send], Awaitable[None]]


def with_key(app: App, key: str) -> App:
    """Return an ASGI application for requests with this key (`Authorization: Bearer KEY`) from this computer only."""
    expected = LoopbackKey(key)

    async def guarded(scope: Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] == "websocket":
            return  # nothing here uses them; a server that gets no answer refuses the connection
        if scope["type"] == "http":
            given = _headers(scope, b"authorization")
            status, error = 0, ""
            if not is_this_computer(_headers(scope, b"host")):
                status, error = 421, "This server answers only to 127.0.0.1."
            elif not is_own_page(_headers(scope, b"origin")):
                status, error = 403, "Pages of other sites may not use this server."
            elif len(given) != 1 or not expected.fits(given[0].encode("latin-1")):
                status, error = 401, "Send the key that the server printed: Authorization: Bearer KEY"
            if status:
                headers = [(b"www-authenticate", b"Bearer")] if status == 401 else []
                await _answer(send, status, {"error": error}, headers)
                return
        await app(scope, receive, send)

    return guarded


def with_messages(app: App) -> App:
    """Return an ASGI application that passes on only bodies that are one message of the protocol."""

    async def checked(scope: Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await app(scope, receive, send)
            return
        body = b""
        while True:
            part = await receive()
            if part["type"] != "http.request":
                return  # the client has gone
            body += part.get("body", b"")
            if len(body) > MOST_BODY:
                await _take_rest(receive, part)
                await _refuse(send, 413, types.INVALID_REQUEST, f"A request may have {MOST_BODY:,} bytes.", None)
                return
            if not part.get("more_body"):
                break
        kind = "".join(_headers(scope, b"content-type")).partition(";")[0].strip().lower()
        if kind != "application/json":
            message = "Send the message as JSON: Content-Type: application/json"
            await _refuse(send, 415, types.INVALID_REQUEST, message, None)
            return
        try:
            message = pydantic_core.from_json(body)
        except ValueError:
            await _refuse(send, 400, types.PARSE_ERROR, NOT_JSON, None)
            return
        if not _is_message(message):
            known = message.get("id") if isinstance(message, dict) else None
            await _refuse(send, 400, types.INVALID_REQUEST, NO_REQUEST, known if is_id(known) else None)
            return
        whole: list[_Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replayed() -> _Message:
            return whole.pop() if whole else await receive()

        await app(scope, replayed, send)

    return checked


def is_id(value: object) -> bool:
    """Return whether a value may be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if "method" not in value:  # the answer to a request of ours
        return is_id(value.get("id")) and ("result" in value or "error" in value)
    has_params = isinstance(value.get("params", {}), dict | None)
    is_named = isinstance(value["method"], str) and (is_id(value["id"]) if "id" in value else True)
    return has_params and is_named


async def _take_rest(receive: _Receive, part: _Message) -> None:
    """Take the rest of a refused request, within limits: a client that still sends would not read the answer."""
    taken = 0
    with anyio.move_on_after(REST_SECONDS):
        while part["type"] == "http.request" and part.get("more_body") and taken < MOST_REST:
            part = await receive()
            taken += len(part.get("body", b""))


async def _refuse(send: _Send, status: int, code: int, message: str, known: object) -> None:
    await _answer(send, status, {"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}})


async def _answer(
    send: _Send, status: int, value: dict[str, object], headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    with suppress(OSError):
        plain = (b"content-type", b"application/json")
        await send({"type": "http.response.start", "status": status, "headers": [plain, *(headers or [])]})
        await send({"type": "http.response.body", "body": json.dumps(value).encode()})


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


logger = logging.getLogger(__name__)

PATH = "/mcp"
TELL_SECONDS = 2.0  # between two notifications of changes


def serve_stdio(library: Library, filters: tuple[Filter, ...], stop: Stop) -> None:
    """Serve one client on standard input and output until it closes them, or until stopped.

    Raises `BrokenPipeError` if the client has gone without reading all its answers.
    """

    async def serve() -> None:
        with closing(SearcherClient(library.folder)) as retriever, closing(SearchHost(library, retriever)):
            readable_library = ReadableLibrary(library)
            server = LibraryServer(retriever, filters, readable_library.require, readable_library.folders)
            async with anyio.create_task_group() as group:
                group.start_soon(_tell_changes, server, library, readable_library)
                group.start_soon(_cancel_when_stopped, group.cancel_scope, stop)
                async with stdio_server() as (incoming, outgoing):
                    passed, readable = anyio.create_memory_object_stream[SessionMessage | Exception](0)
                    written, answers = anyio.create_memory_object_stream[SessionMessage](0)
                    requests = Requests()
                    group.start_soon(requests.pass_readable, incoming, passed, outgoing)
                    group.start_soon(requests.pass_answers, answers, outgoing)
                    await server.protocol.run(readable, written, server.protocol.create_initialization_options())
                group.cancel_scope.cancel()

    gone = False
    try:
        anyio.run(serve)
    except* BrokenPipeError:
        gone = True
    if gone:
        raise BrokenPipeError


def serve_http(
    library: Library, filters: tuple[Filter, ...], port: int, key: str, ready: Callable[[str], None], stop: Stop
) -> None:
    """Serve clients with this key on loopback until stopped; `ready` gets the address. Raises `OSError`."""
    import socket

    import uvicorn

    listening = socket.create_server((HOST, port))

    async def serve() -> None:
        with closing(SearcherClient(library.folder)) as retriever, closing(SearchHost(library, retriever)):
            readable_library = ReadableLibrary(library)
            server = LibraryServer(retriever, filters, readable_library.require, readable_library.folders)
            app = server.protocol.streamable_http_app(
                streamable_http_path=PATH, max_request_body_size=MOST_BODY, max_sessions=MOST_SESSIONS
            )
            guarded = with_key(with_messages(app), key)
            config = uvicorn.Config(
                guarded, log_config=None, lifespan="on", timeout_graceful_shutdown=1, access_log=False
            )
            running = uvicorn.Server(config)
            async with anyio.create_task_group() as group:
                group.start_soon(_tell_changes, server, library, readable_library)
                group.start_soon(_cancel_when_stopped, group.cancel_scope, stop)
                ready(f"http://{HOST}:{listening.getsockname()[1]}{PATH}")
                await running.serve(sockets=[listening])
                group.cancel_scope.cancel()

    with closing(listening):
        anyio.run(serve)


async def _cancel_when_stopped(scope: anyio.CancelScope, stop: Stop) -> None:
    while not stop.is_set():
        await anyio.sleep(0.1)
    scope.cancel()


async def _tell_changes(server: LibraryServer, library: Library, readable: ReadableLibrary) -> None:
    """Tell the clients of changes of the library; its indexer runs meanwhile, so that it stays up to date."""
    changed = threading.Event()
    stop = Stop()

    def follow() -> None:
        before: object = None
        if _wait_for(library, stop):
            changed.set()
        with suppress(Stopped), closing(LibraryClient(library, must_exist=True)) as client:
            statuses = client.follow(stop)
            for status in statuses:
                now = _documents(status)
                if before is not None and now != before:
                    changed.set()
                before = now

    thread = threading.Thread(target=follow, name="library changes", daemon=True)
    thread.start()
    try:
        names = None
        while True:
            await anyio.sleep(TELL_SECONDS)
            before, names = names, await anyio.to_thread.run_sync(readable.names)
            if changed.is_set() or before not in (None, names):
                changed.clear()
                await server.library_changed()
    finally:
        stop.set()


def _wait_for(library: Library, stop: Stop) -> bool:
    """Wait until there is a library, or until stopped; log once that there is none. Return whether it was missing."""
    missing = False
    while not stop.is_set():
        try:
            require_catalog(library)
        except LibraryDamaged:  # its indexer reads the folders again
            break
        except LibraryError as error:
            if not missing:
                logger.warning("%s", error)
            missing = True
            stop.wait(TELL_SECONDS)
        else:
            break
    return missing


def _documents(status: LibraryStatus) -> object:
    return tuple((each.folder, each.state, each.found, each.searchable) for each in status.folders)
