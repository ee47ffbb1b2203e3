"""No text that contains a string is ruled out, whatever its characters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.columnar.execution import substring_bounds
from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.substring_bounds import occurrence_bounds
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, segment_of
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary
from desktop_rag.stop import Stop
from tests.examples import examples

TEXT = FieldSpec("text", FieldKind.POSITIONS, scored=True)

# Letters that fold, combine, are written without spaces, fold to several, or belong to no word at all.
ALPHABET = (
    "abcdefstABS01 __''’.-\n\t"
    "éÉüßæøłıİςΣσКй½²ﬁﬃⅧKÅ\u0301\u0308\u0327\u00ad\u200d"
    "東京タか\u3099がハﾊﾞ한하글ᄒ\u1161\u11abไทยကြ"
    "हिन्दीঙো\u09c7\u09beொ\u0bc6\u0bbe\u093c\u094dبِّעִ"
    "𝐀𝟘😀→½ﷺ\u0345ͺŉǰ"
)
texts = st.text(st.sampled_from(ALPHABET), max_size=40) | st.text(max_size=30)
words = st.sampled_from(
    (
        "mother's",
        "Mother’s",
        "co-operation",
        "x_y",
        "straße",
        "naïve",
        "e\u0301té",
        "s",
        "S",
        "'s",
        "東京タワー",
        "a" * 140,
    )
)
joined = st.lists(words | texts, max_size=6).map(" ".join)


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[str], str]:
    """Texts, and a keyword that is often a part of one of them."""
    found = draw(st.lists(joined, min_size=1, max_size=3))
    text = draw(st.sampled_from(found)).lower()
    start = draw(st.integers(0, max(0, len(text) - 1)))
    cut = st.integers(start, len(text)).map(lambda end: text[start:end])
    return found, draw(cut | texts.map(str.lower))


def indexed(found: list[str]) -> SegmentReader:
    cut = [(number, term.text.encode(), term.position) for number, text in enumerate(found) for term in terms(text)]
    names = sorted({term for _, term, _ in cut})
    numbers = {term: number for number, term in enumerate(names)}
    tokens = Tokens(
        Vocabulary.of(names),
        np.array([numbers[term] for _, term, _ in cut], np.uint32),
        np.array([number for number, _, _ in cut], np.uint32),
        np.array([place for _, _, place in cut], np.uint32),
    )
    segment = segment_of("one", len(found), {TEXT: len(cut)}, build_postings(TEXT, tokens, len(found)))
    return IndexReader([segment], LUCENE).segments[0]


@settings(max_examples=examples(800))
@given(searches(), st.sampled_from((0, 256)), st.sampled_from((0, 32)), st.sampled_from((0, 1 << 15)))
def test_a_bound_is_never_below_the_occurrences(search: tuple[list[str], str], few: int, read: int, small: int) -> None:
    found, keyword = search
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(substring_bounds, "_SMALL", small)
        patch.setattr(substring_bounds, "_READ", read)
        bounds = occurrence_bounds(indexed(found), "text", keyword, Stop(), few)
    for text, bound in zip(found, bounds.tolist(), strict=True):
        assert not keyword or text.lower().count(keyword) <= max(bound, 0)


def bound(text: str, keyword: str, few: int = 256) -> float:
    return occurrence_bounds(indexed([text]), "text", keyword, Stop(), few).item(0)


def test_a_bound_of_a_plain_word_is_exact() -> None:
    text = "The boxer and the foxglove: a fox in a box, foxes in the ox-cart."
    for keyword in ("fox", "ox", "fox in", "ox-cart", "the fox", "xyz", "e", "es in the"):
        assert bound(text, keyword) >= text.count(keyword)
    assert bound(text, "fox") == text.count("fox")
    assert bound(text, "boxing") == 0
    assert bound(text, "e box") == 2  # words that end so, or begin so, wherever they stand …
    assert bound(text, "e box", few=0) == 1  # … or side by side


@pytest.mark.parametrize("end", ["a fox", "the vixen's fox", "fox"])
def test_the_last_word_of_a_text_is_not_followed_by_the_first_of_the_next(end: str) -> None:
    texts = [f"runs, {end}", f"runs after {end}", f"runs, {end}"]
    assert occurrence_bounds(indexed(texts), "text", "fox runs", Stop(), few=0).tolist() == [0, 0, 0]
    assert occurrence_bounds(indexed([*texts, "the fox runs"]), "text", "fox runs", Stop(), few=0).tolist() == [
        0,
        0,
        0,
        1,
    ]


@pytest.mark.parametrize("few", [0, 256])
@pytest.mark.parametrize("filler", [0, 60])
def test_words_that_are_nowhere_all_in_a_row_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, few: int, filler: int
) -> None:
    monkeypatch.setattr(substring_bounds, "_READ", 0)
    texts = ["on the western", "on the quay, or the western, on", "the western", "on the western, on the western"]
    texts += ["on the " * 3 + "isle"] * filler  # pairs of other texts are picked from all, or read as they are
    found = occurrence_bounds(indexed(texts), "text", "on the western", Stop(), few)
    assert found.tolist() == [1, substring_bounds.APART, 0, 2, *[0] * filler]


def test_so_few_texts_are_read_sooner_than_compared() -> None:
    assert bound("the fox, or a brown hare, the red one", "the red hare") == 1


@pytest.mark.parametrize("others", [["none"] * 2, ["none"] * 20])
def test_bounds_that_took_long_are_kept(others: list[str]) -> None:
    segment = indexed([" ".join(f"fox{number}" for number in range(60)), "a fox", *others])
    bounds = occurrence_bounds(segment, "text", "fox", Stop())
    assert bounds.tolist() == [60, 1, *[0] * len(others)]
    bounds[:] = 7
    assert segment.cache.occurrences.find(("fox", 256)) is not None
    assert occurrence_bounds(segment, "text", "fox", Stop()).tolist() == [60, 1, *[0] * len(others)]


def test_frequent_terms_are_counted_as_rare_ones() -> None:
    texts = [" ".join(["fox"] * (number % 300)) + " foxes" * (number % 2) for number in range(700)]
    bounds = occurrence_bounds(indexed(texts), "text", "fox", Stop())
    assert bounds.tolist() == [number % 300 + number % 2 for number in range(700)]


def test_bounds_of_scripts_without_spaces_are_exact() -> None:
    assert bound("東京タワーの東京", "東京") == 2
    assert bound("東京タワーの東京", "京東") == 0


def test_a_string_without_letters_has_infinite_bounds() -> None:
    assert bound("a -> b", "->") == float("inf")
