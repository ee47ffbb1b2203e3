"""Small rounded buttons, and a row that wraps them."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_rag.gui.formatting import plain_tip, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.painted_button import PaintedButton, mirrored
from desktop_rag.text.display import one_line

_SPACE = 6
_WIDEST = 340  # pixels, or more in a large font
_WIDEST_CHARACTERS = 46
_WHOLE_NAME = 12  # characters that are never cut for the detail


class Chip(PaintedButton):
    """A rounded button with an optional icon, a name and, less prominent, a detail such as a page."""

    def __init__(self, name: str, detail: str = "", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._detail, self._icon = one_line(name), detail, icon
        self._right_room = 0  # kept for what a kind of chip paints itself
        self._fitted = (-1, ""), ("", "")  # room and detail, and the texts as they are painted there
        self.setAccessibleName(", ".join(filter(None, (self._name, detail))))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one types

    def sizeHint(self) -> QSize:
        """Return the size of both texts; each is limited in width, which a row limits further."""
        metrics = self.fontMetrics()
        around = 24 + (scaled(14) + 5 if self._icon else 0)
        widest = max(_WIDEST, _WIDEST_CHARACTERS * metrics.averageCharWidth())
        width = min(metrics.horizontalAdvance(self._name) + around, widest)
        if self._detail:
            width += min(metrics.horizontalAdvance(self._detail) + 10, widest)
        return QSize(width, metrics.height() + 9)

    def shown_texts(self) -> tuple[str, str]:
        """Return name and detail as painted: a long name is elided before the detail, a short one after it."""
        width = self.width() - self._right_room
        if self._fitted[0] == (width, self._detail):
            return self._fitted[1]
        metrics = self.fontMetrics()
        room = width - 22 - (scaled(14) + 4 if self._icon else 0)
        detail = ""
        if self._detail:
            short = self._name[:_WHOLE_NAME] + ("…" if len(self._name) > _WHOLE_NAME else "")
            left = room - 9 - metrics.horizontalAdvance(short) - 1
            detail = metrics.elidedText(self._detail, Qt.TextElideMode.ElideRight, max(left, 0))
            room -= metrics.horizontalAdvance(detail) + 9
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        self._fitted = (width, self._detail), (name, detail)
        return name, detail

    def event(self, event: QEvent) -> bool:
        """Show the whole name in the tooltip where it is cut."""
        if (
            not isinstance(event, QHelpEvent)
            or event.type() is not QEvent.Type.ToolTip
            or self.shown_texts() == (self._name, self._detail)
        ):
            return super().event(event)
        said = plain_tip(self.toolTip())
        whole = self.accessibleName() if self._name not in said else ""
        QToolTip.showText(event.globalPos(), tool_tip("\n".join(filter(None, (whole, said)))), self)
        return True

    def changeEvent(self, event: QEvent) -> None:
        """Fit the texts again in another font."""
        super().changeEvent(event)
        self._fitted = (-1, ""), ("", "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip."""
        colors = current_colors()
        painter = self.begin_painting()
        hovered = self.underMouse() or self.isDown()
        self.draw_card(painter, colors.border, colors.hover if hovered else colors.raised, self.height() / 2 - 1)
        left, right = 11, self.width() - 11 - self._right_room
        if self._icon:
            icons.draw(painter, self.column(left - 1, scaled(14)), self._icon, colors.muted, 14)
            left += scaled(14) + 4
        shown, detail = self.shown_texts()
        if detail:
            width = self.fontMetrics().horizontalAdvance(detail)
            painter.setPen(QColor(colors.faint))
            painter.drawText(self.column(right - width, width), Qt.AlignmentFlag.AlignVCenter, detail)
            right -= width + 9
        painter.setPen(QColor(colors.text))
        painter.drawText(self.column(left, right - left), Qt.AlignmentFlag.AlignVCenter, shown)


class FlowRow(QWidget):
    """Lays its children out in rows that wrap at its width.

    A layout asks for the height many times, and each call into Qt waits for a busy background thread: the items are
    measured once, and again after a change of font or style.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._items: list[QWidget] = []
        self._sizes: list[tuple[int, int]] | None = None  # of the items; None: not measured
        self._heights: dict[int, int] = {}  # of all rows, by width

    def set_items(self, items: Sequence[QWidget]) -> None:
        """Show `items`, which become children of this row, in place of the previous ones.

        The focus of an item that goes moves to the item in its place, or to the row's focus proxy.
        """
        left = next((place for place, old in enumerate(self._items) if old.hasFocus() and old not in items), None)
        previous, self._items = self._items, list(items)
        for item in self._items:
            item.setParent(self)
            item.show()
        if left is not None:
            (self._items[min(left, len(self._items) - 1)] if self._items else self).setFocus()
        for old in previous:
            if old not in items:
                old.hide()
                old.deleteLater()
        self._measure_again()
        self._place_items()

    def items(self) -> tuple[QWidget, ...]:
        """Return what is shown, in order."""
        return tuple(self._items)

    def _measure_again(self) -> None:
        self._sizes = None
        self._heights.clear()
        self.updateGeometry()

    def _measured(self) -> list[tuple[int, int]]:
        if self._sizes is None:
            hints = (item.sizeHint() for item in self._items)
            self._sizes = [(hint.width(), hint.height()) for hint in hints]
        return self._sizes

    def _places(self, width: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield x, y, width and height of each item in a row `width` pixels wide."""
        x = y = 0
        row: list[tuple[int, int, int]] = []  # x, width and height
        for hint, height in self._measured():
            wide = min(hint, max(width, 40))
            if x and x + wide > width:
                yield from _centred(row, y)
                x, y = 0, y + max(high for _, _, high in row) + _SPACE
                row = []
            row.append((x, wide, height))
            x += wide + _SPACE
        yield from _centred(row, y)

    def _place_items(self) -> None:
        for item, place in zip(self._items, self._places(self.width()), strict=True):
            item.setGeometry(mirrored(QRect(*place), self.rect()))

    def width_of_one_line(self) -> int:
        """Return the width at which all items are on one line."""
        return sum(width + _SPACE for width, _ in self._measured())

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        height = self._heights.get(width)
        if height is None:
            height = max((y + high for _, y, _, high in self._places(width)), default=0)
            self._heights[width] = height
        return height

    def sizeHint(self) -> QSize:
        """Return the size at the current width."""
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        """Return the size of one short chip."""
        return QSize(40, max((height for _, height in self._measured()), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the items out again."""
        super().resizeEvent(event)
        self._place_items()
        if event.oldSize().width() != self.width():
            self.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the items again, which have their style only now."""
        super().showEvent(event)
        self._measure_again()
        self._place_items()

    def changeEvent(self, event: QEvent) -> None:
        """Measure the items again in a new font or style."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure_again()


def _centred(row: Sequence[tuple[int, int, int]], y: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the items of a line that begins at `y`, given as (x, width, height), on its middle."""
    high = max((height for _, _, height in row), default=0)
    yield from ((x, y + (high - height) // 2, width, height) for x, width, height in row)
