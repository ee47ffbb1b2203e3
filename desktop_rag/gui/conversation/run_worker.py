"""A run in the background: the agent's loop on a thread of its own, and what it needs to begin."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, RunFailed
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.conversation.answer.code_colors import load_languages
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.gui.conversation.conversation_repository import RunInProgress
from desktop_rag.retrieval.api import Retriever, Scope
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop


class RunWorker(QObject):
    """Carries out one run at a time and fills its list of events."""

    said = Signal(object, object)  # the Run and its next AgentEvent
    ended = Signal(object)  # the Run, once, when nothing more will be said

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run: RunInProgress | None = None
        self._worker = StreamWorker(name, self)
        self._worker.yielded.connect(self._on_event)
        self._worker.failed.connect(self._on_broken)
        self._worker.finished.connect(self._on_finished)

    def start(self, run: RunInProgress, job: Callable[[Stop], Generator[object]]) -> None:
        """Begin `run`; nothing else may be going on."""
        self.run = run
        self._worker.start(job)

    def stop(self) -> None:
        """End the run now."""
        self._worker.stop()

    def close(self) -> None:
        """End the run and the thread."""
        self._worker.close()

    @Slot(object)
    def _on_event(self, event: AgentEvent) -> None:
        if self.run is not None:
            self.run.events.append(event)
            self.said.emit(self.run, event)

    @Slot(object)
    def _on_broken(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        self._on_event(RunFailed(title, str(error), "", ()))

    @Slot()
    def _on_finished(self) -> None:
        run, self.run = self.run, None
        if run is not None:
            self.ended.emit(run)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What every run of a window stands on."""

    retriever: Retriever
    credentials: Credentials

    def answer(self, run: RunInProgress, settings: Settings, scope: Scope, stop: Stop) -> Generator[AgentEvent]:
        """Yield the events of `run`; happens in the background, where keys may be asked for."""
        from desktop_rag.agent.run.budget import extended
        from desktop_rag.agent.run.loop import answer
        from desktop_rag.agent.run.model_choice import chat_model, fast_model
        from desktop_rag.agent.run.replay import RecordedModel
        from desktop_rag.agent.toolkits.registry import toolkit

        profile = settings.profile()
        key = self.credentials.get(profile.name) if profile else ""
        model = chat_model(profile, key)
        limits = extended(settings.limits) if run.extended else settings.limits
        load_parser()
        with closing(
            answer(
                run.question,
                Conversation(run.earlier),
                toolkit(run.toolkit or settings.toolkit),
                RecordedModel(run.recorded, model) if run.recorded else model,
                self.retriever,
                limits,
                scope,
                stop,
                fast=fast_model(profile, key),
                feedback=run.feedback,
                unsourced=settings.unsourced,
                unwanted=run.unwanted,
            )
        ) as events:
            yield from _with_languages(events)

    def do_again(self, run: RunInProgress, settings: Settings, scope: Scope, stop: Stop) -> Generator[AgentEvent]:
        """Yield the events of a recorded run as they are with today's library, without a model."""
        from desktop_rag.agent.run.loop import answer
        from desktop_rag.agent.run.replay import RecordedModel
        from desktop_rag.agent.toolkits.registry import toolkit

        tools = toolkit(run.toolkit or settings.toolkit)
        model = RecordedModel(run.recorded, None)
        earlier, limits, unsourced = Conversation(run.earlier), settings.limits, settings.unsourced
        yield from answer(run.question, earlier, tools, model, self.retriever, limits, scope, stop, unsourced=unsourced)


def _with_languages(events: Iterable[AgentEvent]) -> Generator[AgentEvent]:
    """Pass events on; before a line of code is shown, what colours it is there."""
    line = ""
    for event in events:
        if isinstance(event, AnswerDelta):
            whole, end, line = (line + event.text).rpartition("\n")
            load_languages(whole + end)
        elif isinstance(event, Answered):
            load_languages(event.text)
        yield event
