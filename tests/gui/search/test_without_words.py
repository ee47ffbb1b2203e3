"""Passages without a word of the query stand apart from those that were found."""

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.documents.document import Span
from desktop_rag.gui.search.search_events import HitsFound, set_apart
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import (
    MAX_SIMILAR,
    Hit,
    MatchReason,
    Mode,
    SearchRequest,
    SearchResult,
    Snippet,
    Sort,
)

SENTENCE = "what does the lease cost"


def hit(number: int, *, content: int | None = None, rank: int | None = None, word: bool = False) -> Hit:
    span, why = Span(1, 1, 0, 4), MatchReason(rank, number, has_word=word)
    path, snippet = Path(f"/{number}.md"), Snippet("Rent", (), span)
    document = ContentId(number if content is None else content)
    return Hit(number, ChunkId(number), document, "", path, (), "markdown", "", 0, 0, None, "", span, 1, snippet, why)


def searched(query: str, hits: list[Hit], mode: Mode = Mode.BEST, sort: Sort = Sort.RELEVANCE) -> HitsFound:
    without = not any(each.why.by_words for each in hits)
    result = SearchResult(query, mode, 1.0, tuple(hits), 1.0, without_words=without)
    return HitsFound(SearchRequest(query, mode, sort=sort), result)


def chunks(hits: tuple[Hit, ...]) -> list[int]:
    return [each.chunk for each in hits]


MIXED = [hit(1, rank=1), hit(2), hit(3, word=True), hit(4), hit(5)]


@pytest.mark.parametrize(
    ("query", "found", "similar"),
    [("rent", [1, 3], [2, 4, 5]), ("rent lease", [1, 3], [2, 4, 5]), (SENTENCE, [1, 2, 3], [4, 5])],
)
def test_documents_without_a_word_are_similar(query: str, found: list[int], similar: list[int]) -> None:
    result = set_apart(searched(query, MIXED))
    assert (chunks(result.hits), chunks(result.similar)) == (found, similar)


def test_a_document_with_a_word_keeps_all_its_passages() -> None:
    result = set_apart(searched("rent", [hit(1, content=7), hit(2, content=8), hit(3, content=7, word=True)]))
    assert (chunks(result.hits), chunks(result.similar)) == ([1, 3], [2])


def test_where_nothing_has_a_word_a_few_are_similar_and_nothing_is_found() -> None:
    search = searched("quokka", [hit(number) for number in range(1, 61)])
    result = set_apart(search)
    assert (result.hits, len(result.similar), result.without_words) == ((), MAX_SIMILAR, False)
    foreign = replace(search, result=replace(search.result, languages=("de", "en")))
    assert len(set_apart(foreign).similar) == 60


@pytest.mark.parametrize(("mode", "sort"), [(Mode.SEMANTIC, Sort.RELEVANCE), (Mode.BEST, Sort.DATE)])
def test_what_was_searched_by_meaning_or_is_sorted_stays(mode: Mode, sort: Sort) -> None:
    search = searched("rent", MIXED, mode, sort)
    assert set_apart(search) is search.result


def test_a_list_of_file_conditions_stays() -> None:
    listed = [replace(hit(1), why=MatchReason()), replace(hit(2), why=MatchReason())]
    search = searched("ext:md", listed)
    search = replace(search, result=replace(search.result, without_words=False))
    assert set_apart(search) is search.result
