"""Makes a library of documents with the real indexer, and waits until search by meaning covers all of it."""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.running_library import RunningLibrary, all_searchable, settled
from desktop_rag.index.catalog.folder_list import read
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library

Say = Callable[[str], None]


def index(library: Path, documents: Iterable[Path], say: Say) -> None:
    """Index folders of documents; what the library holds is only compared with the disk. Raises `BenchError`.

    A library of other folders, such as one that was moved with its documents, would find everything twice: it goes.
    """
    documents = tuple(documents)
    listed = read(Library(library).folder_list)
    if listed is not None and not all(_is_among(os.fsdecode(each.path), documents) for each in listed.folders):
        say("The library was made of other folders; it is made anew")
        shutil.rmtree(library)
    told: set[int] = set()

    def is_ready(status: LibraryStatus) -> bool:
        if status.sentences_ready not in told:
            told.add(status.sentences_ready)
            say(f"Indexing: {status.sentences_ready:,} of {status.sentences_total:,} sentences have a vector")
        return all_searchable(status) and settled(status)

    with RunningLibrary(library) as live:
        for folder in documents:
            live.add(folder)
        live.wait_until(is_ready)
        if missing := live.number("SELECT count(*) FROM chunk WHERE encoded = 0"):
            raise BenchError(f"{missing:,} chunks have no vectors; {live.library.log} may say why.")


def _is_among(path: str, folders: Iterable[Path]) -> bool:
    return any(folder.exists() and Path(path).exists() and folder.samefile(path) for folder in folders)
