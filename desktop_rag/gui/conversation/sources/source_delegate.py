"""Paints the rows of the sources: documents, citations with two lines of their quote and their mark, headings."""

from pathlib import PurePath

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.agent.citations.marks import Grade, stands_there
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation, Source
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import exact_sentence
from desktop_rag.gui.conversation.sources.source_groups import shown_preview
from desktop_rag.gui.conversation.sources.sources_model import (
    GRADE_ROLE,
    NOTE_ROLE,
    ROW_ROLE,
    CitationRow,
    CitedFileRow,
    SourceGroupRow,
    UncitedRow,
)
from desktop_rag.gui.formatting import MARKS
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.plain_labels import elided_lines
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, mirrored
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.text.display import one_line

_PAD = 9
_LEAST_BADGE = 22
_QUOTE_LINES = 2
_MOST_QUOTES = 100  # kept broken into lines
_NARROWEST_NOTE = 60  # pixels; a narrower note is not painted

Index = QModelIndex | QPersistentModelIndex


class SourceDelegate(QStyledItemDelegate):
    """Paints rows whose height depends on the quote."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quotes: dict[tuple[str, str, int, str], list[str]] = {}  # broken into lines

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row at the width of the view."""
        row = index.data(ROW_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        name, line = QFontMetrics(_name_font()).height(), _line(QFontMetrics(_quote_font()))
        match row:
            case CitationRow(citation, below):
                lines = len(self._quote(citation, width))
                height = max((line if below else name) + lines * line, _badge()) + (3 if lines else 0)
                return QSize(width, height + (_PAD + _PAD // 2 if below else 2 * _PAD))
            case CitedFileRow():
                return QSize(width, max(name, _badge()) + _PAD)
            case SourceGroupRow():
                return QSize(width, line + 2 * _PAD)
            case UncitedRow(file):
                return QSize(width, name + (line if file.source.preview.strip() else 0) + _PAD + _PAD // 2)
            case _:
                return QSize(width, 0)

    def _quote(self, citation: Citation, width: int) -> list[str]:
        if not citation.quote.strip():
            return []
        available, font = max(60, width - _left() - _badge() - 2 * _PAD), _quote_font()
        key = (shown_words(citation), citation.format, available, font.key())
        if (lines := self._quotes.get(key)) is None:  # a view asks for the height of a row several times
            if len(self._quotes) > _MOST_QUOTES:
                self._quotes.clear()
            quote = formatting.quoted(shown_quote(shown_words(citation), citation.format))
            lines = self._quotes[key] = elided_lines(quote, QFontMetrics(font), available, _QUOTE_LINES)
        return lines

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRect(option.rect)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        draw_ground(painter, place, hovered=hovered, selected=False, focused=focused)
        note, colors = str(index.data(NOTE_ROLE) or ""), current_colors()
        match index.data(ROW_ROLE):
            case CitationRow() as row:
                self._paint_citation(painter, place, row, note, index.data(GRADE_ROLE), colors)
            case CitedFileRow(file):
                first = file.citations[0]
                area = QRect(place.left() + _PAD, place.top() + _PAD, place.width() - 2 * _PAD, 0)
                _paint_name(painter, area, place, (first.path, first.title, first.format), "", note)
            case SourceGroupRow() as row:
                _paint_fold(painter, place, str(index.data()), is_open=row.is_open)
            case UncitedRow(file):
                self._paint_uncited(painter, place, file.source, note, colors)
        painter.restore()

    def _paint_citation(
        self, painter: QPainter, place: QRect, row: CitationRow, note: str, grade: Grade, colors: Colors
    ) -> None:
        citation = row.citation
        pad = _PAD // 2 if row.below else _PAD
        self._paint_badge(painter, place.adjusted(0, pad - _PAD, 0, 0), citation, colors)
        self._paint_mark(painter, place.adjusted(0, pad - _PAD, 0, 0), grade, colors)
        right = place.right() - _PAD - _badge()
        area = QRect(place.left() + _left(), place.top() + pad, right - place.left() - _left(), 0)
        where = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        inexact = grade == "paraphrase" and not stands_there(citation)
        where += f" · {self.tr('not word for word')}" if inexact else ""
        metrics = QFontMetrics(_quote_font())
        if row.below:
            area.setHeight(_line(metrics))
            draw_text(painter, area, where, _quote_font(), colors.faint, within=place)
        else:
            area.setHeight(QFontMetrics(_name_font()).height())
            named = (citation.path, citation.title, citation.format)
            _paint_name(painter, QRect(area), place, named, where, note)
        y = area.top() + area.height() + 3
        for line in self._quote(citation, place.width()):
            shown = QRect(area.left(), y, area.width(), _line(metrics))
            draw_text(painter, shown, line, _quote_font(), colors.muted, within=place)
            y += _line(metrics)

    def _paint_uncited(self, painter: QPainter, place: QRect, source: Source, note: str, colors: Colors) -> None:
        area = QRect(place.left() + _left(), place.top() + _PAD // 2, place.width() - _left() - _PAD, 0)
        where = formatting.place(source.page, source.first_line, source.last_line, source.section)
        _paint_name(painter, QRect(area), place, (source.path, source.title, ""), where, note)
        preview = QRect(area.left(), area.top() + QFontMetrics(_name_font()).height() + 2, area.width(), 0)
        preview.setHeight(_line(QFontMetrics(_quote_font())))
        draw_text(painter, preview, shown_preview(source), _quote_font(), colors.muted, within=place)

    def _paint_badge(self, painter: QPainter, row: QRect, citation: Citation, colors: Colors) -> None:
        badge = _badge()
        area = QRectF(mirrored(QRect(row.left() + _PAD, row.top() + _PAD - 1, badge, badge), row))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent_soft))
        painter.drawRoundedRect(area, badge / 2, badge / 2)
        painter.setPen(QColor(colors.link))
        painter.setFont(text_font(-1 if citation.number < 100 else -2, QFont.Weight.DemiBold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(citation.number))

    def _paint_mark(self, painter: QPainter, row: QRect, grade: Grade, colors: Colors) -> None:
        if grade == "verbatim":
            return  # a true quotation proves nothing about the statement
        shades: dict[Grade, tuple[str, str]] = {
            "paraphrase": (colors.link, colors.accent_soft),
            "misattributed": (colors.warning, colors.warning_soft),
            "silent": (colors.warning, colors.warning_soft),
        }
        foreground, background = shades.get(grade, (colors.danger, colors.danger_soft))
        size = _badge() - 4
        area = QRectF(mirrored(QRect(row.right() - _PAD - size + 1, row.top() + _PAD + 1, size, size), row))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(background))
        painter.drawEllipse(area)
        painter.setPen(QColor(foreground))
        painter.setFont(text_font(-0.5, QFont.Weight.Bold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, MARKS[grade])


def _paint_name(painter: QPainter, area: QRect, row: QRect, named: tuple[str, str, str], place: str, note: str) -> None:
    """Paint type and name of a document (its path, title and format), then a place in it and a note."""
    colors, font, quiet = current_colors(), _name_font(), _quote_font()
    metrics, quiet_metrics = QFontMetrics(font), QFontMetrics(quiet)
    area.setHeight(metrics.height())
    left = area.left()
    path, title, kind = named
    if shown := _kind(path, kind):
        left += _paint_kind(painter, left, area, row, shown) + 7
    name = one_line(formatting.document_name(path, title))
    place = one_line(formatting.document_place(path, title, place))
    place_width = min(quiet_metrics.horizontalAdvance(place) + 2, area.width() // 2)
    available = area.right() - left - place_width - 10
    name_width = min(metrics.horizontalAdvance(name) + 2, available)
    name_area = QRect(left, area.top(), name_width, area.height())
    draw_text(painter, name_area, name, font, colors.text, elide=Qt.TextElideMode.ElideMiddle, within=row)
    place_area = QRect(left + name_width + 8, area.top(), place_width, area.height())
    draw_text(painter, place_area, place, quiet, colors.faint, within=row)
    note_area = QRect(place_area.right() + 8, area.top(), area.right() - place_area.right() - 8, area.height())
    if note and note_area.width() > _NARROWEST_NOTE:
        color = colors.muted if note == exact_sentence(ON_SERVER) else colors.warning
        draw_text(painter, note_area, note, quiet, color, within=row)


def _paint_fold(painter: QPainter, row: QRect, text: str, *, is_open: bool) -> None:
    """Paint a line that folds the rows below it."""
    colors = current_colors()
    arrow = mirrored(QRect(row.left() + _PAD, row.top(), _badge(), row.height()), row)
    closed = "chevron-left" if QGuiApplication.isRightToLeft() else "chevron-right"
    icons.draw(painter, arrow, "chevron-down" if is_open else closed, colors.muted, 14)
    draw_text(painter, row.adjusted(_left(), 0, -_PAD, 0), text, _quote_font(), colors.muted, within=row)


def _paint_kind(painter: QPainter, left: int, line: QRect, row: QRect, kind: str) -> int:
    """Paint the label with the file type; return its width in pixels."""
    colors, font = current_colors(), text_font(-2.5, QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    width = metrics.horizontalAdvance(kind) + 10
    top = line.top() + (line.height() - metrics.height() - 1) / 2
    area = QRectF(mirrored(QRect(left, 0, width, 1), row).left(), top, width, metrics.height() + 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.pressed if colors.dark else colors.hover))
    painter.drawRoundedRect(area, 3.5, 3.5)
    painter.setPen(QColor(colors.muted))
    painter.setFont(font)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, kind)
    return round(width)


def _kind(path: str, kind: str) -> str:
    suffix = PurePath(path).suffix.removeprefix(".") or kind
    return suffix.upper() if suffix.isalnum() and len(suffix) <= 5 else ""


def _badge() -> int:
    """Return the diameter of the circle of a number, which grows with the font."""
    return max(_LEAST_BADGE, QFontMetrics(_quote_font()).height() + 2)


def _left() -> int:
    return _PAD + _badge() + 11


def _name_font() -> QFont:
    return text_font(0, QFont.Weight.DemiBold)


def _quote_font() -> QFont:
    return text_font(-1)


def _line(metrics: QFontMetrics) -> int:
    return round(metrics.height() * 1.12)
