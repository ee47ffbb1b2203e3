"""Chooses rows by what a question demands of another column: flats with a balcony, invoices that are not paid."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.content_words import ENGLISH, stems, stop_words_of
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(r"(?:which|what|list|show|how many|welche\w*|wie ?viele)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:(?:not|n['’]t|never|no|without|except(?: for)?|nicht|nie|kein\w*|ohne|außer)"
    r"(?: (?:yet|been|have|has|had|an?|any|the|noch|den|die|das|eine[nmrs]?))*\s+(?P<word>[^\W\d_]+)"
    r"|un(?P<participle>[^\W\d_]{2,}ed|paid|sold|sent|read))\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"\b(?:not|never|no|none|without|except|nicht|nie|kein\w*|ohne|außer)\b|n['’]t\b", re.IGNORECASE)
_NOTHING = re.compile(r"[-–—/.?]*|none|n/?a|null|no|n|false|nein|keine?r?s?|falsch", re.IGNORECASE)
_YES = re.compile(r"yes|y|true|x|✓|✔|ja|j|wahr", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{3}|[$€£¥]")


@dataclass(frozen=True, slots=True)
class RowCondition:
    """A column that rows must have an entry in, or must not; `words` are the stems of the question that say so."""

    column: int
    negated: bool
    words: frozenset[str]

    def holds(self, row: TableRow) -> bool:
        """Return whether a row fulfils it: “no” and “n/a” are no entry."""
        cell = row.cells[self.column].strip() if len(row.cells) > self.column else ""
        return (_NOTHING.fullmatch(cell) is not None) is self.negated


@dataclass(frozen=True, slots=True)
class ConditionedRows:
    """The rows of a table that have what a question demands of its columns; `of` is the number of all rows."""

    rows: tuple[TableRow, ...]
    of: int
    conditions: tuple[RowCondition, ...]
    header: tuple[str, ...]

    @property
    def lead_in(self) -> str:
        """Return the line above the quoted rows."""
        every = self.of if self.of <= MAX_COUNT else "all"  # no line that is cited has a larger number
        columns = ", ".join(f"“{self.header[one.column]}”" for one in self.conditions)
        empty = all(one.negated for one in self.conditions) and not any(
            row.cells[one.column].strip() for row in self.rows for one in self.conditions if one.column < len(row.cells)
        )
        said = f" have no entry in {columns}" if empty else f", going by {columns}" if columns else ""
        return f"{len(self.rows)} of {every} rows{said}:"


def conditioned(question: str, table: ReadTable, used: Collection[int] = ()) -> ConditionedRows | None:
    """Return the rows that fulfil what a question demands of other columns than those `used`, without totals.

    None if a negation of the question concerns no such column: then it cannot be told which rows are meant.
    """
    rows = [row for row in table.rows if not row.is_total]
    negation = _NEGATED.search(question)
    denied = frozenset[str]()
    if negation:
        denied = frozenset(stems(negation["word"] or negation["participle"] or negation[0][2:]))
    asked = _words(question)
    conditions: list[RowCondition] = []
    for column, name in enumerate(table.header):
        named = frozenset(stems(name.replace("_", " ")))
        words = named & (asked | denied)
        if words and column not in used and (is_denied := bool(words & denied)) | _is_selective(rows, column):
            conditions.append(RowCondition(column, is_denied, words))
    denials = max(len(_NEGATIVE.findall(question)), negation is not None)
    if denials != sum(one.negated for one in conditions):
        return None
    kept = tuple(row for row in rows if all(one.holds(row) for one in conditions))
    if any(one.negated for one in conditions) and len(kept) in (0, len(rows)) and not _has_yes(rows, conditions):
        return None
    return ConditionedRows(kept, len(rows), tuple(conditions), table.header)


def is_negated(question: str) -> bool:
    """Return whether a question says “not” or the like."""
    return bool(_NEGATIVE.search(question) or _NEGATED.search(question))


def rows_without(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[ConditionedRows, str] | None:
    """Return the rows that lack what a question negates, and the title; None unless one whole table can be meant."""
    found = [
        (rows, table.title) for table in read_tables(results) if table.whole and (rows := _lacking(question, table))
    ]
    return found[0] if len(found) == 1 and found[0][0].rows else None


def tables_with_gaps(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table that a question may mean and that was not read to its end."""
    return [table.rows[0] for table in read_tables(results) if not table.whole and _lacking(question, table)]


def mixes_currencies(rows: Sequence[TableRow], column: int) -> bool:
    """Return whether a column beside the amounts says that they are in several currencies."""
    width = min((len(row.cells) for row in rows), default=0)
    others = ({row.cells[each].strip() for row in rows} for each in range(width) if each != column)
    return any(len(cells) > 1 and all(map(_CODE.fullmatch, cells)) for cells in others)


def _lacking(question: AnalysedQuestion, table: ReadTable) -> ConditionedRows | None:
    if not _ASKS.match(question.text) or not _NEGATED.search(question.text):
        return None
    found = conditioned(question.text, table)
    if found is None or len(found.conditions) != 1:
        return None
    others = _words(question.text) - found.conditions[0].words
    return found if others and others <= table.around else None


def _words(question: str) -> frozenset[str]:
    """Return the stems of a question with the kind of document that it asks for, without its negation."""
    bare = _NEGATED.sub(" ", question)
    return frozenset(stems(bare, ENGLISH | stop_words_of(bare.split())))


def _is_selective(rows: Sequence[TableRow], column: int) -> bool:
    """Return whether some rows have no entry in a column, or all say yes or no."""
    cells = [row.cells[column].strip() if len(row.cells) > column else "" for row in rows]
    return any(map(_NOTHING.fullmatch, cells)) or all(map(_YES.fullmatch, cells))


def _has_yes(rows: Sequence[TableRow], conditions: Sequence[RowCondition]) -> bool:
    return all(
        len(row.cells) > one.column
        and (_YES.fullmatch(row.cells[one.column].strip()) or _NOTHING.fullmatch(row.cells[one.column].strip()))
        for row in rows
        for one in conditions
        if one.negated
    )
