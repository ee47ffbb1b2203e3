"""The word diff of a cited passage in a changed file, and its display in the banner."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop_rag.gui.viewer.document_loading import open_target, word_diff
from desktop_rag.gui.viewer.viewer_events import DiffPiece, PassageCompared, WordChange, target_of_citation
from desktop_rag.stop import Stop
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever

OLD = "The rent is 950 euros and due on the first day of each month."


def shown(pieces: Sequence[DiffPiece]) -> list[tuple[str, str]]:
    return [(piece.change.value, piece.text.strip()) for piece in pieces]


def test_words_are_removed_added_or_the_same() -> None:
    new = "Preface.\nThe rent is 1,050 euros and\ndue on the first working day of each month.\nPets are fine."
    assert shown(word_diff(OLD, new)) == [
        ("same", "The rent is"),
        ("gone", "950"),
        ("new", "1,050"),
        ("same", "euros and due on the first"),
        ("new", "working"),
        ("same", "day of each month."),
    ]


def test_punctuation_does_not_change_adjacent_words() -> None:
    pieces = word_diff("It costs 15 euros, no more.", "It costs 15 euros plus interest, no more.")
    assert "".join(piece.text for piece in pieces) == "It costs 15 euros plus interest, no more."
    assert shown(pieces)[1] == ("new", "plus interest")


def test_unrelated_texts_have_no_diff() -> None:
    assert word_diff(OLD, "Something else entirely stands in this place now, about cats.") == ()
    assert word_diff("", "") == ()


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_old_text_can_be_restored_from_the_diff(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    if pieces:
        then = "".join(piece.text for piece in pieces if piece.change is not WordChange.NEW)
        assert "".join(then.split()) == "".join(old.split())


def test_a_passage_that_moved_and_changed_is_found(
    retriever: MemoryRetriever, lease: MemoryFile, tmp_path: Path
) -> None:
    citation = cite(lease, "It is raised once a year,")
    text = lease.document.text.replace("once a year", "twice a year")
    retriever.add_text(tmp_path / "lease.md", "# A new first line\n\n\n\n\n\n\n\n\n" + text)
    events = list(open_target(target_of_citation(citation), retriever, Stop()))
    (compared,) = (event for event in events if isinstance(event, PassageCompared))
    assert ("gone", "once") in shown(compared.pieces)
    assert ("new", "twice") in shown(compared.pieces)


def test_the_banner_switches_between_diff_and_stored_passage(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, tmp_path: Path
) -> None:
    citation = cite(lease, "It is raised once a year,")
    retriever.add_text(tmp_path / "lease.md", lease.document.text.replace("once a year", "twice a year"))
    passage = opened(citation).banner.passage
    assert passage.changes() == "Removed: once. Added: twice."
    (switch,) = passage.findChildren(QPushButton)
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert passage.changes() == ""
    assert "once a year" in passage.highlighted_text()


def test_a_passage_that_only_moved_has_no_changes(
    retriever: MemoryRetriever, lease: MemoryFile, opened: Opened, tmp_path: Path
) -> None:
    retriever.add_text(tmp_path / "lease.md", "# A new first line\n\n" + lease.document.text)
    assert opened(cite(lease, "It is raised once a year,")).banner.passage.changes() == ""
