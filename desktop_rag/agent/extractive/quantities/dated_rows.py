"""Finds the first or last row of a table by a column of dates: “Which station was opened last?”, “the last repair”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.asked_things import is_telling, is_told_of
from desktop_rag.agent.extractive.content_words import ENGLISH, related, stems, stop_words_of
from desktop_rag.agent.extractive.quantities.quantity_answer import named_rows, quoted_row, telling_columns
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import conditioned
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.dates import MONTHS, mentions

_ASKS = re.compile(r"(?:which|who|what|wer|welche[rsmn]?|was)\b", re.IGNORECASE)
_LAST = r"last|latest|newest|most recent(?:ly)?|youngest|zuletzt|letzte\w*|neueste\w*|jüngste\w*"
_FIRST = r"first|earliest|oldest|zuerst|erste\w*|älteste\w*|am längsten"
_ORDER = re.compile(
    rf"\b(?:(?P<last>{_LAST})|(?P<first>{_FIRST}))\b"
    r"(?! (?:names?|years?|months?|weeks?|quarter|half|days?|floor|class|prize|place|\d|jahr\w*|monat\w*|woche\w*))",
    re.IGNORECASE,
)
_LONGEST = re.compile(
    r"\b(?:has|have) (?:been|had|held|kept|\w+ed)\b.*\blongest\W*$", re.IGNORECASE
)  # since the earliest
_AGED = re.compile(r"\b(?:oldest|newest|youngest|älteste\w*|neueste\w*|jüngste\w*|am längsten)\b", re.IGNORECASE)
_ORDERING = frozenset(stems(_LAST.replace("|", " ") + " longest " + _FIRST.replace("|", " "), frozenset()))
_DATES = frozenset(stems("date day datum tag year jahr", frozenset()))  # names of columns that any “last” means
_ORIGINS = frozenset(
    stems("opened built founded born established since start year baujahr gegründet geboren eintritt seit eröffnet")
)
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_FEWEST = 2  # rows

Date = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class DatedRow:
    """The first or last of some rows: what tells it apart, its date as written, and the row as a sentence."""

    label: str
    column: str
    cell: str
    last: bool
    of: int
    quoted: CandidateSentence

    @property
    def lead_in(self) -> str:
        """Return the row and its date as the line above the quoted row."""
        every = self.of if self.of <= MAX_COUNT else "all rows"  # no line that is cited has a larger number
        return f"{self.label}, going by {self.cell}, the {'latest' if self.last else 'earliest'} of {every}:"


def dated_row(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> DatedRow | None:
    """Return the first or last row that a question asks for; None unless one table that was read whole has it."""
    found = [row for table in read_tables(results) if table.whole and (row := _of_table(question, table))]
    return found[0] if len(found) == 1 else None


def tables_to_order(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table that a question may mean and that was not read to its end."""
    return [table.rows[0] for table in read_tables(results) if not table.whole and _of_table(question, table)]


def _of_table(question: AnalysedQuestion, table: ReadTable) -> DatedRow | None:
    longest = _LONGEST.search(question.text)
    order = (longest or _ORDER.search(question.text)) if _ASKS.match(question.text) else None
    rows, chosen = named_rows(question.text, [row for row in table.rows if not row.is_total])
    if order is None or len(rows) < _FEWEST:
        return None
    words = frozenset(stems(question.text, ENGLISH | stop_words_of(question.text.split()))) - _ORDERING
    columns = _date_columns(words, table.header, rows, aged=bool(longest or _AGED.search(question.text)))
    found = conditioned(question.text, table, columns) if len(columns) == 1 else None
    if found is None:
        return None
    [column] = columns
    words -= chosen.union(*(one.words for one in found.conditions))
    words -= {word for word in words if related(word) & frozenset(stems(table.header[column]))}
    words -= {stem for word in question.words if not (is_telling(word) and is_told_of(word)) for stem in stems(word)}
    if not words - _DATES <= table.around:
        return None
    dated = sorted(
        ((date, row) for row in rows if row in found.rows and (date := _date(row, column))), key=lambda one: one[0]
    )
    if len(dated) < _FEWEST or len({sum(map(bool, date)) for date, _ in dated}) > 1:
        return None
    first = longest is not None or bool(order["first"])
    (date, row), (second, _) = dated[:2] if first else dated[:-3:-1]
    if date == second:
        return None
    quoted = quoted_row(row, table.title, table.header)
    label = _label(table, rows, row, column)
    return DatedRow(label, table.header[column], row.cells[column], not first, len(dated), quoted)


def _date_columns(words: frozenset[str], header: Sequence[str], rows: Sequence[TableRow], *, aged: bool) -> list[int]:
    """Return the columns of dates that the question names, else those that any first or last goes by."""
    columns = [column for column in range(len(header)) if all(_date(row, column) for row in rows)]
    named = {column: frozenset(stems(header[column], frozenset())) for column in columns}
    meant = [
        column for column in columns if any(word in named[column] or related(word) & named[column] for word in words)
    ]
    return meant or [column for column in columns if named[column] & (_DATES | (_ORIGINS if aged else frozenset()))]


def _date(row: TableRow, column: int) -> Date | None:
    """Return the one date that a cell consists of: a day, a month or a year."""
    cell = row.cells[column].strip() if column < len(row.cells) else ""
    if _YEAR.fullmatch(cell):
        return int(cell), 0, 0
    if month := MONTHS.get(cell.lower()):
        return 0, month, 0
    found = list(mentions(cell))
    if len(found) != 1 or len(found[0].days) != 1 or cell[: found[0].start].strip() or cell[found[0].end :].strip():
        return None
    [day] = found[0].days
    return (day.year, day.month, day.day) if day.year else None


def _label(table: ReadTable, rows: Sequence[TableRow], row: TableRow, dates: int) -> str:
    """Return the first cell of a row, besides its date, that tells it from the others."""
    columns = telling_columns(table, rows, range(min(len(each.cells) for each in rows)))
    return next((row.cells[column] for column in columns if column != dates), row.cells[dates])
