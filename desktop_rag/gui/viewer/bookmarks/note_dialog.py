"""The dialog to write a note on a passage."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, set_role, text_font
from desktop_rag.gui.widgets.plain_labels import PlainLabel, elided_lines
from desktop_rag.text.display import one_line

_WIDTH = 460
_QUOTE_LINES = 4


class NoteDialog(QDialog):
    """Shows the passage and edits its note; Ctrl+Enter saves."""

    written = Signal(str)  # the note to save

    def __init__(self, quote: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Note"))
        self.setFixedWidth(_WIDTH)
        room = _WIDTH - 6 * GRID
        words = elided_lines(one_line(" ".join(quote.split())), QFontMetrics(text_font()), room, _QUOTE_LINES)
        self._field = QPlainTextEdit(note, self)
        self._field.setPlaceholderText(self.tr("What do you want to remember?"))
        self._field.setAccessibleName(self.tr("Note"))
        self._field.setTabChangesFocus(True)
        self._field.setMinimumHeight(15 * GRID)
        set_role(self._field, "field")
        cancel = QPushButton(self.tr("Cancel"), self)
        save = QPushButton(self.tr("Save"), self)
        save.setDefault(True)
        set_role(save, "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(PlainLabel("\n".join(words), "muted", self))
        layout.addWidget(self._field, 1)
        layout.addSpacing(GRID)
        layout.addLayout(buttons)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self.accept)
        self.accepted.connect(self._on_accepted)
        self._field.setFocus()

    @Slot()
    def _on_accepted(self) -> None:
        self.written.emit(self._field.toPlainText().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Ctrl+Enter; Enter alone starts a new line."""
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if ctrl and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)
