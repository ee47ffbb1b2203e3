"""Rows and columns of widgets, each made by one call."""

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, set_margins

STRETCH = -1  # a part: all the room that is left
LEFT, CENTER, TOP = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignTop
DIALOG = (3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)  # the margins of a dialog with a few lines

# In a row or column: a widget or layout, perhaps with its share of the room or its alignment; or pixels of room.
Part = QWidget | QLayout | int | tuple[QWidget | QLayout | int, int | Qt.AlignmentFlag]
# On all sides, or before, above, after and below: “before” is where reading begins; None: those of the style.
Margins = int | tuple[int, int, int, int] | None
Box = TypeVar("Box", bound=QBoxLayout)


def in_row(*parts: Part, on: QWidget | None = None, spacing: int | None = GRID, margins: Margins = 0) -> QHBoxLayout:
    """Return a row of `parts`, the layout of the widget `on`; None leaves spacing or margins to the style."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, spacing, margins)


def in_column(*parts: Part, on: QWidget | None = None, spacing: int | None = GRID, margins: Margins = 0) -> QVBoxLayout:
    """Return a column of `parts`, as `in_row`."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, spacing, margins)


def _filled(layout: Box, parts: Iterable[Part], spacing: int | None, margins: Margins) -> Box:
    if margins is not None:
        set_margins(layout, *(margins if isinstance(margins, tuple) else (margins,) * 4))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        item, more = part if isinstance(part, tuple) else (part, 1 if part == STRETCH else 0)
        share, alignment = (0, more) if isinstance(more, Qt.AlignmentFlag) else (more, Qt.AlignmentFlag(0))
        if isinstance(item, QWidget):
            layout.addWidget(item, share, alignment)
        elif isinstance(item, QLayout):
            layout.addLayout(item, share)
        elif item == STRETCH:
            layout.addStretch(share)
        else:
            layout.addSpacing(item)
    return layout
