"""Leaves out table rows with other cells than a question names: what Lena spent on travel is no taxi of Marek's."""

from collections.abc import Sequence

from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import (
    denied_cells,
    is_negated,
    named_cells,
    plain_cell,
)
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.llm.chat import ToolMessage

_LEAST_COLUMNS = 2  # one named cell may be a word of the question by chance


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
    denied = denied_cells(asked, table)
    if denied or is_negated(question):
        return [row for row in table.rows if any(plain_cell(row, column) in cells for column, cells in denied.items())]
    columns = range(len(table.header))
    named = {column: cells for column in columns if (cells := named_cells(asked, table, column))}
    if len(named) < _LEAST_COLUMNS:
        return []
    return [row for row in table.rows if any(plain_cell(row, column) not in cells for column, cells in named.items())]
