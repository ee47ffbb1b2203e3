"""Stock Whoosh behind the interface of a keyword reader: evaluations and tests compare the product's engine with it.

An index is built in one commit and never changed.
"""

import json
import pickle
import shutil
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import assert_never

import numpy as np
import numpy.typing as npt
from whoosh.filedb.filestore import FileStorage, StorageError
from whoosh.index import FileIndex
from whoosh.index import IndexError as WhooshIndexError
from whoosh.matching import ListMatcher, Matcher, WrappingMatcher
from whoosh.query import (
    And,
    AndMaybe,
    AndNot,
    DisjunctionMax,
    Every,
    FuzzyTerm,
    Not,
    Or,
    Query,
    QueryError,
    Require,
    Span,
    SpanNear2,
    Term,
    Wildcard,
)
from whoosh.reading import IndexReader, ReaderClosed, TermNotFound
from whoosh.scoring import BaseScorer, WeightingModel, WeightLengthScorer, WeightScorer
from whoosh.searching import Searcher
from whoosh.writing import IndexingError, SegmentWriter

from desktop_rag.index.keywords import keyword_query as fields
from desktop_rag.index.keywords.error_mapping import mapped_errors
from desktop_rag.index.keywords.keyword_engine import IndexedChunks, KeywordDocument
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FilteredQuery,
    FuzzyQuery,
    IdQuery,
    InflectedQuery,
    KeywordQuery,
    MaxOfQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
    lucene_idf,
    of_contents,
    saturation,
)
from desktop_rag.index.keywords.keyword_schema import SCHEMA
from desktop_rag.index.keywords.proximity import side_by_side, windows
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.paths import private_folder
from desktop_rag.stop import Stop

# Makes Whoosh queries of keyword queries, for the stock engine.
#
# Five are our own: Whoosh's unordered `SpanNear2` limits each step separately and misses a word between two others, its
# `ColumnQuery` does not work under OR, its fuzzy words know no swapped letters, and it has no query for inflected forms
# and none that can be stopped.


def whoosh_query(query: KeywordQuery) -> Query:
    """Return the Whoosh query that finds and scores the same documents."""
    match query:
        case TermQuery(field, text, boost):
            return Term(field, text, boost)
        case AdjacentQuery(field, words, boost):
            return WhooshAdjacent([Term(field, word, boost) for word in words])
        case NearQuery(field, words, slop, boost):
            return WhooshNear(field, words, slop, boost)
        case PatternQuery(field, pattern, boost):
            return Wildcard(field, pattern, boost, constantscore=False)
        case FuzzyQuery(field, text, distance, boost):
            return WhooshFuzzy(field, text, boost, distance, constantscore=False)
        case InflectedQuery():
            return _inflected(query)
        case IdQuery(column, scores):
            return WhooshIds(column, scores)
        case AllOfQuery():
            return _all_of(query)
        case AnyOfQuery(parts):
            return Or(list(map(whoosh_query, parts)))
        case MaxOfQuery(parts):
            return DisjunctionMax(list(map(whoosh_query, parts)))
        case FilteredQuery(wanted, condition):
            return Require(whoosh_query(wanted), whoosh_query(condition))
    assert_never(query)


def _all_of(query: AllOfQuery) -> Query:
    parts = list(map(whoosh_query, query.required)) or [Every()]
    found = And(parts) if len(parts) > 1 else parts[0]
    if query.forbidden:
        # `AndNot` keeps its first document even if that is forbidden; `Not` under `And` adds 1 to the score.
        found = Require(found, Not(Or(list(map(whoosh_query, query.forbidden)))))
    for part in query.optional:
        found = AndMaybe(found, whoosh_query(part))
    return found


def _inflected(query: InflectedQuery) -> Query:
    others = of_contents(frozenset[ContentId]().union(*(contents for contents, _ in query.forms)))
    inside = [
        Require(Or([Term(query.forms_field, word) for word in words]), whoosh_query(of_contents(contents)))
        for contents, words in query.forms
        if words
    ]
    return Or([AndNot(Term(query.field, query.text), whoosh_query(others)), *inside], query.boost)


class WhooshFuzzy(FuzzyTerm):
    """Matches texts with a term within `maxdist` edits; for Whoosh, swapping two letters is two of them."""

    def _btexts(self, ixreader: IndexReader) -> Iterator[bytes]:
        from rapidfuzz.distance import OSA

        for term in ixreader.lexicon(self.fieldname):
            if OSA.distance(self.text, term.decode("utf-8"), score_cutoff=int(self.maxdist)) <= self.maxdist:
                yield term


class WhooshAdjacent(SpanNear2):
    """Matches texts in which the words of some term queries are side by side in this order."""

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        return _AdjacentMatcher([query.matcher(searcher, context) for query in self.qs])


class WhooshNear(SpanNear2):
    """Matches texts that hold all `words` with at most `slop` other words between the first and the last of them."""

    def __init__(self, fieldname: str, words: Sequence[str], slop: int, boost: float = 1.0) -> None:
        counts = Counter(words)
        super().__init__([Term(fieldname, word, boost) for word in counts], slop=slop, ordered=False)
        self.needed = tuple(counts.values())

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        return _NearMatcher([query.matcher(searcher, context) for query in self.qs], self.slop, self.needed)


class WhooshIds(Query):
    """Matches the documents whose id in `column` is among `scores`, each with the score given there."""

    def __init__(self, column: str, scores: Mapping[int, float]) -> None:
        self.column = column
        self.scores = scores

    def estimate_size(self, ixreader: IndexReader) -> int:
        """Return an upper bound of how many documents match."""
        return ixreader.doc_count_all()

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        del context
        reader = searcher.reader()
        numbers = reader.column_reader(self.column)
        documents = [document for document in reader.all_doc_ids() if numbers[document] in self.scores]
        return ListMatcher(documents, [self.scores[numbers[document]] for document in documents])


class StoppableQuery(Query):
    """Matches and scores what `query` does; its search ends with `Stopped` soon after the stop is set."""

    def __init__(self, query: Query, stop: Stop) -> None:
        self._query = query
        self._stop = stop

    def matcher(self, searcher: Searcher, context: object = None) -> Matcher:
        """Return the matcher of one segment."""
        self._stop.check()
        return _StoppableMatcher(self._query.matcher(searcher, context), self._stop)


class _AdjacentMatcher(SpanNear2.SpanNear2Matcher):
    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in side_by_side(_positions(self.ms))]


class _NearMatcher(SpanNear2.SpanNear2Matcher):
    def __init__(self, matchers: Sequence[Matcher], slop: int, needed: tuple[int, ...]) -> None:
        self._needed = needed
        super().__init__(matchers, slop=slop, ordered=False)

    def _get_spans(self) -> list[Span]:
        return [Span(first, last) for first, last in windows(_positions(self.ms), self._needed, self.slop)]


def _positions(matchers: Sequence[Matcher]) -> list[list[int]]:
    return [[span.start for span in matcher.spans()] for matcher in matchers]


class _StoppableMatcher(WrappingMatcher):
    def __init__(self, child: Matcher, stop: Stop) -> None:
        super().__init__(child)
        self._stop = stop

    def _replacement(self, newchild: Matcher) -> Matcher:
        return _StoppableMatcher(newchild, self._stop)

    def copy(self) -> Matcher:
        return _StoppableMatcher(self.child.copy(), self._stop)

    def next(self) -> None:
        self._stop.check()
        self.child.next()

    def skip_to(self, id: int) -> None:  # noqa: A002 - Whoosh's name
        self._stop.check()
        self.child.skip_to(id)

    def all_ids(self) -> Iterator[int]:
        for document in self.child.all_ids():
            self._stop.check()
            yield document


FORMAT = 5  # incremented when the schema or the analysis changes; another number means: rebuild
_WATERMARK = "watermark.json"  # written last: a folder without it is not complete
_MEMORY = 512  # MB; beyond it, Whoosh sorts postings on the disk

# What Whoosh raises on missing, truncated or damaged files: it parses them with struct, pickle and asserts.
_ERRORS = (
    OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, AssertionError, ImportError, struct.error,
    zlib.error, pickle.PickleError, WhooshIndexError, IndexingError, StorageError, ReaderClosed, TermNotFound,
    QueryError,
)  # fmt: skip

index_errors = partial(mapped_errors, errors=_ERRORS)


def build(folder: Path, documents: Iterable[KeywordDocument], watermark: Watermark) -> None:
    """Replace what is in `folder` by an index of `documents`."""
    with index_errors("written"):
        if folder.exists():
            shutil.rmtree(folder)
        private_folder(folder)
        writer = SegmentWriter(FileIndex.create(FileStorage(str(folder)), SCHEMA), limitmb=_MEMORY)
        try:
            for document in documents:
                _add(writer, document)
            writer.commit()
        except BaseException:
            writer.cancel()
            raise
        (folder / _WATERMARK).write_text(json.dumps([FORMAT, watermark.sequence, watermark.lineage]), encoding="utf-8")


def _add(writer: SegmentWriter, document: KeywordDocument) -> None:
    values: dict[str, object] = {
        fields.CHUNK: int(document.chunk),
        fields.CONTENT: int(document.content),
        fields.TITLE: document.title,
        fields.HEADINGS: document.headings,
        fields.TEXT_EXACT: document.text,
        fields.TEXT_STEM: document.text,
    }
    writer.add_document(**values)


def stored_watermark(folder: Path) -> Watermark:
    """Return the watermark of the index in a folder; (0, "") without an index of this format."""
    try:
        stored = json.loads((folder / _WATERMARK).read_bytes())
    except (OSError, ValueError):
        stored = None
    match stored:
        case [form, int(sequence), str(lineage)] if form == FORMAT:
            return Watermark(sequence, lineage)
    return Watermark(0, "")


class StockKeywordReader:
    """Searches an index; finds nothing in a folder without one. Raise `LibraryError` if it is damaged."""

    def __init__(self, folder: Path) -> None:
        self._watermark = stored_watermark(folder)
        self._searcher: Searcher | None = None
        self._chunks = self._contents = np.empty(0, np.uint64)  # by document number
        if self._watermark.lineage:
            with index_errors("read"):
                # With the schema given, Whoosh does not unpickle the stored one.
                reader = FileIndex(FileStorage(str(folder)), schema=SCHEMA).reader()
                self._chunks, self._contents = _column(reader, fields.CHUNK), _column(reader, fields.CONTENT)
                self._searcher = Searcher(reader, LuceneBM25())

    @property
    def watermark(self) -> Watermark:
        """Return the watermark of the index; (0, "") without one."""
        return self._watermark

    def refresh(self) -> bool:
        """Return False: the index does not change."""
        return False

    def close(self) -> None:
        """Close the files."""
        if self._searcher is not None:
            self._searcher.close()
        self._searcher = None

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        """Return the best `limit` chunks (of the `allowed` contents) with their scores, best first."""
        if self._searcher is None or limit < 1:
            return []
        documents: set[int] | None = None
        if allowed is not None:
            wanted = np.fromiter(allowed, np.uint64, len(allowed))
            documents = set(np.flatnonzero(np.isin(self._contents, wanted)).tolist())
            if not documents:
                return []
        with index_errors("searched"):
            asked = StoppableQuery(whoosh_query(query), stop or Stop())
            found = self._searcher.search(asked, limit=limit, filter=documents)
            hits = [(ChunkId(int(self._chunks[document])), score) for document, score in found.items()]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def contents(
        self, query: KeywordQuery, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> npt.NDArray[np.int64]:
        """Return the contents (of the `allowed` ones) with a matching chunk, each once."""
        found = [chunk for chunk, _ in self.search(query, max(1, len(self._chunks)), allowed, stop)]
        return np.unique(self._contents[np.isin(self._chunks, np.array(found, np.uint64))]).astype(np.int64)

    def matched(self, queries: Sequence[KeywordQuery], stop: Stop) -> Iterator[bool]:
        """Return for each query whether it finds a chunk."""
        return (bool(self.search(query, 1, None, stop)) for query in queries)

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return the exact terms of texts that begin with `prefix` (folded already), sorted."""
        if self._searcher is None:
            return []
        with index_errors("read"):
            found = self._searcher.reader().expand_prefix(fields.TEXT_EXACT, prefix)
            return [term.decode() for term, _ in zip(found, range(limit), strict=False)]

    def chunks(self) -> frozenset[ChunkId]:
        """Return every chunk in the index."""
        return frozenset(map(ChunkId, self._chunks.tolist()))

    def indexed_chunks(self) -> IndexedChunks:
        """Return every chunk in the index with its content."""
        return IndexedChunks(self._chunks, self._contents)

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """Return infinite bounds: computing them with stock Whoosh takes longer than reading the texts."""
        del keyword
        stop.check()
        return np.full(len(self._chunks), np.inf, np.float32)


def _column(reader: IndexReader, name: str) -> npt.NDArray[np.uint64]:
    """Return the ids of all documents by document number."""
    ids: list[int] = []
    for leaf, _ in reader.leaf_readers():
        if leaf.doc_count_all():
            values = leaf.column_reader(name, translate=False)
            ids += (values[document] for document in range(leaf.doc_count_all()))
    return np.array(ids, np.uint64)


class LuceneBM25(WeightingModel):
    """BM25 (Robertson and Zaragoza 2009) with k1 1.2, b 0.75."""

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Return the idf of a term over all segments."""
        whole = searcher.get_parent()
        return lucene_idf(whole.doc_count_all(), whole.doc_frequency(fieldname, text))

    def scorer(self, searcher: Searcher, fieldname: str, text: str | bytes, qf: float = 1) -> BaseScorer:
        """Return the scorer of one term for the documents of one segment."""
        if not searcher.schema[fieldname].scorable:
            return WeightScorer.for_(searcher, fieldname, text)
        whole = searcher.get_parent()
        average = whole.field_length(fieldname) / max(whole.doc_count_all(), 1)
        return _TermScorer(searcher, fieldname, text, whole.idf(fieldname, text), average or 1.0)


class _TermScorer(WeightLengthScorer):
    def __init__(self, searcher: Searcher, fieldname: str, text: str | bytes, idf: float, average: float) -> None:
        self._idf = idf
        self._average = average
        self.setup(searcher, fieldname, text)

    def _score(self, weight: float, length: float) -> float:
        return self._idf * saturation(weight, length / self._average)
