"""The worker of `serve-index`: keeps a team library up to date until it is stopped, whatever happens to the server."""

import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from desktop_rag.errors import TeamConflict, TeamError, TeamMisconfigured, TeamNotSecure, TeamRefused
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import FileStore, place_in_store
from desktop_rag.team.format.team_indexes import KINDS, SOURCES, create_indexes, publish, sources_in
from desktop_rag.team.server.json_answers import as_int
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import NO_ROOTS, SourceFiles, TeamSource
from desktop_rag.team.writer.team_sync import SyncCounts, TeamSync

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
PATIENCE_SECONDS = 300.0  # of failures in a row, with `once`
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_FACTOR, _LEAST_SECONDS = 20.0, 5.0  # files are compared again after this multiple of the time it takes, not before
_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """How far a copy is: changes of the library that are copied, of how many, and documents that are on the server.

    `seconds` is about the time left, None while that is not known.
    """

    copied: int
    total: int
    documents: int
    seconds: float | None


class StoreSync:
    """Keeps exactly the files with pages of one source in a store of files.

    What a killed writer has left is found by listing the store.
    """

    def __init__(self, catalog: CatalogReader, source: TeamSource, number: int, store: FileStore) -> None:
        self._catalog = catalog
        self._files = SourceFiles(catalog, source)
        self._store = store
        self._place = place_in_store(source.space, number)
        self._stored: set[str] | None = None
        self._version, self._next = -1, 0.0

    def follow(self, stop: Stop, *, now: bool = False) -> None:
        """Compare the store with the library if that has changed, not too often unless `now`; raises `TeamError`."""
        version, began = self._catalog.data_version(), time.monotonic()
        if version == self._version or (began < self._next and not now):
            return
        self._next = began + _LEAST_SECONDS  # also after a failure
        if self._stored is None:
            self._stored = set(self._store.hashes(self._place, stop))
        wanted: set[str] = set()
        for sha256, paths in self._files.with_pages():
            wanted.add(sha256)
            if sha256 not in self._stored and any(self._put(sha256, path, stop) for path in paths):
                self._stored.add(sha256)
        for sha256 in self._stored - wanted:
            self._store.delete(self._place, sha256, stop)
            self._stored.discard(sha256)
        self._version, self._next = version, began + max(_LEAST_SECONDS, _FACTOR * (time.monotonic() - began))

    def _put(self, sha256: str, path: bytes, stop: Stop) -> bool:
        try:
            return self._store.put(self._place, sha256, Path(os.fsdecode(path)), stop)
        except OSError as error:  # it is gone or cannot be read now; the text page is shown
            logger.info("a file was not stored: %s", error.strerror)
            return False


class TeamWorker:
    """Copies the sources of one library, and their files with pages to a `store` if there is one.

    `say` gets what an administrator should read, `show` the progress while there is more to copy.
    """

    def __init__(
        self,
        library: Library,
        connection: TeamConnection,
        sources: Sequence[TeamSource],
        say: Callable[[str], None],
        store: FileStore | None = None,
        show: Callable[[CopyProgress], None] = lambda progress: None,
    ) -> None:
        self._show = show
        self._began, self._first = 0.0, 0  # of this copy: when, and how many changes had been copied
        self._library = library
        self._connection = connection
        self._sources = sources
        self._say = say
        self._store = store
        self._syncs: list[TeamSync] = []
        self._counts: dict[str, SyncCounts] = {}  # by source; they outlive what is begun anew after a failure
        self._stores: list[StoreSync] = []
        self._store_trouble = ""
        self._earlier: frozenset[str] = frozenset()
        self._awaited: list[str] = []
        self.reachable = False
        self.failures = 0

    def run(self, stop: Stop, shards: int, replicas: int, *, once: bool = False) -> None:
        """Work until stopped; raises `LibraryError`.

        With `once` until all is copied, no repetition helps, or nothing has succeeded for `PATIENCE_SECONDS`.
        """
        wait, failing_since = _FIRST_WAIT, 0.0
        with closing(CatalogReader.open(self._library.catalog)) as catalog:
            while not stop.is_set():
                try:
                    self._start(catalog, stop, shards, replicas)
                    while True:
                        more = []
                        for sync in self._syncs:
                            more.append(sync.step(stop))
                            self._show_progress()
                        self.reachable, wait = True, _FIRST_WAIT
                        failing_since = 0.0 if any(more) else failing_since
                        if not any(more) and self._earlier:
                            self._publish(stop)
                        if not any(more):
                            self._store_files(stop, once=once)
                        if once and not any(more):
                            self._connection.refresh(KINDS, stop)  # what was written is found from now on
                            written = zip(self._sources, self._syncs, strict=False)  # without what is emptied
                            counts = (f"{source.space} {sync.documents}" for source, sync in written)
                            self._say(f"Everything is copied. Documents in each space: {', '.join(counts)}")
                            return
                        if not any(more) and stop.wait(POLL_SECONDS):
                            return
                except TeamConflict:
                    raise
                except TeamError as error:
                    if once and isinstance(error, TeamMisconfigured | TeamNotSecure | TeamRefused):
                        raise
                    self.reachable = False
                    self.failures += 1
                    failing_since = failing_since or time.monotonic()
                    left = failing_since + PATIENCE_SECONDS - time.monotonic() if once else wait
                    if left <= 0:
                        self._say(f"Tried for {PATIENCE_SECONDS / 60:.0f} minutes. Not everything is copied.")
                        raise
                    wait = min(wait, left)
                    self._say(f"{error} Trying again in {wait:.0f} s.")
                    stop.wait(wait)
                    wait = min(2 * wait, _LONGEST_WAIT)

    def _start(self, catalog: CatalogReader, stop: Stop, shards: int, replicas: int) -> None:
        encoder = catalog.encoders.serving()
        while encoder is None:  # nothing is encoded yet
            if stop.wait(POLL_SECONDS):
                stop.check()
            encoder = catalog.encoders.serving()
        self._earlier = create_indexes(self._connection, encoder.dimensions, shards, replicas, encoder.name)
        sources = (*self._sources, *self._left(catalog, stop))
        counts = [self._counts.setdefault(source.name, SyncCounts()) for source in sources]
        self._syncs = [TeamSync(catalog, self._connection, *each) for each in zip(sources, counts, strict=True)]
        for sync in self._syncs:
            sync.start(stop)
        if self._store is not None:
            pairs = zip(self._syncs, sources, strict=True)
            self._stores = [StoreSync(catalog, source, sync.number, self._store) for sync, source in pairs]
        self._began, self._first = time.monotonic(), sum(sync.sequence for sync in self._syncs)
        beside = ", beside the indexes that are read until all is written" if self._earlier else ""
        self._say(f"Writing to {self._connection.place}{beside}")

    def _show_progress(self) -> None:
        done = sum(sync.sequence for sync in self._syncs) - self._first
        left = sum(sync.behind for sync in self._syncs)
        if left > 0:
            passed = time.monotonic() - self._began
            documents = sum(sync.documents for sync in self._syncs)
            self._show(CopyProgress(done, done + left, documents, passed * left / done if done else None))

    def _left(self, catalog: CatalogReader, stop: Stop) -> Iterator[TeamSource]:
        """Yield the sources that this library has written under this name and no longer writes, to be emptied."""
        connection = self._connection
        connection.refresh((SOURCES,), stop)
        found = [
            each
            for index in (connection.alias(SOURCES), connection.index(SOURCES))
            for each in sources_in(connection, index, stop)
        ]
        first, lineage = self._sources[0], catalog.lineage()
        written = {source.name for source in self._sources}
        for name, entry in {str(entry.get("name")): entry for entry in found}.items():
            space = str(entry.get("space"))
            if (
                name in written
                or name != first.name.removesuffix(first.space) + space
                or entry.get("lineage") != lineage
            ):
                continue
            if as_int(entry.get("documents")):
                self._say(f"The space “{space}” is written no longer; its documents are removed.")
            yield TeamSource(name, space, NO_ROOTS)

    def _store_files(self, stop: Stop, *, once: bool) -> None:
        """Keep the store of files as the library; without it the searches go on."""
        try:
            for each in self._stores:
                each.follow(stop, now=once)
            self._store_trouble = ""
        except TeamError as error:
            if once:
                raise
            self.failures += 1
            if str(error) != self._store_trouble:
                self._store_trouble = str(error)
                self._say(f"{error} The files are stored later.")

    def _publish(self, stop: Stop) -> None:
        """Let readers read what was built beside, when every source is there."""
        missing = publish(self._connection, self._earlier, stop)
        if not missing:
            self._earlier = frozenset()
            self._say("The new indexes are read from now on; the earlier ones were deleted.")
        elif missing != self._awaited:
            self._say(f"The new indexes wait for other writers: {', '.join(missing)}")
        self._awaited = missing

    def metrics(self) -> str:
        """Return the state in the text format of OpenMetrics."""
        lines = [
            "# TYPE desktop_rag_team_reachable gauge",
            f"desktop_rag_team_reachable {int(self.reachable)}",
            "# TYPE desktop_rag_team_failures counter",
            f"desktop_rag_team_failures_total {self.failures}",
        ]
        for name, kind, ending in (
            ("documents", "counter", "_total"),
            ("passages", "counter", "_total"),
            ("sentences", "counter", "_total"),
            ("removed", "counter", "_total"),
            ("sequence", "gauge", ""),
            ("behind", "gauge", ""),
            ("synced_at", "gauge", ""),
        ):
            lines.append(f"# TYPE desktop_rag_team_{name} {kind}")
            for source in filter(lambda each: each.name in self._counts, self._sources):
                label = source.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
                lines.append(
                    f'desktop_rag_team_{name}{ending}{{source="{label}"}} {getattr(self._counts[source.name], name)}'
                )
        return "\n".join([*lines, "# EOF", ""])


@contextmanager
def serving_metrics(port: int, metrics: Callable[[], str]) -> Generator[int]:
    """Answer `GET /metrics` on loopback during the block; yields the port. Raises `OSError`."""

    class _Metrics(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == "/metrics"
            body = metrics().encode() if known else b""
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", _METRICS)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", port), _Metrics)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
