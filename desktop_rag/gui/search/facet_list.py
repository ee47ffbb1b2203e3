"""Facets of the found documents: the date histogram, and lists of values with counts and bars."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.search.filter_labels import filter_label, period
from desktop_rag.gui.search.results_model import Index
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, line_height, mirrored
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.retrieval.api import Facet, Facets
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField, Filter

# Histogram of the found documents' modification dates; one or several bars can be selected as a filter.

MOST_BARS = 36
_BARS_HEIGHT = 44
_LEAST = 3  # minimum height in pixels of a bar that is not zero


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


FACET_ROLE = Qt.ItemDataRole.UserRole.value + 1
_INDENT = 14
_BOX = 14
_MOST = 12  # shown values of a list; the facets have more
_PLACEHOLDER = re.compile(r"\W*|[(<\[][^@]*[)>\]]")  # which programs write where nobody named an author
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class FacetRow:
    """A facet value, or the title of a facet (`facet` is None); `about`: at least `count` documents have the value."""

    text: str
    facet: Facet | None = None
    chosen: bool = False
    share: float = 0.0  # share of the most frequent value of its list
    about: bool = False

    @property
    def count(self) -> str:
        """Return the number of documents as it is shown."""
        shown = number(self.facet.count) if self.facet is not None else ""
        return f"{shown}+" if self.about else shown


class FacetModel(QAbstractListModel):
    """All facets, one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[FacetRow, ...] = ()

    def show_facets(self, facets: Facets, chosen: Sequence[Filter], *, held: bool = False) -> None:
        """Replace the lists; `chosen` values are checked. With `held` each row keeps its place."""
        rows = tuple(self._all(facets, chosen))
        if held and self._rows:
            rows = tuple(self._in_place(facets, chosen))
        if [row.text for row in rows] == [row.text for row in self._rows]:  # keeps the keyboard focus
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _in_place(self, facets: Facets, chosen: Sequence[Filter]) -> Iterator[FacetRow]:
        """Yield the shown rows with the counts of `facets`, 0 for those that went; new ones are left out."""
        rows = (row for _, listed in self._titled(facets) for row in _rows_of(listed, chosen, about=facets.about))
        by_filter = {row.facet.filter: row for row in rows if row.facet is not None}
        for row in self._rows:
            if row.facet is None:
                yield row
            elif row.facet.filter in by_filter:
                yield by_filter[row.facet.filter]
            else:
                yield FacetRow(row.text, replace(row.facet, count=0), row.facet.filter in chosen)

    def row(self, index: Index) -> FacetRow | None:
        """Return the row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row's text or the row itself."""
        row = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return row.text if row.facet is None else f"{row.text}, {row.count}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return self.tr("chosen") if row.chosen else None
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(self._whole(row.facet, about=row.about)) if row.facet is not None else None
            case _:
                return row if role == FACET_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Make values selectable, titles not."""
        row = self.row(index)
        if row is None or row.facet is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def _all(self, facets: Facets, chosen: Sequence[Filter]) -> Iterator[FacetRow]:
        for title, listed in self._titled(facets):
            is_choice = len(listed) > 1 or any(facet.filter in chosen for facet in listed)
            if is_choice:
                yield FacetRow(title)
                rows = _rows_of(listed, chosen, about=facets.about)
                whole = listed is facets.folders  # a tree
                yield from (row for at, row in enumerate(rows) if whole or at < _MOST or row.chosen)

    def _titled(self, facets: Facets) -> tuple[tuple[str, Sequence[Facet]], ...]:
        return (
            (self.tr("Folder"), facets.folders),
            (self.tr("Type"), facets.types),
            (self.tr("Language"), facets.languages),
            (self.tr("Author"), [each for each in facets.authors if not _PLACEHOLDER.fullmatch(each.label)]),
            (self.tr("Tag"), facets.tags),
        )

    def _whole(self, facet: Facet, *, about: bool) -> str:
        """Return the path of a folder, an author with the address, else the label."""
        whole = facet.filter.text if facet.filter.field in (FileField.FOLDER, FileField.AUTHOR) else label(facet)
        at_least = self.tr("At least %Ln document(s): only the best ones are counted", "", facet.count)
        return f"{whole}\n{counted(at_least, facet.count)}" if about else whole


def _rows_of(listed: Sequence[Facet], chosen: Sequence[Filter], *, about: bool) -> Iterator[FacetRow]:
    most = max((1, *(facet.count for facet in listed)))
    for facet in listed:
        yield FacetRow(label(facet), facet, facet.filter in chosen, facet.count / most, about)


def label(facet: Facet) -> str:
    """Return the label of a value."""
    return facet.label if facet.filter.field is FileField.FOLDER else filter_label(facet.filter)


class FacetDelegate(QStyledItemDelegate):
    """Paints a check box, a name, a count, and a bar for the share."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return one line; a title has space above it."""
        row = index.data(FACET_ROLE)
        title = isinstance(row, FacetRow) and row.facet is None
        return QSize(80, line_height(text_font()) + (2 * GRID if title else GRID))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(FACET_ROLE)
        if not isinstance(row, FacetRow):
            return
        colors = current_colors()
        frame = QRect(option.rect).adjusted(GRID // 2, 0, -GRID // 2, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.facet is None:
            area = frame.adjusted(GRID // 2, GRID, 0, 0)
            draw_text(painter, area, row.text, text_font(-1, QFont.Weight.DemiBold), colors.muted, within=frame)
        else:
            hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            draw_ground(painter, frame, hovered=hovered, selected=False, focused=focused)
            self._paint_value(painter, frame, row, row.facet)
        painter.restore()

    def _paint_value(self, painter: QPainter, frame: QRect, row: FacetRow, facet: Facet) -> None:
        colors = current_colors()
        side = scaled(_BOX)
        left = frame.left() + GRID // 2 + facet.level * _INDENT
        box = QRect(left, frame.center().y() - side // 2 + 1, side, side)
        painter.setPen(QColor(colors.accent if row.chosen else colors.outline))
        painter.setBrush(QColor(colors.accent) if row.chosen else Qt.BrushStyle.NoBrush)
        shown_box = mirrored(box, frame)
        painter.drawRoundedRect(shown_box, 3, 3)
        if row.chosen:
            icons.draw(painter, shown_box, "check", colors.on_accent, _BOX - 2)
        count_width = QFontMetrics(text_font(-1)).horizontalAdvance(row.count) + GRID
        name = QRect(
            box.right() + GRID, frame.top(), frame.right() - box.right() - 2 * GRID - count_width, frame.height()
        )
        is_folder = facet.filter.field is FileField.FOLDER  # whose end tells more than its middle
        elide = Qt.TextElideMode.ElideMiddle if is_folder else Qt.TextElideMode.ElideRight
        draw_text(painter, name, row.text, text_font(), colors.text, elide=elide, within=frame)
        at = QRect(frame.right() - count_width - GRID // 2, frame.top(), count_width, frame.height())
        draw_text(painter, at, row.count, text_font(-1), colors.muted, align=_RIGHT, within=frame)
        if not facet.count:
            return
        bar = QRect(name.left(), frame.bottom() - 2, max(2, round(name.width() * row.share)), 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.searchable))
        painter.drawRoundedRect(mirrored(bar, frame), 1, 1)


class FacetList(PanelList):
    """The lists; a click, Enter or Space toggles a value."""

    toggled = Signal(object)  # the Filter that was checked or unchecked
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        self._facets = FacetModel()
        super().__init__(self._facets, self.tr("Narrow down by"), parent)
        self._facets.setParent(self)
        self.setItemDelegate(FacetDelegate(self))
        self.setTabKeyNavigation(False)
        self.clicked.connect(self._on_clicked)

    def show_facets(self, facets: Facets, chosen: Sequence[Filter], *, held: bool = False) -> None:
        """Show the facets of the current hits; with `held` each row keeps its place."""
        self._facets.show_facets(facets, chosen, held=held)

    def has_values(self) -> bool:
        """Return whether there is any value."""
        return self._facets.rowCount() > 0

    def take_focus(self) -> None:
        """Take the focus, on the first value if none is current."""
        if not self.currentIndex().isValid() and self._facets.rowCount() > 1:
            self.setCurrentIndex(self._facets.index(1))
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        row = self._facets.row(index)
        if row is not None and row.facet is not None:
            self.toggled.emit(row.facet.filter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle with Enter and Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)


class FacetPanel(QWidget):
    """The dates above the lists of values; both display the filters set by the controller."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dates = DateHistogram(self)
        self.lists = FacetList(self)
        in_column(self.dates, (self.lists, 1), on=self, spacing=0)
        self._shown: tuple[Facets, Sequence[Filter]] = Facets(0), ()
        self._pointed = self._held = False
        self.dates.chosen.connect(self._hold)
        self.lists.toggled.connect(self._hold)

    def show_facets(self, facets: Facets, chosen: Sequence[Filter]) -> None:
        """Show the facets of the current hits."""
        self._shown = facets, chosen
        self.dates.show_dates(facets.dates, chosen, held=self._held)
        self.lists.show_facets(facets, chosen, held=self._held)

    def release(self) -> None:
        """Let the rows move again."""
        if self._held:
            self._held = False
            self.show_facets(*self._shown)

    @Slot()
    def _hold(self) -> None:
        """Keep every row in its place: a second click at the same point undoes the first."""
        self._held = self._pointed

    def enterEvent(self, event: QEnterEvent) -> None:
        """Note that the pointer is here."""
        self._pointed = True

    def leaveEvent(self, event: QEvent) -> None:
        """Let the rows move when the pointer leaves."""
        self._pointed = False
        self.release()

    def take_focus(self) -> None:
        """Take the focus, in the lists if they have values."""
        self.lists.take_focus() if self.lists.has_values() else self.dates.setFocus(Qt.FocusReason.ShortcutFocusReason)
