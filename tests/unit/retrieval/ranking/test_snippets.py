import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Page, Span
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.retrieval.api import Snippet
from desktop_rag.retrieval.query.highlights import Highlight, Highlighter, LiteralHighlighter, is_near
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import Phrase, Spelled, Wildcard, Word, wanted
from desktop_rag.retrieval.ranking.snippets import MAX_CHARACTERS, around_marks, around_sentence, without_page_numbers

BEFORE = "Earlier text.\n\n"  # text before the chunk in its document


def chunk_of(*sentences: str, gap: str = " ") -> Chunk:
    text, spans = "", []
    for sentence in sentences:
        text += gap if text else ""
        spans.append((len(BEFORE) + len(text), len(BEFORE) + len(text) + len(sentence)))
        text += sentence
    first = BEFORE.count("\n") + 1
    span = Span(first, first + text.count("\n"), len(BEFORE), len(BEFORE) + len(text))
    return Chunk(ChunkId(1), ContentId(1), 0, span, "", text, tuple(spans))


def marker(query: str) -> Highlighter:
    return Highlighter(wanted(parse(query).words))


def marked(query: str, text: str) -> list[str]:
    return [text[mark.start : mark.end] for mark in marker(query).marks(text)]


def snippet_of(chunk: Chunk, query: str) -> Snippet:
    return around_marks(chunk, marker(query).marks(chunk.text))


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("renting", "The rent rises, rents fall", ["rent", "rents"]),
        ("zurich", "In Zürich", ["Zürich"]),
        ('"rent law"', "rent and law, Rent Law", ["Rent Law"]),
        ("incr*se", "increase or incense", ["increase"]),
        ("tenat~1", "the tenant, the tint", ["tenant"]),
        ("the rent", "the rent", ["rent"]),
        ("the", "the rent", ["the"]),
        ("rent -law", "rent law", ["rent"]),
        ("well-known", "a known well", ["known", "well"]),
        ("房租", "涨房租了", ["房租"]),
    ],
)
def test_matches_of_the_index_are_marked(query: str, text: str, found: list[str]) -> None:
    assert marked(query, text) == found


def test_literal_marks_ignore_case_and_line_ends() -> None:
    text = "The RENT\nlaw and foxes"
    found = LiteralHighlighter((Phrase("rent law"), Word("ox"))).marks(text)
    assert [text[mark.start : mark.end] for mark in found] == ["RENT\nlaw", "ox"]


def test_a_spelling_is_marked_only_as_typed_among_letters_too() -> None:
    text = "It is IT with its bits: it IT's"
    found = LiteralHighlighter((Word("bit"), Spelled("IT"))).marks(text)
    assert [(text[mark.start : mark.end], mark.leaf) for mark in found] == [("IT", 1), ("bit", 0), ("IT", 1)]


def test_a_wildcard_is_marked_within_words_as_exact_mode_finds_it() -> None:
    text = "Our biopharmaceutical PHARMACY, try_acquire_all()"
    found = LiteralHighlighter((Wildcard("pharmac*"), Wildcard("try_acq*"))).marks(text)
    assert [text[mark.start : mark.end] for mark in found] == ["pharmaceutical", "PHARMACY", "try_acquire_all"]


def test_the_sentence_with_the_most_words_is_shown() -> None:
    chunk = chunk_of("A rent was paid. " + "x" * 200, "Nothing here " * 20, "The law limits the rent " + "y" * 150)
    assert snippet_of(chunk, "rent law").text.startswith("The law limits")


def test_words_behind_a_gap_do_not_count_for_the_sentences_before_it() -> None:
    gap = "The notice period is three months, and it has to be given in writing to the other side."
    chunk = chunk_of("They paid in May.", gap, "It has to be signed.", gap, "Anna moves out in August.")
    assert "moves out in August" in snippet_of(chunk, "moves August paid May Anna").text


def test_short_sentences_come_with_their_neighbours() -> None:
    chunk = chunk_of("One cat.", "Two dogs.", "Three birds.")
    assert snippet_of(chunk, "dogs").text == "One cat. Two dogs. Three birds."


def test_without_marks_the_beginning_is_shown() -> None:
    assert snippet_of(chunk_of("First sentence.", "Second."), "nothing").text.startswith("First")


def test_a_long_sentence_is_truncated_around_its_marks() -> None:
    chunk = chunk_of("word " * 200 + "needle " + "word " * 200)
    snippet = snippet_of(chunk, "needle")
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert [snippet.text[a:b] for a, b in snippet.marks] == ["needle"]
    assert len(snippet.text) <= MAX_CHARACTERS + 2


def test_the_best_sentence_is_shown() -> None:
    chunk = chunk_of("A" * 150 + ".", "B" * 150 + ".", "C" * 150 + ".")
    assert around_sentence(chunk, 1, ()).text == "B" * 150 + "."
    assert around_sentence(chunk, 99, ()).text == "C" * 150 + "."


TEXTS = st.lists(
    st.lists(st.sampled_from(["rent", "law", "the", "a\nb", "x" * 70, "…"]), min_size=1, max_size=12).map(" ".join),
    min_size=1,
    max_size=8,
)


@given(TEXTS, st.sampled_from(["rent", "rent law", '"rent law"', "nothing"]), st.integers(-1, 9))
def test_a_snippet_equals_the_text_of_its_span(sentences: list[str], query: str, ordinal: int) -> None:
    chunk = chunk_of(*sentences, gap="\n")
    marks = marker(query).marks(chunk.text)
    snippet = around_marks(chunk, marks) if ordinal < 0 else around_sentence(chunk, ordinal, marks)
    whole = BEFORE + chunk.text
    shown = whole[snippet.span.start : snippet.span.end]
    cut = shown.replace("\n", " ")
    assert snippet.text in {cut, f"…{cut}", f"{cut}…", f"…{cut}…"}
    assert len(cut) <= MAX_CHARACTERS
    assert whole[: snippet.span.start].count("\n") + 1 == snippet.span.first_line
    assert whole[: snippet.span.end].count("\n") + 1 == snippet.span.last_line
    for start, end in snippet.marks:
        assert re.fullmatch(r"rent|law|rent[ …]+law", snippet.text[start:end])


@given(TEXTS)
def test_a_snippet_shows_a_mark_if_there_is_one(sentences: list[str]) -> None:
    chunk = chunk_of(*sentences)
    assert bool(snippet_of(chunk, "rent").marks) == ("rent" in chunk.text)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("a", "a", 0), ("cat", "cut", 1), ("recieve", "receive", 1), ("", "x", 1), ("ba", "abc", 2)],
)
def test_swapped_letters_are_one_edit(one: str, other: str, distance: int) -> None:
    assert is_near(one, other, distance)
    assert distance == 0 or not is_near(one, other, distance - 1)


def test_marks_never_overlap() -> None:
    found = marker('rent "rent law" law').marks("rent law rent")
    assert [(m.start, m.end) for m in found] == [(0, 8), (9, 13)]
    assert all(isinstance(mark, Highlight) for mark in found)


@pytest.mark.parametrize(
    ("line", "query", "shown"),
    [
        ("12", "tenant", "The tenant must    pay the rent."),
        ("– 4 –", "tenant", "The tenant must       pay the rent."),
        ("Page 3 of 9", "tenant", "The tenant must             pay the rent."),
        ("xii", "tenant", "The tenant must     pay the rent."),
        ("the civil", "tenant", "The tenant must the civil pay the rent."),
        ("12", "12", "The tenant must 12 pay the rent."),
        ("at once", "tenant", "The tenant must at once pay the rent."),
    ],
)
def test_the_number_of_a_page_does_not_interrupt_a_sentence(line: str, query: str, shown: str) -> None:
    chunk = chunk_of(f"The tenant must\n{line}\npay the rent.")
    found = snippet_of(chunk, query)
    pages = (Page(3, 1, 1.0, 1.0), Page(4, chunk.span.first_line + 2, 1.0, 1.0))
    assert without_page_numbers(found, chunk, pages).text == shown
    assert without_page_numbers(found, chunk, pages).places() == found.places()
    assert without_page_numbers(found, chunk, ()).text == found.text
