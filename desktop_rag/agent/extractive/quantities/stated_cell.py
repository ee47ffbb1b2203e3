"""Finds the one cell that a question asks for: in the row of a table that it names, and the column."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.quantity_answer import COUNTED, PRICED, figure_of, quoted_row
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import has_no_amount
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_TOTALS = frozenset(stems("total sum amount summe gesamt betrag"))
_SPENT = re.compile(r"^(?:what|was)\b.*\b(?:spent|paid|earned|ausgegeben|bezahlt|dépensé|gastado)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"^(?:how many|wie ?viele)\b", re.IGNORECASE)
_PAYING = frozenset(stems("spend spent pay paid earn earned ausgegeben bezahlt"))
_ASKING = frozenset((AnswerType.MONEY, AnswerType.AMOUNT, AnswerType.SHARE))


@dataclass(frozen=True, slots=True)
class StatedCell:
    """A cell with the names of its row and column, and the row as a sentence to quote."""

    row: str
    column: str
    cell: str
    quoted: CandidateSentence

    @property
    def lead_in(self) -> str:
        """Return row, column and value as the line above the quoted row."""
        return f"{self.row}, {self.column} = {self.cell}:"


def stated_cell(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> StatedCell | None:
    """Return the cell of the only table that has all words of the question; None if two cells could be meant."""
    spent = bool(_SPENT.search(question.text)) and question.asks is not AnswerType.YES_NO
    if not (question.asks in _ASKING or spent) or not question.stems:
        return None
    usual = COUNTED if _HOW_MANY.match(question.text) else _TOTALS
    found = [
        cell for table in read_tables(results) if (cell := _cell(frozenset(question.stems) - _PAYING, table, usual))
    ]
    return found[0] if len({(each.row, each.column, each.cell) for each in found}) == 1 else None


def _cell(asked: frozenset[str], table: ReadTable, usual: frozenset[str]) -> StatedCell | None:
    named = [(asked & frozenset(stems(_label(row))), row) for row in table.rows]
    most = max((len(words) for words, _ in named), default=0)
    rows = [(words, row) for words, row in named if len(words) == most]
    if not most or len(rows) != 1:
        return None
    [(words, row)] = rows
    if len(row.cells) > len(table.header):  # a name of the header stands above several columns
        return None
    column = _column(asked - words, table.header, row, usual)
    if column is None:
        return None
    known = words | table.around | PRICED
    if not asked <= known:
        return None
    name = table.header[column] if column < len(table.header) else ""
    return StatedCell(_named(words, row), name, row.cells[column], quoted_row(row, table.title, table.header))


def _named(words: frozenset[str], row: TableRow) -> str:
    """Return the cells of a row that the question names."""
    named = (cell for column, cell in enumerate(row.cells) if figure_of(row, column) is None)
    return " ".join(cell for cell in named if words.intersection(stems(cell)))


def _label(row: TableRow) -> str:
    """Return the cells of a row that are no amounts."""
    return " ".join(cell for column, cell in enumerate(row.cells) if cell and figure_of(row, column) is None)


def _column(asked: frozenset[str], header: Sequence[str], row: TableRow, usual: frozenset[str]) -> int | None:
    """Return the column of amounts that has most words of the question, else of `usual`, else the only one.

    None if the cell is empty.
    """
    width = range(min(len(header), len(row.cells)))
    columns = [column for column in width if figure_of(row, column) is not None or has_no_amount(row, column)]
    shared = {column: len(asked & frozenset(stems(header[column]))) for column in columns}
    most = max(shared.values(), default=0)
    if most:
        meant = [column for column in columns if shared[column] == most]
    else:
        meant = [column for column in columns if usual & frozenset(stems(header[column]))] or columns
    return meant[0] if len(meant) == 1 and figure_of(row, meant[0]) is not None else None
