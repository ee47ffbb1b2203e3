"""Paints the rows of the conversation list: headings, titles with date and mark, and the line that was found."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.agent.conversations.listed_conversations import split_number
from desktop_rag.agent.conversations.transcript import ConversationSummary
from desktop_rag.gui.conversation.conversation_groups import ConversationGroup
from desktop_rag.gui.conversation.conversations_model import (
    CONVERSATION_ROLE,
    GROUP_ROLE,
    LINE_ROLE,
    MARK_ROLE,
    TURN_ROLE,
    WHEN_ROLE,
    ConversationMark,
)
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import row_height
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.row_painting import draw_ground, draw_text, line_height, mirrored

_BUTTON = 24
_MARK = 14
_DOT = 8
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ICONS = {
    ConversationMark.RUNNING: "refresh",
    ConversationMark.QUEUED: "clock",
    ConversationMark.FAILED: "warning",
    ConversationMark.INTERRUPTED: "pause",
    ConversationMark.DRAFT: "edit",
}


class ConversationRows(QStyledItemDelegate):
    """Paints the rows; on hover a delete button replaces the date."""

    row_clicked = Signal(ConversationSummary, int)  # the conversation that was clicked, and the turn that was found
    delete_clicked = Signal(ConversationSummary)  # the conversation whose delete button was pressed
    group_clicked = Signal()  # the heading that can be folded was clicked

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        group = index.data(GROUP_ROLE)
        if isinstance(group, ConversationGroup):
            _paint_group(painter, option, str(index.data()), group)
        else:
            _paint_conversation(painter, option, index)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of one line with padding, or two if a line was found."""
        if index.data(GROUP_ROLE) is not None:
            return QSize(120, line_height(_group_font()) + GRID + (GRID // 2 if index.row() else 0))
        more = line_height(text_font(-1)) if index.data(LINE_ROLE) else 0
        return QSize(120, row_height(line_height(text_font()) + 2 * GRID - 2 + more))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Emit a click on the row, on its delete button or on a heading."""
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonRelease:
            return super().editorEvent(event, model, option, index)
        if event.button() != Qt.MouseButton.LeftButton:
            return super().editorEvent(event, model, option, index)
        summary = index.data(CONVERSATION_ROLE)
        if index.data(GROUP_ROLE) is not None:
            self.group_clicked.emit()
        elif isinstance(summary, ConversationSummary):
            if _button(option.rect).contains(event.position().toPoint()):
                self.delete_clicked.emit(summary)
            else:
                self.row_clicked.emit(summary, int(index.data(TURN_ROLE)))
        return True


def _paint_group(painter: QPainter, option: QStyleOptionViewItem, title: str, group: ConversationGroup) -> None:
    colors = current_colors()
    area = option.rect.adjusted(2 * GRID - 4, 0, -2 * GRID + 4, -2)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    draw_ground(painter, option.rect.adjusted(4, 1, -4, -1), hovered=False, selected=False, focused=focused)
    bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
    draw_text(painter, area, title, _group_font(), colors.muted, align=bottom)
    if group.folded is not None:
        side = scaled(_MARK)
        arrow = QRect(area.right() - side, area.bottom() - side - 1, side, side)
        icons.draw(
            painter, mirrored(arrow, area), "chevron-down" if group.folded else "chevron-up", colors.muted, _MARK
        )


def _paint_conversation(
    painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
) -> None:
    colors = current_colors()
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    draw_ground(
        painter,
        option.rect.adjusted(GRID // 2, 1, -GRID // 2, -1),
        hovered=hovered,
        selected=bool(option.state & QStyle.StateFlag.State_Selected),
        focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
    )
    inner = option.rect.adjusted(2 * GRID - 4, 0, -2 * GRID + 4, 0)
    line, when, name = str(index.data(LINE_ROLE)), str(index.data(WHEN_ROLE)), index.data(MARK_ROLE)
    mark = ConversationMark(str(name)) if name else None  # Qt hands it on as a string
    if line:
        half = line_height(text_font(-1))
        below = QRect(inner.left(), inner.bottom() - half - GRID + 3, inner.width(), half)
        draw_text(painter, below, line, text_font(-1), colors.muted, within=option.rect)
        inner.setBottom(below.top() + GRID - 4)
    reserved = QFontMetrics(text_font(-1)).horizontalAdvance(when) + GRID
    if hovered:
        icons.draw(painter, _button(option.rect), "remove", colors.muted, 16)
        reserved = max(scaled(_BUTTON), reserved)
    else:
        end = inner.adjusted(inner.width() + GRID - 2 - reserved, 0, 0, 0)
        draw_text(painter, end, when, text_font(-1), colors.muted, align=_RIGHT, within=inner)
    if mark is not None:
        side = scaled(_MARK)
        reserved += side + 4
        left = inner.right() - reserved + 4
        _paint_mark(painter, mirrored(QRect(left, inner.center().y() - side // 2, side, side), inner), mark)
    title = inner.adjusted(0, 0, -reserved, 0)
    font = text_font()
    font.setBold(mark is ConversationMark.UNREAD)
    words, number = split_number(str(index.data(Qt.ItemDataRole.DisplayRole)))
    metrics = QFontMetrics(font)  # the number of a copy is never elided: it tells the rows apart
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, title.width() - metrics.horizontalAdvance(number))
    draw_text(painter, title, shown + number, font, colors.text, within=inner)


def _paint_mark(painter: QPainter, area: QRect, mark: ConversationMark) -> None:
    colors = current_colors()
    if mark is ConversationMark.UNREAD:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent))
        dot = scaled(_DOT)
        painter.drawEllipse(QRect(area.center().x() - dot // 2 + 1, area.center().y() - dot // 2 + 1, dot, dot))
        return
    tints = {
        ConversationMark.RUNNING: colors.link,
        ConversationMark.FAILED: colors.danger,
        ConversationMark.INTERRUPTED: colors.warning,
    }
    icons.draw(painter, area, _ICONS[mark], tints.get(mark, colors.muted), _MARK)


def _group_font() -> QFont:
    font = text_font(-1)
    font.setBold(True)
    return font


def _button(rect: QRect) -> QRect:
    side = scaled(_BUTTON)
    return mirrored(QRect(rect.right() - GRID - side, rect.center().y() - side // 2, side, side), rect)
