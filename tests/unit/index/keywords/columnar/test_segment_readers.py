"""The cache keeps recently used values within its capacity."""

from desktop_rag.index.keywords.columnar.execution.segment_readers import LruCache


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
