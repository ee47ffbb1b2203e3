"""The words that copying and bookmarking apply to: the selection, else the citation, else the visible line."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from desktop_rag.agent.conversations.bookmarks import BookmarkedPassage
from desktop_rag.documents.document import page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.viewer.document_loading import read_text
from desktop_rag.gui.viewer.tabs.document_body import DocumentBody
from desktop_rag.gui.viewer.target import Target
from desktop_rag.gui.viewer.viewer_events import DocumentFound, TextRead
from desktop_rag.retrieval.api import Retriever
from desktop_rag.text.desktop_links import link_to

_MAX_LINES = 400  # more is not quoted by pressing a button
_LONGEST_BOOKMARK = 5_000  # characters; its first words suffice to locate it again


@dataclass(frozen=True, slots=True)
class PickedWords:
    """Words of a document and their lines."""

    words: str
    first_line: int
    last_line: int


class TargetPicker(QObject):
    """Reads words that are not loaded from the catalog first; a new request replaces an older one."""

    copied = Signal(str)  # the quote with its reference, or the link, that was copied

    def __init__(self, body: DocumentBody, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._body = body
        self._retriever = retriever
        self._target: Target | None = None
        self._found: DocumentFound | None = None
        self._reader = LatestOnlyWorker("gathering", self._on_text_read, self)
        self._lines = (0, 0)
        self._then: Callable[[PickedWords], None] | None = None

    def begin(self, target: Target, found: DocumentFound | None) -> None:
        """Use another target, and its document once it is resolved."""
        self._target, self._found = target, found

    def cited_lines(self) -> tuple[int, int]:
        """Return the cited lines in the current text, or else in the cited one; 0 without any."""
        if self._found is not None and self._found.first_line:
            return self._found.first_line, self._found.last_line
        return (self._target.first_line, self._target.last_line) if self._target else (0, 0)

    def page_of(self, line: int) -> int | None:
        """Return the page of a line; None if it is unknown."""
        pages = self._found.layout.pages if self._found else ()
        return page_of(pages, line) if pages else (self._target.page if self._target else None)

    def path(self) -> str:
        """Return the path of the document now, or else when it was cited."""
        card = self._found.card if self._found else None
        return str(card.path) if card and card.path else (self._target.path if self._target else "")

    @Slot()
    def copy_link(self) -> None:
        """Copy a link to the selected, else the visible cited, else the first visible lines."""
        path, card, selected = self.path(), self._found.card if self._found else None, self._body.view.selected()
        if not path:
            return
        if selected.text.strip():
            first, last = selected.first_line, selected.last_line
        elif self._body.shows_line(self.cited_lines()[0]):
            first, last = self.cited_lines()
        else:
            first = last = self._body.first_visible_line()
        sha256 = card.sha256 if card else (self._target.sha256 if self._target else "")
        link = link_to(path, first, last, sha256)
        QGuiApplication.clipboard().setText(link)
        self.copied.emit(link)

    def copy(self, *, markdown: bool) -> None:
        """Copy the selected or else the cited words with their source."""
        self._pick(partial(self._copy, markdown=markdown))

    def pick_passage(self, then: Callable[[BookmarkedPassage], None]) -> None:
        """Call `then` with the selected passage, else the cited one if it is visible, else the first visible line."""
        if self._found is None or self._found.card is None:
            return
        pass_on = partial(self._pass_on, then)
        if self._body.view.selected().text.strip() or self._body.shows_line(self.cited_lines()[0]):
            self._pick(pass_on)
        else:
            line = self._body.first_visible_line()
            self._read(line, line, pass_on)

    def _pick(self, then: Callable[[PickedWords], None]) -> None:
        target, found, selected = self._target, self._found, self._body.view.selected()
        if selected.text.strip():
            then(PickedWords(selected.text, selected.first_line, selected.last_line))
        elif target is not None and target.quote.strip():
            then(PickedWords(target.quote, *self.cited_lines()))
        elif found is not None and found.card is not None and found.first_line:
            self._read(found.first_line, found.last_line, then)
        elif target is not None and target.passage.strip():
            then(PickedWords(target.passage, target.first_line, target.last_line))

    def _read(self, first: int, last: int, then: Callable[[PickedWords], None]) -> None:
        if self._found is None or self._found.card is None:
            return
        last = min(last, first + _MAX_LINES - 1)
        self._lines, self._then = (first, last), then
        self._reader.ask(partial(read_text, self._found.card.content, first, last, self._retriever))

    def _copy(self, picked: PickedWords, *, markdown: bool) -> None:
        card, first, last = self._found.card if self._found else None, picked.first_line, picked.last_line
        title = card.title if card else (self._target.title if self._target else "")
        place = (picked.words, title, self.path(), self.page_of(first) if first else None, first, last)
        sha256 = card.sha256 if card else ""
        text = formatting.markdown_quotation(*place, sha256) if markdown else formatting.quotation(*place)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    def _pass_on(self, then: Callable[[BookmarkedPassage], None], picked: PickedWords) -> None:
        card, first, last = self._found.card if self._found else None, picked.first_line, picked.last_line
        words = picked.words.strip()[:_LONGEST_BOOKMARK]
        if card is not None and first and words:
            then(BookmarkedPassage(card.sha256, self.path(), card.title, self.page_of(first), first, last, words))

    @Slot(TextRead)
    def _on_text_read(self, event: TextRead) -> None:
        if self._then is not None:
            self._then(PickedWords(event.text, *self._lines))
