"""Indexes documents with the real indexer and waits until every sentence has a vector."""

import os
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from filelock import FileLock, Timeout

from desktop_rag.documents.file_types import READER_VERSION
from desktop_rag.errors import BenchError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.root_folders import read
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.stop import Stop

# A context manager that runs the real indexer on a library.

END_SECONDS = 120.0

Answer = TypeVar("Answer")


class RunningLibrary:
    """Starts the indexer on entry; on exit disconnects and waits until it has ended."""

    def __init__(self, folder: Path) -> None:
        self.library = Library(folder)
        self._client = LibraryClient(self.library)
        self._stop = Stop()

    def __enter__(self) -> Self:
        self.wait_until(lambda _: True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        wait_for_end(self.library)

    def add(self, path: Path) -> FolderId:
        """Add a folder to the library."""
        added = self._client.add([path], self._stop)
        if not added.folders:
            raise BenchError(f"{path} was refused: {added.refused[0][1]}")
        return added.folders[0]

    def wait_until(self, condition: Callable[[LibraryStatus], bool]) -> LibraryStatus:
        """Follow the indexing status until `condition` holds."""
        with closing(self._client.follow(self._stop)) as statuses:
            for status in statuses:
                if status.trouble:
                    raise BenchError(status.trouble)
                if condition(status):
                    return status
        raise BenchError("The indexer ended.")

    def read(self, query: Callable[[CatalogReader], Answer]) -> Answer:
        """Return the result of `query` on the catalog."""
        with closing(CatalogReader.open(self.library.catalog)) as catalog:
            return query(catalog)


def wait_for_end(library: Library, seconds: float = END_SECONDS) -> None:
    """Wait until no indexer holds the lock of `library`, so that its files change no more; raises `BenchError`."""
    try:
        with FileLock(library.lock).acquire(timeout=seconds):
            pass
    except Timeout as error:
        raise BenchError(
            f"The indexer of {library.folder} is still at work, so that answers would be scored on an unfinished "
            "index. Close the program that has this library open, wait until the indexer has ended, and start again."
        ) from error


def settled(status: LibraryStatus) -> bool:
    """Return whether the indexer is idle and no folder is being scanned."""
    return status.phase is IndexingPhase.IDLE and not any(folder.scanning for folder in status.folders)


def all_searchable(status: LibraryStatus) -> bool:
    """Return whether every readable file is in the keyword index."""
    counted = all(f.found > 0 and not f.unread for f in status.folders)
    return bool(status.folders) and counted and not any(folder.scanning for folder in status.folders)


Say = Callable[[str], None]


def index(library: Path, documents: Iterable[Path], say: Say) -> None:
    """Index folders of documents, or update the library if it exists; raises `BenchError`.

    A library of other folders, such as one that was moved with its documents, is rebuilt, or it would index them twice.
    """
    documents = tuple(documents)
    known = read(Library(library).folder_list)
    if known is not None and not all(_is_among(os.fsdecode(each.path), documents) for each in known.folders):
        say("The library has other folders; it is rebuilt")
        shutil.rmtree(library)
    reported: set[int] = set()
    phases: set[IndexingPhase] = set()

    def is_ready(status: LibraryStatus) -> bool:
        if status.sentences_ready not in reported:
            reported.add(status.sentences_ready)
            say(f"Indexing: {status.sentences_ready:,} of {status.sentences_total:,} sentences have a vector")
        if not settled(status):
            phases.add(status.phase)
        # After an update of the program all files are read again, and then linked: it is idle before it begins.
        begun = bool(phases) or not live.read(lambda catalog: catalog.files.read_before(READER_VERSION))
        return all_searchable(status) and settled(status) and begun

    with RunningLibrary(library) as live:
        for folder in documents:
            live.add(folder)
        live.wait_until(is_ready)
        while live.read(lambda catalog: catalog.files.has_replaced()):  # the same text twice would change what is found
            time.sleep(1)
            live.wait_until(lambda _: True)  # raises if the indexer has ended
        if missing := live.read(lambda catalog: len(catalog.chunks.not_encoded())):
            raise BenchError(f"{missing:,} chunks have no vectors; {live.library.log} may say why.")


def asked_so_far(done: int, total: int, began: float) -> str:
    """Return how many questions were asked, and how long the others may take; `began` is on the monotonic clock."""
    left = (time.monotonic() - began) / done * (total - done) if done else 0.0
    soon = f", about {left / 60:.0f} min left" if left >= 90 else f", about {left:.0f} s left" if done else ""
    return f"{done:,} of {total:,} questions asked{soon}"


def _is_among(path: str, folders: Iterable[Path]) -> bool:
    return any(folder.exists() and Path(path).exists() and folder.samefile(path) for folder in folders)
