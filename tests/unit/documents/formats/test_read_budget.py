"""The limits of reading one file, and where a second attempt stops."""

import itertools
import time
from types import SimpleNamespace

import pytest

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line
from desktop_rag.documents.formats import source_file
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
    """Return the document of a reader that checks its budget before each of `most` lines."""
    builder = DocumentBuilder("text")
    with source_of(budget).keep_partial(builder):
        for number in range(1, most + 1):
            budget.check(builder.characters)
            builder.add(Line(f"Line {number}"))
    return builder.build()


def test_the_text_limit_grows_with_the_file_size() -> None:
    assert max_characters(10) == FREE_CHARACTERS
    assert max_characters(FREE_CHARACTERS) == CHARACTERS_A_BYTE * FREE_CHARACTERS
    assert max_characters(10**9) == MAX_CHARACTERS


def test_more_text_than_allowed_is_truncated_and_marked_partial() -> None:
    document = lines_until(ReadBudget(characters=100))
    assert 100 < len(document.text) < 120
    assert document.partial.startswith("This file contains more text than can be read")


def test_a_second_attempt_stops_before_the_step_of_the_crash() -> None:
    reached: list[StepReached] = []
    lines_until(ReadBudget(report=reached.append), most=1)
    assert reached == [StepReached(1)]
    document = lines_until(ReadBudget(until=StepReached(3, "It crashed.")))
    assert document.text == "Line 1\nLine 2"
    assert document.partial == "It crashed."


def test_progress_is_told_every_few_milliseconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 0.001)
    monkeypatch.setattr(source_file, "time", SimpleNamespace(monotonic=clock.__next__, process_time=time.process_time))
    reached: list[StepReached] = []
    lines_until(ReadBudget(report=reached.append), most=400)
    assert reached[0] == StepReached(1)
    assert 15 <= len(reached) <= 25, "one of about twenty steps of a millisecond"


def test_a_reached_limit_is_raised_at_every_further_step() -> None:
    budget = ReadBudget(until=StepReached(2, "It crashed."))
    budget.check()
    for _ in range(2):
        with pytest.raises(ReadLimitReached, match="It crashed"):
            budget.check()


def test_text_before_running_out_of_memory_is_kept() -> None:
    builder = DocumentBuilder("text")
    with source_of(ReadBudget()).keep_partial(builder):
        builder.add(Line("Kept."))
        raise MemoryError
    assert (builder.build().text, builder.partial) == ("Kept.", NOT_ENOUGH_MEMORY)
