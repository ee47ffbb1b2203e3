"""Leaves out table rows with other cells than a question names: what Lena spent on travel is no taxi of Marek's."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import is_negated
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.llm.chat import ToolMessage

_LEAST_COLUMNS = 2  # one named cell may be a word of the question by chance
_LEAST_LETTERS = 3
_NOT = r"(?:not|no|without|except|never|nicht|kein\w*|ohne|außer|nie)"
_MOST_BETWEEN = 2  # words between a negation and what it denies: “no expenses for meals”


def with_fitting_rows(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], results: Sequence[ToolMessage]
) -> list[RankedSentence]:
    """Return the sentences without rows that lack one of the cells that the question names in several columns.

    Also without rows with a cell that it denies: “not for travel”.
    """
    unfit = {(row.reference, row.line) for table in read_tables(results) for row in _unfit(question.text, table)}
    return [one for one in ranked if (one.candidate.reference, one.candidate.first_line) not in unfit]


def _unfit(question: str, table: ReadTable) -> list[TableRow]:
    asked = padded(question).lower()
    columns = range(len(table.header))
    denied = {cell for column in columns for cell in _named(asked, table, column) if _denies(asked, cell)}
    if denied or is_negated(question):
        return [row for row in table.rows if any(_cell(row, column) in denied for column in columns)]
    named = {column: cells for column in columns if (cells := _named(asked, table, column))}
    if len(named) < _LEAST_COLUMNS:
        return []
    return [row for row in table.rows if any(_cell(row, column) not in cells for column, cells in named.items())]


def _named(asked: str, table: ReadTable, column: int) -> set[str]:
    """Return the cells of a column, lower-case, that a question has, alone or as a plural; a total is no such cell."""
    rows = [row for row in table.rows if not row.is_total]
    written = {cell for row in rows if len(cell := _cell(row, column)) >= _LEAST_LETTERS and cell[0].isalpha()}
    return {cell for cell in written if any(f" {cell}{plural} " in asked for plural in ("", "s"))}


def _denies(asked: str, cell: str) -> bool:
    return re.search(rf" {_NOT} (?:\w+ ){{0,{_MOST_BETWEEN}}}{re.escape(cell)}", asked) is not None


def _cell(row: TableRow, column: int) -> str:
    return padded(row.cells[column]).lower().strip() if column < len(row.cells) else ""
