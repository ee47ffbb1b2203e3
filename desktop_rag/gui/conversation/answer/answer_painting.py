"""Paints the background of an answer: code panels, table frames, quote bars, rules, and citation pills."""

import csv
import io
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextDocument,
    QTextTable,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop_rag.gui.conversation.answer.markdown_blocks import Code, MarkdownTable, Pieces
from desktop_rag.gui.conversation.answer.rich_text import PROOF, QUOTED, RULED, Pill, RichTextWriter
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme_colors import Colors

_CORNER = 8
_BAR = 3.0
_FADE = 36.0  # pixels in which a line fades out that is longer than the view
_POSITION = attrgetter("position")


def paint_background(
    painter: QPainter, document: QTextDocument, writer: RichTextWriter, visible: QRectF, hovered: int
) -> None:
    """Paint what intersects `visible`, in document coordinates; the pills of citation `hovered` are highlighted."""
    _paint_frames(painter, document, writer, visible)
    blocks = _visible_blocks(document, visible) if writer.pills or writer.decorated else []
    _paint_blocks(painter, document, writer.colors, blocks)
    painter.setPen(Qt.PenStyle.NoPen)
    for pill in _pills_in(blocks, writer.pills):
        area = pill_rect(document, pill, writer.font)
        if area.intersects(visible):
            is_hovered = pill.number == hovered
            painter.setBrush(QColor(writer.colors.selected if is_hovered else writer.background(pill)))
            painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)


def paint_fades(painter: QPainter, document: QTextDocument, writer: RichTextWriter, visible: QRectF) -> None:
    """Let the proof lines that are longer than the view fade out at its edge; they are painted before."""
    if not writer.decorated:
        return
    solid, clear = QColor(writer.colors.surface), QColor(writer.colors.surface)
    clear.setAlpha(0)
    for block in _visible_blocks(document, visible):
        line = block.layout().lineAt(0) if block.blockFormat().hasProperty(PROOF) else None
        if line is None or not line.isValid():
            continue
        area = document.documentLayout().blockBoundingRect(block)
        ends = (_x_of(line.cursorToX(at)) + area.left() for at in (0, block.length() - 1))
        left, right = sorted(ends)
        width = document.textWidth()
        edges = ((0.0, _FADE) if left < 0 else None, (width, width - _FADE) if right > width else None)
        for edge, start in filter(None, edges):
            fade = QLinearGradient(start, 0, edge, 0)
            fade.setColorAt(0, clear)
            fade.setColorAt(1, solid)
            painter.fillRect(QRectF(min(edge, start), area.top(), _FADE, area.height()), fade)


def pill_rect(document: QTextDocument, pill: Pill, font: QFont) -> QRectF:
    """Return the rectangle of a citation number, in document coordinates; empty before it is laid out."""
    block = document.findBlock(pill.position)
    start = pill.position - block.position()
    line = block.layout().lineForTextPosition(start)
    if not line.isValid():
        return QRectF()
    left, right = _x_of(line.cursorToX(start)), _x_of(line.cursorToX(start + pill.length))
    height = QFontMetricsF(font).capHeight() + 7
    top = line.y() + line.ascent() - height + 3.5
    origin = document.documentLayout().blockBoundingRect(block).topLeft()
    return QRectF(min(left, right), top, abs(right - left), height).translated(origin)


def link_rect(document: QTextDocument, writer: RichTextWriter, position: QPoint) -> QRect:
    """Return the rectangle of the citation number or proof line at `position`, in document coordinates."""
    for pill in writer.pills:
        area = pill_rect(document, pill, writer.font).toAlignedRect()
        if area.adjusted(-3, -6, 3, 6).contains(position):
            return area
    layout = document.documentLayout()
    block = document.findBlock(layout.hitTest(QPointF(position), Qt.HitTestAccuracy.FuzzyHit))
    if block.blockFormat().hasProperty(PROOF):
        line = layout.blockBoundingRect(block)
        line.setRight(min(line.right(), document.textWidth()))
        return line.toAlignedRect()
    return QRect(position, position)


def frame_rect(document: QTextDocument, tables: Sequence[QTextTable]) -> QRectF:
    """Return the rectangle of a code block or a table with all its parts, in document coordinates."""
    return _part_rect(document, tables[0]).united(_part_rect(document, tables[-1]))


def _part_rect(document: QTextDocument, table: QTextTable) -> QRectF:
    form = table.format()
    area = document.documentLayout().frameBoundingRect(table)  # where the first cell's text starts, with margins
    area.translate(-form.cellPadding(), -form.cellPadding())
    area.setHeight(area.height() - form.topMargin() - form.bottomMargin())
    area.setWidth(area.width() - form.leftMargin())
    return area.adjusted(0.5, 0.5, -0.5, -0.5)


def _paint_frames(painter: QPainter, document: QTextDocument, writer: RichTextWriter, visible: QRectF) -> None:
    first = bisect_left(writer.framed, visible.top(), key=lambda framed: frame_rect(document, framed[0]).bottom())
    for tables, block in writer.framed[first:]:
        area = frame_rect(document, tables)
        if area.top() > visible.bottom():
            return
        painter.setPen(QColor(writer.colors.border))
        painter.setBrush(QColor(writer.colors.code) if isinstance(block, Code) else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, _CORNER, _CORNER)


def _visible_blocks(document: QTextDocument, visible: QRectF) -> list[QTextBlock]:
    """Return the blocks that `visible` shows, and the one before them."""
    layout = document.documentLayout()
    corner = QPointF(
        max(visible.left(), document.documentMargin() + 1), visible.top()
    )  # a hit beside a table is its start
    block = document.findBlock(max(0, layout.hitTest(corner, Qt.HitTestAccuracy.FuzzyHit)))
    block = block.previous() if block.previous().isValid() else block
    blocks = []
    while block.isValid() and layout.blockBoundingRect(block).top() <= visible.bottom():
        blocks.append(block)
        block = block.next()
    return blocks


def _pills_in(blocks: Sequence[QTextBlock], pills: Sequence[Pill]) -> Sequence[Pill]:
    """Return the pills inside of neighbouring blocks; a long table has hundreds of them."""
    if not blocks:
        return ()
    first = bisect_left(pills, blocks[0].position(), key=_POSITION)
    return pills[first : bisect_left(pills, blocks[-1].position() + blocks[-1].length(), lo=first, key=_POSITION)]


def _paint_blocks(painter: QPainter, document: QTextDocument, colors: Colors, blocks: Sequence[QTextBlock]) -> None:
    for block in blocks:
        form = block.blockFormat()
        area = document.documentLayout().blockBoundingRect(block)
        if form.hasProperty(QUOTED):
            _paint_quote(painter, document, block, area, colors)
        elif form.hasProperty(RULED):
            painter.fillRect(QRectF(0, area.center().y(), document.textWidth(), 1), QColor(colors.border))


def _paint_quote(painter: QPainter, document: QTextDocument, block: QTextBlock, area: QRectF, colors: Colors) -> None:
    before, after = block.previous(), block.next()
    top = area.top()
    if before.isValid() and before.blockFormat().hasProperty(QUOTED):
        top = document.documentLayout().blockBoundingRect(before).bottom() - _BAR  # the round ends overlap
    bottom = area.bottom() + (_BAR if after.isValid() and after.blockFormat().hasProperty(QUOTED) else 0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.outline))
    painter.drawRoundedRect(QRectF(3, top, _BAR, bottom - top), _BAR / 2, _BAR / 2)


def _x_of(result: object) -> float:
    value = result[0] if isinstance(result, tuple) else result  # `cursorToX` returns the cursor position, too
    return float(value) if isinstance(value, int | float) else 0.0


# A button on each code block and table of an answer that copies it: seen under the pointer and with the focus.

_SIZE = 24
_DONE_MS = 1_500
_MOST = 200  # blocks with a button; the menu copies any
NEW_BUTTONS = 8  # that are made in one turn of the event loop


def copied_text(block: Code | MarkdownTable) -> str:
    """Return code unchanged, or a table as CSV without its citation numbers."""
    if isinstance(block, Code):
        return block.text
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerows([_cell(cell) for cell in row] for row in block.rows)
    return written.getvalue()


def copy_label(block: Code | MarkdownTable) -> str:
    """Return the name of the command that copies a block."""
    if isinstance(block, Code):
        return QCoreApplication.translate("BlockButtons", "Copy code")
    return QCoreApplication.translate("BlockButtons", "Copy table as CSV")


def _cell(pieces: Pieces) -> str:
    return " ".join("".join(piece.text for piece in pieces if not piece.citation).split())


class BlockButton(IconButton):
    """Copies one block; painted only while it is wanted."""

    def __init__(self, block: Code | MarkdownTable, parent: QWidget) -> None:
        super().__init__("copy", copy_label(block), parent, size=14)
        self._block = block
        self.wanted = False
        self.resize(_SIZE, _SIZE)
        self.clicked.connect(self._on_clicked)

    def set_block(self, block: Code | MarkdownTable) -> None:
        """Copy another block from now on."""
        if block is not self._block:
            self._block = block
            self.set_label(copy_label(block))

    @Slot()
    def _on_clicked(self) -> None:
        QGuiApplication.clipboard().setText(copied_text(self._block))
        self.set_icon_name("check")
        QTimer.singleShot(_DONE_MS, self, lambda: self.set_icon_name("copy"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button if the pointer is on its block or it has the focus."""
        if self.wanted or self.hasFocus() or self.underMouse():
            super().paintEvent(event)


class BlockButtons(QObject):
    """Keeps the buttons of an answer in their places."""

    def __init__(self, view: QTextEdit) -> None:
        super().__init__(view)
        self._view = view
        self._buttons: list[BlockButton] = []

    @property
    def buttons(self) -> tuple[BlockButton, ...]:
        """Return the buttons in the order of their blocks."""
        return tuple(self._buttons)

    def place(self, document: QTextDocument, writer: RichTextWriter, first: int = 0) -> bool:
        """Give every block from number `first` its button; return False if some are still to be made.

        Called after each change of the text or of its width.
        """
        every = writer.framed[:_MOST]
        blocks = every[: len(self._buttons) + NEW_BUTTONS]
        first = min(first, len(self._buttons))
        while len(self._buttons) > len(blocks):
            button = self._buttons.pop()
            button.hide()
            button.deleteLater()
        for number, (tables, block) in enumerate(blocks[first:], first):
            if number == len(self._buttons):
                before = self._buttons[-1] if self._buttons else self._view
                self._buttons.append(BlockButton(block, self._view.viewport()))
                QWidget.setTabOrder(before, self._buttons[-1])
                self._buttons[-1].show()
            button = self._buttons[number]
            button.set_block(block)
            area = frame_rect(document, tables).toAlignedRect()
            left = area.right() - _SIZE - 5
            if isinstance(block, MarkdownTable) and area.right() + _SIZE + 4 < self._view.viewport().width():
                left = area.right() + 4  # beside the table, not over its heading
            button.move(max(0, left), area.top() + 5)
        return len(blocks) == len(every)

    def hover(self, position: QPoint | None, document: QTextDocument, writer: RichTextWriter) -> None:
        """Show the button of the block at `position` in the viewport."""
        for button, (tables, _) in zip(self._buttons, writer.framed, strict=False):
            area = frame_rect(document, tables).adjusted(0, 0, _SIZE + 4, 0)
            wanted = position is not None and area.contains(QPointF(position))
            if wanted != button.wanted:
                button.wanted = wanted
                button.update()
