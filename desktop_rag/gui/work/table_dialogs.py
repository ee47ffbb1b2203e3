"""The dialogs of tables: documents and questions of a table, a correction, and what filling may cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, money, number
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, ScrolledParts
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.work.documents_box import ChosenDocuments, DocumentsBox
from desktop_rag.gui.work.table_model import kind_name
from desktop_rag.text.display import one_line
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.filling import Estimate

_WIDTH = 620
_TYPING_MS = 400
_MOST_SUGGESTED = 12
_SHOWN_QUESTIONS = 5  # without scrolling


@dataclass(frozen=True, slots=True)
class TableDraft:
    """What is asked for: a name, documents (None: they stay, or none are chosen) and questions."""

    name: str
    documents: ChosenDocuments | None
    columns: tuple[Column, ...]


class _Question(QWidget):
    """A row with a question, the kind of its answers and, for “one of”, the values."""

    removed = Signal(object)  # this row

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column
        self.name = QLineEdit(column.name, self)
        self.kind = QComboBox(self)
        self.options = QLineEdit(", ".join(column.options), self)
        remove = icons.IconButton("close", self.tr("Remove this question"), self, 14)
        self.name.setPlaceholderText(self.tr("Such as: Rent per month"))
        self.name.setAccessibleName(self.tr("Question"))
        self.kind.setAccessibleName(self.tr("Kind of the answers"))
        self.options.setPlaceholderText(self.tr("Values, with commas"))
        self.options.setAccessibleName(self.tr("Values to choose from"))
        for kind in Kind:
            self.kind.addItem(kind_name(kind), kind.value)
        self.kind.setCurrentIndex(list(Kind).index(column.kind))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for part, share in ((self.name, 3), (self.kind, 0), (self.options, 2), (remove, 0)):
            layout.addWidget(part, share)
        self.kind.currentIndexChanged.connect(self._fit)
        remove.clicked.connect(lambda: self.removed.emit(self))
        self._fit()

    def column(self) -> Column:
        """Return the column as it is written; its id stays if nothing has changed."""
        kind = Kind(self.kind.currentData())
        options = tuple(filter(None, map(str.strip, self.options.text().split(",")))) if kind is Kind.ONE_OF else ()
        return Column(" ".join(one_line(self.name.text()).split()), kind, options, self._column.id)

    @Slot()
    def _fit(self) -> None:
        self.options.setVisible(self.kind.currentData() == Kind.ONE_OF.value)


class TableDialog(ActionDialog):
    """Asks for name, documents and questions of a table; stays open until the table is made."""

    drafted = Signal(object)  # a TableDraft
    suggestions_asked = Signal(object)  # the ChosenDocuments in which shared labels are looked for

    def __init__(
        self,
        folders: Sequence[bytes],
        given: ChosenDocuments | None = None,
        name: str = "",
        columns: Sequence[Column] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", "", parent)
        self._changes = bool(columns)
        self.setWindowTitle(self.tr("Change the columns") if columns else self.tr("New table"))
        self.act.setText(self.tr("Change") if columns else self.tr("Make the table"))
        set_role(self.act, "primary")
        self.setFixedWidth(_WIDTH)
        self.name = QLineEdit(name, self)
        self.chosen = DocumentsBox(folders, given, parent=self)
        self._rows = QWidget(self)
        self._list = QVBoxLayout(self._rows)
        self._add = QPushButton(self.tr("Add a question"), self)
        self._offered = FlowRow(self)
        self._offer = PlainLabel(self.tr("Shared by these documents:"), "caption", self)
        self._error = PlainLabel("", "danger", self)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self.name.setPlaceholderText(self.tr("Name of the table; empty: its questions"))
        self.name.setAccessibleName(self.tr("Name of the table"))
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(GRID // 2)
        self._list.setAlignment(Qt.AlignmentFlag.AlignTop)
        for column in (*columns, *(() if columns else (Column(""),))):
            self._add_question(column)
        self._arrange()
        self.act.clicked.disconnect()
        self.act.clicked.connect(self._on_act)
        self.name.setFocus()

    def questions(self) -> list[_Question]:
        """Return the rows of questions in their order."""
        widgets = (item.widget() for at in range(self._list.count()) if (item := self._list.itemAt(at)))
        return [widget for widget in widgets if isinstance(widget, _Question)]

    def draft(self) -> TableDraft:
        """Return what is asked for."""
        columns = tuple(column for each in self.questions() if (column := each.column()).name)
        return TableDraft(self.name.text().strip(), None if self._changes else self.chosen.documents(), columns)

    def show_error(self, text: str) -> None:
        """Say why no table can be made so."""
        self._error.setText(sentence(text))
        self._error.setVisible(bool(text))
        self.act.setEnabled(True)

    def show_suggestions(self, labels: Sequence[str]) -> None:
        """Offer labels that the documents share as questions."""
        chips: list[QWidget] = []
        for label in labels[:_MOST_SUGGESTED]:
            chip = Chip(label, icon="add", parent=self)
            chip.clicked.connect(lambda _=False, label=label: self._add_question(Column(label)))
            chips.append(chip)
        self._offered.set_items(chips)
        self._offer.setVisible(bool(chips))
        self._offered.setVisible(bool(chips))

    def _arrange(self) -> None:
        self._error.hide()
        self._offer.hide()
        self._offered.hide()
        self.chosen.setVisible(not self._changes)
        scrolled = ScrolledParts((self._rows,), self)
        scrolled.setMinimumHeight(_SHOWN_QUESTIONS * (self.name.sizeHint().height() + GRID // 2))
        self.arrange(self.name, self.chosen, scrolled, self._add, self._offer, self._offered, self._error)
        self._add.clicked.connect(lambda: self._add_question(Column("")))
        self.chosen.changed.connect(self._typing.start)
        self._typing.timeout.connect(self._ask_for_suggestions)
        if not self._changes:
            self._typing.start()

    def _add_question(self, column: Column) -> None:
        empty = next((each for each in self.questions() if not each.name.text().strip()), None)
        if column.name and empty is not None:
            empty.name.setText(column.name)
            return
        row = _Question(column, self._rows)
        row.removed.connect(self._on_removed)
        self._list.addWidget(row)
        row.name.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_removed(self, row: _Question) -> None:
        self._list.removeWidget(row)
        row.deleteLater()
        if not self.questions():
            self._add_question(Column(""))

    @Slot()
    def _ask_for_suggestions(self) -> None:
        if (documents := self.chosen.documents()) is not None:
            self.suggestions_asked.emit(documents)

    @Slot()
    def _on_act(self) -> None:
        self.act.setEnabled(False)
        self.show_error("")
        self.act.setEnabled(False)
        self.drafted.emit(self.draft())


class WordsDialog(ActionDialog):
    """Asks for one line: a correction, or a name."""

    written = Signal(str)

    def __init__(self, title: str, words: str, text: str, act: str, parent: QWidget | None = None) -> None:
        super().__init__(title, act, parent)
        set_role(self.act, "primary")
        self.field = QLineEdit(text, self)
        self.field.setAccessibleName(title)
        self.field.selectAll()
        self.arrange(*([self.words(words)] if words else []), self.field)
        self.accepted.connect(lambda: self.written.emit(self.field.text()))
        self.act.setDefault(True)
        self.field.setFocus()


class BudgetDialog(ActionDialog):
    """Says what filling may take at most; Escape and Cancel send nothing."""

    def __init__(self, budget: Estimate, model: str, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Fill the table?"))
        self.act.setText(self.tr("Fill"))
        set_role(self.act, "primary")
        cells = counted(self.tr("%Ln cell(s)", "", budget.cells), budget.cells)
        told = self.tr("{0} by {1}: at most {2} requests and {3} tokens.").format(
            cells, one_line(model), number(budget.requests), number(budget.tokens)
        )
        if budget.money is not None:
            told += " " + self.tr("That is at most {0}.").format(money(budget.money))
        kept = self.tr("Every value is kept as it comes. You can stop at any time and go on later.")
        self.arrange(self.words(told), self.words(kept, "muted"))
        self.act.setDefault(True)
