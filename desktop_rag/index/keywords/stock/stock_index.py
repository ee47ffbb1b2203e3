"""The keyword index held by stock Whoosh: the reference engine of tests and evaluations.

Like the columnar index it is a copy of the catalog's chunks that can be rebuilt at any time. Each commit stores its
watermark in a document of its own, which no search returns.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
from whoosh.index import FileIndex
from whoosh.reading import IndexReader
from whoosh.scoring import BaseScorer, WeightingModel, WeightLengthScorer, WeightScorer
from whoosh.searching import Searcher
from whoosh.writing import SegmentWriter

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords import keyword_schema as fields
from desktop_rag.index.keywords.bm25 import lucene_idf, saturation
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordDocument
from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.keywords.stock.durable_storage import (
    FORMAT,
    StorageState,
    created,
    index_errors,
    last_commit,
    mark,
    merge_at_rest,
    merge_like_sized,
    merge_with_removed,
    mergeable_at_rest,
    opened,
    sweep,
    writing,
)
from desktop_rag.index.keywords.stock.whoosh_queries import StoppableQuery, whoosh_query
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.stop import Stop


class StockKeywordWriter:
    """The one writer; each `apply` is one commit."""

    def __init__(self, folder: Path, index: FileIndex, state: "StorageState") -> None:
        self._folder = folder
        self._index = index
        self._state = state
        self._settled = False

    @classmethod
    def open(cls, folder: Path, lineage: str, *, rebuild: bool = False) -> Self:
        """Open the index of the catalog `lineage`.

        See `keyword_engine.keyword_writer`.
        """
        with suppress(LibraryError):
            if not rebuild:
                index, state = opened(folder)
                if state.watermark.lineage == lineage and state.format == FORMAT:
                    sweep(folder)
                    return cls(folder, index, state)
        with index_errors("created"):
            return cls(folder, *created(folder, lineage))

    @property
    def watermark(self) -> Watermark:
        """Return the last change of the catalog that the index contains."""
        return self._state.watermark

    def apply(self, add: Iterable[KeywordDocument], remove: Iterable[ChunkId], watermark: Watermark) -> None:
        """Add or replace documents, remove others, and move the watermark: all of it or, on an error, none.

        A chunk that is both added and removed is replaced.
        """
        documents = {document.chunk: document for document in add}
        highest = max((self._state.highest, *documents))
        # Ids are given in ascending order and only once: a chunk above all known ones is surely not there yet.
        gone = {chunk for chunk in (*documents, *remove) if chunk <= self._state.highest}
        state = StorageState(watermark, FORMAT, highest)
        with index_errors("written"), writing(self._index) as writer:
            for chunk in sorted(gone):
                writer.delete_by_term(fields.CHUNK, chunk)
            for document in documents.values():
                _add(writer, document)
            mark(writer, state)
            writer.commit(mergetype=merge_like_sized)
        self._state = state
        self._settled = False

    def tend(self) -> bool:
        """Do nothing: each commit merges its segments itself."""
        return False

    def settle(self) -> bool:
        """Merge some small segments into one, for idle times; return whether there may be more to merge.

        Takes a few seconds if there is something to merge.
        """
        if self._settled:
            return False
        with index_errors("written"), writing(self._index) as writer:
            if mergeable_at_rest(writer.segments):
                writer.commit(mergetype=merge_at_rest)
            else:
                self._settled = True
        return not self._settled

    def purge(self) -> None:
        """Rewrite the index so that no byte of removed documents is left in its files."""
        with index_errors("written"):
            with writing(self._index) as writer:
                writer.commit(mergetype=merge_with_removed)
            sweep(self._folder)


class StockKeywordReader:
    """Searches the last commit seen by `refresh`; finds nothing in a folder without an index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._searcher: Searcher | None = None
        self._seen: tuple[int, int] | None = None
        self._watermark = Watermark(0, "")
        self._columns: dict[tuple[str, str], npt.NDArray[np.uint64]] = {}
        self._allowed: frozenset[ContentId] | None = None
        self._allowed_documents: set[int] = set()
        self.refresh()

    @property
    def watermark(self) -> Watermark:
        """Return the watermark of the commit that is searched; (0, "") without an index."""
        return self._watermark

    def refresh(self) -> bool:
        """Look for a newer commit; return whether there was one. Raise `LibraryError` if it cannot be read."""
        seen = last_commit(self._folder)
        if seen == self._seen:
            return False
        self.close()
        if seen is not None:
            # A fresh searcher: `Searcher.refresh` of whoosh-reloaded 2.7.5 restores deleted documents.
            index, state = opened(self._folder)
            with index_errors("read"):
                reader = index.reader()
                self._load_columns(reader)
                weighting = LuceneBM25(int(np.count_nonzero(self._column(fields.CHUNK))))
                self._searcher = Searcher(reader, weighting)
            self._watermark = state.watermark
        self._seen = seen
        return True

    def close(self) -> None:
        """Close the files."""
        if self._searcher is not None:
            self._searcher.close()
        self._searcher = None
        self._seen = None
        self._watermark = Watermark(0, "")
        self._allowed = None

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        """Return the best `limit` chunks (of the `allowed` contents) with their scores, best first."""
        searcher = self._searcher
        if searcher is None or limit < 1 or (allowed is not None and not allowed):
            return []
        with index_errors("searched"):
            # One more than asked for: a query with forbidden words also finds the watermark document.
            documents = self._documents_of(allowed)
            if documents is not None and not documents:
                return []
            asked = StoppableQuery(whoosh_query(query), stop or Stop())
            found = searcher.search(asked, limit=limit + 1, filter=documents)
            chunks = self._column(fields.CHUNK)
            hits = [(ChunkId(int(chunks[document])), score) for document, score in found.items()]
        hits = [hit for hit in hits if hit[0]]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return the exact terms of texts that begin with `prefix` (folded already), sorted."""
        if self._searcher is None:
            return []
        with index_errors("read"):
            found = self._searcher.reader().expand_prefix(fields.TEXT_EXACT, prefix)
            return [term.decode() for term, _ in zip(found, range(limit), strict=False)]

    def chunks(self) -> frozenset[ChunkId]:
        """Return every chunk in the index."""
        return frozenset(map(ChunkId, self.indexed_chunks().chunks.tolist()))

    def indexed_chunks(self) -> IndexedChunks:
        """Return every chunk in the index with its content."""
        if self._searcher is None:
            return IndexedChunks(np.empty(0, np.uint64), np.empty(0, np.uint64))
        with index_errors("read"):
            documents = np.fromiter(self._searcher.reader().all_doc_ids(), np.int64)
            chunks, contents = self._column(fields.CHUNK)[documents], self._column(fields.CONTENT)[documents]
            return IndexedChunks(chunks[chunks > 0], contents[chunks > 0])

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """Return infinite bounds: computing them with stock Whoosh takes longer than reading the texts."""
        del keyword
        stop.check()
        return np.full(len(self.indexed_chunks().chunks), np.inf, np.float32)

    def _load_columns(self, reader: IndexReader) -> None:
        """Read the id columns of new segments; those of known segments are kept, because segments never change."""
        columns: dict[tuple[str, str], npt.NDArray[np.uint64]] = {}
        for leaf, _ in reader.leaf_readers():
            for name in (fields.CHUNK, fields.CONTENT):
                key = (name, leaf.segment().segment_id())
                column = self._columns.get(key)
                if column is None:
                    values = leaf.column_reader(name, translate=False)
                    column = np.fromiter((values[i] for i in range(leaf.doc_count_all())), np.uint64)
                columns[key] = column
        self._columns = columns

    def _column(self, name: str) -> npt.NDArray[np.uint64]:
        """Return the ids of all documents by document number, including deleted ones; 0 for the watermark document."""
        parts = [column for (of, _), column in self._columns.items() if of == name]
        return np.concatenate(parts) if parts else np.empty(0, np.uint64)

    def _documents_of(self, allowed: frozenset[ContentId] | None) -> set[int] | None:
        if allowed is None:
            return None
        if allowed != self._allowed:
            wanted = np.fromiter(allowed, np.uint64, len(allowed))
            documents = np.flatnonzero(np.isin(self._column(fields.CONTENT), wanted))
            self._allowed, self._allowed_documents = allowed, set(documents.tolist())
        return self._allowed_documents


def _add(writer: SegmentWriter, document: KeywordDocument) -> None:
    writer.add_document(
        **{
            fields.CHUNK: int(document.chunk),
            fields.CONTENT: int(document.content),
            fields.TITLE: document.title,
            fields.HEADINGS: document.headings,
            fields.TEXT_EXACT: document.text,
            fields.TEXT_STEM: document.text,
        }
    )


class LuceneBM25(WeightingModel):
    """BM25 (Robertson and Zaragoza 2009) with k1 1.2, b 0.75 over `documents` documents.

    Whoosh's own count would include the watermark document.
    """

    def __init__(self, documents: int) -> None:
        self._documents = max(documents, 1)

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Return the idf of a term over all segments."""
        return lucene_idf(self._documents, searcher.get_parent().doc_frequency(fieldname, text))

    def scorer(self, searcher: Searcher, fieldname: str, text: str | bytes, qf: float = 1) -> BaseScorer:
        """Return the scorer of one term for the documents of one segment."""
        if not searcher.schema[fieldname].scorable:
            return WeightScorer.for_(searcher, fieldname, text)
        whole = searcher.get_parent()
        average = whole.field_length(fieldname) / self._documents
        return _TermScorer(searcher, fieldname, text, whole.idf(fieldname, text), average or 1.0)


class _TermScorer(WeightLengthScorer):
    def __init__(self, searcher: Searcher, fieldname: str, text: str | bytes, idf: float, average: float) -> None:
        self._idf = idf
        self._average = average
        self.setup(searcher, fieldname, text)

    def _score(self, weight: float, length: float) -> float:
        return self._idf * saturation(weight, length / self._average)
