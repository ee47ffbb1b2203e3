"""The margin of the text view: line numbers, and bars beside cited and bookmarked lines."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.theme.theme import current_colors, mono_font

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.text.line_editor import LineEditor

_LEFT = 10
_RIGHT = 12
_BAR = 3


class Gutter(QWidget):
    """Fills the left viewport margin of its editor and scrolls with it."""

    def __init__(self, editor: "LineEditor") -> None:
        super().__init__(editor)
        self._editor = editor
        self._largest = 99
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.place()

    def set_largest(self, number: int) -> None:
        """Widen the gutter for line numbers up to `number`."""
        self._largest = max(99, number)
        self.place()

    def place(self) -> None:
        """Set the editor's left margin and fill it."""
        width = self.sizeHint().width()
        self._editor.setViewportMargins(width, 0, 0, 0)
        area = self._editor.contentsRect()
        self.setGeometry(QRect(area.left(), area.top(), width, self._editor.viewport().height()))

    @Slot(QRect, int)
    def follow(self, area: QRect, moved: int) -> None:
        """Scroll or redraw with the editor."""
        if moved:
            self.scroll(0, moved)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def _font(self) -> QFont:
        font = mono_font()
        font.setPointSizeF(max(7.0, self._editor.font().pointSizeF() - 1.5))
        return font

    def sizeHint(self) -> QSize:
        """Return the width of the largest number."""
        digits = QFontMetrics(self._font()).horizontalAdvance("0") * len(str(self._largest))
        return QSize(_LEFT + digits + _RIGHT, 0)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the width to a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers of the visible lines."""
        colors = current_colors()
        first, last = self._editor.cited
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(colors.surface))
        painter.setFont(self._font())
        editor_metrics = self._editor.fontMetrics()
        shift = editor_metrics.ascent() - QFontMetrics(self._font()).ascent()
        for block, area in self._editor.visible_blocks():
            number = self._editor.line_of(block)
            top = round(area.top())
            cited = first <= number <= last
            if cited:
                painter.fillRect(QRect(self.width() - _BAR, top, _BAR, round(area.bottom()) - top), colors.mark_edge)
            if self._editor.is_bookmarked(number):
                painter.fillRect(QRect(0, top, _BAR, round(area.bottom()) - top), QColor(colors.accent))
            painter.setPen(QColor(colors.text if cited else colors.faint))
            row = QRect(0, top + shift, self.width() - _RIGHT, editor_metrics.height())
            painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(number))
        painter.end()
