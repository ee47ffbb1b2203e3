"""Collects the tables among the lines that were read: header, rows, the words around them, and whether they end."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from desktop_rag.agent.citations.quoted_rows import cells_of, is_row
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.language_detection import detect

SHEETS = (".csv", ".tsv", ".xlsx", ".xls", ".ods")  # files in which only the last cells of a row can be missing
LINES_ABOVE = LINES_BELOW = 3  # of a table that may introduce it, or state its total
_RULE = re.compile(r"[\s|:+=_-]+")  # the line below a header
_TOTAL = re.compile(r"(?:grand |sub-?)?(?:total|sum)\b|summe\b|gesamt|insgesamt|zwischensumme", re.IGNORECASE)
_LENGTH = re.compile(r"^Viewing lines .* of (\d+) lines$", re.MULTILINE)
_AMOUNT = re.compile(
    r"(?P<sign>[-–−(]?)\s?(?:[€$£¥]|[A-Z]{3} )?\s?(?P<digits>\d[\d.,'’ \u00a0]*)"
    r"(?P<unit>\s?(?:[€$£¥%]|[^\W\d_]{1,8}))?\)?"
)
_HAS_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class TableRow:
    """A row of a table: its cells, and the line where it stands."""

    cells: tuple[str, ...]
    text: str
    reference: str
    line: int

    @cached_property
    def stems(self) -> tuple[frozenset[str], ...]:
        """The stems of each cell."""
        return tuple(frozenset(stems(cell.replace("_", " "))) for cell in self.cells)

    def of_width(self, width: int) -> "TableRow":
        """Return the row with so many cells; a sheet has none after the last one that is filled."""
        return replace(self, cells=(*self.cells, *("" for _ in range(width - len(self.cells)))))

    @property
    def is_total(self) -> bool:
        """Whether the row itself adds up others."""
        return any(_TOTAL.match(cell) for cell in self.cells)


@dataclass(frozen=True)
class ReadTable:
    """A table that was read; `around` are the stems of its document's names, heading and introduction."""

    title: str
    file: str
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    around: frozenset[str]
    whole: bool  # its last row is known to be the last
    ragged: bool  # rows lack their last cells: a column of notes may have words of the question by chance
    states_total: bool  # one of its rows, or a line just below it, adds up others
    language: str

    @cached_property
    def names(self) -> tuple[frozenset[str], ...]:
        """The stems of the name of each column."""
        return tuple(frozenset(stems(name.replace("_", " "))) for name in self.header)

    @cached_property
    def amounts(self) -> dict[int, dict[TableRow, Decimal]]:
        """The amounts of each column that has nothing else, by row, without the first one, which names the rows."""
        found: dict[int, dict[TableRow, Decimal]] = {}
        for column in range(1, len(self.header)):
            cells = {row: row.cells[column] for row in self.rows if row.cells[column].strip(" -–—")}
            read = amounts_in(list(cells.values()))
            if read and None not in read and not self.names[column] & _CALENDAR:
                whole = zip(cells, read, strict=True)
                found[column] = {row: value for row, value in whole if value is not None and not row.is_total}
        return found

    @cached_property
    def totals(self) -> dict[int, TableRow]:
        """The row of each column of amounts that adds it up, if there is one."""
        added = [row for row in self.rows if row.is_total]
        found = {column: [row for row in added if row.cells[column].strip()] for column in self.amounts}
        return {column: rows[0] for column, rows in found.items() if len(rows) == 1}

    def quoted(self, row: TableRow) -> CandidateSentence:
        """Return a row as a sentence to quote."""
        return CandidateSentence(
            row.text,
            row.reference,
            self.title,
            row.line,
            row.line,
            file=self.file,
            columns="\t".join(self.header),
            shape=SentenceShape.ROW,
        )


_CALENDAR = frozenset(stems("year date day month number no nr id jahr datum tag monat nummer"))  # nothing to add up


@dataclass
class _Lines:
    """The lines read of one document, with their references, and its length if a tool told it."""

    lines: dict[int, tuple[str, str]] = field(default_factory=dict)
    length: int = 0
    unclear: bool = False  # two documents have this name


def read_tables(results: Sequence[ToolMessage]) -> list[ReadTable]:
    """Return the tables with a header and at least two rows, each with as many cells."""
    documents: dict[tuple[str, str], _Lines] = {}
    for result in results:
        length = _LENGTH.search(result.text)
        for evidence in result.evidence:
            document = documents.setdefault((evidence.file, evidence.title), _Lines())
            document.length = int(length[1]) if length else document.length
            for number, line in enumerate(map(str.rstrip, evidence.lines), evidence.first_line):
                if "…" not in (line[:1], line[-1:]):
                    document.unclear |= document.lines.get(number, (line, ""))[0] != line
                    document.lines[number] = (line, evidence.reference)
    clear = ((name, document) for name, document in documents.items() if not document.unclear)
    return [table for name, document in clear for table in _tables(*name, document)]


def _tables(file: str, title: str, document: _Lines) -> Iterator[ReadTable]:
    names = frozenset(stems(f"{file} {title}".replace("_", " ")))
    language = detect("\n".join(line for line, _ in document.lines.values()))
    sheet = file.lower().endswith(SHEETS)
    for run in _runs(document.lines, sheet=sheet):
        rows = [
            TableRow(cells_of(text), text, reference, number)
            for number, (text, reference) in run.items()
            if not _RULE.fullmatch(text)
        ]
        header, *body = rows
        first, last, width = min(run), max(run), len(header.cells)
        named = all(_HAS_LETTER.search(cell) for cell in header.cells if cell) and any(header.cells)
        short = (row.text[0] != "|" and (sheet or row.is_total) for row in body)
        even = [row.of_width(width) for row, fits in zip(body, short, strict=True) if len(row.cells) == width or fits]
        if named and width > 1 and len(even) > 1 and all(value is None for value in amounts_in(header.cells)):
            whole = len(even) == len(body) and (last + 1 in document.lines or last == document.length)
            around = names.union(stems(" ".join(_above(document.lines, first)).replace("_", " ")))
            below = (document.lines.get(last + number, ("", ""))[0] for number in range(1, LINES_BELOW + 1))
            states_total = any(row.is_total for row in body) or any(map(_TOTAL.search, below))
            ragged = sheet and any(len(row.cells) < width for row in body)
            yield ReadTable(title, file, header.cells, tuple(even), around, whole, ragged, states_total, language)


def _runs(lines: Mapping[int, tuple[str, str]], *, sheet: bool) -> Iterator[dict[int, tuple[str, str]]]:
    """Yield the runs of adjacent lines that are rows; in a sheet, a row may have nothing but its first cell."""
    run: dict[int, tuple[str, str]] = {}
    for number in sorted(lines):
        line = lines[number][0]
        row = is_row(line) or (sheet and bool(line) and number - 1 in run)
        if run and (number - 1 not in run or not row):
            yield run
            run = {}
        if row:
            run[number] = lines[number]
    if run:
        yield run


def _above(lines: Mapping[int, tuple[str, str]], first: int) -> Iterator[str]:
    """Yield the lines just above a table, and the nearest heading above them."""
    yield from (lines[number][0] for number in range(first - LINES_ABOVE, first) if number in lines)
    above = (lines[number][0] for number in range(first - 1, 0, -1) if number in lines)
    yield from [line for line in above if line.startswith("#")][:1]


def amounts_in(cells: Sequence[str]) -> list[Decimal | None]:
    """Return the amounts of cells, None for a cell without one; of “1.234” the other cells tell what the point means.

    All are None if they have different units, or if nothing tells.
    """
    found = [_AMOUNT.fullmatch(cell.strip()) for cell in cells]
    nothing: list[Decimal | None] = [None] * len(cells)
    digits = [re.sub(r"[ '’\u00a0]", "", match["digits"].rstrip(" .,")) if match else "" for match in found]
    if len({(match["unit"] or "").strip() for match in found if match}) > 1:
        return nothing
    point = _decimal_mark(digits)
    if point is None:
        return nothing
    read: list[Decimal | None] = []
    for match, number in zip(found, digits, strict=True):
        plain = "".join(each for each in number if each.isdigit() or each == point).replace(point, ".")
        value = Decimal(plain) if match and plain.count(".") < 2 else None
        read.append(-value if value is not None and match and match["sign"] else value)
    return read


def _decimal_mark(numbers: Sequence[str]) -> str | None:
    """Return the mark before the decimals of numbers, “.” if no mark is used; None if the numbers do not tell."""
    marked = [number for number in numbers if "." in number or "," in number]
    marks: set[str] = set()
    for number in marked:
        last = max(number.rfind("."), number.rfind(","))
        mark, other = number[last], ",."[number[last] == ","]
        if number.count(mark) > 1:
            marks.add(other)
        elif other in number or len(number) - last != 4 or number.startswith("0"):
            marks.add(mark)
    if len(marks) > 1 or (marked and not marks):
        return None
    return marks.pop() if marks else "."
