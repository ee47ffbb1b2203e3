"""Raised figures are no figures of the number before them, in whatever is compared, searched or quoted."""

import pytest

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.cached_analysis import WordAnalyser
from desktop_rag.text.locate import locate, mark_quote
from desktop_rag.text.normalize import fold, fold_quote
from desktop_rag.text.raised import lowered, raised

LINES = {1: "The deposit is 320¹ euros, and the lake holds 4.1 × 10⁹ litres on 45 m²."}


@pytest.mark.parametrize(
    ("text", "shown"), [("12", "¹²"), ("-3", "⁻³"), ("st", "st"), ("2+", "²⁺"), ("[4]", "[4]"), ("", "")]
)
def test_figures_are_raised_and_letters_stay(text: str, shown: str) -> None:
    assert raised(text) == shown


@pytest.mark.parametrize(
    ("text", "before", "shown"),
    [("a", "fee 1,310", "^a"), ("o", "$95", "^o"), ("a", "the 1", "a"), ("e", "le 20", "e"), ("st", "12.1", "st")],
)
def test_letters_behind_amounts_are_marks(text: str, before: str, shown: str) -> None:
    assert raised(text, before) == shown


def test_figures_are_lowered() -> None:
    assert f"H{lowered('2')}O" == "H₂O"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("320¹ euros", ["320", "1", "euros"]),
        ("$5,000³", ["5", "000", "3"]),
        ("4 x 10⁹", ["4", "x", "10", "9"]),
        ("in 1998¹²", ["in", "1998", "12"]),
        ("45 m² of H₂O", ["45", "m2", "of", "h2o"]),
        ("the profit² rose", ["the", "profit", "2", "rose"]),
    ],
)
def test_the_words_of_raised_figures(text: str, found: list[str]) -> None:
    assert [term.text for term in terms(text)] == found
    analyser = WordAnalyser()
    pieces = [analyser.analyse(piece) for piece in analyser.spaced(text).split(b" ") if piece]
    assert [term.decode() for piece in pieces for term in piece.terms] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [("320¹ euros", "320 euros"), ("the profit² rose", "profit rose"), ("4 x 10⁹ litres", "9 litres")],
)
def test_no_mark_divides_a_phrase(text: str, words: str) -> None:
    places = {term.text: term.position for term in terms(text)}
    first, second = (places[term.text] for term in terms(words, query=True))
    assert second == first + 1
    assert [term.text for term in terms("320¹ euros", query=True)] == ["320", "euros"]


@pytest.mark.parametrize(
    ("quote", "marked"),
    [
        ("The deposit is 320 euros", "The deposit is 320¹ euros"),
        ("4.1 × 10^9 litres", "4.1 × 10⁹ litres"),
        ("4.1 × 10⁹ litres on 45 m2", "4.1 × 10⁹ litres on 45 m²"),
    ],
)
def test_a_quotation_is_found_without_its_notes(quote: str, marked: str) -> None:
    found = locate(quote, LINES)
    assert found is not None
    assert found.verbatim
    assert [LINES[1][start:end] for _, start, end in mark_quote(quote, LINES)] == [marked]


@pytest.mark.parametrize("quote", ["The deposit is 3201 euros", "the lake holds 4.1 × 109 litres"])
def test_another_number_is_not_found(quote: str) -> None:
    assert locate(quote, LINES) is None


def test_an_exponent_is_part_of_a_quotation() -> None:
    assert fold_quote("10⁹ litres") == fold_quote("10^9 litres") != fold_quote("10 litres")


def test_an_exact_search_takes_no_note_for_a_figure() -> None:
    assert "3201" not in fold("320¹ euros")
