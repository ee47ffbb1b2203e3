"""A button on each code block and table of an answer that copies it: seen under the pointer and with the focus."""

import csv
import io

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QPointF, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop_rag.gui.conversation.answer.answer_painting import frame_rect
from desktop_rag.gui.conversation.answer.markdown_blocks import Code, MarkdownTable, Pieces
from desktop_rag.gui.conversation.answer.rich_text import RichTextWriter
from desktop_rag.gui.theme.icons import IconButton

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
