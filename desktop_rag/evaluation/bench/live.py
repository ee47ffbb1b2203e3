"""A library of its own for a benchmark, with the real indexer at work and a search engine beside it."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil
from filelock import FileLock

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.bench.measuring import family, family_cpu_seconds, own_memory
from desktop_rag.index.catalog.reader import CatalogReader
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.library import Library
from desktop_rag.index.messages import LibraryStatus, Phase
from desktop_rag.index.records import ChunkId, FolderId
from desktop_rag.index.requests import Address
from desktop_rag.retrieval.engine import Engine
from desktop_rag.retrieval.hits import Hit, Mode, SearchRequest
from desktop_rag.stop import Stop

LOOK_SECONDS = 0.01
LONGEST_SECONDS = 7200.0
SAMPLE_SECONDS = 0.2
END_SECONDS = 120.0


class LiveLibrary:
    """A context manager: the indexer runs inside the block; all waiting is for what a search finds or a status says."""

    def __init__(self, folder: Path) -> None:
        self.library = Library(folder)
        self._client = LibraryClient(self.library)
        self._engine = Engine(folder)
        self._stop = Stop()

    def __enter__(self) -> Self:
        self.wait_until(lambda _: True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.close()
        self._client.close()
        wait_for_end(self.library)

    @property
    def indexer(self) -> psutil.Process:
        """The running indexer."""
        return psutil.Process(msgspec.json.decode(self.library.address.read_bytes(), type=Address).pid)

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of the indexer and its readers so far."""
        return family_cpu_seconds(self.indexer)

    def add(self, path: Path) -> FolderId:
        """Drop a folder on the library."""
        added = self._client.add([path], self._stop)
        if not added.folders:
            raise BenchError(f"{path} was refused: {added.refused[0][1]}")
        return added.folders[0]

    def rescan(self) -> None:
        """Compare everything with the disk, and return when that is done."""
        self._client.rescan(None, self._stop)
        self.wait_until(settled)

    def keep_vectors(self, chunk: ChunkId, encoder: str, rows: bytes) -> None:
        """Hand over the vectors of a chunk, as a searcher does."""
        self._client.keep_vectors(chunk, encoder, rows, self._stop)

    def wait_until_encoded(self, chunks: Sequence[ChunkId]) -> None:
        """Return when all these chunks have their vectors."""
        some = ", ".join(map(str, chunks))
        self.seconds_until(lambda: not self.number(f"SELECT count(*) FROM chunk WHERE encoded = 0 AND id IN ({some})"))

    def wait_until(self, condition: Callable[[LibraryStatus], bool]) -> LibraryStatus:
        """Follow the progress until `condition` holds."""
        with closing(self._client.follow(self._stop)) as statuses:
            for status in statuses:
                if status.trouble:
                    raise BenchError(status.trouble)
                if condition(status):
                    return status
        raise BenchError("The indexer ended.")

    def hits(self, query: str, mode: Mode = Mode.KEYWORD) -> tuple[Hit, ...]:
        """Return what a search finds now."""
        return self._engine.search(SearchRequest(query, mode), self._stop).hits

    def seconds_until(self, condition: Callable[[], bool]) -> float:
        """Return after how many seconds by the clock `condition` holds."""
        began = time.perf_counter()
        while not condition():
            if time.perf_counter() - began > LONGEST_SECONDS:
                raise BenchError("The library did not come to where it had to be.")
            time.sleep(LOOK_SECONDS)
        return time.perf_counter() - began

    def number(self, query: str) -> int:
        """Return one number of the catalog."""
        with closing(CatalogReader.open(self.library.catalog)) as catalog:
            return catalog.database.number(query)


def wait_for_end(library: Library) -> None:
    """Return when no indexer holds `library` any more, so that its files can be removed."""
    with FileLock(library.lock).acquire(timeout=END_SECONDS):
        pass


class PeakMemory:
    """A context manager that notes the most memory the indexer and its readers held at once, in megabytes."""

    def __init__(self, live: LiveLibrary) -> None:
        self._process = live.indexer
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        self.megabytes = 0.0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self.megabytes = max(self.megabytes, own_memory(family(self._process)))


def settled(status: LibraryStatus) -> bool:
    """Return whether nothing is left to do."""
    return status.phase is Phase.IDLE and not any(folder.scanning for folder in status.folders)


def all_searchable(status: LibraryStatus) -> bool:
    """Return whether every file can be found by its words."""
    counted = all(f.found > 0 and f.searchable + f.skipped + f.failed == f.found for f in status.folders)
    return bool(status.folders) and counted and not any(folder.scanning for folder in status.folders)
