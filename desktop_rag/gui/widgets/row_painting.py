"""Shared painting of list rows: background, focus ring, and elided text."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QStyle, QWidget

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
    within: QRect | None = None,
) -> None:
    """Paint one line of plain text, elided to the width of `rect`, whose place `within` a row is mirrored."""
    rect = rect if within is None else mirrored(rect, within)
    painter.setFont(font)
    painter.setPen(QColor(color))
    shown = QFontMetrics(font).elidedText(text, elide, rect.width())
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine, shown)


def mirrored(rect: QRect, within: QRect) -> QRect:
    """Return a part of a row that is read from the left where it is for those who read from the right."""
    direction = QGuiApplication.layoutDirection()
    return rect if direction is Qt.LayoutDirection.LeftToRight else QStyle.visualRect(direction, within, rect)


def mirror_painter(painter: QPainter, widget: QWidget) -> None:
    """Let `painter` draw what has no text, from the right for those who read from there."""
    if widget.isRightToLeft():
        painter.translate(widget.width(), 0)
        painter.scale(-1, 1)


def line_height(font: QFont) -> int:
    """Return the height of a line of text in pixels."""
    return QFontMetrics(font).height()
