"""Paints a found document and its passages, with the matches highlighted."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.gui.search.result_rows import DocumentRow, FileRow, FoldRow, HeadingRow, HitRow, MoreRow
from desktop_rag.gui.search.results_model import (
    NEVER_SENT_ROLE,
    ROW_ROLE,
    Index,
    also_words,
    fold_words,
    never_sent_words,
)
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import row_height
from desktop_rag.gui.theme.file_icons import icon_of
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, scaled, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, line_height, mirrored
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt

_ICON, _FOLD_ICON = 18, 12
_LINES, _LINES_OF_CODE = 2, 5  # maximum lines of a snippet
_BEFORE = 30  # characters shown before the first highlighted word of a snippet that would be cut off before it
_MOST_COUNTED = 2_000  # snippets whose number of lines is remembered
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ResultsDelegate(QStyledItemDelegate):
    """Paints two kinds of rows; the height of a passage follows its snippet."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._line_counts: dict[tuple[object, ...], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row at the view's width."""
        row = index.data(ROW_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if isinstance(row, DocumentRow | FileRow):
            return QSize(width, row_height(line_height(_name_font()) + line_height(_small_font()) + 2 * GRID + 2))
        if isinstance(row, HitRow):
            lines = self._lines(row, _room(width))
            return QSize(width, line_height(_small_font()) + lines * _line_height() + GRID + 4)
        if isinstance(row, FoldRow):
            return QSize(width, row_height(line_height(_small_font()) + GRID))
        above = GRID if isinstance(row, HeadingRow) else 0
        return QSize(width, row_height(line_height(text_font()) + 2 * GRID + above))

    def _lines(self, row: HitRow, room: int) -> int:
        """Return how many lines of a snippet are shown; the same hits come again with the next letter of a query."""
        key = (row.snippet, row.marks, row.code, room, _snippet_font(row).key())
        if key not in self._line_counts:
            if len(self._line_counts) >= _MOST_COUNTED:
                self._line_counts.clear()
            self._line_counts[key] = max(1, min(_most(row), _layout(row, room).lineCount()))
        return self._line_counts[key]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(ROW_ROLE)
        colors = current_colors()
        if isinstance(row, HeadingRow):
            _paint_heading(painter, option.rect.adjusted(GRID, GRID, -GRID, 0), row, colors)
            return
        frame = QRect(option.rect).adjusted(GRID // 2, 1, -GRID // 2, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_ground(
            painter,
            frame,
            hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
        )
        inner = frame.adjusted(GRID // 2, GRID // 2, -GRID, -GRID // 2)
        never = bool(index.data(NEVER_SENT_ROLE))
        if never:
            colors = replace(colors, text=colors.muted)
        if isinstance(row, DocumentRow):
            _paint_document(painter, inner, row, colors, never_sent_words() if never else "")
        elif isinstance(row, HitRow):
            _paint_hit(painter, inner, row, colors, _room(option.rect.width()))
        elif isinstance(row, FoldRow):
            _paint_fold(painter, inner, row, colors)
        elif isinstance(row, FileRow):
            _paint_file(painter, inner, row, colors, never_sent_words() if never else "")
        elif isinstance(row, MoreRow):
            text = str(index.data(Qt.ItemDataRole.DisplayRole))
            area = inner.adjusted(scaled(_ICON) + GRID, 0, 0, 0)
            draw_text(painter, area, text, text_font(), colors.link, within=inner)
        painter.restore()


def _paint_heading(painter: QPainter, inner: QRect, row: HeadingRow, colors: Colors) -> None:
    painter.setPen(QColor(colors.outline))
    painter.drawLine(inner.topLeft(), inner.topRight())
    draw_text(painter, inner, row.text, text_font(-1, QFont.Weight.DemiBold), colors.muted)


def _paint_document(painter: QPainter, inner: QRect, row: DocumentRow, colors: Colors, note: str) -> None:
    name_height, small = line_height(_name_font()), line_height(_small_font())
    top = inner.top() + (inner.height() - name_height - small - 2) // 2
    left = _paint_icon(painter, inner, top, icon_of(row.hit.format), colors)
    date_width = QFontMetrics(_small_font()).horizontalAdvance(row.date) + GRID
    name = QRect(left, top, inner.right() - left - date_width, name_height)
    elide = Qt.TextElideMode.ElideRight if row.title else Qt.TextElideMode.ElideMiddle
    draw_text(painter, name, row.title or row.name, _name_font(), colors.text, elide=elide, within=inner)
    date = QRect(inner.right() - date_width, top, date_width, name_height)
    draw_text(painter, date, row.date, _small_font(), colors.muted, align=_RIGHT, within=inner)
    below = QRect(left, top + name_height + 2, inner.right() - left, small)
    if also := "  ·  ".join(filter(None, (also_words(row.also), note))):
        draw_text(painter, below, also, _small_font(), colors.muted, align=_RIGHT, within=inner)
        below.setRight(below.right() - QFontMetrics(_small_font()).horizontalAdvance(also) - 2 * GRID)
    middle = Qt.TextElideMode.ElideMiddle
    draw_text(painter, below, below_heading(row), _small_font(), colors.muted, elide=middle, within=inner)


def below_heading(row: DocumentRow) -> str:
    """Return the folder of a document, after its file name if the heading is its title."""
    return f"{row.name}  ·  {row.folder}" if row.title else row.folder


def _paint_icon(painter: QPainter, inner: QRect, top: int, name: str, colors: Colors) -> int:
    """Paint the icon of a document beside its name; return the left edge of the name."""
    area = QRect(inner.left(), top, scaled(_ICON), line_height(_name_font()))
    icons.draw(painter, mirrored(area, inner), name, colors.muted, _ICON)
    return area.right() + 1 + GRID


def _paint_file(painter: QPainter, inner: QRect, row: FileRow, colors: Colors, note: str) -> None:
    name_height, small = line_height(_name_font()), line_height(_small_font())
    top = inner.top() + (inner.height() - name_height - small - 2) // 2
    left = _paint_icon(painter, inner, top, "file", colors)
    label = "  ·  ".join(filter(None, (QCoreApplication.translate("ResultsModel", "no text"), note)))
    advance = QFontMetrics(_small_font()).horizontalAdvance
    right = max(advance(row.date), advance(label)) + GRID
    upper = QRect(left, top, inner.right() - left, name_height)
    lower = QRect(left, top + name_height + 2, inner.right() - left, small)
    for area, text, font, color, aside in (
        (upper, row.name, _name_font(), colors.text, row.date),
        (lower, row.folder, _small_font(), colors.muted, label),
    ):
        draw_text(painter, area, aside, _small_font(), colors.muted, align=_RIGHT, within=inner)
        area.setRight(area.right() - right)
        draw_text(painter, area, text, font, color, elide=Qt.TextElideMode.ElideMiddle, within=inner)


def _paint_hit(painter: QPainter, inner: QRect, row: HitRow, colors: Colors, room: int) -> None:
    left = inner.left() + scaled(_ICON) + GRID
    small = line_height(_small_font())
    place = QRect(left, inner.top(), inner.right() - left, small)
    draw_text(painter, place, row.place, _small_font(), colors.faint, within=inner)
    layout = _layout(row, room, colors)
    left = mirrored(QRect(left, 0, room, 1), inner).left()
    painter.setPen(QColor(colors.text))
    for number in range(min(_most(row), layout.lineCount())):
        layout.lineAt(number).draw(painter, QPointF(left, inner.top() + small + 1))


def _paint_fold(painter: QPainter, inner: QRect, row: FoldRow, colors: Colors) -> None:
    area = inner.adjusted(scaled(_ICON) + GRID, 0, 0, 0)
    sign = QRect(area.left(), area.top(), scaled(_FOLD_ICON), area.height())
    icons.draw(painter, mirrored(sign, inner), "chevron-up" if row.open else "chevron-down", colors.link, _FOLD_ICON)
    area.setLeft(sign.right() + GRID // 2)
    draw_text(painter, area, fold_words(row), _small_font(), colors.link, within=inner)


def _layout(row: HitRow, room: int, colors: Colors | None = None) -> QTextLayout:
    """Return the snippet broken into lines of `room` pixels, highlighted and with an ellipsis if `colors` are given."""
    layout = _highlighted(row, row.snippet, room, colors)
    begun = _with_its_first_mark(row, layout)
    if begun is not row:
        row, layout = begun, _highlighted(begun, begun.snippet, room, colors)
    text = row.snippet
    while colors is not None and layout.lineCount() > _most(row):
        last = layout.lineAt(_most(row) - 1)
        cut = from_qt(text, last.textStart() + last.textLength())
        text = text[: max(0, cut - 1)].rstrip(" .,;:…") + "…"  # wider than what it replaces: it may take another round
        layout = _highlighted(row, text, room, colors)
    return layout


def _with_its_first_mark(row: HitRow, layout: QTextLayout) -> HitRow:
    """Begin a laid out snippet shortly before its first highlighted word where that would not be shown."""
    first, last = min(row.marks, default=(0, 0))
    if row.code or last <= _BEFORE or layout.lineCount() <= _most(row):
        return row
    line = layout.lineAt(_most(row) - 1)
    if last < from_qt(row.snippet, line.textStart() + line.textLength()):
        return row
    cut = row.snippet.rfind(" ", 0, first - _BEFORE) + 1
    marks = tuple((start - cut + 1, end - cut + 1) for start, end in row.marks)
    return replace(row, snippet="…" + row.snippet[cut:], marks=marks)


def _highlighted(row: HitRow, text: str, room: int, colors: Colors | None) -> QTextLayout:
    """Return the beginning of a snippet broken into lines, its highlights as wide as they are painted."""
    layout = QTextLayout(text, _snippet_font(row))
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.DemiBold)
    if colors is not None:
        look.setBackground(QColor(colors.mark))
    layout.setFormats(
        [format_range(text, start, min(end, len(text)), look) for start, end in row.marks if start < len(text)]
    )
    return _broken(layout, room, _most(row))


def _broken(layout: QTextLayout, room: int, most: int) -> QTextLayout:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y, height = 0.0, _line_height()
    while layout.lineCount() <= most:  # one line more than is shown reveals that there is more
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(room)
        line.setPosition(QPointF(0, y))
        y += height
    layout.endLayout()
    return layout


def _room(width: int) -> int:
    return max(80, width - scaled(_ICON) - 5 * GRID)


def _line_height() -> int:
    return QFontMetrics(text_font()).height() + 1


def _most(row: HitRow) -> int:
    return _LINES_OF_CODE if row.code else _LINES


def _snippet_font(row: HitRow) -> QFont:
    return mono_font(-0.5) if row.code else text_font()


def _name_font() -> QFont:
    return text_font(0, QFont.Weight.DemiBold)


def _small_font() -> QFont:
    return text_font(-1)
