"""What the methods of a library return to Python programs."""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from html import escape
from pathlib import Path
from types import MappingProxyType

from markdown_it import MarkdownIt

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.marks import describe_claim
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import AgentEvent, Answered, Citation, Claim, Mark, RunFailed, RunUsage
from desktop_rag.errors import DesktopRagError, ModelError
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, printable
from desktop_rag.work.arrangement import state_of
from desktop_rag.work.columns import Column, Kind, amount_of
from desktop_rag.work.table import Row, Table

# Hits and answers as HTML for notebooks; everything from documents is escaped.

_CITED = re.compile("\ue000(\\d+)\ue001")
ShownHit = tuple[Path, int | None, int, int, str, tuple[tuple[int, int], ...]]  # path, page, lines, snippet, marks


def hits_html(query: str, hits: Sequence[ShownHit]) -> str:
    """Return hits as an ordered list with their matches marked."""
    if not hits:
        return f"<p>Nothing found for: {_text(query)}</p>"
    rows = (
        f"<li><b>{_text(path.name)}</b> <small>{location_text(page, first, last)} · {_text(path.parent)}</small>"
        f'<div style="white-space: pre-wrap">{_marked(snippet, marks)}</div></li>'
        for path, page, first, last, snippet, marks in hits
    )
    return f"<ol>{''.join(rows)}</ol>"


def answer_html(text: str, citations: Sequence[Citation]) -> str:
    """Return the text of an answer, which is Markdown, and its sources; links and pictures in it stay text."""
    marked = LINK.sub("\ue000\\1\ue001", text.replace("\ue000", "").replace("\ue001", ""))
    shown = _CITED.sub(r"<sup>[\1]</sup>", _markdown().render(printable(marked)))
    rows = (
        f"<li value={each.number}><b>{_text(Path(each.path).name)}</b> "
        f"<small>{location_text(each.page, each.first_line, each.last_line)} · {_text(each.verdict)}</small>"
        f"<br><q>{_text(shown_words(each))}</q></li>"
        for each in citations
    )
    sources = f"<ol>{''.join(rows)}</ol>" if citations else ""
    return f"<div>{shown}</div>{sources}"


def _markdown() -> MarkdownIt:
    rules = ["link", "image", "autolink", "html_inline", "html_block", "reference"]
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(rules)


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> str:
    parts, end = list[str](), 0
    for first, last in marks:
        parts += [_text(text[end:first]), f"<mark>{_text(text[first:last])}</mark>"]
        end = last
    return "".join((*parts, _text(text[end:])))


def _text(text: object) -> str:
    return escape(printable(str(text)))


@dataclass(frozen=True, slots=True)
class LibraryFolder:
    """A folder or file of the library; counts are files, `searchable` ones are a part of `found`."""

    path: Path
    state: str  # active, paused or offline
    found: int
    searchable: int
    unread: int


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far reading and encoding are; `done` is true once, at the end. `trouble` says what hinders it."""

    phase: str
    files: int
    searchable: int
    sentences: int
    sentences_ready: int
    eta_seconds: float | None
    trouble: str
    done: bool


@dataclass(frozen=True, slots=True)
class LibraryDocument:
    """A document of the library; `id` is the SHA-256 of its file."""

    id: str
    path: Path | None
    title: str
    format: str
    author: str
    language: str
    lines: int
    words: int
    pages: int


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """Another place of a found passage that has the words searched for."""

    page: int | None
    section: str
    first_line: int
    last_line: int
    snippet: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that matches a search: lines `first_line` to `last_line` of a document, and `further` places."""

    rank: int
    document: str  # its id
    path: Path
    title: str
    page: int | None
    section: str
    first_line: int
    last_line: int
    snippet: str
    marks: tuple[tuple[int, int], ...]  # matched ranges in the snippet
    score: float
    date: datetime | None  # of the mail, photo or document, else of the file; in local time
    size: int  # of the file, in bytes
    further: tuple[PassagePlace, ...] = ()

    def _repr_html_(self) -> str:
        """Return the hit as HTML, for notebooks."""
        return hits_html("", [self._shown()])

    def _shown(self) -> ShownHit:
        return (self.path, self.page, self.first_line, self.last_line, self.snippet, self.marks)


@dataclass(frozen=True, slots=True)
class TextlessHit:
    """A file without text whose name matches a search: a scan, a picture; `reason` says why, if that is known."""

    path: Path
    date: datetime | None
    size: int
    reason: str


@dataclass(frozen=True, slots=True)
class PassageHits:
    """The hits of a search, best first or as sorted; `named` are apart, and not counted.

    `note` says what could not be searched, `suggestion` is a better query. `more`: further passages have words of it.
    """

    query: str
    hits: tuple[PassageHit, ...]
    note: str = ""
    suggestion: str = ""
    named: tuple[TextlessHit, ...] = ()
    more: bool = False

    def __iter__(self) -> Iterator[PassageHit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> PassageHit:
        return self.hits[index]

    def _repr_html_(self) -> str:
        return hits_html(self.query, [hit._shown() for hit in self])


@dataclass(frozen=True, slots=True)
class LinesRead:
    """Lines of a document, from line `first`; the document has `total` lines."""

    document: str
    first: int
    lines: tuple[str, ...]
    total: int

    def __str__(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class FoundText:
    """Lines around the occurrences of `pattern` in a document; `marks` are (line, start, end)."""

    pattern: str
    page: int | None
    first_line: int
    lines: tuple[str, ...]
    marks: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class LibraryAnswer:
    """An answer in Markdown with citations as `[1](cite:1)`; `claims` are its statements, each checked."""

    question: str
    text: str
    found: bool
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    usage: RunUsage
    seconds: float

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return answer_html(self.text, self.citations)


class LibraryRun:
    """A run of the agent: iterate over its events, or call `answer`; not for several threads, but for `stop`."""

    def __init__(self, question: str, events: Generator[AgentEvent], stop: Stop) -> None:
        self.question = question
        self._events = events
        self._stop = stop
        self._last: AgentEvent | None = None

    def __iter__(self) -> Iterator[AgentEvent]:
        return self

    def __next__(self) -> AgentEvent:
        self._last = next(self._events)
        return self._last

    def stop(self) -> None:
        """Stop the run; its last event is then `RunStopped`, `Answered` if the answer was complete. From any thread."""
        self._stop.set()

    def close(self) -> None:
        """End the run, if it has not ended."""
        self._stop.set()
        self._events.close()

    def answer(self) -> LibraryAnswer:
        """Carry the run to its end and return the answer; raises `DesktopRagError` if it failed or was stopped."""
        for _ in self:
            pass
        match self._last:
            case Answered() as last:
                return LibraryAnswer(
                    *(self.question, last.text, last.found, last.citations, last.claims, last.usage, last.seconds)
                )
            case RunFailed() as failed:
                raise ModelError(failed.message, failed.title)
        self._stop.check()
        raise DesktopRagError("The run ended without an answer.")


# A filled table for Python programs: rows of cells with their proofs, and columns of plain values for pandas.

PlainValue = str | float | bool | date | None


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell: its value by the kind of its column, None without one, and its text as written.

    `state` is found, absent (the document does not say it), unstated (nothing was found without a model), failed,
    waiting, stale, corrected, gone or doubtful. The quotation stands in the lines; `mark` says what was checked.
    """

    value: PlainValue
    text: str
    state: str
    unit: str = ""
    quote: str = ""
    page: int | None = None
    first_line: int = 0
    last_line: int = 0
    mark: Mark | None = None
    says: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A document and its cells by the questions of their columns."""

    document: str  # its id
    path: Path
    title: str
    cells: Mapping[str, TableCell]

    def __getitem__(self, column: str) -> TableCell:
        return self.cells[column]


@dataclass(frozen=True, slots=True)
class FilledTable:
    """A table; `left` cells have no result, `trouble` says why. It is kept in the library under its name."""

    id: int
    name: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    left: int = 0
    trouble: str = ""

    def __iter__(self) -> Iterator[TableRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def data(self) -> dict[str, list[PlainValue]]:
        """The values by column, for `pandas.DataFrame(table.data)`."""
        values: dict[str, list[PlainValue]] = {"document": [row.title for row in self.rows]}
        return values | {column: [row[column].value for row in self.rows] for column in self.columns}

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{_table_text(name)}</th>" for name in ("", *self.columns))
        rows = (
            f"<tr><th>{_table_text(row.title)}</th>{''.join(_cell_html(row[column]) for column in self.columns)}</tr>"
            for row in self.rows
        )
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def filled_table(table: Table, left: int = 0, trouble: str = "") -> FilledTable:
    """Return a stored table for Python programs."""
    rows = tuple(
        TableRow(
            row.sha256,
            Path(row.path),
            row.title,
            MappingProxyType({column.name: _cell(table, row, column) for column in table.columns}),
        )
        for row in table.rows
    )
    return FilledTable(table.id, table.name, tuple(column.name for column in table.columns), rows, left, trouble)


def _cell(table: Table, row: Row, column: Column) -> TableCell:
    cell = table.cell(row.number, column.id)
    amount = amount_of(cell.shown_normal) if column.kind is Kind.AMOUNT else None
    citation = cell.proof.citation if cell.proof else None
    return TableCell(
        value=_plain(column, cell.shown, cell.shown_normal),
        text=cell.shown,
        state=state_of(table, row, column),
        unit=amount.unit if amount else "",
        quote=citation.quote if citation else "",
        page=citation.page if citation else None,
        first_line=citation.first_line if citation else 0,
        last_line=citation.last_line if citation else 0,
        mark=cell.proof.claim.mark if cell.proof else None,
        says=describe_claim(cell.proof.claim) if cell.proof else "",
        note=cell.note,
    )


def _plain(column: Column, text: str, normal: str) -> PlainValue:
    """Return a value by its kind; as text what says less than a whole date, or is no amount."""
    if not text:
        return None
    match column.kind:
        case Kind.AMOUNT if amount := amount_of(normal):
            return float(amount.number)
        case Kind.DATE if len(normal) == len("2024-01-31"):
            return date.fromisoformat(normal)
        case Kind.YES_NO if normal:
            return normal == "yes"
        case Kind.ONE_OF if normal:
            return normal
        case _:
            return text


def _cell_html(cell: TableCell) -> str:
    title = f"{cell.quote} ({cell.says or cell.state})"
    return f'<td title="{_table_text(title)}">{_table_text(cell.text)}</td>'


def _table_text(text: str) -> str:
    return escape(printable(text))
