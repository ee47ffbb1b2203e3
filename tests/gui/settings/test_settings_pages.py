"""The pages of the settings: their list, their keys, and how they are built."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QScrollArea,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings import page_parts, profiles_page, settings_dialog
from desktop_rag.gui.settings.page_titles import EVERYDAY, page_titles
from desktop_rag.gui.settings.settings_dialog import PageList
from desktop_rag.paths import resources
from desktop_rag.settings import Settings
from tests.gui.settings.conftest import Open


class Tabs(QTabWidget):
    """Notes whether a page got another parent."""

    def addTab(self, page: QWidget, name: str) -> int:  # type: ignore[override]  # the other overload takes an icon
        before = page.parentWidget()
        row = super().addTab(page, name)
        PARENTS.append((before, page.parentWidget()))
        return row


class Scroll(QScrollArea):
    """Notes whether the content got another parent."""

    def setWidget(self, widget: QWidget) -> None:
        before = widget.parentWidget()
        super().setWidget(widget)
        PARENTS.append((before, widget.parentWidget()))


PARENTS: list[tuple[QWidget | None, QWidget | None]] = []


def test_no_page_gets_another_parent_while_the_dialog_is_built(
    open_dialog: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt applies the style again to everything inside a widget that gets another parent."""
    PARENTS.clear()
    monkeypatch.setattr(settings_dialog, "QTabWidget", Tabs)
    monkeypatch.setattr(profiles_page, "WidePageArea", Scroll)
    monkeypatch.setattr(page_parts, "QScrollArea", Scroll)
    open_dialog()
    assert len(PARENTS) == 13 + 12
    assert all(before is after is not None for before, after in PARENTS)


def test_keys_turn_the_pages_from_the_search_field(open_dialog: Open, qtbot: QtBot) -> None:
    dialog = open_dialog(Settings())
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    search, pages = dialog.findChildren(QLineEdit)[0], dialog.findChildren(QTabWidget)[0]
    control, back = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    search.setFocus()
    pages.setCurrentIndex(0)
    QTest.keyClick(search, Qt.Key.Key_Tab, control)
    QTest.keyClick(search, Qt.Key.Key_PageDown, control)
    assert pages.currentIndex() == 2
    for _ in range(3):
        QTest.keyClick(search, Qt.Key.Key_Backtab, control | back)
    assert pages.currentIndex() == pages.count() - 1
    QTest.keyClick(search, Qt.Key.Key_PageUp, control)
    assert pages.currentIndex() == pages.count() - 2


def test_the_pages_are_listed_and_chosen_in_the_list(open_dialog: Open) -> None:
    dialog = open_dialog(Settings())
    pages, listed = dialog.findChildren(QTabWidget)[0], dialog.findChildren(PageList)[0]

    def shown() -> list[str]:
        items = map(listed.item, range(listed.count()))
        return [item.text().strip() for item in items if not item.isHidden()]

    titles = list(page_titles())
    assert shown() == [*titles[:EVERYDAY], "Advanced"]
    assert listed.accessibleName() == "Pages"
    listed.setFocus()
    pages.setCurrentIndex(0)
    QTest.keyClick(listed, Qt.Key.Key_Down)
    assert (pages.currentIndex(), listed.currentRow()) == (1, 1)
    for _ in range(EVERYDAY - 1):
        QTest.keyClick(listed, Qt.Key.Key_Down)
    assert shown() == [*titles[:EVERYDAY], "Advanced", *titles[EVERYDAY:]]
    assert pages.currentIndex() == EVERYDAY
    dialog.show_page("Editor")
    assert listed.currentItem().text().strip() == "Editor"
    search = dialog.findChildren(QLineEdit)[0]
    search.setText("density")
    assert shown() == ["Appearance"]
    assert listed.currentItem().text() == "Appearance"
    search.clear()
    assert len(shown()) == len(titles) + 1
    assert listed.currentItem().text() == "Appearance"


def test_all_page_names_are_in_sight_in_german(open_dialog: Open, qapp: QApplication) -> None:
    catalogue = QTranslator(qapp)
    assert catalogue.load("desktop_rag_de", str(resources() / "translations"))
    QCoreApplication.installTranslator(catalogue)
    try:
        dialog = open_dialog(Settings())
        dialog.resize(900, 480)
        dialog.show_page("Diagnose")
        listed = dialog.findChildren(PageList)[0]
        last = listed.visualItemRect(listed.item(listed.count() - 1))
        assert listed.item(0).text() == "Darstellung"
        assert listed.viewport().rect().contains(last)
        assert listed.sizeHintForColumn(0) <= listed.viewport().width()
    finally:
        QCoreApplication.removeTranslator(catalogue)
