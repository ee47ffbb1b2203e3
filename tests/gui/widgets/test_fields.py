"""Fields on pages that scroll: the wheel scrolls, and no field is cut off."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets import fields
from desktop_rag.gui.widgets.fields import WheelGuard, WidePageArea, wrap_on_small_screen


def turn_wheel(widget: QWidget) -> None:
    window = widget.window()
    place = widget.mapTo(window, widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), QPointF(place), QPoint(0, -120))


def page_of(area: WidePageArea) -> QWidget:
    page = area.widget()
    assert page is not None
    return page


@pytest.fixture
def area(qtbot: QtBot) -> WidePageArea:
    area = WidePageArea()
    qtbot.addWidget(area)
    page = QWidget()
    column = QVBoxLayout(page)
    number, choice = QSpinBox(page), QComboBox(page)
    number.setValue(50)
    choice.addItems(["a", "b", "c"])
    for widget in (number, choice, *(QLabel(f"Line {line}", page) for line in range(80))):
        column.addWidget(widget)
    area.setWidget(page)
    area.resize(300, 200)
    area.show()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 100)
    return area


def test_the_wheel_scrolls_the_page_and_changes_no_field_without_the_keyboard(area: WidePageArea) -> None:
    WheelGuard(page_of(area))
    (number,), (choice,) = area.findChildren(QSpinBox), area.findChildren(QComboBox)
    area.setFocus()
    for field in (number, choice):
        before = area.verticalScrollBar().value()
        turn_wheel(field)
        assert area.verticalScrollBar().value() > before
        area.verticalScrollBar().setValue(0)
    assert (number.value(), choice.currentText()) == (50, "a")
    number.setFocus()
    turn_wheel(number)
    assert number.value() < 50


def test_an_area_is_as_wide_as_its_page(area: WidePageArea, qtbot: QtBot) -> None:
    page = page_of(area)
    wide = QLabel("wide", page)
    wide.setMinimumWidth(600)
    layout = page.layout()
    assert layout is not None
    layout.addWidget(wide)
    qtbot.waitUntil(lambda: area.viewport().width() >= page.minimumSizeHint().width() > 600)


def test_labels_stand_above_their_fields_on_a_small_screen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    form, field = QFormLayout(page), QLineEdit()
    form.addRow("Address", field)
    wide = page.minimumSizeHint().width()
    wrap_on_small_screen(form, page)
    assert page.minimumSizeHint().width() == wide
    monkeypatch.setattr(fields, "_SMALL_SCREEN", 100_000)
    wrap_on_small_screen(form, page)
    assert page.minimumSizeHint().width() < wide


def test_an_area_takes_no_more_than_a_part_of_the_screen(area: WidePageArea) -> None:
    page_of(area).setMinimumWidth(5_000)
    QApplication.processEvents()
    assert area.minimumWidth() < area.screen().availableSize().width() - 400
    assert area.horizontalScrollBar().maximum() > 0
