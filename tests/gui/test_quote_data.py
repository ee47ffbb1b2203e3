"""What is dragged out of the window: text with its reference, a link back, the file."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.gui.conversation.sources.citation_menu import add_citation_actions
from desktop_rag.gui.conversation.sources.sources_model import SourcesModel
from desktop_rag.gui.quote_data import QuotedPassage, quote_data
from desktop_rag.gui.search.results_model import ResultsModel, quotation
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.drop_zone import DropZone
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, MatchReason, Snippet
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


def test_latex_is_copied_and_dragged_as_it_is_shown(qtbot: QtBot) -> None:
    raw = r"The \textbf{deposit} \& rent"
    model, found = SourcesModel(), ResultsModel()
    cited = replace(answered().citations[0], quote=raw, format="latex")
    model.set_citations([cited], 1)
    span, path = Span(1, 1, 0, 4), Path("/a.tex")
    snippet = Snippet(raw, (), span)
    hit = Hit(1, ChunkId(1), ContentId(1), "", path, (), "latex", "", 0, 0, None, "", span, 1, snippet, MatchReason())
    found.show_hits([hit])
    dragged = [each.mimeData([each.index(row) for row in range(each.rowCount())]).text() for each in (model, found)]
    assert all("The deposit & rent" in text and "\\" not in text for text in (*dragged, quotation(hit)))
    menu = QMenu()
    qtbot.addWidget(menu)
    add_citation_actions(menu, cited, (cited,), ViewerRequests(), lambda: None)
    for name in ("Copy quote", "Copy as Markdown"):
        next(action for action in menu.actions() if action.text() == name).trigger()
        assert "The deposit & rent" in QGuiApplication.clipboard().text()


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
