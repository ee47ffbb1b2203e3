"""Tells whether a sentence holds at the time of a question: “from 1 March 2024 the rent is …” holds in 2025."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_rag.text.dates import Day, mentions

_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w-]|[.,]\d)")
_SINCE = re.compile(
    r"\b(?:from|since|effective|as (?:of|from)|(?:starting|beginning)(?: (?:on|from|in))?|ab|seit|vom)"
    r"(?: (?:the|dem|de[nr]))?\s*$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:until|till|through|up to|ending|bis)(?: (?:the|zum|zur|dem|einschließlich|(?:the )?end of))?\s*$",
    re.IGNORECASE,
)
_TO = re.compile(r"^\s*(?:to|and|-|–|und)\s*$", re.IGNORECASE)  # between the two ends of a period
_RANGE = re.compile(r"^\s*(?:to|until|-|–|bis(?: zum)?)\s*$", re.IGNORECASE)  # the same, also without “from”

Date = tuple[int, int, int]  # year, month and day
_FIRST, _LAST = (0, 0, 0), (9999, 12, 31)


@dataclass(frozen=True, slots=True)
class Period:
    """The first and the last day of a period."""

    first: Date = _FIRST
    last: Date = _LAST

    @property
    def begins(self) -> bool:
        """Whether it has a first day."""
        return self.first != _FIRST

    @property
    def ends(self) -> bool:
        """Whether it has a last day."""
        return self.last != _LAST

    def meets(self, other: "Period") -> bool:
        """Return whether two periods have a day in common."""
        return self.first <= other.last and other.first <= self.last


@lru_cache(maxsize=64)
def asked_period(question: str) -> Period | None:
    """Return the day, month or year that a question names; None if it names none or several."""
    found = {period for _, _, period in _dated(question)}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=1 << 14)
def periods(text: str) -> tuple[Period, ...]:
    """Return the periods in which a sentence says that something holds: since a day, until a day, or both."""
    found: list[Period] = []
    earlier: Period | None = None
    end = 0
    for start, stop, named in _dated(text):
        before, between = text[:start], text[end:start]
        if earlier and _RANGE.match(between) and not (found and found[-1].begins):
            found.append(Period(earlier.first))
        earlier = named
        if _SINCE.search(before):
            found.append(Period(named.first))
        elif _UNTIL.search(before) or (found and end and _TO.match(between)):
            opened = found.pop() if found and not found[-1].ends else Period()
            found.append(replace(opened, last=named.last))
        end = stop
    return tuple(found)


def holding_since(text: str, asked: Period) -> Date | None:
    """Return the first day of the latest period of a sentence that meets the one asked for; None if none does."""
    return max((each.first for each in periods(text) if each.meets(asked)), default=None)


def _dated(text: str) -> Iterator[tuple[int, int, Period]]:
    """Yield the start, the end and the days of each date with a year, and of each year alone, in order."""
    found = [(each.start, each.end, each.days[0]) for each in mentions(text) if each.days and each.days[0].year]
    years = [(year.start(), year.end(), Day(int(year[0]), 0, 0)) for year in _YEAR.finditer(text)]
    alone = [each for each in years if not any(start <= each[0] < end for start, end, _ in found)]
    for start, end, day in sorted((*found, *alone), key=lambda each: each[0]):
        last = day.year, day.month or 12, day.day or 31
        yield start, end, Period((day.year, day.month, day.day), last)
