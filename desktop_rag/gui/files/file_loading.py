"""Loads rows and statistics of all files from the searcher, the newest request first."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.files.files_model import PAGE
from desktop_rag.index.file_rows import FileQuery, FileWindow, LibraryOverview
from desktop_rag.retrieval.explorer import FileBrowser
from desktop_rag.stop import Stop

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
