"""Finds the sum of two figures, or of a column, of the cited lines that gives a figure which they do not write.

The equation told is true as it is written: “=” if it is exact, “≈” if its result is rounded to the last digit that the
statement writes. Any two of many numbers give a short result by chance, so the fewer digits a result has, the fewer
numbers it may be sought among.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, DecimalException
from itertools import combinations, permutations

from desktop_rag.agent.citations.quoted_rows import cells_of, is_row
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.text.dates import Day
from desktop_rag.text.figures import Figure, read_figures

MAX_NUMBERS = {1: 2, 2: 4, 3: 8}  # different numbers of the lines, by the significant digits of the result …
SURE_DIGITS = 3  # from which a result without a unit may be rounded
MAX_SURE = 24  # … and of results with more digits
MAX_LINES = 60  # in which a sum is sought
MIN_ROWS = 3  # of a column that is summed
MAX_ROWS = 12
MAX_DATES = 3  # among which a span is sought
_YEAR = 12
_DAYS = {86_400: 1, 604_800: 7}  # days of a unit in seconds
_HUNDRED = Decimal(100)
_SHARES = frozenset(("%", "points"))
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Computed:
    """An equation, and its operands as written, each with the index of the source that writes it."""

    text: str
    operands: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Number:
    """An amount as written; its value has its scale word in it."""

    text: str
    value: Decimal
    kinds: frozenset[str]
    factor: Decimal  # of its unit
    source: int
    row: tuple[int, int]  # of a table, and …
    column: int  # … its column; -1 in prose


def compute(figure: Figure, sources: Sequence[CitedLines]) -> Computed | None:
    """Return the sum of figures of the cited lines that gives a figure, the simplest one; None if there is none."""
    if sum(len(source.lines) for source in sources) > MAX_LINES:
        return None
    named = figure.when or figure.is_year or figure.name or figure.period or figure.fraction or figure.loose
    if named or not figure.values or not _has_digits(figure):
        return None
    found = _span(figure, sources) or _sum(figure, sources)
    declared = frozenset[int]().union(*(read_figures(source.text()).scales for source in sources))
    if found or not declared.intersection(figure.scales):
        return found
    # Of a table in thousands the sum is told as its cells are written.
    return _sum(replace(figure, text=figure.digits, scales=(), units=()), sources)


def _sum(figure: Figure, sources: Sequence[CitedLines]) -> Computed | None:
    """Return the operation on two amounts, or the sum or mean of several, that gives a figure."""
    value, place = _value(figure), figure.place * _scale(figure)
    numbers = list(_numbers(sources))
    digits = len(value.normalize().as_tuple().digits)
    fitting = {each.value for each in numbers if not (each.kinds and figure.kinds) or each.kinds & figure.kinds}
    if len(fitting) <= MAX_NUMBERS.get(digits, MAX_SURE):
        pairs = [pair for pair in permutations(numbers, 2) if _may_be_compared(*pair)]
        made = [each for pair in pairs for each in _of_two(figure, value, place, *pair)]
        if made:
            return min(made, key=lambda each: each[0])[1]
    return _of_column(figure, value, place, sources)


def _has_digits(figure: Figure) -> bool:
    return bool(_DIGIT.search(figure.text))


def _value(figure: Figure) -> Decimal:
    return figure.values[0] * _scale(figure)


def _scale(figure: Figure) -> int:
    return figure.scales[0] if figure.scales else 1


def _numbers(sources: Sequence[CitedLines]) -> Iterator[_Number]:
    """Yield each different amount of the prose of the lines once, and those of the cells of their rows."""
    seen: set[tuple[Decimal, frozenset[str], tuple[int, int], int]] = set()
    for index, source in enumerate(sources):
        for number in sorted(source.lines):
            line = source.lines[number]
            parts = enumerate(cells_of(line)) if is_row(line) else [(-1, line)]
            for column, part in parts:
                for figure in filter(_is_amount, read_figures(part).figures):
                    found = _number(figure, index, (index, number) if column >= 0 else (-1, -1), column)
                    if (key := (found.value, found.kinds, found.row, column)) not in seen:
                        seen.add(key)
                        yield found


def _number(figure: Figure, source: int, row: tuple[int, int] = (-1, -1), column: int = -1) -> _Number:
    factor = figure.units[0].factor if figure.units else Decimal(1)
    return _Number(figure.text.strip("( "), _value(figure), figure.kinds, factor, source, row, column)


def _may_be_compared(one: _Number, other: _Number) -> bool:
    """Return whether two amounts are not zero, and those of a table in one row or one column."""
    is_table = one.column >= 0 and other.column >= 0
    return bool(one.value and other.value) and (not is_table or one.row == other.row or one.column == other.column)


def _is_amount(figure: Figure) -> bool:
    """Return whether a figure can be computed with: in digits, no date, name or year."""
    other = figure.name or figure.when or figure.period or figure.fraction or figure.part or figure.loose
    plain = bool(figure.values) and not figure.is_year and not figure.negative
    return plain and not other and _has_digits(figure)


def _of_two(
    target: Figure, value: Decimal, place: Decimal, one: _Number, other: _Number
) -> Iterator[tuple[tuple[bool, int], Computed]]:
    """Yield the operations on two numbers that give a value, if their units allow it, with their rank."""
    for written, result in _operations(target, one, other):
        try:
            sign = _sign(result(), value, place)
        except DecimalException:
            continue
        sure = sign == "=" or target.kinds or len(value.normalize().as_tuple().digits) >= SURE_DIGITS
        if sign and sure:
            operands = ((one.text, one.source), (other.text, other.source))
            yield ("(" in written, len(written)), Computed(f"{written} {sign} {target.text}", operands)


def _operations(target: Figure, one: _Number, other: _Number) -> Iterator[tuple[str, Callable[[], Decimal]]]:
    """Yield what can be computed of two numbers with the unit of a figure, as written and as a function."""
    a, b = one.value, other.value
    kinds = one.kinds | other.kinds
    alike = not (one.kinds and other.kinds) or (one.kinds == other.kinds and one.factor == other.factor)
    fits = not (target.kinds and kinds) or bool(target.kinds & kinds)
    same_size = not (target.kinds and one.kinds) or target.units[0].factor in (one.factor, other.factor)
    share = bool(target.kinds & _SHARES)
    if alike and fits and same_size and (bool(kinds) and kinds <= _SHARES if share else not kinds & _SHARES):
        if one.text <= other.text:
            yield f"{one.text} + {other.text}", lambda: a + b
        yield f"{one.text} − {other.text}", lambda: a - b
    if "%" in target.kinds and alike and not kinds & _SHARES:
        yield f"{one.text} ÷ {other.text}", lambda: a / b * _HUNDRED
        yield f"({one.text} − {other.text}) ÷ {other.text}", lambda: (a - b) / b * _HUNDRED
        yield f"({other.text} − {one.text}) ÷ {other.text}", lambda: (b - a) / b * _HUNDRED
    if share or (kinds & _SHARES and one.kinds != {"%"}):
        return
    if one.kinds == {"%"}:
        if "%" not in other.kinds and not (target.kinds and other.kinds and not target.kinds & other.kinds):
            yield f"{one.text} × {other.text}", lambda: a * b / _HUNDRED
        return
    if fits and same_size and not (one.kinds and one.kinds == other.kinds):
        if one.text <= other.text:
            yield f"{one.text} × {other.text}", lambda: a * b
        yield f"{one.text} ÷ {other.text}", lambda: a / b
    elif not target.kinds and alike:
        yield f"{one.text} ÷ {other.text}", lambda: a / b


def _sign(result: Decimal, value: Decimal, place: Decimal) -> str:
    """Return “=” if a result is a value, “≈” if it is that rounded to its last digit, else nothing."""
    if result == value:
        return "="
    return "≈" if result > 0 and abs(result - value) * 2 <= place and abs(value) >= 10 * place else ""


def _of_column(target: Figure, value: Decimal, place: Decimal, sources: Sequence[CitedLines]) -> Computed | None:
    """Return the sum or mean of a column or row that is cited, or of the only amounts of the cited lines."""
    lines = [(index, source.lines[number]) for index, source in enumerate(sources) for number in sorted(source.lines)]
    for column in _columns(lines):
        kinds = frozenset[str]().union(*(each.kinds for each in column))
        if not MIN_ROWS <= len(column) <= MAX_ROWS or len(kinds) > 1:
            continue
        if (target.kinds and kinds and not target.kinds & kinds) or len({each.factor for each in column}) > 1:
            continue
        total = sum((each.value for each in column), Decimal(0))
        terms = " + ".join(each.text for each in column)
        operands = tuple((each.text, each.source) for each in column)
        if total == value:
            return Computed(f"{terms} = {target.text}", operands)
        if sign := _sign(total / len(column), value, place):
            return Computed(f"({terms}) ÷ {len(column)} {sign} {target.text}", operands)
    return None


def _columns(lines: Sequence[tuple[int, str]]) -> Iterator[list[_Number]]:
    """Yield the amounts of each column of rows, of each row, and those of lines that have one each."""
    rows = [(index, cells_of(line)) for index, line in lines if is_row(line)]
    for index, row in rows:
        yield [_number(each, index) for cell in row for each in filter(_is_amount, read_figures(cell).figures)]
    for at in range(max((len(cells) for _, cells in rows), default=0)):
        cells = [(index, read_figures(cells[at]).figures) for index, cells in rows if at < len(cells)]
        yield [_number(read[0], index) for index, read in cells if len(read) == 1 and _is_amount(read[0])]
    read = [(index, list(filter(_is_amount, read_figures(line).figures))) for index, line in lines if not is_row(line)]
    yield [_number(figures[0], index) for index, figures in read if len(figures) == 1]


def _span(target: Figure, sources: Sequence[CitedLines]) -> Computed | None:
    """Return the time between two dates of the lines if it is the figure."""
    if len(target.units) != 1 or not target.kinds & {"months", "seconds"}:
        return None
    dated = list(_dates(sources))
    years = {day.year for day, _, _ in dated if day.year}
    [year] = years if len(years) == 1 else [0]  # “from 12 January to 6 February 2026”
    dated = [(replace(day, year=year) if not day.year else day, text, source) for day, text, source in dated]
    dated = [each for each in dated if each[0].year]
    for one, other in combinations(dated, 2) if len(dated) <= MAX_DATES else ():
        (first, *_), (last, *_) = ends = sorted(
            (one, other), key=lambda each: (each[0].year, each[0].month, each[0].day)
        )
        if sign := _length(first, last, target):
            written = f"{ends[1][1]} − {ends[0][1]} {sign} {target.text}"
            return Computed(written, tuple((text, source) for _, text, source in ends))
    return None


def _dates(sources: Sequence[CitedLines]) -> Iterator[tuple[Day, str, int]]:
    """Yield each date and year of the lines once, as written."""
    seen: set[Day] = set()
    for index, source in enumerate(sources):
        for number in sorted(source.lines):
            for figure in read_figures(source.lines[number]).figures:
                day = _day(figure)
                if day and day not in seen:
                    seen.add(day)
                    yield day, figure.text, index


def _day(figure: Figure) -> Day | None:
    if figure.when and len(figure.when.days) == 1 and (figure.when.days[0].year or figure.when.days[0].day):
        return figure.when.days[0]
    is_year = figure.is_year and bool(figure.values) and 1000 <= figure.values[0] <= 2100
    return Day(int(figure.values[0]), 0, 0) if is_year else None


def _length(first: Day, last: Day, target: Figure) -> str:
    """Return “=” if the time from one date to another is a figure, “≈” if it is that rounded, else nothing."""
    unit, count = target.units[0], target.values[0]
    if unit.kind == "seconds":
        if not (first.day and last.day and int(unit.factor) in _DAYS):
            return ""
        days = Decimal((date(last.year, last.month, last.day) - date(first.year, first.month, first.day)).days)
        return "=" if count * _DAYS[int(unit.factor)] == days else ""
    in_years = unit.factor == _YEAR
    if bool(first.month) != bool(last.month) or bool(first.day) != bool(last.day) or not (in_years or first.month):
        return ""
    months = (last.year - first.year) * _YEAR + last.month - first.month
    if months == count * unit.factor and first.day == last.day:
        return "="
    return "≈" if first.month and abs(months - count * unit.factor) * 2 < unit.factor and count > 1 else ""
