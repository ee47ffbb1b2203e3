"""Where a stored run shall go another way: from which step, and with which words."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import ToolCalled
from desktop_rag.agent.run.replay import query_words, with_query_words
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line

_WIDTH = 520
_LINES = 6


class ForkDialog(QDialog):
    """Offers the steps of a run and the words each looked for; the original run stays as it is."""

    chosen = Signal(int, object)  # the step, and the changed arguments of its call by the call's id

    def __init__(self, turn: Turn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Ask again from a step"))
        self.setMinimumWidth(_WIDTH)
        self._calls = [event for event in turn.events if isinstance(event, ToolCalled)]
        self._steps = QComboBox(self)
        self._steps.setAccessibleName(self.tr("Step"))
        for call in self._calls:
            words = self.tr("Step {number}: {act}").format(number=call.step, act=one_line(call.summary))
            self._steps.addItem(words, call)
        self._words = QPlainTextEdit(self)
        self._words.setAccessibleName(self.tr("Words to look for, one query a line"))
        self._words.setFixedHeight(self._words.fontMetrics().lineSpacing() * _LINES + 12)
        self._words.setTabChangesFocus(True)
        set_role(self._words, "field")
        self._hint = PlainLabel("", "muted", self)
        self._begin = QPushButton(self.tr("Ask again"), self)
        self._begin.setDefault(True)
        self._begin.setEnabled(bool(self._calls))
        set_role(self._begin, "primary")
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.clicked.connect(self.reject)
        self._begin.clicked.connect(self._on_begin)
        self._steps.currentIndexChanged.connect(self._show_step)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self._begin)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(PlainLabel(self.windowTitle(), "heading", self))
        words = self.tr("What came before the step is done again; what follows is new, in a conversation of its own.")
        layout.addWidget(PlainLabel(words, "muted", self))
        layout.addWidget(self._steps)
        layout.addWidget(self._words)
        layout.addWidget(self._hint)
        layout.addLayout(buttons)
        self._show_step()

    def _call(self) -> ToolCalled | None:
        call = self._steps.currentData()
        return call if isinstance(call, ToolCalled) else None

    @Slot()
    def _show_step(self) -> None:
        call = self._call()
        words = query_words(call.arguments) if call else ()
        self._words.setPlainText("\n".join(words))
        self._words.setVisible(bool(words))
        self._hint.setText(
            self.tr("Change the words to search with others; leave them to let the model choose anew.")
            if words
            else self.tr("The model chooses anew what to do in this step.")
        )
        self.adjustSize()

    @Slot()
    def _on_begin(self) -> None:
        call = self._call()
        if call is None:
            return
        before = query_words(call.arguments)
        words = tuple(line.strip() for line in self._words.toPlainText().splitlines() if line.strip())
        changed = words and words != before
        self.chosen.emit(call.step, {call.call_id: with_query_words(call.arguments, words)} if changed else {})
        self.accept()
