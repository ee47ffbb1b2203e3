"""The cache keeps recently used values within its capacity; ids and groups of contents are found by their columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, LruCache, SegmentReader
from desktop_rag.index.keywords.columnar.segments.segment import segment_of
from desktop_rag.index.keywords.keyword_query import CONTENT
from desktop_rag.index.records import ContentId

IDS = st.lists(st.integers(0, 60), min_size=1, max_size=60)


def segment(ids: list[int]) -> SegmentReader:
    arrays = {f"column/{CONTENT}": np.array(ids, np.uint64)}
    return IndexReader([segment_of("s", len(ids), {}, arrays)], LUCENE).segments[0]


@pytest.mark.parametrize("ascending", [True, False])
@given(ids=IDS, wanted=st.sets(st.integers(0, 60), max_size=4))
def test_documents_are_found_by_their_ids(ascending: bool, ids: list[int], wanted: set[int]) -> None:
    ids = sorted(ids) if ascending else ids
    found = segment(ids).with_ids(CONTENT, np.array(sorted(wanted), np.uint64))
    assert found.tolist() == [place for place, number in enumerate(ids) if number in wanted]


@given(IDS, st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_documents_are_told_apart_by_the_group_of_their_content(ids: list[int], one: set[int], two: set[int]) -> None:
    one -= two
    groups = segment(ids).groups_of((frozenset(map(ContentId, one)), frozenset(map(ContentId, two))))
    documents = np.arange(len(ids), dtype=np.uint32)
    for wanted, contents in (([1], one), ([2], two), ([1, 2], one | two)):
        assert groups.are_in(wanted, documents).tolist() == [number in contents for number in ids]
    assert groups.present == {0 if i not in one | two else 1 if i in one else 2 for i in ids}


def test_the_least_recently_used_value_is_evicted() -> None:
    kept: LruCache[str, int] = LruCache(2)
    made = iter(range(10))
    first = [kept.get(key, lambda: next(made), 1) for key in ("one", "two", "one", "three")]
    assert first == [0, 1, 0, 2]
    assert [kept.get(key, lambda: next(made), 1) for key in ("one", "three", "two")] == [0, 2, 3]


def test_a_value_larger_than_the_capacity_is_not_cached() -> None:
    kept: LruCache[str, int] = LruCache(10)
    made = iter(range(3))
    assert [kept.get("large", lambda: next(made), 11) for _ in range(3)] == [0, 1, 2]
