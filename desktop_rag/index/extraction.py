"""Reads files in limited children, a few at a time, and hands back what each became."""

import hashlib
import os
import stat
import threading
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from desktop_rag.documents.chunking import DraftChunk, split
from desktop_rag.documents.document import Document
from desktop_rag.documents.reader_client import ReaderChild
from desktop_rag.documents.requests import READER_VERSION
from desktop_rag.errors import DocumentError, Stopped
from desktop_rag.index.catalog import QueuedFile
from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.stop import Stop

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Extracted:
    """The bytes of a file became this document."""

    file: QueuedFile
    sha256: bytes
    document: Document
    chunks: tuple[DraftChunk, ...]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The bytes of a file were read before, under whatever name."""

    file: QueuedFile
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file cannot be turned into text; `reason` is for the person, `skipped` says that nothing is lost by it."""

    file: QueuedFile
    reason: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Vanished:
    """A file was gone before it could be read."""

    file: QueuedFile


Extraction = Extracted | Recognised | Unreadable | Vanished


class Extractor:
    """A small pool of reader children; every method is called by one thread."""

    def __init__(self, catalog: Path, hands: int) -> None:
        self._catalog = catalog
        self._hands = hands
        self._stop = Stop()
        self._local = threading.local()
        self._readers: list[ReaderChild] = []
        self._pool = ThreadPoolExecutor(hands, thread_name_prefix="reader")
        self._running: dict[Future[Extraction], QueuedFile] = {}

    def free_hands(self) -> int:
        """Return how many more files may be submitted."""
        return self._hands - len(self._running)

    def in_hand(self) -> tuple[QueuedFile, ...]:
        """Return the files that are being read now."""
        return tuple(self._running.values())

    def submit(self, file: QueuedFile) -> None:
        """Start reading `file`."""
        self._running[self._pool.submit(self._extract, file)] = file

    def finished(self, seconds: float) -> list[Extraction]:
        """Return what has become of files since the last call, waiting up to `seconds` for the first."""
        done, _ = wait(self._running, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in done:
            del self._running[future]
        return [future.result() for future in done]

    def close(self) -> None:
        """Stop reading and end the children; unfinished files stay queued."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers:
            reader.close()

    def _extract(self, file: QueuedFile) -> Extraction:
        try:
            with _opened(file.path) as (source, size):
                if size == 0:
                    return Unreadable(file, "This file is empty.", skipped=True)
                digest = _sha256(source, self._stop)
                if self._known(digest):
                    return Recognised(file, digest)
                source.seek(0)
                document = self._reader().read(source, os.fsdecode(os.path.basename(file.path)), size, self._stop)  # noqa: PTH119 (bytes)
                source.seek(0)
                if _sha256(source, self._stop) != digest:
                    raise DocumentError("It was changed while it was being read; it will be read again.")
            return Extracted(file, digest, document, tuple(split(document)))
        except FileNotFoundError:
            return Vanished(file)
        except (DocumentError, Stopped) as error:
            return Unreadable(file, str(error))
        except PermissionError:
            return Unreadable(file, "You have no permission to read this file.")
        except OSError as error:
            return Unreadable(file, f"The system could not read this file: {error.strerror}.")

    def _reader(self) -> ReaderChild:
        reader = getattr(self._local, "reader", None)
        if not isinstance(reader, ReaderChild):
            reader = self._local.reader = ReaderChild()
            self._readers.append(reader)
        return reader

    def _known(self, sha256: bytes) -> bool:
        catalog = getattr(self._local, "catalog", None)
        if not isinstance(catalog, CatalogReader):
            catalog = self._local.catalog = CatalogReader.open(self._catalog)
        return catalog.known_content(sha256, READER_VERSION) is not None


@contextmanager
def _opened(path: bytes) -> Generator[tuple[BinaryIO, int]]:
    """Open a regular file without ever waiting for a pipe or a device; yield it with its size."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb", buffering=0) as source:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise DocumentError("It is not a regular file.")
        yield source, facts.st_size


def _sha256(source: BinaryIO, stop: Stop) -> bytes:
    digest = hashlib.sha256()
    while block := source.read(_BLOCK):
        digest.update(block)
        stop.check()
    return digest.digest()
