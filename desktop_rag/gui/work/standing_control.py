"""Connects the page of standing questions with the stored ones, and looks at them when documents have been read."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QDateTime, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget

from desktop_rag.agent.events import AgentEvent, Answered, Citation, ContextUse, RunUsage
from desktop_rag.errors import WorkError
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, shown_day
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.gui.work.sections_page import SectionsPage
from desktop_rag.gui.work.work_control import ChosenDocuments, DocumentsBox, RefusableDialog, WorkControl
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.work.filling import Filler, usual_filler
from desktop_rag.work.report import ReportSection, escaped
from desktop_rag.work.standing import Standing, StandingId, Update
from desktop_rag.work.standing_check import ask, begin, begin_table, check
from desktop_rag.work.table import TableHead, TableId
from desktop_rag.work.work_store import WorkStore

# The page of standing questions: what is new since the last answer, what changed against it, and the answer.

_WIDTH = 560


class StandingPage(SectionsPage):
    """Shows a standing question and reports gestures; `StandingControl` does the work."""

    changeable = False
    ask_requested = Signal()  # say what has changed; of a table: fill it
    stop_requested = Signal()
    check_requested = Signal()
    notify_chosen = Signal(bool)

    def __init__(self, viewer: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(viewer, self.tr("New question…"), self.tr("Standing questions"), parent)
        self.standing = Standing("")
        self._asking = False
        self.ask = QPushButton(self.tr("What has changed?"), self)
        self._arrange((self.ask,))
        self.ask.clicked.connect(lambda: (self.stop_requested if self._asking else self.ask_requested).emit())
        self._more.clicked.connect(self._on_more)
        self.show_list((), None)

    def show_list(self, every: Sequence[tuple[StandingId, Standing]], current: StandingId | None) -> None:
        """List the questions with how much is new; without any, offer to keep one."""
        self._show_kept([(number, self._named(standing)) for number, standing in every], current, self.ask)
        if not every:
            self._clear()
            self._said.setText("")
            self.placeholder.show_words(
                self.tr("Questions that stay"),
                self.tr("When documents are added or changed, only these are searched, and you see what is new."),
                self.tr("New question…"),
            )

    def show_standing(self, standing: Standing) -> None:
        """Show a question: what is new, what changed, and the answers, the last first."""
        self._clear()
        self.standing = standing
        self._waiting = list(self._parts(standing))
        self._making.start()
        self._said.setText(self.said(standing))
        self.ask.setText(self.tr("Fill the table") if standing.table else self.tr("What has changed?"))
        self.ask.setEnabled(bool(standing.count or standing.gone))

    def show_asking(self, *, asking: bool) -> None:
        """Offer to stop, or to ask."""
        self._asking = asking
        if asking:
            self.ask.setText(self.tr("Stop"))
            self.ask.setEnabled(True)

    def begin(self, heading: str, question: str) -> None:
        """Show a run at the top, whose events follow."""
        self._clear()
        self._waiting = [ReportSection(heading, question)]
        self._make_next()

    def said(self, standing: Standing) -> str:
        """Return how much is new, and since when."""
        if standing.trouble:
            return self.tr("The last look failed: {0}").format(sentence(standing.trouble))
        since, count = _day(standing.since_ns), standing.count
        if not count:
            return self.tr("Nothing new since {0}").format(since) if standing.since_ns else ""
        if standing.table:
            return counted(self.tr("%Ln document(s) new or changed since {0}", "", count), count).format(since)
        return counted(self.tr("%Ln new passage(s) since {0}", "", count), count).format(since)

    def _named(self, standing: Standing) -> str:
        told = f" · {formatting.number(standing.count)}" if standing.count else ""
        told = " · " + self.tr("the last look failed") if standing.trouble else told
        return f"{one_line(standing.question)}{told}"

    def _parts(self, standing: Standing) -> Iterator[ReportSection]:
        if standing.table:
            yield ReportSection(self.said(standing), "")
            return
        if standing.news or standing.gone:
            yield ReportSection(self.said(standing), "", _written(self._listed(standing.news, standing.gone)))
        for update, since in reversed(list(zip(standing.updates, _sinces(standing), strict=True))):
            heading = self.tr("What changed from {0} to {1}").format(_day(since), _day(update.asked_ns))
            yield ReportSection(heading, "", self._updated(update))
        if standing.answered is not None:
            heading = self.tr("Answer of {0}").format(_day(standing.answered_ns))
            yield ReportSection(heading, standing.question, standing.answered)

    def _listed(self, news: Sequence[Citation], gone: Sequence[Citation]) -> tuple[str, tuple[Citation, ...]]:
        """Return passages as Markdown, and their citations."""
        cited = tuple(_numbered((*news, *gone)))
        lines = [_quoted(each) for each in cited[: len(news)]]
        if gone:
            lines.append(self.tr("These words of the answer stand in no document any more:"))
            lines += [_quoted(each) for each in cited[len(news) :]]
        return "\n\n".join(lines), cited

    def _updated(self, update: Update) -> Answered:
        answered, parts = update.answered, [update.answered.text] if update.answered.text else []
        if update.contradicted:
            parts.append(self.tr("Of what was said before, the new passages say otherwise:"))
            for each in update.contradicted:
                mark = f" [{each.citation}](cite:{each.citation})" if each.citation else ""
                parts.append(f"- {escaped(each.statement)} → “{escaped(each.words)}”{mark}")
        first = max((each.number for each in answered.citations), default=0)
        gone = tuple(_numbered(update.gone, first))
        if gone:
            parts.append(self.tr("These words of the answer stand in no document any more:"))
            parts += [_quoted(each) for each in gone]
        text = "\n\n".join(parts)
        return _written((text, (*answered.citations, *gone)), answered)

    @Slot()
    def _on_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Look now")).triggered.connect(self.check_requested)
        notify = menu.addAction(self.tr("Notify me"))
        notify.setCheckable(True)
        notify.setChecked(self.standing.notify)
        notify.toggled.connect(self.notify_chosen)
        menu.addSeparator()
        menu.addAction(self.tr("Remove the question…")).triggered.connect(self.delete_requested)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))


class StandingDialog(RefusableDialog):
    """Asks for a question, or a table, and the documents."""

    drafted = Signal(str, object, object)  # the question, a TableId or None, and the filters (a tuple)

    def __init__(self, folders: Sequence[bytes], tables: Sequence[TableHead], parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("New standing question"))
        self.act.setText(self.tr("Ask and keep"))
        self.setFixedWidth(_WIDTH)
        self.what = ElidedComboBox(self)
        self.question = QLineEdit(self)
        self.chosen = DocumentsBox(folders, searches=False, parent=self)
        self.what.setAccessibleName(self.tr("What to keep"))
        self.what.addItem(self.tr("A question"), None)
        for head in tables:
            self.what.addItem(button_text(self.tr("Table: {0}").format(one_line(head.name))), head.id)
        self.question.setPlaceholderText(self.tr("What do you want to be told about?"))
        self.question.setAccessibleName(self.tr("Question"))
        self.arrange(self.what, self.question, self.chosen)
        self.what.setVisible(bool(tables))
        self.what.currentIndexChanged.connect(self._fit)
        self.question.textChanged.connect(self._fit)
        self.act.setDefault(True)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        table = self.what.currentData()
        self.question.setVisible(table is None)
        self.act.setText(self.tr("Ask and keep") if table is None else self.tr("Keep"))
        self.act.setEnabled(table is not None or bool(self.question.text().strip()))

    @Slot()
    def _on_act(self) -> None:
        table: TableId | None = self.what.currentData()
        chosen = self.chosen.documents() or ChosenDocuments()
        self.drafted.emit(self.question.text().strip(), table, chosen.filters)


def _sinces(standing: Standing) -> tuple[int, ...]:
    return (standing.answered_ns, *(each.asked_ns for each in standing.updates))[: len(standing.updates)]


def _day(moment_ns: int) -> str:
    return shown_day(QDateTime.fromSecsSinceEpoch(moment_ns // 1_000_000_000).date())


def _numbered(citations: Sequence[Citation], after: int = 0) -> Iterator[Citation]:
    return (replace(each, number=number) for number, each in enumerate(citations, after + 1))


def _quoted(citation: Citation) -> str:
    name = escaped(formatting.document_name(citation.path, citation.title))
    return f"#### {name}\n\n> {escaped(one_line(citation.quote))} [{citation.number}](cite:{citation.number})"


def _written(made: tuple[str, tuple[Citation, ...]], answered: Answered | None = None) -> Answered:
    """Return a text with its citations as an answer is shown."""
    text, citations = made
    if answered is not None:
        return replace(answered, text=text, citations=citations)
    no_use, usage = ContextUse(0, 0, 0, 0, 0, estimated=False), RunUsage(0, 0, 0, estimated=False)
    return Answered(text, citations, no_use, usage, 0.0, 0, found=True)


_SETTLE_MS = 3_000  # after the last document was read


@dataclass(frozen=True, slots=True)
class Looked:
    """A question was looked at, and has more that is new than before, or not."""

    number: StandingId
    standing: Standing
    more: bool


StandingEvent = AgentEvent | Looked
Loaded = tuple[tuple[tuple[StandingId, Standing], ...], StandingId | None]
_NOTHING: Loaded = ((), None)


class StandingControl(WorkControl[StandingEvent]):
    """One page for all libraries; the standing questions of the library that is shown."""

    noticed = Signal(str, str)  # something is new: the question, and how much, as sentences
    table_requested = Signal(object)  # show this TableId, to fill it

    def __init__(
        self, page: StandingPage, status: ShownStatus, settings: Callable[[], Settings], parent: QObject | None = None
    ) -> None:
        super().__init__(page, "standing", status, settings, parent)
        self._page = page
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

        def read(store: WorkStore) -> Loaded:
            every = store.all_standing()
            known = {number for number, _ in every}
            return every, current if current in known else every[0][0] if every else None

        self._load(read, self._show, _NOTHING)

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
            dialog = StandingDialog(self._folders(), tables, self._page.window())
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

        self._once_allowed(go)

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
        if number is not None:
            title, act = self.tr("Remove the question?"), self.tr("Remove")
            self._ask_to_delete(title, words, act, lambda store: store.delete_standing(number))


def _set_notify(store: WorkStore, number: StandingId, *, notify: bool) -> None:
    store.change_standing(number, lambda now: replace(now, notify=notify))
