import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop_rag.text.normalize import FoldedText, fold, fold_lines, fold_quote
from desktop_rag.text.raised import RAISED


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Rent", "rent"),
        ("Zürich", "zurich"),
        ("Straße", "strasse"),
        ("ﬁnal", "final"),
        ("e\u0301te\u0301", "ete"),
        ("it’s", "it's"),
        ("ＦＵＬＬ", "full"),
    ],
)
def test_texts_are_folded_as_a_person_compares_them(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert FoldedText(text).text == folded


@given(st.text(), st.text(min_size=1), st.text())
def test_the_place_of_a_match_is_found_in_the_original(before: str, inside: str, after: str) -> None:
    folded = FoldedText(before + inside + after)
    start, end = len(fold(before)), len(fold(before + inside))
    if unicodedata.combining(inside[0]) or start == end:
        return  # what has no form of its own has no place of its own
    first, last = folded.original_range(start, end)
    assert fold((before + inside + after)[first:last]) == fold(inside)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_folding_a_quote_twice_changes_nothing(text: str) -> None:
    assert fold_quote(fold_quote(text)) == fold_quote(text)


@given(st.dictionaries(st.integers(1, 50), st.text(max_size=20), max_size=6))
def test_each_character_of_folded_lines_has_a_line(lines: dict[int, str]) -> None:
    folded = fold_lines(lines)
    assert all(folded.line_at(offset) in lines for offset in range(len(folded.text)))


@given(st.text(st.characters(codec="utf-8", exclude_characters=f"{RAISED}⁺⁻^"), max_size=40))
@example("e\u00ad\u0301 ㎏-Straße\u200b- ﬁ-ﬂ")
@example("ｶﾞ ᄀ\u1161\u11a8 …\u0301 *\u0301")
def test_each_character_of_a_folded_quote_knows_where_it_came_from(line: str) -> None:
    folded = fold_lines({1: line})
    for offset, char in enumerate(folded.text):
        ((_, start, end),) = folded.original_ranges(offset, offset + 1)
        assert char == " " or char in fold_quote(line[start:end])
    if folded.text:
        ((_, start, end),) = folded.original_ranges(0, len(folded.text))
        assert fold_quote(line[start:end]) == folded.text


@given(st.text(f"{RAISED}⁻^102em) \u00ad", max_size=20))
def test_raised_figures_keep_the_places_of_what_is_around_them(line: str) -> None:
    folded = fold_lines({1: line})
    places = [folded.original_ranges(offset, offset + 1) for offset in range(len(folded.text))]
    assert all(0 <= start < end <= len(line) for found in places for _, start, end in found)
