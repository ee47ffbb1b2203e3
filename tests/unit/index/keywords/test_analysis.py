"""Texts and queries are analysed alike in any script, with correct offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import MAX_TERM, fold, stem, terms


def texts(text: str, *, query: bool = False) -> list[str]:
    return [term.text for term in terms(text, query=query)]


def test_case_and_accents_do_not_matter() -> None:
    assert texts("Crème BRÛLÉE für Søren") == ["creme", "brulee", "fur", "soren"]


def test_an_accent_written_as_its_own_character_does_not_matter() -> None:
    assert texts("cafe\u0301s") == ["cafes"] == texts("caf\u00e9s")


@pytest.mark.parametrize(
    ("written", "folded"),
    [("ﬁancée", "fiancee"), ("Straße", "strasse"), ("ＡＢＣ", "abc"), ("Œuvre", "oeuvre"), ("Ελλάς", "ελλασ")],
)
def test_typographic_variants_are_one_word(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_vowel_signs_of_indic_scripts_are_part_of_the_word() -> None:
    assert texts("हिन्दी में") == ["हिन्दी", "में"]


def test_invisible_characters_inside_a_word_do_not_split_it() -> None:
    assert texts("co\u00adope\u200brate") == ["cooperate"]


def test_a_possessive_is_the_word_alone() -> None:
    assert texts("the tenant's rent, the tenants’ rent, it’s") == [
        "the",
        "tenant",
        "rent",
        "the",
        "tenants",
        "rent",
        "it",
    ]


def test_parts_of_an_identifier_are_words() -> None:
    assert texts("max_token_count = 3.14") == ["max", "token", "count", "3", "14"]


def test_stop_words_keep_their_position() -> None:
    assert [(term.text, term.position) for term in terms("to be or not")] == [
        ("to", 0),
        ("be", 1),
        ("or", 2),
        ("not", 3),
    ]


def test_a_script_without_spaces_yields_characters_and_bigrams() -> None:
    cut = [(term.text, term.position) for term in terms("東京都 tower")]
    assert cut == [("東京", 0), ("東", 0), ("京都", 1), ("京", 1), ("都", 2), ("tower", 3)]


def test_a_query_yields_bigrams_only() -> None:
    assert texts("東京都", query=True) == ["東京", "京都"]
    assert texts("京", query=True) == ["京"]


def test_a_query_leaves_no_gap_before_the_next_word() -> None:
    asked = [(term.text, term.position) for term in terms("東京 tower", query=True)]
    assert asked == [("東京", 0), ("京", 1), ("tower", 2)]


def test_english_words_lose_their_endings() -> None:
    assert [stem(word) for word in ("contracts", "running", "policies")] == ["contract", "run", "polici"]


def test_other_terms_are_not_stemmed() -> None:
    assert [stem(word) for word in ("x86s", "дома", "is")] == ["x86s", "дома", "is"]


def test_long_words_are_truncated() -> None:
    assert texts("a" * 10_000) == ["a" * MAX_TERM]


@given(st.text())
def test_offsets_point_at_the_characters_of_the_term(text: str) -> None:
    for term in terms(text):
        assert 0 <= term.start < term.end <= len(text)
        assert term.text == fold(text[term.start : term.end]) or len(term.text) >= 2


@given(st.text())
def test_positions_ascend_without_gaps(text: str) -> None:
    positions = [term.position for term in terms(text)]
    assert positions == sorted(positions)
    assert sorted(set(positions)) == list(range(len(set(positions))))


@given(st.text())
def test_every_term_of_a_query_is_a_term_of_the_same_text(text: str) -> None:
    indexed = {(term.text, term.position) for term in terms(text)}
    assert {(term.text, term.position) for term in terms(text, query=True)} <= indexed
