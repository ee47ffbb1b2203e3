"""Answers questions for totals, averages, extremes and differences from the amounts in the rows of one read table.

Nothing is calculated unless the operands are unambiguous: one table whose surroundings have all words of the question,
read to its end, one column, one amount and the same unit in every row.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.asked_things import is_telling, is_told_of
from desktop_rag.agent.extractive.content_words import base, stems
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.quantities.compared_dates import DateComparison, compared_dates
from desktop_rag.agent.extractive.quantities.compared_dimension import compared_dimension
from desktop_rag.agent.extractive.quantities.document_totals import document_totals, unread_documents
from desktop_rag.agent.extractive.quantities.labelled_amounts import LabelledAmount, QuantityAnswer
from desktop_rag.agent.extractive.quantities.prose_amounts import compared_amounts
from desktop_rag.agent.extractive.quantities.quantity_question import (
    STATED_AS,
    Operation,
    QuantityQuestion,
    quantity_question,
)
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import (
    conditioned,
    has_no_amount,
    is_negated,
    mixes_currencies,
)
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence, candidates
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.dates import MONTH_NAME, MONTHS, Day, mentions
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.units import CURRENCIES

MAX_ROWS = 40  # that are added up and quoted
MIN_PREFIX = 4  # letters of a first word that stands for a whole label
_PAIR = 2
_COUNTS = frozenset(base(str(number)) for number in range(_PAIR, MAX_ROWS + 1))
PRICED = frozenset(
    stems(
        "price cost amount fee rent sum total charge ask bid pay paid spend spent betrag preis kosten miete ausgegeben"
    )
)
OF_MONEY = frozenset(  # columns that a question may name
    stems("sales revenue turnover income expenses spending profit salary wages umsatz einnahmen ausgaben gewinn gehalt")
)
_MONEY = PRICED.union(stems("money geld"))  # in the name of a column
COUNTED = frozenset(stems("quantity qty pieces units menge anzahl stück"))
# The words that names of such documents have, and their plural endings.
_DOCUMENTS = re.compile(
    r"\b(invoice|bill|receipt|quote|quotation|offer|statement|order|estimate|contract|rechnung|quittung|angebot)"
    r"(?:s|en|e)?\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    rf"\b(?:in|of|from|for|during|im|vom|aus|von)\s+(?:the year |jahr )?"
    rf"(?:(?P<month>{MONTH_NAME})\b\.?(?:\s+(?P<of>(?:19|20)\d\d))?|(?P<year>(?:19|20)\d\d)\b)",
    re.IGNORECASE,
)
_BILLS = frozenset(("invoice", "bill", "receipt", "rechnung", "quittung"))
_WHO = re.compile(r"(?:who|wer)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:most|least|fewest|meisten|wenigsten)\W*(?:$|\b(?!expensive))", re.IGNORECASE)
_NOT_ADDED = frozenset(("grams", "km/h", "°C", "°F", "°", "%"))
_NOT_ADDED_WORD = re.compile(
    r"\b(?:weigh(?:s|ed|t)?|kg|speed|temperature|height|age|rate|score|balance|percent\w*|gewicht|größe|alter)\b|[%°]",
    re.IGNORECASE,
)
_WHEN = re.compile(r"(?:when|wann)\b", re.IGNORECASE)
_DONE_BY = re.compile(r"\w (?:by|von)$", re.IGNORECASE)  # the name of a column: “Paid by”
_PERSONS = frozenset(
    stems(
        "name person employee member colleague buyer user tenant customer client volunteer player "
        "mieter kunde mitarbeiter mitglied kollege",
        frozenset(),
    )
)
_EVERY = re.compile(r"\b(?:all|every|each|alle[rn]?|jede\w*)\b", re.IGNORECASE)
_TIMES = frozenset(
    stems("since year date born built founded opened established seit jahr baujahr gegründet geboren", frozenset())
)  # names of columns of years
_YEAR = re.compile(r"(?:19|20)\d\d")
_CURRENCY = re.compile(r"\b(?:EUR|USD|GBP|CHF|JPY|INR|CNY|US)\b")
_NO_BRACKETS = str.maketrans(dict.fromkeys("[]()【】", " "))  # a label must not become a citation


def answer_quantity(
    question: AnalysedQuestion, results: Sequence[ToolMessage]
) -> QuantityAnswer | DateComparison | None:
    """Return the operands that a question asks to add up or compare; None unless they are unambiguous."""
    asked = quantity_question(question)
    if not asked:
        return None if is_negated(question.text) else compared_dates(question, candidates(results))
    tables = [*read_tables(results), *filter(None, (document_totals(asked.stems - _COUNTS, results),))]
    found = {answer.operands: (answer, table) for table in tables if (answer := _of_table(asked, table))}
    amounts = {tuple(sorted(one.cell for one in operands)) for operands in found}
    if not found:
        return None if is_negated(question.text) else compared_amounts(asked, candidates(results))
    if len(amounts) > 1:
        return None
    answer, table = next(iter(found.values()))
    alike = any(other.header == table.header and other.title != table.title for other in tables)
    return replace(answer, place=table.title) if alike else answer  # there is a table like it in another document


def open_tables(question: AnalysedQuestion, results: Sequence[ToolMessage], *, ends: bool = False) -> list[TableRow]:
    """Return the first row of each table that a question is about and that may have rows that were not read.

    With `ends`, the last row of each that was read.
    """
    asked = quantity_question(question)
    if not asked or not asked.of_all:
        return []
    partial = (table for table in read_tables(results) if not table.whole)
    return [table.rows[-1 if ends else 0] for table in partial if _of_table(asked, replace(table, whole=True), least=0)]


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


def _of_table(asked: QuantityQuestion, table: ReadTable, least: int = _PAIR) -> QuantityAnswer | None:
    """Return the operands in one table, at least so many of the rows with what the question demands.

    The question's words must stand around it, or choose rows and column.
    """
    rows, chosen = named_rows(asked.text, [row for row in table.rows if not row.is_total])
    if not asked.of_all and (len(rows) != _PAIR or not chosen):
        return None
    if (asked.of_all and not table.whole) or len(rows) < _PAIR:
        return None
    if len(rows) > MAX_ROWS and asked.operation in STATED_AS:
        return None
    column = _column(asked, table, rows)
    found = None if column is None else conditioned(asked.text, table, (column,))
    if column is None or found is None or mixes_currencies(rows, column) or _is_one_of_several(asked, table):
        return None
    kept = [row for row in rows if row in found.rows]
    rows = [row for row in kept if figure_of(row, column)]
    if len(rows) < least:
        return None
    chosen = chosen.union(asked.implied_by(table.header[column]), *(one.words for one in found.conditions))
    known = table.around | chosen | {base(str(len(rows)))} | (PRICED if asked.money else frozenset())
    if asked.own_words_of(table.header[column]) - asked.counted:  # lost more than five games, by “Lost”
        known |= asked.counted
    words = (word.strip("?,.") for word in asked.text.split())
    known = known.union(*(stems(word) for word in words if not (is_telling(word) and is_told_of(word))))
    if not asked.stems <= known:
        return None
    labels = _label_column(asked, table, rows, column)
    if _WHO.match(asked.text) and not _is_of_persons(table.header[labels]):
        persons = [each for each, name in enumerate(table.header) if _is_of_persons(name)]
        if len(persons) > 1 or not all(each < len(row.cells) for row in rows for each in persons):
            return None
        labels = next(iter(persons), labels)
    operands = tuple(
        LabelledAmount(
            quoted_row(row, table.title, table.header),
            row.cells[labels].translate(_NO_BRACKETS) or f"Row {number}",
            row.cells[column],
            figure,
        )
        for number, row in enumerate(rows, 1)
        if (figure := figure_of(row, column))
    )
    if len(operands) != len(rows):
        return None
    partial = len(rows) < len(kept)
    if _WHO.match(asked.text) and _MOST.search(asked.text) and len({one.label for one in operands}) < len(operands):
        return None if partial else _of_person(asked, operands)  # who paid the most may have paid several times
    return QuantityAnswer(asked.operation, operands, asked.of_which, asked.bound, table.header[column], partial=partial)


def _of_person(asked: QuantityQuestion, operands: Sequence[LabelledAmount]) -> QuantityAnswer | None:
    """Return the amounts to add up of the person whose total is the least or greatest; None if two have the same."""
    header = asked.text if asked.money else f"{asked.text} {operands[0].source.columns}"
    if any(one.figure.kinds & _NOT_ADDED for one in operands) or _NOT_ADDED_WORD.search(header):
        return None  # a person who was weighed twice does not weigh the sum
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for one in operands:
        totals[one.label] += one.value
    ordered = sorted(totals, key=totals.__getitem__, reverse=asked.operation is Operation.GREATEST)
    if len(ordered) < _PAIR or totals[ordered[0]] == totals[ordered[1]]:
        return None
    own = tuple(one for one in operands if one.label == ordered[0])
    return QuantityAnswer(asked.operation, own, of_which=True, persons=len(ordered)) if len(own) <= MAX_ROWS else None


def _is_one_of_several(asked: QuantityQuestion, table: ReadTable) -> bool:
    """Return whether a table is in one of the documents of which a question asks for all: the lines of an invoice."""
    kinds = [kind.lower() for kind in _DOCUMENTS.findall(asked.text)]
    if not _EVERY.search(asked.text):  # the largest invoice is no line of one; offers stand in the text of minutes
        extreme = asked.operation in (Operation.LEAST, Operation.GREATEST)
        kinds = [kind for kind in kinds if extreme and kind in _BILLS]
    named = frozenset(stems(" ".join(table.header).replace("_", " ")))
    title = f"{table.title.lower()} "
    return bool(kinds) and named.isdisjoint(stems(" ".join(kinds))) and not any(f"{kind}s" in title for kind in kinds)


def quoted_row(row: TableRow, title: str, header: Sequence[str] = ()) -> CandidateSentence:
    """Return a row as a sentence to quote."""
    columns, line = "\t".join(header) if any(header) else "", row.line
    return CandidateSentence(row.text, row.reference, title, line, line, shape=SentenceShape.ROW, columns=columns)


def named_rows(asked: str, rows: Sequence[TableRow]) -> tuple[list[TableRow], frozenset[str]]:
    """Return the rows with the cells that a question names, in its order, and the stems of these; else all rows."""
    question = padded(asked).lower()
    chosen, order = frozenset[str](), dict[str, int]()
    for column in range(max((len(row.cells) for row in rows), default=0)):
        written = dict.fromkeys(row.cells[column] for row in rows if column < len(row.cells))
        places = {cell: at for cell in written if (at := _place(cell, written, question)) >= 0}
        if places:
            rows = [row for row in rows if column < len(row.cells) and row.cells[column] in places]
            chosen |= {word for cell in places for word in stems(cell)}
            order |= places
    if (period := _PERIOD.search(asked)) and (dated := _dated_rows(period, rows)):
        rows, chosen = dated, chosen.union(stems(period[0]))
    rows = sorted(rows, key=lambda row: max((order.get(cell, -1) for cell in row.cells), default=-1))
    return rows, chosen


def _dated_rows(period: re.Match[str], rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the rows of a month or year; none unless every row has one certain date, or a year as a cell."""
    asked = Day(int(period["of"] or period["year"] or 0), MONTHS.get((period["month"] or "").lower(), 0), 0)
    of_year = [row for row in rows if period["year"] in row.cells]
    if of_year and all(any(_YEAR.fullmatch(cell) for cell in row.cells) for row in rows):
        return of_year
    dates = [{day for cell in row.cells for found in mentions(cell) for day in found.days} for row in rows]
    if any(len(days) != 1 for days in dates):
        return []
    return [row for row, days in zip(rows, dates, strict=True) if all(day.agrees(asked) for day in days)]


def _place(cell: str, column: Iterable[str], question: str) -> int:
    """Return where the question names a cell: by all its words, or by the first if no other cell has that; else -1."""
    words = padded(cell).lower().split()
    if not words or not any(letter.isalpha() for letter in cell):
        return -1
    at = max(question.find(f" {' '.join(words)}{plural} ") for plural in ("", "s"))
    alone = sum(padded(other).lower().split()[:1] == words[:1] for other in column) == 1
    if at < 0 and len(words[0]) >= MIN_PREFIX and alone and words[0].isalpha():
        at = question.find(f" {words[0]} ")
    return at


def _is_in(cell: str, question: str) -> bool:
    return bool(cell) and f" {padded(cell).lower().strip()} " in question


def _column(asked: QuantityQuestion, table: ReadTable, rows: Sequence[TableRow]) -> int | None:
    """Return the one column of amounts that the question can mean."""
    header = table.header
    counting = [column for column in range(len(header)) if not _numbers_rows(table, column)]
    columns = [column for column in counting if _are_amounts(rows, column, gaps=asked.of_all)]
    named = [column for column in _named_columns(asked, header, rows) if column in counting]
    if not set(named) <= set(columns):
        return None  # another column would answer another question
    priced = [column for column in columns if any(is_priced(header[column], figure_of(row, column)) for row in rows)]
    named = named or [each for each in columns if asked.measures(header[each]) and each not in priced]
    dimension = None if named else compared_dimension(asked.text)
    if dimension and not dimension.excluded:  # what took longest is not what cost most
        columns = [each for each in columns if any(one and one.kinds & dimension.kinds for one in _figures(rows, each))]
    meant = named or (priced if asked.money or asked.operation in STATED_AS else columns)
    if len(meant) != 1:
        return None
    if asked.money and meant[0] not in priced and not OF_MONEY & set(stems(header[meant[0]].replace("_", " "))):
        return None
    counts = any(COUNTED & set(stems(header[column])) for column in columns)
    single = counts and "total" not in header[meant[0]].lower()
    return None if single and asked.operation is Operation.TOTAL else meant[0]


def _numbers_rows(table: ReadTable, column: int) -> bool:
    """Return whether a column has but the numbers of the rows or years: plot 14 is not the greatest, nor since 2019."""
    cells = [row.cells[column] for row in table.rows if column < len(row.cells)]
    if _TIMES.intersection(stems(table.header[column], frozenset())):
        return all(not cell or _YEAR.fullmatch(cell) for cell in cells)
    numbered = len(cells) > _PAIR and cells[0].isdecimal()
    return numbered and cells == [str(int(cells[0]) + at) for at in range(len(cells))]


def _named_columns(asked: QuantityQuestion, header: Sequence[str], rows: Sequence[TableRow]) -> list[int]:
    """Return the columns with amounts, in all rows or in some, of whose names the question has most words."""
    columns = [column for column in range(len(header)) if any(_figures(rows, column))]
    shared = {column: asked.own_words_of(header[column]) for column in columns}
    if not any(shared.values()) and asked.operation not in STATED_AS:  # a cost may be a price; a sum must be certain
        shared = {column: asked.words_of(header[column]) for column in columns}
    named = [column for column, words in shared.items() if words and not any(words < each for each in shared.values())]
    question = padded(asked.text).lower()
    return [column for column in named if padded(header[column]).lower() in question] or named  # “Money in”, not “out”


def _figures(rows: Sequence[TableRow], column: int) -> list[Figure | None]:
    return [figure_of(row, column) for row in rows]


def _are_amounts(rows: Sequence[TableRow], column: int, *, gaps: bool) -> bool:
    """Return whether all cells of a column are amounts of one kind; with `gaps` some may have none."""
    figures = _figures(rows, column)
    told = (figure or (gaps and has_no_amount(row, column)) for row, figure in zip(rows, figures, strict=True))
    return any(figures) and all(told) and len({figure.units for figure in figures if figure}) == 1


def is_priced(header: str, figure: Figure | None) -> bool:
    """Return whether a column is of money by its name, or by the currency of an amount in it."""
    name = header.replace("_", " ")
    return bool(figure and (figure.kinds & CURRENCIES or _CURRENCY.search(name) or _MONEY & set(stems(name))))


def figure_of(row: TableRow, column: int) -> Figure | None:
    """Return the amount that a cell consists of."""
    read = _read_figures(row.cells[column]) if column < len(row.cells) else None
    if not read or len(read.figures) != 1 or read.inside_names:
        return None
    figure = read.figures[0]
    amount = figure.values and not (figure.scales or figure.spelled or figure.ordinal or figure.when or figure.period)
    rest = _CURRENCY.sub("", read.plain[: figure.start] + read.plain[figure.end :])
    return figure if amount and not any(letter.isalnum() for letter in rest) and figure.digits in row.text else None


@lru_cache(maxsize=1 << 14)
def _read_figures(cell: str) -> FigureText:
    return read_figures(cell)


def _label_column(asked: QuantityQuestion, table: ReadTable, rows: Sequence[TableRow], amounts: int) -> int:
    """Return the column whose cells the question names, that it asks for, or the first one that tells rows apart."""
    width = min(len(table.header), *(len(row.cells) for row in rows))
    columns = [column for column in range(width) if column != amounts]
    question = padded(asked.text).lower()
    named = [column for column in columns if asked.names_column(table.header[column])]
    distinct = telling_columns(table, rows, columns)
    dates = {column for column in distinct if all(any(mentions(row.cells[column])) for row in rows)}
    if _WHEN.match(asked.text):
        distinct.sort(key=lambda column: column not in dates)
    else:  # dates tell less, and amounts least
        distinct.sort(key=lambda column: (all(_figures(rows, column)), column in dates))
    told = [column for column in distinct if all(_is_in(row.cells[column], question) for row in rows)]
    return next(iter((*told, *named, *distinct)), 0)


def telling_columns(table: ReadTable, rows: Sequence[TableRow], columns: Iterable[int]) -> list[int]:
    """Return the columns that tell these rows of a table apart, those that tell all its rows apart first."""

    def are_told_apart(rows: Sequence[TableRow], column: int) -> bool:
        return len({row.cells[column] for row in rows if column < len(row.cells)} - {""}) == len(rows)

    distinct = [column for column in columns if are_told_apart(rows, column)]
    every = [row for row in table.rows if not row.is_total]
    return sorted(distinct, key=lambda column: not are_told_apart(every, column))


def _is_of_persons(name: str) -> bool:
    return bool(_DONE_BY.search(name.replace("_", " "))) or not _PERSONS.isdisjoint(
        stems(name.replace("_", " "), frozenset())
    )
