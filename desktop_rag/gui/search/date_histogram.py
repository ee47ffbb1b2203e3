"""Histogram of the found documents' modification dates; one or several bars can be selected as a filter."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.search.filter_labels import period
from desktop_rag.gui.theme.theme import GRID, current_colors, text_font
from desktop_rag.gui.widgets.row_painting import draw_text, line_height, mirrored
from desktop_rag.retrieval.api import Facet
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField, Filter

MOST_BARS = 36
_BARS_HEIGHT = 44
_LEAST = 3  # minimum height in pixels of a bar that is not zero
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """A range of months or years from `first` to `last` (2024-03, or 2024), and its number of documents."""

    first: str
    last: str
    count: int


def bars_of(dates: Sequence[Facet]) -> tuple[HistogramBar, ...]:
    """Return one bar per month or year between the first and the last; several are merged where they are many."""
    if not dates:
        return ()
    counts = {facet.filter.text: facet.count for facet in dates}
    monthly = "-" in next(iter(counts))
    numbers = {_number(text): count for text, count in counts.items()}
    every = range(min(numbers), max(numbers) + 1)
    width = -(-len(every) // MOST_BARS)
    groups = [every[first : first + width] for first in range(0, len(every), width)]
    return tuple(
        HistogramBar(
            _text(group[0], monthly=monthly),
            _text(group[-1], monthly=monthly),
            sum(numbers.get(each, 0) for each in group),
        )
        for group in groups
    )


class DateHistogram(QWidget):
    """Selectable bars: click or drag, or arrow keys with Shift to extend and Enter to apply."""

    chosen = Signal(object)  # the Filter for the selection, None for no selection
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[HistogramBar, ...] = ()
        self._chosen: tuple[str, ...] = ()  # the texts of the date filters
        self._anchor = self._cursor = 0
        self._dragging = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Date"))
        self.hide()

    def show_dates(self, dates: Sequence[Facet], filters: Sequence[Filter], *, held: bool = False) -> None:
        """Show the number of documents per date; bars inside `filters` are highlighted.

        With `held` it stays, with the earlier bars, where there are too few.
        """
        bars = bars_of(dates)
        if held and len(bars) < len(self._bars) and len(bars) <= 1:
            bars = self._bars
        self._chosen = tuple(each.text for each in filters if each.field in DATE_FIELDS)
        if bars != self._bars:
            anchor, cursor = self._moment(self._anchor), self._moment(self._cursor)
            self._bars = bars
            self._anchor, self._cursor = self._place_of(anchor), self._place_of(cursor)
        self.setVisible(len(bars) > 1 or bool(self._chosen and bars))
        self._describe()
        self.update()

    def bars(self) -> tuple[HistogramBar, ...]:
        """Return the shown bars."""
        return self._bars

    def bar_rect(self, place: int) -> QRect:
        """Return the column of a bar, over the full height."""
        area = self._area()
        left = area.left() + area.width() * place // len(self._bars)
        right = area.left() + area.width() * (place + 1) // len(self._bars)
        return mirrored(QRect(left, area.top(), max(1, right - left), area.height()), self.rect())

    def sizeHint(self) -> QSize:
        """Return the size for a title, the bars and a line of dates."""
        return QSize(160, 2 * line_height(text_font(-1)) + _BARS_HEIGHT + 3 * GRID)

    def _area(self) -> QRect:
        top = line_height(text_font(-1)) + GRID + GRID // 2
        return QRect(GRID, top, self.width() - 2 * GRID, _BARS_HEIGHT)

    def _moment(self, place: int) -> str:
        return self._bars[place].first if place < len(self._bars) else ""

    def _place_of(self, moment: str) -> int:
        """Return the bar that begins at this date, else the last one."""
        return next((n for n, bar in enumerate(self._bars) if bar.first == moment), max(0, len(self._bars) - 1))

    def _selection(self) -> tuple[int, int]:
        return min(self._anchor, self._cursor), max(self._anchor, self._cursor)

    def _is_lit(self, bar: HistogramBar) -> bool:
        """Return whether a filter includes the documents of a bar; without filters all are."""
        if not self._chosen:
            return True
        for text in self._chosen:
            low, between, high = text.partition(" TO ")
            high = high if between else low
            if bar.last[: len(low)] >= low[: len(bar.last)] and bar.first[: len(high)] <= high[: len(bar.first)]:
                return True
        return False

    def _apply(self) -> None:
        if not self._bars:
            return
        first, last = self._selection()
        low, high = self._bars[first].first, self._bars[last].last
        text = low if low == high else f"{low} TO {high}"
        self.chosen.emit(None if self._chosen == (text,) else Filter(FileField.DATE, text))

    def _describe(self) -> None:
        if not self._bars:
            return
        first, last = self._selection()
        count = sum(bar.count for bar in self._bars[first : last + 1])
        named = period(self._bars[first].first, self._bars[last].last)
        message = self.tr("{0}: {1} documents").format(named, number(count))
        if message != self.accessibleDescription():
            self.setAccessibleDescription(message)
            if self.hasFocus():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _place_at(self, x: float) -> int:
        area = self._area()
        share = ((self.width() - x if self.isRightToLeft() else x) - area.left()) / max(1, area.width())
        return min(len(self._bars) - 1, max(0, int(share * len(self._bars))))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the title, the cursor, the bars, and the first and the last date."""
        if not self._bars:
            return
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small = line_height(text_font(-1))
        head = QRect(GRID, GRID // 2, self.width() - 2 * GRID, small)
        first, last = self._selection()
        focused = self.hasFocus() or self._dragging
        if focused:
            draw_text(painter, head, self.accessibleDescription(), text_font(-1), colors.text)
        else:
            draw_text(painter, head, self.tr("Date"), text_font(-1, QFont.Weight.DemiBold), colors.muted)
        most = max(1, *(bar.count for bar in self._bars))
        for place, bar in enumerate(self._bars):
            if not bar.count:
                continue
            column = self.bar_rect(place)
            gap = 1 if column.width() > 3 else 0
            height = max(_LEAST, round(_BARS_HEIGHT * bar.count / most))
            lit = self._is_lit(bar)
            color = colors.ready if lit and self._chosen else colors.searchable
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(color if lit else colors.track))
            shape = QRect(column.left(), column.bottom() - height + 1, column.width() - gap, height)
            painter.drawRoundedRect(shape, 1.5, 1.5)
        if focused:
            ring = self.bar_rect(first).united(self.bar_rect(last)).adjusted(-1, -2, 0, 2)
            painter.setPen(QPen(QColor(colors.focus), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, 3, 3)
        below = QRect(GRID, self._area().bottom() + GRID // 2, self.width() - 2 * GRID, small)
        draw_text(painter, below, period(self._bars[0].first), text_font(-2), colors.faint)
        draw_text(painter, below, period(self._bars[-1].last), text_font(-2), colors.faint, align=_RIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a selection."""
        if self._bars and event.button() is Qt.MouseButton.LeftButton:
            self._anchor = self._cursor = self._place_at(event.position().x())
            self._dragging = True
            self._describe()
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection."""
        if self._dragging:
            self._cursor = self._place_at(event.position().x())
            self._describe()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Apply the selection."""
        if self._dragging:
            self._dragging = False
            self._apply()
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with arrows, extend with Shift, apply with Enter or Space, clear with Delete."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -MOST_BARS, Qt.Key.Key_End: MOST_BARS}
        key = Qt.Key(event.key())
        if key in steps and self._bars:
            back = self.isRightToLeft() and key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            self._cursor = min(len(self._bars) - 1, max(0, self._cursor + (-steps[key] if back else steps[key])))
            if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._anchor = self._cursor
            self._describe()
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._apply()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.chosen.emit(None)
        elif key == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the count of a bar as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._bars:
            self._show_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def _show_tip(self, at: QPoint, on_screen: QPoint) -> None:
        bar = self._bars[self._place_at(at.x())]
        documents = counted(self.tr("%Ln document(s)", "", bar.count), bar.count)
        QToolTip.showText(on_screen, tool_tip(f"{period(bar.first, bar.last)}: {documents}"), self)


def _number(text: str) -> int:
    """Return the number of a month since the year 0, or of a year."""
    year, _, month = text.partition("-")
    return int(year) * 12 + int(month) - 1 if month else int(year)


def _text(counted: int, *, monthly: bool) -> str:
    return f"{counted // 12:04}-{counted % 12 + 1:02}" if monthly else f"{counted:04}"
