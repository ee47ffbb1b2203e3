import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.links.neighbours import LONGEST, further_names, keys_of, names_in, phrases, title_name

TEXT = "It was based on The Colour of pomegranates: a Film, then lost in 1972. later found"


def held(title: str) -> bool:
    return set(keys_of([title_name(title)])) <= set(phrases(TEXT))


def test_titles_are_found_with_small_words_marks_and_articles() -> None:
    for title in ("The Colour of Pomegranates", "the colour of pomegranates – a film", "Film, then lost in 1972"):
        assert held(title), title


def test_a_phrase_begins_with_a_capital_or_a_figure() -> None:
    assert not held("based on the colour")
    assert not held("later found")


@pytest.mark.parametrize(
    ("text", "title", "linked"),
    [
        ("The second engine was ECE.", "ECE", True),
        ("The second engine was Ece.", "ECE", False),
        ("They sang with The Who. Who was it?", "The Who", True),
        ("Nobody sang. Who was it?", "The Who", False),
        ("They wore hats. They sang.", "They", False),
        ("It is shown in the film It again.", "It", True),
        ("It is shown. It is old.", "It", False),
        ("See page 42 of 42.", "42", False),
        ("Written by Nathan H. Juran.", "Nathan Juran", True),
        ("Written by Nathan H. Juran.", "N. H. Juran", True),
        ("Written by N. Juran.", "Nathan H. Juran", True),
        ("Written by Nathan Juran.", "Nathan H. Juran", True),
        ("Written by Norman Juran.", "Nathan H. Juran", False),
        ("Written by Norman B. Juran.", "Nathan H. Juran", False),
        ("Both signed the Lease Agreement.", "Lease Renewal Agreement", False),
        ("See the Clinical Results.", "C. Results", False),
        ("It teaches C Programming.", "Computer Programming", False),
    ],
)
def test_other_forms_of_a_title_are_found(text: str, title: str, *, linked: bool) -> None:
    assert bool(phrases(text).keys() & set(keys_of({title_name(title), *further_names(title)}))) is linked


@given(st.text())
def test_any_text_gives_few_keys_for_each_word(text: str) -> None:
    assert len(phrases(text)) <= 3 * LONGEST * max(1, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "- Harbour at Night\n- Jump for Glory\n- Winter",
        "1. Harbour at Night\n2. Jump for Glory\n3. Winter",
        "| year | film | director |\n| 1937 | Jump for Glory | Raoul Walsh |",
        "1937\tJump for Glory\tRaoul Walsh",
        "1937,Jump for Glory,Raoul Walsh",
        "Subject: Re: Jump for Glory\n> When will Jump for Glory be shown?",
    ],
)
def test_titles_are_found_in_items_of_lists_in_cells_and_in_mails(text: str) -> None:
    assert set(keys_of([title_name("Jump for Glory")])) <= set(phrases(text)) & set(keys_of(names_in(text)))
