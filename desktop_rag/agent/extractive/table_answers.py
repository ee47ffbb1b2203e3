"""Answers from the rows of one table: the cell at row and column, a count, a sum, the least or greatest of a column.

Only where every word of the question is accounted for: it names the table, a column, or the cells of rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.tables import ReadTable, TableRow, read_tables
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.language_detection import language_of_query

MAX_ROWS = 12  # that are shown


class Operation(Enum):
    """What is to be done with the rows that a question names."""

    COUNT = "count"
    SUM = "sum"
    LEAST = "least"
    GREATEST = "greatest"
    CELL = "cell"


_LEAST = "cheapest lowest smallest shortest fewest least minimum günstigste billigste niedrigste kleinste"
_GREATEST = "highest largest biggest longest greatest most maximum teuerste höchste größte längste expensive"
_SIGNS = (
    (Operation.COUNT, r"^(?:in )?(?:how many|wie ?viele)\b"),
    (Operation.SUM, r"\b(?:total|sum|altogether|combined|summe|insgesamt)\b"),
    (Operation.LEAST, rf"\b(?:{_LEAST.replace(' ', '|')})\w{{0,2}}\b"),
    (Operation.GREATEST, rf"\b(?:{_GREATEST.replace(' ', '|')})\w{{0,2}}\b"),
)
_PATTERNS = tuple((operation, re.compile(sign, re.IGNORECASE)) for operation, sign in _SIGNS)
_OPERATING = frozenset(
    stems(f"{_LEAST} {_GREATEST} total sum altogether combined summe insgesamt amount value much", frozenset())
)
_TYPED = (AnswerType.PERSON, AnswerType.TIME)  # a cell must have a name or a date to answer these
_OF_ROWS = re.compile(r"(?:which|who|list|show|welche|wer|liste|zeige?)\b", re.IGNORECASE)
# What a question demands beside the words of cells cannot be read from them for certain.
_DEMANDS = re.compile(
    r"\b(?:not|no|without|except|other than|than|before|after|since|until|over|under|above|below|between|at least|"
    r"average|nicht|kein\w*|ohne|außer|als|vor|nach|seit|bis|über|unter|zwischen|mindestens|durchschnitt\w*)\b|n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What the rows of a table answer: the `value` or a line that follows from them; neither if only the rows fit."""

    table: ReadTable
    rows: tuple[TableRow, ...]
    value: str = ""
    line: str = ""


def answer_from_tables(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> TableAnswer | None:
    """Return the answer of the only table that fits; None if none or several do."""
    found = [answer for table in _in_language(question, results) if (answer := _of_table(question, table))]
    sure = [answer for answer in found if answer.value or answer.line] or found
    return sure[0] if len(sure) == 1 else None


def unfinished_tables(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[tuple[str, int]]:
    """Return where to read on in the tables that fit a question and whose end was not read."""
    tables = (table for table in _in_language(question, results) if not table.whole)
    return [(table.rows[-1].reference, table.rows[-1].line) for table in tables if _chosen(question, table)]


def _in_language(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> Iterator[ReadTable]:
    """Yield the tables but those surely in another language than the question: a German “Stock” is no stock."""
    asked = language_of_query(question.text)
    for table in read_tables(results):
        if not asked or not table.language or asked == table.language:
            yield table


def _operation(text: str) -> Operation:
    return next((operation for operation, sign in _PATTERNS if sign.search(text)), Operation.CELL)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The rows that have the words of a question, and the columns that it names, most words first."""

    rows: tuple[TableRow, ...]
    columns: tuple[int, ...]  # but the first one, which names the rows
    demanded: bool  # it names cells, so that not all rows are meant


def _chosen(question: AnalysedQuestion, table: ReadTable) -> _Chosen | None:
    """Return the rows and columns that a question names; None if one of its words is neither, nor about the table."""
    rest = [word for word in question.stems if word not in _OPERATING]
    if not rest:
        return None
    shared = {column: sum(word in name for word in question.stems) for column, name in enumerate(table.names) if column}
    most = max(shared.values(), default=0)
    columns = tuple(column for column, number in shared.items() if most and number == most)
    in_header = table.names[0].union(*(table.names[column] for column in columns))
    rows = tuple(row for row in table.rows if not row.is_total)
    demanded = False
    for name in question.lettered:
        if having := tuple(row for row in rows if padded(name) in padded(row.text)):
            rows, demanded = having, True
    for word in rest:
        having = tuple(row for row in rows if any(word in cell for cell in row.stems))
        if having and (word not in table.around or len(having) == 1):
            rows, demanded = having, True
        elif word not in in_header and word not in table.around and not related(word) & table.around:
            return None
    about = demanded or any(word in in_header or word in table.around for word in rest)
    return _Chosen(rows, columns, demanded) if about and rows else None


def _of_table(question: AnalysedQuestion, table: ReadTable) -> TableAnswer | None:
    chosen = _chosen(question, table)
    if chosen is None or not (chosen.demanded or chosen.columns):
        return None
    operation, rows = _operation(question.text), chosen.rows
    only_rows = TableAnswer(table, rows) if chosen.demanded and len(rows) < len(table.rows) else None
    if _DEMANDS.search(question.text):
        return only_rows
    named = [column for column in chosen.columns if column in table.amounts]
    if operation is Operation.CELL or (operation is Operation.COUNT and named):
        if cell := _cell(table, chosen):
            fits = question.asks not in _TYPED or has_type(question.asks, f": {cell.value}", question.text)
            return cell if fits else only_rows
        if named or not _OF_ROWS.match(question.text):
            return only_rows
        operation = Operation.COUNT
    if not table.whole or (operation is Operation.COUNT and only_rows is None and not chosen.demanded):
        return only_rows
    every = len([row for row in table.rows if not row.is_total])
    if operation is Operation.COUNT and len(rows) == 1:  # its cells may count: how many planks are there
        return only_rows
    if operation is Operation.COUNT:
        return TableAnswer(table, rows, line=f"{len(rows)} of {every} rows:")
    totalled = list(table.totals) if operation is Operation.SUM else []
    [column, *others] = named or totalled or list(table.amounts) or [0]
    if others or not column:
        return only_rows
    if operation is Operation.SUM and len(rows) == every and column in table.totals:
        total = table.totals[column]
        return TableAnswer(table, (total,), value=total.cells[column])
    return _computed(table, rows, column, operation) or only_rows


def _computed(table: ReadTable, rows: tuple[TableRow, ...], column: int, operation: Operation) -> TableAnswer | None:
    """Return the sum, least or greatest amount of rows; None if two are equal, or the sum lacks one or is told."""
    cells = table.amounts[column]
    amounts = [(row, cells[row]) for row in rows if row in cells]
    if len(amounts) < len(rows) and operation is Operation.SUM:
        return None
    every = len([row for row in table.rows if not row.is_total])
    of_rows = f"of “{table.header[column]}” in {len(amounts)} of {every} rows:"
    if operation is Operation.SUM:
        total = sum((value for _, value in amounts), Decimal())
        told = table.states_total and len(rows) == every
        return None if told else TableAnswer(table, rows, line=f"{total:,} is the sum {of_rows}")
    ordered = sorted(amounts, key=lambda each: each[1], reverse=operation is Operation.GREATEST)
    if len(ordered) > 1 and ordered[0][1] == ordered[1][1]:
        return None
    best = ordered[0][0]
    return TableAnswer(table, (best,), line=f"{best.cells[column]} is the {operation.value} {of_rows}")


def _cell(table: ReadTable, chosen: _Chosen) -> TableAnswer | None:
    """Return the cell at the only row and the only column that a question names."""
    if not (table.whole and chosen.demanded) or table.ragged or len(chosen.rows) != 1 or len(chosen.columns) != 1:
        return None
    [row], [column] = chosen.rows, chosen.columns
    value = row.cells[column]
    return TableAnswer(table, (row,), value=value) if value else None
