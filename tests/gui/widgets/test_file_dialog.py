"""Qt's own file dialog, shown where the system has none, is as legible as the rest of the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QComboBox, QFileDialog, QSplitter, QStyle, QToolButton, QTreeView
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.file_dialog import FileDialog


@pytest.mark.parametrize("folders", [True, False])  # Qt stores the columns of the first for the second
def test_dates_are_whole_and_the_usual_places_are_at_hand(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "Contracts").mkdir()
    dialog = FileDialog(None, "Add", str(tmp_path), folders=folders)
    qtbot.addWidget(dialog)
    dialog.show()
    files, kinds = dialog.findChild(QTreeView, "treeView"), dialog.findChild(QComboBox, "fileTypeCombo")
    assert isinstance(files, QTreeView)
    assert isinstance(kinds, QComboBox)
    qtbot.waitUntil(lambda: files.model().rowCount(files.rootIndex()) == 1)
    changed = files.model().index(0, 3, files.rootIndex())
    text = str(changed.data())
    qtbot.waitUntil(lambda: files.columnWidth(3) > files.fontMetrics().horizontalAdvance(text))
    assert files.header().resizeContentsPrecision() == 0  # only rows in sight are measured, however many there are
    assert files.isColumnHidden(2)
    assert files.isColumnHidden(1) == folders
    assert kinds.isVisible() != folders
    assert QUrl.fromLocalFile(str(tmp_path)) in dialog.sidebarUrls()
    assert dialog.findChildren(QSplitter)[0].sizes()[0] >= 150
    back = dialog.findChild(QToolButton, "backButton")
    assert isinstance(back, QToolButton)
    assert back.icon().cacheKey() != back.style().standardIcon(QStyle.StandardPixmap.SP_ArrowBack).cacheKey()
    said = dialog.labelText(QFileDialog.DialogLabel.FileName)
    assert ("Folder" in said) == folders


def test_it_is_on_the_screen_also_where_its_least_size_is_larger(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = FileDialog(None, "Add", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setStyleSheet("QFileDialog { min-width: 5000px; min-height: 5000px; }")  # as of a small screen at 200 %
    dialog.show()
    assert dialog.screen().availableGeometry().contains(dialog.frameGeometry())
