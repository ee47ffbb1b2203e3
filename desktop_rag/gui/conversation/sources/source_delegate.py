"""Paints one cited source: number, file type, name, lines, two lines of the quote, note and verdict."""

from pathlib import PurePath

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.agent.citations.wording import Grade
from desktop_rag.agent.events import Citation
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.rich_text import MARKS
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.plain_labels import elided_lines
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text
from desktop_rag.gui.widgets.snippet_text import shown_quote
from desktop_rag.text.display import one_line

CITATION_ROLE = Qt.ItemDataRole.UserRole.value + 1
NOTE_ROLE = Qt.ItemDataRole.UserRole.value + 2  # what has changed about the cited file
GRADE_ROLE = Qt.ItemDataRole.UserRole.value + 3  # its verdict, or that a statement that cites it is not supported
_PAD = 9
_BADGE = 22
_LEFT = _PAD + _BADGE + 11
_MARK = 20
_QUOTE_LINES = 2
_NARROWEST_NOTE = 60  # pixels; a narrower note is not painted

Index = QModelIndex | QPersistentModelIndex


class SourceDelegate(QStyledItemDelegate):
    """Paints rows whose height depends on the quote."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of name and quote at the width of the view."""
        citation = index.data(CITATION_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if not isinstance(citation, Citation):
            return QSize(width, 0)
        lines = self._quote(citation, width)
        height = QFontMetrics(_name_font()).height() + len(lines) * _line(QFontMetrics(_quote_font()))
        return QSize(width, max(height, _BADGE) + 2 * _PAD + (3 if lines else 0))

    def _quote(self, citation: Citation, width: int) -> list[str]:
        if not citation.quote.strip():
            return []
        available = max(60, width - _LEFT - _MARK - 2 * _PAD)
        quote = f"“{shown_quote(citation.quote, citation.format)}”"
        return elided_lines(quote, QFontMetrics(_quote_font()), available, _QUOTE_LINES)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row."""
        citation = index.data(CITATION_ROLE)
        if not isinstance(citation, Citation):
            return
        colors = current_colors()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRect(option.rect)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        draw_ground(painter, row, hovered=hovered, selected=False, focused=focused)
        self._paint_badge(painter, row, citation, colors)
        self._paint_mark(painter, row, index.data(GRADE_ROLE), colors)
        right = row.right() - _PAD - _MARK
        top = row.top() + _PAD
        area = QRect(row.left() + _LEFT, top, right - row.left() - _LEFT, 0)
        self._paint_name(painter, area, citation, str(index.data(NOTE_ROLE) or ""), colors)
        metrics = QFontMetrics(_quote_font())
        y = top + QFontMetrics(_name_font()).height() + 3
        for line in self._quote(citation, row.width()):
            area = QRect(row.left() + _LEFT, y, right - row.left() - _LEFT, _line(metrics))
            draw_text(painter, area, line, _quote_font(), colors.muted)
            y += _line(metrics)
        painter.restore()

    def _paint_badge(self, painter: QPainter, row: QRect, citation: Citation, colors: Colors) -> None:
        area = QRectF(row.left() + _PAD, row.top() + _PAD - 1, _BADGE, _BADGE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent_soft))
        painter.drawRoundedRect(area, _BADGE / 2, _BADGE / 2)
        painter.setPen(QColor(colors.link))
        painter.setFont(text_font(-1 if citation.number < 100 else -2, QFont.Weight.DemiBold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(citation.number))

    def _paint_name(self, painter: QPainter, area: QRect, citation: Citation, note: str, colors: Colors) -> None:
        font, quiet = _name_font(), _quote_font()
        metrics, quiet_metrics = QFontMetrics(font), QFontMetrics(quiet)
        area.setHeight(metrics.height())
        left = area.left()
        kind = _kind(citation)
        if kind:
            left += _paint_kind(painter, left, area, kind, colors) + 7
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        place_width = min(quiet_metrics.horizontalAdvance(place) + 2, area.width() // 2)
        name = one_line(formatting.file_name(citation.path, citation.title))
        available = area.right() - left - place_width - 10
        name_width = min(metrics.horizontalAdvance(name) + 2, available)
        name_area = QRect(left, area.top(), name_width, area.height())
        draw_text(painter, name_area, name, font, colors.text, elide=Qt.TextElideMode.ElideMiddle)
        place_area = QRect(left + name_width + 8, area.top(), place_width, area.height())
        draw_text(painter, place_area, place, quiet, colors.faint)
        note_area = QRect(place_area.right() + 8, area.top(), area.right() - place_area.right() - 8, area.height())
        if note and note_area.width() > _NARROWEST_NOTE:
            draw_text(painter, note_area, note, quiet, colors.warning, elide=Qt.TextElideMode.ElideRight)

    def _paint_mark(self, painter: QPainter, row: QRect, grade: Grade, colors: Colors) -> None:
        shades: dict[Grade, tuple[str, str]] = {
            "verbatim": (colors.success, colors.success_soft),
            "paraphrase": (colors.link, colors.accent_soft),
            "misattributed": (colors.warning, colors.warning_soft),
        }
        foreground, background = shades.get(grade, (colors.danger, colors.danger_soft))
        area = QRectF(row.right() - _PAD - 17, row.top() + _PAD + 1, 18, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(background))
        painter.drawEllipse(area)
        painter.setPen(QColor(foreground))
        painter.setFont(text_font(-0.5, QFont.Weight.Bold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, MARKS[grade])


def _paint_kind(painter: QPainter, left: int, row: QRect, kind: str, colors: Colors) -> int:
    """Paint the label with the file type; return its width in pixels."""
    font = text_font(-2.5, QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    width = metrics.horizontalAdvance(kind) + 10
    area = QRectF(left, row.top() + (row.height() - metrics.height() - 1) / 2, width, metrics.height() + 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.pressed if colors.dark else colors.hover))
    painter.drawRoundedRect(area, 3.5, 3.5)
    painter.setPen(QColor(colors.muted))
    painter.setFont(font)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, kind)
    return round(width)


def _kind(citation: Citation) -> str:
    suffix = PurePath(citation.path).suffix.removeprefix(".") or citation.format
    return suffix.upper() if suffix.isalnum() and len(suffix) <= 5 else ""


def _name_font() -> QFont:
    return text_font(0, QFont.Weight.DemiBold)


def _quote_font() -> QFont:
    return text_font(-1)


def _line(metrics: QFontMetrics) -> int:
    return round(metrics.height() * 1.12)
