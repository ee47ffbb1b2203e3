"""Reads files in limited children, a few at a time, and hands back what each became."""

import hashlib
import io
import logging
import os
import stat
import threading
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.documents.format_registry import too_large_reason
from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.reader_client import ReaderChild, ReaderLost
from desktop_rag.documents.sandbox.reader_messages import READER_VERSION
from desktop_rag.errors import DocumentError, LibraryError, ProcessError, Stopped
from desktop_rag.index.catalog.catalog import QueuedFile
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.quarantine import Strikes, strikes_of
from desktop_rag.index.records import FileId
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

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
class UnreadableFile:
    """A file cannot be turned into text; `reason` is for the person, `skipped` says that nothing is lost by it."""

    file: QueuedFile
    reason: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class ReaderCrashed:
    """The bytes of a file cost their reader the life, after it had `reached` a step."""

    file: QueuedFile
    sha256: bytes
    reason: str
    reached: StepReached
    before: int  # how often they had done so when this reading began


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The bytes of a file did so too often before; they were not read."""

    file: QueuedFile
    sha256: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Vanished:
    """A file was not where the scan saw it."""

    file: QueuedFile


@dataclass(frozen=True, slots=True)
class Postponed:
    """A file was not read, through no fault of its own: it stays queued; `error` is None if it was called off."""

    file: QueuedFile
    error: LibraryError | ProcessError | None = None


Extraction = Extracted | Recognised | UnreadableFile | ReaderCrashed | Quarantined | Vanished | Postponed

BIG_FILE = 1_000_000  # bytes; only one such file is read at a time, so that small ones never wait for big ones
LONG_DOCUMENT = 1_000_000  # characters; longer ones are stored in steps …
MOST_LONG = 2  # … and are not read faster than they are stored: so many fill the memory


def is_long(extraction: Extraction) -> bool:
    """Return whether this is a document that is stored in steps."""
    return isinstance(extraction, Extracted) and len(extraction.document.text) > LONG_DOCUMENT


class _Hands:
    """Lets so many files be read at once as is allowed just now; a big one waits for small ones, never they for it."""

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._small = 0
        self._read = 0  # long documents that nobody has fetched yet …
        self._fetched = 0  # … and those that wait to be stored
        self._changed = threading.Condition()

    def allow(self, count: int) -> None:
        """Let `count` files be read at once from now on; those that are being read go on."""
        with self._changed:
            if count != self._allowed:
                self._allowed = count
                self._changed.notify_all()

    def have_read(self, long_documents: int) -> None:
        """Count long documents that were read; a negative number was fetched."""
        with self._changed:
            self._read += long_documents
            self._changed.notify_all()

    def keep(self, long_documents: int) -> None:
        """Say how many of the fetched ones are not stored yet."""
        with self._changed:
            self._fetched = long_documents
            self._changed.notify_all()

    def _are_free(self) -> bool:
        return self._small < self._allowed and self._read + self._fetched < MOST_LONG

    @contextmanager
    def reading(self, size: int, stop: Stop) -> Generator[None]:
        """Wait until a file of this size may be read and count it while the block runs; raise `Stopped`."""
        small = size < BIG_FILE
        with stop.interrupting(self._wake), self._changed:
            # A big one goes beside small ones unless only one file may be read at once: then it comes after them.
            self._changed.wait_for(lambda: stop.is_set() or self._are_free())
            stop.check()
            self._small += small
        try:
            yield
        finally:
            with self._changed:
                self._small -= small
                self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


class ReaderPool:
    """A small pool of reader children; every method but `call_off` is called by one thread."""

    def __init__(self, catalog: Path, hands: int) -> None:
        self._catalog = catalog
        self._hands = _Hands(hands)
        self._local = threading.local()
        self._readers: list[ReaderChild] = []
        self._pool = ThreadPoolExecutor(hands, thread_name_prefix="reader")
        self._running: dict[Future[Extraction], QueuedFile] = {}
        self._stops: dict[FileId, Stop] = {}

    def in_hand(self) -> tuple[QueuedFile, ...]:
        """Return the files that were submitted and are not finished, in that order."""
        return tuple(self._running.values())

    def being_read(self) -> tuple[QueuedFile, ...]:
        """Return those of them that are being read just now."""
        return tuple(file for future, file in self._running.items() if future.running())

    def allow(self, hands: int) -> None:
        """Read so many files at once from now on."""
        self._hands.allow(hands)

    def keep(self, long_documents: int) -> None:
        """Say how many long documents are not stored yet: with too many, no more files are read."""
        self._hands.keep(long_documents)

    def submit(self, file: QueuedFile) -> None:
        """Read `file` as soon as a hand is free."""
        stop = self._stops[file.id] = Stop()
        self._running[self._pool.submit(self._extract, file, stop)] = file

    def call_off(self, unwanted: Callable[[QueuedFile], bool]) -> None:
        """Stop reading the unwanted files, at once and from any thread; they come back as `Postponed`."""
        for file in list(self._running.values()):
            stop = self._stops.get(file.id)
            if stop is not None and unwanted(file):
                stop.set()

    def finished(self, seconds: float) -> list[Extraction]:
        """Return what has become of files since the last call, waiting up to `seconds` for the first."""
        done, _ = wait(self._running, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in done:
            del self._stops[self._running.pop(future).id]
        results = [future.result() for future in done]
        self._hands.have_read(-sum(is_long(result) for result in results))
        return results

    def close(self) -> None:
        """Stop reading and end the children; unfinished files stay queued."""
        for stop in self._stops.values():
            stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers:
            reader.close()

    def _extract(self, file: QueuedFile, stop: Stop) -> Extraction:
        try:
            with self._hands.reading(file.size, stop):
                return self._read(file, stop)
        except FileNotFoundError:
            return Vanished(file)
        except Stopped:
            return Postponed(file)
        except (LibraryError, ProcessError) as error:
            return Postponed(file, error)
        except DocumentError as error:
            return UnreadableFile(file, str(error))
        except PermissionError:
            return UnreadableFile(file, "You have no permission to read this file.")
        except OSError as error:
            return UnreadableFile(file, f"The system could not read this file: {error.strerror or error}.")
        except Exception as error:  # the end of a thread's work: one file is lost, not the indexer
            logger.exception("a file could not be read")
            return UnreadableFile(file, f"This file cannot be read ({type(error).__name__}).")

    def _read(self, file: QueuedFile, stop: Stop) -> Extraction:
        stop.check()
        with _opened(file.path) as (source, size):
            if size == 0:
                return UnreadableFile(file, "This file is empty.", skipped=True)
            if size > MAX_FILE_BYTES:
                raise DocumentError(too_large_reason(size))
            sha256 = _hashed(source, size, stop)
            if self._known(sha256):
                return Recognised(file, sha256)
            strikes = strikes_of(self._catalog_reader().database, sha256)
            if strikes is not None and strikes.are_enough:
                return Quarantined(file, sha256, strikes.reason)
            source.rewind()
            return self._read_until(file, source, sha256, size, strikes, stop)

    def _read_until(
        self, file: QueuedFile, source: "_Source", sha256: bytes, size: int, strikes: Strikes | None, stop: Stop
    ) -> Extraction:
        """Read a file up to the place where its reader was lost before, if it was."""
        name = os.fsdecode(os.path.basename(file.path))  # noqa: PTH119 (bytes)
        before = strikes.count if strikes is not None else 0
        until = strikes.reached if strikes is not None and strikes.reached.step else None
        try:
            result = self._reader().read_in_chunks(source, name, size, stop, until=until)
        except ReaderLost as lost:
            return ReaderCrashed(file, sha256, str(lost), lost.reached, before)
        except DocumentError as error:
            if until is None or str(error) != until.why:
                raise
            return ReaderCrashed(file, sha256, str(error), until, before)  # nothing comes before that place
        # Of the bytes that were read, which need not be those of a moment before: the file may be growing.
        extracted = Extracted(file, source.sha256(), result.document, result.chunks)
        self._hands.have_read(is_long(extracted))
        return extracted

    def _reader(self) -> ReaderChild:
        reader = getattr(self._local, "reader", None)
        if not isinstance(reader, ReaderChild):
            reader = self._local.reader = ReaderChild()
            self._readers.append(reader)
        return reader

    def _known(self, sha256: bytes) -> bool:
        return self._catalog_reader().known_content(sha256, READER_VERSION) is not None

    def _catalog_reader(self) -> CatalogReader:
        catalog = getattr(self._local, "catalog", None)
        if not isinstance(catalog, CatalogReader):
            catalog = self._local.catalog = CatalogReader.open(self._catalog)
        return catalog


class _Source(io.FileIO):
    """A file that knows the SHA-256 of what was read from it."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "rb")
        self._digest = hashlib.sha256()

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._digest.update(data)
        return data

    def rewind(self) -> None:
        """Begin again, with the hash too."""
        self.seek(0)
        self._digest = hashlib.sha256()

    def sha256(self) -> bytes:
        """Return the hash of what was read since the beginning."""
        return self._digest.digest()


def _hashed(source: _Source, size: int, stop: Stop) -> bytes:
    """Return the SHA-256 of the first `size` bytes; a file that grows all the time keeps nobody waiting."""
    while size > 0 and (block := source.read(min(_BLOCK, size))):
        stop.check()
        size -= len(block)
    return source.sha256()


@contextmanager
def _opened(path: bytes) -> Generator[tuple[_Source, int]]:
    """Open a regular file without ever waiting for a pipe or a device; yield it with its size."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with _Source(descriptor) as source:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise DocumentError("It is not a regular file.")
        yield source, facts.st_size
