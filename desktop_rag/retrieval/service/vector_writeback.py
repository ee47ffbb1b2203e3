"""Gives the vectors that were made on demand to a running indexer, which keeps them; without one they are dropped."""

import logging
import queue
import threading
from contextlib import suppress

from desktop_rag.errors import DesktopRagError
from desktop_rag.index.indexer_client import IndexerClient, connect
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId
from desktop_rag.processes.remote import Endpoint
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

_WAITING = 256  # messages; a search hands over a few sentences of each of its best chunks, and a few whole ones


class VectorWriteback:
    """Sends on a thread of its own, so that no search waits for the indexer; never starts one."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._indexer = IndexerClient(self._connect)
        self._waiting: queue.Queue[tuple[ChunkId, str, bytes] | None] = queue.Queue(_WAITING)
        self._thread: threading.Thread | None = None
        self._closed = False

    def keep(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Send vectors of sentences of a chunk soon; dropped if too many wait."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._send, name="handover", daemon=True)
            self._thread.start()
        try:
            self._waiting.put_nowait((chunk, encoder, vectors))
        except queue.Full:
            logger.debug("the indexer is slow; vectors are dropped")

    def close(self) -> None:
        """Leave the indexer; what still waits is dropped."""
        self._closed = True
        self._indexer.close()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)

    def _send(self) -> None:
        while not self._closed and (message := self._waiting.get()) is not None:
            try:
                self._indexer.keep_vectors(*message, Stop())
            except DesktopRagError as error:
                logger.debug("vectors were not handed over: %s", error)

    def _connect(self, stop: Stop) -> Endpoint:
        connection = connect(self._library.address)
        if connection is None:
            raise ConnectionRefusedError("no indexer is running")
        return Endpoint(connection, connection.close)
