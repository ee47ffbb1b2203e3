"""Finds the one cell that a question asks for: in the row of a table that it names, and the column."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.quantities.quantity_answer import COUNTED, PRICED, figure_of, is_priced, quoted_row
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import has_no_amount
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_TOTALS = frozenset(stems("total sum amount summe gesamt betrag"))
_SPENT = re.compile(r"^(?:what|was)\b.*\b(?:spent|paid|earned|ausgegeben|bezahlt|dépensé|gastado)\b", re.IGNORECASE)
_HOW = re.compile(
    r"^(?:how|wie)\s+(?!(?:much|many|viele?)\b)([^\W\d_]+)\s+(?:is|are|was|were|ist|sind|war|waren)\b", re.IGNORECASE
)
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
    how = _HOW.match(question.text)
    if not (question.asks in _ASKING or spent or how) or not question.stems:
        return None
    usual = COUNTED if _HOW_MANY.match(question.text) else _TOTALS
    asked = frozenset(question.stems).union(stems(how[1]) if how else ()) - _PAYING
    found = [cell for table in read_tables(results) if (cell := _cell(asked, table, usual))]
    return found[0] if len({(each.row, each.column, each.cell) for each in found}) == 1 else None


def _cell(asked: frozenset[str], table: ReadTable, usual: frozenset[str]) -> StatedCell | None:
    labels = {row: frozenset(stems(_label(row))) for row in table.rows}
    named = {row: asked & label for row, label in labels.items()}
    transposed = not any(named.values())  # rows are properties, columns things: “Weight” under “T350”
    if transposed:
        named = {row: frozenset(each for each in asked if related(each) & label) for row, label in labels.items()}
    most = max(map(len, named.values()), default=0)
    rows = [row for row, words in named.items() if len(words) == most]
    if not most or len(rows) != 1:
        return None
    [row] = rows
    words = named[row]
    if len(row.cells) > len(table.header):  # a name of the header stands above several columns
        return None
    column = (
        _column_of_thing(asked - words, table.header, row)
        if transposed
        else _column(asked - words, table.header, row, usual)
    )
    if column is None:
        return None
    known = words | table.around | PRICED
    if not asked <= known:
        return None
    name = table.header[column] if column < len(table.header) else ""
    if usual is COUNTED and is_priced(name, figure_of(row, column)):
        return None  # a price is no number of things
    return StatedCell(_named(words, row), name, row.cells[column], quoted_row(row, table.title, table.header))


def _named(words: frozenset[str], row: TableRow) -> str:
    """Return the cells of a row that the question names."""
    named = (cell for column, cell in enumerate(row.cells) if figure_of(row, column) is None)
    meant = words.union(*map(related, words))
    return " ".join(cell for cell in named if meant.intersection(stems(cell)))


def _label(row: TableRow) -> str:
    """Return the cells of a row that are no amounts."""
    return " ".join(cell for column, cell in enumerate(row.cells) if cell and figure_of(row, column) is None)


def _column_of_thing(asked: frozenset[str], header: Sequence[str], row: TableRow) -> int | None:
    """Return the only column whose name has a word of the question; None if its cell is empty."""
    columns = [column for column, name in enumerate(header) if asked.intersection(stems(name))]
    return columns[0] if len(columns) == 1 and any(row.cells[columns[0] : columns[0] + 1]) else None


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
