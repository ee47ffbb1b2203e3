"""Benchmark queries are deterministic and realistic."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.keywords.keyword_queries import Kind, drawn, plain_words
from benchmarks.keywords.load import as_typed, stored_queries
from desktop_rag.errors import BenchError
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import leaves

PASSAGES = [
    "The quiet lighthouse keeper counted seventeen passing schooners before breakfast on Tuesday morning",
    "Bicycles without working brakes should never descend the mountain road towards the harbour village",
]


def test_every_kind_has_the_requested_number_of_queries() -> None:
    queries = drawn(PASSAGES, 3)
    assert Counter(query.kind for query in queries) == dict.fromkeys(Kind, 3)
    assert queries == drawn(PASSAGES, 3)


def test_words_come_from_one_passage() -> None:
    words = [set(plain_words(passage)) for passage in PASSAGES]
    for query in drawn(PASSAGES, 5):
        if query.kind not in {Kind.PREFIX, Kind.FUZZY}:
            assert any(passage.issuperset(query.words) for passage in words)


def test_a_query_is_rendered_in_query_syntax() -> None:
    for query in drawn(PASSAGES, 5):
        assert list(leaves(parse(as_typed(query)).words))


def test_stored_queries_are_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("rent AND deposit\n\n  quiet after ten \n", encoding="utf-8")
    assert stored_queries(file) == ["rent AND deposit", "quiet after ten"]
    file.write_text("\n", encoding="utf-8")
    with pytest.raises(BenchError, match="no queries"):
        stored_queries(file)
    with pytest.raises(BenchError, match="cannot be read"):
        stored_queries(tmp_path / "none.txt")
