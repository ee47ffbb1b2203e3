"""Facets of the found documents: the date histogram, and lists of values with counts and bars."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QEnterEvent, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.search.date_histogram import DateHistogram
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.search.results_model import Index
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, line_height, mirrored
from desktop_rag.retrieval.api import Facet, Facets
from desktop_rag.retrieval.query.tree import FileField, Filter

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
    """Emits filter changes; displays the filters set by the controller."""

    toggled = Signal(object)  # the Filter that was checked or unchecked
    dates_chosen = Signal(object)  # the new Filter on dates, None for none
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dates = DateHistogram(self)
        self.lists = FacetList(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.dates)
        column.addWidget(self.lists, 1)
        self._shown: tuple[Facets, Sequence[Filter]] = Facets(0), ()
        self._pointed = self._held = False
        self.dates.chosen.connect(self._hold)
        self.lists.toggled.connect(self._hold)
        self.dates.chosen.connect(self.dates_chosen)
        self.dates.dismissed.connect(self.dismissed)
        self.lists.toggled.connect(self.toggled)
        self.lists.dismissed.connect(self.dismissed)

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
