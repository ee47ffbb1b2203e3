"""Our columnar index and stock Whoosh over the same plain words."""

from collections.abc import Sequence
from pathlib import Path

from whoosh.analysis import LowercaseFilter, RegexTokenizer
from whoosh.fields import NUMERIC, Schema
from whoosh.fields import TEXT as TEXTS
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.query import And, FuzzyTerm, Not, Or, Phrase, Prefix, Query, Term
from whoosh.searching import Searcher
from whoosh.writing import SegmentWriter

from benchmarks.keywords.keyword_engines import KEY, TEXT
from benchmarks.keywords.keyword_queries import Kind, SampleQuery
from benchmarks.keywords.plain_text import plain_field
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.columnar_writer import writing
from desktop_rag.index.keywords.columnar.execution.executor import search
from desktop_rag.index.keywords.columnar.execution.query_planner import QueryPlanner
from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader
from desktop_rag.index.keywords.columnar.merge_policy import AT_REST, SegmentMerger
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FuzzyQuery,
    KeywordQuery,
    PatternQuery,
    TermQuery,
)
from desktop_rag.index.records import Watermark
from desktop_rag.stop import Stop


class Ours:
    """The columnar index with its executor."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader: IndexReader | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Write it and merge as far as the product does in idle times."""
        index = ColumnarIndex.begin(self._folder, _our_schema(), Watermark(0, ""))
        with writing(index) as writer:
            for number, passage in enumerate(passages, start=1):
                writer.add_document(**{KEY: number, TEXT: passage})
            writer.commit()
        merger = SegmentMerger(index)
        while merger.run(AT_REST, seconds=60):
            pass

    def open(self) -> None:
        """Map the segments."""
        _, segments = ColumnarIndex(self._folder, _our_schema()).current()
        self._reader = IndexReader([segment.arrays for segment in segments], LUCENE)

    def best(self, query: SampleQuery, count: int) -> list[int]:
        """Run the executor."""
        assert self._reader is not None
        stop = Stop()
        node = QueryPlanner(self._reader, stop).node(our_query(query))
        return [
            number for number, _ in search(self._reader, node, count, KEY, dict.fromkeys(self._reader.segments), stop)
        ]

    def close(self) -> None:
        """Close the files."""
        self._reader = None


class StockWhoosh:
    """Unmodified Whoosh with its own ranking."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._searcher: Searcher | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Write everything in one commit."""
        self._folder.mkdir(parents=True)
        number = NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True, default=0)
        schema = Schema(**{KEY: number, TEXT: TEXTS(RegexTokenizer(r"\w+") | LowercaseFilter())})
        writer = SegmentWriter(FileIndex.create(FileStorage(str(self._folder)), schema), limitmb=512)
        for place, passage in enumerate(passages, start=1):
            writer.add_document(**{KEY: place, TEXT: passage})
        writer.commit()

    def open(self) -> None:
        """Open a searcher."""
        self._searcher = FileIndex(FileStorage(str(self._folder))).searcher()

    def best(self, query: SampleQuery, count: int) -> list[int]:
        """Search."""
        assert self._searcher is not None
        found = self._searcher.search(stock_query(query), limit=count).items()
        return [document + 1 for document, _ in found]

    def close(self) -> None:
        """Close the searcher."""
        if self._searcher is not None:
            self._searcher.close()


def our_query(query: SampleQuery) -> KeywordQuery:
    """Return the query for our index."""
    words = query.words
    match query.kind:
        case Kind.PHRASE:
            return AdjacentQuery(TEXT, words)
        case Kind.PREFIX:
            return PatternQuery(TEXT, f"{words[0]}*")
        case Kind.FUZZY:
            return FuzzyQuery(TEXT, words[0], 1)
    terms = tuple(TermQuery(TEXT, word) for word in words)
    if query.kind is Kind.TERM:
        return terms[0]
    if query.kind is Kind.OR5:
        return AnyOfQuery(terms)
    return AllOfQuery(terms[:1], terms[1:]) if query.kind is Kind.NOT else AllOfQuery(terms)


def stock_query(query: SampleQuery) -> Query:
    """Return the query for Whoosh."""
    words = query.words
    match query.kind:
        case Kind.PHRASE:
            return Phrase(TEXT, words)
        case Kind.PREFIX:
            return Prefix(TEXT, words[0], constantscore=False)
        case Kind.FUZZY:
            return FuzzyTerm(TEXT, words[0], prefixlength=0, constantscore=False)
    terms = [Term(TEXT, word) for word in words]
    if query.kind is Kind.TERM:
        return terms[0]
    if query.kind is Kind.OR5:
        return Or(terms)
    return And([terms[0], Not(terms[1])] if query.kind is Kind.NOT else terms)


def _our_schema() -> Schema:

    number = NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True, default=0)
    return Schema(**{KEY: number, TEXT: plain_field()})
