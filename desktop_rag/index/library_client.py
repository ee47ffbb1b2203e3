"""The client of a library's indexer, for the window and the command line; starts the indexer if none is running."""

import logging
import os
import subprocess
import threading
import time
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from desktop_rag.documents.sandbox.process_limits import out_of_memory_kills, was_killed
from desktop_rag.errors import (
    DesktopRagError,
    LibraryBusy,
    LibraryError,
    LibraryMissing,
    LibraryRefused,
    OutOfMemory,
    ProcessError,
)
from desktop_rag.index.indexer_api import FoldersAdded, IndexingPhase, LibraryStatus
from desktop_rag.index.indexer_client import POLL_SECONDS, IndexerClient, connect
from desktop_rag.index.library import Library
from desktop_rag.index.team_status import NOT_ADDED, team_library_status
from desktop_rag.processes.child import own_command, session_environment
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.wire import unpack_error
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

START_SECONDS = 30.0
END_SECONDS = 1.0  # between the end of a connection and that of the process
TEAM_POLL_SECONDS = 1.0  # between two looks at what the searcher of a team library noted
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS, REPORTED_FAILURES = 0.5, 5.0, 2
# How the indexer finds the desktop session, to learn whether somebody uses the computer; its readers do not get them.
MAX_LOG_BYTES = 1_000_000  # a longer log is emptied at the next start


class LibraryClient(IndexerClient):
    """Commands and status of one library; the methods block and may be called from any thread.

    With `must_exist` a missing library is not created: its disk may be disconnected. An indexer that is started in the
    `foreground` has ordinary priority.
    """

    def __init__(self, library: Library, *, must_exist: bool = False, foreground: bool = False) -> None:
        self.library = library
        self._foreground = foreground
        self._must_exist = must_exist
        self._started: StartedIndexer | None = None
        self._starting = threading.Lock()  # the connections of one client must not start two indexers
        self._closed = Stop()
        super().__init__(Remote(self._connect, self._why_ended))
        self._followers: set[IndexerClient] = set()

    def close(self) -> None:
        """Disconnect; the indexer ends after its last client."""
        self._closed.set()
        for follower in tuple(self._followers):
            follower.close()
        super().close()

    def add(self, paths: Iterable[Path], stop: Stop) -> FoldersAdded:
        """Index folders or single files."""
        return self.add_folders(tuple(os.fsencode(path.absolute()) for path in paths), stop)

    def keep_attached(self, paths: tuple[bytes, ...], stop: Stop) -> FoldersAdded:
        """Index what conversations have attached; with nothing attached, a team library has nothing to refuse."""
        if not paths and self.library.is_team():
            return FoldersAdded((), ())
        return super().keep_attached(paths, stop)

    def follow(self, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the status at once and after each change, until stopped; reconnects to a restarted indexer.

        While no indexer can be reached, `trouble` of the status says why.
        """
        if self.library.is_team():
            yield from self._team_statuses(stop)
            return
        # A connection answers one request at a time and this one never ends, so it needs its own.
        follower = IndexerClient(Remote(self._connect, self._why_ended))
        self._followers.add(follower)
        try:
            yield from self._statuses(follower, stop)
        finally:
            self._followers.discard(follower)
            follower.close()

    def _team_statuses(self, stop: Stop) -> Generator[LibraryStatus]:
        last: LibraryStatus | None = None
        while not (stop.is_set() or self._closed.is_set()):
            status = team_library_status(self.library)
            if status != last:
                last = status
                yield status
            stop.wait(TEAM_POLL_SECONDS)

    def _statuses(self, follower: IndexerClient, stop: Stop) -> Generator[LibraryStatus]:
        last = LibraryStatus((), IndexingPhase.IDLE)
        failures = 0
        while not (stop.is_set() or self._closed.is_set()):
            try:
                for status in follower.follow_status(stop):
                    last, failures = status, 0
                    yield status
            except (ProcessError, LibraryError) as error:
                if self._closed.is_set():
                    return
                failures += 1
                logger.warning("cannot reach the indexer (%s); retrying", error)
                if isinstance(error, LibraryError) or failures > REPORTED_FAILURES:
                    last = self._without_indexer(last, error)
                    yield last
                stop.wait(min(MAX_RETRY_SECONDS, failures * FIRST_RETRY_SECONDS))

    def _without_indexer(self, last: LibraryStatus, error: Exception) -> LibraryStatus:
        """Return the status without an indexer, from the catalog, which can still be searched."""
        trouble, missing = str(error), isinstance(error, LibraryMissing)
        if not last.folders and not missing:
            from desktop_rag.index.catalog.catalog_reader import (
                CatalogReader,  # imports SQLite, which other clients do not need
            )
            from desktop_rag.index.indexer.status_board import IndexingActivity, status

            with suppress(LibraryError), closing(CatalogReader.open(self.library.catalog)) as catalog:
                catalog.require_known_format()
                last = status(catalog, IndexingActivity(IndexingPhase.IDLE), 0.0, 0.0)
        if isinstance(error, OutOfMemory):  # nobody reads on
            last = replace(last, folders=tuple(replace(folder, scanning=False) for folder in last.folders))
        return replace(last, phase=IndexingPhase.IDLE, trouble=trouble, missing=missing, forgetting=False)

    def _connect(self, stop: Stop) -> Endpoint:
        with stop.holding(self._starting):
            return self._find_or_start(stop)

    def _why_ended(self) -> OutOfMemory | None:
        """Return the shortage for which the indexer that this client started has ended, once."""
        started, self._started = self._started, None
        failure = started.failure(END_SECONDS) if started is not None else None
        return failure if isinstance(failure, OutOfMemory) else None

    def _find_or_start(self, stop: Stop) -> Endpoint:
        deadline = time.monotonic() + START_SECONDS
        before = started = self._started
        while True:
            connection = connect(self.library.address, stop)
            if connection is not None:
                self._must_exist = True
                return Endpoint(connection, connection.close)
            if stop.is_set() and started is not None and started is not before:
                started.end()  # or it would hold the lock until it has waited long enough for a client
            stop.check()
            if started is None:
                self._started = started = start_indexer(
                    self.library, must_exist=self._must_exist, foreground=self._foreground
                )
            elif started.has_ended():
                failure, self._started = started.failure(), None
                if isinstance(failure, OutOfMemory):  # also if it ended in its work: the next one would as well
                    raise failure
                if failure is not None and started is not before:
                    raise LibraryError(f"The library in {self.library.folder} cannot be opened: {failure}")
                started = None  # another indexer held the lock, perhaps while ending
            if time.monotonic() > deadline:
                raise LibraryBusy(
                    f"The library in {self.library.folder} is in use by a program that does not answer. "
                    "Close other windows of this program, or restart the computer."
                )
            stop.wait(POLL_SECONDS)


_KILLED = "The system ran out of memory and ended the indexer. Close other programs, then it goes on where it was."


class StartedIndexer:
    """An indexer process started by this client; it may outlive the client."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._output = b""
        self._memory_kills = out_of_memory_kills()
        # The process must be waited for, or it remains as a zombie.
        self._thread = threading.Thread(target=self._wait, name="indexer", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def has_ended(self) -> bool:
        """Return whether it has ended and its output is complete."""
        return not self._thread.is_alive()

    def end(self) -> None:
        """Ask it to end; a client of another window or command starts a new one."""
        with suppress(OSError):
            self._process.terminate()

    def failure(self, seconds: float = 0.0) -> DesktopRagError | None:
        """Return why it could not open the library, or None, after waiting so long for its end."""
        self._thread.join(seconds)
        if not self.has_ended():
            return None
        if was_killed(self._process.returncode) and out_of_memory_kills() > self._memory_kills:
            return OutOfMemory(_KILLED)
        if self._process.returncode != 1:
            return None
        return unpack_error(self._output, "The indexer ended without giving a reason. Its log may say more.")

    def _wait(self) -> None:
        self._output, _ = self._process.communicate()


def start_indexer(library: Library, *, must_exist: bool = False, foreground: bool = False) -> StartedIndexer:
    """Start the indexer of `library` as an independent process, which may outlive this one."""
    if library.is_team():
        raise LibraryRefused(NOT_ADDED)
    if must_exist and not library.exists():
        raise LibraryMissing(f"{library.folder} is missing. Connect the disk that contains the library.")
    try:
        library.create()
        if library.log.exists() and library.log.stat().st_size > MAX_LOG_BYTES:
            library.log.write_bytes(b"")
        log = library.log.open("ab")
    except OSError as error:
        raise LibraryError(
            f"The library in {library.folder} cannot be written ({error.strerror}). "
            "Check its permissions and its disk, or choose another folder for it."
        ) from error
    options = ("--foreground",) if foreground else ()
    with log:
        process = subprocess.Popen(
            own_command("_indexer", "--library", str(library.folder.absolute()), *options),
            cwd=library.folder,  # not the current folder, whose drive could then not be unplugged
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env=session_environment(),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    return StartedIndexer(process)
