"""The field for a question: grows with its text, sends with Enter."""

from collections.abc import Iterator
from itertools import islice
from math import ceil

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop_rag.gui.theme.theme import set_role, text_font
from desktop_rag.gui.widgets.drop_zone import dropped_paths

_MOST_LINES = 6


class QuestionField(QPlainTextEdit):
    """Grows with its text; Enter sends, Shift+Enter starts a new line, Up and Down recall questions."""

    submitted = Signal()  # the user pressed Enter
    files_pasted = Signal(object)  # a tuple of paths as bytes
    recalled = Signal(int)  # the user asked for an earlier (-1) or later (1) question

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        set_role(self, "bare")
        self.viewport().setAutoFillBackground(False)
        self.setFont(text_font(0.5))
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Question"))
        self.setAccessibleDescription(self.tr("Enter sends, Shift+Enter starts a new line"))
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()

    def show_placeholder(self, text: str) -> None:
        """Show what may be asked while the field is empty."""
        self.setPlaceholderText(text)
        self._fit_height()

    @Slot()
    def _fit_height(self) -> None:
        hint = self.fontMetrics().boundingRect(self.placeholderText()).height()
        height = max(hint, ceil(sum(islice(self._line_heights(), _MOST_LINES)))) + 6
        many = self.document().size().height() > _MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if many else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if height != self.height():
            self.setFixedHeight(height)

    def _line_heights(self) -> Iterator[float]:
        """Yield the height of each line in pixels; the letters of some languages are higher than the font says."""
        block = self.document().firstBlock()
        while block.isValid():
            layout = block.layout()
            yield from (layout.lineAt(line).height() for line in range(layout.lineCount()))
            block = block.next()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Return whether `source` holds files to attach, or text."""
        return bool(dropped_paths(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Attach pasted files; insert anything else as text."""
        if paths := dropped_paths(source):
            self.files_pasted.emit(paths)
        else:
            super().insertFromMimeData(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, start a new line, recall, or type."""
        key, held = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not held & ~Qt.KeyboardModifier.KeypadModifier:
            self.submitted.emit()
        elif key == Qt.Key.Key_Up and not held and self.document().blockCount() == 1:
            self.recalled.emit(-1)
        elif key == Qt.Key.Key_Down and not held and self.document().blockCount() == 1:
            self.recalled.emit(1)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the height for the new wrapping."""
        super().resizeEvent(event)
        self._fit_height()

    def changeEvent(self, event: QEvent) -> None:
        """Update the height for a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_height()
