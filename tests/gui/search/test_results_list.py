"""A found file is opened in its own program, or shown in its folder, by key and from its menu."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.gui.search.results_list import ResultsList
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, MatchReason, NamedFile, Snippet

PASSAGE, FILE = Path("/home/anna/lease.md"), Path("/home/anna/photo.jpg")


@pytest.fixture
def results(qtbot: QtBot) -> ResultsList:
    results = ResultsList()
    qtbot.addWidget(results)
    snippet = Snippet("Text", (), Span(1, 1, 0, 4))
    span, why = snippet.span, MatchReason()
    hit = Hit(1, ChunkId(1), ContentId(1), "", PASSAGE, (), "markdown", "", 0, 0, None, "", span, 1, snippet, why)
    results.show_hits([hit], named=[NamedFile(FILE, 1, 1)])
    results.show()
    results.setFocus()
    return results


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
