"""Rows of the side panel's lists: text, location, and optionally a note."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, mirrored
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt

ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
_SIDE, _PAD, _STEP = 10, 6, 14
_DEEPEST = 6  # maximum indentation steps

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Row:
    """The content of a row; `mark` is the emphasised range of the text, `strong` emphasises all of it."""

    text: str
    place: str = ""
    indent: int = 0
    mark: tuple[int, int] = (0, 0)
    note: str = ""
    strong: bool = False


class RowsModel(QAbstractListModel):
    """A list model whose rows are replaced all at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row, or its text for screen readers."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ", ".join(filter(None, (row.text, row.note, row.place)))
        return None


class RowDelegate(QStyledItemDelegate):
    """Draws rows of up to `lines` lines of text, with the location at the end of a single line, else above."""

    def __init__(self, lines: int, parent: QAbstractItemView) -> None:
        super().__init__(parent)
        self._lines = lines
        self._view = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the text at the width of the list."""
        row = index.data(ROW_ROLE)
        width = self._view.viewport().width()
        if not isinstance(row, Row):
            return QSize(width, 0)
        if self._lines == 1:
            return QSize(width, QFontMetrics(text_font()).height() + 2 * _PAD)
        room = width - 2 * _SIDE
        height = QFontMetrics(text_font(-1)).height() + 2 * _PAD + 2
        height += _height(_laid_out(row.text, _words_font(row), room, self._lines))
        if row.note:
            height += _height(_laid_out(row.note, text_font(-0.5), room - _SIDE, 3)) + 4
        return QSize(width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        draw_ground(
            painter,
            QRect(option.rect).adjusted(4, 1, -4, -1),
            hovered=bool(state & QStyle.StateFlag.State_MouseOver),
            selected=bool(state & QStyle.StateFlag.State_Selected),
            focused=bool(state & QStyle.StateFlag.State_HasFocus),
        )
        inside = QRect(option.rect).adjusted(_SIDE, _PAD, -_SIDE, -_PAD)
        if self._lines == 1:
            self._paint_line(painter, inside, row)
        else:
            self._paint_block(painter, inside, row)
        painter.restore()

    def _paint_line(self, painter: QPainter, area: QRect, row: Row) -> None:
        colors, quiet = current_colors(), text_font(-1)
        taken = QFontMetrics(quiet).horizontalAdvance(row.place) + 8 if row.place else 0
        words = area.adjusted(_STEP * min(row.indent, _DEEPEST), 0, -taken, 0)
        draw_text(painter, words, row.text, _words_font(row), colors.text, within=area)
        place = area.adjusted(area.width() - taken, 0, 0, 0)
        draw_text(painter, place, row.place, quiet, colors.faint, align=_END, within=area)

    def _paint_block(self, painter: QPainter, area: QRect, row: Row) -> None:
        colors, quiet = current_colors(), text_font(-1)
        caption = QRect(area.left(), area.top(), area.width(), QFontMetrics(quiet).height())
        draw_text(painter, caption, row.place, quiet, colors.faint, elide=Qt.TextElideMode.ElideMiddle)
        top = caption.bottom() + 2
        layout = _laid_out(row.text, _words_font(row), area.width(), self._lines, row.mark)
        painter.setPen(QColor(colors.text if not row.note else colors.muted))
        layout.draw(painter, QPointF(area.left(), top))
        if row.note:
            top += _height(layout) + 4
            note = _laid_out(row.note, text_font(-0.5), area.width() - _SIDE, 3)
            line = mirrored(QRect(area.left(), top, 2, _height(note)), area)
            painter.fillRect(line, QColor(colors.accent))
            painter.setPen(QColor(colors.text))
            left = mirrored(area.adjusted(_SIDE, 0, 0, 0), area).left()
            note.draw(painter, QPointF(left, top))


_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _words_font(row: Row) -> QFont:
    return text_font(0, QFont.Weight.DemiBold if row.strong else QFont.Weight.Normal)


def _laid_out(text: str, font: QFont, width: int, most: int, mark: tuple[int, int] = (0, 0)) -> QTextLayout:
    """Lay out text in at most `most` lines of `width` pixels, the last one elided."""
    layout = _broken(text, font, width, most, mark)
    last = layout.lineAt(layout.lineCount() - 1) if layout.lineCount() else None
    if last is not None and from_qt(text, last.textStart() + last.textLength()) < len(text):
        start = from_qt(text, last.textStart())
        tail = QFontMetrics(font).elidedText(text[start:], Qt.TextElideMode.ElideRight, width - 4)
        layout = _broken(text[:start] + tail, font, width, most, mark)
    return layout


def _broken(text: str, font: QFont, width: int, most: int, mark: tuple[int, int]) -> QTextLayout:
    layout = QTextLayout(text, font)
    layout.setTextOption(QTextOption())
    if mark[1] > mark[0]:
        layout.setFormats([format_range(text, *mark, _standing_out())])
    layout.beginLayout()
    y = 0.0
    while layout.lineCount() < most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(40, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout


def _standing_out() -> QTextCharFormat:
    colors = current_colors()
    shown = QTextCharFormat()
    shown.setFontWeight(QFont.Weight.DemiBold)
    shown.setBackground(QColor(colors.mark))
    shown.setForeground(QColor(colors.text))
    return shown


def _height(layout: QTextLayout) -> int:
    return round(sum(layout.lineAt(number).height() for number in range(layout.lineCount())))
