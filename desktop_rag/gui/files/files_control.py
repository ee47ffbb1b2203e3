"""Connects the page of all files with the searcher, which lists them, and with the commands of the library."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rag.documents.file_types import suffix_of
from desktop_rag.errors import ProblemKind
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.files.files_model import PAGE, FileLoading, RowsLoaded
from desktop_rag.gui.files.files_page import FILES, FilesPage
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.viewer.viewer_events import Target
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.index.file_rows import (
    PROBLEMS,
    FileColumn,
    FileQuery,
    FileWindow,
    FolderContents,
    LibraryOverview,
    ListedFile,
    ListedState,
)
from desktop_rag.index.folders.name_rules import line_of_file, line_of_suffix
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.records import FolderId, FolderRules, FolderState
from desktop_rag.retrieval.explorer import FileBrowser
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shown_name

_REFRESH_MS = 2_000  # the list follows the indexer at most this often
_MOST_FILES = 100_000  # of one command
_MOST_SHOWN = 300  # subfolders and files of a folder beside the conversation

_Files = Sequence[tuple[FolderId, bytes]]
MOST_LINES = 1_000  # for one folder at a time; a pattern of the user's is better than more


@dataclass(frozen=True, slots=True)
class NewLines:
    """Lines for the rules of one folder."""

    folder: FolderId
    lines: tuple[str, ...]


def lines_for(
    files: Iterable[tuple[FolderId, bytes]], folders: Sequence[FolderStatus], *, by_suffix: bool
) -> tuple[NewLines, ...]:
    """Return the lines that ignore these files (root folder and absolute path), or all files with their suffixes.

    A file that is itself a root has no rules and is left out.
    """
    roots = {known.folder: known for known in folders if not known.is_file}
    found: dict[FolderId, dict[str, None]] = {}
    for folder, path in files:
        root = roots.get(folder)
        if root is None:
            continue
        suffix = suffix_of(shown_name(path)) if by_suffix else ""
        relative = path.removeprefix(root.path).lstrip(b"/\\")
        line = line_of_suffix(suffix) if suffix else line_of_file(relative)
        found.setdefault(folder, {})[line] = None
    new = (
        NewLines(folder, tuple(line for line in lines if line not in roots[folder].rules.ignore))
        for folder, lines in found.items()
    )
    return tuple(change for change in new if change.lines)


def with_lines(rules: FolderRules, lines: Sequence[str]) -> FolderRules:
    """Return the rules with these lines at the end, where they take precedence."""
    return replace(rules, ignore=(*rules.ignore, *lines))


def without_lines(rules: FolderRules, lines: Sequence[str]) -> FolderRules:
    """Return the rules without these lines."""
    return replace(rules, ignore=tuple(line for line in rules.ignore if line not in lines))


class FilesControl(QObject):
    """One page for all libraries."""

    retry_requested = Signal(object)  # the paths (bytes) of files to read again
    table_requested = Signal(object)  # the paths (bytes, a tuple) of files to make a table over
    report_requested = Signal(object)  # the same for a report
    rules_changed = Signal(object, object)  # a FolderId and its new FolderRules
    why_requested = Signal(object)  # the path (bytes) of a file to explain
    folder_requested = Signal(Path)  # show this file in the file manager
    external_requested = Signal(Path)  # open this file, which the library has no text of, in its own program
    add_requested = Signal()  # choose a folder to add
    undoable = Signal(str, object)  # a sentence about what was done, and a function that undoes it
    notified = Signal(str)  # a sentence for a toast

    def __init__(
        self,
        page: FilesPage,
        browser: FileBrowser,
        status: ShownStatus,
        viewer: ViewerRequests,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._list = page.list
        self._viewer = viewer
        self._status = status
        self._seen: tuple[FolderStatus, ...] = ()  # of the rows that are shown
        self._failure = ""
        self._asked = self._loaded = False
        self._loading = FileLoading(browser, self)
        self._commands = CommandQueue("files", self)
        self._refreshing = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._connect()

    def show_library(self, browser: FileBrowser) -> None:
        """List the files of another library."""
        self._refreshing.stop()
        self._loading.show_library(browser)
        self._asked = self._loaded = False
        self._failure = ""
        self._list.model.show(FileWindow(0, 0, ()))
        self._page.show_overview(LibraryOverview())
        self._list.set_query(FileQuery())

    def show_folder_problems(self, folder: FolderId) -> None:
        """List the files of a folder that are not, or only partly, searchable, by reason."""
        self._page.show_tab(FILES)
        path = next((known.path for known in self._status.current.folders if known.folder == folder), b"")
        self._list.set_query(FileQuery(states=PROBLEMS, folder=folder, column=FileColumn.REASON), path)

    def show_folder(self, folder: FolderId, inside: bytes = b"") -> None:
        """List all files of a folder, or of its subfolder at the relative path `inside`."""
        self._page.show_tab(FILES)
        path = next((known.path for known in self._status.current.folders if known.folder == folder), b"")
        self._list.set_query(FileQuery(folder=folder, inside=inside), path)

    def show_states(self, states: tuple[ListedState, ...]) -> None:
        """List the files in these states, all without any, by what is wrong with them."""
        self._page.show_tab(FILES)
        self._list.set_query(FileQuery(states=states, column=FileColumn.REASON) if states else FileQuery())

    def load_contents(self, folder: FolderId, inside: bytes, show: Callable[[FolderContents], None]) -> None:
        """Call `show` with what is in a folder, or in its subfolder at the relative path `inside`."""
        browser = self._loading.browser
        self._commands.run(lambda stop: browser.folder_contents(folder, inside, _MOST_SHOWN, stop), show)

    def show_tab(self, tab: int) -> None:
        """Show a tab; focus the filter of the list, else the tabs."""
        self._page.show_only_list(alone=bool(self._status.current.not_added))
        self._page.show_tab(tab)
        if self._page.tabs.currentIndex() == FILES:
            self._list.filter.setFocus()
            self._list.filter.selectAll()
        else:
            self._page.tabs.setFocus()

    def close(self) -> None:
        """Stop loading and wait for it."""
        self._refreshing.stop()
        self._loading.close()
        self._commands.close()

    def _connect(self) -> None:
        page, files, table = self._page, self._list, self._list.table
        page.shown.connect(self._on_shown)
        page.hidden.connect(self._on_hidden)
        files.queried.connect(self._on_queried)
        files.placeholder.acted.connect(self._on_acted)
        files.model.pages_wanted.connect(self._loading.add_pages)
        table.open_requested.connect(self._on_open_requested)
        table.folder_requested.connect(self._on_folder_requested)
        table.why_requested.connect(self._on_why_requested)
        table.table_requested.connect(lambda: self._with_selected(partial(self._emit_paths, self.table_requested)))
        table.report_requested.connect(lambda: self._with_selected(partial(self._emit_paths, self.report_requested)))
        table.copy_requested.connect(lambda: self._with_selected(self._copy))
        table.retry_requested.connect(lambda: self._with_selected(self._retry))
        table.ignore_requested.connect(lambda: self._with_selected(self._ignore_files))
        page.problems.listed.connect(self._on_group_listed)
        page.problems.retried.connect(self._on_group_retried)
        page.problems.ignored.connect(self._on_group_ignored)
        for rows in (page.statistics.states, page.statistics.kinds):
            rows.listed.connect(self._on_statistic_listed)
        self._loading.rows_loaded.connect(self._on_rows_loaded)
        self._loading.overview_loaded.connect(page.show_overview)
        self._loading.failed.connect(self._on_failed)
        self._commands.failed.connect(lambda error: self.notified.emit(sentence(error)))
        self._refreshing.timeout.connect(self._on_refreshing)
        self._status.changed.connect(self._on_status)

    # what is shown

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        if not self._page.isVisible():
            return
        self._show_state()
        if status.folders != self._seen and not self._refreshing.isActive():
            self._refreshing.start()

    @Slot()
    def _on_shown(self) -> None:
        if not self._asked:
            self._list.set_query(self._list.query)
        elif self._status.current.folders != self._seen and not self._refreshing.isActive():
            self._on_refreshing()

    @Slot()
    def _on_hidden(self) -> None:
        """List all files when the page is opened again: what it was narrowed down to is forgotten by then."""
        now = self._list.query
        fresh = FileQuery(column=now.column, descending=now.descending)
        if now.column is FileColumn.REASON:  # the order of problems
            fresh = FileQuery()
        if replace(now, revision=0) != fresh:
            self._asked = False
            self._list.set_query(fresh)

    @Slot(object)
    def _on_queried(self, query: FileQuery) -> None:
        if self._page.isVisible():
            self._asked = True
            self._seen = self._status.current.folders
            self._loading.ask(query)
        self._show_state()

    @Slot()
    def _on_refreshing(self) -> None:
        if QApplication.activePopupWidget() is not None:  # a menu acts on the rows as they are
            self._refreshing.start()
            return
        if self._page.isVisible():
            self._seen = self._status.current.folders
            first, last = self._list.table.visible_rows()
            self._loading.refresh(tuple(range(first // PAGE, last // PAGE + 1)))

    @Slot(RowsLoaded)
    def _on_rows_loaded(self, loaded: RowsLoaded) -> None:
        self._failure = ""
        files, table = self._list, self._list.table
        self._loaded = True
        if loaded.new:
            files.model.show(loaded.windows[0])
            table.scrollToTop()
        elif loaded.newer:
            selected = frozenset(file.file for file in self._loaded_selection())
            files.model.replace(loaded.windows)
            table.keep_selected(selected)
        else:
            for window in loaded.windows:
                files.model.add(window)
        self._show_state()

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        self._failure = one_line(sentence(error))
        self._show_state()

    def _show_state(self) -> None:
        """Show the rows, or why there are none."""
        status, files = self._status.current, self._list
        listed = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
        self._page.show_only_list(alone=bool(status.not_added))
        if status.missing:
            files.show_words(
                self.tr("This library is missing"), self.tr("It opens by itself when its disk is connected.")
            )
        elif status.not_added:  # a team library
            files.show_words(
                self.tr("Files of a team library are not listed"),
                self.tr("They are on its server. Search for them, also by their names."),
            )
        elif self._failure:
            files.show_words(self.tr("The files cannot be listed"), self._failure, self.tr("Try again"))
        elif status is not UNKNOWN and not listed:
            files.show_words(
                self.tr("Your library is empty"),
                self.tr("Add a folder to see its files here. They stay where they are."),
                self.tr("Add folder…"),
            )
        elif self._loaded:
            files.show_rows()
        else:
            files.show_words(self.tr("Opening the list…"))

    @Slot()
    def _on_acted(self) -> None:
        listed = [known for known in self._status.current.folders if known.state is not FolderState.REMOVED]
        if self._failure:
            self._failure = ""
            self._list.set_query(self._list.query)
        elif self._status.current is not UNKNOWN and not listed:
            self.add_requested.emit()
        else:
            self._list.clear_filters()

    # commands on one file

    @Slot()
    def _on_open_requested(self) -> None:
        if file := self._list.table.current_file():
            self.open_file(file)

    @Slot(object, bool)
    def open_file(self, file: ListedFile, stays: bool = True) -> None:  # noqa: FBT001, FBT002 - a slot
        """Show a file in the viewer, in a tab that `stays` or for a look; one without text in its own program."""
        path = Path(os.fsdecode(file.path))
        if file.content is None:
            if stays:
                self.external_requested.emit(path)
            return
        show = self._viewer.target_focus_requested if stays else self._viewer.target_requested
        show.emit(Target(file.content, "", str(path), shown_name(file.path), 0, 0))

    @Slot()
    def _on_folder_requested(self) -> None:
        if file := self._list.table.current_file():
            self.folder_requested.emit(Path(os.fsdecode(file.path)))

    @Slot()
    def _on_why_requested(self) -> None:
        if file := self._list.table.current_file():
            self.why_requested.emit(file.path)

    # commands on the selected files

    def _loaded_selection(self) -> list[ListedFile]:
        ranges = self._list.table.selected_ranges()
        rows = (row for first, last in ranges for row in range(first, min(last, first + _MOST_FILES) + 1))
        return [file for row in rows if (file := self._list.model.file(row)) is not None]

    def _with_selected(self, act: Callable[[Sequence[ListedFile]], None]) -> None:
        """Call `act` with the selected files; some may have to be loaded first."""
        ranges = self._list.table.selected_ranges()
        count = sum(last - first + 1 for first, last in ranges)
        loaded = self._loaded_selection()
        if not ranges or len(loaded) == count:
            act(loaded)
            return
        browser, query = self._loading.browser, self._loading.query

        def load(stop: Stop) -> list[ListedFile]:
            windows = (browser.list_files(query, first, last - first + 1, stop) for first, last in ranges)
            return [file for window in windows for file in window.rows if file is not None]

        self._commands.run(load, act)

    def _emit_paths(self, signal: SignalInstance, files: Sequence[ListedFile]) -> None:
        if paths := tuple(file.path for file in files if file.content is not None):
            signal.emit(paths)

    def _copy(self, files: Sequence[ListedFile]) -> None:
        if files:
            QGuiApplication.clipboard().setText("\n".join(os.fsdecode(file.path) for file in files))

    def _retry(self, files: Sequence[ListedFile]) -> None:
        self._retry_paths([file.path for file in files if file.state in PROBLEMS and not file.skipped])

    def _retry_paths(self, paths: Sequence[bytes]) -> None:
        if not paths:
            self.notified.emit(self.tr("Nothing to try again: only files that could not be read are tried"))
            return
        self.retry_requested.emit(tuple(paths))
        self.notified.emit(self.tr("They will be read again in the background"))

    def _ignore_files(self, files: Sequence[ListedFile]) -> None:
        if files:
            self._ignore([(file.folder, file.path) for file in files], by_suffix=False)

    def _ignore(self, files: _Files, *, by_suffix: bool) -> None:
        changes = lines_for(files, self._status.current.folders, by_suffix=by_suffix)
        if not changes:
            self.notified.emit(self.tr("Files that were added one by one have no rules; remove them from the library"))
            return
        if any(len(change.lines) > MOST_LINES for change in changes):
            self.notified.emit(self.tr("Too many files for single rules; write a pattern in the rules of the folder"))
            return
        self._change(changes, added=True)
        count = len(files)
        self.undoable.emit(
            counted(self.tr("%Ln file(s) ignored", "", count), count), lambda: self._change(changes, added=False)
        )

    def _change(self, changes: Sequence[NewLines], *, added: bool) -> None:
        rules = {known.folder: known.rules for known in self._status.current.folders}
        for change in changes:
            if change.folder in rules:
                edit = with_lines if added else without_lines
                self.rules_changed.emit(change.folder, edit(rules[change.folder], change.lines))

    # commands on a group of problems

    @Slot(object)
    def _on_group_listed(self, kind: ProblemKind) -> None:
        self._page.show_tab(FILES)
        self._list.set_query(FileQuery(problem=kind, column=FileColumn.REASON))
        self._list.table.setFocus()

    @Slot(object)
    def _on_statistic_listed(self, query: FileQuery) -> None:
        self._page.show_tab(FILES)
        self._list.set_query(query)

    @Slot(object)
    def _on_group_retried(self, kind: ProblemKind) -> None:
        self._with_group(kind, lambda files: self._retry_paths([path for _, path in files]))

    @Slot(object)
    def _on_group_ignored(self, kind: ProblemKind) -> None:
        self._with_group(kind, lambda files: self._ignore(files, by_suffix=kind is ProblemKind.TYPE))

    def _with_group(self, kind: ProblemKind, act: Callable[[_Files], None]) -> None:
        browser = self._loading.browser
        self._commands.run(lambda stop: browser.file_paths(FileQuery(problem=kind), _MOST_FILES, stop), act)
