"""The loop of `search -i`: keys change the view, and each change of the query searches."""

import queue
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Generic, TypeVar

from desktop_rag.cli.live_search.live_view import HEADER, LiveView, shown_hits
from desktop_rag.cli.live_search.raw_terminal import Key, RawTerminal
from desktop_rag.cli.terminal import has_screen
from desktop_rag.errors import DesktopRagError, QueryError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.processes.child import own_command
from desktop_rag.retrieval.api import Hit, LineWindow, Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

# A thread that does the last thing asked of it; what was asked before is stopped.

Done = TypeVar("Done")


class LatestWork(Generic[Done]):
    """`done` holds what was returned, or the error raised; `wake` is called from the thread when there is something."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.done: queue.SimpleQueue[Done | DesktopRagError] = queue.SimpleQueue()
        self._wake = wake
        self._changed = threading.Condition()
        self._wanted: Callable[[Stop], Done] | None = None
        self._stop = Stop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="live search", daemon=True)
        self._thread.start()

    def ask(self, work: Callable[[Stop], Done]) -> None:
        """Do this next; work in progress is stopped, and its result not told."""
        with self._changed:
            self._wanted = work
            self._stop.set()
            self._changed.notify()

    def close(self) -> None:
        """Stop the work and end the thread."""
        with self._changed:
            self._closed = True
            self._stop.set()
            self._changed.notify()
        self._thread.join(5)

    def _run(self) -> None:
        while (work := self._next()) is not None:
            try:
                found: Done | DesktopRagError = work(self._stop)
            except Stopped:
                continue
            except DesktopRagError as error:
                found = error
            with self._changed:
                if self._stop.is_set():  # something newer was asked for meanwhile
                    continue
                self.done.put(found)
            self._wake()

    def _next(self) -> Callable[[Stop], Done] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._wanted is not None or self._closed)
            work, self._wanted, self._stop = self._wanted, None, Stop()
            return None if self._closed else work


LIMIT = 30  # hits
CONTEXT = 3  # lines shown above a hit
LONGEST = 2_000  # characters of a query
_MODES = tuple(Mode)

Found = SearchResult | LineWindow


class LiveSession:
    """One session on a library; the searcher is a process that stays until its end."""

    def __init__(self, library: Library, terminal: RawTerminal, view: LiveView) -> None:
        self._library = library
        self._terminal = terminal
        self._view = view
        self._opening: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._question = ""

    def run(self) -> str:
        """Take keys until the user or a signal ends it; return the query if it is to be asked as a question."""
        with (
            closing(SearcherClient(self._library.folder)) as self._retriever,
            closing(LatestWork[Found](self._terminal.wake)) as self._work,
        ):
            self._search()
            while not (self._ended or self._terminal.ended):
                self._terminal.paint(*self._view.rows(*self._terminal.size))
                for key in self._terminal.wait():
                    self._take(key)
                self._show_found()
        return self._question

    def _take(self, key: Key) -> None:
        if key.name == "quit":
            self._ended = True
        elif key.name == "ask":
            self._question = self._view.query.strip()
            self._ended = bool(self._question)
        elif key.name == "redraw":
            self._terminal.forget()
        elif key.name == "enter":
            self._open()
        elif self._view.reading is not None:
            self._read_on(self._view.reading, key)
        elif key.name == "escape":
            self._ended = True
        else:
            self._edit_or_choose(key)

    def _edit_or_choose(self, key: Key) -> None:
        view, page = self._view, shown_hits(self._terminal.size[1])
        steps = {"up": -1, "down": 1, "page_up": -page, "page_down": page}
        if key.name in steps:
            view.move(steps[key.name], self._terminal.size[1])
        elif key.name == "right" and view.cursor == len(view.query):
            self._read_from(view.hit.snippet.span.first_line - CONTEXT if view.hit else 0)
        elif key.name in ("left", "right", "home", "end"):
            places = {"left": view.cursor - 1, "right": view.cursor + 1, "home": 0, "end": len(view.query)}
            view.cursor = max(0, min(places[key.name], len(view.query)))
        elif self._edit(key):
            self._search()

    def _edit(self, key: Key) -> bool:
        """Change the query, mode or filters; return whether that needs another search."""
        view = self._view
        before = (view.query, view.mode, view.filters)
        match key.name:
            case "text":
                view.type(key.text[: LONGEST - len(view.query)])
            case "backspace":
                view.delete(view.cursor - 1, view.cursor)
            case "delete":
                view.delete(view.cursor, view.cursor + 1)
            case "clear":
                view.delete(0, view.cursor)
            case "word":
                kept = view.query[: view.cursor].rstrip()
                view.delete(kept.rfind(" ") + 1, view.cursor)
            case "tab" | "back_tab":
                step = 1 if key.name == "tab" else -1
                view.mode = _MODES[(_MODES.index(view.mode) + step) % len(_MODES)]
            case "type":
                self._toggle(FileField.EXT, lambda hit: hit.path.suffix.removeprefix("."))
            case "folder":
                self._toggle(FileField.FOLDER, lambda hit: str(hit.path.parent))
        return before != (view.query, view.mode, view.filters)

    def _toggle(self, field: FileField, value: Callable[[Hit], str]) -> None:
        """Restrict the search to files like the selected one, or lift such a restriction."""
        view = self._view
        others = tuple(each for each in view.filters if each.field is not field)
        if others == view.filters and view.hit is not None and (text := value(view.hit)):
            view.filters = (*others, Filter(field, text))
        else:
            view.filters = others

    def _search(self) -> None:
        view = self._view
        view.note = ""
        if not view.query.strip():
            view.result, view.hits = None, ()
            self._work.ask(lambda stop: self._retriever.search(SearchRequest("", view.mode, 1), stop))  # starts it
            return
        request = SearchRequest(view.query, view.mode, LIMIT, filters=view.filters, unfinished=True)
        self._work.ask(lambda stop: self._retriever.search(request, stop))

    def _show_found(self) -> None:
        view = self._view
        while not self._work.done.empty():
            match self._work.done.get():
                case QueryError() as error:
                    view.note = f"{error}{f' Did you mean: {error.suggestion}' if error.suggestion else ''}"
                case DesktopRagError() as error:
                    view.note = f"{error.title}: {error}"
                case LineWindow() as window:
                    view.reading = window
                case SearchResult(query=query) as result if query == view.query and query.strip():
                    view.show(result)
        if self._opening is not None and self._opening.poll():
            view.note, self._opening = "The window cannot be opened here. → reads the lines in this terminal.", None

    def _open(self) -> None:
        """Show the selected hit at its line: in the window, or here where there is no screen."""
        hit = self._view.hit
        if hit is None:
            return
        span = hit.snippet.span
        if not has_screen():
            self._read_from(span.first_line - CONTEXT)
            return
        place = f"{hit.path}#L{span.first_line}-L{span.last_line}"
        command = own_command("open", "--library", str(self._library.folder), place)
        nowhere = subprocess.DEVNULL
        self._opening = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
        self._view.note = f"Opening {hit.path.name} at line {span.first_line} …"

    def _read_on(self, window: LineWindow, key: Key) -> None:
        page = max(1, self._terminal.size[1] - HEADER - 2)
        steps = {"up": -1, "down": 1, "page_up": -page, "page_down": page, "home": -window.total, "end": window.total}
        if key.name in steps:
            self._read_from(min(window.first + steps[key.name], window.total - page + 1))
        elif key.name in ("left", "escape", "backspace"):
            self._view.reading, self._view.note = None, ""

    def _read_from(self, first: int) -> None:
        hit = self._view.hit
        if hit is not None:
            count = self._terminal.size[1]
            self._view.note = str(hit.path)
            self._work.ask(partial(self._retriever.read_lines, hit.content, max(1, first), count))


def live_search(library: Library, view: LiveView) -> str:
    """Search at each key in the terminal of standard input and output; return what to ask, "" if the user ends it."""
    with RawTerminal() as terminal:
        return LiveSession(library, terminal, view).run()
