"""Verifies a library: what its copies hold against the catalog, the catalog against itself and the folders.

The invariants carry the names used in the documentation: I1 files, I2 spans, I3 keywords, I4 and I5
vectors, I6 completeness, I7 leftovers, I8 modes.
"""

import contextlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from filelock import FileLock, Timeout

from desktop_rag.errors import LibraryBusy, LibraryError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.catalog_reader import CatalogReader, unpack_sentences
from desktop_rag.index.keyword import KeywordReader
from desktop_rag.index.ledger import Ledger
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, FolderState
from desktop_rag.index.scan import RootMissing, scan
from desktop_rag.index.vectors import VectorReader
from desktop_rag.stop import Stop

LEFTOVER_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One invariant was looked at: what it says, whether it holds, and what is wrong if not."""

    invariant: str
    meaning: str
    holds: bool
    detail: str


class _SpanRow(NamedTuple):
    id: int
    content: int
    start: int
    end: int
    sentences: bytes
    length: int


class Checker:
    """Looks at one library without writing to it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._catalog = CatalogReader.open(library.catalog)
        self._keywords = KeywordReader(library.keywords)
        self._vectors = VectorReader.open(library.vectors)

    def close(self) -> None:
        """Close the files."""
        self._keywords.close()
        self._vectors.close()
        self._catalog.close()

    def run(self, *, deep: bool, stop: Stop) -> Generator[Finding]:
        """Yield a finding for each invariant; `deep` also walks the folders and compares every vector."""
        steps: list[tuple[str, str, Callable[[], str]]] = [
            ("I0", "the catalog passes SQLite's own check", self._sound),
            ("I2", "every chunk and sentence lies inside its content's text", self._spans),
            ("I3", "the keyword index holds exactly the searchable chunks", self._keyword_chunks),
            ("I4", "the vector files hold exactly the encoded chunks", self._vector_chunks),
            ("I6", "the copies belong to this catalog and are not ahead of it", self._watermarks),
            ("I7", "no temporary file is older than an hour", self._leftovers),
            ("I8", "only the owner can read the library", self._modes),
        ]
        if deep:
            steps.insert(1, ("I1", "the catalog knows exactly the files of the folders", lambda: self._files(stop)))
            steps.insert(5, ("I5", "every vector in the files is the catalog's", lambda: self._vector_bytes(stop)))
        for invariant, meaning, look in steps:
            stop.check()
            detail = look()
            yield Finding(invariant, meaning, not detail, detail)

    def is_caught_up(self) -> bool:
        """Return whether the copies hold everything the catalog knows, nothing more."""
        chunks = self._catalog.chunk_ids()
        ready, total = self._catalog.sentence_counts()
        return ready == total and self._keywords.chunks() == chunks and frozenset(self._vectors.chunks()) == chunks

    def _sound(self) -> str:
        said = self._catalog.database.values(str, "PRAGMA integrity_check(5)")
        return "" if said == ["ok"] else "; ".join(said)

    def _files(self, stop: Stop) -> str:
        with contextlib.closing(Catalog.open(self._library.catalog)) as catalog:
            wrong = []
            for folder in catalog.folders():
                if folder.state is FolderState.PAUSED:
                    continue
                known = catalog.files(folder.id)
                events = [event for event in scan(folder, known, stop) if not isinstance(event, RootMissing)]
                if events:
                    wrong.append(f"{os.fsdecode(folder.path)}: {len(events)} differences, first {events[0]}")
        return "; ".join(wrong)

    def _spans(self) -> str:
        wrong = [row.id for row in self._span_rows() if not _lies_inside(row)]
        return f"chunks {wrong[:5]} point outside their text" if wrong else ""

    def _span_rows(self) -> Iterator[_SpanRow]:
        yield from self._catalog.database.rows(
            _SpanRow,
            "SELECT chunk.id, chunk.content, chunk.start, chunk.end, chunk.sentences, "
            "coalesce((SELECT max(segment.start + length(segment.body)) FROM segment "
            "WHERE segment.content = chunk.content), 0) FROM chunk",
        )

    def _keyword_chunks(self) -> str:
        committed = self._keywords.watermark.sequence
        wanted = _replayed(self._catalog, committed)
        return _difference(wanted, self._keywords.chunks())

    def _vector_chunks(self) -> str:
        rows = self._catalog.database.rows(
            tuple[int, int],
            "SELECT chunk.id, chunk.sentence_count FROM chunk JOIN vector ON vector.chunk = chunk.id "
            "WHERE NOT EXISTS (SELECT 1 FROM change WHERE change.chunk = chunk.id AND change.sequence > ?)",
            (self._vectors.watermark.sequence,),
        )
        wanted = {ChunkId(chunk): count for chunk, count in rows}
        held = self._vectors.chunks()
        wrong = [chunk for chunk, count in wanted.items() if held.get(chunk) != count]
        encoded = frozenset(self._catalog.database.values(int, "SELECT chunk FROM vector"))
        extra = self._unremoved(frozenset(held) - encoded)
        return f"{len(wrong)} chunks miss vectors, {len(extra)} have too many" if wrong or extra else ""

    def _unremoved(self, chunks: frozenset[ChunkId]) -> frozenset[ChunkId]:
        """Return those of `chunks` that the vector files should have dropped by their watermark."""
        pending = self._catalog.database.values(
            int, "SELECT chunk FROM change WHERE sequence > ?", (self._vectors.watermark.sequence,)
        )
        return chunks - frozenset(pending)

    def _vector_bytes(self, stop: Stop) -> str:
        ledger = Ledger(self._catalog.database)
        for chunk in self._vectors.chunks():
            stop.check()
            wanted = ledger.vectors(chunk)
            ordinals, held = self._vectors.vectors(chunk)
            if wanted is not None and not np.array_equal(wanted[ordinals], held):  # None: I4 tells
                return f"the vectors of chunk {chunk} differ"
        return ""

    def _watermarks(self) -> str:
        lineage = self._catalog.lineage()
        last = Ledger(self._catalog.database).last_sequence()
        wrong = []
        for name, mark in (("keyword index", self._keywords.watermark), ("vector files", self._vectors.watermark)):
            if mark.sequence and mark.lineage != lineage:
                wrong.append(f"the {name} belong to another catalog")
            elif mark.sequence > last:
                wrong.append(f"the {name} are ahead of the catalog")
        return "; ".join(wrong)

    def _leftovers(self) -> str:
        limit = time.time() - LEFTOVER_SECONDS
        known = {"keyword", "vectors", "indexer.json", "indexer.lock", "indexer.log"}
        old = [
            entry.name
            for entry in self._library.folder.iterdir()
            if entry.name not in known
            and not entry.name.startswith(("catalog.sqlite", "conversations"))
            and entry.stat().st_mtime < limit
        ]
        return f"left over: {', '.join(sorted(old))}" if old else ""

    def _modes(self) -> str:
        if os.name != "posix":
            return ""
        open_to_others = stat.S_IRWXG | stat.S_IRWXO
        wrong = [
            path.name or str(path)
            for path in (self._library.folder, self._library.catalog, self._library.conversations)
            if path.exists() and path.stat().st_mode & open_to_others
        ]
        return f"others can read {', '.join(wrong)}" if wrong else ""


def repair(library: Library) -> None:
    """Throw the copies away and mend the modes; the indexer builds the copies anew from the catalog."""
    with indexer_locked_out(library):
        for copy in (library.keywords, library.vectors):
            shutil.rmtree(copy, ignore_errors=True)
        if os.name == "posix":
            library.folder.chmod(0o700)
            for file in (library.catalog, library.conversations):
                if file.exists():
                    file.chmod(0o600)
        with contextlib.closing(Catalog.open(library.catalog)) as catalog:
            catalog.database.execute("REINDEX")


@contextlib.contextmanager
def indexer_locked_out(library: Library) -> Generator[None]:
    """Hold the library's lock, so that no indexer runs in the block; raises `LibraryBusy` if one does."""
    try:
        with FileLock(library.lock).acquire(timeout=5):
            yield
    except Timeout as error:
        raise LibraryBusy(
            "The library is open in another window or command. Close it, then repair the library again."
        ) from error


def readable(library: Library) -> None:
    """Raise `LibraryError` with what to do when there is no library to check."""
    if not Path(library.catalog).is_file():
        raise LibraryError(f"There is no library in {library.folder} yet. Make one: desktop-rag index FOLDER")


def _lies_inside(row: _SpanRow) -> bool:
    end = row.start
    for first, last in unpack_sentences(row.sentences):
        if not end <= first < last:
            return False
        end = last
    return 0 <= row.start <= end <= row.end <= row.length


def _replayed(catalog: CatalogReader, sequence: int) -> frozenset[ChunkId]:
    """Return the chunks that existed after change number `sequence`."""
    rows = catalog.database.rows(
        tuple[int, str],
        "SELECT chunk, kind FROM change WHERE sequence <= ? AND kind IN ('added', 'removed') ORDER BY sequence",
        (sequence,),
    )
    last = dict(rows)
    return frozenset(ChunkId(chunk) for chunk, kind in last.items() if kind == "added")


def _difference(wanted: frozenset[ChunkId], held: frozenset[ChunkId]) -> str:
    missing, extra = wanted - held, held - wanted
    return f"{len(missing)} chunks are missing, {len(extra)} are too many" if missing or extra else ""
