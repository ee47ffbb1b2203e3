"""The dialogs of the Help menu: the list of keyboard shortcuts (F1), and About."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_rag import __version__
from desktop_rag.gui.command_parts import Listing
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import FilterField, close_button
from desktop_rag.gui.widgets.plain_labels import Label


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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        self._filter = FilterField(self.tr("Filter by name or keys"), self)
        self._filter.textChanged.connect(self._on_filtered)
        layout.addWidget(self._filter)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(sheet)
        set_role(sheet, "sidebar")
        layout.addWidget(area, 1)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignRight)
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for widget in (picture, name, number):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        for text, role in ((what, ""), (promise, "muted"), (licence, "caption")):
            label = Label(text, self)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            set_role(label, role)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignHCenter)
