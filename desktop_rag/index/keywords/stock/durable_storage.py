"""Opens, creates and commits a Whoosh index so that a crash at any moment leaves it whole or recognisably broken."""

import os
import pickle
import shutil
import struct
import sys
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from whoosh.codec.base import Segment
from whoosh.fields import ID, STORED, FieldConfigurationError, Schema, UnknownFieldError
from whoosh.filedb.filestore import FileStorage, StorageError
from whoosh.index import TOC, FileIndex, clean_files
from whoosh.index import IndexError as WhooshIndexError
from whoosh.query import QueryError
from whoosh.reading import ReaderClosed, SegmentReader, TermNotFound
from whoosh.writing import IndexingError, SegmentWriter

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords import keyword_schema as fields
from desktop_rag.index.keywords.error_mapping import mapped_errors
from desktop_rag.index.keywords.stock.file_checksums import seal_contents, seal_segment
from desktop_rag.index.records import Watermark
from desktop_rag.paths import private_folder

LOCK_SECONDS = 5.0
MERGE_FACTOR = 8  # segments of similar size that are merged into one …
SMALLEST_TIER = 64  # documents; smaller segments count as this many
QUICK_MERGE = 256  # documents; … within a commit, where merging takes no longer than the commit itself,
LARGEST_MERGE = 1200  # … and in idle times, which takes some seconds and 200 MB
FEW = 4  # small segments that are left alone in idle times
FORMAT = 3  # incremented when the schema or the analysis changes; another number means: rebuild
MARK = "mark"
STATE = "state"
_MARKED = "watermark"

# Only the document that stores the watermark uses the two additional fields.
SCHEMA = Schema(**dict(fields.SCHEMA.items()), **{MARK: ID(), STATE: STORED()})

# What Whoosh raises on missing, truncated or damaged files: it parses them with struct, pickle and asserts.
WHOOSH_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    ImportError,
    struct.error,
    zlib.error,
    pickle.PickleError,
    WhooshIndexError,
    IndexingError,
    StorageError,
    ReaderClosed,
    TermNotFound,
    QueryError,
    UnknownFieldError,
    FieldConfigurationError,
)


index_errors = partial(mapped_errors, errors=WHOOSH_ERRORS)


@dataclass(frozen=True, slots=True)
class StorageState:
    """The stored fields of the watermark document; `highest` is the largest chunk id ever added."""

    watermark: Watermark
    format: int
    highest: int


class TermPool:
    """Collects the postings of one commit in memory, by term.

    Documents come in ascending order, so a term's postings need no sorting; Whoosh's own pool sorts them all, and
    spills to the disk and back when a merge outgrows it.
    """

    def __init__(self) -> None:
        self._postings: dict[tuple[str, bytes], list[tuple[int, float, bytes]]] = {}

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """Add one posting: field, term, document, weight, encoded value."""
        field, term, document, weight, value = item
        self._postings.setdefault((field, term), []).append((document, weight, value))

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]:
        """Yield the postings by field, term and document."""
        for field, term in sorted(self._postings):
            for document, weight, value in self._postings[field, term]:
                yield field, term, document, weight, value

    def cleanup(self) -> None:
        """Drop all postings."""
        self._postings.clear()


class DurableWriter(SegmentWriter):
    """A writer that syncs every file before the table of contents that names it, and only then deletes the old ones."""

    def __init__(self, index: FileIndex) -> None:
        super().__init__(index, timeout=LOCK_SECONDS)
        self.pool = TermPool()

    def _commit_toc(self, segments: Iterable[Segment]) -> None:
        remaining = list(segments)
        folder = Path(self.storage.folder)
        for segment in remaining:
            if segment not in self.segments:
                seal_segment(folder, segment.segment_id())
                for path in folder.glob(f"{segment.segment_id()}.*"):
                    _sync(path)
        TOC(self.schema, remaining, self.generation).write(self.storage, self.indexname)
        toc = folder / TOC._filename(self.indexname, self.generation)
        seal_contents(toc)
        _sync(toc)
        _sync(folder)
        clean_files(self.storage, self.indexname, self.generation, remaining)


@contextmanager
def writing(index: FileIndex) -> Generator[SegmentWriter]:
    """Yield a writer; roll back unless it was committed."""
    writer = DurableWriter(index)
    try:
        yield writer
    finally:
        if not writer.is_closed:
            with suppress(*WHOOSH_ERRORS):  # on a full disk even the rollback may fail
                writer.cancel()
            if writer.writelock is not None and writer.writelock.fd is not None:
                writer.writelock.release()


def mark(writer: SegmentWriter, state: StorageState) -> None:
    """Store `state` in the commit being written."""
    writer.delete_by_term(MARK, _MARKED)
    stored = (state.watermark.sequence, state.watermark.lineage, state.format, state.highest)
    writer.add_document(**{MARK: _MARKED, STATE: stored})


def last_commit(folder: Path) -> tuple[int, int] | None:
    """Return the identity of the last commit (the folder's inode and the generation), None without an index."""
    try:
        inode = folder.stat().st_ino
        generations = [int(path.stem.rpartition("_")[2]) for path in folder.glob("_MAIN_*.toc")]
    except (OSError, ValueError):
        return None
    return (inode, max(generations)) if generations else None


def opened(folder: Path) -> tuple[FileIndex, StorageState]:
    """Open the index and read its watermark; retries if a commit comes in between."""
    if not folder.is_dir():
        raise LibraryError("There is no keyword index yet.")
    for _ in range(5):
        with suppress(FileNotFoundError):
            return _opened_once(folder)
    with index_errors("opened"):
        return _opened_once(folder)


def _opened_once(folder: Path) -> tuple[FileIndex, StorageState]:
    try:
        # With the schema given, Whoosh does not unpickle the stored one.
        index = FileIndex(FileStorage(str(folder)), schema=SCHEMA)
        searcher = index.searcher()
        try:
            found = searcher.document(**{MARK: _MARKED})
        finally:
            searcher.close()
    except FileNotFoundError:
        raise
    except WHOOSH_ERRORS as error:
        raise LibraryError("The keyword index is damaged; it will be rebuilt.") from error
    stored = found.get(STATE) if found else None
    match stored:
        case (int(sequence), str(lineage), int(form), int(highest)):
            return index, StorageState(Watermark(sequence, lineage), form, highest)
    raise LibraryError("The keyword index is damaged; it will be rebuilt.")


def created(folder: Path, lineage: str) -> tuple[FileIndex, StorageState]:
    """Create an empty index in the folder, replacing its contents."""
    fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    private_folder(fresh)
    state = StorageState(Watermark(0, lineage), FORMAT, 0)
    # `create` ignores Whoosh's lock, hence the new folder.
    with writing(FileIndex.create(FileStorage(str(fresh)), SCHEMA)) as writer:
        mark(writer, state)
        writer.commit()
    with suppress(FileNotFoundError):
        folder.replace(old)
    fresh.replace(folder)
    _sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)  # on Windows a reader may still have it open: the next start tries again
    return FileIndex(FileStorage(str(folder)), schema=SCHEMA), state


def sweep(folder: Path) -> None:
    """Delete the leftovers of a killed writer; the next commit deletes orphaned segments itself."""
    for leftover in (
        folder / "MAIN.tmp",
        folder.with_name(folder.name + ".new"),
        folder.with_name(folder.name + ".old"),
    ):
        shutil.rmtree(leftover, ignore_errors=True)
    for unfinished in folder.glob("_MAIN_*.toc.*"):
        with suppress(OSError):
            unfinished.unlink()


def _sync(path: Path) -> None:
    """Write a file or folder through to the disk, where the system can."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def merge_like_sized(writer: SegmentWriter, segments: list[Segment]) -> list[Segment]:
    """Merge small segments once `MERGE_FACTOR` of about one size have gathered, and those that are mostly deleted.

    Quick enough for every commit: however many files are edited one by one, few segments stay. Return those.
    """
    kept = [segment for segment in segments if segment.doc_count() > 0]
    merging = [segment for segment in kept if _mostly_deleted(segment)]
    tiers: dict[int, list[Segment]] = {}
    for segment in kept:
        if segment not in merging:
            tiers.setdefault(_tier(segment.doc_count()), []).append(segment)
    for tier in sorted(tiers):
        # What the smaller tiers gave up joins this one in the same rewriting.
        if len(tiers[tier]) + bool(merging) >= MERGE_FACTOR:
            merging += _that_fit(tiers[tier], QUICK_MERGE - sum(segment.doc_count() for segment in merging))
    return _merge(writer, kept, merging)


def merge_at_rest(writer: SegmentWriter, segments: list[Segment]) -> list[Segment]:
    """Merge as many of the smaller segments as a few seconds allow; return the segments that stay."""
    return _merge(writer, segments, mergeable_at_rest(segments))


def merge_with_removed(writer: SegmentWriter, segments: list[Segment]) -> list[Segment]:
    """Rewrite the segments that have removed documents; return the others."""
    return _merge(writer, segments, [segment for segment in segments if segment.deleted_count()])


def mergeable_at_rest(segments: list[Segment]) -> list[Segment]:
    """Return the segments that `merge_at_rest` would merge; none if at most `FEW` are small."""
    small = [segment for segment in segments if segment.doc_count() <= LARGEST_MERGE // 2]
    return _that_fit(small, LARGEST_MERGE) if len(small) > FEW else []


def _merge(writer: SegmentWriter, segments: list[Segment], merging: list[Segment]) -> list[Segment]:
    for segment in merging:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in merging]


def _that_fit(group: list[Segment], room: int) -> list[Segment]:
    """Return the smallest segments that have at most `room` documents in total; none if that is only one."""
    chosen: list[Segment] = []
    for segment in sorted(group, key=Segment.doc_count):
        room -= segment.doc_count()
        if room < 0:
            break
        chosen.append(segment)
    return chosen if len(chosen) > 1 else []


def _mostly_deleted(segment: Segment) -> bool:
    return segment.deleted_count() > segment.doc_count() and segment.doc_count() <= QUICK_MERGE


def _tier(documents: int) -> int:
    tier = 0
    while documents > SMALLEST_TIER:
        documents //= MERGE_FACTOR
        tier += 1
    return tier
