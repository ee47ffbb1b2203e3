"""A score can be explained, and a search by the index can be stopped and limited."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordReader, ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.keywords.keyword_query import AllOfQuery, AnyOfQuery, FuzzyQuery, PatternQuery, TermQuery
from desktop_rag.index.keywords.keyword_schema import TEXT_EXACT, TITLE
from desktop_rag.index.records import ChunkId, ContentId, Watermark

TEXTS = (
    "the rent is due on the first day of the month",
    "the deposit is two months' rent and rent is rent",
    "a cat sleeps sixteen hours a day",
)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[ColumnarKeywordReader]:
    writer = ColumnarKeywordWriter.open(tmp_path, "one")
    documents = [
        KeywordDocument(ChunkId(n), ContentId(n), "Lease" if n < 3 else "Cats", "", text)
        for n, text in enumerate(TEXTS, start=1)
    ]
    writer.apply(documents, (), Watermark(3, "one"))
    with closing(ColumnarKeywordReader(tmp_path)) as reader:
        yield reader


def test_an_explanation_names_words_counts_and_lengths(reader: ColumnarKeywordReader) -> None:
    query = AllOfQuery(
        (AnyOfQuery((TermQuery(TEXT_EXACT, "rent"), TermQuery(TITLE, "leas", 2.0))),), (TermQuery(TEXT_EXACT, "cat"),)
    )
    found = dict(reader.search(query, 10))
    explained = reader.explain(query, ChunkId(2))
    assert explained is not None
    assert explained.score == pytest.approx(found[ChunkId(2)])
    lines = list(explained.lines())
    assert any("text:rent (occurs 3 times" in line and "10 words" in line for line in lines)
    assert lines[-1] == "  does not match: text:cat (occurs 0 times, weight 0.9808, 10 words)"


def test_a_chunk_that_does_not_match_is_explained_too(reader: ColumnarKeywordReader) -> None:
    explained = reader.explain(PatternQuery(TEXT_EXACT, "rent*"), ChunkId(3))
    assert explained is not None
    assert explained.score is None


def test_what_is_not_in_the_index_has_no_explanation(reader: ColumnarKeywordReader) -> None:
    assert reader.explain(TermQuery(TEXT_EXACT, "rent"), ChunkId(9)) is None


def test_all_spellings_of_a_misspelled_word_count_as_one(reader: ColumnarKeywordReader) -> None:
    spelled = reader.search(TermQuery(TEXT_EXACT, "rent"), 10)
    misspelled = reader.search(FuzzyQuery(TEXT_EXACT, "rwnt", 1), 10)
    assert misspelled == spelled
