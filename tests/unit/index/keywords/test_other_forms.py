"""Codes without their signs, words that a line end divides, and letters of several keyboards."""

import pytest

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.cached_analysis import WordAnalyser
from desktop_rag.index.keywords.identifiers import identifier_parts


def other_forms(text: str) -> list[str]:
    return [part.text for part in identifier_parts(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The ISBN is 978-3-16-148410-0.", ["9783161484100"]),
        ("IBAN FI21 1234 5600 0007 85, please", ["fi2112345600000785"]),
        ("call +358 40 123 4567 today", ["358401234567"]),
        ("part 6178-4B40-40B2 and MAC 00:1A:2B:3C:4D:5E", ["61784b4040b2", "001a2b3c4d5e"]),
        ("part 61784-B4040-B2, mid-2023 and COVID-19", ["61784b4040b2", "covid19"]),
        ("call +49 (0)30 123 456-78 or (555) 123-4567 now", ["1234567", "493012345678", "5551234567"]),
        ("card 4111 1111 1111 1111, (12) 34", ["4111111111111111"]),
        ("main\u2010\ntenance", ["maintenance"]),
        ("version v2.10.3-rc1", ["2", "10", "3"]),
        ("the inter-\nnational airport", ["international"]),
        ("a list\n-\nof words, a1b-\nc2d, 3rd-\nrate", []),
        ("half-\nway-\nhouse", ["halfway"]),
        ("x" * 31 + "-\nlong and short-\n" + "y" * 31, []),
        ("at 10:30 it is 3.5 or 2-3 of 10", []),
        ("1990 2000 2010 2020", []),
        ("co-op", []),
    ],
)
def test_what_is_indexed_beside_the_words(text: str, found: list[str]) -> None:
    assert other_forms(text) == found


def test_a_code_has_its_offsets() -> None:
    text = "No. 978-3-16-148410-0 and inter-\nnational"
    found = {part.text: text[part.start : part.end] for part in identifier_parts(text)}
    assert found == {"9783161484100": "978-3-16-148410-0", "international": "inter-\nnational"}


@pytest.mark.parametrize("broken", ["违约金按日计\n算", "违约金按日计 \n　算"])
def test_a_line_end_does_not_end_a_run_without_spaces(broken: str) -> None:
    whole = [term.text for term in terms("违约金按日计算")]
    assert [term.text for term in terms(broken)] == whole
    assert [term.position for term in terms(broken)] == [term.position for term in terms("违约金按日计算")]
    last = list(terms(broken))[-1]
    assert broken[last.start : last.end] == "算"


def test_a_blank_line_ends_it() -> None:
    assert "计算" not in [term.text for term in terms("按日计\n\n算")]


@pytest.mark.parametrize(
    "text",
    [
        "按日计\n算 978-3-16-148410-0",
        "inter\u00ad\nnational main\u2010\ntenance",
        "inter-\nnational parseHttpRequest v2.10.3",
    ],
)
def test_both_ways_of_analysis_agree(text: str) -> None:
    analyser = WordAnalyser()
    pieces = [analyser.analyse(piece) for piece in analyser.spaced(text).split(b" ") if piece]
    found = sorted(term.decode() for piece in pieces for term in piece.terms)
    assert found == sorted(term.text for term in [*terms(text), *identifier_parts(text)])


@pytest.mark.parametrize(
    ("written", "typed"),
    [("علي", "علی"), ("كتاب", "کتاب"), ("الاتفاقية", "الاتفاقيه"), ("٤٣١٠", "4310"), ("۲۰۲۵", "2025")],
)
def test_arabic_letters_and_figures_of_several_keyboards(written: str, typed: str) -> None:
    assert [term.text for term in terms(written)] == [term.text for term in terms(typed)]
