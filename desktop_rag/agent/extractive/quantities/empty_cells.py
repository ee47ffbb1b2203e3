"""Finds the rows of a table that have no entry in a column: “Which invoices are not paid?”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.content_words import ENGLISH, stems, stop_words_of
from desktop_rag.agent.extractive.quantities.labelled_amounts import MAX_BEYOND
from desktop_rag.agent.extractive.quantities.quantity_answer import quoted_row
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(r"(?:which|what|list|show|how many|welche\w*|wie ?viele)\b", re.IGNORECASE)
NEGATED = re.compile(
    r"\b(?:(?:not|never|no|without|nicht|nie|kein\w*|ohne)(?: (?:yet|been|a|an|any|the|noch))*\s+(?P<word>[^\W\d_]+)"
    r"|un(?P<participle>[^\W\d_]{2,}ed|paid|sold|sent|read))\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[-–—/.?]*|none|n/?a|null|no|nein|keine?r?s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RowsWithout:
    """The rows without an entry in a column, and how many rows the table has."""

    rows: tuple[CandidateSentence, ...]
    of: int
    column: str

    @property
    def lead_in(self) -> str:
        """Return the line above the quoted rows."""
        every = self.of if self.of <= MAX_COUNT else "all"  # no line that is cited has a larger number
        return f"{len(self.rows)} of {every} rows have no entry in “{self.column}”:"


def rows_without(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> RowsWithout | None:
    """Return the rows that lack what a question negates; None unless one whole table can be meant."""
    found = [rows for table in read_tables(results) if table.whole and (rows := _of_table(question, table))]
    return found[0] if len(found) == 1 else None


def tables_with_gaps(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table that a question may mean and that was not read to its end."""
    partial = (table for table in read_tables(results) if not table.whole)
    return [table.rows[0] for table in partial if _column(question, table) is not None]


def _of_table(question: AnalysedQuestion, table: ReadTable) -> RowsWithout | None:
    column = _column(question, table)
    if column is None:
        return None
    empty = [row for row in table.rows if len(row.cells) <= column or _NOTHING.fullmatch(row.cells[column].strip())]
    if not empty or len(empty) == len(table.rows) or len(empty) > MAX_BEYOND:
        return None
    quoted = tuple(quoted_row(row, table.title, table.header) for row in empty)
    return RowsWithout(quoted, len(table.rows), table.header[column])


def _column(question: AnalysedQuestion, table: ReadTable) -> int | None:
    """Return the only column that is called like what the question negates, if the table has all its other words."""
    negated = NEGATED.search(question.text) if _ASKS.match(question.text) else None
    if negated is None:
        return None
    lacking = set(stems(negated["word"] or negated["participle"] or negated[0][2:]))
    columns = [column for column, name in enumerate(table.header) if lacking & set(stems(name.replace("_", " ")))]
    words = question.text.split()  # of “which invoices”, the stems of the question lack the invoices
    others = set(stems(question.text, ENGLISH | stop_words_of(words))) - lacking - set(stems(negated[0]))
    return columns[0] if len(columns) == 1 and lacking and others and others <= table.around else None
