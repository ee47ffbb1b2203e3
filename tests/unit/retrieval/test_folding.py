import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.retrieval.folding import Folded, fold


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
    assert Folded(text).text == folded


@given(st.text(), st.text(min_size=1), st.text())
def test_the_place_of_a_match_is_found_in_the_original(before: str, inside: str, after: str) -> None:
    folded = Folded(before + inside + after)
    start, end = len(fold(before)), len(fold(before + inside))
    if unicodedata.combining(inside[0]) or start == end:
        return  # what has no form of its own has no place of its own
    first, last = folded.original_range(start, end)
    assert fold((before + inside + after)[first:last]) == fold(inside)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
