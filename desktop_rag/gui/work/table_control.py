"""Connects the page of tables with the stored tables of the library, and with the filling in the background."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from desktop_rag.errors import LibraryRefused
from desktop_rag.gui.background.command_queue import CommandQueue
from desktop_rag.gui.formatting import number, tokens
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer.target import Target, target_of_citation
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.gui.work.documents_box import ChosenDocuments
from desktop_rag.gui.work.table_dialogs import BudgetDialog, TableDialog, TableDraft, WordsDialog
from desktop_rag.gui.work.table_model import cells_text, state_name
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.gui.work.work_control import WorkControl, while_open
from desktop_rag.gui.written_files import write_file
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import ContentId, FolderState
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.work.cell_values import normal_form
from desktop_rag.work.columns import checked_columns
from desktop_rag.work.documents import sample_of
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
from desktop_rag.work.table import Cell, CellState, Place, Row, Table, TableHead, TableId
from desktop_rag.work.table_export import exported
from desktop_rag.work.work_store import WorkStore

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
        super().__init__(page, "tables", settings, parent)
        self._page = page
        self._status = status
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

        def read(_: Stop) -> tuple[tuple[TableHead, ...], Table | None]:
            if not self._exists():
                return (), None
            store = self._opened()
            heads = store.tables()
            known = {head.id for head in heads}
            shown = current if current in known else heads[0].id if heads else None
            self._revision = store.revision()
            return heads, store.load(shown) if shown is not None else None

        self._commands.run(read, self._show)
        self._looking.start()

    def new_table(self, given: ChosenDocuments | None = None) -> None:
        """Ask for the documents and questions of a new table."""
        folders = [each.path for each in self._status.current.folders if each.state is not FolderState.REMOVED]
        dialog = TableDialog(folders, given, parent=self._page.window())
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

    def _show(self, read: tuple[tuple[TableHead, ...], Table | None]) -> None:
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
        dialog = QuestionDialog(self.tr("Delete the table?"), words, self.tr("Delete"), self._page.window())
        dialog.accepted.connect(lambda: self._change(lambda store: store.delete(table.id)))
        dialog.open()

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
            self._confirm(estimate(filler, wanted), f"{filler.profile.model} · {filler.profile.name}", settings, begin)

    def _confirm(self, budget: Estimate, model: str, settings: Settings, begin: Callable[[], None]) -> None:
        dialog = BudgetDialog(budget, model, self._page.window())

        def agreed() -> None:
            if not self._host.asks(settings, begin, lambda: None):
                begin()

        dialog.accepted.connect(agreed)
        dialog.open()

    def _fill(self, table: TableId, places: tuple[Place, ...] | None) -> None:
        library, retriever, built_in, settings = self._library, self._retriever, self._built_in, self._settings
        if library is None or retriever is None or built_in is None or self._worker.is_running():
            return

        def job(stop: Stop) -> Generator[FillEvent]:
            with closing(WorkStore(library)) as store:
                filler = usual_filler(retriever, built_in, settings=settings())
                with closing(fill(table, store, filler, stop, places)) as events:
                    yield from events

        self._filling = table
        self._page.show_filling(filling=True)
        self._worker.start(job)

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
                    cell = _corrected_as(cell, known)
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


def _corrected_as(cell: Cell, known: Cell) -> Cell:
    return replace(cell, correction=known.correction, corrected_normal=known.corrected_normal)
