"""Indexes documents with the real indexer and waits until every sentence has a vector."""

import os
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from desktop_rag.documents.reader_version import READER_VERSION
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.running_library import RunningLibrary, all_searchable, settled
from desktop_rag.index.folders.folder_list import read
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.library import Library

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
