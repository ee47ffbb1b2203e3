"""The library's folders as a Qt list model; a new status updates rows in place, so selection and hover stay."""

import os
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.files.file_wording import left_out_text
from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.library_status import moment_text
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.text.display import shown_name, shown_path

FOLDER_ROLE = Qt.ItemDataRole.UserRole + 1  # the FolderStatus itself

_ROOT = QModelIndex()


def readable_count(status: FolderStatus) -> int:
    """Return the number of files of a folder that are or will be searchable, as far as known.

    It shrinks while files are read: what the user sees as the total is `found`.
    """
    return status.found - status.left_out


def is_complete(status: FolderStatus) -> bool:
    """Return whether all work on this folder is done."""
    return not status.scanning and status.ready >= readable_count(status)


@lru_cache(maxsize=64)
def _translated(note: str) -> str:
    """Return a note of the indexer in the language of the window; rows are painted often."""
    return sentence(note)


class LibraryModel(QAbstractListModel):
    """One row per folder, in the user's order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders: list[FolderStatus] = []

    def show_folders(self, folders: Sequence[FolderStatus]) -> None:
        """Update the rows to a new status with as few changes as possible."""
        shown = [status for status in folders if status.state is not FolderState.REMOVED]
        kept = {status.folder for status in shown}
        for row in range(len(self._folders) - 1, -1, -1):
            if self._folders[row].folder not in kept:
                self.beginRemoveRows(_ROOT, row, row)
                del self._folders[row]
                self.endRemoveRows()
        for row, status in enumerate(shown):
            self._place(row, status)

    def folder(self, row: int) -> FolderStatus | None:
        """Return the folder in `row`, or None outside the list."""
        return self._folders[row] if 0 <= row < len(self._folders) else None

    def row_of(self, folder: FolderId) -> int:
        """Return the row of a folder, or -1."""
        return next((row for row, status in enumerate(self._folders) if status.folder == folder), -1)

    def _place(self, row: int, status: FolderStatus) -> None:
        at = self.row_of(status.folder)
        if at < 0:
            self.beginInsertRows(_ROOT, row, row)
            self._folders.insert(row, status)
            self.endInsertRows()
            return
        if at != row:
            self.beginMoveRows(_ROOT, at, at, _ROOT, row)
            self._folders.insert(row, self._folders.pop(at))
            self.endMoveRows()
        if self._folders[row] != status:
            self._folders[row] = status
            self.dataChanged.emit(self.index(row), self.index(row))

    def describe(self, status: FolderStatus) -> str:
        """Return everything a row shows, as sentences."""
        parts = [self.progress(status)]
        if chip := self.chip(status):
            parts.append(chip)
        if problems := self.problems(status):
            parts.append(problems)
        if note := self.note(status):
            parts.append(note.rstrip("."))
        return ". ".join(parts)

    def progress(self, status: FolderStatus) -> str:
        """Return the progress of a folder in words."""
        found, searchable, ready = map(number, (status.found, status.searchable, status.ready))
        if status.found == 0:
            return self.tr("Looking for files…") if status.scanning else self.tr("No files found")
        if is_complete(status):
            if status.ready == 0:
                return self.tr("No file was read")
            if status.ready < status.found:  # as the status bar and the diagnostics count
                return self.tr("{0} of {1} files").format(ready, found)
            return counted(self.tr("%Ln file(s)", "", status.ready), status.ready)
        return self.tr("Words: {0} of {1} files, meaning: {2}").format(searchable, found, ready)

    def problems(self, status: FolderStatus) -> str:
        """Return how many files are not searchable, and how many pictures, in words; empty when there are none.

        Empty files count among them, so they are not said to have failed.
        """
        return left_out_text(status.failed + status.skipped, status.pictures)

    def note(self, status: FolderStatus) -> str:
        """Return since when a folder is offline, or how its changes are found if they are not reported."""
        if status.state is not FolderState.OFFLINE:
            return _translated(status.note)
        if not status.offline_since:
            return self.tr("Not here now; its text can still be searched.")
        return self.tr("Not here since {0}; its text can still be searched.").format(moment_text(status.offline_since))

    def chip(self, status: FolderStatus) -> str:
        """Return a word for an unusual state of the folder, else ""."""
        if status.state is FolderState.PAUSED:
            return self.tr("Paused")
        if status.state is FolderState.OFFLINE:
            return self.tr("Offline")
        return self.tr("Checking") if status.scanning else ""

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return the number of folders."""
        return 0 if parent.isValid() else len(self._folders)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Make every row draggable, for instance onto the question."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        """Return the MIME type of a dragged row."""
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the folders of the rows."""
        data = QMimeData()
        folders = [status for index in indexes if (status := self.folder(index.row()))]
        data.setUrls([QUrl.fromLocalFile(os.fsdecode(status.path)) for status in folders])
        return data

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a folder's name, its whole status as text, or the status itself."""
        status = self.folder(index.row())
        if status is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return shown_name(status.path)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(f"{shown_path(status.path)}\n{self.describe(status)}")
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{shown_name(status.path)}. {self.describe(status)}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return shown_path(status.path)
            case _:
                return status if role == FOLDER_ROLE else None
