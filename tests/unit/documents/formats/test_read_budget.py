"""What may be made of one file, and where a second reading of it stops."""

import pytest

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line
from desktop_rag.documents.formats.source_file import (
    CHARACTERS_A_BYTE,
    FREE_CHARACTERS,
    MAX_CHARACTERS,
    NOT_ENOUGH_MEMORY,
    ReadBudget,
    ReadLimitReached,
    SourceFile,
    StepReached,
    max_characters,
)


def unread(source: SourceFile) -> Document:
    raise AssertionError(f"{source.name} has no members")


def source_of(budget: ReadBudget) -> SourceFile:
    return SourceFile("a.txt", b"text", budget, unread)


def lines_until(budget: ReadBudget, most: int = 1000) -> Document:
    """Return what a reader makes of a file of `most` lines that checks its budget before each of them."""
    builder = DocumentBuilder("text")
    with source_of(budget).keep_partial(builder):
        for number in range(1, most + 1):
            budget.check(builder.characters)
            builder.add(Line(f"Line {number}"))
    return builder.build()


def test_a_file_may_become_more_text_the_larger_it_is() -> None:
    assert max_characters(10) == FREE_CHARACTERS
    assert max_characters(FREE_CHARACTERS) == CHARACTERS_A_BYTE * FREE_CHARACTERS
    assert max_characters(10**9) == MAX_CHARACTERS


def test_more_text_than_allowed_is_cut_off_and_says_so() -> None:
    document = lines_until(ReadBudget(characters=100))
    assert 100 < len(document.text) < 120
    assert document.partial.startswith("This file contains more text than can be read")


def test_a_second_reading_ends_before_the_step_at_which_the_first_was_lost() -> None:
    reached: list[StepReached] = []
    lines_until(ReadBudget(report=reached.append), most=1)
    assert reached == [StepReached(1)]
    document = lines_until(ReadBudget(until=StepReached(3, "It crashed.")))
    assert document.text == "Line 1\nLine 2"
    assert document.partial == "It crashed."


def test_a_limit_once_reached_is_reached_at_every_further_step() -> None:
    budget = ReadBudget(until=StepReached(2, "It crashed."))
    budget.check()
    for _ in range(2):
        with pytest.raises(ReadLimitReached, match="It crashed"):
            budget.check()


def test_what_was_read_before_the_memory_was_used_up_is_kept() -> None:
    builder = DocumentBuilder("text")
    with source_of(ReadBudget()).keep_partial(builder):
        builder.add(Line("Kept."))
        raise MemoryError
    assert (builder.build().text, builder.partial) == ("Kept.", NOT_ENOUGH_MEMORY)
