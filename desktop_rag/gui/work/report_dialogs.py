"""The dialogs of reports: question, documents and outline, and what writing may use."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLineEdit, QPlainTextEdit, QPushButton, QSpinBox, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.fields import set_up_number
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.work.documents_box import ChosenDocuments, DocumentsBox
from desktop_rag.text.display import one_line
from desktop_rag.work.report import ReportLimits, Section, written_outline

_WIDTH = 620
_LINES = 9  # of the outline
_NUMBER_WIDTH = 200


class ReportDialog(ActionDialog):
    """Asks for a question and documents, and shows the outline; an empty one is proposed first."""

    proposal_asked = Signal(str, object)  # the question, and the ChosenDocuments
    drafted = Signal(str, object, object)  # the question, the ChosenDocuments, and the lines of the outline

    def __init__(
        self,
        folders: Sequence[bytes],
        sections: Sequence[Section] = (),
        parent: QWidget | None = None,
        *,
        given: ChosenDocuments | None = None,
    ) -> None:
        super().__init__("", "", parent)
        self._changes = bool(sections)
        self.setWindowTitle(self.tr("Change the outline") if sections else self.tr("New report"))
        self.setFixedWidth(_WIDTH)
        set_role(self.act, "primary")
        self.question = QLineEdit(self)
        self.chosen = DocumentsBox(folders, given, parent=self)
        self.outline = QPlainTextEdit(written_outline(sections).rstrip("\n"), self)
        self.propose = QPushButton(self.tr("Propose another outline"), self)
        self._error = PlainLabel("", "danger", self)
        self._proposing = False
        self._arrange()
        self._show_state()

    def lines(self) -> list[str]:
        """Return the lines of the outline."""
        return [line for line in self.outline.toPlainText().splitlines() if line.strip()]

    def show_outline(self, sections: Sequence[Section]) -> None:
        """Show a proposed outline."""
        self._proposing = False
        self.outline.setPlainText(written_outline(sections).rstrip("\n"))
        self._show_state()
        self.outline.setFocus()

    def show_error(self, text: str) -> None:
        """Say why no report can be made so."""
        self._proposing = False
        self._error.setText(sentence(text))
        self._error.setVisible(bool(text))
        self._show_state()

    def _arrange(self) -> None:
        self.question.setPlaceholderText(self.tr("What is the report about?"))
        self.question.setAccessibleName(self.tr("Question"))
        self.outline.setAccessibleName(self.tr("Outline"))
        self.outline.setPlaceholderText(self.tr("One section a line, as “Heading: question”. Empty: it is proposed."))
        self.outline.setTabChangesFocus(True)
        set_role(self.outline, "field")
        self.outline.setFixedHeight(_LINES * self.outline.fontMetrics().lineSpacing() + 2 * GRID)
        self._error.hide()
        self.arrange(self.question, self.chosen, self.outline, self.propose, self._error)
        for part in (self.question, self.chosen):
            part.setVisible(not self._changes)
        self.question.textChanged.connect(self._show_state)
        self.chosen.changed.connect(self._show_state)
        self.outline.textChanged.connect(self._show_state)
        self.propose.clicked.connect(self._ask)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self._on_act)
        self.act.setDefault(True)
        (self.outline if self._changes else self.question).setFocus()

    @Slot()
    def _show_state(self) -> None:
        asked = self._changes or bool(self.question.text().strip() and self.chosen.documents())
        outlined = bool(self.lines())
        change, make = self.tr("Change"), self.tr("Make the report")
        self.act.setText(change if self._changes else make if outlined else self.tr("Propose an outline"))
        self.act.setEnabled(asked and not self._proposing and (outlined or not self._changes))
        self.propose.setVisible(outlined and not self._changes)
        self.propose.setText(self.tr("Proposing…") if self._proposing else self.tr("Propose another outline"))
        self.propose.setEnabled(asked and not self._proposing)
        if self._proposing and not outlined:
            self.act.setText(self.tr("Proposing…"))

    @Slot()
    def _ask(self) -> None:
        self.show_error("")
        self._proposing = True
        self._show_state()
        self.proposal_asked.emit(self.question.text().strip(), self.chosen.documents())

    @Slot()
    def _on_act(self) -> None:
        if not self.lines():
            self._ask()
            return
        self.show_error("")
        self.drafted.emit(self.question.text().strip(), self.chosen.documents(), self.lines())


class WriteDialog(ActionDialog):
    """Says what is written by which model, and asks what that may use; Escape and Cancel send nothing."""

    agreed = Signal(object)  # the ReportLimits

    def __init__(self, sections: int, model: str, *, priced: bool, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Write the report?"))
        self.act.setText(self.tr("Write"))
        set_role(self.act, "primary")
        unset, names = self.tr("No limit"), (self.tr("Tokens"), self.tr("Minutes"), self.tr("Money"))
        self.tokens = set_up_number(QSpinBox(self), names[0], 0, 100_000_000, 50_000, _NUMBER_WIDTH, unset=unset)
        self.minutes = set_up_number(QSpinBox(self), names[1], 0, 1_440, 1, _NUMBER_WIDTH, unset=unset)
        self.money = set_up_number(QDoubleSpinBox(self), names[2], 0, 10_000, 1, _NUMBER_WIDTH, unset=unset)
        told = counted(self.tr("%Ln section(s)", "", sections), sections)
        said = self.tr("{0} by {1}. Each is searched, written and compared with its lines, as one question.")
        fields = QWidget(self)
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 0, 0)
        for name, field in zip(names, (self.tokens, self.minutes, self.money), strict=True):
            if field is not self.money or priced:
                form.addRow(name, field)
        self.money.setVisible(priced)
        kept = self.tr("Every section is kept as it is written. You can stop at any time and go on later.")
        self.arrange(self.words(said.format(told, one_line(model))), fields, self.words(kept, "muted"))
        self.act.setDefault(True)
        self.accepted.connect(self._on_accepted)

    @Slot()
    def _on_accepted(self) -> None:
        limits = ReportLimits(self.tokens.value(), float(self.minutes.value()), self.money.value())
        self.agreed.emit(limits)
