"""Connects the page of standing questions with the stored ones, and looks at them when documents have been read."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.agent.events import AgentEvent
from desktop_rag.errors import WorkError
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.widgets.bounded_dialog import QuestionDialog
from desktop_rag.gui.work.standing_page import StandingDialog, StandingPage
from desktop_rag.gui.work.work_control import WorkControl
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderState
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.work.filling import Filler, usual_filler
from desktop_rag.work.standing import Standing, StandingId
from desktop_rag.work.standing_check import ask, begin, begin_table, check
from desktop_rag.work.table import TableHead, TableId
from desktop_rag.work.work_store import WorkStore

_SETTLE_MS = 3_000  # after the last document was read


@dataclass(frozen=True, slots=True)
class Looked:
    """A question was looked at, and has more that is new than before, or not."""

    number: StandingId
    standing: Standing
    more: bool


StandingEvent = AgentEvent | Looked
Loaded = tuple[tuple[tuple[StandingId, Standing], ...], StandingId | None]


class StandingControl(WorkControl[StandingEvent]):
    """One page for all libraries; the standing questions of the library that is shown."""

    noticed = Signal(str, str)  # something is new: the question, and how much, as sentences
    table_requested = Signal(object)  # show this TableId, to fill it

    def __init__(
        self, page: StandingPage, status: ShownStatus, settings: Callable[[], Settings], parent: QObject | None = None
    ) -> None:
        super().__init__(page, "standing", settings, parent)
        self._page = page
        self._status = status
        self._current: StandingId | None = None
        self._asking = False
        self._searchable = -1  # files that could be searched at the last look
        self._settling = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settling.timeout.connect(self.look)
        status.changed.connect(self._on_status_changed)
        page.new_requested.connect(self.new_question)
        page.chosen.connect(lambda number: self.load(StandingId(number)))
        page.ask_requested.connect(self._ask_to_ask)
        page.stop_requested.connect(self._worker.stop)
        page.check_requested.connect(self.look)
        page.notify_chosen.connect(self._on_notify_chosen)
        page.delete_requested.connect(self._on_delete)

    def load(self, wanted: StandingId | None = None) -> None:
        """Load the list, and the wanted question or the one that is shown."""
        current = wanted or self._current

        def read(_: Stop) -> Loaded:
            if not self._exists():
                return (), None
            store = self._opened()
            every = store.all_standing()
            self._revision = store.revision()
            known = {number for number, _ in every}
            return every, current if current in known else every[0][0] if every else None

        self._commands.run(read, self._show)
        self._looking.start()

    @Slot()
    def look(self) -> None:
        """Search what was read since for all questions, without a model."""
        library = self._library
        if library is None or self._worker.is_running() or not library.work.exists():
            return

        def job(stop: Stop) -> Generator[StandingEvent]:
            with closing(WorkStore(library)) as store:
                for number, before in store.all_standing():
                    now = check(number, store, self._filler(), stop)
                    yield Looked(number, now, now.count > before.count)

        self._worker.start(job)

    @Slot()
    def new_question(self) -> None:
        """Ask for a question or table and its documents."""

        def read(_: Stop) -> tuple[TableHead, ...]:
            return self._opened().tables() if self._exists() else ()

        def then(tables: tuple[TableHead, ...]) -> None:
            folders = [each.path for each in self._status.current.folders if each.state is not FolderState.REMOVED]
            dialog = StandingDialog(folders, tables, self._page.window())
            dialog.drafted.connect(partial(self._make, dialog))
            dialog.open()

        self._commands.run(read, then)

    def _make(self, dialog: StandingDialog, question: str, table: TableId | None, filters: tuple[Filter, ...]) -> None:
        kept = Standing(question, filters)
        if table is not None:
            self._accept(dialog, lambda stop: begin_table(table, self._opened(), self._filler(), stop, kept), self.load)
            return
        dialog.accept()
        self._start(question, question, lambda store, stop: begin(question, store, self._filler(), stop, kept))

    @Slot()
    def _ask_to_ask(self) -> None:
        number, standing = self._current, self._page.standing
        if standing.table is not None:
            self.table_requested.emit(standing.table)
        elif number is not None:
            heading = self.tr("What has changed?")
            self._start(heading, standing.question, lambda store, stop: ask(number, store, self._filler(), stop))

    def _start(
        self,
        heading: str,
        question: str,
        asking: Callable[[WorkStore, Stop], Generator[AgentEvent, None, StandingId | None]],
    ) -> None:
        """Ask a model, if its host is allowed, and show the run."""
        library = self._library
        if library is None or self._worker.is_running():
            return

        def job(stop: Stop) -> Generator[StandingEvent]:
            with closing(WorkStore(library)) as store:
                made = yield from asking(store, stop)
                if made is not None:
                    yield Looked(made, store.standing(made), more=False)

        def go() -> None:
            self._asking = True
            self._page.show_list(((StandingId(0), Standing(question)),), None)
            self._page.begin(heading, question)
            self._page.show_asking(asking=True)
            self._worker.start(job)

        if not self._host.asks(self._settings(), go, lambda: None):
            go()

    def _filler(self) -> Filler:
        if self._retriever is None or self._built_in is None:
            raise WorkError("They are stored with the library, which is not available. Connect its disk.")
        return usual_filler(self._retriever, self._built_in, settings=self._settings())

    def _forget(self) -> None:
        self._current, self._searchable = None, -1
        self._page.show_list((), None)

    def _show(self, loaded: Loaded) -> None:
        if self._closed or self._asking:
            return
        every, self._current = loaded
        self._page.show_list(every, self._current)
        self._page.show_asking(asking=False)
        if self._current is not None:
            self._page.show_standing(dict(every)[self._current])

    def _on_event(self, event: StandingEvent) -> None:
        if isinstance(event, Looked):
            if not event.more:
                self._current = event.number if self._asking else self._current
            elif event.standing.notify and not self._closed:
                self.noticed.emit(shorten(one_line(event.standing.question)), self._page.said(event.standing))
        elif self._asking and not self._closed:
            self._page.append(0, event)

    @Slot()
    def _on_finished(self) -> None:
        self._asking = False
        if not self._closed and self._page.isVisible():
            self.load()

    @Slot(LibraryStatus)
    def _on_status_changed(self, status: LibraryStatus) -> None:
        """Look once all that waits has been read."""
        searchable = sum(folder.searchable for folder in status.folders)
        if status.phase is IndexingPhase.IDLE and not status.waiting_files and status.folders:
            if searchable != self._searchable and not self._closed:
                self._searchable = searchable
                self._settling.start()
        elif self._searchable >= 0:
            self._searchable = -2  # something is being read

    @Slot(bool)
    def _on_notify_chosen(self, notify: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        number = self._current
        if number is not None:
            self._change(lambda store: _set_notify(store, number, notify=notify))

    @Slot()
    def _on_delete(self) -> None:
        number, question = self._current, self._page.standing.question
        words = self.tr("“{0}” is not looked at any more, and its answers are removed.").format(one_line(question))
        dialog = QuestionDialog(self.tr("Remove the question?"), words, self.tr("Remove"), self._page.window())
        if number is not None:
            dialog.accepted.connect(lambda: self._change(lambda store: store.delete_standing(number)))
            dialog.open()


def _set_notify(store: WorkStore, number: StandingId, *, notify: bool) -> None:
    store.change_standing(number, lambda now: replace(now, notify=notify))
