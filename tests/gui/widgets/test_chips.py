"""A row of chips wraps at its width, and measures each chip once however often a layout asks for its height."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.turn_question import QuestionBubble
from desktop_rag.gui.widgets.chips import Chip, FlowRow

NAMES = ("lease.pdf", "house rules.docx", "2024-03 increase.eml", "notes.md")


class CountedChip(Chip):
    """Counts how often it is measured."""

    measured = 0

    def sizeHint(self) -> QSize:
        self.measured += 1
        return super().sizeHint()


@pytest.fixture(autouse=True)
def no_style_sheet(qapp: QApplication) -> Iterator[None]:
    """Set fonts by `setFont`: the fonts of a style sheet, which an earlier test may have left, come first."""
    before = qapp.styleSheet()
    qapp.setStyleSheet("")
    yield
    qapp.setStyleSheet(before)


@pytest.fixture
def chips() -> list[CountedChip]:
    return [CountedChip(name) for name in NAMES]


@pytest.fixture
def row(qtbot: QtBot, chips: list[CountedChip]) -> Iterator[FlowRow]:
    window = QWidget()
    qtbot.addWidget(window)
    row = FlowRow()
    QVBoxLayout(window).addWidget(row)
    row.set_items(chips)
    window.resize(300, 300)
    window.show()
    yield row
    window.close()


def test_chips_are_measured_once_for_all_questions_of_a_layout(row: FlowRow, chips: list[CountedChip]) -> None:
    QApplication.processEvents()
    before = [chip.measured for chip in chips]
    for width in (80, 150, 300, 600) * 50:
        row.heightForWidth(width)
        row.sizeHint()
        row.minimumSizeHint()
    row.window().resize(500, 300)
    QApplication.processEvents()
    assert [chip.measured for chip in chips] == before


def test_chips_wrap_at_the_width_and_none_is_wider_than_the_row(row: FlowRow, chips: list[CountedChip]) -> None:
    one_line = row.heightForWidth(2_000)
    two = chips[0].sizeHint().width() + chips[1].sizeHint().width() + 20
    assert one_line == chips[0].sizeHint().height() < row.heightForWidth(two) < row.heightForWidth(60)
    row.window().resize(120, 300)
    QApplication.processEvents()
    places = [chip.geometry() for chip in chips]
    assert all(place.right() < row.width() for place in places)
    assert not any(one.intersects(other) for one in places for other in places if one is not other)
    assert max(place.bottom() for place in places) + 1 == row.heightForWidth(row.width())


def test_a_larger_font_and_other_chips_are_measured_again(row: FlowRow, chips: list[CountedChip]) -> None:
    before = row.heightForWidth(250)
    row.window().setFont(QFont("DejaVu Sans", 24))
    assert row.heightForWidth(250) > before
    assert row.minimumSizeHint().height() == chips[0].sizeHint().height()
    row.set_items(chips[:1])
    assert row.heightForWidth(2_000) == chips[0].sizeHint().height()
    row.set_items([])
    assert row.heightForWidth(250) == row.minimumSizeHint().height() == 0


def test_a_question_is_measured_again_in_a_new_font(qtbot: QtBot) -> None:
    bubble = QuestionBubble("How much notice must the landlord give before raising the rent?")
    qtbot.addWidget(bubble)
    bubble.show()
    narrow, wide = bubble.heightForWidth(160), bubble.heightForWidth(900)
    assert narrow > wide == bubble.heightForWidth(900)
    for label in bubble.children():
        if isinstance(label, QWidget):
            label.setFont(QFont("DejaVu Sans", 24))
    bubble.setFont(QFont("DejaVu Sans", 24))
    assert bubble.heightForWidth(900) > wide


def test_the_items_of_a_line_stand_on_one_middle(qtbot: QtBot) -> None:
    row = FlowRow()
    qtbot.addWidget(row)
    low, high = Chip("low"), QLabel("high\nhigh\nhigh")
    row.resize(400, 90)
    row.set_items([low, high])
    row.show()
    assert abs(low.geometry().center().y() - high.geometry().center().y()) <= 1
    assert row.heightForWidth(400) == max(high.sizeHint().height(), low.sizeHint().height())


def test_a_chip_is_wider_in_a_large_font(qtbot: QtBot) -> None:
    chip = Chip("A name of a document that is far longer than a chip" * 20)
    qtbot.addWidget(chip)
    widths = []
    for pixels in (6, 48, 96):  # whatever the fonts of the machine: 40 of the first letters fit into 300 pixels
        font = QFont(chip.font())
        font.setPixelSize(pixels)
        chip.setFont(font)
        widths.append(chip.sizeHint().width())
    small, large, twice = widths
    assert small == 340 < large
    assert twice == pytest.approx(2 * large, rel=0.1)


def test_a_click_on_a_chip_leaves_the_keyboard_where_one_types(
    row: FlowRow, chips: list[CountedChip], qtbot: QtBot
) -> None:
    field = QLineEdit(row.window())
    layout = row.window().layout()
    assert layout is not None
    layout.addWidget(field)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    QTest.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    assert field.hasFocus()


def test_the_focus_of_a_chip_that_goes_moves_to_the_next_or_to_the_proxy(
    row: FlowRow, chips: list[CountedChip], qtbot: QtBot
) -> None:
    before = QPushButton("first in the window", row.window())
    field = QLineEdit(row.window())
    layout = row.window().layout()
    assert layout is not None
    layout.addWidget(field)
    field.show()
    QWidget.setTabOrder(before, chips[0])
    row.setFocusProxy(field)
    chips[1].setFocus()
    qtbot.waitUntil(chips[1].hasFocus)
    row.set_items([chips[0], chips[2]])
    assert chips[2].hasFocus()
    row.set_items([])
    assert field.hasFocus()


def test_a_chip_is_elided_only_in_a_full_row_and_keeps_a_short_name(qtbot: QtBot) -> None:
    row, chip = FlowRow(), Chip("inbox.mbox", "Message 2: Re: Invoice 4711 overdue", "file-text")
    qtbot.addWidget(row)
    row.set_items([chip])
    whole = chip.sizeHint().width()
    row.resize(whole + 20, 60)
    row.show()
    assert chip.shown_texts() == ("inbox.mbox", "Message 2: Re: Invoice 4711 overdue")
    row.resize(2 * whole // 3, 60)
    name, detail = chip.shown_texts()
    assert name == "inbox.mbox"
    assert detail.startswith("Mess")
    assert detail.endswith("…")


def test_a_long_name_is_cut_in_its_middle_before_the_place(qtbot: QtBot) -> None:
    chip = Chip("A name of a document that is long.pdf", "p. 12", "file-text")
    qtbot.addWidget(chip)
    chip.resize(2 * chip.sizeHint().width() // 3, 24)
    name, detail = chip.shown_texts()
    assert detail == "p. 12"
    assert name.startswith("A nam")
    assert "…" in name
    assert name.endswith("df")


@pytest.mark.parametrize("said", ["Remove this filter", "<qt>Remove this filter</qt>"])
def test_a_name_without_room_is_in_the_tooltip(qtbot: QtBot, said: str) -> None:
    name = "a folder of letters and other papers of the years 2019 to 2024 & later"
    chip = Chip(name)
    qtbot.addWidget(chip)
    chip.setToolTip(said)
    chip.resize(chip.sizeHint())
    chip.show()
    assert chip.shown_texts()[0] != name
    at = chip.rect().center()
    QApplication.sendEvent(chip, QHelpEvent(QEvent.Type.ToolTip, at, chip.mapToGlobal(at)))
    assert QToolTip.text().startswith("<qt>a folder of letters and other papers of the years 2019 to 2024 &amp; later")
    assert QToolTip.text().endswith("Remove this filter</qt>")
    QToolTip.hideText()
