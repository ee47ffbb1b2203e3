"""The dialog in which files and folders are chosen: the system's, or Qt's with the usual places and legible columns."""

import os

from PySide6.QtCore import QStandardPaths, Qt, QUrl
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QHeaderView, QLabel, QSplitter, QToolButton, QTreeView, QWidget

from desktop_rag.gui.theme.icons import icon
from desktop_rag.gui.widgets.bounded_dialog import keep_on_screen

_PLACES = (
    QStandardPaths.StandardLocation.HomeLocation,
    QStandardPaths.StandardLocation.DesktopLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.DownloadLocation,
)
_BUTTONS = {"backButton": "arrow-left", "forwardButton": "arrow-right", "toParentButton": "chevron-up"}
_NAME, _SIZE, _TYPE, _CHANGED = range(4)  # columns of the list of files
_USUAL, _SIDE = (820, 520), 180  # pixels


class FileDialog(QFileDialog):
    """Deletes itself when closed; with `folders` it chooses folders alone."""

    def __init__(self, parent: QWidget | None, title: str, directory: str = "", *, folders: bool = False) -> None:
        super().__init__(parent, title, directory)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._folders = folders
        if folders:
            self.setFileMode(QFileDialog.FileMode.Directory)
            self.setOption(QFileDialog.Option.ShowDirsOnly)

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange Qt's own dialog; that of the system has no such parts."""
        files = self.findChild(QTreeView, "treeView")
        if isinstance(files, QTreeView):
            self._arrange(files)
        super().showEvent(event)
        keep_on_screen(self)

    def _arrange(self, files: QTreeView) -> None:
        places = dict.fromkeys(QStandardPaths.writableLocation(place) for place in _PLACES)
        here = [QUrl.fromLocalFile(path) for path in places if path and os.path.isdir(path)]  # noqa: PTH112
        self.setSidebarUrls([*here, QUrl("file:")])
        header = files.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(48)
        header.setResizeContentsPrecision(0)  # of the rows in sight: a large folder would stall the window
        for column in (_SIZE, _CHANGED):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        header.hideSection(_TYPE)
        header.setSectionHidden(_SIZE, self._folders)  # Qt stores what the dialog before, of folders or not, has hidden
        self.setLabelText(QFileDialog.DialogLabel.LookIn, self.tr("Look in:"))  # Qt's Chinese text lacks these two
        self.setLabelText(QFileDialog.DialogLabel.FileType, self.tr("Files of type:"))
        for name, drawn in _BUTTONS.items():
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                button.setIcon(icon(drawn))  # the style's are black in the dark theme, too
        sides = self.findChild(QSplitter, "splitter")
        if isinstance(sides, QSplitter):
            sides.setSizes([_SIDE, _USUAL[0] - _SIDE])
        if self._folders:
            self.setLabelText(QFileDialog.DialogLabel.FileName, self.tr("Folder:"))
            for kind, name in ((QLabel, "fileTypeLabel"), (QComboBox, "fileTypeCombo")):
                part = self.findChild(kind, name)
                if isinstance(part, QWidget):
                    part.hide()
        self.resize(*_USUAL)
