"""What can be done with one citation at its row and at its number: open it, see it, copy it, drag it out."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QDrag, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.agent.events import Citation
from desktop_rag.gui import formatting
from desktop_rag.gui.quote_data import QuotedPassage, quote_data
from desktop_rag.gui.snippet_text import copied_quote
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.text.desktop_links import line_fragment, link_to


def quoted_passage(citation: Citation) -> QuotedPassage:
    """Return what is cited as a quote for other programs."""
    words = copied_quote(citation.quote or citation.passage, citation.format)
    place = (citation.page, citation.first_line, citation.last_line)
    return QuotedPassage(words, citation.title, citation.path, *place, citation.sha256)


def add_citation_actions(
    menu: QMenu,
    citation: Citation,
    answer: tuple[Citation, ...],
    requests: ViewerRequests,
    show_card: Callable[[], None],
) -> None:
    """Add the actions of a citation of an answer, which has these, to the end of a menu."""
    opened = menu.addAction(_tr("Open the source"))
    opened.triggered.connect(lambda: requests.citation_requested.emit(citation, answer))
    menu.addAction(_tr("Show the passage")).triggered.connect(lambda: show_card())
    menu.addSeparator()
    path, lines = citation.path, (citation.first_line, citation.last_line)
    quoted = quoted_passage(citation).words
    words = formatting.markdown_quotation(quoted, citation.title, path, citation.page, *lines, citation.sha256)
    for name, text in (
        (_tr("Copy reference"), formatting.reference(citation)),
        (_tr("Copy link"), link_to(path, *lines, citation.sha256) if path else ""),
        (_tr("Copy path and lines"), f"{path}{line_fragment(*lines)}" if path else ""),
        (_tr("Copy quote"), copied_quote(citation.quote, citation.format)),
        (_tr("Copy as Markdown"), words),
    ):
        action = menu.addAction(name)
        action.setEnabled(bool(text))
        action.triggered.connect(partial(_copy, text))
    menu.addAction(_tr("Save to notes")).triggered.connect(lambda: requests.note_requested.emit(citation))
    add_bibliography_actions(menu, citation, requests)
    menu.addSeparator()


def add_file_actions(menu: QMenu, path: str, requests: ViewerRequests) -> None:
    """Add the actions on the file of a source, which may have no path."""
    folder, copy = menu.addAction(_tr("Show in folder")), menu.addAction(_tr("Copy path"))
    folder.triggered.connect(lambda: requests.folder_requested.emit(Path(path)))
    copy.triggered.connect(partial(_copy, path))
    for action in (folder, copy):
        action.setEnabled(bool(path))


def add_bibliography_actions(menu: QMenu, citation: Citation, requests: ViewerRequests) -> None:
    """Add the actions that copy the cited document as an entry of a bibliography."""
    request = requests.bibliography_requested.emit
    for name, kind in ((_tr("Copy as BibTeX"), "bib"), (_tr("Copy as CSL-JSON"), "csl.json")):
        menu.addAction(name).triggered.connect(partial(request, citation, kind))


def drag_citation(citation: Citation, origin: QWidget) -> None:
    """Drag the cited words with their reference, and the file, until they are dropped."""
    drag = QDrag(origin)
    drag.setMimeData(quote_data([quoted_passage(citation)]))
    drag.exec(Qt.DropAction.CopyAction)


def _copy(text: str, _: bool = False) -> None:  # noqa: FBT001, FBT002 - whether the action is checked
    QGuiApplication.clipboard().setText(text)


def _tr(text: str) -> str:
    return QCoreApplication.translate("CitationMenu", text)
