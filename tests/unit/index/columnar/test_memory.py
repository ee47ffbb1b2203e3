"""What was asked for lately is kept, and no more than fits."""

from desktop_rag.index.keywords.columnar.execution.segment_cache import LruCache


def test_what_was_not_asked_for_for_longest_goes_first() -> None:
    kept: LruCache[str, int] = LruCache(2)
    made = iter(range(10))
    first = [kept.get(key, lambda: next(made), 1) for key in ("one", "two", "one", "three")]
    assert first == [0, 1, 0, 2]
    assert [kept.get(key, lambda: next(made), 1) for key in ("one", "three", "two")] == [0, 2, 3]


def test_what_is_larger_than_all_room_is_made_each_time() -> None:
    kept: LruCache[str, int] = LruCache(10)
    made = iter(range(3))
    assert [kept.get("large", lambda: next(made), 11) for _ in range(3)] == [0, 1, 2]
