"""Connects the page of tables with the stored tables of the library, and with the filling in the background."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from desktop_rag.errors import LibraryRefused
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.formatting import counted, money, number, tokens
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.os_services import write_file
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer.viewer_events import Target, target_of_citation
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, ScrolledParts
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.work.table_model import cells_text, kind_name, state_name
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.gui.work.work_control import ChosenDocuments, DocumentsBox, RefusableDialog, WorkControl, while_open
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import ContentId
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.work.columns import Column, Kind, checked_columns, normal_form
from desktop_rag.work.filling import (
    CellAsked,
    CellFilled,
    Estimate,
    FillEnded,
    FillEvent,
    RowsChecked,
    check_documents,
    estimate,
    fill,
    usual_filler,
)
from desktop_rag.work.row_reading import sample_of
from desktop_rag.work.table import CellState, Place, Row, Table, TableHead, TableId
from desktop_rag.work.table_export import exported
from desktop_rag.work.work_store import WorkStore

# The dialogs of tables: documents and questions of a table, a correction, and what filling may cost.

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
        in_row((self.name, 3), self.kind, (self.options, 2), remove, on=self)
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


class TableDialog(RefusableDialog):
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
        self.setFixedWidth(_WIDTH)
        self.name = QLineEdit(name, self)
        self.chosen = DocumentsBox(folders, given, parent=self)
        self._rows = QWidget(self)
        self._list = in_column(on=self._rows, spacing=GRID // 2)
        self._add = QPushButton(self.tr("Add a question"), self)
        self._offered = FlowRow(self)
        self._offer = PlainLabel(self.tr("Shared by these documents:"), "caption", self)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self.name.setPlaceholderText(self.tr("Name of the table; empty: its questions"))
        self.name.setAccessibleName(self.tr("Name of the table"))
        self._list.setAlignment(Qt.AlignmentFlag.AlignTop)
        for column in (*columns, *(() if columns else (Column(""),))):
            self._add_question(column)
        self._arrange()
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
        super().show_error(text)
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
        self._offer.hide()
        self._offered.hide()
        self.chosen.setVisible(not self._changes)
        scrolled = ScrolledParts((self._rows,), self)
        scrolled.setMinimumHeight(_SHOWN_QUESTIONS * (self.name.sizeHint().height() + GRID // 2))
        self.arrange(self.name, self.chosen, scrolled, self._add, self._offer, self._offered)
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


Loaded = tuple[tuple[TableHead, ...], Table | None]
_NOTHING: Loaded = ((), None)
_CHECKED_SECONDS = 30.0  # for which documents are not looked up again unless something was read
_LEAST_SHARE = 0.3  # of the documents have a suggested question


class TableControl(WorkControl[FillEvent]):
    """One page for all libraries; the tables of the library that is shown."""

    def __init__(
        self,
        page: TablePage,
        status: ShownStatus,
        viewer: ViewerRequests,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(page, "tables", status, settings, parent)
        self._page = page
        self._viewer = viewer
        self._current: TableId | None = None
        self._filling: TableId | None = None
        self._checked: tuple[TableId, float] | None = None  # the table whose documents were looked up, and when
        self._lookups = CommandQueue("documents of tables", self)  # those of a thousand rows take a second
        status.changed.connect(self._on_status_changed)
        self._connect()

    def load(self, wanted: TableId | None = None) -> None:
        """Load the list, and the wanted table or the one that is shown."""
        current = wanted or self._current

        def read(store: WorkStore) -> Loaded:
            heads = store.tables()
            known = {head.id for head in heads}
            shown = current if current in known else heads[0].id if heads else None
            return heads, store.load(shown) if shown is not None else None

        self._load(read, self._show, _NOTHING)

    def new_table(self, given: ChosenDocuments | None = None) -> None:
        """Ask for the documents and questions of a new table."""
        dialog = TableDialog(self._folders(), given, parent=self._page.window())
        dialog.suggestions_asked.connect(partial(self._suggest, dialog))
        dialog.drafted.connect(partial(self._make, dialog))
        dialog.open()

    def close(self) -> None:
        """Stop the filling and close the file."""
        self._lookups.close()
        super().close()

    def _forget(self) -> None:
        self._current = self._checked = None
        self._page.show_tables((), None)

    # what is shown

    def _connect(self) -> None:
        page = self._page
        page.new_requested.connect(lambda: self.new_table())
        page.chosen.connect(lambda number: self.load(TableId(number)))
        page.fill_requested.connect(lambda: self._ask_to_fill(None))
        page.again_requested.connect(self._ask_to_fill)
        page.stop_requested.connect(self._worker.stop)
        page.open_requested.connect(self._on_open)
        page.correct_requested.connect(self._on_correct)
        page.restore_requested.connect(self._on_restore)
        page.columns_requested.connect(self._on_columns)
        page.note_requested.connect(self._on_note)
        page.remove_requested.connect(self._on_remove)
        page.rename_requested.connect(self._on_rename)
        page.delete_requested.connect(self._on_delete)
        page.export_requested.connect(self._on_export)

    def _show(self, read: Loaded) -> None:
        if self._closed:  # its page may be gone
            return
        heads, table = read
        self._current = table.id if table else None
        self._page.show_tables(heads, self._current)
        if table is not None:
            self._page.show_table(table)
            self._page.show_filling(filling=self._filling == table.id)
            if self._filling != table.id:
                head = next(head for head in heads if head.id == table.id)
                unstated = sum(cell.state is CellState.UNSTATED for cell in table.cells.values())
                told = f" · {number(unstated)} {state_name('unstated')}" if unstated else ""
                self._page.show_said(cells_text(head.filled, head.cells) + told)
                self._look_up(table)

    def _look_up(self, table: Table) -> None:
        """Look up where its documents are now, and mark the cells of those that have changed."""
        retriever, now = self._retriever, time.monotonic()
        known, at = self._checked or (None, 0.0)
        if retriever is None or (known == table.id and now - at < _CHECKED_SECONDS):
            return
        self._checked = table.id, now

        def then(changed: tuple[Row, ...]) -> None:
            if changed and self._filling is None and not self._closed:
                self._change(lambda store: store.update_rows(table.id, changed))

        self._lookups.run(lambda stop: check_documents(table, retriever, stop)[0], then)

    @Slot(LibraryStatus)
    def _on_status_changed(self, status: LibraryStatus) -> None:
        """Look the documents up again once what had changed is read."""
        table = self._page.model.table
        if status.phase is not IndexingPhase.IDLE or status.waiting_files:
            self._checked = None
        elif self._page.isVisible() and self._filling is None and self._current == table.id:
            self._look_up(table)

    # making and changing

    def _suggest(self, dialog: TableDialog, documents: ChosenDocuments) -> None:
        def labels(stop: Stop) -> list[str]:
            if self._retriever is None or self._built_in is None:
                return []
            try:
                sample = sample_of(self._retriever, self._rows(documents, stop), stop)
            except LibraryRefused:
                return []
            found = self._built_in.common_labels(sample, stop)
            return [name for name, count in found if count > 1 and count >= _LEAST_SHARE * len(sample)]

        self._lookups.run(labels, while_open(dialog, dialog.show_suggestions))  # nobody waits for them

    def _make(self, dialog: TableDialog, draft: TableDraft) -> None:
        def make(stop: Stop) -> TableId:
            columns = checked_columns(draft.columns)
            if draft.documents is None:
                raise LibraryRefused("What the documents are to be searched for is missing.")
            rows = self._rows(draft.documents, stop)
            name = draft.name or ", ".join(column.name for column in columns[:3])
            return self._opened().create(name, columns, rows)

        self._accept(dialog, make, self.load)

    @Slot()
    def _on_columns(self) -> None:
        table = self._page.model.table
        dialog = TableDialog((), None, table.name, table.columns, self._page.window())

        def change(draft: TableDraft) -> None:
            def work(_: Stop) -> None:
                self._opened().set_columns(table.id, draft.columns)
                self._opened().rename(table.id, draft.name)

            self._accept(dialog, work, lambda _: self.load())

        dialog.drafted.connect(change)
        dialog.open()

    @Slot(object)
    def _on_correct(self, place: Place) -> None:
        table = self._page.model.table
        column = next(each for each in table.columns if each.id == place[1])
        cell = table.cell(*place)
        found = self.tr("Found in the document: {0}").format(one_line(cell.value)) if cell.value else ""
        title = self.tr("Correct “{0}”").format(one_line(column.name))
        dialog = WordsDialog(title, found, cell.shown, self.tr("Correct"), self._page.window())

        def correct(text: str) -> None:
            value = " ".join(text.split())
            self._change(lambda store: store.correct(table.id, place, value, normal_form(column, value)))

        dialog.written.connect(correct)
        dialog.open()

    @Slot(object)
    def _on_restore(self, places: Sequence[Place]) -> None:
        table = self._page.model.table

        def restore(store: WorkStore) -> None:
            for place in places:
                if table.cell(*place).correction is not None:
                    store.correct(table.id, place, None)

        self._change(restore)

    @Slot(object)
    def _on_remove(self, numbers: tuple[int, ...]) -> None:
        table = self._page.model.table.id
        self._change(lambda store: store.remove_rows(table, numbers))

    @Slot()
    def _on_rename(self) -> None:
        table = self._page.model.table
        dialog = WordsDialog(self.tr("Rename the table"), "", table.name, self.tr("Rename"), self._page.window())
        dialog.written.connect(lambda name: self._change(lambda store: store.rename(table.id, name)))
        dialog.open()

    @Slot()
    def _on_delete(self) -> None:
        table = self._page.model.table
        words = self.tr("“{0}” and all its cells are deleted. The documents stay.").format(one_line(table.name))
        title, act = self.tr("Delete the table?"), self.tr("Delete")
        self._ask_to_delete(title, words, act, lambda store: store.delete(table.id))

    @Slot(str)
    def _on_export(self, kind: str) -> None:
        table, rows = self._page.model.table, self._page.model.rows

        def write(path: Path) -> None:
            def work(_: Stop) -> None:
                write_file(path, exported(table, kind, rows))

            message = self.tr("Table saved to {0}").format(one_line(path.name))
            self._commands.run(work, lambda _: self.saved.emit(message, path))

        self._ask_for_file(self.tr("Export the table"), table.name, kind, write)

    @Slot(object)
    def _on_open(self, what: Place | Row) -> None:
        if isinstance(what, Row):
            target = Target(ContentId(0), what.sha256, what.path, what.title, 1, 1)
            self._viewer.target_requested.emit(target)
        elif proof := self._page.model.table.cell(*what).proof:
            self._viewer.target_requested.emit(target_of_citation(proof.citation))

    @Slot(object)
    def _on_note(self, place: Place) -> None:
        if proof := self._page.model.table.cell(*place).proof:
            self._viewer.note_requested.emit(proof.citation)

    # filling

    def _ask_to_fill(self, places: tuple[Place, ...] | None) -> None:
        """Say what filling may take, and begin once the user agrees; without a model nothing is asked."""
        table, settings = self._page.model.table, self._settings()
        if self._filling is not None or self._retriever is None or self._built_in is None:
            return
        filler = usual_filler(self._retriever, self._built_in, settings=settings)
        wanted = filler.wanting(table) if places is None else places
        begin = partial(self._fill, table.id, places)
        if not wanted and not places:
            begin()  # documents may have changed since it was loaded
        elif filler.profile is None:
            begin()
        else:
            model = f"{filler.profile.model} · {filler.profile.name}"
            dialog = BudgetDialog(estimate(filler, wanted), model, self._page.window())
            dialog.accepted.connect(lambda: self._once_allowed(begin))
            dialog.open()

    def _fill(self, table: TableId, places: tuple[Place, ...] | None) -> None:
        if self._begin(lambda store, filler, stop: fill(table, store, filler, stop, places)):
            self._filling = table
            self._page.show_filling(filling=True)

    def _on_event(self, event: FillEvent) -> None:
        shown = self._filling == self._current and self._filling is not None and not self._closed
        match event:
            case RowsChecked(table) if shown:
                self._page.show_table(table)
            case CellAsked(place) if shown:
                self._page.model.note_asked(place)
            case CellFilled(place, cell, done, of, used) if shown:
                known = self._page.model.table.cell(*place)
                if known.correction is not None:
                    cell = replace(cell, correction=known.correction, corrected_normal=known.corrected_normal)
                self._page.model.put(place, cell)
                spent = f" · {tokens(used.tokens, estimated=used.estimated)}" if used.requests else ""
                self._page.show_said(cells_text(done, of) + spent)
            case FillEnded(_, _, _, trouble, title) if trouble:
                self.trouble.emit(title, trouble)

    @Slot()
    def _on_finished(self) -> None:
        self._filling = None
        if not self._closed:
            self._page.show_filling(filling=False)
            self.load()
