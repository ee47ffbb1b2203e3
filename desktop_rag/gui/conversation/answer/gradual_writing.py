"""Renders a complete answer into a document of its own, a part in each turn of the event loop."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QTextDocument

from desktop_rag.gui.conversation.answer.rendering import AnswerRendering


class GradualWriting(QObject):
    """Renders an answer into `document` while another one is shown."""

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

    def start(self, rendering: AnswerRendering, source: str) -> None:
        """Render all of `source`; emits `finished`, unless `drop` comes first."""
        self.rendering = rendering
        self._source = source
        self._turns.start()

    def drop(self) -> None:
        """Delete the document and this."""
        self.document.deleteLater()
        self.deleteLater()
        self._turns.stop()

    @Slot()
    def _on_turn(self) -> None:
        if not self.rendering.advance(self._source, growing=False):
            self._turns.stop()
            self.finished.emit()
