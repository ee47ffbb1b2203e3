"""Reads from tables what a reader would add up, compare or multiply: the rows and columns that a claim names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from desktop_rag.agent.citations.sums.asked_figures import Asked
from desktop_rag.agent.citations.sums.computed_pairs import stems
from desktop_rag.agent.citations.sums.quantities import EACH, AmountRow, Quantity, Table, divided, times
from desktop_rag.text.figures import read_figures
from desktop_rag.text.units import CURRENCIES

MAX_CELLS = 8  # of a row that are multiplied
MAX_PAIRED = 4  # rows whose cells are compared with each other
_PER_YEAR = {"year": 1, "quarter": 4, "month": 12, "week": 52}
_RANGE = re.compile(r"\b(?:to|until|till|through|bis|à|hasta)\b|–", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AmountGroup:
    """Quantities that stand together; `taken` if the claim names all of them, `whole` their total in their sentence."""

    items: list[Quantity]
    taken: bool = False
    whole: Quantity | None = None
    counted: bool = False  # the claim says how many they are: the five stations


def table_collections(table: Table, asked: Asked) -> Iterator[AmountGroup]:
    """Yield the rows and columns of a table that the claim is about, and the products and quotients of its rows."""
    rows, broader = _chosen(table, asked)
    told = len(rows) > 2 and any(each.values[0] == len(rows) for each in asked.counts)  # the five stations
    filtered = len(rows) < len(table.rows)
    for cells in (group for row in rows[:MAX_PAIRED] for group in _by_unit(row.quantities)):
        common = frozenset[str].intersection(*(each.label for each in cells))
        named = [each for each in cells if asked.names(each.label, common)]
        if len(named) > 1:
            yield AmountGroup(named)
    if len(broader) > len(rows):
        yield from (
            AmountGroup(each, taken=True)
            for at in range(len(broader[0].quantities))
            for each in _by_unit(converted((row.quantities[at] for row in broader), asked))
        )
    columns = [at for at, each in enumerate(table.rows[0].quantities) if each and each.thing & asked.named]
    for at in columns or range(len(table.rows[0].quantities)):
        items = [each for row in rows if (each := row.quantities[at])]
        if items and len(items) == len(rows):
            yield AmountGroup([*converted(items, asked)], filtered, counted=told)
        due = [each for row in table.rows if (each := row.quantities[at]) and each.per]
        if filtered and asked.periods and "total" in asked.cues and len(due) > len(rows):
            yield AmountGroup([*converted(due, asked)], taken=True)
    made = [[*_products(row, asked)] for row in rows]
    for group in zip(*made, strict=False):
        yield AmountGroup(list(group), filtered)
    if asked.per:
        for row in rows:
            yield from (AmountGroup([each]) for each in _quotients(row, asked))


def _by_unit(quantities: Iterable[Quantity | None]) -> list[list[Quantity]]:
    """Return the quantities of each unit, in order."""
    groups: dict[frozenset[str], list[Quantity]] = {}
    for each in filter(None, quantities):
        groups.setdefault(each.kinds, []).append(each)
    return list(groups.values())


def _chosen(table: Table, asked: Asked) -> tuple[list[AmountRow], list[AmountRow]]:
    """Return the rows that the claim names by their cells, all if it names none: those of Jonas for the app.

    Beside these the last several rows before only one was left: Jonas's flight and hotel.
    """
    rows = table.rows
    common = frozenset[str].intersection(*(row.label for row in rows))
    days = [day for each in asked.said.figures if each.when for day in each.when.days if day.day]
    kept = broader = rows
    for at in range(len(rows[0].cells)):
        named = [row for row in kept if row.quantities[at] is None and _is_named(row.cells[at], common, asked, days)]
        named = [row for row in kept if row.month in asked.months] or named
        if len(named) == 2 and kept is rows and _RANGE.search(asked.said.plain):
            named = rows[rows.index(named[0]) : rows.index(named[1]) + 1]
        kept = named or kept
        broader = kept if len(kept) > 1 and days else broader
    return kept, broader if len(broader) < len(rows) else kept


def _is_named(cell: str, common: frozenset[str], asked: Asked, days: Sequence[object]) -> bool:
    if asked.names(stems(cell), common):
        return True
    dated = [day for each in (read_figures(cell).figures if days else ()) if each.when for day in each.when.days]
    return any(day.agrees(other) for day, other in product(dated, days))  # type: ignore[arg-type]


def converted(items: Iterable[Quantity | None], asked: Asked) -> Iterator[Quantity]:
    """Yield amounts for the period that the claim names: a quarter's 180 as 60 a month."""
    wanted = [each for each in asked.periods if each in _PER_YEAR]
    for each in filter(None, items):
        if each.per not in _PER_YEAR or len(wanted) != 1 or wanted[0] == each.per:
            yield each
        else:
            yield _for_period(each, wanted[0])


def _for_period(quantity: Quantity, period: str) -> Quantity:
    above, below = _PER_YEAR[quantity.per], _PER_YEAR[period]
    factor = Decimal(above) / below
    text = f"{quantity.text} × {above // below}" if above >= below else f"{quantity.text} ÷ {below // above}"
    return replace(quantity, value=quantity.value * factor, text=text, per=period, steps=1)


def _products(row: AmountRow, asked: Asked) -> Iterator[Quantity]:
    """Yield a count of a row times what each of it costs or takes."""
    there = [each for each in row.quantities if each]
    for count, measure in product(there, there) if len(there) <= MAX_CELLS else ():
        if count is measure or not (measure.kinds or measure.per == EACH) or "%" in measure.kinds or count.per == EACH:
            continue
        counts = count.kinds <= {"people"} or (count.kinds == {"seconds"} and measure.kinds & CURRENCIES)
        priced = measure.per == EACH or measure.kinds & asked.target.kinds & CURRENCIES
        if counts and (priced or "total" in asked.cues or asked.per):
            yield times(measure, count)


def _quotients(row: AmountRow, asked: Asked) -> Iterator[Quantity]:
    """Yield the amounts of a row for each thing or time that the claim says “a” or “per” of."""
    there = [each for each in row.quantities if each]
    below = [each for each in there if each.thing & asked.per and not each.kinds]
    times = [*there, *_products(row, asked)]
    below += [*measured(times, asked)][-1:]
    yield from quotients(there, below)


def measured(found: Iterable[Quantity], asked: Asked) -> Iterator[Quantity]:
    """Yield the quantities that have the unit of “a kilo”, “an hour”, in it."""
    for each, unit in product(found, asked.units):
        if (value := each.in_unit(unit)) and each.text not in asked.target.text:
            yield replace(each, value=value, units=(unit,))


def quotients(amounts: Iterable[Quantity], counts: Sequence[Quantity]) -> Iterator[Quantity]:
    """Yield amounts by counts of another kind."""
    for each, count in product(amounts, counts):
        apart = not set(each.figures) & set(count.figures) and not each.kinds & count.kinds
        if apart and count.value > 0 and "%" not in each.kinds:
            yield divided(each, count)
