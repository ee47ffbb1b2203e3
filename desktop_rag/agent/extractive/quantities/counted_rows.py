"""Counts the rows of a table, or different cells of a column: “How many tenants are in Kiel?”, “How many cities …?”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.quantity_answer import MAX_ROWS, figure_of, named_rows, quoted_row
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import conditioned
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_HOW_MANY = re.compile(
    r"^(?:how many|wie ?viele|(?:please )?(?:list|show|name|give|liste|zeige?|nenne)(?: (?:me|mir|bitte))? "
    r"(?:all|every|each|alle)(?: of)?(?: (?:the|our|my|die))?)\s+(?:different |verschiedene )?([\w-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The rows that were counted, how many rows the table has, and the column if they are those that differ in it."""

    rows: tuple[CandidateSentence, ...]
    of: int
    differing: str = ""
    going_by: tuple[str, ...] = ()  # the columns in which the question demands something

    @property
    def lead_in(self) -> str:
        """Return the count as the line above the quoted rows."""
        what = f"different cells of {self.differing} in" if self.differing else "of"
        every = self.of if self.of <= MAX_COUNT else "all"  # no line that is cited has a larger number
        going_by = f", going by {', '.join(f'“{name}”' for name in self.going_by)}" if self.going_by else ""
        return f"{len(self.rows)} {what} {every} rows{going_by}:"

    @property
    def quoted(self) -> tuple[CandidateSentence, ...]:
        """Return the rows to quote."""
        return self.rows[:MAX_ROWS]


def counted_rows(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> CountedRows | None:
    """Return the rows that a question asks to count; None unless one table that was read to its end can be meant."""
    found = [counted for table in read_tables(results) if table.whole and (counted := _of_table(question, table))]
    return found[0] if len(found) == 1 else None


def tables_to_count(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table in which a question counts rows and that may have some that were not read."""
    partial = (table for table in read_tables(results) if not table.whole)
    return [table.rows[0] for table in partial if _of_table(question, table)]


def _of_table(question: AnalysedQuestion, table: ReadTable) -> CountedRows | None:
    asked = _HOW_MANY.match(question.text)
    noun = frozenset(stems(asked[1])) if asked else frozenset[str]()
    if not noun:
        return None
    columns = [column for column, name in enumerate(table.header) if noun <= frozenset(stems(name.replace("_", " ")))]
    found = conditioned(question.text, table, columns)
    if len(columns) != 1 or found is None or any(figure_of(row, columns[0]) for row in table.rows):
        return None  # amounts are asked for
    rows, chosen = named_rows(question.text, found.rows)
    demanded = frozenset[str]().union(*(one.words for one in found.conditions))
    if not rows or not frozenset(question.stems) <= table.around | chosen | demanded:
        return None
    cells: dict[str, TableRow] = {}
    for row in rows:
        if len(row.cells) <= columns[0]:
            return None
        cells.setdefault(row.cells[columns[0]], row)
    differing = table.header[columns[0]] if len(cells) < len(rows) else ""
    counted = tuple(quoted_row(row, table.title, table.header) for row in cells.values())
    going_by = tuple(table.header[one.column] for one in found.conditions)
    return CountedRows(counted, found.of, differing, going_by)
