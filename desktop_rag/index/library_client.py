"""A client of the indexer: the window, the command line and scripts; starts it when nobody else has."""

import logging
import os
import subprocess
import threading
import time
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from desktop_rag.errors import DesktopRagError, LibraryBusy, LibraryError, LibraryMissing, ProcessError
from desktop_rag.index.indexer_api import FoldersAdded, IndexingPhase, LibraryStatus
from desktop_rag.index.indexer_client import POLL_SECONDS, IndexerClient, connect
from desktop_rag.index.library import Library
from desktop_rag.processes.child import own_command, plain_environment
from desktop_rag.processes.frames import unpack_error
from desktop_rag.processes.remote import Endpoint
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

START_SECONDS = 30.0
FIRST_WAIT, LONGEST_WAIT, ENOUGH_FAILURES = 0.5, 5.0, 2
LOG_BYTES = 1_000_000  # a longer log is begun anew


class LibraryClient(IndexerClient):
    """Commands and progress of one library; every method blocks for a moment and may be called from any thread.

    A library that was `made` before is not made anew where it is missing: its disk may not be connected.
    """

    def __init__(self, library: Library, *, made: bool = False) -> None:
        self._library = library
        self._made = made
        self._starting = threading.Lock()  # two lines of one client must not start two indexers
        self._ended = Stop()
        super().__init__(self._connect)
        self._followers: set[IndexerClient] = set()

    @property
    def library(self) -> Library:
        """Return the library that is commanded."""
        return self._library

    def close(self) -> None:
        """Leave; the indexer ends when nobody else is connected."""
        self._ended.set()
        for follower in tuple(self._followers):
            follower.close()
        super().close()

    def add(self, paths: Iterable[Path], stop: Stop) -> FoldersAdded:
        """Index folders or single files."""
        return self.add_folders(tuple(os.fsencode(path.absolute()) for path in paths), stop)

    def follow(self, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the progress at once and after each change, until stopped; survives a restart of the indexer.

        While no indexer can be had, a status says why in `trouble`.
        """
        # A connection answers in order, and the progress never ends: it has one of its own.
        progress = IndexerClient(self._connect)
        self._followers.add(progress)
        try:
            yield from self._statuses(progress, stop)
        finally:
            self._followers.discard(progress)
            progress.close()

    def _statuses(self, progress: IndexerClient, stop: Stop) -> Generator[LibraryStatus]:
        last = LibraryStatus((), IndexingPhase.IDLE)
        failures = 0
        while not (stop.is_set() or self._ended.is_set()):
            try:
                for status in progress.follow_status(stop):
                    last, failures = status, 0
                    yield status
            except (ProcessError, LibraryError) as error:
                if self._ended.is_set():
                    return
                failures += 1
                logger.warning("no indexer (%s); trying again", error)
                if isinstance(error, LibraryError) or failures > ENOUGH_FAILURES:
                    last = self._without_indexer(last, error)
                    yield last
                stop.wait(min(LONGEST_WAIT, failures * FIRST_WAIT))

    def _without_indexer(self, last: LibraryStatus, error: Exception) -> LibraryStatus:
        """Return what is known while no indexer can be had: what is in the catalog can still be searched."""
        trouble, missing = str(error), isinstance(error, LibraryMissing)
        if not last.folders and not missing:
            from desktop_rag.index.catalog.catalog_reader import CatalogReader  # with SQLite, which others do without
            from desktop_rag.index.indexer.status_board import IndexingActivity, status

            with suppress(LibraryError), closing(CatalogReader.open(self._library.catalog)) as catalog:
                last = status(catalog, IndexingActivity(IndexingPhase.IDLE), 0.0, 0.0)
        return replace(last, phase=IndexingPhase.IDLE, trouble=trouble, missing=missing, forgetting=False)

    def _connect(self, stop: Stop) -> Endpoint:
        with stop.holding(self._starting):
            return self._find_or_start(stop)

    def _find_or_start(self, stop: Stop) -> Endpoint:
        deadline = time.monotonic() + START_SECONDS
        started: StartedIndexer | None = None
        while True:
            connection = connect(self._library.address, stop)
            if connection is not None:
                self._made = True
                return Endpoint(connection, connection.close)
            stop.check()
            if started is None:
                started = start_indexer(self._library, made=self._made)
            elif (failure := started.failure()) is not None:
                raise LibraryError(f"The library in {self._library.folder} cannot be opened: {failure}")
            elif started.has_ended():
                started = None  # another one held the lock, perhaps on its way out
            if time.monotonic() > deadline:
                raise LibraryBusy(
                    f"The library in {self._library.folder} is held by a program that does not answer. "
                    "Close other windows of this program, or restart the computer."
                )
            stop.wait(POLL_SECONDS)


class StartedIndexer:
    """An indexer that was started here; it may end while we live, or outlive us."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._said = b""
        # Somebody has to hear of its end, or it stays as a zombie.
        self._thread = threading.Thread(target=self._listen, name="indexer", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def has_ended(self) -> bool:
        """Return whether it has ended and all it said has arrived."""
        return not self._thread.is_alive()

    def failure(self) -> DesktopRagError | None:
        """Return why it could not open the library, if it has ended for that."""
        if not self.has_ended() or self._process.returncode != 1:
            return None
        try:
            return unpack_error(self._said)
        except ValueError:
            return ProcessError("The indexer ended without giving a reason. Its log may say more.")

    def _listen(self) -> None:
        self._said, _ = self._process.communicate()


def start_indexer(library: Library, *, made: bool = False) -> StartedIndexer:
    """Start the indexer of `library` as a process of its own, which outlives its starter while others use it."""
    if made and not library.is_there():
        raise LibraryMissing(f"{library.folder} is not there. Connect the disk on which the library lies.")
    try:
        library.create()
        if library.log.exists() and library.log.stat().st_size > LOG_BYTES:
            library.log.write_bytes(b"")
        log = library.log.open("ab")
    except OSError as error:
        raise LibraryError(
            f"The library in {library.folder} cannot be written ({error.strerror}). "
            "Check its permissions and its disk, or choose another folder for it."
        ) from error
    with log:
        process = subprocess.Popen(
            own_command("_indexer", "--library", str(library.folder.absolute())),
            cwd=library.folder,  # not where the person happens to be: that drive could not be unplugged
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env=plain_environment(),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    return StartedIndexer(process)
