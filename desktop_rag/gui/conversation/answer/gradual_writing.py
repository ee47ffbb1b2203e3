"""Writes a long answer into a document of its own, a little in each turn of the event loop."""

from collections.abc import Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QTextCursor, QTextDocument

from desktop_rag.gui.conversation.answer.markdown_blocks import Block
from desktop_rag.gui.conversation.answer.rich_text import RichTextWriter

_TURN_SECONDS = 0.008


class GradualWriting(QObject):
    """Writes groups of blocks into `document` while another one is shown."""

    finished = Signal()

    def __init__(self, shown: QTextDocument, parent: QObject) -> None:
        super().__init__(parent)
        self.document = QTextDocument(parent)  # laid out as `shown`, whose place it takes
        self.document.setUndoRedoEnabled(False)
        self.document.setDefaultFont(shown.defaultFont())
        self.document.setDefaultTextOption(shown.defaultTextOption())
        self.document.setPageSize(shown.pageSize())
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._on_turn)

    def start(self, writer: RichTextWriter, groups: Iterator[Sequence[Block]]) -> None:
        """Write all `groups`; emits `finished`, unless `drop` comes first."""
        self.writer = writer
        self._groups = groups
        self._turns.start()

    def drop(self) -> None:
        """Delete the document and this."""
        self.document.deleteLater()
        self.deleteLater()
        self._turns.stop()

    @Slot()
    def _on_turn(self) -> None:
        until = perf_counter() + _TURN_SECONDS
        for blocks in self._groups:
            edit = QTextCursor(self.document)
            edit.beginEditBlock()  # one layout pass for the group
            self.writer.write(blocks)
            edit.endEditBlock()
            if perf_counter() > until:
                return
        self._turns.stop()
        self.finished.emit()
