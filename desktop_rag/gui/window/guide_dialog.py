"""The user guide and the pages it links to, read inside the program (Help → User guide)."""

import re
from pathlib import Path

from PySide6.QtCore import QEvent, QTimer, QUrl, Slot
from PySide6.QtGui import QImage, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.browser_dialog import ask_to_browse
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.paths import guides

_FIRST = "user-guide.md"
_PART = 4_000  # characters of a page that are shown in one turn, at least
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_NO_LETTER = re.compile(r"[^\w -]")


class GuideText(QTextBrowser):
    """Shows one page; loads nothing by itself."""

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty image: pages are read by the dialog, pictures not at all."""
        return QImage()


class GuideDialog(BoundedDialog):
    """Stays open beside the window; a link opens its page here, Back returns to the one before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("User guide"))
        self.resize(100 * GRID, 86 * GRID)
        self._page = QUrl(_FIRST)
        self._before: list[tuple[QUrl, int]] = []
        self.text = GuideText(self)
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(self.tr("User guide"))
        self.text.document().setDocumentMargin(2 * GRID)
        self.text.anchorClicked.connect(self._on_link)
        self.back = QPushButton(self.tr("Back"), self)
        self.back.setShortcut("Alt+Left")
        self.back.clicked.connect(self._on_back)
        buttons = QHBoxLayout()
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        buttons.addWidget(close_button(self, self.tr("Close")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.addWidget(self.text, 1)
        layout.addLayout(buttons)
        self._rest: list[str] = []
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._on_turn)
        self._show(self._page)

    def _show(self, page: QUrl, place: int = 0) -> None:
        """Show the beginning of a page, the rest turn by turn, then the section it is about or a `place` in pixels."""
        self._page, self._place = page, place
        text = _readable((guides() / page.path()).read_text(encoding="utf-8"))
        first, *self._rest = _parts(text)
        self.text.setMarkdown(first)
        self.back.setEnabled(bool(self._before))
        self._turns.start()

    @property
    def is_complete(self) -> bool:
        """Return whether all of the page is shown."""
        return not self._turns.isActive()

    @Slot()
    def _on_turn(self) -> None:
        if self._rest:
            part = self._rest.pop(0)
            end = QTextCursor(self.text.document())
            end.movePosition(QTextCursor.MoveOperation.End)
            heading = QTextBlockFormat()  # Qt gives the first block of what it inserts no format
            heading.setHeadingLevel(len(part) - len(part.lstrip("#")))
            end.insertBlock(heading, QTextCharFormat())
            end.insertMarkdown(part)
            return
        self._turns.stop()
        if self._place:
            self.text.verticalScrollBar().setValue(self._place)
        elif self._page.hasFragment():
            self._find_section()

    def _find_section(self) -> None:
        block = self.text.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and _anchor(block.text()) == self._page.fragment():
                self.text.moveCursor(QTextCursor.MoveOperation.End)  # so that the heading comes to the top
                self.text.setTextCursor(QTextCursor(block))
                return
            block = block.next()

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        if not link.isRelative():
            ask_to_browse(link.toString(), self)
            return
        self._before.append((self._page, self.text.verticalScrollBar().value()))
        self._show(self._page.resolved(link))

    @Slot()
    def _on_back(self) -> None:
        self._show(*self._before.pop())

    def changeEvent(self, event: QEvent) -> None:
        """Take over the colours of another theme, which links keep from when they were made."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "text"):
            self._show(self._page, self.text.verticalScrollBar().value())


def _readable(page: str) -> str:
    """Return a page without its pictures, and without links to what is not delivered with the program."""

    def kept(link: re.Match[str]) -> str:
        picture, text, target = link.groups()
        path = Path(target.partition("#")[0])
        here = not path.name or (path.name == str(path) and (guides() / path).is_file())
        return "" if picture else link[0] if here or target.startswith("https://") else text

    return _LINK.sub(kept, page)


def _parts(page: str) -> list[str]:
    """Split a page before headings: Qt takes too long for the tables of a long one in one turn of the event loop."""
    parts, in_code = [""], False
    for line in page.splitlines(keepends=True):
        in_code ^= line.startswith("```")
        if line.startswith("#") and not in_code and len(parts[-1]) > _PART:
            parts.append("")
        parts[-1] += line
    return parts


def _anchor(heading: str) -> str:
    """Return the name by which links know a heading, as code hosts form it."""
    return _NO_LETTER.sub("", heading.casefold()).replace(" ", "-")
