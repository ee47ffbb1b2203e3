"""Small rounded buttons, and a row that wraps them."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.text.display import one_line

_SPACE = 6
_WIDEST = 300


class Chip(PaintedButton):
    """A rounded button with an optional icon, a name and, less prominent, a detail such as a page."""

    def __init__(self, name: str, detail: str = "", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._detail, self._icon = one_line(name), detail, icon
        self.setAccessibleName(", ".join(filter(None, (self._name, detail))))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of both texts, limited in width."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._name) + 22 + (19 if self._icon else 0)
        if self._detail:
            width += metrics.horizontalAdvance(self._detail) + 9
        return QSize(min(width, _WIDEST), metrics.height() + 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip; the name is elided before the detail."""
        colors = current_colors()
        painter = self.begin_painting()
        hovered = self.underMouse() or self.isDown()
        self.draw_card(painter, colors.border, colors.hover if hovered else colors.raised, self.height() / 2 - 1)
        left, right = 11, self.width() - 11
        if self._icon:
            icons.draw(painter, QRect(left - 1, 0, 14, self.height()), self._icon, colors.muted, 14)
            left += 18
        metrics = self.fontMetrics()
        if self._detail:
            width = metrics.horizontalAdvance(self._detail)
            painter.setPen(QColor(colors.faint))
            painter.drawText(right - width, 0, width, self.height(), Qt.AlignmentFlag.AlignVCenter, self._detail)
            right -= width + 9
        painter.setPen(QColor(colors.text))
        shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(left, 0, right - left, self.height(), Qt.AlignmentFlag.AlignVCenter, shown)


class FlowRow(QWidget):
    """Lays its children out in rows that wrap at its width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._items: list[QWidget] = []

    def set_items(self, items: Sequence[QWidget]) -> None:
        """Show `items`, which become children of this row, in place of the previous ones."""
        for old in self._items:
            if old not in items:
                old.hide()
                old.deleteLater()
        self._items = list(items)
        for item in self._items:
            item.setParent(self)
            item.show()
        self._place(self.width())
        self.updateGeometry()

    def _place(self, width: int, *, move: bool = True) -> int:
        x = y = row_height = 0
        for item in self._items:
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(width, 40)))
            if x and x + size.width() > width:
                x, y, row_height = 0, y + row_height + _SPACE, 0
            if move:
                item.setGeometry(x, y, size.width(), size.height())
            x += size.width() + _SPACE
            row_height = max(row_height, size.height())
        return y + row_height

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        """Return the size at the current width."""
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Return the size of one short chip."""
        return QSize(40, max((item.sizeHint().height() for item in self._items), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the items out again."""
        super().resizeEvent(event)
        self._place(self.width())
        if event.oldSize().width() != self.width():
            self.updateGeometry()
