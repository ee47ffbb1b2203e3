"""Shared painting of list rows: background, focus ring, and elided text."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from desktop_rag.gui.theme.theme import current_colors

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def draw_ground(painter: QPainter, frame: QRect, *, hovered: bool, selected: bool, focused: bool) -> None:
    """Paint the background of a row: its tint and, for the keyboard, a ring."""
    colors = current_colors()
    if selected or hovered:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.selected if selected else colors.hover))
        painter.drawRoundedRect(frame, 6, 6)
    if focused:
        painter.setPen(QPen(QColor(colors.focus), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 5, 5)


def draw_text(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    color: str,
    *,
    align: Qt.AlignmentFlag = _LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Paint one line of plain text, elided to the width of `rect`."""
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetrics(font).elidedText(text, elide, rect.width())
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine, shown)


def line_height(font: QFont) -> int:
    """Return the height of a line of text in pixels."""
    return QFontMetrics(font).height()
