"""Paints the cells of the list of files from its rows, without a query per role and without the style sheet.

Asking the model for every role and painting through a style sheet takes five times as long, too long for a frame.
"""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from desktop_rag.gui.files.files_model import COLUMNS, ICON, NUMBERS, FilesModel, Index, picture_of, texts_of
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.index.file_rows import FileColumn

MARGIN = 11  # left and right of the text, as in the header
_CACHED = 8_192  # elided texts
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_NAMES = (FileColumn.NAME, FileColumn.FOLDER)  # elided in the middle, so that the suffix stays; sentences at the end
_MUTED = (FileColumn.REASON, FileColumn.FOLDER)


def icon_room() -> int:
    """Return the width of an icon and of the space to its text in pixels."""
    return scaled(ICON) + 6


class FileCells(QStyledItemDelegate):
    """Paints text and icon of a cell; the current row has a line in the colour of the focus."""

    def __init__(self, model: FilesModel, table: QTableView) -> None:
        super().__init__(table)
        self._files = model
        self._table = table
        self._elided: dict[tuple[str, int, bool], str] = {}
        self._colors: Colors | None = None
        self._pens: dict[str, QColor] = {}
        self._icon = scaled(ICON)

    def forget(self) -> None:
        """Measure all texts again, in another font or theme."""
        self._elided.clear()
        self._colors = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        row, place = index.row(), index.column()
        column = COLUMNS[place]
        rect: QRect = option.rect
        if self._colors is None:
            self._colors, self._icon = current_colors(), scaled(ICON)
            self._pens = {name: QColor(getattr(self._colors, name)) for name in ("text", "muted", "selected", "focus")}
        pens = self._pens
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, pens["selected"])
        file = self._files.file(row)
        if file is None:
            self._files.want(row)
            return
        left, top, width, height = rect.left() + MARGIN, rect.top(), rect.width() - 2 * MARGIN, rect.height()
        picture = picture_of(file, column, self._colors)
        if picture is not None:
            painter.drawPixmap(left, top + (height - self._icon) // 2, picture)
            left += self._icon + 6
            width -= self._icon + 6
        text = texts_of(file)[place]
        if text and width > 0:
            painter.setPen(pens["muted" if column in _MUTED and not selected else "text"])
            flags = _RIGHT if column in NUMBERS else _LEFT
            painter.drawText(left, top, width, height, flags, self._fitted(text, width, middle=column in _NAMES))
        if self._table.hasFocus() and self._table.currentIndex().row() == row:
            painter.fillRect(rect.left(), top + height - 2, rect.width(), 2, pens["focus"])

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of the whole text, for a double click between two titles."""
        file = self._files.file(index.row())
        text = texts_of(file)[index.column()] if file is not None else ""
        icon = icon_room() if COLUMNS[index.column()] in (FileColumn.NAME, FileColumn.STATE) else 0
        return QSize(self._table.fontMetrics().horizontalAdvance(text) + 2 * MARGIN + icon, 1)

    def _fitted(self, text: str, width: int, *, middle: bool) -> str:
        key = (text, width, middle)
        fitted = self._elided.get(key)
        if fitted is None:
            if len(self._elided) > _CACHED:
                self._elided.clear()
            mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
            fitted = self._elided[key] = self._table.fontMetrics().elidedText(text, mode, width)
        return fitted
