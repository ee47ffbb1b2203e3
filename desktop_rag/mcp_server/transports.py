"""Runs the server of a library over standard input and output, or over HTTP on loopback with a key."""

import logging
import threading
from collections.abc import Callable
from contextlib import closing, suppress

import anyio
import anyio.from_thread
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from desktop_rag.errors import LibraryDamaged, LibraryError, Stopped
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.mcp_server.http_guard import MOST_BODY, with_key, with_messages
from desktop_rag.mcp_server.library_server import LibraryServer
from desktop_rag.mcp_server.protocol_clients import MOST_SESSIONS
from desktop_rag.mcp_server.standard_streams import Requests
from desktop_rag.processes.loopback import HOST
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.service.open_catalog import ReadableLibrary
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

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
