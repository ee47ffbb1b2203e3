"""Compares years with the decades and centuries that a source names."""

import re
from collections.abc import Iterable, Iterator

from desktop_rag.text.figures import Figure, FigureText

DECADE = 10  # years
_DECADE_OF_A_CENTURY = 2000
CENTURY = re.compile(
    r"(?:st|nd|rd|th|\.|e|º)?(?: (?:to|and|bis|und) (?:the |zum )?\d+(?:st|nd|rd|th|\.))?\s?\b"
    r"(?:century|centuries|Jahrhundert\w*|Jh\.|siècle|siglo)",
    re.IGNORECASE,
)
_SHORT_DECADE = re.compile(r" (?:and|or|to|und|bis) (\d0)s\b")


def era_length(year: int) -> int:
    """Return the years of “the 1840s” and of “the 1100s”, which are a century; the 2000s are a decade."""
    return DECADE if year % 100 or year == _DECADE_OF_A_CENTURY else 100


def is_century(figure: Figure, text: str, others: Iterable[Figure]) -> bool:
    """Return whether a figure numbers the century of a year or date of the source."""
    if not (CENTURY.match(text, figure.end) or CENTURY.search(figure.text)):
        return False
    found = list(others)
    years = {day.year for other in found if other.when for day in other.when.days}
    years |= {int(value) for other in found if other.is_year for value in other.values}
    return any(0 <= year - (figure.values[0] - 1) * 100 <= 100 for year in years if year)


def bounds_era(figure: Figure, texts: list[FigureText]) -> bool:
    """Return whether a year begins or ends a decade or century of the source, or “1400s” has one of it."""
    eras = [each for text in texts for each in _eras(text)]
    if figure.period and figure.period[0] == "s":
        begin = figure.period[1]
        return any(begin <= first and last <= begin + era_length(begin) for first, last in eras)
    return figure.is_year and any(figure.values[0] in each for each in eras)


def _eras(text: FigureText) -> Iterator[tuple[int, int]]:
    """Yield the first and last years of the decades and centuries of a text: “the 1840s and 50s”."""
    for figure in text.figures:
        if figure.period and figure.period[0] == "s":
            yield figure.period[1], figure.period[1] + era_length(figure.period[1])
            if short := _SHORT_DECADE.match(text.plain, figure.end):
                decade = figure.period[1] // 100 * 100 + int(short[1])
                yield decade, decade + DECADE
        elif figure.values and (CENTURY.match(text.plain, figure.end) or CENTURY.search(figure.text)):
            yield int(figure.values[0] - 1) * 100, int(figure.values[0]) * 100
