"""Counts the nights or days of a range of dates: how many nights in Ghent, by “2–5 April: Ghent”."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.text.dates import Day, mentions

_ASKS = re.compile(r"^(?:how many|wie ?viele) (?:(?P<nights>nights|nächte)|days|tage)\b", re.IGNORECASE)
_ASKING = frozenset(
    stems("night nights day days stay stays staying stayed spend spent book booked sleep nächte tage bleiben")
)
_TO = re.compile(r"\s*(?:[-–—]|to|until|till|bis(?: zum)?)\s*", re.IGNORECASE)
_STATED = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben)[\s-]"
    r"(?:\w+ )?(?:nights?|days?|nächte|nacht|tage?)\b",
    re.IGNORECASE,
)
_LEAP = 2000  # a year for dates without one, unless a February makes a difference
_FEBRUARY = 2


def date_span(question: AnalysedQuestion, read: Sequence[CandidateSentence]) -> tuple[str, CandidateSentence] | None:
    """Return the number of nights or days as a lead-in, and a sentence with the range or under the heading with it.

    None unless one range is meant and no sentence there states the number itself.
    """
    asked = _ASKS.match(question.text)
    subject = frozenset(question.stems) - _ASKING
    if not asked or not subject:
        return None
    found: dict[tuple[date, date], CandidateSentence] = {}
    for each in read:
        place = each.under if any(_spans(each.under)) else each.text
        if subject <= set(stems(f"{each.under} {each.text}")):
            if _STATED.search(each.text):
                return None
            for span in _spans(place):
                found.setdefault(span, replace(each, entry=each.under if place == each.under else ""))
    if len(found) != 1:
        return None
    [((first, last), quoted)] = found.items()
    nights = (last - first).days
    ends = f"{first.day} {first:%B} to {last.day} {last:%B}"
    said = f"{nights} nights" if asked["nights"] else f"{nights + 1} days, the first and the last counted"
    return (f"{said}, going by {ends}:", quoted) if nights > 1 else None


def _spans(text: str) -> Iterator[tuple[date, date]]:
    """Yield the ranges of days in a text."""
    for one, other in pairwise(mentions(text)):
        if one.days and other.days and _TO.fullmatch(text[one.end : other.start]):
            year = other.days[0].year or one.days[0].year
            first, last = _date(one.days[0], year), _date(other.days[0], year)
            if first and last and first < last:
                yield first, last


def _date(day: Day, year: int) -> date | None:
    unsure = not (day.day and day.month) or (not year and day.month <= _FEBRUARY)
    return None if unsure else date(day.year or year or _LEAP, day.month, day.day)
