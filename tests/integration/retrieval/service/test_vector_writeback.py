import os
import queue
import threading
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Protocol

import msgspec

from desktop_rag.index.indexer_client import Address
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import serve
from desktop_rag.retrieval.service.searcher import VectorWriteback
from desktop_rag.stop import Stop


def test_vectors_are_sent_to_a_running_indexer(tmp_path: Path) -> None:
    library = Library(tmp_path)
    arrived: queue.SimpleQueue[object] = queue.SimpleQueue()

    class VectorReceiver(Protocol):
        def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes, stop: Stop) -> None: ...

    class Receiver:
        def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes, stop: Stop) -> None:
            arrived.put((chunk, encoder, vectors))

    handle = Service[VectorReceiver](VectorReceiver).handler(Receiver())

    with Listener(authkey=b"secret") as listener:
        address = Address(os.fsencode(listener.address), b"secret".hex(), os.getpid())
        library.address.write_bytes(msgspec.json.encode(address))
        handover = VectorWriteback(library)
        handover.keep(ChunkId(7), "encoder", b"abcd")
        connection = SocketConnection(listener.accept())
        serving = threading.Thread(target=serve, args=(connection, handle))
        serving.start()
        assert arrived.get(timeout=60) == (ChunkId(7), "encoder", b"abcd")
        handover.close()
        serving.join(60)
        connection.close()


def test_without_an_indexer_vectors_are_dropped(tmp_path: Path) -> None:
    handover = VectorWriteback(Library(tmp_path))
    for chunk in range(200):
        handover.keep(ChunkId(chunk), "encoder", b"abcd")
    handover.close()
