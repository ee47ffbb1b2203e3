"""A run in the background: the agent's loop on its own thread, and the services it needs."""

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_rag.agent.budget import Spending, count_spending, purse_of
from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope, Conversation, ConversationId, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerWritten,
    ModelProgress,
    RunFailed,
    RunStopped,
)
from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.feedback import Feedback
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.reading_wait import await_reading
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.gui.background import Job, StreamWorker
from desktop_rag.gui.conversation.answer.code_colors import load_languages
from desktop_rag.gui.conversation.answer.formulas import MOST_FORMULAS, load_formulas
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.index.indexer_api import Hold, LibraryStatus
from desktop_rag.index.records import ContentId, FolderId
from desktop_rag.llm.chat import AssistantMessage
from desktop_rag.llm.transport import is_loopback
from desktop_rag.retrieval.api import Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop

_NO_CONTENT = ContentId(0)  # ids count from 1
_ATTACHED_SECONDS = 30.0  # to wait for what is attached: the question is about it
_LIBRARY_SECONDS = 5.0  # to wait for other new files
_FEW = 50  # files that are read in about that time


@dataclass(slots=True, eq=False)
class RunInProgress:
    """A question that is being answered, and the conversation it belongs to."""

    earlier: tuple[Turn, ...]
    question: str
    asked_ns: int
    conversation: ConversationId | None  # set when the first turn of a new conversation is stored
    events: list[AgentEvent] = field(default_factory=list)
    deleted: bool = False  # its conversation was deleted: do not store it
    feedback: Feedback = field(default_factory=Feedback)
    recorded: tuple[AssistantMessage, ...] = ()  # the model's messages in the run that this one continues or replays
    begun: str = ""  # the answer of that run as far as it came, which the model continues
    forked: bool = False  # from a stored run, into a conversation of its own
    toolkit: str = ""  # of the run that this one continues; empty: the one in the settings
    follows: "RunInProgress | None" = None  # the run before in its conversation, which may not be stored yet
    number: int = 0  # of its turn; set when it is stored
    variants: tuple[tuple[int, ...], ...] = ()  # of the earlier turns, then those that this turn is a variant of
    started_ns: int = 0  # 0 while it is queued
    dropped_filters: tuple[Filter, ...] = ()  # the agent must not read these into the question again
    scope: ChosenScope = WHOLE_LIBRARY  # of its conversation
    quotes: bool = False  # answered by the built-in model, whichever is chosen
    extended: bool = False  # may exceed the limits in the settings
    saved: float = 0.0  # when it was stored last, by the monotonic clock

    def turn(self) -> Turn:
        """Return the turn as far as it has come."""
        before = self.earlier[-1].number if self.earlier else 0
        return Turn(self.number, self.question, tuple(self.events), self.asked_ns, before)

    def asked(self, scope: Scope) -> Question:
        """Return the question as the agent gets it; `scope` is what its conversation has chosen."""
        filters = () if scope.filters else self.scope.filters
        earlier = Conversation(self.earlier)
        return Question(self.question, earlier, scope, filters, self.dropped_filters, self.scope.attached)


class RunPool(QObject):
    """Executes several runs at once and collects their events in them; further ones are queued."""

    started = Signal(RunInProgress)  # a queued run
    event_yielded = Signal(RunInProgress, object)  # each AgentEvent of a run, in order
    ended = Signal(RunInProgress)  # once a run, after its last event

    def __init__(self, size: int, parent: QObject | None = None, name: str = "agent") -> None:
        super().__init__(parent)
        self._running: list[RunInProgress | None] = [None] * size  # by worker
        self._workers: list[StreamWorker[AgentEvent]] = []
        self._queue: list[tuple[RunInProgress, Job[AgentEvent]]] = []
        for place in range(size):
            worker = StreamWorker(f"{name} {place + 1}", partial(self._on_event, place), self)
            worker.failed.connect(partial(self._on_failed, place))
            worker.finished.connect(partial(self._on_finished, place))
            self._workers.append(worker)

    def active(self) -> list[RunInProgress]:
        """Return the runs in progress and, after them, those that are queued."""
        return [*filter(None, self._running), *(run for run, _ in self._queue)]

    def is_active(self, run: RunInProgress | None) -> bool:
        """Return whether `run` is in progress or queued."""
        return any(run is active for active in self.active())

    def start(self, run: RunInProgress, job: Job[AgentEvent]) -> None:
        """Start `run`, or queue it until another one ends."""
        if None not in self._running:
            self._queue.append((run, job))
            return
        place = self._running.index(None)
        self._running[place], run.started_ns = run, time.time_ns()
        self._workers[place].start(job)

    def stop(self, run: RunInProgress | None) -> None:
        """Ask `run` to stop if it is in progress, or remove it from the queue; returns at once."""
        if run is None:
            return
        if run in self._running:
            self._workers[self._running.index(run)].stop()
        elif any(run is queued for queued, _ in self._queue):
            self._queue = [entry for entry in self._queue if entry[0] is not run]
            stopped = RunStopped("", (), 0.0)
            run.events.append(stopped)
            self.event_yielded.emit(run, stopped)
            self.ended.emit(run)

    def close(self) -> None:
        """Stop all runs, wait for their threads and drop the queue."""
        self._queue.clear()
        for worker in self._workers:
            worker.close()

    def _on_event(self, place: int, event: AgentEvent) -> None:
        if run := self._running[place]:
            if not isinstance(event, ModelProgress | AnswerWritten):  # pass by: neither stored nor shown again
                run.events.append(event)
            self.event_yielded.emit(run, event)

    def _on_failed(self, place: int, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        self._on_event(place, RunFailed(title, str(error), "", ()))

    def _on_finished(self, place: int) -> None:
        run, self._running[place] = self._running[place], None
        if run is None:
            return
        if self._queue:
            queued, job = self._queue.pop(0)
            self.start(queued, job)
            self.started.emit(queued)
        self.ended.emit(run)


def few_new_files(status: LibraryStatus) -> int:
    """Return how many files wait to be read if they are few, 1 while a new folder is scanned; else 0."""
    if status.hold is not Hold.NONE:
        return 0
    scanning = any(folder.scanning and not folder.found for folder in status.folders)
    return status.waiting_files if 0 < status.waiting_files <= _FEW else int(scanning and not status.waiting_files)


@dataclass(frozen=True, slots=True)
class RunContext:
    """The services every run of a window uses."""

    retriever: Retriever
    credentials: Credentials
    built_in: BuiltInModel  # answers without an endpoint, and quotes for models that fail to
    spending: Spending
    new_files: Callable[[], int] = lambda: 0  # how many files were added a moment ago and are not read yet
    is_held: Callable[[], bool] = lambda: False  # whether nothing is read now: paused, or until idle or on mains

    def scope(self, folders: tuple[FolderId, ...], chosen: ChosenScope, stop: Stop) -> Scope:
        """Return where to search; for a background thread. If all chosen documents are gone, nothing is found."""
        cards = (self.retriever.lookup(sha256, None, stop) for sha256 in chosen.documents)
        contents = tuple(card.content for card in cards if card is not None)
        found = self.retriever.attachments(chosen.attached, stop) if chosen.attached else ()
        attached = tuple(each.folder for each in found if each.folder is not None)
        if chosen.documents:
            own = self.retriever.attached_contents(attached, stop) if attached else ()
            contents = (*(contents or (_NO_CONTENT,)), *own)
        return Scope(folders, contents, attached, filters=chosen.filters if attached else ())

    def warm_up(self, settings: Settings, stop: Stop) -> Generator[None]:
        """Have a model that a server of this computer runs read the instructions; for a background thread."""
        yield from ()
        profile = settings.profile()
        if profile and not profile.model_file and is_loopback(profile.base_url):
            from desktop_rag.agent.run.warm_up import warm_up
            from desktop_rag.agent.toolkits.registry import toolkit

            warm_up(profile, self.credentials.get(profile.name), toolkit(settings.toolkit), stop)

    def answer(
        self, run: RunInProgress, settings: Settings, folders: tuple[FolderId, ...], stop: Stop
    ) -> Generator[AgentEvent]:
        """Yield the events of `run`, which first waits a little for files that are being read.

        For a background thread, because reading the key blocks.
        """
        attached = run.scope.attached

        def waiting() -> int:
            return sum(each.waiting for each in self.retriever.attachments(attached, stop))

        try:
            if attached:
                yield from await_reading(waiting, 0.0 if self.is_held() else _ATTACHED_SECONDS, stop)
            yield from await_reading(self.new_files, _LIBRARY_SECONDS, stop)
            scope = self.scope(folders, run.scope, stop)
        except Stopped:
            yield RunStopped("", (), 0.0)
            return
        yield from self._answer(run, settings, scope, stop)

    def _answer(self, run: RunInProgress, settings: Settings, scope: Scope, stop: Stop) -> Generator[AgentEvent]:
        from desktop_rag.agent.budget import extended
        from desktop_rag.agent.run.loop import answer
        from desktop_rag.agent.run.model_choice import chat_model, fast_model
        from desktop_rag.agent.run.replay import RecordedModel
        from desktop_rag.agent.toolkits.registry import toolkit
        from desktop_rag.agent.toolkits.toolkit import Run

        profile = settings.profile()
        key = self.credentials.get(profile.name) if profile else ""
        hosts = settings.privacy.confirmed_hosts
        model = chat_model(profile, key, confirmed=hosts) if profile else self.built_in
        run.feedback.asks = profile is not None
        limits = extended(settings.limits) if run.extended else settings.limits
        load_parser()
        used = Run(
            toolkit(run.toolkit or settings.toolkit),
            RecordedModel(run.recorded, model, begun=run.begun) if run.recorded or run.begun else model,
            self.retriever,
            stop,
            limits,
            fast=fast_model(profile, key, hosts),
            built_in=self.built_in,
            feedback=run.feedback,
            unsourced=settings.unsourced,
            second_look=settings.second_look,
            purse=purse_of(profile, self.spending, settings.money),
        )
        with closing(answer(run.asked(scope), used)) as events:
            yield from _with_languages(count_spending(events, profile, self.spending), stop)

    def replay(self, run: RunInProgress, settings: Settings, scope: Scope, stop: Stop) -> Generator[AgentEvent]:
        """Yield the events of a recorded run repeated on the present library, without a model."""
        from desktop_rag.agent.run.loop import answer
        from desktop_rag.agent.run.replay import RecordedModel
        from desktop_rag.agent.toolkits.registry import toolkit
        from desktop_rag.agent.toolkits.toolkit import Run

        tools = toolkit(run.toolkit or settings.toolkit)
        model = RecordedModel(run.recorded, None)
        used = Run(tools, model, self.retriever, stop, settings.limits, unsourced=settings.unsourced)
        yield from answer(run.asked(scope), used)


_PARAGRAPH = 4_000  # characters of the paragraph being written


def _with_languages(events: Iterable[AgentEvent], stop: Stop) -> Generator[AgentEvent]:
    """Pass `events` on, loading what their code blocks and formulas need before they are shown.

    After `stop` they are passed on as they are.
    """
    line = paragraph = ""
    formulas = MOST_FORMULAS
    for event in events:
        if isinstance(event, AnswerDelta):
            whole, end, line = (line + event.text).rpartition("\n")
            load_languages(whole + end)
            paragraph = (paragraph + event.text)[-_PARAGRAPH:]
            formulas -= load_formulas(paragraph, stop, formulas)
            paragraph = paragraph.rpartition("\n\n")[2]
        elif isinstance(event, Answered):
            load_languages(event.text)
            load_formulas(event.text, stop, formulas)
        yield event
