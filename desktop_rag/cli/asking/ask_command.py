"""`desktop-rag ask`: the agent's steps as they happen, then the answer with its sources."""

import argparse
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.agent.budget.spending import stage_costs
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, Answered, Routed, RunStopped
from desktop_rag.agent.events_json import event_json
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.run.usual_run import RunModels, models_of, paid_run
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.cli.asking.narrator import Narrator
from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output, shown_path
from desktop_rag.cli.scope_options import scope_filters, scope_text
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import LibraryRefused, LocalModelError
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.llm.local_model.local_server import file_profile, listed_files, shared_server
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.api import Attachment, Filter, Scope
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings, load
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable

STALLED_SECONDS = 60.0  # without a file that was read: reading is paused, or held until the computer is idle
POLL_SECONDS = 0.1


@contextmanager
def attached(
    library: Library, engine: SearchEngine, files: Sequence[Path], output: Output, stop: Stop
) -> Generator[tuple[FolderId, ...]]:
    """Yield `files` as searchable attachments while the block runs, beside those of the conversations."""
    paths = tuple(os.fsencode(os.path.realpath(file)) for file in files)
    if not paths:
        yield ()
        return
    kept = _kept(library)
    with closing(LibraryClient(library, must_exist=True, foreground=True)) as client:
        refused = client.keep_attached((*kept, *paths), stop).refused
        try:
            for path, reason in refused:
                raise LibraryRefused(f"{shown_path(path)} cannot be attached. {reason}")
            yield tuple(each.folder for each in _read(engine, paths, output, stop) if each.folder is not None)
        finally:
            client.keep_attached(kept, Stop())  # even after Ctrl+C


def _kept(library: Library) -> tuple[bytes, ...]:
    """Return what the conversations have attached."""
    if not library.conversations.exists():
        return ()
    with closing(ConversationStore(library.conversations)) as store:
        return store.attached()


def _read(engine: SearchEngine, paths: tuple[bytes, ...], output: Output, stop: Stop) -> tuple[Attachment, ...]:
    """Wait until all files have been read, and print those that have no text."""
    left, stalled = -1, 0.0
    while True:
        states = engine.attachments(paths, stop)
        waiting = sum(state.waiting for state in states)
        stalled = stalled + POLL_SECONDS if waiting == left else 0.0
        left = waiting
        if not waiting or stalled > STALLED_SECONDS:
            break
        stop.wait(POLL_SECONDS)
        stop.check()
    for state in states:
        if state.waiting:
            output.note(f"{shown_path(state.path)} is not read completely yet.", "yellow")
        elif state.unread or not state.searchable:
            output.note(f"{shown_path(state.path)}: {state.reason or 'It has no text.'}", "yellow")
    return states


@dataclass(frozen=True, slots=True)
class Asking:
    """All that answers questions: model, documents, limits."""

    engine: SearchEngine
    toolkit: Toolkit
    settings: Settings
    models: RunModels
    scope: Scope
    filters: tuple[Filter, ...]
    attached: tuple[bytes, ...]  # paths
    output: Output

    def run(self, question: str, conversation: Conversation, stop: Stop) -> tuple[AgentEvent, ...]:
        """Print the events of a run, and return them."""
        asked = Question(question, conversation, self.scope, self.filters, attached=self.attached)
        run = paid_run(asked, self.toolkit, self.models, self.engine, self.settings, stop)
        with closing(run):
            narrator = Narrator(self.output, streaming=self.output.console.is_terminal, scope=scope_text(self.filters))
            return _print_events(run, narrator, self.output, self.models.profile)


def ask(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Print every step and the cited answer; return 1 if nothing was found or the run failed.

    With filters only the documents that fulfil them are searched; if there are none, the model is not asked.
    """
    with _asking(library, options, scope_filters(options), output, stop) as asking:
        if asking is None:
            return NOTHING
        if options.interactive:
            return _conversation(library, options.question, asking, output)
        *_, last = asking.run(options.question, Conversation(), stop)
    if isinstance(last, RunStopped):
        return INTERRUPTED
    return FOUND if isinstance(last, Answered) and last.found else NOTHING


def converse(library: Library, question: str, filters: tuple[Filter, ...], output: Output, stop: Stop) -> bool:
    """Ask in this terminal, as the settings say, and go on asking; return whether there was anything to search."""
    usual = argparse.Namespace(toolkit=None, profile=None, model_file=None, attach=[])
    with _asking(library, usual, filters, output, stop) as asking:
        if asking is not None:
            _conversation(library, question, asking, output)
        return asking is not None


def _conversation(library: Library, first: str | None, asking: Asking, output: Output) -> int:
    from desktop_rag.cli.asking.ask_session import AskSession

    return AskSession(library, asking, output).run(first)


@contextmanager
def _asking(
    library: Library, options: argparse.Namespace, filters: tuple[Filter, ...], output: Output, stop: Stop
) -> Generator[Asking | None]:
    """Yield what answers questions while the block runs, None if there is nothing to search."""
    settings = load(settings_file())
    tools = toolkit(options.toolkit or settings.toolkit)
    with closing(open_engine(library)) as engine, ExitStack() as resources:
        own = resources.enter_context(attached(library, engine, options.attach, output, stop))
        scope = scope_within(engine, filters, stop)
        if filters and own:
            scope = replace(scope, contents=(*scope.contents, *engine.attached_contents(own, stop)))
        if filters and not scope.contents:
            output.error("Nothing to search", f"No document fulfils {one_line(printable(scope_text(filters)))}.")
            yield None
            return
        models = resources.enter_context(_models(settings, options.profile, options.model_file, output, stop))
        paths = tuple(os.fsencode(os.path.realpath(file)) for file in options.attach)
        # Filters of the query would exclude what is attached: the contents are limited already.
        limits = () if own else filters
        yield Asking(engine, tools, settings, models, replace(scope, attached=own), limits, paths, output)


@contextmanager
def _models(
    settings: Settings, profile: str | None, model_file: Path | None, output: Output, stop: Stop
) -> Generator[RunModels]:
    """Yield the models of an endpoint; a model file is served until the block ends."""
    if model_file is not None:
        if not model_file.is_file():  # reading a pipe would wait for ever
            raise LocalModelError(f"{printable(model_file.name)} is no file.")
        described = next(listed_files(stop, model_file.resolve()), None)
        if described is None or described.problem:
            raise LocalModelError(described.problem if described else f"{printable(model_file.name)} cannot be read.")
        local = file_profile(model_file, model=described.name, window=described.window)
        try:
            yield RunModels(local, chat_model(local, "", remembered=False))
        finally:
            shared_server().close()
        return
    yield models_of(settings, profile)


def _print_events(
    events: Iterator[AgentEvent], narrator: Narrator, output: Output, profile: Profile | None
) -> tuple[AgentEvent, ...]:
    seen = list[AgentEvent]()
    for event in events:
        seen.append(event)
        billed = [each for each in seen if isinstance(each, Routed | Answered)]
        costs = stage_costs(billed, profile) if isinstance(event, Answered) else ()
        if output.as_json:
            output.value(event_json(event) | ({"costs": msgspec.to_builtins(costs)} if costs else {}))
        else:
            narrator.print(event)
            narrator.print_costs(costs)
    return tuple(seen)
