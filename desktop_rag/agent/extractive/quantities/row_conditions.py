"""Chooses rows by what a question demands of another column: flats with a balcony, bikes that are out of stock."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.content_words import ENGLISH, IRREGULAR, stems, stop_words_of
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.quantities.quantity_question import quantity_question
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(r"(?:which|what|list|show|how many|welche\w*|wie ?viele)\b", re.IGNORECASE)
_HAVING = re.compile(r"\b(?:is|are|was|were|has|have|had|with|ist|sind|war|waren|hat|haben|mit)\b", re.IGNORECASE)
_HAD = re.compile(r"\b(?:has|have|had|with|hat|haben|mit)((?: [^\W\d_]+){1,3})", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NEGATED = re.compile(
    r"\b(?:(?:not|n['’]t|never|no|without|out of|except(?: for)?|nicht|nie|kein\w*|ohne|außer)"
    r"(?: (?:yet|be|been|have|has|had|an?|any|the|noch|den|die|das|eine[nmrs]?))*\s+(?P<word>[^\W\d_]+)"
    r"|un(?P<participle>[^\W\d_]{2,}ed|paid|sold|sent|read|available)|(?P<sold>sold out|ausverkauft|vergriffen))\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|no|none|without|out of|except|nicht|nie|kein\w*|ohne|außer)\b|n['’]t\b", re.IGNORECASE
)
_NOTHING = re.compile(r"[-–—/.?]*|none|n/?a|null|no|n|false|nein|keine?r?s?|falsch|0+(?:[.,]0+)?", re.IGNORECASE)
_YES = re.compile(r"yes|y|true|x|✓|✔|ja|j|wahr", re.IGNORECASE)
_NOT = r"(?:not|no|without|except|never|nicht|kein\w*|ohne|außer|nie)"
_MOST_BETWEEN = 2  # words between a negation and what it denies: “no expenses for meals”
_LEAST_LETTERS = 3  # of a cell
_CODE = re.compile(r"[A-Z]{3}|[$€£¥]")
_STOCK = frozenset(stems("stock available availability vorrat vorrätig bestand lagerbestand lieferbar verfügbar"))


@dataclass(frozen=True, slots=True)
class RowCondition:
    """A column that rows must have an entry in, or must not; `words` are the stems of the question that say so.

    With `cells`, in lower case, they must not have one of these there.
    """

    column: int
    negated: bool
    words: frozenset[str]
    cells: frozenset[str] = frozenset()

    def holds(self, row: TableRow) -> bool:
        """Return whether a row fulfils it: “no”, “n/a” and 0 are no entry."""
        if self.cells:
            return plain_cell(row, self.column) not in self.cells
        return (_NOTHING.fullmatch(_cell(row, self.column)) is not None) is self.negated


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
        empty = all(one.negated and not one.cells for one in self.conditions) and not any(
            _cell(row, one.column) for row in self.rows for one in self.conditions
        )
        said = f" have no entry in {columns}" if empty else f", going by {columns}" if columns else ""
        return f"{len(self.rows)} of {every} rows{said}:"


@dataclass(frozen=True, slots=True)
class Demands:
    """The stems that a question asks for, those that it denies, and how often it says “not” or the like.

    `had` are those of what has to be had: “with a boat”; `written` are the words of the question, folded.
    """

    asked: frozenset[str]
    denied: frozenset[str]
    denials: int
    had: frozenset[str]
    written: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "Demands":
        """Parse a question."""
        negation = _NEGATED.search(question)
        found = frozenset[str]()
        if negation:
            found = frozenset(stems(negation["word"] or negation["participle"] or negation[0][2:]))
            found |= _STOCK if negation["sold"] or found & _STOCK else found
        had = frozenset(stems(" ".join(_HAD.findall(question))))
        written = frozenset(map(fold, _WORD.findall(question)))
        return cls(_words(question), found, max(len(_NEGATIVE.findall(question)), negation is not None), had, written)

    def on(self, column: int, names: Sequence[frozenset[str]], table: ReadTable) -> RowCondition | None:
        """Return what is demanded of a column; None if nothing is, or all rows fulfil it.

        `names` are the stems of each column's name. One that has fewer words of the question than another with the
        same words is not meant: “short hair” demands nothing of “Long hair”. Who pays the highest fee need not have
        “Paid” it, and the boat club's members need no “Boat”.
        """
        if denied := names[column] & self.denied:
            return RowCondition(column, negated=True, words=names[column] & (self.asked | denied))
        called = frozenset(stems(table.title.replace("_", " "))) - self.had
        shared = (names[column] & self.asked) - called - self._otherwise(table.header[column])
        meant = shared and not any(shared < name & self.asked for name in names)
        rows = [row for row in table.rows if not row.is_total]
        return RowCondition(column, negated=False, words=shared) if meant and _is_selective(rows, column) else None

    def _otherwise(self, name: str) -> frozenset[str]:
        """Return the stems of the participles in a name that the question has in another form at most."""
        words = (word for word in _WORD.findall(name.replace("_", " ")) if _is_done(fold(word)))
        return frozenset(stem for word in words if fold(word) not in self.written for stem in stems(word))


def conditioned(question: str, table: ReadTable, used: Collection[int] = ()) -> ConditionedRows | None:
    """Return the rows that fulfil what a question demands of other columns than those `used`, without totals.

    None if a negation of the question concerns no such column: then it cannot be told which rows are meant.
    """
    rows = [row for row in table.rows if not row.is_total]
    demands = Demands.of(question)
    names = [frozenset(stems(name.replace("_", " "))) for name in table.header]
    answering = frozenset[str]().union(*(names[column] for column in used))  # these words demand nothing of others
    names = [name if column in used else name - answering for column, name in enumerate(names)]
    found = (demands.on(column, names, table) for column in range(len(names)) if column not in used)
    conditions = tuple(filter(None, found))
    if not any(one.negated for one in conditions):
        conditions += tuple(_denied(question, table))
    negated = [one for one in conditions if one.negated]
    if len(negated) != demands.denials:
        return None
    kept = tuple(row for row in rows if all(one.holds(row) for one in conditions))
    if negated and len(kept) in (0, len(rows)) and not _says_yes_or_no(rows, negated):
        return None
    return ConditionedRows(kept, len(rows), conditions, table.header)


def named_cells(asked: str, table: ReadTable, column: int) -> frozenset[str]:
    """Return the cells of a column, in lower case, that a padded question has, alone or as a plural; no totals."""
    rows = [row for row in table.rows if not row.is_total]
    written = {cell for row in rows if len(cell := plain_cell(row, column)) >= _LEAST_LETTERS and cell[0].isalpha()}
    return frozenset(cell for cell in written if any(f" {cell}{plural} " in asked for plural in ("", "s")))


def denied_cells(asked: str, table: ReadTable) -> dict[int, frozenset[str]]:
    """Return the cells of each column that a padded question denies: “no expenses for meals”."""
    found = {
        column: frozenset(cell for cell in named_cells(asked, table, column) if _denies(asked, cell))
        for column in range(len(table.header))
    }
    return {column: cells for column, cells in found.items() if cells}


def plain_cell(row: TableRow, column: int) -> str:
    """Return the words of a cell in lower case; empty if there is no such cell."""
    return padded(row.cells[column]).lower().strip() if column < len(row.cells) else ""


def _denies(asked: str, cell: str) -> bool:
    return re.search(rf" {_NOT} (?:\w+ ){{0,{_MOST_BETWEEN}}}{re.escape(cell)}", asked) is not None


def _denied(question: str, table: ReadTable) -> Iterator[RowCondition]:
    for column, cells in denied_cells(padded(question).lower(), table).items():
        words = frozenset(stem for cell in cells for stem in stems(cell))
        yield RowCondition(column, negated=True, words=words, cells=cells)


def is_negated(question: str) -> bool:
    """Return whether a question says “not” or the like."""
    return bool(_NEGATIVE.search(question) or _NEGATED.search(question))


def demanded_rows(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[ConditionedRows, str] | None:
    """Return the rows that have, or lack, what a question demands of one column, and the title.

    None unless one whole table can be meant.
    """
    found = [
        (rows, table.title) for table in read_tables(results) if table.whole and (rows := _of_table(question, table))
    ]
    return found[0] if len(found) == 1 and found[0][0].rows else None


def tables_with_gaps(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[TableRow]:
    """Return the first row of each table that a question may mean and that was not read to its end."""
    return [table.rows[0] for table in read_tables(results) if not table.whole and _of_table(question, table)]


def has_no_amount(row: TableRow, column: int) -> bool:
    """Return whether a cell is empty or says so, such as “n/a”; 0 is an amount."""
    cell = _cell(row, column)
    return _NOTHING.fullmatch(cell) is not None and not any(map(str.isdigit, cell))


def mixes_currencies(rows: Sequence[TableRow], column: int) -> bool:
    """Return whether a column beside the amounts says that they are in several currencies."""
    width = min((len(row.cells) for row in rows), default=0)
    others = ({row.cells[each].strip() for row in rows} for each in range(width) if each != column)
    return any(len(cells) > 1 and all(map(_CODE.fullmatch, cells)) for cells in others)


def _of_table(question: AnalysedQuestion, table: ReadTable) -> ConditionedRows | None:
    if not _ASKS.match(question.text) or not (_HAVING.search(question.text) or _NEGATED.search(question.text)):
        return None
    found = conditioned(question.text, table)
    if found is None or len(found.conditions) != 1 or len(found.rows) == found.of or quantity_question(question):
        return None
    others = _words(question.text) - found.conditions[0].words
    return found if others and others <= table.around else None


def _is_done(word: str) -> bool:
    """Return whether a word is a participle: paid, rented."""
    return word in IRREGULAR or word.endswith("ed")


def _words(question: str) -> frozenset[str]:
    """Return the stems of a question with the kind of document that it asks for, without its negation."""
    bare = _NEGATED.sub(" ", question)
    return frozenset(stems(bare, ENGLISH | stop_words_of(bare.split())))


def _cell(row: TableRow, column: int) -> str:
    return row.cells[column].strip() if column < len(row.cells) else ""


def _is_selective(rows: Sequence[TableRow], column: int) -> bool:
    """Return whether some rows have no entry in a column, or all say yes or no."""
    cells = [_cell(row, column) for row in rows]
    return any(map(_NOTHING.fullmatch, cells)) or all(map(_YES.fullmatch, cells))


def _says_yes_or_no(rows: Sequence[TableRow], conditions: Sequence[RowCondition]) -> bool:
    cells = (_cell(row, one.column) for row in rows for one in conditions)
    return all(_YES.fullmatch(cell) or _NOTHING.fullmatch(cell) for cell in cells)
