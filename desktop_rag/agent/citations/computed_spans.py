"""Recomputes days, months and years between two dates of the cited lines: durations and ages."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations

from desktop_rag.text.dates import Day
from desktop_rag.text.figures import Figure, read_figures

MAX_DATES = 6
_CUE = re.compile(
    r"(?<!\w)(?:between|after|later|earlier|before|last(?:s|ed|ing)?|durations?|term|aged?|old|since|within|took|takes|apart|"
    r"from|until|lived|over|period|long|for|zwischen|nach|später|früher|vor|dauer\w*|alt|Alter|seit|lang|liegen|Laufzeit|"
    r"entre|après|avant|plus tard|durée|âgée?|depuis|después|antes|duración|edad|desde|durante)(?!\w)",
    re.IGNORECASE,
)
_AGE = re.compile(r"(?<!\w)(?:aged?|old|alt|Alter|âgée?|ans|edad|died|lived|starb|wurde)(?!\w)", re.IGNORECASE)
_DAYS = {86_400: 1, 604_800: 7}  # seconds of the unit to days
_YEAR = 12


def recompute_span(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the span between two dates of the sources as text if the figure is its length."""
    if not target.values or not target.units or not _CUE.search(claim):
        return None
    found = dict.fromkeys(day for source in sources for day in _days(source))
    for one, other in combinations(list(found)[:MAX_DATES], 2):
        first, last = sorted((one, other), key=lambda day: (day.year, day.month, day.day))
        if any(length == target.values[0] for length in _lengths(first, last, target, claim)):
            return f"{_written(last)} − {_written(first)} = {target.text}"
    return None


def _days(source: str) -> Iterator[Day]:
    for figure in read_figures(source).figures:
        if figure.when and len(figure.when.days) == 1 and figure.when.days[0].year:
            yield figure.when.days[0]
        elif figure.is_year and figure.values and 1000 <= figure.values[0] <= 2100:
            yield Day(int(figure.values[0]), 0, 0)


def _lengths(first: Day, last: Day, target: Figure, claim: str) -> Iterator[Decimal]:
    """Yield the lengths of a span in the figure's unit; with years alone an age may be one less."""
    unit = target.units[0]
    if first.day and last.day and unit.kind == "seconds" and int(unit.factor) in _DAYS:
        days = (date(last.year, last.month, last.day) - date(first.year, first.month, first.day)).days
        yield Decimal(days) / _DAYS[int(unit.factor)]
        yield Decimal(days + 1) / _DAYS[int(unit.factor)]  # both days counted
    elif unit.kind == "months":
        months = (last.year - first.year) * _YEAR + (last.month - first.month if first.month and last.month else 0)
        if first.day and last.day and last.day < first.day:
            months -= 1
        whole = months // int(unit.factor)
        if unit.factor == _YEAR or (first.month and last.month):
            yield Decimal(whole)
            if not (first.month and last.month) and _AGE.search(claim):
                yield Decimal(whole - 1)


def _written(day: Day) -> str:
    return f"{day.year}" + (f"-{day.month:02}" if day.month else "") + (f"-{day.day:02}" if day.day else "")
