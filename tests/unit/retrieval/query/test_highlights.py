"""Properties of highlights: every match is marked, in any context."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.identifiers import identifier_parts
from desktop_rag.index.keywords.inflection import stem_in
from desktop_rag.retrieval.query.highlights import Highlighter, analysed, occurrences, pieces
from desktop_rag.retrieval.query.tree import Fuzzy, Phrase, Wildcard, Word

TEXTS = st.text(st.sampled_from("ab rent Rent’s\n\t-_.é契約\u200bñ\u00a0\u3000'“”–…(),!"), max_size=60)
SAMPLES = (
    "rent",
    "rents",
    "renting",
    "camelCase",
    "re-rent",
    "契約",
    "a\u0301b",
    "naïve",
    "snake_case",
    "é",
    "“Rent”",
    "(rents),",
)
WORDS = st.lists(st.sampled_from(SAMPLES), max_size=12)


def shown(leaf: Word | Phrase | Wildcard | Fuzzy, text: str) -> list[str]:
    return [text[mark.start : mark.end] for mark in Highlighter((leaf,)).marks(text)]


@given(TEXTS | WORDS.map(" ".join) | WORDS.map("".join))
def test_pieces_have_the_terms_of_the_whole_text(text: str) -> None:
    whole = sorted((term.text, term.start, term.end) for term in chain(terms(text), identifier_parts(text)))
    apart = sorted(
        (cut.text, at + cut.start, at + cut.end)
        for piece in pieces(text)
        for at in occurrences(piece, text)
        for cut in analysed(piece)
    )
    assert apart == whole


@pytest.mark.parametrize(
    ("leaf", "text", "marked"),
    [
        (Word("図書館"), "東京都の図書館は、図書と", ["図書館", "図書"]),
        (Word("rent"), "Rent, rents; rent’s (rent) parent rent-free", ["Rent", "rents", "rent", "rent", "rent"]),
        (Word("rent"), "rent rent\nrent\u00a0rent", ["rent"] * 4),
        (Word("契約"), "賃貸契約書、契約", ["契約", "契約"]),
        (Word("request"), "parseHttpRequest(request)", ["Request", "request"]),
        (Wildcard("ren*"), "Rental of the rent", ["Rental", "rent"]),
        (Fuzzy("lease", 1), "The leese, the lease.", ["leese", "lease"]),
        (Phrase("monthly rent"), "The monthly\nrent, a rent monthly", ["monthly\nrent"]),
        (Word("a"), "a cat and a dog", ["a", "a"]),
        (Word("die"), "Dying, she DIED. dies ïdie", ["Dying", "DIED", "dies"]),
        (Word("naïve"), "naive NAÏVE nave", ["naive", "NAÏVE"]),
        (Wildcard("*ent"), "Rent of a parent", ["Rent", "parent"]),
        (Wildcard("r?nt"), "Rent, runt; rents", ["Rent", "runt"]),
    ],
)
def test_every_occurrence_is_marked(leaf: Word | Phrase | Wildcard | Fuzzy, text: str, marked: list[str]) -> None:
    assert shown(leaf, text) == marked


WORDS_OF = Path(__file__).parents[4] / "resources" / "sample"


@given(st.data())
def test_every_word_with_the_stem_is_marked(data: st.DataObject) -> None:
    words = sorted({term.text for file in WORDS_OF.rglob("*.md") for term in terms(file.read_text("utf-8"))})
    asked = data.draw(st.sampled_from(words))
    same = [word for word in words if stem_in(word, "") == stem_in(asked, "")]
    assert shown(Word(asked), " ".join(words)) == same


def test_a_highlighter_can_be_reused() -> None:
    marker = Highlighter((Word("rent"),))
    first, second = "The rent is due.", "No rent, no house. The rent is due."
    assert [mark.start for mark in marker.marks(first)] == [4]
    assert [mark.start for mark in marker.marks(second)] == [3, 23]
    assert [mark.start for mark in marker.marks(first)] == [4]


PHRASED = ("Board", "of", "of's", "of’s", "’s", "s", "the", "&", "board-of", "“board", "…of", "of2", "o\nf", "_", "")


@given(st.lists(st.sampled_from(PHRASED)), st.sampled_from(("", " ")))
def test_phrases_are_marked_alike_in_any_text(parts: list[str], between: str) -> None:
    text = between.join(parts)
    marks = Highlighter([Phrase("board of"), Phrase("of the board"), Phrase("board of of"), Phrase("of s")]).marks
    assert marks(text) == marks(f"{text} é")  # where letters are not ASCII, the terms of the whole text are compared


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("die", "dying"),
        ("dying", "die"),
        ("happiness", "happy"),
        ("happy", "happiness"),
        ("sky", "skies"),
        ("hope", "hoping"),
        ("hop", "hopping"),
        ("sensible", "sensibility"),
        ("plane", "planings"),
        ("try", "tries"),
        ("ski", "skis"),
    ],
)
def test_forms_that_share_few_letters_are_marked(word: str, text: str) -> None:
    assert shown(Word(word), f"A {text}, here.") == [text]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("the t of it", ["t"]),
        ("T, to-t t2 it", ["T", "t"]),
        ("“t” té can’t", ["t", "t"]),
        ("camelT gets t", ["t"]),
    ],
)
def test_a_letter_alone_is_marked_where_it_is_a_word(text: str, marked: list[str]) -> None:
    assert shown(Word("t"), text) == marked
    assert shown(Word("o"), "An OED, o also") == ["OED", "o"]
