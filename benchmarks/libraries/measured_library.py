"""A temporary library for a benchmark, with the real indexer and a search engine."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil

from benchmarks.measuring import family, family_cpu_seconds, own_memory
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import RunningLibrary, settled
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Hit, Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine

LOOK_SECONDS = 0.01
LONGEST_SECONDS = 7200.0
SAMPLE_SECONDS = 0.2


class MeasuredLibrary(RunningLibrary):
    """A running library under measurement; it waits for search results and status, never for a fixed time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._engine = SearchEngine(folder)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.close()
        super().__exit__(kind, error, trace)

    @property
    def indexer(self) -> psutil.Process:
        """The running indexer."""
        return psutil.Process(msgspec.json.decode(self.library.address.read_bytes(), type=Address).pid)

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of the indexer and its readers so far."""
        return family_cpu_seconds(self.indexer)

    def rescan(self) -> None:
        """Scan everything; return when the scan is done."""
        self._client.rescan(None, self._stop)
        self.wait_until(settled)

    def keep_vectors(self, chunk: ChunkId, encoder: str, rows: bytes) -> None:
        """Write back the vectors of a chunk, as a searcher does."""
        self._client.keep_vectors(chunk, encoder, rows, self._stop)

    def wait_until_encoded(self, chunks: Sequence[ChunkId]) -> None:
        """Wait until all these chunks have vectors."""
        self.seconds_until(lambda: not self.read(lambda catalog: catalog.chunks.not_encoded_among(chunks)))

    def hits(self, query: str, mode: Mode = Mode.KEYWORD) -> tuple[Hit, ...]:
        """Return the current hits."""
        return self._engine.search(SearchRequest(query, mode), self._stop).hits

    def seconds_until(self, condition: Callable[[], bool]) -> float:
        """Return the wall-clock seconds until `condition` holds."""
        began = time.perf_counter()
        while not condition():
            if time.perf_counter() - began > LONGEST_SECONDS:
                raise BenchError("The library did not reach the expected state in time.")
            time.sleep(LOOK_SECONDS)
        return time.perf_counter() - began


class PeakMemory:
    """A context manager that records the peak memory of the indexer and its readers together, in megabytes."""

    def __init__(self, measured: MeasuredLibrary) -> None:
        self._process = measured.indexer
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
