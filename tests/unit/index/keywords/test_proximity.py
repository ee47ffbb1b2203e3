from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.proximity import windows

WORDS = st.sampled_from("abc")


def is_near(text: list[str], words: list[str], slop: int) -> bool:
    """Try every way to pick a different position for each word."""
    places = [[i for i, word in enumerate(text) if word == wanted] for wanted in words]
    return any(
        len(set(picked)) == len(picked) and max(picked) - min(picked) + 1 - len(picked) <= slop
        for picked in product(*places)
    )


@given(st.lists(st.sampled_from("abcxy"), max_size=9), st.lists(WORDS, min_size=2, max_size=3), st.integers(0, 3))
def test_words_are_near_with_few_others_between_them(text: list[str], words: list[str], slop: int) -> None:
    counts = Counter(words)
    places = [[i for i, word in enumerate(text) if word == wanted] for wanted in counts]
    assert bool(windows(places, list(counts.values()), slop)) == is_near(text, words, slop)


def test_a_window_begins_and_ends_at_a_word_that_was_asked_for() -> None:
    assert windows([[0, 7], [3, 9]], [1, 1], 2) == [(0, 3), (7, 9)]
