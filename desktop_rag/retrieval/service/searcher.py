"""The searcher child process: serves `SearcherRequests` over its pipe; it only reads the library."""

import logging
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from desktop_rag.errors import DesktopRagError
from desktop_rag.index.indexer_client import IndexerClient, connect
from desktop_rag.index.keywords.open_index import prepare
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId
from desktop_rag.processes.connection import parent_connection
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import postpone_full_collections, serve
from desktop_rag.retrieval.explorer import SearcherRequests
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

_LATER = ("explain.clauses", "explain.collect", "reading.document_list")
_QUEUE_SIZE = 256  # messages; one search sends some sentences of each of its best chunks, and a few whole chunks


class VectorWriteback:
    """Sends on its own thread, so that no search waits for the indexer; never starts an indexer."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._indexer = IndexerClient(Remote(self._connect))
        self._queue: queue.Queue[tuple[ChunkId, str, bytes] | None] = queue.Queue(_QUEUE_SIZE)
        self._thread: threading.Thread | None = None
        self._closed = False

    def keep(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Queue the vectors of sentences of a chunk; they are dropped if the queue is full."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._send, name="vector-writeback", daemon=True)
            self._thread.start()
        try:
            self._queue.put_nowait((chunk, encoder, vectors))
        except queue.Full:
            logger.debug("the indexer is slow; vectors are dropped")

    def close(self) -> None:
        """Disconnect from the indexer; queued vectors are dropped."""
        self._closed = True
        self._indexer.close()
        with suppress(queue.Full):
            self._queue.put_nowait(None)

    def _send(self) -> None:
        while not self._closed and (message := self._queue.get()) is not None:
            try:
                self._indexer.keep_vectors(*message, Stop())
            except DesktopRagError as error:
                logger.debug("vectors were not sent: %s", error)

    def _connect(self, stop: Stop) -> Endpoint:
        connection = connect(self._library.address)
        if connection is None:
            raise ConnectionRefusedError("no indexer is running")
        return Endpoint(connection, connection.close)


def _prepared(engine: SearchEngine) -> Iterator[bool]:
    """Import what the requests after the first search need, then warm up; yields True after each step."""
    prepare()
    for name in _LATER:
        import_module(f"desktop_rag.retrieval.{name}")
    yield True
    for _ in engine.warm():
        yield True


def serve_library(library: Library, encoder: Path) -> int:
    """Serve a library on this computer until the parent closes the pipe; `encoder` is the folder of the encoder."""
    postpone_full_collections()
    connection = parent_connection()
    engine = SearchEngine(library.folder, encoder, keep=VectorWriteback(library).keep)
    handle = Service[SearcherRequests](SearcherRequests).handler(engine)
    steps = _prepared(engine)
    serve(
        connection, handle, on_disconnect=lambda: os._exit(0), prepare=lambda: next(steps, None), release=engine.release
    )
    return 0
