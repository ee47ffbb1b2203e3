"""A read-only editor of consecutive lines of a document, addressed by their line numbers."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QMimeData, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop_rag.gui.theme.theme import current_colors, mono_font
from desktop_rag.gui.viewer.document_view import zooms
from desktop_rag.gui.widgets.text_offsets import to_qt

# The margin of the text view: line numbers, and bars beside cited and bookmarked lines.

_LEFT = 10
_RIGHT = 12
_BAR = 3


class Gutter(QWidget):
    """Fills the left viewport margin of its editor and scrolls with it."""

    def __init__(self, editor: "LineEditor") -> None:
        super().__init__(editor)
        self._editor = editor
        self._largest = 99
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.place()

    def set_largest(self, number: int) -> None:
        """Widen the gutter for line numbers up to `number`."""
        self._largest = max(99, number)
        self.place()

    def place(self) -> None:
        """Set the editor's left margin and fill it."""
        width = self.sizeHint().width()
        self._editor.setViewportMargins(width, 0, 0, 0)
        area = self._editor.contentsRect()
        self.setGeometry(QRect(area.left(), area.top(), width, self._editor.viewport().height()))

    @Slot(QRect, int)
    def follow(self, area: QRect, moved: int) -> None:
        """Scroll or redraw with the editor."""
        if moved:
            self.scroll(0, moved)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def _font(self) -> QFont:
        font = mono_font()
        font.setPointSizeF(max(7.0, self._editor.font().pointSizeF() - 1.5))
        return font

    def sizeHint(self) -> QSize:
        """Return the width of the largest number."""
        digits = QFontMetrics(self._font()).horizontalAdvance("0") * len(str(self._largest))
        return QSize(_LEFT + digits + _RIGHT, 0)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the width to a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers of the visible lines."""
        colors = current_colors()
        first, last = self._editor.cited
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(colors.surface))
        painter.setFont(self._font())
        editor_metrics = self._editor.fontMetrics()
        shift = editor_metrics.ascent() - QFontMetrics(self._font()).ascent()
        for block, area in self._editor.visible_blocks():
            number = self._editor.line_of(block)
            top = round(area.top())
            cited = first <= number <= last
            if cited:
                painter.fillRect(QRect(self.width() - _BAR, top, _BAR, round(area.bottom()) - top), colors.mark_edge)
            if self._editor.is_bookmarked(number):
                painter.fillRect(QRect(0, top, _BAR, round(area.bottom()) - top), QColor(colors.accent))
            painter.setPen(QColor(colors.text if cited else colors.faint))
            row = QRect(0, top + shift, self.width() - _RIGHT, editor_metrics.height())
            painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(number))
        painter.end()


_UPPER = 0.22  # where a revealed line is placed, as a share of the height
_LOWEST = 0.3  # up to here the document is shown from its top instead
_MARGIN = 8.0


class LineEditor(QPlainTextEdit):
    """Lines `first_line` to `last_line` of a document; everything is addressed by the document's line numbers."""

    view_changed = Signal()  # the visible lines changed: scrolled, resized, or lines added or removed
    zoom_requested = Signal(int)  # Ctrl and the wheel: in (1) or out (-1)
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first = 1
        self._count = 0
        self._cited = (0, -1)
        self._bookmarked: tuple[tuple[int, int], ...] = ()
        self._revealed = 0
        self._gutter = Gutter(self)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)  # files dropped here are handled by the window
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(_MARGIN)
        self.setAccessibleName(self.tr("Text of the document"))
        self.updateRequest.connect(self._gutter.follow)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().actionTriggered.connect(self._on_moved_by_hand)

    @property
    def first_line(self) -> int:
        """Return the number of the first loaded line."""
        return self._first

    @property
    def last_line(self) -> int:
        """Return the number of the last loaded line; less than the first if there is none."""
        return self._first + self._count - 1

    @property
    def cited(self) -> tuple[int, int]:
        """Return the first and last highlighted line, loaded or not; (0, -1) if there is none."""
        return self._cited

    def holds(self, line: int) -> bool:
        """Return whether `line` is loaded."""
        return self._first <= line <= self.last_line

    def block_of(self, line: int) -> QTextBlock:
        """Return the text block of a line."""
        return self.document().findBlockByNumber(line - self._first)

    def line_of(self, block: QTextBlock) -> int:
        """Return the line number of a text block."""
        return self._first + block.blockNumber()

    def set_lines(self, first: int, lines: Sequence[str]) -> None:
        """Replace all lines."""
        self._first, self._count = first, len(lines)
        self.setPlainText("\n".join(lines))
        self.view_changed.emit()

    def append_lines(self, lines: Sequence[str]) -> None:
        """Add lines below."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n" + "\n".join(lines))
        self._count += len(lines)
        self.view_changed.emit()

    def prepend_lines(self, lines: Sequence[str]) -> None:
        """Add lines above and keep the scroll position."""
        top, offset = self._place()
        cursor = QTextCursor(self.document())
        cursor.insertText("\n".join(lines) + "\n")
        self._first -= len(lines)
        self._count += len(lines)
        self._return_to(top, offset)

    def drop_above(self, count: int) -> None:
        """Remove the first `count` lines."""
        top, offset = self._place()
        cursor = QTextCursor(self.document())
        start = self.document().findBlockByNumber(count).position()
        cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._first += count
        self._count -= count
        self._return_to(max(top, self._first), offset)

    def drop_below(self, count: int) -> None:
        """Remove the last `count` lines."""
        last = self.document().findBlockByNumber(self._count - count - 1)
        cursor = QTextCursor(self.document())
        cursor.setPosition(last.position() + last.length() - 1)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._count -= count
        self.view_changed.emit()

    def set_cited(self, first: int, last: int) -> None:
        """Highlight these lines of the document."""
        self._cited = (first, last)
        self.viewport().update()
        self._gutter.update()

    def set_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Draw a bar beside the bookmarked passages, each given as (first, last) line."""
        self._bookmarked = bookmarked
        self._gutter.update()

    def is_bookmarked(self, line: int) -> bool:
        """Return whether a line is bookmarked."""
        return any(first <= line <= last for first, last in self._bookmarked)

    def set_total(self, total: int) -> None:
        """Widen the gutter for line numbers up to `total`."""
        self._gutter.set_largest(total)

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and last line that are at least partly visible."""
        first = self.line_of(self.firstVisibleBlock())
        return first, max((self.line_of(block) for block, _ in self.visible_blocks()), default=first)

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Yield each visible block with its rectangle in the viewport."""
        block = self.firstVisibleBlock()
        bottom = self.viewport().height()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= bottom:
            height = self.blockBoundingRect(block).height()
            if block.isVisible() and self._count:
                yield block, QRectF(0, top, self.viewport().width(), height)
            top += height
            block = block.next()

    def reveal(self, line: int) -> None:
        """Scroll `line` to the upper third and keep it there until the user scrolls."""
        self._revealed = line
        if not self.holds(line):
            return
        block = self.block_of(line)
        if self._is_near_top(block):
            self.verticalScrollBar().setValue(0)
            return
        room = self.viewport().height() * _UPPER
        above = 0.0
        while above < room and block.previous().isValid():
            block = block.previous()
            above += self.blockBoundingRect(block).height()
        rows = max(0, int((above - room) / max(1.0, self.fontMetrics().lineSpacing()))) if above > room else 0
        self.verticalScrollBar().setValue(block.firstLineNumber() + min(rows, max(0, block.lineCount() - 1)))

    def scroll_to(self, line: int) -> None:
        """Scroll so that `line` is the first visible one."""
        self._revealed = 0
        self.verticalScrollBar().setValue(self.block_of(line).firstLineNumber())

    def select(self, line: int, start: int, end: int) -> None:
        """Select characters of a loaded line."""
        self.setTextCursor(self.cursor_over(line, start, end))

    def cursor_over(self, line: int, start: int, end: int) -> QTextCursor:
        """Return a cursor that selects characters of a loaded line."""
        block = self.block_of(line)
        cursor, last, text = QTextCursor(block), block.length() - 1, block.text()
        cursor.setPosition(block.position() + min(to_qt(text, start), last))
        cursor.setPosition(block.position() + min(to_qt(text, end), last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def selection(self) -> tuple[str, int, int]:
        """Return the selected text, empty if there is none, and its first and last line."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
        return cursor.selectedText().replace("\u2029", "\n"), self.line_of(first), self.line_of(last)

    def text_of(self, first: int, last: int) -> str:
        """Return the loaded lines among `first` to `last`, joined by line ends."""
        first, last = max(first, self._first), min(last, self.last_line)
        lines: list[str] = []
        block = self.block_of(first)
        while len(lines) <= last - first:
            lines.append(block.text())
            block = block.next()
        return "\n".join(lines)

    def _is_near_top(self, block: QTextBlock) -> bool:
        """Return whether `block` is in the upper third when the document is shown from its first line."""
        room = self.viewport().height() * _LOWEST
        while self._first == 1 and room > 0:
            block = block.previous()
            if not block.isValid():
                return True
            room -= self.blockBoundingRect(block).height()
        return False

    def _place(self) -> tuple[int, int]:
        top = self.firstVisibleBlock()
        return self.line_of(top), self.verticalScrollBar().value() - top.firstLineNumber()

    def _return_to(self, top: int, offset: int) -> None:
        self.verticalScrollBar().setValue(self.block_of(top).firstLineNumber() + offset)
        if self._revealed:
            self.reveal(self._revealed)
        self.view_changed.emit()

    @Slot()
    def _on_scrolled(self) -> None:
        self.view_changed.emit()

    @Slot()
    def _on_moved_by_hand(self) -> None:
        self._revealed = 0

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy as plain text only."""
        data = QMimeData()
        data.setText(self.selection()[0])
        return data

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the revealed line in place when lines wrap differently."""
        super().resizeEvent(event)
        self._gutter.place()
        if self._revealed:
            self.reveal(self._revealed)
        self.view_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the highlight behind the text."""
        first, last = self._cited
        shade = QColor(current_colors().mark)
        shade.setAlpha(120)
        painter = QPainter(self.viewport())
        for block, area in self.visible_blocks():
            if first <= self.line_of(block) <= last:
                painter.fillRect(area, shade)
        painter.end()
        super().paintEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if zooms(event, self.zoom_requested.emit):
            return
        self._revealed = 0
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll; Alt with an arrow is ignored, the panel goes back and forward with it."""
        self._revealed = 0
        if event.modifiers() == Qt.KeyboardModifier.AltModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select; the back and forward buttons are ignored, the panel handles them."""
        self._revealed = 0
        if event.button() in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
            event.ignore()
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward the request: the tab knows the actions."""
        self.menu_requested.emit(event)
