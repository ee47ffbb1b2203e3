"""The size of the text and the density change live, everywhere, and back again."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.turn_question import QuestionBubble
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import Look, compact_sheet, fit_density, row_height, set_role, text_font
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.settings import Density, Theme


def window_with(qtbot: QtBot, *widgets: QWidget) -> QWidget:
    window = QWidget()
    layout = QVBoxLayout(window)
    layout.setContentsMargins(16, 16, 16, 16)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    return window


def change(qtbot: QtBot, look: Look, percent: int, density: Density = Density.COMFORTABLE) -> None:
    with qtbot.waitSignal(look.changed):
        look.use(Theme.LIGHT, percent, density)


def test_icons_of_buttons_grow_with_the_text(look: Look, qtbot: QtBot) -> None:
    button = IconButton("close", "Close", size=16)
    window = window_with(qtbot, button)
    assert window.isVisible()
    before = button.sizeHint()
    change(qtbot, look, 150)
    assert button.iconSize() == QSize(24, 24)
    assert button.icon().actualSize(QSize(24, 24)) == QSize(24, 24)
    assert button.sizeHint() == before + QSize(8, 8)
    assert IconButton("close", "Close", window, size=16).iconSize() == QSize(24, 24)
    change(qtbot, look, 100)
    assert button.iconSize() == QSize(16, 16)
    assert button.sizeHint() == before


def test_questions_asked_and_to_be_asked_follow(look: Look, qtbot: QtBot) -> None:
    field, bubble = QuestionField(), QuestionBubble("How long is the notice period of the lease of the boathouse?")
    window = window_with(qtbot, field, bubble)
    label = bubble.findChild(QLabel)
    assert label is not None
    assert window.isVisible()
    bubble.setFixedWidth(280)
    qtbot.waitUntil(lambda: bubble.width() == 280 and bubble.height() == bubble.heightForWidth(280))
    before, usual = bubble.height(), field.font().pointSizeF()
    for percent in (150, 80, 200, 100):
        change(qtbot, look, percent)
        qtbot.waitUntil(lambda: bubble.height() == bubble.heightForWidth(bubble.width()))
        assert label.height() == label.heightForWidth(label.width())
        assert (bubble.height() > before) is (percent > 100)
        assert label.geometry().bottom() < bubble.height()
        assert field.viewport().font().pointSizeF() == field.font().pointSizeF()
    assert (bubble.height(), field.font().pointSizeF()) == (before, usual)


def test_derived_fonts_and_those_of_the_style_sheet_follow(look: Look, qtbot: QtBot) -> None:
    plain, larger, caption = QLabel("plain"), QLabel("larger"), QLabel("caption")
    larger.setFont(text_font(2, QFont.Weight.DemiBold))
    set_role(caption, "caption")
    window = window_with(qtbot, plain, larger, caption)
    assert window.isVisible()
    before = [label.font().pointSizeF() for label in (plain, larger, caption)]
    usual = before[0]
    assert before == [usual, usual + 2, usual - 1]
    change(qtbot, look, 150)
    assert [label.font().pointSizeF() for label in (plain, larger, caption)] == [
        usual * 1.5,
        usual * 1.5 + 2,
        usual * 1.5 - 1,
    ]
    assert larger.font().weight() == QFont.Weight.DemiBold
    change(qtbot, look, 100)
    assert [label.font().pointSizeF() for label in (plain, larger, caption)] == before


def test_a_second_change_before_the_first_is_done(look: Look, qtbot: QtBot) -> None:
    larger = QLabel("larger")
    larger.setFont(text_font(2))
    window = window_with(qtbot, larger)
    usual = larger.font().pointSizeF() - 2
    look.use(Theme.LIGHT, 150)
    change(qtbot, look, 120)
    assert larger.font().pointSizeF() == pytest.approx(usual * 1.2 + 2)
    assert window.updatesEnabled()


def test_a_field_holds_its_larger_text(look: Look, qtbot: QtBot) -> None:
    field, button = QLineEdit("field"), QPushButton("button")
    window = window_with(qtbot, field, button)
    change(qtbot, look, 200)
    for widget in (field, button):
        assert widget.sizeHint().height() >= widget.fontMetrics().height() + 8
    assert window.updatesEnabled()


@pytest.mark.parametrize(("asked", "used"), [(10, 80), (5_000, 200), (-3, 80)])
def test_a_size_beyond_the_limits_is_the_nearest_one(look: Look, asked: int, used: int) -> None:
    usual = text_font().pointSizeF()
    look.use(Theme.LIGHT, asked)
    assert text_font().pointSizeF() == pytest.approx(max(7.0, usual * used / 100))


def test_compact_layouts_and_rows_are_smaller_and_grow_back(look: Look, qtbot: QtBot) -> None:
    window = window_with(qtbot, QPushButton("button"))
    form = QFormLayout()
    form.setVerticalSpacing(10)
    layout = window.layout()
    assert isinstance(layout, QVBoxLayout)
    layout.addLayout(form)
    height = window.findChildren(QPushButton)[0].sizeHint().height()
    assert row_height(32) == 32
    change(qtbot, look, 100, Density.COMPACT)
    assert (layout.contentsMargins().left(), layout.spacing(), form.verticalSpacing()) == (10, 5, 6)
    assert window.findChildren(QPushButton)[0].sizeHint().height() < height
    assert row_height(32) == 24
    layout.setSpacing(20)  # its owner changes it
    change(qtbot, look, 100)
    assert (layout.contentsMargins().left(), layout.spacing(), form.verticalSpacing()) == (16, 20, 10)


def test_a_dialog_opened_later_is_compact_once(look: Look, qtbot: QtBot) -> None:
    look.use(Theme.LIGHT, 100, Density.COMPACT)
    dialog = BoundedDialog()
    column = QVBoxLayout(dialog)
    column.setContentsMargins(20, 20, 20, 20)
    qtbot.addWidget(dialog)
    dialog.show()
    assert column.contentsMargins().left() == 12
    fit_density(dialog)
    assert column.contentsMargins().left() == 12


def test_only_the_padding_above_and_below_shrinks() -> None:
    assert compact_sheet("A { padding: 5px 14px; } B { padding: 6px 20px 6px 12px; } C { padding: 4px; }") == (
        "A { padding: 2px 14px; } B { padding: 3px 20px 3px 12px; } C { padding: 4px; }"
    )


def test_a_widget_deleted_during_the_change_is_left_out(look: Look, qtbot: QtBot) -> None:
    kept, gone = QLabel("kept"), QLabel("gone")
    for label in (kept, gone):
        label.setFont(text_font(1))
    window = window_with(qtbot, kept, gone)
    look.use(Theme.LIGHT, 150)
    gone.deleteLater()
    with qtbot.waitSignal(look.changed):
        pass
    assert kept.font().pointSizeF() > 15
    assert window.updatesEnabled()
