"""Counts the rows of a table, or different cells of a column: “How many tenants are in Kiel?”, “How many cities …?”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.asked_things import is_telling
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.quantity_answer import (
    COUNTED,
    MAX_ROWS,
    figure_of,
    named_rows,
    quoted_row,
    telling_columns,
)
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import conditioned
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(
    r"^(?:how many|wie ?viele|(?P<which>which|what|welche[rs]?)|(?:please )?(?:list|show|name|give|liste|zeige?|nenne)"
    r"(?: (?:me|mir|bitte))? (?:all|every|each|alle)(?: of)?(?: (?:the|our|my|die))?)"
    r"\s+(?:different |verschiedene )?(?P<noun>[\w-]+)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"[\s-]?(?:list|liste|table|tabelle|overview|übersicht)?(?:\.\w{2,4})?$", re.IGNORECASE
)  # ends a title


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The rows that were counted, how many rows the table has, and the column if they are those that differ in it."""

    rows: tuple[CandidateSentence, ...]
    of: int
    differing: str = ""
    within: int = 0  # the rows that were chosen, in which the cells differ
    going_by: tuple[str, ...] = ()  # the columns in which the question demands something

    @property
    def lead_in(self) -> str:
        """Return the count as the line above the quoted rows."""
        every = str(self.of) if self.of <= MAX_COUNT else "all"  # no line that is cited has a larger number
        what = "of"
        if self.differing:
            what = f"{'cell' if len(self.rows) == 1 else 'different cells'} of {self.differing} in"
            every = every if self.within in (0, self.of) else f"{self.within} of {every}"
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
    asked = _ASKS.match(question.text)
    noun = frozenset(stems(asked["noun"])) if asked else frozenset[str]()
    if not asked or not noun:
        return None
    columns = [column for column, name in enumerate(table.header) if noun <= frozenset(stems(name.replace("_", " ")))]
    found = conditioned(question.text, table, columns)
    if len(columns) > 1 or found is None or any(figure_of(row, column) for row in table.rows for column in columns):
        return None  # amounts are asked for
    rows, chosen = named_rows(question.text, found.rows)
    if (
        not rows
        or not (columns or _is_kind(table, noun, chosen) or _is_called(table, noun))
        or _asks_cell(question, table, rows, noun)
    ):
        return None
    demanded = frozenset[str]().union(*(one.words for one in found.conditions))
    if any(figure_of(row, one.column) for row in rows for one in found.conditions):
        return None  # what is in stock is rather to be added up
    words = frozenset(question.stems) - _untelling(question)
    if not words <= table.around | chosen | demanded | (noun if _is_called(table, noun) else frozenset()) or (
        asked["which"] and not chosen | demanded
    ):
        return None
    cells = _different(rows, columns)
    if len(cells) < len(rows) and any(one.cells for one in found.conditions):
        return None  # a person without expenses for meals has no such row, not another one
    differing = table.header[columns[0]] if len(cells) < len(rows) else ""
    counted = tuple(quoted_row(row, table.title, table.header) for row in cells)
    going_by = tuple(table.header[one.column] for one in found.conditions)
    return CountedRows(counted, found.of, differing, len(rows), going_by)


def _asks_cell(question: AnalysedQuestion, table: ReadTable, rows: Sequence[TableRow], noun: frozenset[str]) -> bool:
    """Return whether a cell of the rows answers, not their number.

    It is in the one row's column of numbers of pieces, or in one that the question names beside the rows: of “Users” in
    the column “Plus”, “How many users does Plus have?”.
    """
    names = [frozenset(stems(name.replace("_", " "))) for name in table.header]
    if len(rows) == 1 and any(COUNTED & name and figure_of(rows[0], column) for column, name in enumerate(names)):
        return True
    labels = [frozenset(stems(row.cells[0])) for row in rows if row.cells]
    return all(map(noun.issubset, labels)) and any(name and name <= set(question.stems) - noun for name in names[1:])


def _is_kind(table: ReadTable, noun: frozenset[str], chosen: frozenset[str]) -> bool:
    """Return whether chosen cells have a noun as what several rows may be.

    A cell of a column that names each row is one thing of it, with a number of its own: 14 modules in one position.
    """
    every = [row for row in table.rows if not row.is_total]
    naming = telling_columns(table, every, range(len(table.header)))[:1]
    cells = (cell for row in every for column, cell in enumerate(row.cells) if column not in naming)
    return noun <= chosen and any(noun <= frozenset(stems(cell)) for cell in cells)


def _is_called(table: ReadTable, noun: frozenset[str]) -> bool:
    """Return whether a table is called what it lists, perhaps with a year: “bikes.csv”, “Repairs 2024”."""
    name = {word for word in stems(_LIST.sub("", table.title.replace("_", " "))) if not word.isdigit()}
    return name == noun


def _untelling(question: AnalysedQuestion) -> frozenset[str]:
    """Return the stems of the words that no table has to have: they live in Kiel."""
    return frozenset(stem for word in question.words if not is_telling(word) for stem in stems(word))


def _different(rows: Sequence[TableRow], columns: Sequence[int]) -> list[TableRow]:
    """Return the rows that differ in the column that is asked for; all without one."""
    if not columns:
        return list(rows)
    cells: dict[str, TableRow] = {}
    for row in rows:
        cells.setdefault(row.cells[columns[0]] if columns[0] < len(row.cells) else "", row)
    return list(cells.values())
