"""The picture checks see what they are there for: black text, chopped sentences, cut choices, texts over each other."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QComboBox, QHBoxLayout, QLabel, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.picture_checks import PictureCheck, clipped, contrast, is_chopped, misplaced


def test_the_check_itself_sees_black_on_black(qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Copy answer as Markdown")
    menu.setStyleSheet("QMenu { background: #101010; } QMenu::item { color: #151515; }")
    menu.show()
    QApplication.processEvents()
    image = menu.grab().toImage()
    assert contrast(image, menu.actionGeometry(menu.actions()[0]).adjusted(4, 2, -4, -2)) < 1.5
    assert QFontMetrics(menu.font()).elidedText("194 pages without text", Qt.TextElideMode.ElideMiddle, 90) != ""
    assert is_chopped("194 pages w…t installed")
    assert not any(map(is_chopped, ("/home/a very…long path/lease.md", "Reading a very long name of a fi…")))


def test_a_choice_that_its_box_cuts_is_seen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = QComboBox(window)
    box.addItem("By relevance")
    box.resize(box.sizeHint())
    window.show()
    assert list(clipped(window)) == []
    box.resize(box.width() - 12, box.height())
    (trouble,) = clipped(window)
    assert trouble.startswith("choice “By relevance” is cut")


def test_texts_over_each_other_and_beyond_their_edge_are_seen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    label, button = QLabel("Nothing found", window), QPushButton("Clear filters", window)
    row.addWidget(label)
    row.addWidget(button)
    window.show()
    QApplication.processEvents()
    assert list(misplaced(window)) == []
    button.move(label.geometry().center())
    assert "QLabel “Nothing found” lies over QPushButton “Clear filters”" in list(misplaced(window))
    button.move(window.width() - 20, label.y())
    (trouble,) = misplaced(window)
    assert "“Clear filters”" in trouble
    assert "ends outside" in trouble


def test_only_pictures_with_a_fault_are_written(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("Nothing found", window)
    label.resize(label.sizeHint())
    window.setAccessibleName("Search")
    window.show()
    check = PictureCheck(tmp_path, keep_all=False)
    check.check(window, "whole")
    label.resize(label.width() // 2, label.height())
    check.check(window, "cut")
    assert [file.name for file in tmp_path.iterdir()] == ["002 cut.png"]
