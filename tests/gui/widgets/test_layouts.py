"""A row or column has its parts in order, with the room, shares and alignments that were asked for."""

import pytest
from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row


def test_parts_stand_in_order_with_room_shares_and_alignment(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    first, second, third = QWidget(page), QWidget(page), QWidget(page)
    inner = in_row(third)

    column = in_column(first, 7, (second, LEFT), STRETCH, (inner, 3), on=page)

    assert page.layout() is column
    assert [column.stretch(place) for place in range(column.count())] == [0, 0, 0, 1, 3]
    items = [item for place in range(column.count()) if (item := column.itemAt(place)) is not None]
    assert [items[0].widget(), items[2].widget(), items[4].layout()] == [first, second, inner]
    assert items[1].sizeHint().height() == 7
    assert items[2].alignment() == Qt.AlignmentFlag.AlignLeft
    assert column.spacing() == GRID
    assert column.contentsMargins() == QMargins(0, 0, 0, 0)


def test_none_leaves_spacing_and_margins_to_the_style(qtbot: QtBot) -> None:
    mine, plain = QWidget(), QWidget()
    qtbot.addWidget(mine)
    qtbot.addWidget(plain)
    usual = QVBoxLayout(plain)

    column = in_column(on=mine, spacing=None, margins=None)

    assert (column.spacing(), column.contentsMargins()) == (usual.spacing(), usual.contentsMargins())


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_margins_follow_the_direction_of_reading(qapp: QApplication, direction: Qt.LayoutDirection) -> None:
    before = qapp.layoutDirection()
    qapp.setLayoutDirection(direction)
    try:
        margins = in_row(margins=(1, 2, 3, 4)).contentsMargins()
    finally:
        qapp.setLayoutDirection(before)

    left, right = (1, 3) if direction is Qt.LayoutDirection.LeftToRight else (3, 1)
    assert margins == QMargins(left, 2, right, 4)
