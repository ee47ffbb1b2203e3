"""The library's folders as a Qt list model, each with what is in it below while it is unfolded.

A new status updates rows in place, so selection and hover stay.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.files.file_wording import left_out_text, state_help
from desktop_rag.gui.formatting import counted, number, tool_tip
from desktop_rag.gui.library_status import moment_text
from desktop_rag.index.file_rows import PROBLEMS, FolderContents, ListedFile
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.text.display import shown_name, shown_path

FOLDER_ROLE = Qt.ItemDataRole.UserRole + 1  # the FolderStatus or InnerRow itself

_ROOT = QModelIndex()
_SEPARATOR = os.fsencode(os.sep)


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


@dataclass(frozen=True, slots=True)
class InnerRow:
    """A subfolder, a file, or how many more there are, below an unfolded folder; `inside` is relative to its root."""

    folder: FolderId
    path: bytes
    inside: bytes
    depth: int
    files: int = 0  # of a subfolder, at any depth
    file: ListedFile | None = None
    more: int = 0  # of the folder `inside`, which are only on the page of all files


class LibraryModel(QAbstractListModel):
    """One row per folder, in the user's order, and what unfolded folders have in them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[FolderStatus | InnerRow] = []
        self._open: set[tuple[FolderId, bytes]] = set()

    def show_folders(self, folders: Sequence[FolderStatus]) -> None:
        """Update the rows to a new status with as few changes as possible."""
        shown = [status for status in folders if status.state is not FolderState.REMOVED]
        kept = {status.folder for status in shown}
        for row in range(len(self._rows) - 1, -1, -1):
            if self._rows[row].folder not in kept:
                self._replace(row, row + 1, ())
        self._open = {place for place in self._open if place[0] in kept}
        row = 0
        for status in shown:
            self._place(row, status)
            row = self._end(row)

    def folder(self, row: int) -> FolderStatus | None:
        """Return the folder of the library in `row`; None for what is in one, and outside the list."""
        status = self._rows[row] if 0 <= row < len(self._rows) else None
        return status if isinstance(status, FolderStatus) else None

    def inner(self, row: int) -> InnerRow | None:
        """Return what is in a folder, in `row`; None for a folder of the library, and outside the list."""
        status = self._rows[row] if 0 <= row < len(self._rows) else None
        return status if isinstance(status, InnerRow) else None

    def folders(self) -> list[FolderStatus]:
        """Return the folders of the library."""
        return [row for row in self._rows if isinstance(row, FolderStatus)]

    def row_of(self, folder: FolderId, inside: bytes = b"") -> int:
        """Return the row of a folder, or of one of its subfolders, or -1."""
        return next((row for row, each in enumerate(self._rows) if _place_of(each) == (folder, inside)), -1)

    def is_open(self, row: int) -> bool:
        """Return whether a folder is unfolded."""
        return _place_of(self._rows[row]) in self._open

    def open_places(self) -> Iterator[tuple[FolderId, bytes]]:
        """Yield the unfolded folders: the root, and the path relative to it."""
        yield from (place for row in self._rows if (place := _place_of(row)) in self._open and place)

    def unfold(self, folder: FolderId, inside: bytes) -> None:
        """Mark a folder as unfolded; `show_contents` brings its rows."""
        self._open.add((folder, inside))
        self._repaint(self.row_of(folder, inside))

    def fold(self, row: int) -> None:
        """Remove the rows below a folder."""
        for each in self._rows[row : self._end(row)]:
            if place := _place_of(each):
                self._open.discard(place)
        self._replace(row + 1, self._end(row), ())
        self._repaint(row)

    def show_contents(self, folder: FolderId, inside: bytes, contents: FolderContents) -> None:
        """Show what is in a folder if it is still unfolded; deeper rows stay."""
        row = self.row_of(folder, inside)
        if row < 0 or not self.is_open(row):
            return
        root = self._rows[self.row_of(folder)]
        if not isinstance(root, FolderStatus):
            return
        start, depth, rows = (inside + _SEPARATOR if inside else b""), _depth(self._rows[row]) + 1, list[InnerRow]()
        for name, files in contents.subfolders:
            sub = start + name
            rows.append(InnerRow(folder, _joined(root.path, sub), sub, depth, files))
            at = self.row_of(folder, sub)
            rows += [each for each in self._rows[at + 1 : self._end(at)] if isinstance(each, InnerRow)]
        rows += [InnerRow(folder, file.path, inside, depth, file=file) for file in contents.files]
        if contents.more:
            rows.append(InnerRow(folder, _joined(root.path, inside), inside, depth, more=contents.more))
        before = self._rows[row + 1 : self._end(row)]
        same = next((n for n, pair in enumerate(zip(before, rows, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(before), len(rows)) if same is None else same
        self._replace(row + 1 + same, row + 1 + len(before), rows[same:])

    def _end(self, row: int) -> int:
        """Return the row after a folder and all that is shown in it."""
        after = row + 1
        if 0 <= row < len(self._rows):
            depth = _depth(self._rows[row])
            while after < len(self._rows) and _depth(self._rows[after]) > depth:
                after += 1
        return after

    def _replace(self, first: int, end: int, rows: Sequence[InnerRow]) -> None:
        if end > first:
            self.beginRemoveRows(_ROOT, first, end - 1)
            del self._rows[first:end]
            self.endRemoveRows()
        if rows:
            self.beginInsertRows(_ROOT, first, first + len(rows) - 1)
            self._rows[first:first] = rows
            self.endInsertRows()

    def _repaint(self, row: int) -> None:
        self.dataChanged.emit(self.index(row), self.index(row))

    def _place(self, row: int, status: FolderStatus) -> None:
        at = self.row_of(status.folder)
        if at < 0:
            self.beginInsertRows(_ROOT, row, row)
            self._rows.insert(row, status)
            self.endInsertRows()
            return
        if at != row:
            end = self._end(at)
            self.beginMoveRows(_ROOT, at, end - 1, _ROOT, row)
            moved = self._rows[at:end]
            del self._rows[at:end]
            self._rows[row:row] = moved
            self.endMoveRows()
        if self._rows[row] != status:
            self._rows[row] = status
            self._repaint(row)

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
        """Return the number of folders and of what is shown in them."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Make every row draggable, for instance onto the question."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        """Return the MIME type of a dragged row."""
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the folders and files of the rows."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(os.fsdecode(self._rows[index.row()].path)) for index in indexes])
        return data

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a folder's name, its whole status as text, or the status itself."""
        if (inner := self.inner(index.row())) is not None:
            return self._inner_data(inner, role)
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

    def _inner_data(self, row: InnerRow, role: int) -> object:
        name = self.name(row)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip("\n".join((shown_path(row.path), *self._said(row))))
            case Qt.ItemDataRole.AccessibleTextRole:
                return ". ".join((name, *self._said(row)))
            case _:
                return row if role == FOLDER_ROLE else None

    def _said(self, row: InnerRow) -> Iterator[str]:
        """Yield the number of files of a subfolder, and what is wrong with a file."""
        if row.files:
            yield counted(self.tr("%Ln file(s)", "", row.files), row.files)
        if row.file is not None and row.file.state in PROBLEMS:
            yield sentence(row.file.reason) or state_help(row.file.state)

    def name(self, row: InnerRow) -> str:
        """Return the name of what is in a folder, or how much more there is."""
        if row.more:
            return counted(self.tr("%Ln more…", "", row.more), row.more)
        return shown_name(row.path)


def _joined(root: bytes, inside: bytes) -> bytes:
    return os.fsencode(Path(os.fsdecode(root)) / os.fsdecode(inside))


def _depth(row: FolderStatus | InnerRow) -> int:
    return 0 if isinstance(row, FolderStatus) else row.depth


def _place_of(row: FolderStatus | InnerRow) -> tuple[FolderId, bytes] | None:
    """Return the folder that a row can unfold; None for a file."""
    if isinstance(row, FolderStatus):
        return row.folder, b""
    return None if row.file is not None or row.more else (row.folder, row.inside)
