"""Answers questions for totals, averages, extremes and differences from the amounts in the rows of one read table.

Nothing is calculated unless the operands are unambiguous: one table whose surroundings have all words of the question,
read to its end, one column, one amount and the same unit in every row.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import base, stems
from desktop_rag.agent.extractive.evidence_chain import padded
from desktop_rag.agent.extractive.offered_tools import CALCULATE
from desktop_rag.agent.extractive.quantities.document_totals import document_totals, unread_documents
from desktop_rag.agent.extractive.quantities.quantity_question import Operation, QuantityQuestion, quantity_question
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, certain
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import CURRENCIES

MAX_ROWS = 40  # that are added up and quoted
MAX_SHOWN = 4  # that are quoted if the least or greatest is asked for
MIN_PREFIX = 4  # letters of a first word that stands for a whole label
DECIMALS = 2  # of a result
_PAIR = 2
_COUNTS = frozenset(base(str(number)) for number in range(_PAIR, MAX_ROWS + 1))
_PRICED = frozenset(stems("price cost amount fee rent sum total betrag preis kosten miete"))
_COUNTED = frozenset(stems("quantity qty pieces units menge anzahl stück"))
_SIGNS = {Operation.LESS: -1, Operation.MORE: 1, Operation.LEAST: -1, Operation.GREATEST: 1}
_SHOWN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)\s*$")
# The words that names of such documents have, and their plural endings.
_DOCUMENTS = re.compile(
    r"\b(invoice|bill|receipt|quote|quotation|offer|statement|order|estimate|contract|rechnung|quittung|angebot)"
    r"(?:s|en|e)?\b",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"\b(?:EUR|USD|GBP|CHF|JPY|INR|CNY|US)\b")
_NO_BRACKETS = str.maketrans(dict.fromkeys("[]()【】", " "))  # a label must not become a citation
_COMMA_FOR_POINT = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class LabelledAmount:
    """An amount in a cell of a row; `label` tells the rows apart."""

    row: TableRow
    label: str
    cell: str
    figure: Figure

    @property
    def value(self) -> Decimal:
        """Return the amount."""
        value = self.figure.values[0]
        return -abs(value) if self.figure.negative else value

    def with_number(self, number: str) -> str:
        """Return the cell with another number, written like 1,234.50, in the style of its own."""
        digits = self.figure.digits
        whole, value = re.sub(r"\D", "", digits), self.figure.values[0]
        grouped_by_points = "." in digits and "," not in digits and value == Decimal(whole)
        decimal_comma = digits.rfind(",") > digits.rfind(".") and value != Decimal(whole)
        styled = number.translate(_COMMA_FOR_POINT) if grouped_by_points or decimal_comma else number
        return self.cell.replace(digits, styled, 1)


@dataclass(frozen=True, slots=True)
class QuantityAnswer:
    """The operation and its operands, in the order of the question if it names two, else of the table."""

    operation: Operation
    operands: tuple[LabelledAmount, ...]
    title: str
    of_which: bool  # the row is asked for, not its amount

    @property
    def calculation(self) -> dict[str, object]:
        """Return the arguments of `calculate`; empty if the amounts are only to be compared."""
        values = [f"{one.value:f}" for one in self.operands]
        if self.operation is Operation.TOTAL:
            return {"items": [{"name": one.label, "amount": _json(one.value)} for one in self.operands]}
        if self.operation is Operation.AVERAGE:
            return {"expression": f"avg({', '.join(values)})"}
        if self.operation is Operation.DIFFERENCE:
            return {"expression": " - ".join(sorted(values, key=Decimal, reverse=True))}
        return {}

    @property
    def quoted(self) -> tuple[RankedSentence, ...]:
        """Return the rows to quote, the least or greatest first."""
        operands = list(self.operands)
        if self.operation in (Operation.LEAST, Operation.GREATEST):
            operands = sorted(operands, key=lambda one: -one.value * _SIGNS[self.operation])[:MAX_SHOWN]
        return tuple(self._quoted(one.row) for one in operands)

    def lead_in(self, results: Sequence[ToolMessage]) -> str:
        """Return what follows from the amounts; "" if two are equally great, or the calculation was not carried out."""
        ordered = sorted(self.operands, key=lambda each: -each.value * _SIGNS.get(self.operation, 1))
        one, other = ordered[:_PAIR]
        match self.operation:
            case Operation.LEAST | Operation.GREATEST:
                if one.value == other.value:
                    return ""
                shown, among = (one.label, f"going by {one.cell}, ") if self.of_which else (one.cell, "")
                return f"{shown}, {among}the {self.operation.value} of {len(self.operands)}:"
            case Operation.LESS | Operation.MORE:
                answer = "Yes" if one is self.operands[0] and one.value != other.value else "No"
                return f"{answer}, going by {self.operands[0].cell} and {self.operands[1].cell}:"
        result = _result(results)
        if not result:
            return ""
        number, reference = result
        name = {Operation.TOTAL: "total", Operation.AVERAGE: "average"}.get(self.operation, "difference")
        places = min(DECIMALS, max(-int(each.value.as_tuple().exponent) for each in self.operands))
        places = places if round(number, places) == number else DECIMALS
        return f"The {name} is {one.with_number(f'{number:,.{places}f}')}. [{reference}]"

    def _quoted(self, row: TableRow) -> RankedSentence:
        shape = SentenceShape.ROW
        return certain(CandidateSentence(row.text, row.reference, self.title, row.line, row.line, shape=shape))


def answer_quantity(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> QuantityAnswer | None:
    """Return the operands that a question asks to add up or compare; None unless they are unambiguous."""
    asked = quantity_question(question)
    if not asked:
        return None
    tables = [*read_tables(results), *filter(None, (document_totals(asked.stems - _COUNTS, results),))]
    found = {answer.operands: answer for table in tables if (answer := _of_table(asked, table))}
    amounts = {tuple(sorted(one.cell for one in operands)) for operands in found}
    return next(iter(found.values())) if len(amounts) == 1 else None


def open_tables(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table that a question is about and that may have rows that were not read."""
    asked = quantity_question(question)
    if not asked or not asked.of_all:
        return []
    partial = (table for table in read_tables(results) if not table.whole)
    return [table.rows[0] for table in partial if _of_table(asked, replace(table, whole=True))]


def added_documents(question: AnalysedQuestion) -> str:
    """Return the words of documents whose totals a question may ask to add up or compare, such as invoices."""
    asked = quantity_question(question)
    nouns = _DOCUMENTS.findall(question.text) if asked and asked.of_all else []
    return " ".join(dict.fromkeys(noun.lower() for noun in nouns))


def totals_to_read(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[str]:
    """Return references to the documents whose totals a question may be about, and that were not read to the end."""
    asked = quantity_question(question)
    kinds = stems(added_documents(question))
    return unread_documents(kinds, results) if asked and asked.of_all and kinds else []


def _of_table(asked: QuantityQuestion, table: ReadTable) -> QuantityAnswer | None:
    """Return the operands in one table; the question's words must stand around it, or choose rows and column."""
    rows, chosen = _named_rows(asked, [row for row in table.rows if not row.is_total])
    if not asked.of_all and (len(rows) != _PAIR or not chosen):
        return None
    if (asked.of_all and not table.whole) or len(rows) < _PAIR:
        return None
    if len(rows) > MAX_ROWS and asked.operation in (Operation.TOTAL, Operation.AVERAGE):
        return None
    column = _column(asked, table.header, rows)
    known = table.around | chosen | {base(str(len(rows)))} | (_PRICED if asked.money else frozenset())
    if column is None or not asked.stems <= known:
        return None
    labels = _label_column(asked, table.header, rows, column)
    operands = tuple(
        LabelledAmount(row, row.cells[labels].translate(_NO_BRACKETS) or f"Row {number}", row.cells[column], figure)
        for number, row in enumerate(rows, 1)
        if (figure := _figure(row, column))
    )
    return (
        QuantityAnswer(asked.operation, operands, table.title, asked.of_which) if len(operands) == len(rows) else None
    )


def _named_rows(asked: QuantityQuestion, rows: Sequence[TableRow]) -> tuple[list[TableRow], frozenset[str]]:
    """Return the rows with the cells that the question names, in its order, and the stems of these; else all rows."""
    question = padded(asked.text).lower()
    chosen, order = frozenset[str](), dict[str, int]()
    for column in range(max((len(row.cells) for row in rows), default=0)):
        written = dict.fromkeys(row.cells[column] for row in rows if column < len(row.cells))
        places = {cell: at for cell in written if (at := _place(cell, written, question)) >= 0}
        if places:
            rows = [row for row in rows if column < len(row.cells) and row.cells[column] in places]
            chosen |= {word for cell in places for word in stems(cell)}
            order |= places
    rows = sorted(rows, key=lambda row: max((order.get(cell, -1) for cell in row.cells), default=-1))
    return rows, chosen


def _place(cell: str, column: Iterable[str], question: str) -> int:
    """Return where the question names a cell: by all its words, or by the first if no other cell has that; else -1."""
    words = padded(cell).lower().split()
    if not words or not any(letter.isalpha() for letter in cell):
        return -1
    at = question.find(f" {' '.join(words)} ")
    alone = sum(padded(other).lower().split()[:1] == words[:1] for other in column) == 1
    if at < 0 and len(words[0]) >= MIN_PREFIX and alone and words[0].isalpha():
        at = question.find(f" {words[0]} ")
    return at


def _column(asked: QuantityQuestion, header: Sequence[str], rows: Sequence[TableRow]) -> int | None:
    """Return the one column of amounts that the question can mean."""
    columns = [
        column
        for column in range(len(header))
        if all(_figure(row, column) for row in rows) and _same_kind([_figure(row, column) for row in rows])
    ]
    named = [column for column in columns if asked.names_column(header[column])]
    priced = [column for column in columns if _is_priced(header[column], _figure(rows[0], column))]
    summed = asked.operation in (Operation.TOTAL, Operation.AVERAGE)
    meant = named or (priced if asked.money or summed else columns)
    if len(meant) != 1 or (asked.money and meant[0] not in priced):
        return None
    single = any(_COUNTED & set(stems(name)) for name in header) and "total" not in header[meant[0]].lower()
    return None if single and asked.operation is Operation.TOTAL else meant[0]


def _is_priced(header: str, figure: Figure | None) -> bool:
    return bool(figure and figure.kinds & CURRENCIES) or bool(_PRICED & set(stems(header.replace("_", " "))))


def _figure(row: TableRow, column: int) -> Figure | None:
    """Return the amount that a cell consists of."""
    read = read_figures(row.cells[column]) if column < len(row.cells) else None
    if not read or len(read.figures) != 1 or read.inside_names:
        return None
    figure = read.figures[0]
    amount = figure.values and not (figure.scales or figure.spelled or figure.ordinal or figure.when or figure.period)
    rest = _CURRENCY.sub("", read.plain[: figure.start] + read.plain[figure.end :])
    return figure if amount and not any(letter.isalnum() for letter in rest) and figure.digits in row.text else None


def _same_kind(figures: Iterable[Figure | None]) -> bool:
    return len({figure.units for figure in figures if figure}) == 1


def _label_column(asked: QuantityQuestion, header: Sequence[str], rows: Sequence[TableRow], amounts: int) -> int:
    """Return the column that the question asks for, or the first one whose cells tell the rows apart."""
    columns = [column for column in range(min(len(header), *(len(row.cells) for row in rows))) if column != amounts]
    named = [column for column in columns if asked.names_column(header[column])]
    distinct = [column for column in columns if len({row.cells[column] for row in rows} - {""}) == len(rows)]
    return next(iter((*named, *distinct)), 0)


def _json(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)


def _result(results: Sequence[ToolMessage]) -> tuple[Decimal, str] | None:
    """Return the number that the last calculation shows, and its reference."""
    for result in reversed(results):
        reference, shown = REFERENCE.search(result.text), _SHOWN.search(result.text)
        if result.name == CALCULATE and reference and shown:
            return round(Decimal(shown[1].replace(",", "")), DECIMALS), reference[0]
    return None
