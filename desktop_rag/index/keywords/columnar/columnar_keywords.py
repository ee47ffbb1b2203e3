"""Writer and reader of a library's columnar keyword index: a copy of the catalog's chunks with a watermark.

It may be deleted or damaged at any time and is then rebuilt from the catalog, so it stores nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import LibraryError, OutOfMemory
from desktop_rag.index.keywords import keyword_query as fields
from desktop_rag.index.keywords.columnar.codec import ColumnarSegment
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.columnar_writer import writing
from desktop_rag.index.keywords.columnar.execution.executor import matching, search
from desktop_rag.index.keywords.columnar.execution.query_planner import QueryPlanner
from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.substring_bounds import occurrence_bounds
from desktop_rag.index.keywords.columnar.merge_policy import AT_REST, BUSY, SegmentMerger
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Mask, are_among
from desktop_rag.index.keywords.columnar.segments.segment_file import is_damaged
from desktop_rag.index.keywords.columnar.segments.segment_table import NAME, Version, current_version, read, sweep
from desktop_rag.index.keywords.error_mapping import mapped_errors
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordDocument
from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.keywords.keyword_schema import SCHEMA
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.processes.shortage import is_shortage
from desktop_rag.stop import Stop

STEP_SECONDS = 0.1  # of a merge, between other work

_MOST_KNOWN_TERMS = 25_000  # cached with their prefix; while the user types, the same ones are looked up
# Errors of files, and of numpy on damaged bytes.
_ERRORS = (OSError, ValueError, LookupError, TypeError, MemoryError, OverflowError)


Number = TypeVar("Number", bound=np.generic)


index_errors = partial(mapped_errors, errors=_ERRORS)


class ColumnarKeywordWriter:
    """The one writer; each `apply` is one commit."""

    def __init__(self, index: ColumnarIndex, watermark: Watermark) -> None:
        self._index = index
        self._merger = SegmentMerger(index)
        self._watermark = watermark

    @classmethod
    def open(cls, folder: Path, lineage: str, *, rebuild: bool = False) -> Self:
        """Open the index of the catalog `lineage`.

        One that is missing, damaged, of another catalog or of another format (with `rebuild`: any) is replaced by an
        empty one with the watermark (0, lineage): everything must then be applied again.
        """
        try:
            if not rebuild:
                index = ColumnarIndex(folder, SCHEMA)
                contents, _ = index.current()
                if contents.watermark.lineage == lineage:
                    sweep(folder, contents)
                    return cls(index, contents.watermark)
        except LibraryError as error:
            if is_shortage(error):
                raise OutOfMemory("Memory is too short to open the keyword index. Close other programs.") from error
        watermark = Watermark(0, lineage)
        with index_errors("created"):
            return cls(ColumnarIndex.begin(folder, SCHEMA, watermark), watermark)

    @property
    def watermark(self) -> Watermark:
        """Return the last change of the catalog that the index contains."""
        return self._watermark

    def apply(self, add: Iterable[KeywordDocument], remove: Iterable[ChunkId], watermark: Watermark) -> None:
        """Add or replace documents, remove others, and move the watermark: all of it or, on an error, none.

        A chunk that is both added and removed is replaced. Raise `LibraryError` if that cannot be done.
        """
        documents = {document.chunk: document for document in add}
        with index_errors("written"), writing(self._index) as writer:
            # Ids are given in ascending order and only once: a chunk above all known ones is surely not there yet.
            writer.delete_numbers(fields.CHUNK, {chunk for chunk in (*documents, *remove) if chunk <= writer.highest})
            for document in documents.values():
                values: dict[str, object] = {
                    fields.CHUNK: document.chunk,
                    fields.CONTENT: document.content,
                    fields.TITLE: document.title,
                    fields.HEADINGS: document.headings,
                    fields.TEXT_EXACT: document.text,
                }
                writer.add_document(**values)
            writer.highest = max((writer.highest, *documents))
            writer.watermark = watermark
            writer.commit()
        self._merger.committed()
        self._watermark = watermark

    def tend(self) -> bool:
        """Merge for a moment if there are many segments, longer if too many; return whether there is more to do."""
        with index_errors("written"):
            while self._merger.run(BUSY, STEP_SECONDS):
                if not self._merger.is_overdue():
                    return True
        return False

    def settle(self) -> bool:
        """Merge for a moment; return whether there is more to do."""
        with index_errors("written"):
            return self._merger.run(AT_REST, STEP_SECONDS)

    def purge(self) -> None:
        """Rewrite the segments that have removed documents, so that no byte of these is left in the files."""
        with index_errors("written"):
            self._merger.rewrite()


class ColumnarKeywordReader:
    """Searches the last commit seen by `refresh`; finds nothing in a folder without an index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = ColumnarIndex(folder, SCHEMA)
        self._segments: list[ColumnarSegment] = []
        self._reader = IndexReader((), LUCENE)
        self._seen: Version | None = None
        self._watermark = Watermark(0, "")
        self._allowed: frozenset[ContentId] | None = None
        self._masks: dict[SegmentReader, Mask | None] = {}
        self._beginning_so: dict[tuple[str, int], list[str]] = {}
        self._known_terms = 0  # in it
        self._indexed: IndexedChunks | None = None  # of this commit, for searches of substrings
        self.refresh()

    @property
    def watermark(self) -> Watermark:
        """Return the watermark of the commit that is searched; (0, "") without an index."""
        return self._watermark

    def refresh(self) -> bool:
        """Look for a newer commit; return whether there was one. Raise `LibraryError` if it cannot be read."""
        seen = current_version(self._folder)
        if seen is None and (self._folder / NAME).exists():
            self._index.contents()  # raises the reason
        if seen == self._seen:
            return False
        before = self._reader
        self.close()
        if seen is not None:
            with index_errors("read"):
                contents, self._segments = self._index.current()
                self._reader = IndexReader([segment.arrays for segment in self._segments], LUCENE, before)
                self._masks = self._allowing(None)
            self._watermark = contents.watermark
            seen = contents.version
        self._seen = seen
        return True

    def close(self) -> None:
        """Close the files."""
        self._segments = []
        self._reader = IndexReader((), LUCENE)
        self._seen = None
        self._watermark = Watermark(0, "")
        self._allowed = None
        self._beginning_so.clear()
        self._known_terms = 0
        self._indexed = None

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        """Return the best `limit` chunks (of the `allowed` contents) with their scores, best first."""
        if not self._reader.segments or limit < 1 or (allowed is not None and not allowed):
            return []
        stop = stop or Stop()
        with index_errors("searched"):
            node = QueryPlanner(self._reader, stop).node(query)
            found = search(self._reader, node, limit, fields.CHUNK, self._allowed_masks(allowed), stop)
        return [(ChunkId(chunk), score) for chunk, score in found]

    def contents(
        self, query: KeywordQuery, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> npt.NDArray[np.int64]:
        """Return the contents (of the `allowed` ones) with a matching chunk, each once."""
        stop = stop or Stop()
        with index_errors("searched"):
            node = QueryPlanner(self._reader, stop).node(query)
            found = matching(self._reader, node, self._allowed_masks(allowed), stop)
            held = [segment.arrays.columns[fields.CONTENT].take(documents) for segment, documents in found]
        every = np.concatenate(held).astype(np.int64) if held else np.empty(0, np.int64)
        flags = np.zeros(int(every.max(initial=0)) + 1, np.bool_)  # a tenth of the time of numpy's `unique`
        flags[every] = True
        return np.flatnonzero(flags)

    def matched(self, queries: Sequence[KeywordQuery], stop: Stop) -> Iterator[bool]:
        """Return for each query whether it finds a chunk."""
        return (bool(self.search(query, 1, None, stop)) for query in queries)

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return the exact terms of texts that begin with `prefix` (folded already), sorted."""
        known = self._beginning_so.get((prefix, limit))
        if known is None:
            found: set[bytes] = set()
            with index_errors("read"):
                for segment in self._segments:
                    vocabulary = segment.arrays.fields[fields.TEXT_EXACT].vocabulary
                    first, last = vocabulary.prefixed(prefix.encode())
                    found.update(vocabulary[first : min(last, first + limit)])
                known = [term.decode() for term in islice(sorted(found), limit)]
            self._known_terms += 1 + len(known)
            if self._known_terms > _MOST_KNOWN_TERMS:
                self._beginning_so.clear()
                self._known_terms = len(known)
            self._beginning_so[prefix, limit] = known
        return known

    def chunks(self) -> frozenset[ChunkId]:
        """Return every chunk in the index."""
        return frozenset(map(ChunkId, self.indexed_chunks().chunks.tolist()))

    def indexed_chunks(self) -> IndexedChunks:
        """Return every chunk in the index with its content."""
        if self._indexed is None:
            segments = self._reader.segments
            with index_errors("read"):
                chunks, contents = (
                    _joined(segments, [segment.arrays.columns[name] for segment in segments], np.uint64)
                    for name in (fields.CHUNK, fields.CONTENT)
                )
            chunks.flags.writeable = contents.flags.writeable = False
            self._indexed = IndexedChunks(chunks, contents)
        return self._indexed

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """Return for each chunk an upper bound of how often it contains `keyword`, also inside words."""
        segments = self._reader.segments
        with index_errors("searched"):
            bounds = [occurrence_bounds(segment, fields.TEXT_EXACT, keyword, stop) for segment in segments]
            return _joined(segments, bounds, np.float32)

    def _allowed_masks(self, allowed: frozenset[ContentId] | None) -> Mapping[SegmentReader, Mask | None]:
        if allowed != self._allowed:
            self._allowed, self._masks = allowed, self._allowing(allowed)
        return self._masks

    def _allowing(self, allowed: frozenset[ContentId] | None) -> dict[SegmentReader, Mask | None]:
        """Return for each segment which documents are not deleted and of the `allowed` contents; None means all."""
        wanted = None if allowed is None else np.fromiter(allowed, np.uint64, len(allowed))
        masks: dict[SegmentReader, Mask | None] = {}
        for segment in self._reader.segments:
            deleted = segment.arrays.deleted
            masks[segment] = None if deleted is None else ~deleted
            if wanted is not None:
                held = are_among(segment.arrays.columns[fields.CONTENT], wanted)
                masks[segment] = held if deleted is None else held & ~deleted
        return masks


def _joined(
    segments: Sequence[SegmentReader], values: Sequence[npt.NDArray[Number]], kind: type[Number]
) -> npt.NDArray[Number]:
    """Return the values of all documents that are not deleted."""
    masks = [segment.arrays.deleted for segment in segments]
    kept = [every if mask is None else every[~mask] for every, mask in zip(values, masks, strict=True)]
    return np.concatenate(kept) if kept else np.empty(0, kind)


def damaged_files(folder: Path) -> list[str]:
    """Return the files of the index whose checksums are wrong; reads every byte."""
    try:
        contents = read(folder)
    except LibraryError:
        return [NAME] if (folder / NAME).exists() else []
    return sorted(entry.filename for entry in contents.segments if is_damaged(folder / entry.filename, entry.seal))
