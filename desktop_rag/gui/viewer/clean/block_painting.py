"""Draws laid out blocks: background, text, and highlights over it."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextLayout

from desktop_rag.gui.viewer.clean.blocks import BlockShape
from desktop_rag.gui.viewer.clean.page_style import PageStyle
from desktop_rag.gui.viewer.clean.typesetting import AFTER_LABEL, CAPTION_HEIGHT, BlockLayout
from desktop_rag.text.display import one_line

_RADIUS = 5.0
_CITED_ALPHA = 120
_BAR = 3.0

Overlays = Mapping[int, Sequence[QTextLayout.FormatRange]]  # by strip index


class BlockPainter:
    """Draws blocks in one style; positions are the upper left corner of a block on the widget."""

    def __init__(self, painter: QPainter, style: PageStyle, room: float) -> None:
        self._painter = painter
        self._style = style
        self._colors = style.colors
        self._room = room

    def background(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw the background of a block: code and field cards, quote bars, table rows, rulers."""
        block = laid.block
        if block.caption:
            self._caption(block.caption, at)
        match block.shape:
            case BlockShape.CODE | BlockShape.FIELD:
                self._card(laid, at)
            case BlockShape.QUOTE:
                for level in range(max(1, block.level)):
                    bar = QRectF(at.x() + level * 0.9 * self._style.em, at.y(), _BAR, laid.height)
                    self._painter.fillRect(bar, QColor(self._colors.border if level else self._colors.outline))
            case BlockShape.ROW:
                self._row(laid, at)
            case BlockShape.RULE:
                self._line(at.x(), at.y() + (laid.top + laid.bottom) / 2, self._room)
            case BlockShape.ABSENT:
                area = QRectF(at.x(), at.y() + 0.35 * laid.height, self._room * 0.7, 0.3 * laid.height)
                self._painter.setPen(Qt.PenStyle.NoPen)
                self._painter.setBrush(QColor(self._colors.code))
                self._painter.drawRoundedRect(area, _RADIUS, _RADIUS)

    def cited(self, laid: BlockLayout, at: QPointF, areas: Sequence[QRectF]) -> None:
        """Shade the cited part of a block, with a bar beside it."""
        shade = QColor(self._colors.mark)
        shade.setAlpha(_CITED_ALPHA)
        for area in areas:
            self._painter.fillRect(area.translated(at), shade)
        if areas:
            top, bottom = min(area.top() for area in areas), max(area.bottom() for area in areas)
            bar = QRectF(at.x() - 4 * _BAR, at.y() + top, _BAR, bottom - top)
            self._painter.fillRect(bar, QColor(self._colors.mark_edge))

    def bookmarked(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw the bar of a bookmarked block, left of that of the citation."""
        bar = QRectF(at.x() - 6 * _BAR, at.y() + laid.shade[0], _BAR, laid.shade[1] - laid.shade[0])
        self._painter.fillRect(bar, QColor(self._colors.accent))

    def words(self, laid: BlockLayout, at: QPointF, overlays: Overlays) -> None:
        """Draw the text with highlights."""
        block = laid.block
        for index, placed in enumerate(laid.placed):
            name = block.shape is BlockShape.FIELD and index == 0 and len(laid.placed) == 2
            self._painter.setPen(QColor(self._colors.muted) if name else self._style.color(block.shape))
            placed.layout.draw(self._painter, at + QPointF(placed.x, placed.y), list(overlays.get(index, ())))
        if block.label and laid.placed:
            first = laid.placed[0].layout.lineAt(0)
            area = QRectF(
                at.x(), at.y() + laid.top + first.y(), laid.left - AFTER_LABEL * self._style.em, first.height()
            )
            self._painter.setFont(self._style.font(BlockShape.ITEM))
            self._painter.setPen(QColor(self._colors.muted))
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
            self._painter.drawText(area, int(alignment), one_line(block.label))

    def _caption(self, caption: str, at: QPointF) -> None:
        em = self._style.em
        self._line(at.x(), at.y() + 0.55 * em, self._room)
        self._painter.setFont(self._style.caption_font())
        self._painter.setPen(QColor(self._colors.muted))
        area = QRectF(at.x(), at.y() + 0.8 * em, self._room, (CAPTION_HEIGHT - 0.8) * em)
        words = self._painter.fontMetrics().elidedText(one_line(caption), Qt.TextElideMode.ElideMiddle, int(self._room))
        self._painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)

    def _card(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw one block's part of a rounded area that spans several blocks."""
        block, edge = laid.block, 0.2 * self._style.em
        top = at.y() + laid.edge + (edge if block.opens else 0.0)
        bottom = at.y() + laid.height - (edge if block.closes else 0.0)
        self._painter.save()
        self._painter.setClipRect(QRectF(at.x(), top, self._room, bottom - top), Qt.ClipOperation.IntersectClip)
        area = QRectF(at.x(), top, self._room, bottom - top).adjusted(
            0, 0 if block.opens else -2 * _RADIUS, 0, 0 if block.closes else 2 * _RADIUS
        )
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(self._colors.code))
        self._painter.drawRoundedRect(area, _RADIUS, _RADIUS)
        self._painter.restore()

    def _row(self, laid: BlockLayout, at: QPointF) -> None:
        width = laid.width
        if laid.block.level:
            area = QRectF(at.x(), at.y() + laid.edge, width, laid.height - laid.edge)
            self._painter.fillRect(area, QColor(self._colors.code))
        if laid.block.opens:
            self._line(at.x(), at.y() + laid.edge, width)
        self._line(at.x(), at.y() + laid.height - 1, width)

    def _line(self, x: float, y: float, width: float) -> None:
        self._painter.fillRect(QRectF(x, round(y), width, 1.0), QColor(self._colors.border))
