"""Collects the tables among the lines that were read: header, rows, the words around them, and whether they end."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from desktop_rag.agent.citations.quoted_rows import cells_of
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.labelled_lines import labelled_run
from desktop_rag.llm.chat import Evidence, ToolMessage

_RULE = re.compile(r"[\s|:+=_-]+")  # the line below a header
_TOTAL = re.compile(r"(?:grand |sub-?)?(?:total|sum)\b|summe\b|gesamt|insgesamt|zwischensumme", re.IGNORECASE)
_AMOUNT = re.compile(r"[^\W\d_]{0,3}\W*\d[\d.,\s–-]*\W*[^\W\d_]{0,3}")  # the first row of a table without header
_CODE = re.compile(r"[^\W\d_]+-?\d+")
_LENGTH = re.compile(r"^Viewing lines .* of (\d+) lines$", re.MULTILINE)
MIN_JOINED = 4  # letters of a word of a name inside of a longer one
LINES_ABOVE = 3  # of a table that may introduce it


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its cells, and the line where it stands."""

    cells: tuple[str, ...]
    text: str
    reference: str
    line: int

    @property
    def is_total(self) -> bool:
        """Whether the row itself adds up others."""
        return any(_TOTAL.match(cell) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table that was read; `around` are the stems of its document's names, heading, introduction and header."""

    title: str
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    around: frozenset[str]
    whole: bool  # its last row is known to be the last


@dataclass
class DocumentLines:
    """The lines read of one document, with their references, and its length if a tool told it."""

    file: str
    title: str
    reference: str
    lines: dict[int, tuple[str, str]] = field(default_factory=dict)
    length: int = 0
    unclear: bool = False  # two documents have this name

    @property
    def name_stems(self) -> frozenset[str]:
        """The stems of its file name and title."""
        return frozenset(stems(f"{self.file} {self.title}".replace("_", " ")))

    def is_called(self, words: Iterable[str]) -> bool:
        """Return whether its names have all these stems, long ones also inside of a word: LOCKHEEDMARTIN_2021."""
        names = self.name_stems
        return all(word in names or (len(word) >= MIN_JOINED and any(word in name for name in names)) for word in words)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the lines."""
        return frozenset(word for line, _ in self.lines.values() for word in stems(line))

    def is_told(self, words: Iterable[str]) -> bool:
        """Return whether its names and lines have all these stems."""
        return self.stems.union(self.name_stems).issuperset(words)

    @property
    def is_read(self) -> bool:
        """Whether all lines were read."""
        return not self.unclear and 0 < self.length == len(self.lines)

    def add(self, evidence: Evidence) -> None:
        """Add lines; truncated ones are left out."""
        for number, line in enumerate(map(str.strip, evidence.lines), evidence.first_line):
            known = self.lines.get(number, (line, ""))[0]
            if "…" not in (line[:1], line[-1:]):
                self.unclear |= known != line
                self.lines[number] = (line, evidence.reference)


def read_documents(results: Sequence[ToolMessage]) -> Iterable[DocumentLines]:
    """Return the documents in the results with their lines."""
    documents: dict[tuple[str, str], DocumentLines] = {}
    for result in results:
        length = _LENGTH.search(result.text)
        for evidence in result.evidence:
            name = evidence.file, evidence.title
            document = documents.setdefault(name, DocumentLines(*name, evidence.reference))
            document.length = int(length[1]) if length else document.length
            document.add(evidence)
    return documents.values()


def read_tables(results: Sequence[ToolMessage]) -> list[ReadTable]:
    """Return the tables with a header and at least two rows."""
    documents = [each for each in read_documents(results) if not each.unclear]
    return [table for each in documents for table in (*_tables(each), *_labelled(each))]


def _tables(document: DocumentLines) -> Iterator[ReadTable]:
    for run in _runs(document.lines):
        rows = [
            TableRow(cells_of(text), text.strip(), reference, number)
            for number, (text, reference) in run.items()
            if not _RULE.fullmatch(text)
        ]
        header, first, last = rows[0].cells, min(run), max(run)
        if len(rows) > 2 and _is_header(header):
            above = " ".join(_above(document.lines, first))
            around = document.name_stems.union(stems(f"{above} {' '.join(header)}".replace("_", " ")))
            whole = last + 1 in document.lines or last == document.length
            yield ReadTable(document.title, header, tuple(rows[1:]), around, whole)


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether the first row of a table has no amounts; behind an empty cell “T350” is a name."""
    coded = not cells[0]
    return not any(_AMOUNT.fullmatch(cell) and not (coded and _CODE.fullmatch(cell)) for cell in cells)


def _labelled(document: DocumentLines) -> Iterator[ReadTable]:
    """Yield the lines with a label and an amount as tables of two columns."""
    for run in labelled_run({number: line for number, (line, _) in document.lines.items()}):
        lines = {number: document.lines[number] for number in run}
        rows = tuple(TableRow(run[number], line, reference, number) for number, (line, reference) in lines.items())
        first, last = min(run), max(run)
        texts = " ".join((*_above(document.lines, first), *(line for line, _ in lines.values())))
        whole = last + 1 in document.lines or last == document.length
        yield ReadTable(document.title, ("", "price"), rows, document.name_stems.union(stems(texts)), whole)


def _runs(lines: Mapping[int, tuple[str, str]]) -> Iterator[dict[int, tuple[str, str]]]:
    """Yield the runs of adjacent lines that are rows."""
    run: dict[int, tuple[str, str]] = {}
    for number in sorted(lines):
        if run and (number - 1 not in run or not _is_row(lines[number][0])):
            yield run
            run = {}
        if _is_row(lines[number][0]):
            run[number] = lines[number]
    if run:
        yield run


def _above(lines: Mapping[int, tuple[str, str]], first: int) -> Iterator[str]:
    """Yield the lines just above a table, and the heading above them."""
    above = list(takewhile(lambda number: number in lines, range(first - 1, 0, -1)))
    yield from (lines[number][0] for number in above[:LINES_ABOVE])
    yield from [lines[number][0] for number in above if lines[number][0].startswith("#")][:1]


def _is_row(line: str) -> bool:
    return "\t" in line or line.lstrip().startswith("|")
