"""The indexer process: the only writer of a library, serving any number of clients through a private socket.

It belongs to the library, not to a window: the first client starts it, it holds the library's lock,
and it ends a moment after its last client is gone.
"""

import argparse
import contextlib
import logging
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.errors import LibraryDamaged, LibraryError, LibraryRefused
from desktop_rag.index.catalog import quarantine, retention
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.folder_table import store_schedule
from desktop_rag.index.folders import folder_list
from desktop_rag.index.folders.relocation import relocate
from desktop_rag.index.folders.root_folders import add_root_folders, keep_attached, pause, restore, resume
from desktop_rag.index.folders.rule_preview import preview
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.integrity_scan import CHECKED
from desktop_rag.index.indexer.listener import ClientListener, listen, publish_address, withdraw_address
from desktop_rag.index.indexer.priority import lower_priority
from desktop_rag.index.indexer.status_board import StatusBoard, problems
from desktop_rag.index.indexer_api import (
    FoldersAdded,
    IndexerCommands,
    LibraryStatus,
    PartCheck,
    Problems,
    Relocated,
    RulePreview,
    Schedule,
)
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, FolderId, FolderRules
from desktop_rag.index.recovery import recover, request_repair, seal
from desktop_rag.index.repair import delete_damaged_catalogs
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.frames import pack_error
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import serve
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

GRACE_SECONDS = 3.0  # between the last disconnect and the end, so that a restarted window finds it running
FIRST_CLIENT_SECONDS = 10.0  # after the address is published; the process that started the indexer polls for it
STOP_SECONDS = 2.0  # for the current step when the system asks the process to end
FAILED = 1  # exit code: the library cannot be opened
LOCKED = 3  # exit code: another indexer serves this library
DAMAGED = 4  # exit code: the next indexer has to repair the catalog first


class ClientCounter:
    """Counts the connected clients, to end the process after the last one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._end_at = float("inf")

    def expect(self) -> None:
        """Start the time limit for the first client."""
        with self._lock:
            self._end_at = min(self._end_at, time.monotonic() + FIRST_CLIENT_SECONDS)

    @contextlib.contextmanager
    def connected(self) -> Generator[None]:
        """Count one client while the block runs."""
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                self._end_at = time.monotonic() + GRACE_SECONDS

    def all_gone(self) -> bool:
        """Return whether no client has been connected for the grace time."""
        with self._lock:
            return self._count == 0 and time.monotonic() > self._end_at


class CommandExecutor:
    """`IndexerCommands` on the catalog: carries commands out at once, and queues the work that follows."""

    def __init__(self, library: Library, board: StatusBoard, worker: IndexerLoop) -> None:
        self._library = library
        self._board = board
        self._worker = worker

    def add_folders(self, paths: tuple[bytes, ...], stop: Stop) -> FoldersAdded:
        """Index these folders or single files."""
        with self._writing() as catalog:
            added = add_root_folders(catalog, paths)
            for folder in added.folders:
                self._worker.request_scan(folder)
        return added

    def remove(self, folder: FolderId, stop: Stop) -> None:
        """Hide a folder from search."""
        with self._writing() as catalog:
            catalog.folders.remove(folder)
            self._worker.request_scan(folder)

    def restore(self, folder: FolderId, stop: Stop) -> None:
        """Undo `remove`."""
        with self._writing() as catalog:
            restore(catalog, folder)
            self._worker.request_scan(folder)

    def pause(self, folder: FolderId | None, stop: Stop) -> None:
        """Stop work on one folder, or on all."""
        with self._writing() as catalog:
            pause(catalog, folder)
            self._worker.interrupt(folder)

    def resume(self, folder: FolderId | None, stop: Stop) -> None:
        """Resume work on one folder, or on all."""
        with self._writing() as catalog:
            resume(catalog, folder)
            if folder is None:
                self._worker.go_on()
                store_schedule(catalog, self._worker.gate.schedule)
            self._request_scans(catalog, folder)

    def set_schedule(self, schedule: Schedule, stop: Stop) -> None:
        """Choose when to work in the background."""
        with self._writing() as catalog:
            store_schedule(catalog, schedule)
            self._worker.set_schedule(schedule)

    def rescan(self, folder: FolderId | None, stop: Stop) -> None:
        """Compare a folder, or all, with the disk now; failed files are retried."""
        with self._writing() as catalog:
            for known in catalog.folders.worked_on():
                if folder in (None, known.id):
                    catalog.files.retry_failed(known.id)
            self._request_scans(catalog, folder)

    def try_again(self, paths: tuple[bytes, ...], stop: Stop) -> None:
        """Retry files that could not be read, or only in part."""
        with self._writing() as catalog:
            for folder in quarantine.retry(catalog, paths):
                self._worker.request_scan(folder)

    def change_rules(self, folder: FolderId, rules: FolderRules, stop: Stop) -> None:
        """Replace the rules of a folder and rescan it."""
        with self._writing() as catalog:
            catalog.folders.set_rules(folder, rules)
            self._worker.request_scan(folder)

    def preview_rules(self, folder: FolderId, rules: FolderRules, stop: Stop) -> Generator[RulePreview]:
        """Yield what other rules would do to a folder."""
        with contextlib.closing(CatalogReader.open(self._library.catalog)) as reader:
            known = next((known for known in reader.folders.all() if known.id == folder), None)
        if known is None:
            raise LibraryRefused("This folder is no longer in the library.")
        return preview(known.path, known.rules, rules, stop)

    def check(self, stop: Stop) -> Generator[PartCheck]:
        """Yield the result for each part of the library, and have damage repaired."""
        damaged = False
        with contextlib.closing(IntegrityChecker(self._library)) as checker:
            for finding in checker.run(deep=True, stop=stop, only=CHECKED):
                damaged = damaged or not finding.holds
                yield PartCheck(finding.invariant, finding.holds, finding.detail)
        if damaged:
            self._worker.request_check()

    def forget(self, folder: FolderId, also: tuple[bytes, ...], stop: Stop) -> None:
        """Erase a folder for good."""
        with self._writing() as catalog:
            retention.forget(catalog, folder, also)
            delete_damaged_catalogs(self._library)
            self._worker.request_scan(folder)

    def relocate(self, old: bytes, new: bytes, stop: Stop) -> Relocated:
        """Move the folders at and below `old` to `new`."""
        with self._writing() as catalog:
            relocated = relocate(catalog, old, new)
            self._request_scans(catalog, None)
        return relocated

    def keep_cited(self, contents: tuple[bytes, ...], stop: Stop) -> None:
        """Keep these contents even without a file."""
        with self._writing() as catalog:
            retention.keep_cited(catalog, contents)

    def keep_attached(self, paths: tuple[bytes, ...], stop: Stop) -> FoldersAdded:
        """Index these files and folders apart from the library, and remove all others attached before."""
        with self._writing() as catalog:
            before = catalog.folders.attached()
            added = keep_attached(catalog, paths)
            gone = {folder.id for folder in before} - {folder.id for folder in catalog.folders.attached()}
            for folder in (*added.folders, *gone):
                self._worker.request_scan(folder)
        return added

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes, stop: Stop) -> None:
        """Queue vectors that were encoded on demand."""
        self._worker.keep_vectors(chunk, encoder, vectors)

    def user_is_active(self, stop: Stop) -> None:
        """Slow indexing down for some seconds."""
        self._worker.priority.user_is_active()

    def contents(self, folder: FolderId, stop: Stop) -> tuple[bytes, ...]:
        """Return the contents that only this folder holds."""
        with contextlib.closing(CatalogReader.open(self._library.catalog)) as reader:
            return retention.contents_only_in(reader, folder)

    def problems(self, folder: FolderId, limit: int, stop: Stop) -> Problems:
        """Return the skipped and failed files of a folder."""
        with contextlib.closing(CatalogReader.open(self._library.catalog)) as reader:
            return problems(reader, folder, limit)

    def follow_status(self, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the status at once, then after each change."""
        return self._board.follow(self._library.catalog, stop)

    @contextlib.contextmanager
    def _writing(self) -> Generator[Catalog]:
        """Open the catalog for a command, ahead of the indexer's own steps; publish what changed."""
        durable = contextlib.closing(Catalog.open(self._library.catalog, durable=True))
        with self._worker.write_gate.command(), durable as catalog:
            yield catalog
            folder_list.keep(catalog, self._library.folder_list)
        self._board.notify()

    def _request_scans(self, catalog: Catalog, target: FolderId | None) -> None:
        for folder in catalog.folders.worked_on():
            if target in (None, folder.id):
                self._worker.request_scan(folder.id)


def run(library: Library) -> int:
    """Index `library` until its last client is gone; return the exit code."""
    stop = Stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        # On another thread: the interrupted one may hold locks that `stop.set` needs.
        signal.signal(number, lambda *_: threading.Thread(target=end_soon, args=(stop, library), daemon=True).start())
    board = StatusBoard()
    worker = IndexerLoop(library, chosen_encoder(), board, stop, recover(library))
    clients = ClientCounter()
    secret = secrets.token_bytes(32)
    handle = Service[IndexerCommands](IndexerCommands).handler(CommandExecutor(library, board, worker))

    def serve_client(connection: SocketConnection) -> None:
        with clients.connected():
            serve(connection, handle)

    with listen(library) as listener:
        client_listener = ClientListener(listener, secret, serve_client)
        publish_address(library.address, Address(os.fsencode(listener.address), secret.hex(), os.getpid()))
        client_listener.open()
        clients.expect()
        try:
            worker.run(until=clients.all_gone)
            seal(library)
        finally:
            client_listener.close()
            withdraw_address(library.address)
    return 0


def end_soon(stop: Stop, library: Library) -> None:
    """Stop, and exit during the current step if it takes too long: every step may be interrupted."""
    stop.set()
    time.sleep(STOP_SECONDS)
    withdraw_address(library.address)
    os._exit(0)


def main(arguments: list[str]) -> int:
    """Run the indexer of one library; return `LOCKED` if another indexer holds the lock.

    With the exit code `FAILED` the reason is written to the standard output, encoded by `pack_error`.
    """
    parser = argparse.ArgumentParser(prog="_indexer")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--foreground", action="store_true")  # somebody waits for it: ordinary priority
    options = parser.parse_args(arguments)
    library = Library(options.library)
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s:%(lineno)d: %(message)s"
    )
    answer = os.dup(1)
    os.dup2(2, 1)  # the process that started us may end first: only an error is written there
    os.umask(0o077)  # only the owner may read the files
    if not options.foreground:
        lower_priority()
    try:
        library.create()
        with FileLock(library.lock).acquire(timeout=0):
            return run(library)
    except Timeout:
        return LOCKED
    except LibraryDamaged as error:
        request_repair(library, error)
        return DAMAGED
    except LibraryError as error:
        logger.exception("the library cannot be opened")
        return _failed(error, answer)
    except OSError as error:
        logger.exception("the library cannot be opened")
        return _failed(LibraryError(f"The system reported an error: {error}"), answer)
    except Exception as error:
        logger.exception("the indexer failed")
        return _failed(LibraryError(f"Internal error: {error!r}"), answer)


def _failed(error: LibraryError, answer: int) -> int:
    with contextlib.suppress(OSError):  # the process that started us has ended
        os.write(answer, pack_error(error))
    return FAILED
