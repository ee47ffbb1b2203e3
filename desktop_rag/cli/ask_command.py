"""`desktop-rag ask`: the agent's steps as they happen, then the answer with its sources."""

import argparse
import os
import signal
import subprocess
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.agent.budget import stage_costs
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.listed_conversations import title_of
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId, Turn
from desktop_rag.agent.events import AgentEvent, Answered, Citation, Routed, RunFailed, RunStopped
from desktop_rag.agent.events_json import event_json
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.run.usual_run import RunModels, models_of, paid_run
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.cli.export_command import FORMATS, as_document, format_of_file, write_document
from desktop_rag.cli.narrator import Narrator
from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output, shown_path, stop_on_interrupt
from desktop_rag.cli.scope_options import scope_filters, scope_text
from desktop_rag.cli.search_command import open_engine
from desktop_rag.cli.terminal import has_screen
from desktop_rag.errors import DesktopRagError, LibraryRefused, LocalModelError
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.llm.local_model.local_server import file_profile, listed_files, shared_server
from desktop_rag.paths import settings_file
from desktop_rag.processes.child import own_command
from desktop_rag.retrieval.api import Attachment, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings, load
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, one_line, printable

# `desktop-rag ask -i`: a conversation in the terminal; Ctrl+C stops an answer, not the conversation.

COMMANDS = {
    "/sources": "the sources of the last answer",
    "/open N": "show source N in the window",
    "/history": "the questions so far",
    "/new": "begin a new conversation",
    "/save": "keep the conversation in the library; it is in the window at its next start",
    "/save FILE": "write it to a .md, .html, .json, .bib, .ris or .csl file",
    "/quit": "end, as Ctrl+D does",
}


class AskSession:
    """Reads questions and commands, line by line, and keeps the conversation."""

    def __init__(self, library: Library, asking: "Asking", output: Output) -> None:
        self._library = library
        self._asking = asking
        self._output = output
        self._turns: tuple[Turn, ...] = ()
        self._saved: ConversationId | None = None

    def run(self, first: str | None) -> int:
        """Answer `first`, then what is typed, until the input ends."""
        with suppress(ImportError):  # not on Windows, whose terminal edits lines by itself
            import readline  # noqa: F401
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._output.note("Ask a question. /help lists the commands, Ctrl+C stops an answer, Ctrl+D ends.", "")
        line = first
        while line != "/quit":
            try:
                if line:
                    self._take(line.strip())
                line = input("\n> ")
            except KeyboardInterrupt:
                self._output.note("\n/quit or Ctrl+D ends.", "")
                line = None
            except EOFError:
                break
            except DesktopRagError as error:
                self._output.error(error.title, str(error))
                line = None
        return FOUND

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "/sources":
                self._print_sources()
            case "/open":
                self._open(rest.strip())
            case "/history":
                for turn in self._turns:
                    self._output.line(f"{turn.number:3}  {one_line(turn.question)}")
            case "/new":
                self._turns, self._saved = (), None
            case "/save":
                self._save(rest.strip())
            case _ if word.startswith("/"):
                for name, meaning in COMMANDS.items():
                    self._output.text((f"{name:12}", "bold"), (meaning, ""))
            case _ if line:
                self._ask(line)

    def _ask(self, question: str) -> None:
        asked, number = time.time_ns(), len(self._turns) + 1
        with stop_on_interrupt() as stop:
            events = self._asking.run(question, Conversation(self._turns), stop)
        self._turns = (*self._turns, Turn(number, question, events, asked, number - 1))

    def _sources(self) -> tuple[Citation, ...]:
        match self._turns[-1].events[-1] if self._turns else None:
            case Answered(citations=found) | RunStopped(citations=found) | RunFailed(citations=found):
                return found
        return ()

    def _print_sources(self) -> None:
        if not self._sources():
            self._output.note("There are no sources.", "")
        for each in self._sources():
            place = location_text(each.page, each.first_line, each.last_line, each.section)
            self._output.text((f"[{each.number}] {shown_path(each.path)}", "bold"), (f"  {place}", "dim"))
            self._output.line(f"    “{one_line(shown_words(each))}”", "dim")

    def _open(self, number: str) -> None:
        found = [each for each in self._sources() if str(each.number) == number]
        if not found:
            self._output.note("There is no such source. /sources lists them.", "")
            return
        place = f"{found[0].path}#L{found[0].first_line}-L{found[0].last_line}"
        if not has_screen():
            self._output.note(f"There is no screen for the window. The source is {shown_path(place)}", "")
            self._output.line(f"    “{one_line(found[0].quote)}”", "dim")
            return
        command = own_command("open", "--library", str(self._library.folder), place)
        nowhere = subprocess.DEVNULL
        subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)

    def _save(self, name: str) -> None:
        if not self._turns:
            self._output.note("There is nothing to save yet.", "")
            return
        if name:
            file = Path(name).expanduser()
            if file.suffix.removeprefix(".").lower() not in (*FORMATS, "markdown", "txt", ""):
                endings = ", ".join(f".{each}" for each in FORMATS)
                self._output.note(f"Nothing was saved: the name must end with one of {endings}.", "")
                return
            turns = self._turns
            title = title_of(turns[0].question)
            write_document(file, as_document(title, lambda _: turns, format_of_file(file), self._asking.engine, Stop()))
            self._output.note(f"Saved as {shown_path(file)}", "")
            return
        with closing(ConversationStore(self._library.conversations)) as store:
            self._saved = self._saved or store.begin(self._turns[0].question)
            store.save_all(self._saved, self._turns)
        self._output.note(f"Saved as conversation {self._saved}", "")


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
