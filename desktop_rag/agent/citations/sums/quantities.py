"""Reads the quantities of cited lines with what they are of: rows of tables, items of lists, figures of sentences.

A quantity knows the words beside it, what it is a rate of (“a month”, “each”, “a slice has”) and its place. What stands
in one column, one list or one sentence and measures alike is a collection that a reader would add up or compare.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache

from desktop_rag.agent.citations.sums.computed_pairs import amount, is_amount, stems, written
from desktop_rag.agent.citations.sums.computed_rates import TIME_OF
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem
from desktop_rag.text.dates import MONTHS
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.sentences import split_sentences
from desktop_rag.text.units import CURRENCIES, UNITS, MeasureUnit

MAX_TABLE = 3_000  # cells; of larger tables no sum is sought
MAX_CELLS = 40  # of a row
MIN_CELLS = 2
EACH = "each"
_WRITTEN = 8  # terms that are written out
_PROSE = re.compile(r"[,;]\s|[.!?] [A-ZÄÖÜ]")
_RULE = re.compile(r"[\s|:+=_-]*")
_AMOUNT_CELL = re.compile(r"[-−(]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*[-−]?\d")
_TOTAL_ROW = re.compile(r"\W*(?:(?:grand |sub)?total|sum|summe|gesamt|zwischensumme)\b", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+")
_BREAK = re.compile(r"[,;.]\s|\b(?:and|or|but|und|oder|aber|et|y|then|dann)\b")
_PER_AFTER = re.compile(
    r"\W{0,2}(?:(?:per|an?|each|every|pro|je|im|par|por)\s|/\s?)(?:full |whole |calendar )?(?P<unit>[^\W\d_]+)|"
    r",? (?:payable |paid |due )?(?P<often>monthly|weekly|yearly|annually|quarterly|hourly|daily|monatlich|jährlich)",
    re.IGNORECASE,
)
_PER_BEFORE = re.compile(
    r"\b(?:an?|one|each|every|per|jede[rs]?|eine?|pro)\s(?P<unit>[^\W\d_]{3,})(?:\s[^\W\d_]+){0,2}?\s"
    r"(?:has|have|holds|contains|costs?|is|was|takes?|comes to|weighs|kostet|hat|wiegt)\s"
    r"(?:about |roughly )?[$€£¥]?\s?$",
    re.IGNORECASE,
)
_EACH = re.compile(r"\W{0,2}(?:each|apiece|a head|per head|je Stück|pro Stück|pro Kopf)\b", re.IGNORECASE)
_THINGS_OF = re.compile(
    r"(?:\s[^\W\d_]{3,}){1,2}\s(?:of|zu(?: je)?|à|de|at)\s[$€£¥]?", re.IGNORECASE
)  # 12 instalments of
_PRICE = re.compile(r"\b(?:unit price|price|rate|each|per \w+|\w*preis|satz|prix|precio|tarifa?)\b", re.IGNORECASE)
_HEADER_WORD = re.compile(r"[^\W\d_]+|[$€£%]")
_MONTHS = {fold(name): number for name, number in MONTHS.items()}
_SHORT_UNIT = 2  # letters of a word of a header that is no sure unit: “m”, “t”


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity, read or computed; `text` is its sum, `label` what it is of, `per` what it is a rate of."""

    value: Decimal
    units: tuple[MeasureUnit, ...]
    text: str
    figures: tuple[Figure, ...]
    label: frozenset[str] = frozenset()
    per: str = ""
    thing: frozenset[str] = frozenset()  # that a number without unit counts
    scaled: bool = False
    named: bool = False  # the claim names it
    steps: int = 0  # operations that it took

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of quantity that its unit may have."""
        return frozenset(unit.kind for unit in self.units)

    @property
    def is_count(self) -> bool:
        """Return whether it is a whole number of things."""
        return self.kinds <= {"people"} and self.value == self.value.to_integral_value() and self.value > 0

    def in_unit(self, unit: MeasureUnit) -> Decimal | None:
        """Return its value in another unit of its kind."""
        mine = next((each for each in self.units if each.kind == unit.kind), None)
        return self.value * mine.factor / unit.factor if mine else None


@dataclass(slots=True)
class AmountRow:
    """A row of a table: its text, the stems of its words, and a quantity or None for each cell."""

    text: str
    cells: tuple[str, ...]
    label: frozenset[str]
    quantities: list[Quantity | None]
    month: int = 0  # that its label names, alone


@dataclass(slots=True)
class Table:
    """Rows with equally many cells, and the header above them."""

    header: tuple[str, ...]
    rows: list[AmountRow]


@dataclass(slots=True)
class AmountPassage:
    """The tables, lists and sentences of a text."""

    tables: list[Table] = field(default_factory=list)
    lists: list[list[Quantity]] = field(default_factory=list)
    sentences: list[tuple[str, list[Quantity]]] = field(default_factory=list)
    text: str = ""


@lru_cache(maxsize=64)
def read_passage(text: str) -> AmountPassage:
    """Return the quantities of a text."""
    passage = AmountPassage(text=text)
    run: list[str] = []
    items: list[Quantity] = []
    lines = [line for line in text.split("\n") if not (_RULE.fullmatch(line) and line.strip())]
    cells = [_cells(line) for line in lines]
    for at, line in enumerate((*lines, "")):
        mine = cells[at] if at < len(cells) else []
        if run and len(mine) != len(_cells(run[0])):
            passage.tables += _table(run)
            run = []
        beside = [len(each) for each in cells[max(at - 1, 0) : at + 2]]
        if mine and ("|" in line or "\t" in line or beside.count(len(mine)) > 1):
            run.append(line)
            continue
        found = [each for span in split_sentences(line) for each in [(line[slice(*span)], _of(line[slice(*span)]))]]
        passage.sentences += [each for each in found if each[1]]
        if _ITEM.match(line) and found and found[0][1]:
            items.append(found[0][1][0])
            continue
        if len(items) > 1:
            passage.lists.append(items)
        items = []
    return passage


def _cells(line: str) -> list[str]:
    """Return the cells of a row, none for a line of prose; of a CSV file no comma is followed by a space."""
    mark = next((mark for mark in "|\t" if mark in line), "" if _PROSE.search(line) else ";" if ";" in line else ",")
    cells = [cell.strip(" *`") for cell in line.strip().strip("|").split(mark)] if mark and mark in line else []
    return cells if MIN_CELLS + (mark in ";,") <= len(cells) <= MAX_CELLS else []


def _table(lines: Sequence[str]) -> Iterator[Table]:
    cells = [tuple(_cells(line)) for line in lines]
    if len(cells) * len(cells[0]) > MAX_TABLE:
        return
    header, body = (cells[0], cells[1:]) if _is_header(cells[0], cells[1:]) else ((), cells)
    units = [_header_unit(each) for each in header] or [()] * len(cells[0])
    things = [_words_of(each) for each in header] or [frozenset[str]()] * len(cells[0])
    prices = [bool(_PRICE.search(each.replace("_", " "))) for each in header] or [False] * len(cells[0])
    rows: list[AmountRow] = []
    for row in body:
        if _TOTAL_ROW.match(row[0]):
            continue
        label = stems(" ".join(cell for cell in row if not _AMOUNT_CELL.match(cell)))
        per = next(
            (TIME_OF[word] for word in re.findall(r"[^\W\d_]+", " ".join(row).casefold()) if _is_often(word)), ""
        )
        quantities = [
            _cell(cell, unit, label | thing, thing, per or (EACH if priced else ""))
            for cell, unit, thing, priced in zip(row, units, things, prices, strict=True)
        ]
        if any(quantities):
            rows.append(AmountRow(" | ".join(row), row, label, quantities, _month(row)))
    for at in range(len(cells[0])):
        column = [each for row in rows if (each := row.quantities[at])]
        if all(not is_amount(each.figures[0]) for each in column):  # years
            for each_row in rows:
                each_row.quantities[at] = None
    if rows:
        yield Table(header, rows)


def _month(row: Sequence[str]) -> int:
    folds = [fold(word) for cell in row for word in re.findall(r"[^\W\d]+", cell)]
    named = {_MONTHS[each] for each in folds if each in _MONTHS}
    return named.pop() if len(named) == 1 else 0


def _is_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether a row has words where others have amounts: “1 hour | half day” above 12 and 34."""
    amounts = [at for at in range(len(first)) if any(_AMOUNT_CELL.match(row[at]) for row in others)]
    return not any(map(_AMOUNT_CELL.match, first)) or any(not _AMOUNT_CELL.match(first[at]) for at in amounts)


def _is_often(word: str) -> bool:
    return word in TIME_OF and word.endswith(("ly", "lich"))


def _words_of(header: str) -> frozenset[str]:
    return frozenset(stem(word.casefold()) for word in _HEADER_WORD.findall(header) if len(word) > _SHORT_UNIT)


def _header_unit(header: str) -> tuple[MeasureUnit, ...]:
    """Return the unit that a header names: “rate_eur”, “hours”, “Price (€)”."""
    for word in _HEADER_WORD.findall(header):
        fold = word.casefold()
        if {unit.kind for unit in UNITS.get(fold, ())} & {"months", "seconds"} and " " in header and "(" not in header:
            continue  # “half day”
        if fold in UNITS and (len(fold) > _SHORT_UNIT or fold in ("€", "£", "$", "%", "kg", "km")):
            return UNITS[fold]
    return ()


def _cell(
    cell: str, unit: tuple[MeasureUnit, ...], label: frozenset[str], thing: frozenset[str], per: str
) -> Quantity | None:
    found = read_figures(cell).figures if _AMOUNT_CELL.match(cell) else ()
    if len(found) != 1 or not (is_amount(found[0]) or found[0].is_year):
        return None
    units = found[0].units or unit
    return Quantity(amount(found[0]), units, written(found[0]), found, label, per, thing, bool(found[0].scales))


def _of(sentence: str) -> list[Quantity]:
    """Return the quantities of a sentence; one without words of its own has those of the one before."""
    read = read_figures(sentence)
    found: list[Quantity] = []
    here = [each for each in read.figures if is_amount(each)]
    breaks = [0, *(match.start() for match in _BREAK.finditer(read.plain)), len(read.plain)]
    for each in here:
        first = max(at for at in breaks if at <= each.start)
        last = min(at for at in breaks if at >= each.end or at == len(read.plain))
        label = stems(f"{read.plain[first : each.start]} {read.plain[each.end : last]}")
        per = _per(read.plain, each)
        if found and found[-1].is_count and _THINGS_OF.fullmatch(read.plain[found[-1].figures[0].end : each.start]):
            per = EACH
        if found and not label and not per:
            label = found[-1].label
        if found and not per and ";" not in read.plain[: each.start].rpartition(found[-1].text)[2]:
            per = found[-1].per if _PER_BEFORE.search(read.plain[: here[0].start]) else ""
        counted = bool(each.noun) and not each.units and each.noun not in STOP_WORDS
        thing = frozenset({stem(each.noun)}) if counted else frozenset[str]()
        found.append(Quantity(amount(each), each.units, written(each), (each,), label, per, thing, bool(each.scales)))
    return found


def _per(plain: str, figure: Figure) -> str:
    if figure.kinds or figure.noun:
        if _EACH.match(plain, figure.end):
            return EACH
        noun = len(figure.noun) + 1 if figure.noun and not figure.units else 0
        if match := _PER_AFTER.match(plain, figure.end + noun):
            word = (match["unit"] or match["often"]).casefold()
            return TIME_OF.get(word, stem(word))
    before = _PER_BEFORE.search(plain[: figure.start])
    if before:
        word = before["unit"].casefold()
        return TIME_OF.get(word, stem(word))
    return ""


def alike(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities measure alike; a bare number may have the unit of the other."""
    if one.kinds and other.kinds:
        return bool(one.kinds & other.kinds)
    kinds = one.kinds | other.kinds
    if kinds and not kinds <= {"people"}:
        return bool(kinds & CURRENCIES) and not (one.thing and other.thing)
    return not (one.thing and other.thing) or one.thing == other.thing


def as_operand(quantity: Quantity, like: Quantity) -> Quantity:
    """Return a quantity in the unit of another one of its kind."""
    if not like.units or quantity.units == like.units:
        return quantity
    value = quantity.in_unit(like.units[0])
    return quantity if value is None else replace(quantity, value=value, units=like.units)


def times(measure: Quantity, count: Quantity) -> Quantity:
    """Return a measure taken as often as counted."""
    return Quantity(
        measure.value * count.value,
        measure.units,
        f"{_term(measure)} × {_term(count)}",
        (*measure.figures, *count.figures),
        measure.label | count.label,
        scaled=measure.scaled,
        steps=measure.steps + 1,
    )


def divided(amount: Quantity, count: Quantity) -> Quantity:
    """Return an amount for each of what is counted; `count` is not 0."""
    return Quantity(
        amount.value / count.value,
        amount.units,
        f"{_term(amount)} ÷ {_term(count)}",
        (*amount.figures, *count.figures),
        amount.label,
        scaled=amount.scaled,
        steps=amount.steps + count.steps + 1,
    )


def _term(quantity: Quantity) -> str:
    return f"({quantity.text})" if quantity.steps else quantity.text


def total_of(group: Sequence[Quantity]) -> Quantity:
    """Return the sum of quantities in one unit."""
    terms = [_term(each) if " ÷ " in each.text else each.text for each in group]
    return Quantity(
        sum((each.value for each in group), Decimal(0)),
        next((each.units for each in group if each.units), ()),
        " + ".join(terms if len(terms) <= _WRITTEN else (*terms[: _WRITTEN - 1], "…", terms[-1])),
        tuple(figure for each in group for figure in each.figures),
        frozenset[str]().union(*(each.label for each in group)),
        scaled=any(each.scaled for each in group),
        steps=1,
    )


def difference(more: Quantity, less: Quantity) -> Quantity:
    """Return by how much one quantity is more than another in its unit."""
    text = f"({less.text})" if " + " in less.text or " − " in less.text else less.text
    units = more.units or less.units
    figures = (*more.figures, *less.figures)
    steps = max(more.steps, less.steps) + 1
    scaled = more.scaled or less.scaled
    return Quantity(
        more.value - less.value,
        units,
        f"{more.text} − {text}",
        figures,
        more.label | less.label,
        scaled=scaled,
        steps=steps,
    )
