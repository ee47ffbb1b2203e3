"""What the palette finds for a few typed letters."""

import pytest

from desktop_rag.gui.command_palette import ranked

NAMES = (
    ("New conversation", "File"),
    ("Find a conversation", "Edit"),
    ("Write a question", "Edit"),
    ("Search", "Edit"),
    ("Dark", "View"),
    ("Rent of the boat house", "Conversation"),
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("new", "New conversation"),
        ("conv new", "New conversation"),
        ("serch", "Search"),
        ("qestion", "Write a question"),
        ("nc", "New conversation"),
        ("view", "Dark"),
        ("uestio", "Write a question"),
        ("RENT", "Rent of the boat house"),
    ],
)
def test_the_best_entry_stands_first(query: str, first: str) -> None:
    assert NAMES[ranked(NAMES, query)[0]][0] == first


@pytest.mark.parametrize("query", ["zzz", "new zzz", "qq", "ñ"])
def test_what_fits_nothing_finds_nothing(query: str) -> None:
    assert ranked(NAMES, query) == []


def test_what_only_resembles_is_found_where_nothing_has_the_words() -> None:
    names = (("Appearance", "Settings"), ("New paper", "File"))
    assert ranked(names, "paper") == [1]
    assert ranked(names, "appearence") == [0]


def test_an_empty_query_keeps_the_order() -> None:
    assert ranked(NAMES, "  ") == list(range(len(NAMES)))
    assert ranked((("", ""),), "a") == []
