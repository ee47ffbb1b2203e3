"""A score can be explained, and a search by the index can be stopped and limited."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from whoosh.query import And, FuzzyTerm, Not, Or, Otherwise, Prefix, Term

from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordReader, ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
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
    query = And([Or([Term(TEXT_EXACT, "rent"), Term(TITLE, "leas", 2.0)]), Not(Term(TEXT_EXACT, "cat"))])
    found = dict(reader.search(query, 10))
    explained = reader.explain(query, ChunkId(2))
    assert explained is not None
    assert explained.score == pytest.approx(found[ChunkId(2)])
    lines = list(explained.lines())
    assert any("text:rent (occurs 3 times" in line and "10 words" in line for line in lines)
    assert lines[-1] == "  does not match: text:cat (occurs 0 times, weight 0.9808, 10 words)"


def test_a_chunk_that_does_not_match_is_explained_too(reader: ColumnarKeywordReader) -> None:
    explained = reader.explain(Prefix(TEXT_EXACT, "rent"), ChunkId(3))
    assert explained is not None
    assert explained.score is None


def test_what_is_not_in_the_index_has_no_explanation(reader: ColumnarKeywordReader) -> None:
    assert reader.explain(Term(TEXT_EXACT, "rent"), ChunkId(9)) is None


def test_all_spellings_of_a_misspelled_word_count_as_one(reader: ColumnarKeywordReader) -> None:
    spelled = reader.search(Term(TEXT_EXACT, "rent"), 10)
    misspelled = reader.search(FuzzyTerm(TEXT_EXACT, "rwnt", prefixlength=0, constantscore=False), 10)
    assert misspelled == spelled


def test_a_query_that_only_whoosh_knows_is_answered_by_its_matchers(reader: ColumnarKeywordReader) -> None:
    known = reader.search(Term(TEXT_EXACT, "rent"), 10)
    asked = reader.search(Otherwise(Term(TEXT_EXACT, "zebra"), Term(TEXT_EXACT, "rent")), 10)
    assert [chunk for chunk, _ in asked] == [chunk for chunk, _ in known]
    assert [score for _, score in asked] == pytest.approx([score for _, score in known])
