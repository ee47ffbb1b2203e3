"""Whoosh's queries and readers give the same results on a columnar index as on a stock one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from whoosh.fields import NUMERIC, STORED, TEXT, FieldConfigurationError, FieldType, Schema, UnknownFieldError
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.query import (
    And,
    AndMaybe,
    AndNot,
    ConstantScoreQuery,
    DisjunctionMax,
    Every,
    FuzzyTerm,
    Not,
    NumericRange,
    Or,
    Otherwise,
    Phrase,
    Prefix,
    Query,
    Regex,
    Require,
    SpanNear2,
    Term,
    TermRange,
    Variations,
    Wildcard,
)
from whoosh.scoring import TF_IDF
from whoosh.searching import Searcher
from whoosh.writing import IndexingError, SegmentWriter

from benchmarks.keywords.stock_index import WhooshNear
from benchmarks.keywords.whoosh_reading import whoosh_reader
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.columnar_writer import ColumnarWriter, writing
from desktop_rag.index.keywords.keyword_schema import SCHEMA
from desktop_rag.index.records import Watermark
from tests.integration.index.keywords.keyword_samples import EGGS, NOTICE, RENT

TEXTS = [
    RENT,
    NOTICE,
    EGGS,
    "rents and rented rooms, one month each",
    "a rent, a month; a rent",
    "the tenants’ day",
    "",
]
QUERIES: list[Query] = [
    Term("text", "rent"),
    Term("text", "nowhere"),
    Term("stem", "month"),
    Term("title", "note"),
    Term("chunk", 3),
    And([Term("text", "rent"), Term("text", "month")]),
    Or([Term("text", "eggs"), Term("stem", "month"), Term("text", "party")]),
    And([Term("text", "the"), Not(Term("text", "rent"))]),
    AndNot(Every(), Term("stem", "rent")),
    AndMaybe(Term("text", "the"), Term("text", "month")),
    Require(Term("text", "the"), Term("text", "day")),
    DisjunctionMax([Term("text", "rent"), Term("stem", "rent")]),
    ConstantScoreQuery(Term("text", "rent"), 2.5),
    Phrase("text", ["each", "month"]),
    Phrase("text", ["rent", "month"], slop=3),
    Prefix("text", "mon"),
    Wildcard("text", "r*t?"),
    Regex("text", "ren[td]s?"),
    FuzzyTerm("text", "rant", maxdist=1),
    FuzzyTerm("text", "contrat", maxdist=2, prefixlength=3),
    TermRange("text", "m", "n"),
    NumericRange("chunk", 2, 4),
    Variations("text", "rent"),
    Otherwise(Term("text", "nowhere"), Term("text", "rent")),
    Every(),
    Every("title"),
    SpanNear2([Term("text", "rent"), Term("text", "month")], slop=12),
    WhooshNear("text", ["month", "rent"], 4),
]


def values(number: int, text: str) -> dict[str, object]:
    title = "A note" if number % 2 else ""
    return {"chunk": number, "content_id": number // 3 + 1, "title": title, "headings": "Part 1", "text": text}


@pytest.fixture
def stock(tmp_path: Path) -> Searcher:
    folder = tmp_path / "stock"
    folder.mkdir()
    index = FileIndex.create(FileStorage(str(folder)), SCHEMA)
    for half in (0, 1):
        writer = SegmentWriter(index)
        if half:
            writer.delete_by_term("chunk", 2)
        for number, text in enumerate(TEXTS, start=1):
            if number % 2 == half:
                writer.add_document(**values(number, text), stem=text)
        writer.commit(merge=False)
    return index.searcher(weighting=TF_IDF())


@pytest.fixture
def columnar(tmp_path: Path) -> Searcher:
    index = ColumnarIndex.begin(tmp_path / "columnar", SCHEMA, Watermark(0, ""))
    for half in (0, 1):
        with writing(index) as writer:
            if half:
                writer.delete_numbers("chunk", [2])
            for number, text in enumerate(TEXTS, start=1):
                if number % 2 == half:
                    writer.add_document(**values(number, text))
            writer.commit()
    return Searcher(whoosh_reader(index), weighting=TF_IDF())


def hits(searcher: Searcher, query: Query) -> dict[int, object]:
    chunks = searcher.reader().column_reader("chunk")
    return {chunks[number]: pytest.approx(score) for number, score in searcher.search(query, limit=None).items()}


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_a_whoosh_query_finds_and_scores_as_in_a_stock_index(stock: Searcher, columnar: Searcher, query: Query) -> None:
    assert hits(columnar, query) == hits(stock, query)


Ask = Callable[[Searcher], object]
ASKED: dict[str, Ask] = {
    "terms": lambda s: sorted(s.reader().all_terms()),
    "lexicon": lambda s: list(s.reader().lexicon("text")),
    "prefix": lambda s: list(s.reader().expand_prefix("text", "m")),
    "counts": lambda s: [s.reader().frequency("text", t) for t in s.reader().lexicon("text")],
    "documents": lambda s: [s.reader().doc_frequency("stem", t) for t in s.reader().lexicon("stem")],
    "total": lambda s: [s.reader().field_length(name) for name in ("text", "title", "stem", "chunk")],
    "sizes": lambda s: (s.reader().doc_count(), s.reader().doc_count_all(), s.reader().has_deletions()),
    "ids": lambda s: list(s.reader().all_doc_ids()),
    "column": lambda s: list(s.reader().column_reader("content_id")),
    "fields": lambda s: sorted(s.reader().indexed_field_names()),
    "number": lambda s: s.document_number(chunk=3),
    "most frequent": lambda s: s.reader().most_frequent_terms("text", 3),
    "corrections": lambda s: sorted(s.reader().terms_within("text", "rant", 1)),
    "weight": lambda s: s.reader().term_info("text", "rent").weight(),
    "sorted": lambda s: [n for n, _ in s.search(Every(), limit=None, sortedby="chunk", reverse=True).items()],
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
def test_a_whoosh_reader_answers_as_on_a_stock_index(stock: Searcher, columnar: Searcher, asked: Ask) -> None:
    assert asked(columnar) == asked(stock)


def test_lengths_are_exact(columnar: Searcher) -> None:
    reader = columnar.reader()
    chunks = reader.column_reader("chunk")
    lengths = {chunks[number]: reader.doc_field_length(number, "text") for number in range(reader.doc_count_all())}
    assert lengths == {1: 18, 2: 12, 3: 11, 4: 7, 5: 6, 6: 3, 7: 0}


def test_uncommitted_documents_are_dropped(tmp_path: Path) -> None:
    index = ColumnarIndex.begin(tmp_path, SCHEMA, Watermark(0, ""))
    with writing(index) as writer:
        writer.add_document(chunk=1, text="word")
    assert index.current()[1] == []


@pytest.mark.parametrize(
    "field", [TEXT(stored=True), TEXT(field_boost=2.0), TEXT(vector=True), STORED(), TEXT(chars=True)], ids=repr
)
def test_a_field_with_more_than_terms_and_positions_is_refused(tmp_path: Path, field: FieldType) -> None:
    with pytest.raises(FieldConfigurationError):
        ColumnarIndex.begin(tmp_path, Schema(field=field), Watermark(0, ""))


def test_a_field_that_does_not_exist_and_a_merge_within_a_commit_are_refused(tmp_path: Path) -> None:
    index = ColumnarIndex.begin(tmp_path, SCHEMA, Watermark(0, ""))
    writer = ColumnarWriter(index)
    with pytest.raises(UnknownFieldError):
        writer.add_document(nothing="word")
    with pytest.raises(IndexingError):
        writer.commit(optimize=True)
    writer.cancel()


def test_any_whoosh_field_that_counts_words_is_supported(tmp_path: Path) -> None:
    schema = Schema(body=TEXT(), size=NUMERIC(int, bits=32, shift_step=8), tags=TEXT(phrase=False))
    index = ColumnarIndex.begin(tmp_path, schema, Watermark(0, ""))
    with writing(index) as writer:
        writer.add_document(body="The first of the months", size=7, tags="a red red apple")
        writer.add_document(body="Months, first", size=70)
        writer.commit()
    searcher = Searcher(whoosh_reader(index), weighting=TF_IDF())
    found = [Phrase("body", ["first", "months"]), NumericRange("size", 5, 20), Term("tags", "red")]
    assert [[n for n, _ in searcher.search(query).items()] for query in found] == [[0], [0], [0]]
