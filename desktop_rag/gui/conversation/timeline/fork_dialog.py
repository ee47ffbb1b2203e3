"""Asks again from a step of a stored run: which step, and with which query."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QPushButton, QWidget

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import ToolCalled
from desktop_rag.agent.run.replay import query_words, with_query_words
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line

_WIDTH = 520
_QUERY_LINES = 6


class ForkDialog(BoundedDialog):
    """Offers the steps of a run and the query of each; the original run is not changed."""

    chosen = Signal(int, object)  # the step, and the changed arguments of its call by call id (a Mapping)

    def __init__(self, turn: Turn, parent: QWidget | None = None, step: int = 0) -> None:
        """Propose `step`, or else the first one."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Ask again from a step"))
        self.setMinimumWidth(_WIDTH)
        self._calls = [event for event in turn.events if isinstance(event, ToolCalled)]
        self._steps = QComboBox(self)
        self._steps.setAccessibleName(self.tr("Step"))
        for call in self._calls:
            label = self.tr("Step {number}: {activity}").format(
                number=call.step, activity=one_line(sentence(call.summary))
            )
            self._steps.addItem(label, call)
        proposed = (place for place, call in enumerate(self._calls) if call.step >= step)
        self._steps.setCurrentIndex(next(proposed, len(self._calls) - 1))
        self._queries = QPlainTextEdit(self)
        self._queries.setAccessibleName(self.tr("Queries, one per line"))
        self._queries.setFixedHeight(self._queries.fontMetrics().lineSpacing() * _QUERY_LINES + 12)
        self._queries.setTabChangesFocus(True)
        set_role(self._queries, "field")
        self._hint = PlainLabel("", "muted", self)
        self._begin = QPushButton(self.tr("Ask again"), self)
        self._begin.setDefault(True)
        self._begin.setEnabled(bool(self._calls))
        set_role(self._begin, "primary")
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.clicked.connect(self.reject)
        self._begin.clicked.connect(self._on_begin)
        self._steps.currentIndexChanged.connect(self._show_step)
        explanation = self.tr("The steps before this one are repeated; the rest is new, in a separate conversation.")
        in_column(
            PlainLabel(self.windowTitle(), "heading", self),
            PlainLabel(explanation, "muted", self),
            self._steps,
            self._queries,
            self._hint,
            in_row(STRETCH, cancel, self._begin, spacing=None),
            on=self,
            margins=DIALOG,
        )
        self._show_step()

    def _call(self) -> ToolCalled | None:
        call = self._steps.currentData()
        return call if isinstance(call, ToolCalled) else None

    @Slot()
    def _show_step(self) -> None:
        call = self._call()
        queries = query_words(call.arguments) if call else ()
        self._queries.setPlainText("\n".join(queries))
        self._queries.setVisible(bool(queries))
        self._hint.setText(
            self.tr("Edit the queries to search for something else; leave them to let the model choose again.")
            if queries
            else self.tr("The model chooses again what to do in this step.")
        )
        self.adjustSize()

    @Slot()
    def _on_begin(self) -> None:
        call = self._call()
        if call is None:
            return
        before = query_words(call.arguments)
        queries = tuple(line.strip() for line in self._queries.toPlainText().splitlines() if line.strip())
        changed = queries and queries != before
        self.chosen.emit(call.step, {call.call_id: with_query_words(call.arguments, queries)} if changed else {})
        self.accept()
