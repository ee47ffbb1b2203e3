"""A setting is found by the words beside it, on whatever page it is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.settings import Profile, Settings


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def dialog(window: QWidget) -> SettingsDialog:
    dialog = SettingsDialog(Settings(), parent=window)  # closing deletes it
    dialog.show()
    return dialog


def field(dialog: SettingsDialog) -> QLineEdit:
    return next(each for each in dialog.findChildren(QLineEdit) if each.accessibleName() == "Find a setting")


def shown_pages(dialog: SettingsDialog) -> list[str]:
    pages = dialog.findChildren(QTabWidget)[0]
    return [pages.tabText(place) for place in range(pages.count()) if pages.isTabVisible(place)]


def marked(dialog: SettingsDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.property("found")]


@pytest.mark.parametrize(
    ("typed", "page", "row"),
    [
        ("MONTH money", "Limits", "Money per month"),
        ("language", "Appearance", "Language"),
        ("your editor", "Editor", "Your editor"),
    ],
)
def test_a_setting_is_shown_on_its_page_and_marked(dialog: SettingsDialog, typed: str, page: str, row: str) -> None:
    pages = dialog.findChildren(QTabWidget)[0]
    field(dialog).setText(typed)
    assert pages.tabText(pages.currentIndex()) == page
    assert row in marked(dialog)
    assert len(shown_pages(dialog)) < pages.count()
    field(dialog).clear()
    assert len(shown_pages(dialog)) == pages.count()
    assert marked(dialog) == []


def test_what_is_nowhere_hides_no_page_and_says_so(dialog: SettingsDialog) -> None:
    everything = shown_pages(dialog)
    field(dialog).setText("& <b> no such setting")
    assert shown_pages(dialog) == everything
    said = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert "No setting has this in its name or description." in said


def shown_texts(dialog: SettingsDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_collapsed_fields_of_an_endpoint_are_found_and_shown(window: QWidget) -> None:
    work = Profile("Work", "http://localhost:1/v1", "m")
    dialog = SettingsDialog(Settings(profiles=(work,)), parent=window)
    dialog.show()
    for typed, name in (("proxy", "Proxy"), ("top-p", "Top-p")):
        assert name not in shown_texts(dialog)
        field(dialog).setText(typed)
        assert name in shown_texts(dialog)
        assert name in marked(dialog)


def test_without_an_endpoint_its_fields_ask_for_one(dialog: SettingsDialog) -> None:
    field(dialog).setText("proxy")
    assert shown_pages(dialog) == ["Models"]
    assert "This is set for each model. Connect one first." in shown_texts(dialog)
    field(dialog).setText("theme")
    assert "This is set for each model. Connect one first." not in shown_texts(dialog)


def test_return_does_not_save_and_escape_first_empties_the_field(dialog: SettingsDialog) -> None:
    field(dialog).setFocus()
    field(dialog).setText("theme")
    QTest.keyClick(field(dialog), Qt.Key.Key_Return)
    assert dialog.isVisible()
    field(dialog).setFocus()
    QTest.keyClick(field(dialog), Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert field(dialog).text() == ""
    QTest.keyClick(field(dialog), Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_arrows_go_through_the_pages_that_are_offered(dialog: SettingsDialog) -> None:
    pages = dialog.findChildren(QTabWidget)[0]
    search = field(dialog)
    search.setFocus()
    search.setText("model")
    offered, seen = shown_pages(dialog), []
    for _ in offered:
        QTest.keyClick(search, Qt.Key.Key_Up)
    for _ in offered:
        seen.append(pages.tabText(pages.currentIndex()))
        QTest.keyClick(search, Qt.Key.Key_Down)
    assert len(offered) > 1
    assert seen == offered
    assert search.hasFocus()


@pytest.mark.parametrize(("typed", "kind"), [("money per month", "QDoubleSpinBox"), ("language", "QComboBox")])
def test_return_goes_to_the_setting_that_was_found(dialog: SettingsDialog, typed: str, kind: str) -> None:
    search = field(dialog)
    search.setFocus()
    search.setText(typed)
    QTest.keyClick(search, Qt.Key.Key_Return)
    focused = dialog.focusWidget()
    assert kind in [each.__name__ for each in type(focused).__mro__]
