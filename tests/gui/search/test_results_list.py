"""Rows of the results: opened in other programs by key, further passages folded and unfolded in place."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.gui.search.results_list import ResultsList
from desktop_rag.gui.search.results_model import DocumentRow, FoldRow, HitRow, fold_words
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, MatchReason, NamedFile, Snippet

PASSAGE, FILE = Path("/home/anna/lease.md"), Path("/home/anna/photo.jpg")


@pytest.fixture
def results(qtbot: QtBot) -> ResultsList:
    results = ResultsList()
    qtbot.addWidget(results)
    results.show_hits([passage(1, 1)], named=[NamedFile(FILE, 1, 1)])
    results.show()
    results.setFocus()
    return results


def passage(chunk: int, content: int, *, word: bool = True) -> Hit:
    snippet = Snippet(f"Text {chunk}", (), Span(chunk, chunk, 0, 6))
    why = MatchReason(keyword_rank=chunk if word else None)
    path = PASSAGE.with_stem(f"lease{content}") if content > 1 else PASSAGE
    found = ChunkId(chunk), ContentId(content), "", path, (), "markdown", "", 0, 0, None, "", snippet.span, 1
    return Hit(chunk, *found, snippet, why)


def shown(results: ResultsList) -> list[str]:
    """Return the rows: names of documents, numbers of passages, and the other ones by their text."""
    words = []
    for row in results.results.rows:
        match row:
            case DocumentRow():
                words.append(row.name)
            case HitRow():
                words.append(str(row.hit.chunk))
            case FoldRow():
                words.append(fold_words(row))
            case _:
                words.append(type(row).__name__)
    return words


# Eight passages of one document, with those of two others between and behind them; and one more than are best.
MANY = [passage(chunk, 2 if chunk in (3, 12, 13, 14) else 3 if chunk == 9 else 1) for chunk in range(1, 15)]
FOLDED = ["lease.md", "1", "2", "4", "6 more in this document", "lease2.md", "3", "12", "13", "14", "lease3.md", "9"]
UNFOLDED = ["lease.md", "1", "2", "4", "5", "6", "7", "8", "10", "11", "Show the best 3 only", *FOLDED[5:]]


def test_a_document_shows_its_best_passages_and_the_others_in_place(results: ResultsList, qtbot: QtBot) -> None:
    results.show_hits(MANY)
    assert shown(results) == FOLDED
    place = shown(results).index("6 more in this document")
    results.setCurrentIndex(results.results.index(place))
    QTest.keyClick(results, Qt.Key.Key_Return)
    assert shown(results) == UNFOLDED
    assert results.current() == results.results.rows[place]  # the first of them is current
    fold = results.results.index(shown(results).index("Show the best 3 only"))
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=results.visualRect(fold).center())
    assert shown(results) == FOLDED
    assert results.currentIndex().row() == place


def test_arrow_keys_unfold_and_fold_from_every_row_of_a_document(results: ResultsList) -> None:
    results.show_hits(MANY)
    results.setCurrentIndex(results.results.index(0))
    QTest.keyClick(results, Qt.Key.Key_Right)
    assert shown(results) == UNFOLDED
    assert results.currentIndex().row() == 0
    results.setCurrentIndex(results.results.index(7))
    QTest.keyClick(results, Qt.Key.Key_Left)
    assert shown(results) == FOLDED
    assert results.currentIndex().row() == FOLDED.index("6 more in this document")


def test_an_unfolded_document_stays_so_while_the_list_grows_and_not_in_the_next_search(results: ResultsList) -> None:
    results.show_hits(MANY, more=True)
    results.setCurrentIndex(results.results.index(4))
    results.unfold()
    results.setCurrentIndex(results.results.index(len(results.results.rows) - 1))
    results.show_hits(
        [*MANY, passage(15, 1), passage(16, 3), passage(17, 3), passage(18, 3), passage(19, 3)], stay=True
    )
    assert shown(results)[:12] == [*UNFOLDED[:10], "15", "Show the best 3 only"]
    assert shown(results)[-5:] == ["lease3.md", "9", "16", "17", "2 more in this document"]
    results.show_hits(MANY)
    assert shown(results) == FOLDED


def test_a_current_passage_that_falls_behind_the_best_stays_shown(results: ResultsList) -> None:
    results.show_hits(MANY)
    results.setCurrentIndex(results.results.index(1))
    results.show_hits([*MANY[1:], MANY[0]], stay=True)
    assert (now := results.current()) is not None
    assert now.hit == MANY[0]
    assert "11" in shown(results)


def test_the_passage_to_return_to_is_unfolded(results: ResultsList) -> None:
    results.show_hits(MANY)
    results.choose(MANY[10])
    assert (now := results.current()) is not None
    assert now.hit == MANY[10]


def test_nothing_is_folded_in_the_only_document(results: ResultsList) -> None:
    results.show_hits([passage(chunk, 1) for chunk in range(1, 9)])
    assert shown(results) == ["lease.md", *"12345678"]


def test_a_document_with_as_many_passages_as_the_search_gives_may_have_others(results: ResultsList) -> None:
    results.show_hits(MANY, per_document=9)
    assert "The next 6 in this document" in shown(results)


def test_all_passages_of_such_a_document_are_asked_for_once_it_is_unfolded(results: ResultsList, qtbot: QtBot) -> None:
    results.show_hits(MANY, per_document=9)
    results.setCurrentIndex(results.results.index(shown(results).index("The next 6 in this document")))
    with qtbot.waitSignal(results.rest_requested) as asked:
        results.unfold()
    place, content = results.currentIndex().row(), asked.args[0]
    every = [passage(chunk, content) for chunk in range(1, 41)]
    results.results.show_rest(content, every)
    assert shown(results)[:2] + shown(results)[40:42] == ["lease.md", UNFOLDED[1], "40", "Show the best 3 only"]
    assert results.currentIndex().row() == place
    head = results.results.rows[0]
    assert isinstance(head, DocumentRow)
    assert head.count == 40
    results.fold()
    assert "37 more in this document" in shown(results)
    results.show_hits(MANY, per_document=9, stay=True)  # the same search, in a better order
    assert "37 more in this document" in shown(results)
    with qtbot.assertNotEmitted(results.rest_requested):
        results.unfold()
    results.show_hits(MANY, per_document=9)
    assert "The next 6 in this document" in shown(results)


@pytest.mark.parametrize(("first", "path"), [("HitRow", PASSAGE), ("DocumentRow", PASSAGE), ("FileRow", FILE)])
@pytest.mark.parametrize(
    ("modifiers", "signal"),
    [
        (Qt.KeyboardModifier.AltModifier, "file_opened"),
        (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, "folder_opened"),
    ],
)
def test_keys_open_the_file_outside(
    results: ResultsList, qtbot: QtBot, first: str, path: Path, modifiers: Qt.KeyboardModifier, signal: str
) -> None:
    place = [type(row).__name__ for row in results.results.rows].index(first)
    results.setCurrentIndex(results.results.index(place))
    with qtbot.waitSignal(getattr(results, signal)) as opened:
        QTest.keyClick(results, Qt.Key.Key_Return, modifiers)
    assert opened.args == [path]


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.LeftButton])
def test_a_pressed_row_is_current_but_not_opened(results: ResultsList, qtbot: QtBot, button: Qt.MouseButton) -> None:
    results.show_hits([passage(number, 1) for number in (1, 2, 3)])
    at = results.visualRect(results.results.index(2)).center()
    with qtbot.assertNotEmitted(results.looked_at, wait=400):
        QTest.mousePress(results.viewport(), button, pos=at)
    assert (row := results.current()) is not None
    assert row.hit.chunk == 2
    if button == Qt.MouseButton.LeftButton:
        with qtbot.waitSignal(results.looked_at) as looked:
            QTest.mouseRelease(results.viewport(), button, pos=at)
        assert looked.args == [row.hit]
