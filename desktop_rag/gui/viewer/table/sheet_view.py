"""The table view: a spreadsheet with a tab per sheet, cited cells highlighted and column names in the header."""

from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QTableView,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer.clean.typesetting import plan_columns
from desktop_rag.gui.viewer.document_loading import LoadedLines
from desktop_rag.gui.viewer.document_view import Match, Selected, zooms
from desktop_rag.gui.viewer.table.sheet_model import Index, Sheet, SheetModel, sheets_of
from desktop_rag.gui.viewer.viewer_events import DocumentFound, LinesLoaded, Mark
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, button_text
from desktop_rag.text.display import one_line

# The table widget of a sheet: cell painting, keyboard, wheel and mouse.


class _CellPainting(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell's background colour, which a style sheet would suppress."""
        shade = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(shade, QColor):
            painter.fillRect(option.rect, shade)
        super().paint(painter, option, index)


class SheetTable(QTableView):
    """A table view that reports scrolling, copying and zooming as signals."""

    scrolled = Signal()  # the visible rows have changed
    moved_by_hand = Signal()  # the user has scrolled
    copy_requested = Signal()  # Ctrl+C
    select_all_requested = Signal()  # Ctrl+A
    zoom_requested = Signal(int)  # Ctrl and the wheel: in (1) or out (-1)
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key

    def __init__(self, model: SheetModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_CellPainting(self))
        self.setAccessibleName(self.tr("Table"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setAcceptDrops(False)
        self.horizontalHeader().setSectionsClickable(False)  # a column may have millions of cells
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            header.setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalScrollBar().valueChanged.connect(self.scrolled)
        self.verticalScrollBar().actionTriggered.connect(self.moved_by_hand)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a cell; the back and forward buttons are ignored, the panel handles them."""
        if event.button() in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            event.ignore()
        else:
            super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if zooms(event, self.zoom_requested.emit):
            return
        self.moved_by_hand.emit()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy or select all cells; other keys move the current cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all_requested.emit()
            return
        self.moved_by_hand.emit()
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward the request: the tab knows the actions."""
        self.menu_requested.emit(event)


def _without_outliers(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Cut cells to twice what nine of ten in their column need: a note below the sums would push them out of sight."""
    filled = [sorted(map(len, filter(None, column))) for column in zip_longest(*rows, fillvalue="")]
    most = [max(_LEAST_CUT, 2 * some[9 * len(some) // 10 - 1]) if len(some) >= _MANY else None for some in filled]
    return [[cell[:length] for cell, length in zip(row, most, strict=False)] for row in rows]


_UPPER = 0.22  # where a revealed row is placed, as a share of the height
_PAUSE_MS = 20
_SAMPLE = 80  # rows that determine the column widths
_LEAST_CUT = 8  # characters of a cell that count in any case
_MANY = 10  # cells of a column of which one can be unusual
_WIDEST, _LEAST = 22.0, 3.5  # of a column, in line heights
_MAX_COPIED = 20_000  # rows


class SheetView(QWidget):
    """Shows the lines it receives and requests missing ones; only visible rows are laid out."""

    lines_requested = Signal(int, int)  # lines to read: first, count
    view_changed = Signal()  # the visible lines have changed
    zoom_requested = Signal(int)  # Ctrl and the wheel: in (1) or out (-1)
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = SheetModel()
        self._sheets: tuple[Sheet, ...] = ()
        self._total = 0
        self._reading = False
        self._revealed = 0
        self._cited = (0, -1)
        self._quote: tuple[Mark, ...] = ()
        self._matches: Sequence[Match] = ()
        self._current = -1
        self._sought: Match | None = None  # to go to once its line is loaded
        self._requested_header = 0  # the header line that was requested
        self._sized = False  # whether the column widths fit the loaded cells
        self.table = SheetTable(self._model, self)
        self._place = Label(parent=self)
        self._cell = QLineEdit(self)
        self.tabs = QTabBar(self)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._arrange()
        self._pause.timeout.connect(self._request_missing)
        self.tabs.currentChanged.connect(self._on_tab_chosen)
        self.table.scrolled.connect(self._on_scrolled)
        self.table.horizontalScrollBar().valueChanged.connect(self._on_moved_sideways)
        self.table.moved_by_hand.connect(self._on_moved_by_hand)
        self.table.zoom_requested.connect(self.zoom_requested)
        self.table.menu_requested.connect(self.menu_requested)
        self.table.copy_requested.connect(self.copy)
        self.table.select_all_requested.connect(self.select_all)
        self.table.selectionModel().currentChanged.connect(self._on_cell_chosen)

    def begin(self, found: DocumentFound) -> None:
        """Show another document; its lines arrive with `add_lines`."""
        self._reading = True
        self._total = found.card.lines if found.card else 0
        self._model.lines = LoadedLines()
        self._quote, self._matches, self._current, self._sought = (), (), -1, None
        self._sheets = sheets_of(found.layout.kinds, found.layout.structure)
        with QSignalBlocker(self.tabs):
            while self.tabs.count():
                self.tabs.removeTab(0)
            for sheet in self._sheets:
                self.tabs.addTab(button_text(one_line(sheet.name)))
        self.tabs.setVisible(len(self._sheets) > 1)
        self._revealed = found.first_line or found.target.first_line or 1
        self._show_sheet_of(self._revealed)

    def retarget(self, found: DocumentFound) -> None:
        """Show another target in the open document."""
        self._reading = True
        self.reveal(found.first_line or found.target.first_line or 1)

    def show_citation(self, first: int, last: int) -> None:
        """Highlight the rows of these lines (none if `first` is 0) and scroll to them."""
        self._cited = (first, last if first else -1)
        self._model.set_cited(*self._cited)
        self.show_quote(())
        if first:
            self.reveal(first)
        self._show_reference()

    def show_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quoted cells."""
        self._quote = marks
        self._model.set_marks(self._quote, self._matches, self._current)
        self._show_quoted_cell()

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark the cells with matches and emphasise match number `current` (from 0; -1: none)."""
        self._matches, self._current = matches, current
        self._model.set_marks(self._quote, matches, current)

    def go_to_match(self, match: Match) -> None:
        """Make the cell of a match the current one, once its line is loaded."""
        line, start, _ = match[0]
        self.reveal(line)
        loaded = self._model.lines.hold(line, line)
        self._sought = None if loaded else match
        if loaded:
            cells = self._model.lines.text(line)[:start].count("\t")
            index = self._model.index(max(0, self._model.row_of(line)), cells)
            self.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Clear)
            self.table.scrollTo(index)

    def add_lines(self, read: LinesLoaded) -> None:
        """Add lines that were read, or store the requested header line."""
        if self._model.lacks_names() and read.first == self._requested_header and len(read.lines) == 1:
            self._model.set_names(read.first, read.lines[0])
            self._size_columns()
            return
        self._model.lines.add(read, self.first_visible_line())
        self._model.lines_changed()
        if not self._sized and read.lines:
            self._size_columns()
        self._scroll_to_revealed()
        if self._sought is not None and self._model.lines.hold(self._sought[0][0], self._sought[0][0]):
            self.go_to_match(self._sought)
        self._show_reference()
        self._pause.start()

    def read_finished(self) -> None:
        """Note that the read job has finished, and request lines that are still missing."""
        self._reading = False
        self._request_missing()

    def reveal(self, line: int) -> None:
        """Scroll to the row of `line` on its sheet; it is loaded if necessary."""
        self._revealed = max(1, line)
        self._show_sheet_of(self._revealed)
        self._scroll_to_revealed()
        self._pause.start()

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and last line that are at least partly visible."""
        first = max(0, self.table.rowAt(0))
        last = self.table.rowAt(self.table.viewport().height() - 1)
        last = last if last >= 0 else self._model.rowCount() - 1
        return self._model.line_of(first), max(self._model.line_of(first), self._model.line_of(last))

    def first_visible_line(self) -> int:
        """Return the first visible line."""
        return self.visible_lines()[0]

    def show_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the row numbers of the bookmarked passages."""
        self._model.set_bookmarked(bookmarked)

    def scroll_to(self, line: int) -> None:
        """Scroll so that `line` is the first visible one on its sheet."""
        self._revealed = 0
        self._show_sheet_of(line)
        self.table.verticalScrollBar().setValue(max(0, self._model.row_of(line)))

    def highlighted_text(self) -> str:
        """Return the text of the highlighted lines that are loaded."""
        first, last = self._cited
        return "\n".join(self._model.lines.texts(first, last)) if first else ""

    def selected(self) -> Selected:
        """Return the selected cells; a single one is the current cell, not a selection."""
        chosen = self.table.selectionModel().selection()
        parts = [chosen.at(number) for number in range(chosen.count())]
        ranges = sorted((part.top(), part.bottom(), part.left(), part.right()) for part in parts)
        count = sum((bottom - top + 1) * (right - left + 1) for top, bottom, left, right in ranges)
        if count < 2:
            return Selected()
        rows = []
        for top, bottom, left, right in ranges:
            lines = map(self._model.line_of, range(top, min(bottom, top + _MAX_COPIED) + 1))
            rows += ["\t".join(self._model.cells(line)[left : right + 1]) for line in lines]
        return Selected(
            "\n".join(rows), self._model.line_of(ranges[0][0]), self._model.line_of(max(one[1] for one in ranges))
        )

    def has_cell(self) -> bool:
        """Return whether there is a current cell."""
        return self.table.currentIndex().isValid()

    @Slot()
    def copy(self) -> None:
        """Copy the selected cells, or else the current one."""
        index = self.table.currentIndex()
        words = self.selected().text or (str(index.data(Qt.ItemDataRole.EditRole)) if index.isValid() else "")
        if words:
            QGuiApplication.clipboard().setText(words)

    @Slot()
    def select_all(self) -> None:
        """Select the loaded rows of the sheet."""
        model, lines = self._model, self._model.lines
        sheet = model.sheet
        if sheet is None or lines.last < lines.first:
            return
        first, last = model.row_of(max(sheet.first, lines.first)), model.row_of(min(sheet.last, lines.last))
        if 0 <= first <= last:
            cells = QItemSelection(model.index(first, 0), model.index(last, model.columnCount() - 1))
            self.table.selectionModel().select(cells, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def set_zoom(self, points: float) -> None:
        """Enlarge the text by this many points."""
        self._model.set_zoom(points)
        self._fit_rows()
        if self._model.lines.last >= self._model.lines.first:
            self._size_columns()
        self._scroll_to_revealed()

    def reference(self) -> str:
        """Return the reference of the current or cited cells, as shown above the table."""
        return self._place.text()

    def _arrange(self) -> None:
        self._place.setMinimumWidth(60)
        self._place.setMaximumWidth(260)
        self._place.setAccessibleName(self.tr("Cells"))
        self._cell.setReadOnly(True)
        self._cell.setAccessibleName(self.tr("Content of the cell"))
        self._cell.setAcceptDrops(False)
        set_role(self._cell, "filter")
        set_role(self._place, "caption")
        self.tabs.setAccessibleName(self.tr("Sheets"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        line = QFrame(self)
        set_role(line, "line")
        in_column(
            in_row(self._place, (self._cell, 1), margins=(2 * GRID, 4, GRID, 4)),
            line,
            (self.table, 1),
            self.tabs,
            on=self,
            spacing=0,
        )
        self.setFocusProxy(self.table)
        self._fit_rows()

    def _show_sheet_of(self, line: int) -> None:
        number = max((n for n, sheet in enumerate(self._sheets) if sheet.first <= line), default=0)
        if self._sheets and self._model.sheet is not self._sheets[number]:
            with QSignalBlocker(self.tabs):
                self.tabs.setCurrentIndex(number)
            self._show_sheet(self._sheets[number])

    def _show_sheet(self, sheet: Sheet) -> None:
        self._sized = False
        self._model.show(sheet)
        if self._model.lines.hold(sheet.first, sheet.first):
            self._size_columns()

    def _scroll_to_revealed(self) -> None:
        """Scroll the revealed row to the upper third, unless the user has scrolled."""
        row = self._model.row_of(self._revealed) if self._revealed else -1
        if row >= 0:
            height = max(1, self.table.verticalHeader().defaultSectionSize())
            above = int(self.table.viewport().height() * _UPPER / height)
            self.table.verticalScrollBar().setValue(max(0, row - above))
            self._name_columns()
            self._show_quoted_cell()

    def _show_quoted_cell(self) -> None:
        """Scroll sideways to the quoted cell, unless the user has scrolled; its row is named by its first cell then."""
        row, columns = self._model.row_of(self._revealed), self._model.quoted_columns(self._revealed)
        if self._revealed and row >= 0 and columns:
            across = self.table.verticalScrollBar().value()
            self.table.scrollTo(self._model.index(row, min(columns)))
            self.table.verticalScrollBar().setValue(across)

    @Slot()
    def _on_moved_sideways(self) -> None:
        """Name the rows while their first column is out of sight."""
        edge = self.table.columnViewportPosition(0) + self.table.columnWidth(0)
        self._model.name_rows(named=self._model.columnCount() > 1 and edge < self.table.columnWidth(0) // 4)

    def _size_columns(self) -> None:
        """Fit the column widths to the loaded cells."""
        sheet, lines = self._model.sheet, self._model.lines
        if sheet is None:
            return
        self._name_columns()
        first = max(sheet.first, lines.first, min(self.first_visible_line(), lines.last) - _SAMPLE // 4)
        rows = [self._model.cells(line) for line in range(first, min(sheet.last, lines.last, first + _SAMPLE) + 1)]
        rows = _without_outliers(rows)
        rows.append([f"AA  {name}" for name in self._model.names()])
        metrics = QFontMetricsF(self._model.font())
        columns = plan_columns(rows, float("inf"), metrics, 2.2 * metrics.height())
        for index, width in enumerate(columns.widths):
            bounded = max(_LEAST * metrics.height(), min(_WIDEST * metrics.height(), width))
            self.table.horizontalHeader().resizeSection(index, round(bounded))
        self._sized = bool(rows)
        self._show_quoted_cell()

    def _fit_rows(self) -> None:
        header, sheet = self.table.verticalHeader(), self._model.sheet
        height = round(QFontMetricsF(self._model.font()).height() * 1.75)
        if height != header.defaultSectionSize():
            self._model.show(None)  # the header would resize its rows one by one, and there may be millions
            header.setDefaultSectionSize(height)
            self._model.show(sheet)

    def _name_columns(self) -> None:
        sheet = self._model.sheet
        if sheet is not None:
            first = self.first_visible_line()
            header = sheet.header_of(first)
            self._model.set_header(header if sheet.first <= header < first else 0)  # a row in sight names them itself

    def _show_reference(self) -> None:
        sheet, index = self._model.sheet, self.table.currentIndex()
        if sheet is None:
            return
        if index.isValid():
            line = self._model.line_of(index.row())
            name = sheet.reference(line, line, 1)
            number = sheet.number(line)
            letters = self._model.headerData(index.column(), Qt.Orientation.Horizontal)
            cell = f"{str(letters).split(' ')[0]}{number}" if number else ""
            self._place.setText(f"{sheet.name}!{cell}" if sheet.name and cell else cell or name)
            self._cell.setText(one_line(str(index.data(Qt.ItemDataRole.EditRole))))
            self._cell.setCursorPosition(0)
            return
        first, last = self._cited
        reference = sheet.reference(first, last, self._model.width_of(first, last)) if first else sheet.name
        self._place.setText(one_line(reference))
        self._cell.setText(one_line(" · ".join(filter(None, self._model.cells(first))) if first else ""))
        self._cell.setCursorPosition(0)

    @Slot()
    def _request_missing(self) -> None:
        """Request the visible rows that are not loaded, and their header line."""
        sheet = self._model.sheet
        if self._reading or sheet is None or not self._total or not self.isVisible():
            return
        self._name_columns()
        first, last = self.visible_lines()
        lines = self._model.lines
        missing = lines.missing(first, last, self._total)
        if missing is None and self._model.lacks_names():
            self._requested_header = sheet.header_of(first)
            missing = (self._requested_header, 1)
        if missing:
            self._reading = True
            self.lines_requested.emit(*missing)

    @Slot()
    def _on_scrolled(self) -> None:
        self._name_columns()
        self._pause.start()
        self.view_changed.emit()

    @Slot()
    def _on_moved_by_hand(self) -> None:
        self._revealed, self._sought = 0, None

    @Slot(int)
    def _on_tab_chosen(self, number: int) -> None:
        if 0 <= number < len(self._sheets):
            self._revealed = 0
            self._show_sheet(self._sheets[number])
            self.table.scrollToTop()
            self._show_reference()
            self._pause.start()

    @Slot(QModelIndex, QModelIndex)
    def _on_cell_chosen(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_reference()

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the cells in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "table"):
            self._fit_rows()
