"""The folders of the library: add, remove, and the rules of each. They change at once, not when the dialog is saved."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Signal, SignalInstance
from PySide6.QtWidgets import QListWidget, QPushButton, QWidget

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderId
from desktop_rag.text.display import shown_path


class FolderRequests(QObject):
    """What the page asks of the window, which has the same commands."""

    add_requested = Signal()  # choose a folder and add it
    remove_requested = Signal(object)  # remove the folder with this FolderId
    restore_requested = Signal(object)  # undo this removal
    rules_requested = Signal(object)  # show the rules of the folder with this FolderId


class FoldersPage(QWidget):
    """Lists the folders; one that was removed here can be put back."""

    def __init__(
        self, folders: Sequence[FolderStatus], parent: QWidget | None = None, requests: FolderRequests | None = None
    ) -> None:
        super().__init__(parent)
        self._requests = requests or FolderRequests(self)
        self._folders: tuple[FolderStatus, ...] = ()
        self._kept: dict[FolderId, FolderStatus] = {}  # that were removed here, perhaps put back since
        self._removed: set[FolderId] = set()
        self._intro = PlainLabel("", "muted", self).fit_height()
        self._list = QListWidget(self)
        set_role(self._list, "box")
        self._list.setAccessibleName(self.tr("Folders"))
        self._add = QPushButton(self.tr("Add folder…"), self)
        self._remove = QPushButton(self.tr("Remove folder"), self)
        self._rules = QPushButton(self.tr("Rules…"), self)
        for button in (self._add, self._remove, self._rules):
            button.setAutoDefault(False)
        row = in_row(self._add, STRETCH, self._remove, self._rules)
        in_column(self._intro, (self._list, 1), row, on=self, margins=(0, 2 * GRID, 0, 0))
        self._list.currentRowChanged.connect(self._refresh)
        self._list.itemActivated.connect(partial(self._request, self._requests.rules_requested))
        self._add.clicked.connect(lambda: self._requests.add_requested.emit())
        self._remove.clicked.connect(self._on_remove_clicked)
        self._rules.clicked.connect(partial(self._request, self._requests.rules_requested))
        self.show_folders(folders)

    def show_folders(self, folders: Sequence[FolderStatus]) -> None:
        """List the folders of the library and those removed here; the current one stays current, at first the first."""
        known = {**self._kept, **{folder.folder: folder for folder in folders}}
        folders = sorted(known.values(), key=lambda folder: folder.path)
        names = [self._named(folder) for folder in folders]
        if folders and names == [self._list.item(row).text() for row in range(self._list.count())]:
            return
        current = self._current()
        self._folders = tuple(folders)
        listed = [folder.folder for folder in folders]
        with QSignalBlocker(self._list):
            self._list.clear()
            self._list.addItems(names)
            self._list.setCurrentRow(listed.index(current.folder) if current and current.folder in listed else 0)
        intro = self.tr("Folders are added and removed at once. Each has its own rules for which files are excluded.")
        no_folders = self.tr("Your library has no folders yet. Add one here, or drop it on the window.")
        self._intro.setText(intro if folders else no_folders)
        self._refresh()

    def _named(self, folder: FolderStatus) -> str:
        path = shown_path(folder.path)
        return self.tr("{0} (removed)").format(path) if folder.folder in self._removed else path

    def _current(self) -> FolderStatus | None:
        row = self._list.currentRow()
        return self._folders[row] if 0 <= row < len(self._folders) else None

    def _refresh(self) -> None:
        folder = self._current()
        removed = folder is not None and folder.folder in self._removed
        self._remove.setText(self.tr("Put back") if removed else self.tr("Remove folder"))
        self._remove.setEnabled(folder is not None)
        self._rules.setEnabled(folder is not None and not removed)

    def _on_remove_clicked(self) -> None:
        folder = self._current()
        removed = folder is not None and folder.folder in self._removed
        if folder is not None:
            self._kept[folder.folder] = folder
            (self._removed.discard if removed else self._removed.add)(folder.folder)
            self._request(self._requests.restore_requested if removed else self._requests.remove_requested)
            self.show_folders(self._folders)

    def _request(self, signal: SignalInstance, *_: object) -> None:
        if (folder := self._current()) is not None:
            signal.emit(folder.folder)
