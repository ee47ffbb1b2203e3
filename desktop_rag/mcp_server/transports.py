"""Runs the server of a library over standard input and output, or over HTTP on loopback with a key."""

import json
import logging
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import closing, suppress
from typing import Any

import anyio
import anyio.from_thread
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from desktop_rag.errors import LibraryDamaged, LibraryError, Stopped
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.mcp_server.library_server import LibraryServer
from desktop_rag.mcp_server.protocol_clients import MOST_SESSIONS
from desktop_rag.mcp_server.standard_streams import Requests
from desktop_rag.processes.loopback import HOST, LoopbackKey, is_own_page, is_this_computer
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.service.open_catalog import ReadableLibrary
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

PATH = "/mcp"
TELL_SECONDS = 2.0  # between two notifications of changes
MOST_BODY = 1_000_000  # bytes of a request

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


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
    """Serve clients with this key on loopback until stopped; `ready` is told the address. Raises `OSError`."""
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
            config = uvicorn.Config(
                with_key(app, key), log_config=None, lifespan="on", timeout_graceful_shutdown=1, access_log=False
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


def with_key(app: _App, key: str) -> _App:
    """Return an ASGI application for requests with this key (`Authorization: Bearer KEY`) from this computer only."""
    expected = LoopbackKey(key)

    async def guarded(scope: _Scope, receive: _Receive, send: _Send) -> None:
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
                headers = [(b"content-type", b"application/json")]
                headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
                await send({"type": "http.response.start", "status": status, "headers": headers})
                await send({"type": "http.response.body", "body": json.dumps({"error": error}).encode()})
                return
        await app(scope, receive, send)

    return guarded


def _headers(scope: _Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


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
