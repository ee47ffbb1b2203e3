"""Joins figures that a text writes in parts: dates over several lines of a table's header, hours with minutes."""

import re
from itertools import pairwise

from desktop_rag.text.dates import MONTHS

MINUTES = 60
_TIME = re.compile(
    r"\b(?P<hours>\d{1,3})\s?(?:hours?|hrs?|h|Stunden?|Std\.?|heures?|horas?)\b,?(?: and| und| et| y)? ?"
    r"(?P<minutes>\d{1,2})\s?(?:minutes?|mins?|min|Minuten?|minutos?)\b",
    re.IGNORECASE,
)
_DAYS = re.compile(r"(?:\d{1,2}[,.]?\s+)+\d{1,2}[,.]?")
_MONTH_DAYS = re.compile(r"(?:[^\W\d]+\.?\s\d{1,2},?\s+)+[^\W\d]+\.?\s\d{1,2},?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WORD = re.compile(r"[^\W\d]+")


def in_minutes(text: str) -> str:
    """Return a text with “142 minutes” for “2 h 22 min”."""
    return _TIME.sub(lambda match: f"{int(match['hours']) * MINUTES + int(match['minutes'])} minutes", text)


def stacked_dates(text: str) -> str:
    """Return the dates of a table's header that stand in columns: months, below them days, below these years."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found: list[str] = []
    for at, (line, after) in enumerate(pairwise(lines)):
        years = _YEAR.findall(after)
        if _MONTH_DAYS.fullmatch(line):
            days = re.findall(r"[^\W\d]+\.?\s\d{1,2}", line)
        elif _DAYS.fullmatch(line) and at and _are_months(lines[at - 1]):
            days = [
                f"{month} {day}"
                for month, day in zip(_WORD.findall(lines[at - 1]), re.findall(r"\d+", line), strict=False)
            ]
        else:
            continue
        if len(days) == len(years):
            found += [f"{day}, {year}" for day, year in zip(days, years, strict=True)]
    return "\n".join(found)


def _are_months(line: str) -> bool:
    return all(word.casefold() in MONTHS for word in line.replace(".", "").split())
