"""The loop of `search -i`: keys change the view, and each change of the query searches."""

import io
import queue
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from desktop_rag.cli.raw_terminal import Key, RawTerminal
from desktop_rag.cli.terminal import has_screen
from desktop_rag.errors import DesktopRagError, QueryError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.processes.child import own_command
from desktop_rag.retrieval.api import Hit, LineWindow, Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, one_line, plural, printable

# What `search -i` shows: the query, the hits with their snippets, or the lines of a document, as rows of text.

HEADER, FOOTER = 2, 1  # rows above and below the list
SNIPPET_ROWS = 2
_MEASURE = Console(file=io.StringIO())  # what wraps text asks it for nothing but its settings
HIT_ROWS = 1 + SNIPPET_ROWS
KEYS = "↑↓ choose  Enter open  → read  Tab mode  ^T type  ^O folder  ^Q ask  Esc end"
READING_KEYS = "↑↓ PgUp PgDn move  Enter open in the window  ← Esc back to the hits"


@dataclass
class LiveView:
    """The state of a session; `first_hit` is the first one on the screen."""

    query: str = ""
    cursor: int = 0
    mode: Mode = Mode.HYBRID
    filters: tuple[Filter, ...] = ()
    result: SearchResult | None = None
    note: str = ""
    selected: int = 0
    first_hit: int = 0
    reading: LineWindow | None = None
    hits: tuple[Hit, ...] = field(default=())

    @property
    def hit(self) -> Hit | None:
        """Return the selected hit."""
        return self.hits[self.selected] if self.selected < len(self.hits) else None

    def type(self, text: str) -> None:
        """Insert text at the cursor."""
        self.query = self.query[: self.cursor] + text + self.query[self.cursor :]
        self.cursor += len(text)

    def delete(self, start: int, end: int) -> None:
        """Delete these characters of the query."""
        start, end = max(0, start), min(end, len(self.query))
        self.query, self.cursor = self.query[:start] + self.query[end:], start

    def show(self, result: SearchResult) -> None:
        """Show a result from its first hit on."""
        self.result, self.hits = result, (*result.hits, *result.similar)
        self.selected = self.first_hit = 0
        self.note = result.note

    def move(self, steps: int, height: int) -> None:
        """Select another hit, and scroll the list to it."""
        self.selected = max(0, min(self.selected + steps, len(self.hits) - 1))
        shown = shown_hits(height)
        self.first_hit = max(min(self.first_hit, self.selected), self.selected - shown + 1)

    def rows(self, width: int, height: int) -> tuple[list[Text], int]:
        """Return the rows of the screen, and the column of the cursor in the first."""
        prompt, cursor = self._prompt(width)
        room = height - HEADER - FOOTER
        shown = self._lines(self.reading, width, room) if self.reading else self._hits(width, room)
        keys = READING_KEYS if self.reading else KEYS
        return [prompt, self._status(), *_filled(shown, room), Text(keys, "dim")], cursor

    def _prompt(self, width: int) -> tuple[Text, int]:
        mode = f"{self.mode.value} › "
        query, before = one_line(self.query), one_line(self.query[: self.cursor])
        room = width - cell_len(mode) - 1
        while cell_len(before) > room:  # the beginning of a long query is left out
            query, before = query[1:], before[1:]
        return Text.assemble((mode, "bold cyan"), query), cell_len(mode) + cell_len(before)

    def _status(self) -> Text:
        parts = [_described(each) for each in self.filters]
        result = self.result
        if self.note:
            return Text.assemble((one_line(" · ".join((self.note, *parts))), "yellow"))
        if result is not None and self.query.strip():
            found = plural(len(result.hits), "hit") if result.hits else "nothing found"
            found = f"the best {found}" if result.more else found
            parts.insert(0, f"{found}, {max(1, round(result.took_ms))} ms")
            if result.suggestion:
                parts.append(f"did you mean: {one_line(printable(result.suggestion))}")
            elif result.without_words:
                parts.append("similar in meaning, without your words")
        return Text(
            " · ".join(parts) or "Type to search; conditions such as ext:pdf or folder:contracts restrict it.", "dim"
        )

    def _hits(self, width: int, room: int) -> list[Text]:
        rows: list[Text] = []
        for place in range(self.first_hit, min(len(self.hits), self.first_hit + room // HIT_ROWS + 1)):
            rows += self._hit(place, width)
        return rows

    def _hit(self, place: int, width: int) -> list[Text]:
        hit = self.hits[place]
        apart = self.result is not None and place >= len(self.result.hits)
        name, folder = one_line(printable(hit.path.name)), one_line(printable(_short(hit.path.parent)))
        span = hit.snippet.span
        where = location_text(hit.page, span.first_line, span.last_line, one_line(hit.section))
        head = Text.assemble(
            ("▸ " if place == self.selected else "  ", "bold cyan"),
            (name, "bold reverse" if place == self.selected else "bold"),
            (f"  {where}", ""),
            ("  similar" if apart else "  found by its name" if hit.why.by_name else "", "italic"),
            (f"  {folder}", "dim"),
        )
        return [head, *_filled(_snippet(hit, width), SNIPPET_ROWS)]

    def _lines(self, window: LineWindow, width: int, room: int) -> list[Text]:
        hit = self.hit
        first, last = (hit.snippet.span.first_line, hit.snippet.span.last_line) if hit else (0, 0)
        rows: list[Text] = []
        for number, line in enumerate(window.lines, window.first):
            cited = first <= number <= last
            lead = Text(f"{number:>6} {'▌' if cited else ' '} ", "cyan" if cited else "dim")
            # A line longer than the screen shows what fits there.
            for row in _wrapped(Text(one_line(line)[: width * room]), width - 9)[:room] or [Text()]:
                rows.append(lead + row)
                lead = Text(" " * 9)
        return rows


def shown_hits(height: int) -> int:
    """Return how many whole hits fit on a screen of this height."""
    return max(1, (height - HEADER - FOOTER) // HIT_ROWS)


def _snippet(hit: Hit, width: int) -> list[Text]:
    text = Text("\n".join(map(one_line, hit.snippet.text.split("\n"))))
    for start, end in hit.snippet.marks:
        text.stylize("bold yellow", start, end)
    rows = [row for line in text.split("\n") for row in _wrapped(line, width - 4)]
    if len(rows) > SNIPPET_ROWS:
        rows[SNIPPET_ROWS - 1].append(" …")
    return [Text("    ") + row for row in rows[:SNIPPET_ROWS]]


def _wrapped(line: Text, width: int) -> list[Text]:
    rows = list(line.wrap(_MEASURE, max(10, width)))
    for row in rows:
        row.rstrip()
    return rows


def _filled(rows: list[Text], count: int) -> list[Text]:
    return (rows + [Text()] * count)[:count]


def _described(each: Filter) -> str:
    return f"{each.field.value}: {one_line(printable(each.text))}"


def _short(folder: Path) -> Path:
    home = Path.home()
    return Path("~") / folder.relative_to(home) if folder.is_relative_to(home) else folder


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
