"""The commands of the clients of an indexer, on the catalog of its library."""

import contextlib
from collections.abc import Generator

from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders import root_folders
from desktop_rag.index.folders.relocation import relocate
from desktop_rag.index.folders.root_folders import add_root_folders, keep_attached, pause, restore, resume
from desktop_rag.index.folders.rule_preview import preview
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.integrity_scan import CHECKED
from desktop_rag.index.indexer.status_board import StatusBoard, problems
from desktop_rag.index.indexer_api import (
    FoldersAdded,
    LibraryStatus,
    PartCheck,
    Problems,
    Relocated,
    RulePreview,
    Schedule,
)
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, FolderId, FolderRules
from desktop_rag.index.repair import delete_damaged_catalogs
from desktop_rag.stop import Stop


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
                catalog.folders.set_schedule(self._worker.gate.schedule)
            self._request_scans(catalog, folder)

    def set_schedule(self, schedule: Schedule, stop: Stop) -> None:
        """Choose when to work in the background."""
        with self._writing() as catalog:
            catalog.folders.set_schedule(schedule)
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
            quarantine.forget(catalog, folder, also)
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
            quarantine.keep_cited(catalog, contents)

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
            return quarantine.contents_only_in(reader, folder)

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
            root_folders.keep(catalog, self._library.folder_list)
        self._board.notify()

    def _request_scans(self, catalog: Catalog, target: FolderId | None) -> None:
        for folder in catalog.folders.worked_on():
            if target in (None, folder.id):
                self._worker.request_scan(folder.id)
