"""`desktop-rag ask -i`: a conversation in the terminal; Ctrl+C stops an answer, not the conversation."""

import signal
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path

from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.listed_conversations import title_of
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId, Turn
from desktop_rag.agent.events import Answered, Citation, RunFailed, RunStopped
from desktop_rag.cli.asking.ask_command import Asking
from desktop_rag.cli.export_command import FORMATS, as_document, format_of_file, write_document
from desktop_rag.cli.interruption import stop_on_interrupt
from desktop_rag.cli.output import FOUND, Output, shown_path
from desktop_rag.cli.terminal import has_screen
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.library import Library
from desktop_rag.processes.child import own_command
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, one_line

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

    def __init__(self, library: Library, asking: Asking, output: Output) -> None:
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
