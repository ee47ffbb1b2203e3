import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.links.neighbours import LONGEST, keys_of, names_in, phrase_keys, title_name

TEXT = "It was based on The Colour of pomegranates: a Film, then lost in 1972. later found"


def held(title: str) -> bool:
    return set(keys_of([title_name(title)])) <= set(phrase_keys(TEXT))


def test_titles_are_found_with_small_words_marks_and_articles() -> None:
    for title in ("The Colour of Pomegranates", "the colour of pomegranates – a film", "Film, then lost in 1972"):
        assert held(title), title


def test_a_phrase_begins_with_a_capital_or_a_figure() -> None:
    assert not held("based on the colour")
    assert not held("later found")


@given(st.text())
def test_any_text_gives_few_keys_for_each_word(text: str) -> None:
    keys = phrase_keys(text)
    assert keys == sorted(set(keys))
    assert len(keys) <= LONGEST * max(1, len(text))


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
    assert set(keys_of([title_name("Jump for Glory")])) <= set(phrase_keys(text)) & set(keys_of(names_in(text)))
