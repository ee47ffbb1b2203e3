"""The list of all files as a table model; it holds pages of rows, which are requested when they are first shown."""

import time
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from PySide6.QtCore import (
    QAbstractTableModel,
    QDate,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QPixmap

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.files.file_wording import column_name, kind_name, size_text, state_help, state_name
from desktop_rag.gui.formatting import number, shown_day, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import icon_of
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.index.file_rows import FileColumn, FileQuery, FileWindow, LibraryOverview, ListedFile, ListedState
from desktop_rag.retrieval.explorer import FileBrowser
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shown_name, shown_path

PAGE = 128  # rows that are requested together
_PAGES = 64  # kept in memory
COLUMNS = tuple(FileColumn)
NUMBERS = (FileColumn.SIZE, FileColumn.MODIFIED, FileColumn.WORDS, FileColumn.PAGES)
ICON = 16
_STATE_ICONS = {  # and the name of their colour
    ListedState.MEANING: ("check", "success"),
    ListedState.WORDS: ("check", "muted"),
    ListedState.WAITING: ("clock", "muted"),
    ListedState.PARTIAL: ("warning", "warning"),
    ListedState.PICTURES: ("type-picture", "muted"),
    ListedState.PROBLEM: ("warning", "danger"),
}

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class FilesModel(QAbstractTableModel):
    """Rows of one query; a row that is not loaded yet is blank."""

    pages_wanted = Signal(object)  # the numbers of pages (a tuple) that are shown and not loaded
    sort_requested = Signal(object, bool)  # the FileColumn, and whether descending
    reason_seen = Signal()  # a file with a problem was loaded for the first time

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.has_reasons = False  # `reason_seen` was emitted
        self._total = 0
        self._pages: OrderedDict[int, tuple[ListedFile | None, ...]] = OrderedDict()
        self._wanted: set[int] = set()
        self._asking = QTimer(self, singleShot=True, interval=0)
        self._asking.timeout.connect(self._on_asking)

    def show(self, window: FileWindow) -> None:
        """Show another query, whose first page is `window`."""
        self.beginResetModel()
        self._total = window.total
        self._pages.clear()
        self._wanted.clear()
        self._pages[window.first // PAGE] = window.rows
        self.endResetModel()
        self._note_reasons(window)

    def add(self, window: FileWindow) -> None:
        """Add a loaded page."""
        page = window.first // PAGE
        self._pages[page] = window.rows
        self._pages.move_to_end(page)
        while len(self._pages) > _PAGES:
            self._pages.popitem(last=False)
        if window.rows:
            last = min(self._total, window.first + len(window.rows)) - 1
            self.dataChanged.emit(self.index(window.first, 0), self.index(last, len(COLUMNS) - 1))
        self._note_reasons(window)

    def replace(self, windows: tuple[FileWindow, ...]) -> None:
        """Show newer rows of the same query in place of all loaded ones; scroll position and widths stay."""
        if not windows:
            return
        total = windows[0].total
        if total > self._total:
            self.beginInsertRows(_ROOT, self._total, total - 1)
            self._total = total
            self.endInsertRows()
        elif total < self._total:
            self.beginRemoveRows(_ROOT, total, self._total - 1)
            self._total = total
            self.endRemoveRows()
        self._pages.clear()
        for window in windows:
            self._pages[window.first // PAGE] = window.rows
        if total:
            self.dataChanged.emit(self.index(0, 0), self.index(total - 1, len(COLUMNS) - 1))
        self._note_reasons(*windows)

    def _note_reasons(self, *windows: FileWindow) -> None:
        if not self.has_reasons and any(row is not None and row.reason for each in windows for row in each.rows):
            self.has_reasons = True
            self.reason_seen.emit()

    def file(self, row: int) -> ListedFile | None:
        """Return the file in `row`, None if it is not loaded."""
        rows = self._pages.get(row // PAGE, ())
        place = row % PAGE
        return rows[place] if 0 <= place < len(rows) else None

    def want(self, row: int) -> None:
        """Request the page of a row that is shown, unless it is loaded."""
        if not self.is_loaded(row) and row // PAGE not in self._wanted:
            self._wanted.add(row // PAGE)
            self._asking.start()

    def is_loaded(self, row: int) -> bool:
        """Return whether the page of a row is loaded."""
        return row // PAGE in self._pages

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of files of the query."""
        return 0 if parent.isValid() else self._total

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Request another order."""
        self.sort_requested.emit(COLUMNS[column], order is Qt.SortOrder.DescendingOrder)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the title of a column."""
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return column_name(COLUMNS[section])
        return _alignment(COLUMNS[section]) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text, icon or description of a cell; nothing while its row is not loaded."""
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        file = self.file(index.row())
        if file is None:
            if role == Qt.ItemDataRole.DisplayRole:
                self.want(index.row())
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return texts_of(file)[index.column()]
            case Qt.ItemDataRole.DecorationRole:
                return picture_of(file, column, current_colors())
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(f"{shown_path(file.path)}\n{sentence(file.reason) or state_help(file.state)}")
            case Qt.ItemDataRole.AccessibleTextRole:
                text = texts_of(file)[index.column()]
                return (
                    f"{text}. {sentence(file.reason) or state_help(file.state)}" if column is FileColumn.NAME else text
                )
            case _:
                return None

    @Slot()
    def _on_asking(self) -> None:
        wanted = tuple(sorted(page for page in self._wanted if page not in self._pages))
        self._wanted.clear()
        if wanted:
            self.pages_wanted.emit(wanted)


def _alignment(column: FileColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def picture_of(file: ListedFile, column: FileColumn, colors: Colors) -> QPixmap | None:
    """Return the icon of a cell, None for most columns."""
    if column is FileColumn.NAME:
        return icons.pixmap(icon_of(file.kind), colors.muted, ICON)
    if column is not FileColumn.STATE:
        return None
    name, color = _STATE_ICONS[file.state]
    return icons.pixmap(name, getattr(colors, color), ICON)


def _date(modified_ns: int) -> str:
    """Return a date in the user's locale; empty for one that the system cannot express."""
    try:
        year, month, day, *_ = time.localtime(modified_ns // 1_000_000_000)
    except (OSError, OverflowError, ValueError):
        return ""
    return _day(year, month, day)


@lru_cache(maxsize=4096)
def _day(year: int, month: int, day: int) -> str:
    return shown_day(QDate(year, month, day))


@lru_cache(maxsize=8192)
def texts_of(file: ListedFile) -> tuple[str, ...]:
    """Return the texts of a row, in the order of the columns."""
    texts = {
        FileColumn.NAME: shown_name(file.path),
        FileColumn.STATE: state_name(file.state),
        FileColumn.TYPE: kind_name(file.kind),
        FileColumn.SIZE: size_text(file.size),
        FileColumn.MODIFIED: _date(file.modified_ns),
        FileColumn.WORDS: number(file.words) if file.words else "",
        FileColumn.PAGES: number(file.pages) if file.pages else "",
        FileColumn.REASON: one_line(sentence(file.reason)),
        FileColumn.FOLDER: shown_path(_folder_of(file)),
    }
    return tuple(texts[column] for column in COLUMNS)


def _folder_of(file: ListedFile) -> bytes:
    """Return the path of a file's folder from the name of its root folder on; the tooltip has the whole path."""
    separator = b"/" if b"/" in file.path else b"\\"
    folder = file.path.rpartition(separator)[0] or file.path
    above = file.root.rpartition(separator)[0] + separator
    return folder.removeprefix(above) if file.path != file.root else folder


# Loads rows and statistics of all files from the searcher, the newest request first.

_REST_MS = 300  # after the last request for rows, before the statistics, which take longer


@dataclass(frozen=True, slots=True)
class RowsLoaded:
    """Windows of a query: the first of a new one, newer rows of the shown one, or pages that were missing."""

    query: FileQuery
    windows: tuple[FileWindow, ...]
    new: bool
    newer: bool


class FileLoading(QObject):
    """Two workers; a request for rows stops the statistics, which are asked again afterwards."""

    rows_loaded = Signal(RowsLoaded)
    overview_loaded = Signal(LibraryOverview)
    failed = Signal(Exception)

    def __init__(self, browser: FileBrowser, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._browser = browser
        self._query = FileQuery()
        self._revision = 0
        self._waiting: tuple[int, ...] = ()  # pages to load when the running job has ended
        self._rows = LatestOnlyWorker("file rows", self._on_rows, self)
        self._rows.failed.connect(self._on_failed)
        self._rows.finished.connect(self._on_finished)
        self._sums = LatestOnlyWorker("file statistics", self._on_sums, self)
        self._sums.failed.connect(self.failed)
        self._summing = QTimer(self, singleShot=True, interval=_REST_MS)
        self._summing.timeout.connect(self._on_summing)

    @property
    def browser(self) -> FileBrowser:
        """Return the browser of the shown library; its methods block."""
        return self._browser

    @property
    def query(self) -> FileQuery:
        """Return the shown query with its revision."""
        return self._query

    def show_library(self, browser: FileBrowser) -> None:
        """Load from another library from now on."""
        self.forget()
        self._browser = browser

    def ask(self, query: FileQuery) -> None:
        """Load the first page of a query instead of anything else."""
        self._revision += 1
        self._query = replace(query, revision=self._revision)
        self._load((0,), new=True)

    def refresh(self, pages: tuple[int, ...]) -> None:
        """Compute the order of the shown query again and load these pages."""
        self._revision += 1
        self._query = replace(self._query, revision=self._revision)
        self._load(pages or (0,), newer=True)

    def add_pages(self, pages: tuple[int, ...]) -> None:
        """Load pages that are shown; earlier ones that still wait are no longer shown."""
        if self._rows.is_busy():
            self._waiting = pages
        else:
            self._load(pages)

    def forget(self) -> None:
        """Stop loading."""
        self._waiting = ()
        self._summing.stop()
        self._rows.stop()
        self._sums.stop()

    def close(self) -> None:
        """Stop loading and wait for both threads."""
        self.forget()
        self._rows.close()
        self._sums.close()

    def _load(self, pages: tuple[int, ...], *, new: bool = False, newer: bool = False) -> None:
        self._sums.stop()
        self._waiting = ()
        self._rows.ask(partial(_windows, self._browser, self._query, pages, new, newer))
        self._summing.start()

    @Slot(object)
    def _on_rows(self, loaded: RowsLoaded) -> None:
        if loaded.query == self._query:
            self.rows_loaded.emit(loaded)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self._waiting = ()
        self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        if self._waiting:
            self._load(self._waiting)

    @Slot()
    def _on_summing(self) -> None:
        self._sums.ask(partial(_overview, self._browser))

    @Slot(object)
    def _on_sums(self, overview: LibraryOverview) -> None:
        self.overview_loaded.emit(overview)


def _windows(
    browser: FileBrowser,
    query: FileQuery,
    pages: tuple[int, ...],
    new: bool,  # noqa: FBT001 - bound by `partial`
    newer: bool,  # noqa: FBT001
    stop: Stop,
) -> Generator[RowsLoaded]:
    windows = tuple(browser.list_files(query, page * PAGE, PAGE, stop) for page in pages)
    yield RowsLoaded(query, windows, new, newer)


def _overview(browser: FileBrowser, stop: Stop) -> Generator[LibraryOverview]:
    yield browser.overview(None, stop)
