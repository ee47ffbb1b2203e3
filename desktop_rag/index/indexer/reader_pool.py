"""Reads files in sandboxed children, a few in parallel, and returns the outcome of each."""

import hashlib
import io
import logging
import os
import queue
import stat
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.conversion import converted_types, converter
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import MAX_FILE_BYTES, READER_VERSION
from desktop_rag.documents.format_registry import too_large_reason
from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.reader_client import ReaderChild, ReaderInterrupted, ReaderLost
from desktop_rag.documents.sandbox.reader_messages import DocumentRead
from desktop_rag.errors import DocumentError, LibraryError, ProblemKind, ProcessError, Stopped
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_writer import QueuedFile
from desktop_rag.index.catalog.quarantine import CrashRecord, crashes_of
from desktop_rag.index.records import FileId
from desktop_rag.processes.shortage import is_shortage
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

_BLOCK = 1 << 20
_MANY, _COLLECT_SECONDS = 24, 0.01  # files, and a wait in which the readers do not run out of so many


@dataclass(frozen=True, slots=True)
class Extracted:
    """A file was read into this document."""

    file: QueuedFile
    sha256: bytes
    document: Document
    chunks: tuple[DraftChunk, ...]


@dataclass(frozen=True, slots=True)
class AlreadyRead:
    """A file with the same bytes has been read before."""

    file: QueuedFile
    sha256: bytes


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file without readable text; `reason` is shown to the user, `skipped` if there is nothing to read."""

    file: QueuedFile
    reason: str
    kind: ProblemKind
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class ReaderCrashed:
    """The reader process crashed on this file after it had `reached` a step."""

    file: QueuedFile
    sha256: bytes
    reason: str
    reached: StepReached
    before: int  # earlier crashes on the same bytes


@dataclass(frozen=True, slots=True)
class ReadingInterrupted:
    """The reader process was ended from outside; the file is to be read again."""

    file: QueuedFile
    sha256: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Readers crashed on these bytes too often; the file was not read."""

    file: QueuedFile
    sha256: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Vanished:
    """A file that the scan saw does not exist."""

    file: QueuedFile


@dataclass(frozen=True, slots=True)
class Postponed:
    """A file stays queued: reading was cancelled (`error` is None), or the file is not the reason of the failure."""

    file: QueuedFile
    error: LibraryError | ProcessError | None = None


ReadOutcome = (
    Extracted | AlreadyRead | UnreadableFile | ReaderCrashed | ReadingInterrupted | Quarantined | Vanished | Postponed
)

BIG_FILE = 1_000_000  # bytes; see `is_slow`
MOST_BIG_BYTES = 32_000_000  # of several big files read at once: their texts exist in several copies
LONG_DOCUMENT = 1_000_000  # characters; longer ones are stored in steps …
MAX_LONG_DOCUMENTS = 2  # … and at most this many are in memory, so that they are not read faster than stored


def is_slow(file: QueuedFile) -> bool:
    """Return whether a file takes so long that others never wait for it: a big or converted one."""
    return file.size >= BIG_FILE or _is_converted(file)


def may_join(file: QueuedFile, slow: Sequence[QueuedFile], slots: int) -> bool:
    """Return whether a slow file may be read beside other `slow` ones: several that are not too big, else one."""
    if not slow:
        return True
    every = [file, *slow]
    small = sum(each.size for each in every) <= MOST_BIG_BYTES and not any(map(_is_converted, every))
    return small and len(slow) < slots


def _is_converted(file: QueuedFile) -> bool:
    return converted_types.is_converted(_name(file))


def is_long(outcome: ReadOutcome) -> bool:
    """Return whether the document is stored in steps."""
    return isinstance(outcome, Extracted) and len(outcome.document.text) > LONG_DOCUMENT


class ReaderSlots:
    """A semaphore of adjustable size for parallel reading; small files never wait for slow ones alone."""

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._in_use = {False: 0, True: 0}  # by whether the file is slow
        self._waiting = 0  # slow files, which the next free slot is kept for
        self._small = 0  # other files that were submitted and have no slot yet
        self._read = 0  # long documents not fetched yet …
        self._unstored = 0  # … and those fetched but not stored
        self._changed = threading.Condition()

    def set_slots(self, count: int) -> None:
        """Allow `count` parallel readings from now on; running ones continue."""
        with self._changed:
            if count != self._allowed:
                self._allowed = count
                self._changed.notify_all()

    def count_read(self, long_documents: int) -> None:
        """Count long documents that were read; a negative number were fetched."""
        if long_documents:  # else nobody is woken
            with self._changed:
                self._read += long_documents
                self._changed.notify_all()

    def count_small(self) -> None:
        """Count a file that is not slow and will soon ask for a slot."""
        with self._changed:
            self._small += 1

    def set_unstored(self, long_documents: int) -> None:
        """Set the number of fetched documents that are not stored yet; with too many, reading waits."""
        with self._changed:
            if long_documents != self._unstored:
                self._unstored = long_documents
                self._changed.notify_all()

    def _is_free(self, *, slow: bool) -> bool:
        if self._read + self._unstored >= MAX_LONG_DOCUMENTS:
            return False
        if slow and self._small and 0 < self._in_use[True] >= self._allowed - 1:
            return False  # the last slot: one more process would be started for the small files
        taken = sum(self._in_use.values()) + (0 if slow else self._waiting)
        # One more process, which costs its start, is worth it only where a small file would wait for slow ones.
        return taken < self._allowed or not (slow or self._in_use[False])

    @contextmanager
    def reading(self, *, slow: bool, stop: Stop) -> Generator[None]:
        """Hold a slot while the block runs; raises `Stopped`."""
        with stop.interrupting(self._wake), self._changed:
            self._waiting += slow
            try:
                self._changed.wait_for(lambda: stop.is_set() or self._is_free(slow=slow))
            finally:
                self._waiting -= slow
                self._small -= not slow
            stop.check()
            self._in_use[slow] += 1
        try:
            yield
        finally:
            with self._changed:
                self._in_use[slow] -= 1
                self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


class ReaderPool:
    """A pool of reader children; every method but `cancel` is called by one thread."""

    def __init__(self, catalog: Path, count: int) -> None:
        self._catalog = catalog
        converter.remove_work_folders(catalog.parent)
        self.slots = ReaderSlots(count)
        self._local = threading.local()
        self._readers: list[ReaderChild] = []
        self._idle: list[ReaderChild] = []
        # One more than are read at once: small files do not wait for as many big ones.
        self._pool = ThreadPoolExecutor(count + 1, thread_name_prefix="reader")
        self._running: dict[Future[ReadOutcome], QueuedFile] = {}
        self._ended: queue.SimpleQueue[Future[ReadOutcome]] = queue.SimpleQueue()
        self._stops: dict[FileId, Stop] = {}

    def submitted(self) -> tuple[QueuedFile, ...]:
        """Return the submitted files that are not finished, in order."""
        return tuple(self._running.values())

    def running(self) -> tuple[QueuedFile, ...]:
        """Return the files that are being read."""
        return tuple(file for future, file in self._running.items() if future.running())

    def prepare(self) -> None:
        """Start the first child in advance: its start takes longer than reading most files."""
        if not self._readers:
            self._readers.append(reader := ReaderChild())
            self._pool.submit(self._start, reader)

    def _start(self, reader: ReaderChild) -> None:
        try:
            with suppress(ProcessError):  # the first file tries again
                reader.start()
        finally:
            self._idle.append(reader)

    def submit(self, file: QueuedFile) -> None:
        """Read `file` as soon as a slot is free."""
        stop = self._stops[file.id] = Stop()
        if not is_slow(file):
            self.slots.count_small()
        future = self._pool.submit(self._read_safely, file, stop)
        self._running[future] = file
        future.add_done_callback(self._ended.put)

    def cancel(self, unwanted: Callable[[QueuedFile], bool]) -> None:
        """Cancel reading the unwanted files, from any thread; they are returned as `Postponed`."""
        for file in list(self._running.values()):
            stop = self._stops.get(file.id)
            if stop is not None and unwanted(file):
                stop.set()

    def finished(self, seconds: float) -> list[ReadOutcome]:
        """Return the outcomes since the last call, waiting up to `seconds` for the first.

        While many more files are submitted, it waits a moment for the next outcomes, too.
        """
        done: list[Future[ReadOutcome]] = []
        with suppress(queue.Empty):
            if self._running:
                done.append(self._ended.get(timeout=seconds))
            if len(self._running) >= _MANY:
                time.sleep(min(seconds, _COLLECT_SECONDS))
            while True:
                done.append(self._ended.get_nowait())
        for future in done:
            del self._stops[self._running.pop(future).id]
        results = [future.result() for future in done]
        self.slots.count_read(-sum(is_long(result) for result in results))
        return results

    def close(self) -> None:
        """Cancel all reading and end the children; unfinished files stay queued."""
        for stop in self._stops.values():
            stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers:
            reader.close()

    def _read_safely(self, file: QueuedFile, stop: Stop) -> ReadOutcome:
        try:
            with self.slots.reading(slow=is_slow(file), stop=stop):
                return self._read(file, stop)
        except FileNotFoundError:
            return Vanished(file)
        except Stopped:
            return Postponed(file)
        except (LibraryError, ProcessError) as error:
            return Postponed(file, error)
        except DocumentError as error:
            return UnreadableFile(file, str(error), error.kind)
        except Exception as error:  # noqa: BLE001 (the last resort of the thread: one file fails, not the indexer)
            return self._failed(file, error)

    def _failed(self, file: QueuedFile, error: Exception) -> ReadOutcome:
        """Return what the failure means for the file: none of its own faults if memory or threads are short."""
        if is_shortage(error):
            return Postponed(file, ProcessError("There is not enough memory to read files now. Close other programs."))
        match error:
            case PermissionError():
                return UnreadableFile(file, "You have no permission to read this file.", ProblemKind.ACCESS)
            case OSError():
                why = f"The system could not read this file: {error.strerror or error}."
                return UnreadableFile(file, why, ProblemKind.ACCESS)
        logger.error("a file could not be read", exc_info=error)
        return UnreadableFile(file, f"This file cannot be read ({type(error).__name__}).", ProblemKind.OTHER)

    def _read(self, file: QueuedFile, stop: Stop) -> ReadOutcome:
        stop.check()
        with _opened(file.path) as (source, size):
            if size == 0:
                return UnreadableFile(file, "This file is empty.", ProblemKind.EMPTY, skipped=True)
            if size > MAX_FILE_BYTES:
                raise DocumentError(too_large_reason(size), ProblemKind.TOO_LARGE)
            sha256 = _hashed(source, size, stop)
            if self._is_known(sha256):
                return AlreadyRead(file, sha256)
            crashes = crashes_of(self._catalog_reader(), sha256)
            if crashes is not None and crashes.is_final:
                return Quarantined(file, sha256, crashes.reason)
            source.rewind()
            return self._read_document(file, source, sha256, size, crashes, stop)

    def _read_document(
        self, file: QueuedFile, source: "_Source", sha256: bytes, size: int, crashes: CrashRecord | None, stop: Stop
    ) -> ReadOutcome:
        """Read a file, only up to the step at which a reader crashed before."""
        before = crashes.count if crashes is not None else 0
        until = crashes.reached if crashes is not None and crashes.reached.step else None
        try:
            result = self._read_or_convert(_name(file), source, size, until, stop)
        except ReaderLost as lost:
            return ReaderCrashed(file, sha256, str(lost), lost.reached, before)
        except ReaderInterrupted as error:
            return ReadingInterrupted(file, sha256, str(error))
        except DocumentError as error:
            if until is None or str(error) != until.why:
                raise
            return ReaderCrashed(file, sha256, str(error), until, before)  # nothing could be read before that step
        # The hash of the bytes that were read: the file may have changed since it was first hashed.
        extracted = Extracted(file, source.sha256(), result.document, result.chunks)
        self.slots.count_read(is_long(extracted))
        return extracted

    def _read_or_convert(
        self, name: str, source: "_Source", size: int, until: StepReached | None, stop: Stop
    ) -> DocumentRead:
        """Read a file, or what it is converted into if it has no reader of ours, or was refused as too old."""
        if not converted_types.is_converted(name):
            try:
                with self._reader() as reader:
                    return reader.read_in_chunks(source, name, size, stop, until=until)
            except DocumentError as error:
                if not converted_types.is_second_way(name, str(error)):
                    raise
            source.rewind()
        data = converter.convert(source, name, size, self._catalog.parent, stop)
        name = converted_types.converted_name(name)
        with self._reader() as reader:
            read = reader.read_in_chunks(io.BytesIO(data), name, len(data), stop, until=until)
        converter.refuse_garbage(read.document.text)
        return read

    @contextmanager
    def _reader(self) -> Generator[ReaderChild]:
        """Lend a child that is idle, else a new one: there are no more than files are read at once."""
        try:
            reader = self._idle.pop()
        except IndexError:
            reader = ReaderChild()
            self._readers.append(reader)
        try:
            yield reader
        finally:
            self._idle.append(reader)

    def _is_known(self, sha256: bytes) -> bool:
        return self._catalog_reader().contents.by_hash_and_reader(sha256, READER_VERSION) is not None

    def _catalog_reader(self) -> CatalogReader:
        catalog = getattr(self._local, "catalog", None)
        if not isinstance(catalog, CatalogReader):
            catalog = self._local.catalog = CatalogReader.open(self._catalog)
        return catalog


class _Source(io.FileIO):
    """A file that computes the SHA-256 of the bytes read from it; what was read at once is kept for the next time."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "rb")
        self._digest = hashlib.sha256()
        self._first: bytes | None = None  # what was read; nothing if that was not all
        self._kept: io.BytesIO | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        if self._kept is not None:
            return self._kept.read(size)
        data = super().read(size)
        self._digest.update(data)
        self._first = data if self._first is None else b""
        return data

    def rewind(self) -> None:
        """Go to the start; from there the file is read and hashed again, unless it was read at once."""
        if self._first:
            self._kept = io.BytesIO(self._first)
            return
        self.seek(0)
        self._digest = hashlib.sha256()

    def sha256(self) -> bytes:
        """Return the hash of the bytes read since the start."""
        return self._digest.digest()


def _name(file: QueuedFile) -> str:
    return os.fsdecode(os.path.basename(file.path))  # noqa: PTH119 (bytes)


def _hashed(source: _Source, size: int, stop: Stop) -> bytes:
    """Return the SHA-256 of the first `size` bytes: a growing file is not read forever."""
    while size > 0 and (block := source.read(min(_BLOCK, size))):
        stop.check()
        size -= len(block)
    return source.sha256()


@contextmanager
def _opened(path: bytes) -> Generator[tuple[_Source, int]]:
    """Open a regular file, never blocking on a pipe or a device; yield it with its size."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with _Source(descriptor) as source:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise DocumentError("It is not a regular file.", ProblemKind.ACCESS)
        yield source, status.st_size
