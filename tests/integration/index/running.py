"""What tests of the running indexer say to it and ask of it."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import psutil

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.integrity_check import IntegrityChecker, IntegrityFinding
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.stop import Stop

Condition = Callable[[LibraryStatus], bool]


def wait_until(client: LibraryClient, condition: Condition) -> LibraryStatus:
    """Follow the progress until `condition` holds; the test's own time limit bounds the wait."""
    with closing(client.follow(Stop())) as statuses:
        return next(status for status in statuses if condition(status))


def ready(files: int) -> Condition:
    return lambda status: bool(status.folders) and sum(folder.ready for folder in status.folders) == files


def only_folder(status: LibraryStatus) -> FolderStatus:
    (folder,) = status.folders
    return folder


def add(client: LibraryClient, path: Path) -> FolderId:
    (folder,) = client.add([path], Stop()).folders
    return folder


def process_of(library: Library) -> psutil.Process:
    return psutil.Process(msgspec.json.decode(library.address.read_bytes(), type=Address).pid)


def files_of(library: Library) -> dict[str, int | None]:
    with closing(CatalogReader.open(library.catalog)) as catalog:
        rows = catalog.database.rows(tuple[bytes, int | None], "SELECT path, content FROM file")
    return {os.fsdecode(path): content for path, content in rows}


def settled(status: LibraryStatus) -> bool:
    """Return whether nothing is left to do."""
    return status.phase is IndexingPhase.IDLE and not any(folder.scanning for folder in status.folders)


def wrong_in(library: Library) -> list[IntegrityFinding]:
    """Return what a deep check finds wrong."""
    with closing(IntegrityChecker(library)) as checker:
        return [finding for finding in checker.run(deep=True, stop=Stop()) if not finding.holds]
