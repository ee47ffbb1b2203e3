"""The executor finds what stock Whoosh finds and scores it alike, when it is told to weigh as Whoosh does.

Where stock Whoosh contradicts itself, the tests say what is compared instead: it may return deleted documents for a
NOT; and what prefixes, patterns, fuzzy words and ranges with a constant score give depends on how many terms they
stand for, so only their documents are compared there.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import query as wq

from desktop_rag.index.keywords.columnar.execution.executor import search
from desktop_rag.index.keywords.columnar.execution.score_explanation import explain
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader
from desktop_rag.index.keywords.columnar.execution.translation import Translation
from desktop_rag.index.keywords.columnar.execution.whoosh_fallback import by_whoosh
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Hits
from desktop_rag.stop import Stop
from tests.examples import examples
from tests.unit.index.columnar.oracle import KEY, SCHEMA, Library, libraries, terms, trees

ALL = 1000


def stock(library: Library, query: wq.Query) -> dict[int, float]:
    found = dict(library.stock().search(query, limit=None).items())
    return {number: score for number, score in found.items() if number not in library.deleted}


def ours(library: Library, query: wq.Query, limit: int = ALL) -> list[tuple[int, float]]:
    return run(library.ours(), query, limit)


def run(
    whole: IndexReader, query: wq.Query, limit: int = ALL, allowed: frozenset[int] | None = None
) -> list[tuple[int, float]]:
    masks = {}
    for part in whole.parts:
        mask = np.ones(part.size, np.bool_) if part.segment.deleted is None else ~part.segment.deleted
        if allowed is not None:
            mask &= np.isin(part.segment.columns[KEY], np.array(sorted(allowed), np.uint64))
        masks[part] = mask
    node = Translation(whole, SCHEMA, refuse, Stop()).node(query)
    return search(whole, node, limit, KEY, masks, Stop())


def refuse(query: wq.Query, stop: Stop) -> Sequence[Hits]:
    raise AssertionError(f"{query} should have a node")


@settings(max_examples=examples(150))
@given(libraries(), trees(constant=False))
def test_scores_are_those_of_stock_whoosh(library: Library, query: wq.Query) -> None:
    assert dict(ours(library, query)) == pytest.approx(stock(library, query), rel=1e-5)


@settings(max_examples=examples(100))
@given(libraries(), trees(constant=True))
def test_documents_are_those_of_stock_whoosh(library: Library, query: wq.Query) -> None:
    assert {number for number, _ in ours(library, query)} == set(stock(library, query))


@settings(max_examples=examples(40))
@given(libraries(), trees(constant=False), trees(constant=False))
def test_unwanted_documents_are_left_out(library: Library, query: wq.Query, unwanted: wq.Query) -> None:
    without = stock(library, unwanted)
    left = {number: score for number, score in stock(library, query).items() if number not in without}
    assert dict(ours(library, wq.AndNot(query, unwanted))) == pytest.approx(left, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), trees(constant=False), trees(constant=False))
def test_wishes_add_to_the_score(library: Library, query: wq.Query, wish: wq.Query) -> None:
    more = stock(library, wish)
    wanted = {number: score + more.get(number, 0.0) for number, score in stock(library, query).items()}
    assert dict(ours(library, wq.AndMaybe(query, wish))) == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), st.lists(trees(constant=False), min_size=2, max_size=3))
def test_the_greatest_score_counts(library: Library, queries: list[wq.Query]) -> None:
    found = [stock(library, query) for query in queries]
    wanted = {number: max(f.get(number, 0.0) for f in found) for f in found for number in f}
    assert dict(ours(library, wq.DisjunctionMax(queries))) == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=examples(100))
@given(libraries(), st.lists(terms, min_size=2, max_size=6), st.integers(1, 6), st.data())
def test_the_best_of_many_words_are_the_best_of_all(
    library: Library, words: list[wq.Query], limit: int, data: st.DataObject
) -> None:
    whole, query = library.ours(), wq.Or(words)
    numbers = [number for part in whole.parts for number in part.segment.columns[KEY].tolist()]
    allowed = data.draw(st.none() | st.frozensets(st.sampled_from(numbers)))
    every = dict(run(whole, query, allowed=allowed))
    best = run(whole, query, limit, allowed)
    assert [score for _, score in best] == pytest.approx(sorted(every.values(), reverse=True)[:limit], rel=1e-5)
    assert dict(best) == pytest.approx({number: every[number] for number, _ in best}, rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), trees(constant=False))
def test_an_explanation_comes_to_the_same_score(library: Library, query: wq.Query) -> None:
    whole = library.ours()
    node = Translation(whole, SCHEMA, refuse, Stop()).node(query)
    found = dict(run(whole, query))
    for part in whole.parts:
        for document, number in enumerate(part.segment.columns[KEY].tolist()):
            if number not in library.deleted:
                score = explain(node, part, document, Stop()).score
                assert (score is None) == (number not in found)
                assert score is None or score == pytest.approx(found[number], rel=1e-5)


@settings(max_examples=examples(40))
@given(libraries(), terms, trees(constant=False))
def test_what_has_no_node_is_asked_of_whoosh(library: Library, query: wq.Query, other: wq.Query) -> None:
    searcher = library.stock()
    unknown = wq.Otherwise(query, wq.NullQuery)
    whole = library.ours()
    translation = Translation(whole, SCHEMA, lambda query, stop: by_whoosh(searcher, query, stop), Stop())
    joined = search(whole, translation.node(wq.Or([unknown, other])), ALL, KEY, dict.fromkeys(whole.parts), Stop())
    known = search(whole, translation.node(wq.Or([query, other])), ALL, KEY, dict.fromkeys(whole.parts), Stop())
    wanted = {number: score for number, score in known if number not in library.deleted}
    assert {n: score for n, score in joined if n not in library.deleted} == pytest.approx(wanted, rel=1e-5)
