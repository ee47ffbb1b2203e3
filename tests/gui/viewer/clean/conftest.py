"""Clean views of documents parsed by the real readers."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer.clean.rendered_view import RenderedView
from desktop_rag.gui.viewer.document_loading import marks_by_line
from desktop_rag.gui.viewer.viewer_events import DocumentFound, LinesLoaded, Staleness, Target
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentCard, LineWindow

CONTENT = ContentId(1)


def markdown(text: str) -> Document:
    """Parse Markdown with the real reader."""
    return read_document("a.md", text.encode())


def read(document: Document, first: int = 1, count: int = 1_000_000) -> LinesLoaded:
    """Return lines as the read job yields them."""
    lines = tuple(document.text.split("\n")[first - 1 : first - 1 + count])
    start = document.line_starts[first - 1]
    end = start + sum(len(line) + 1 for line in lines)
    marks = tuple(document.structure.marks_between(start, end))
    window = LineWindow(CONTENT, first, lines, document.line_count, start, marks)
    return LinesLoaded(CONTENT, first, lines, document.line_count, marks_by_line(window))


def found(document: Document, first: int = 0, last: int = 0) -> DocumentFound:
    """Return a resolved document."""
    card = DocumentCard(
        CONTENT, "ab", None, (), document.format, document.title, "", "", "", 0, document.line_count, 1, 0, "", False
    )
    layout = DocumentLayout(document.kinds, document.pages, document.boxes, document.structure)
    return DocumentFound(Target(CONTENT, "ab", "", "", first, last), Staleness.SAME, card, layout, first, last)


class Opened:
    """A view that receives the lines it requests while `gives` is set."""

    def __init__(self, view: RenderedView, document: Document) -> None:
        self.view = view
        self.document = document
        self.gives = True
        self.asked: list[tuple[int, int]] = []
        view.lines_requested.connect(self.give)

    def give(self, first: int, count: int) -> None:
        self.asked.append((first, count))
        if self.gives:
            self.view.add_lines(read(self.document, first, count))
            self.view.read_finished()


Open = Callable[..., Opened]


@pytest.fixture
def open_page(qtbot: QtBot, look: Look) -> Open:
    """Show a document at some lines."""

    def open_it(document: Document, first: int = 0, last: int = 0) -> Opened:
        view = RenderedView()
        qtbot.addWidget(view)
        view.resize(600, 500)
        view.show()
        opened = Opened(view, document)
        view.begin(found(document, first, last))
        view.show_citation(first, last)
        opened.give(max(1, first - 60), 240)
        return opened

    return open_it
