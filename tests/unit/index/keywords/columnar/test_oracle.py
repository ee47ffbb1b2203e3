"""The executor finds and scores what stock Whoosh does, when it weighs terms as Whoosh does.

Stock Whoosh may return deleted documents for a NOT; the tests leave them out.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.keywords.stock_index import whoosh_query
from desktop_rag.index.keywords.columnar.execution.executor import search
from desktop_rag.index.keywords.columnar.execution.query_planner import QueryPlanner
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader
from desktop_rag.index.keywords.keyword_query import AllOfQuery, AnyOfQuery, KeywordQuery, MaxOfQuery
from desktop_rag.stop import Stop
from tests.examples import examples
from tests.unit.index.keywords.columnar.oracle import KEY, Library, libraries, terms, trees

ALL = 1000


def stock(library: Library, query: KeywordQuery) -> dict[int, float]:
    found = dict(library.stock().search(whoosh_query(query), limit=None).items())
    return {number: score for number, score in found.items() if number not in library.deleted}


def ours(library: Library, query: KeywordQuery, limit: int = ALL) -> list[tuple[int, float]]:
    return run(library.ours(), query, limit)


def run(
    reader: IndexReader, query: KeywordQuery, limit: int = ALL, allowed: frozenset[int] | None = None
) -> list[tuple[int, float]]:
    masks = {}
    for segment in reader.segments:
        mask = np.ones(segment.size, np.bool_) if segment.arrays.deleted is None else ~segment.arrays.deleted
        if allowed is not None:
            mask &= np.isin(segment.arrays.columns[KEY], np.array(sorted(allowed), np.uint64))
        masks[segment] = mask
    node = QueryPlanner(reader, Stop()).node(query)
    return search(reader, node, limit, KEY, masks, Stop())


@settings(max_examples=examples(150))
@given(libraries(), trees)
def test_scores_are_those_of_stock_whoosh(library: Library, query: KeywordQuery) -> None:
    assert dict(ours(library, query)) == pytest.approx(stock(library, query), rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), trees, trees)
def test_forbidden_documents_are_left_out(library: Library, query: KeywordQuery, unwanted: KeywordQuery) -> None:
    without = stock(library, unwanted)
    left = {number: score for number, score in stock(library, query).items() if number not in without}
    assert dict(ours(library, AllOfQuery((query,), (unwanted,)))) == pytest.approx(left, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), trees, trees)
def test_optional_parts_add_to_the_score(library: Library, query: KeywordQuery, wish: KeywordQuery) -> None:
    more = stock(library, wish)
    wanted = {number: score + more.get(number, 0.0) for number, score in stock(library, query).items()}
    assert dict(ours(library, AllOfQuery((query,), optional=(wish,)))) == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), st.lists(trees, min_size=2, max_size=3))
def test_the_highest_score_of_a_max_counts(library: Library, queries: list[KeywordQuery]) -> None:
    found = [stock(library, query) for query in queries]
    wanted = {number: max(f.get(number, 0.0) for f in found) for f in found for number in f}
    assert dict(ours(library, MaxOfQuery(tuple(queries)))) == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=examples(100))
@given(libraries(), st.lists(terms, min_size=2, max_size=6), st.integers(1, 6), st.data())
def test_the_top_k_of_many_words_are_the_best_of_all(
    library: Library, words: list[KeywordQuery], limit: int, data: st.DataObject
) -> None:
    reader, query = library.ours(), AnyOfQuery(tuple(words))
    numbers = [number for segment in reader.segments for number in segment.arrays.columns[KEY].tolist()]
    allowed = data.draw(st.none() | st.frozensets(st.sampled_from(numbers)))
    every = dict(run(reader, query, allowed=allowed))
    best = run(reader, query, limit, allowed)
    assert [score for _, score in best] == pytest.approx(sorted(every.values(), reverse=True)[:limit], rel=1e-5)
    assert dict(best) == pytest.approx({number: every[number] for number, _ in best}, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), trees)
def test_probing_documents_gives_the_same_scores(library: Library, query: KeywordQuery) -> None:
    reader = library.ours()
    node = QueryPlanner(reader, Stop()).node(query)
    found = dict(run(reader, query))
    for segment in reader.segments:
        documents = np.arange(segment.size, dtype=np.uint32)
        kept, found_scores = node.probe(segment, documents, Stop())
        numbers = segment.arrays.columns[KEY].take(kept).tolist()
        scores = found_scores.tolist()
        probed = {n: score for n, score in zip(numbers, scores, strict=True) if n not in library.deleted}
        held = set(segment.arrays.columns[KEY].tolist())
        assert probed == pytest.approx({n: score for n, score in found.items() if n in held}, rel=1e-5)
