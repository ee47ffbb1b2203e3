"""Both keyword engines find and score the same; ours keeps up with changes."""

from collections.abc import Callable
from math import log
from pathlib import Path

import pytest

from benchmarks.keywords.stock_index import StockKeywordReader, build
from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument, KeywordReader
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    InflectedQuery,
    TermQuery,
    of_chunks,
    of_contents,
)
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from tests.integration.index.keywords.keyword_samples import EGGS, NOTICE, RENT, document, found, mark, word

Index = Callable[..., KeywordReader]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keywords"


@pytest.fixture(params=["stock", "columnar"])
def index(request: pytest.FixtureRequest, folder: Path) -> Index:
    """Return what indexes some documents with one of the engines and returns a reader."""

    def stock(*documents: KeywordDocument) -> KeywordReader:
        build(folder, documents, mark(1))
        return StockKeywordReader(folder)

    def columnar(*documents: KeywordDocument) -> KeywordReader:
        ColumnarKeywordWriter.open(folder, "lineage").apply(documents, [], mark(1))
        return keyword_reader(folder)

    return {"stock": stock, "columnar": columnar}[request.param]


@pytest.fixture
def filled(index: Index) -> KeywordReader:
    return index(document(1, RENT), document(2, NOTICE), document(3, EGGS))


@pytest.fixture
def writer(folder: Path) -> ColumnarKeywordWriter:
    writer = ColumnarKeywordWriter.open(folder, "lineage")
    writer.apply([document(1, RENT), document(2, NOTICE), document(3, EGGS)], [], mark(3))
    return writer


def test_a_word_is_found_in_any_form(filled: KeywordReader) -> None:
    assert found(filled, word("month")) == [1, 2]
    assert found(filled, word("Contracts")) == [2]


def test_a_phrase_counts_stop_words(filled: KeywordReader) -> None:
    assert found(filled, AdjacentQuery("text", ("with", "the", "sugar"))) == [3]
    assert found(filled, AdjacentQuery("text", ("with", "sugar"))) == []


def test_a_phrase_without_spaces_between_words_is_found(index: Index) -> None:
    reader = index(document(1, "東京都 tower"), document(2, "京都東 tower"))
    asked = tuple(term.text for term in terms("東京都 tower", query=True))
    assert found(reader, AdjacentQuery("text", asked)) == [1]


def test_a_word_matches_its_forms_in_the_language_of_each_text(index: Index) -> None:
    texts = ("two houses", "zwei Häuser", "das Haus am See", "die hauser", "ein Garten")
    reader = index(*(document(number, text) for number, text in enumerate(texts, start=1)))
    german = frozenset(map(ContentId, (2, 3, 5)))
    assert sorted(found(reader, InflectedQuery("stem", "hous", "text", ((german, ("haus", "hauser")),)))) == [1, 2, 3]
    assert sorted(found(reader, InflectedQuery("stem", "hauser", "text", ((german, ("haus",)),)))) == [3, 4]
    assert found(reader, InflectedQuery("stem", "hauser", "text", ((german, ()),))) == [4]


def test_listed_chunks_and_contents_are_found(index: Index) -> None:
    reader = index(document(1, "a", content=7), document(2, "b", content=7), document(3, "c", content=8))
    assert found(reader, of_contents([ContentId(7), ContentId(9)])) == [1, 2]
    assert found(reader, of_chunks([ChunkId(3), ChunkId(2)])) == [2, 3]
    assert found(reader, AnyOfQuery((TermQuery("stem", "c"), of_chunks([])))) == [3]
    assert found(reader, AllOfQuery((of_contents([ContentId(7)]),), (TermQuery("stem", "a"),))) == [2]


def test_identifiers_are_found_whole_and_by_their_parts(index: Index) -> None:
    reader = index(document(1, "call parseHttpRequest twice"), document(2, "an http status, a request"))
    assert found(reader, word("parsehttprequest")) == [1]
    assert sorted(found(reader, word("request"))) == [1, 2]
    assert found(reader, AdjacentQuery("text", ("http", "request"))) == [1]
    assert found(reader, AdjacentQuery("text", ("call", "parsehttprequest", "twice"))) == [1]
    assert found(reader, AdjacentQuery("text", ("twice", "parse"))) == []


def test_title_and_headings_are_fields_of_their_own(index: Index) -> None:
    reader = index(document(1, "x", title="Tenancy Agreements", headings="Part 2: Deposits"))
    assert found(reader, TermQuery("title", "agreement")) == [1]
    assert found(reader, TermQuery("headings", "deposit")) == [1]
    assert found(reader, TermQuery("text", "agreement")) == []


def test_the_score_is_bm25_with_lucenes_idf(index: Index) -> None:
    reader = index(document(1, "rent rent due"), document(2, "eggs and sugar"), document(3, "a pale mix"))
    ((_, score),) = reader.search(TermQuery("text", "rent"), 10)
    documents, length, average = 3, 3, 9 / 3
    idf = log(1 + (documents - 1 + 0.5) / 1.5)
    assert score == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length / average)))


def test_a_replaced_chunk_is_found_once_and_with_its_new_text(folder: Path, writer: ColumnarKeywordWriter) -> None:
    writer.apply([document(1, "old"), document(1, "The new rent")], [ChunkId(1)], mark(4))
    reader = keyword_reader(folder)
    assert found(reader, word("rent")) == [1]
    assert found(reader, word("deposit")) == []
    assert reader.chunks() == {1, 2, 3}


def test_a_removed_chunk_is_gone(folder: Path, writer: ColumnarKeywordWriter) -> None:
    reader = keyword_reader(folder)
    writer.apply([], [ChunkId(2), ChunkId(99)], mark(4))
    assert reader.refresh()
    assert found(reader, word("month")) == [1]
    assert reader.chunks() == {1, 3}


def test_a_reader_keeps_its_commit_until_it_refreshes(folder: Path, writer: ColumnarKeywordWriter) -> None:
    reader = keyword_reader(folder)
    writer.apply([document(4, "rent again")], [], mark(4))
    assert found(reader, word("rent")) == [1]
    assert reader.refresh()
    assert set(found(reader, word("rent"))) == {1, 4}
    assert not reader.refresh()


def test_only_allowed_contents_are_found(index: Index) -> None:
    reader = index(*(document(n, "rent " * n, content=n % 3 + 1) for n in range(1, 11)))
    assert set(found(reader, word("rent"), frozenset({ContentId(2)}))) == {1, 4, 7, 10}
    assert found(reader, word("rent"), frozenset({ContentId(77)})) == []
    assert found(reader, word("rent"), frozenset()) == []
    assert sorted(reader.contents(word("rent")).tolist()) == [1, 2, 3]
    assert reader.contents(word("rent"), frozenset({ContentId(2), ContentId(77)})).tolist() == [2]
    assert reader.contents(word("rent"), frozenset()).tolist() == reader.contents(word("cats")).tolist() == []


def test_no_query_finds_the_watermark(filled: KeywordReader) -> None:
    assert set(found(filled, AllOfQuery())) == {1, 2, 3}
    assert set(found(filled, AllOfQuery(forbidden=(word("rent"),)))) == {2, 3}
    assert len(filled.search(AllOfQuery(), 2)) == 2


def test_the_watermark_travels_with_the_commit(folder: Path, writer: ColumnarKeywordWriter) -> None:
    assert writer.watermark == mark(3)
    writer.apply([], [], mark(7))
    assert ColumnarKeywordWriter.open(folder, "lineage").watermark == mark(7)
    assert keyword_reader(folder).watermark == mark(7)


def test_another_catalog_starts_an_empty_index(folder: Path, writer: ColumnarKeywordWriter) -> None:
    reader = keyword_reader(folder)
    assert ColumnarKeywordWriter.open(folder, "restored").watermark == Watermark(0, "restored")
    assert reader.refresh()
    assert found(reader, AllOfQuery()) == []
    assert reader.watermark == Watermark(0, "restored")


def test_an_index_can_be_rebuilt_on_request(folder: Path, writer: ColumnarKeywordWriter) -> None:
    assert ColumnarKeywordWriter.open(folder, "lineage", rebuild=True).watermark == mark(0)


def test_nothing_is_found_without_an_index(folder: Path) -> None:
    reader = keyword_reader(folder)
    assert found(reader, AllOfQuery()) == []
    assert reader.vocabulary("") == []
    assert reader.chunks() == frozenset()
    ColumnarKeywordWriter.open(folder, "lineage").apply([document(1, RENT)], [], mark(1))
    assert reader.refresh()
    assert found(reader, word("rent")) == [1]


def test_the_vocabulary_lists_words_by_prefix(filled: KeywordReader) -> None:
    assert filled.vocabulary("mo") == ["month", "months"]
    assert filled.vocabulary("mo", limit=1) == ["month"]
