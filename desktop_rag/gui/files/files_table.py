"""The table of all files: columns, keys and the menu of the selected rows."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import (
    QDate,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QGuiApplication, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.command_parts import new_command
from desktop_rag.gui.files.file_wording import column_name, kind_name, size_text, state_name
from desktop_rag.gui.files.files_model import COLUMNS, ICON, NUMBERS, FilesModel, Index, picture_of, texts_of
from desktop_rag.gui.formatting import shown_day
from desktop_rag.gui.theme.theme import current_colors, row_height, scaled
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.window_state import load_window_state, store_window_state
from desktop_rag.index.file_rows import PROBLEMS, FileColumn, ListedFile, ListedState

# Paints the cells of the list of files from its rows, without a query per role and without the style sheet.
#
# Asking the model for every role and painting through a style sheet takes five times as long, too long for a frame.

MARGIN = 11  # left and right of the text, as in the header
_CACHED = 8_192  # elided texts
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_NAMES = (FileColumn.NAME, FileColumn.FOLDER)  # elided in the middle, so that the suffix stays; sentences at the end
_MUTED = (FileColumn.REASON, FileColumn.FOLDER)


def icon_room() -> int:
    """Return the width of an icon and of the space to its text in pixels."""
    return scaled(ICON) + 6


class FileCells(QStyledItemDelegate):
    """Paints text and icon of a cell; the current row has a line in the colour of the focus."""

    def __init__(self, model: FilesModel, table: QTableView) -> None:
        super().__init__(table)
        self._files = model
        self._table = table
        self._elided: dict[tuple[str, int, bool], str] = {}
        self._colors: Colors | None = None
        self._pens: dict[str, QColor] = {}
        self._icon = scaled(ICON)

    def forget(self) -> None:
        """Measure all texts again, in another font or theme."""
        self._elided.clear()
        self._colors = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        row, place = index.row(), index.column()
        column = COLUMNS[place]
        rect: QRect = option.rect
        if self._colors is None:
            self._colors, self._icon = current_colors(), scaled(ICON)
            self._pens = {name: QColor(getattr(self._colors, name)) for name in ("text", "muted", "selected", "focus")}
        pens = self._pens
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, pens["selected"])
        file = self._files.file(row)
        if file is None:
            self._files.want(row)
            return
        left, top, width, height = rect.left() + MARGIN, rect.top(), rect.width() - 2 * MARGIN, rect.height()
        picture = picture_of(file, column, self._colors)
        if picture is not None:
            painter.drawPixmap(left, top + (height - self._icon) // 2, picture)
            left += self._icon + 6
            width -= self._icon + 6
        text = texts_of(file)[place]
        if text and width > 0:
            painter.setPen(pens["muted" if column in _MUTED and not selected else "text"])
            flags = _RIGHT if column in NUMBERS else _LEFT
            painter.drawText(left, top, width, height, flags, self._fitted(text, width, middle=column in _NAMES))
        if self._table.hasFocus() and self._table.currentIndex().row() == row:
            painter.fillRect(rect.left(), top + height - 2, rect.width(), 2, pens["focus"])

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of the whole text, for a double click between two titles."""
        file = self._files.file(index.row())
        text = texts_of(file)[index.column()] if file is not None else ""
        icon = icon_room() if COLUMNS[index.column()] in (FileColumn.NAME, FileColumn.STATE) else 0
        return QSize(self._table.fontMetrics().horizontalAdvance(text) + 2 * MARGIN + icon, 1)

    def _fitted(self, text: str, width: int, *, middle: bool) -> str:
        key = (text, width, middle)
        fitted = self._elided.get(key)
        if fitted is None:
            if len(self._elided) > _CACHED:
                self._elided.clear()
            mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
            fitted = self._elided[key] = self._table.fontMetrics().elidedText(text, mode, width)
        return fitted


_WIDTHS = {FileColumn.NAME: 340, FileColumn.REASON: 240, FileColumn.FOLDER: 220}  # the others fit their texts
_LEAST_WIDTHS = {FileColumn.NAME: 240, FileColumn.REASON: 80, FileColumn.FOLDER: 100}
_PROBLEM_WIDTHS = {FileColumn.NAME: 240, FileColumn.REASON: 460, FileColumn.FOLDER: 220}  # where reasons are asked for
_LEAST_PROBLEM_WIDTHS = {FileColumn.NAME: 160, FileColumn.REASON: 260, FileColumn.FOLDER: 100}
_LEGIBLE = 100  # more pixels for reasons and folders before there are columns for the first three of these
# Hidden in this order where the table is too narrow.
_SPARED = (
    FileColumn.PAGES,
    FileColumn.WORDS,
    FileColumn.TYPE,
    FileColumn.SIZE,
    FileColumn.MODIFIED,
    FileColumn.FOLDER,
    FileColumn.STATE,
)
_PADDING = 2 * MARGIN + 4  # of a cell
_STORED = {"shown_columns": True, "hidden_columns": False}  # in the window's state
_ROW_PADDING = 14  # pixels above and below the text of a row


class _Titles(QHeaderView):
    """The titles of the columns."""

    def width_of(self, section: int) -> int:
        """Return the width that a title needs, also while its column is hidden."""
        return self.sectionSizeFromContents(section).width()


class FilesTable(QTableView):
    """Shows the rows and reports commands on the selected ones."""

    open_requested = Signal()  # show the current file in the viewer
    folder_requested = Signal()  # show the current file in the file manager
    why_requested = Signal()  # explain why the current file is found or not
    retry_requested = Signal()  # read the selected files again
    ignore_requested = Signal()  # leave the selected files out by a rule
    table_requested = Signal()  # make a table over the selected files
    report_requested = Signal()  # or a report
    copy_requested = Signal()  # copy the paths of the selected files

    def __init__(self, model: FilesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = model
        self._titles = _Titles(Qt.Orientation.Horizontal, self)
        self._titles.setSectionsClickable(True)
        self.setHorizontalHeader(self._titles)
        self.setModel(model)
        self.setAccessibleName(self.tr("Files"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self._cells = FileCells(model, self)
        self.setItemDelegate(self._cells)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # measuring every row would load all of them
        self._fit_rows()
        header = self._titles
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        self._unwanted: frozenset[FileColumn] = frozenset()
        self._sized_by_user = False
        self._chosen = _stored_choice()  # columns that the user shows or hides
        self._fit_columns()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_columns_asked)
        header.sectionResized.connect(self._on_section_resized)
        model.reason_seen.connect(self._on_reason_seen)
        self.show_order(FileColumn.NAME, descending=False)
        self.setSortingEnabled(True)
        self._add_commands()
        self.doubleClicked.connect(self.open_requested)

    def _width_of(self, column: FileColumn) -> int:
        """Return the width that fits the title and the usual texts of a column."""
        locale = QLocale()
        texts = {
            FileColumn.STATE: map(state_name, ListedState),
            FileColumn.TYPE: (kind_name(Format.MARKDOWN), kind_name(Format.SHEETS)),
            FileColumn.SIZE: map(size_text, (1023, 1023 * 1024)),
            FileColumn.MODIFIED: (shown_day(QDate(2028, 12, 28)),),
            FileColumn.WORDS: (locale.toString(8_888_888),),
        }.get(column, ())
        title = self._titles.width_of(COLUMNS.index(column))
        longest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        return max(title, longest + _PADDING + (icon_room() if column is FileColumn.STATE else 0))

    def _fit_columns(self) -> None:
        """Share the width among names, reasons and folders; hide the less important columns where it is too narrow."""
        room = self.viewport().width()
        usual, least_usual = (_PROBLEM_WIDTHS, _LEAST_PROBLEM_WIDTHS) if self._unwanted else (_WIDTHS, _LEAST_WIDTHS)
        unwanted = self._unwanted or (() if self._files.has_reasons else (FileColumn.REASON,))
        wished = [each for each in COLUMNS if self._chosen.get(each, each not in unwanted)]
        widths = {column: usual.get(column) or self._width_of(column) for column in wished}
        least = widths | {c: max(width, self._width_of(c)) for c, width in least_usual.items() if c in widths}
        for column in _SPARED:
            needed = sum(least.values()) + (_LEGIBLE if column in _SPARED[:3] else 0)
            if needed > room and column in widths and column not in self._chosen:
                del widths[column], least[column]
        flexible = [column for column in _WIDTHS if column in widths]
        spare = room - sum(least.values())
        if spare < 0 and FileColumn.NAME in least:  # a reason's title in large type beside it
            least[FileColumn.NAME] = max(_LEAST_PROBLEM_WIDTHS[FileColumn.NAME], least[FileColumn.NAME] + spare)
        wanted = sum(widths[column] - least[column] for column in flexible)
        header = self.horizontalHeader()
        for place, column in enumerate(COLUMNS):
            self.setColumnHidden(place, column not in widths)
            if column in flexible:
                share = (widths[column] - least[column]) / max(1, wanted)
                header.resizeSection(place, least[column] + max(0, int(spare * share)))
            elif column in widths:
                header.resizeSection(place, widths[column])

    @Slot()
    def _on_reason_seen(self) -> None:
        if self._sized_by_user:
            self.setColumnHidden(COLUMNS.index(FileColumn.REASON), not self._chosen.get(FileColumn.REASON, True))
        else:
            self._fit_columns()

    def _on_section_resized(self) -> None:
        by_hand = self.horizontalHeader().underMouse() and bool(QGuiApplication.mouseButtons())
        self._sized_by_user = self._sized_by_user or by_hand

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width among the columns, unless the user has set one."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width() and not self._sized_by_user:
            self._fit_columns()

    def show_order(self, column: FileColumn, *, descending: bool) -> None:
        """Mark the column by which the rows are sorted."""
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicator(COLUMNS.index(column), order)

    def make_room_for_problems(self, *, wanted: bool) -> None:
        """Hide the columns that are empty for files without text, so that the reasons are in view."""
        self._unwanted = frozenset((FileColumn.WORDS, FileColumn.PAGES) if wanted else ())
        self._fit_columns()

    def current_file(self) -> ListedFile | None:
        """Return the file of the current row, None if there is none."""
        return self._files.file(self.currentIndex().row()) if self.currentIndex().isValid() else None

    def selected_ranges(self) -> tuple[tuple[int, int], ...]:
        """Return the first and last row of each selected range."""
        chosen = self.selectionModel().selection()
        parts = (chosen.at(place) for place in range(chosen.count()))
        return tuple(sorted({(part.top(), part.bottom()) for part in parts}))

    def visible_rows(self) -> tuple[int, int]:
        """Return the first and last row that is shown."""
        first = max(0, self.rowAt(0))
        last = self.rowAt(self.viewport().height() - 1)
        return first, last if last >= 0 else max(0, self._files.rowCount() - 1)

    def keep_selected(self, files: frozenset[int]) -> None:
        """Select the shown rows of these files only: the rows may have moved."""
        if not files:
            return
        first, last = self.visible_rows()
        kept = QItemSelection()
        rows = (row for row in range(first, last + 1) if (file := self._files.file(row)) and file.file in files)
        for row in rows:
            kept.select(self._files.index(row, 0), self._files.index(row, len(COLUMNS) - 1))
        self.selectionModel().select(kept, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if kept.isEmpty():
            self.selectionModel().clearCurrentIndex()
        else:
            self.selectionModel().setCurrentIndex(kept.indexes()[0], QItemSelectionModel.SelectionFlag.NoUpdate)

    def _add_commands(self) -> None:
        self._open = self._command("open", self.tr("Open"), "Return", self.open_requested.emit)
        self._folder = self._command(
            "show_in_folder", self.tr("Show in folder"), "Ctrl+Return", self.folder_requested.emit
        )
        self._why = self._command("why", self.tr("Why is it found or not?…"), "Ctrl+I", self.why_requested.emit)
        self._retry = self._command("retry", self.tr("Try again"), "F5", self.retry_requested.emit)
        self._ignore = self._command("ignore", self.tr("Ignore"), "Del", self.ignore_requested.emit)
        self._table = self._command(
            "table", self.tr("New table over these…"), "Ctrl+Shift+Y", self.table_requested.emit
        )
        self._report = self._command(
            "report", self.tr("New report over these…"), "Ctrl+Alt+R", self.report_requested.emit
        )
        self._copy = self._command("copy_path", self.tr("Copy path"), "Ctrl+C", self.copy_requested.emit)

    def _command(self, name: str, text: str, keys: str, act: Callable[[], None]) -> QAction:
        action = new_command(self, name, text, keys, act)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the selected rows at a screen position."""
        current = self.current_file()
        if current is None:
            return
        one = sum(last - first + 1 for first, last in self.selected_ranges()) <= 1
        self._open.setEnabled(one)
        self._folder.setEnabled(one)
        self._why.setEnabled(one)
        self._retry.setEnabled(not one or (current.state in PROBLEMS and not current.skipped))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._open, self._folder, self._why])
        menu.addSeparator()
        menu.addActions([self._retry, self._ignore])
        menu.addSeparator()
        menu.addActions([self._table, self._report, self._copy])
        menu.aboutToHide.connect(self._enable_all)
        menu.popup(at)

    def _enable_all(self) -> None:
        for action in (self._open, self._folder, self._why, self._retry):
            action.setEnabled(True)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the rows under the pointer, of the current row by keyboard; below the rows there is none."""
        position = event.pos()
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            position = self.visualRect(self.currentIndex()).center()
        if self.indexAt(position).isValid():
            self.open_menu(self.viewport().mapToGlobal(position))

    @Slot(QPoint)
    def _on_columns_asked(self, position: QPoint) -> None:
        """Offer the columns: what is chosen is shown however narrow the table is."""
        header = self.horizontalHeader()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place, column in enumerate(COLUMNS[1:], 1):
            action = menu.addAction(column_name(column))
            action.setCheckable(True)
            action.setChecked(not self.isColumnHidden(place))
            action.toggled.connect(partial(self._choose, column))
        menu.popup(header.mapToGlobal(position))

    def _choose(self, column: FileColumn, shown: bool) -> None:  # noqa: FBT001 - a slot
        self._chosen[column] = shown
        if not shown:  # the room is not for columns that had given way
            hidden = (each for each in _SPARED if self.isColumnHidden(COLUMNS.index(each)))
            self._chosen |= {each: False for each in hidden if each not in self._unwanted}
        store_window_state(
            {key: [each for each, chosen in self._chosen.items() if chosen is kept] for key, kept in _STORED.items()}
        )
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        """Measure and paint again in another font or theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.PaletteChange):
            self._cells.forget()
            self._fit_rows()

    def _fit_rows(self) -> None:
        height = row_height(self.fontMetrics().height() + _ROW_PADDING)
        if height != self.verticalHeader().defaultSectionSize():
            self.verticalHeader().setDefaultSectionSize(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move in the list; Enter is a command, and a letter starts no search, which would load every row."""
        if event.text().isprintable() and event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)


def _stored_choice() -> dict[FileColumn, bool]:
    state = load_window_state()
    return {
        FileColumn(name): shown for key, shown in _STORED.items() for name in state.get(key, ()) if name in COLUMNS[1:]
    }
