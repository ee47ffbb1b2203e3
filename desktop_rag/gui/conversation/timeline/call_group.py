"""Calls that the model made in one turn: side by side below a line that counts them and folds them away."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.timeline.entry_row import (
    TOP,
    EntryRow,
    first_line_height,
    icon_column,
    paint_step_icon,
)
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.painted_button import FoldHeader

_LEAST_WIDTH = 300  # pixels of a call beside others
_MOST_COLUMNS = 3


class CallGroupHeader(FoldHeader):
    """How many calls there are, how many of them are done, and their seconds; a click folds or unfolds them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Shows these actions"), self.tr("Hides these actions"), parent)
        self.set_open(opened=True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.above = self.below = self._waiting = False
        self._figures = ""

    def show_state(self, text: str, figures: str, *, waiting: bool) -> None:
        """Show what the group is and how far it is."""
        self.setText(text)
        self._figures, self._waiting = figures, waiting
        self.setAccessibleName(", ".join(filter(None, (text, figures))))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of the first line of a row."""
        return QSize(200, max(first_line_height(), self.fontMetrics().height()) + 2 * TOP)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, text, figures and the arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        painter.end()
        paint_step_icon(self, "list", waiting=self._waiting, above=self.above, below=self.below)
        painter = self.begin_painting()
        arrow_room = scaled(20)
        area = self.column(icon_column() + 2, self.width() - icon_column() - 6 - arrow_room)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colors.text))
        painter.drawText(area, flags | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.setPen(QColor(colors.muted))
        painter.drawText(area, flags | Qt.AlignmentFlag.AlignRight, self._figures)
        place = self.column(self.width() - arrow_room, arrow_room - 4)
        icons.draw(painter, place, self.arrow, colors.faint, 14)


class CallGroup(QWidget):
    """The rows of these calls in as many columns as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[EntryRow] = []
        self._columns = 0
        self._joined_below = False
        self.header = CallGroupHeader(self)
        self._inside = QWidget(self)
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._inside)
        self.header.folded.connect(self._on_folded)

    @property
    def columns(self) -> int:
        """Return how many calls are side by side."""
        return self._columns

    def show_rows(self, rows: Sequence[EntryRow]) -> None:
        """Show these rows; they become children of the group."""
        if list(rows) != self._rows:
            self._rows = list(rows)
            self._arrange(self._fitting())
        for row in rows:
            row.join(above=False, below=False)
        self.refresh()

    def refresh(self) -> None:
        """Show how many of the calls are done."""
        done = [row.entry for row in self._rows if row.entry.done]
        count = len(self._rows)
        text = formatting.counted(self.tr("%Ln action(s) at once", "", count), count)
        if waiting := len(done) < count:
            figures = self.tr("{0} of {1} done").format(formatting.number(len(done)), formatting.number(count))
        else:
            figures = formatting.duration(sum(entry.seconds for entry in done))
        self.header.show_state(text, figures, waiting=waiting)

    def join(self, *, above: bool, below: bool) -> None:
        """Draw a line to the row above, and on to the one below while the calls are folded."""
        self._joined_below = below
        self.header.above, self.header.below = above, below and not self.header.is_open
        self.header.update()

    @Slot(bool)
    def _on_folded(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        self._inside.setVisible(unfolded)
        self.join(above=self.header.above, below=self._joined_below)

    def _fitting(self) -> int:
        return max(1, min(_MOST_COLUMNS, len(self._rows), self.width() // _LEAST_WIDTH))

    def _arrange(self, columns: int) -> None:
        self._columns = columns
        for place, row in enumerate(self._rows):
            self._grid.addWidget(row, place // columns, place % columns, Qt.AlignmentFlag.AlignTop)
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use as many columns as there is room for."""
        super().resizeEvent(event)
        if self._fitting() != self._columns:
            self._arrange(self._fitting())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().window))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 1, 0, -2), 8, 8)
