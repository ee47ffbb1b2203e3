"""The dialogs of the Help menu: the list of keyboard shortcuts (F1), and About."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QImage, QShowEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QWidget,
)

from desktop_rag import __version__
from desktop_rag.gui.command_parts import Listing
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, mono_font, set_margins, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog, ask_to_browse
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.gui.widgets.layouts import CENTER, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.paths import guides


class ShortcutsDialog(BoundedDialog):
    """Lists all shortcuts by part of the window, in two columns."""

    def __init__(self, listing: Listing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._groups: list[tuple[QLabel, list[tuple[QLabel, QLabel]]]] = []
        sheet = QWidget()
        columns = QHBoxLayout(sheet)
        set_margins(columns, 0, 0, 2 * GRID, 0)
        columns.setSpacing(5 * GRID)
        half = (sum(len(rows) + 1 for _, rows in listing) + 1) // 2
        column, filled = _column(columns), 0
        for title, rows in listing:
            if filled and filled + len(rows) // 2 >= half:
                column, filled = _column(columns), -1000
            self._add_group(column, title, rows)
            filled += len(rows) + 1
        columns.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._filter = FilterField(self.tr("Filter by name or keys"), self)
        self._filter.textChanged.connect(self._on_filtered)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(sheet)
        set_role(sheet, "sidebar")
        in_column(
            self._filter,
            (area, 1),
            (close_button(self, self.tr("Close")), Qt.AlignmentFlag.AlignRight),
            on=self,
            spacing=2 * GRID,
            margins=(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID),
        )
        self._sheet, self._columns, self._area = sheet, columns, area

    def showEvent(self, event: QShowEvent) -> None:
        """Show all of the sheet if the screen is large enough: its labels have their fonts now."""
        if not event.spontaneous():
            if self._sheet.sizeHint().width() + 8 * GRID > self.screen().availableGeometry().width():
                self._columns.setDirection(QBoxLayout.Direction.TopToBottom)
            need = self._sheet.sizeHint() - self._area.sizeHint()
            bar = self._area.verticalScrollBar().sizeHint().width()
            self.resize(self.sizeHint() + need.expandedTo(QSize(0, 0)) + QSize(bar, 2))
        super().showEvent(event)

    def _add_group(self, column: QGridLayout, title: str, rows: Sequence[tuple[str, str]]) -> None:
        row = column.rowCount()
        heading = Label(title, self)
        set_role(heading, "section")
        if row > 1:
            column.setRowMinimumHeight(row, GRID)
            row += 1
        column.addWidget(heading, row, 0, 1, 2)
        labels: list[tuple[QLabel, QLabel]] = []
        self._groups.append((heading, labels))
        for what, keys in rows:
            row += 1
            does = Label(what, self)
            column.addWidget(does, row, 0)
            shown = Label(keys, self)
            shown.setFont(mono_font(-1))
            set_role(shown, "muted")
            column.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
            labels.append((does, shown))

    @Slot(str)
    def _on_filtered(self, text: str) -> None:
        words = text.casefold().split()
        for heading, labels in self._groups:
            fits = [all(word in f"{does.text()} {keys.text()}".casefold() for word in words) for does, keys in labels]
            heading.setVisible(any(fits))
            for (does, keys), fit in zip(labels, fits, strict=True):
                does.setVisible(fit)
                keys.setVisible(fit)


def _column(columns: QHBoxLayout) -> QGridLayout:
    column = QGridLayout()
    column.setHorizontalSpacing(3 * GRID)
    column.setVerticalSpacing(GRID - 2)
    column.setAlignment(Qt.AlignmentFlag.AlignTop)
    columns.addLayout(column)
    return column


class AboutDialog(BoundedDialog):
    """Shows the program's name, version and licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Desktop RAG"))
        self.setFixedWidth(400)
        picture = Label(parent=self)
        picture.setPixmap(icons.app_icon().pixmap(72, 72))
        name = Label("Desktop RAG", self)
        set_role(name, "title")
        number = Label(self.tr("Version {0}").format(__version__), self)
        set_role(number, "caption")
        what = self.tr("Drop a folder, ask a question, click the line that proves the answer.")
        promise = self.tr(
            "It connects only to addresses you set yourself: to your model, and to one for updates if you ask."
        )
        licence = self.tr("Free software under the GNU Affero General Public License, version 3 or later.")
        layout = in_column(
            *((widget, CENTER) for widget in (picture, name, number)),
            on=self,
            margins=(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID),
        )
        for text, role in ((what, ""), (promise, "muted"), (licence, "caption")):
            label = Label(text, self)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            set_role(label, role)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignHCenter)


# The user guide and the pages it links to, read inside the program (Help → User guide).

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
        in_column(
            (self.text, 1),
            in_row(self.back, STRETCH, close_button(self, self.tr("Close")), spacing=None),
            on=self,
            spacing=None,
            margins=2 * GRID,
        )
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
