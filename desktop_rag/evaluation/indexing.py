"""Makes a library of documents with the real indexer, and waits until search by meaning covers all of it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.bench.live import LiveLibrary, all_searchable, settled
from desktop_rag.index.messages import LibraryStatus

Say = Callable[[str], None]


def index(library: Path, documents: Iterable[Path], say: Say) -> None:
    """Index folders of documents; what the library holds is only compared with the disk. Raises `BenchError`."""
    told: set[int] = set()

    def is_ready(status: LibraryStatus) -> bool:
        if status.sentences_ready not in told:
            told.add(status.sentences_ready)
            say(f"Indexing: {status.sentences_ready:,} of {status.sentences_total:,} sentences have a vector")
        return all_searchable(status) and settled(status)

    with LiveLibrary(library) as live:
        for folder in documents:
            live.add(folder)
        live.wait_until(is_ready)
        if missing := live.number("SELECT count(*) FROM chunk WHERE encoded = 0"):
            raise BenchError(f"{missing:,} chunks have no vectors; {live.library.log} may say why.")
