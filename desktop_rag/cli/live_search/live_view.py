"""What `search -i` shows: the query, the hits with their snippets, or the lines of a document, as rows of text."""

import io
from dataclasses import dataclass, field
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from desktop_rag.retrieval.api import Hit, LineWindow, Mode, SearchResult
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.text.display import location_text, one_line, plural, printable

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
