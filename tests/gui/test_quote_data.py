"""What is dragged out of the window: text with its reference, a link back, the file."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.sources.sources_model import SourcesModel
from desktop_rag.gui.quote_data import QuotedPassage, quote_data
from desktop_rag.gui.window.drop_zone import DropZone
from tests.gui.conversation.conftest import answered


def test_a_quote_is_escaped_in_html_and_plain_in_text(tmp_path: Path) -> None:
    path = str(tmp_path / 'R&D "notes".txt')
    data = quote_data([QuotedPassage("a < b &\nc", "Notes <i>", path, 3, 12, 14, "ab" * 32)])
    assert data.text() == f'“a < b &\nc”\n— Notes <i> (R&D "notes".txt), page 3, lines 12–14\n{path}'
    assert "<p>a &lt; b &amp;<br>c</p>" in data.html()
    assert "%22notes%22.txt&amp;line=12-14&amp;sha256=abab" in data.html()
    assert ">R&amp;D &quot;notes&quot;.txt, page 3, lines 12–14</a>" in data.html()
    assert data.urls() == [QUrl.fromLocalFile(path)]


def test_a_passage_without_a_file_has_neither_link_nor_file() -> None:
    data = quote_data([QuotedPassage("words", "A title", "", None, 1, 1)])
    assert (data.urls(), "href" in data.html()) == ([], False)
    assert "A title" in data.html()


def test_citations_are_dragged_with_their_quotes(qtbot: QtBot) -> None:
    model = SourcesModel()
    citations = answered().citations
    model.set_citations(citations, len(citations))
    rows = [model.index(row) for row in range(model.rowCount())]
    dragged = [row for row in rows if model.flags(row) & Qt.ItemFlag.ItemIsDragEnabled]
    data = model.mimeData(dragged)
    assert all(citation.quote in data.text() for citation in citations)
    assert {url.toLocalFile() for url in data.urls()} == {citation.path for citation in citations}


def test_what_comes_from_the_window_is_not_added_to_the_library(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    zone = DropZone(window)
    window.show()
    added: list[object] = []
    zone.folders_dropped.connect(added.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for inside in (True, False):
        zone.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), copy, data, left, none))
        zone._from_inside = inside
        zone.grab()
        zone.dropEvent(QDropEvent(QPointF(9, 9), copy, data, left, none))
        assert bool(added) is not inside
