"""Dates and times of day in the spellings of several languages: 3 March 2021 is 2021-03-03 and 03/03/2021."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

_MONTH_NAMES = """
january jan januar jänner janvier janv enero gennaio januari janeiro
february feb februar feber février févr febrero febbraio februari fevereiro
march mar märz mrz mars marzo maart março
april apr avril avr abril aprile
may mai mayo maggio mei maio
june jun juni juin junio giugno junho
july jul juli juillet juil julio luglio julho
august aug août agosto augustus
september sept sep septembre septiembre settembre setembro
october oct oktober okt octobre octubre ottobre outubro
november nov novembre noviembre novembro
december dec dezember dez décembre déc diciembre dic dicembre dezembro
"""
MONTHS = {name: n for n, line in enumerate(_MONTH_NAMES.strip().split("\n"), 1) for name in line.split()}
ENGLISH_MONTHS = tuple(line.split()[0].capitalize() for line in _MONTH_NAMES.strip().split("\n"))
MONTH_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_CENTURY = 100
_PIVOT = 50  # 49 is 2049, 50 is 1950
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
_PATTERNS = (
    r"(?<![\d.,])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
    r"(?<![\d.,])(?P<one>\d{1,2})([-/.])(?P<two>\d{1,2})\2(?P<year>\d{4}|\d\d)(?!\d|[.,-]\d)",
    r"(?P<year>\d{4})\s?年\s?(?P<month>\d{1,2})\s?月(?:\s?(?P<day>\d{1,2})\s?日)?",
    r"(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日",
    rf"(?<![\w.,]){_DAY}[\s-]*(?:of\s+|de\s+)?\b(?P<name>{MONTH_NAME})\b\.?(?:,?[\s-]*(?:de\s+|del\s+)?(?P<year>\d{{4}})(?!\d))?",
    rf"\b(?P<name>{MONTH_NAME})\b\.?,?[^\S\t]*(?:of\s+|de\s+|del\s+)?(?P<year>(?:1\d|20)\d\d)(?!\d)",
    rf"\b(?P<name>{MONTH_NAME})\b\.?\s+{_DAY}(?![\d%]|[.,:]\d)(?:,?\s+(?P<year>\d{{4}})(?!\d))?",
    r"(?<![\d.,])(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])(?![-\d])",
)
_TO = r"(?:[-–—]|to|until|through|bis(?: zum)?)"
_FROM = re.compile(rf"(?<![\d.,:/-])(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s*{_TO}\s*$", re.IGNORECASE)
_UP_TO = re.compile(
    rf"\s*{_TO}\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d%]|[.,:]\d)(?:,?\s+(?P<year>\d{{4}})(?!\d))?", re.IGNORECASE
)
_MOST_BEFORE = 16  # characters of the beginning of a range
_TIME = re.compile(
    r"(?<![\d.,:])(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d\d)(?!\d)(?::\d\d)?|[.h](?P<minute2>\d\d)(?=\s*(?:[ap]\.?\s?m\b|uhr\b|h\b))|(?=\s*(?:[ap]\.?\s?m\b|uhr\b)))"
    r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?)?"
    r"(?:(?:\s*(?:uhr|h|heures))?\s+(?:(?P<morning>in the morning|morgens|vormittags|früh|du matin|de la mañana)|"
    r"(?P<evening>in the (?:afternoon|evening)|at night|nachmittags|abends|de l['’]après-midi|du soir|"
    r"de la (?:tarde|noche)))\b)?",
    re.IGNORECASE,
)
_FIRST_EVENING = 6  # an hour before it “at night” is after midnight
_NOON = 12


@dataclass(frozen=True, slots=True)
class Day:
    """A date whose unknown parts are 0."""

    year: int
    month: int
    day: int

    def agrees(self, other: "Day") -> bool:
        """Return whether the known parts of both are equal."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine == theirs or not (mine and theirs) for mine, theirs in pairs)


@dataclass(frozen=True, slots=True)
class Mention:
    """A date (perhaps with several readings) or a time of day (in minutes), and its position in the text."""

    start: int
    end: int
    days: tuple[Day, ...] = ()
    minutes: int | None = None
    half: str = ""  # of the day, “a” or “p”, if it is said: am, in the evening

    @property
    def certain(self) -> bool:
        """Whether the time is unambiguous: with am or pm, or in 24-hour form."""
        return bool(self.half) or (self.minutes or 0) >= (_NOON + 1) * 60


def mentions(text: str) -> list[Mention]:
    """Return the dates and times in `text`, in order."""
    found: list[Mention] = []

    def taken(match: re.Match[str]) -> str:
        """Record a date and blank it out, so that no later pattern matches its parts."""
        days = tuple(dict.fromkeys(day for day in _days(match) if _exists(day)))
        if not days:
            return match[0]
        found.append(Mention(match.start(), match.end(), days))
        found.extend(_other_end(match, days[0]) if "name" in match.re.groupindex and days[0].day else ())
        return " " * len(match[0])

    for pattern in _patterns():
        text = pattern.sub(taken, text)
    for match in _times(text):
        found += (Mention(match.start(), match.end(), minutes=_minutes(match), half=_half(match)), *_hour_before(match))
    return sorted(found, key=lambda mention: mention.start)


def _other_end(match: re.Match[str], day: Day) -> Iterator[Mention]:
    """Yield the other day of a range within a month: “14 to 21 February 2026”, “May 3–7, 2025”."""
    first = max(0, match.start() - _MOST_BEFORE)
    if (start := _FROM.search(match.string[first : match.start()])) and 0 < int(start["day"]) < day.day:
        yield Mention(first + start.start(), first + start.end("day"), (replace(day, day=int(start["day"])),))
    after = match["name"] is not None and match.start("name") < match.start("day")
    if after and (end := _UP_TO.match(match.string, match.end())) and day.day < int(end["day"]):
        until = Day(_year(end["year"]) or day.year, day.month, int(end["day"]))
        if _exists(until):
            yield Mention(end.start("day"), end.end(), (until,))


def _days(match: re.Match[str]) -> Iterator[Day]:
    parts = match.groupdict()
    year = _year(parts.get("year"))
    if parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        yield from (Day(year, two, one), Day(year, one, two))
        return
    month = MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["month"])
    yield Day(year, month, int(parts.get("day") or 0))


def _year(digits: str | None) -> int:
    if not digits:
        return 0
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < _PIVOT else 1900)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compile the patterns when the first text is read: most searches read none."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS)


def _exists(day: Day) -> bool:
    try:
        date(day.year or 2000, day.month, day.day or 1)  # 2000 has a 29 February
    except ValueError:
        return False
    return True


def _times(text: str) -> Iterator[re.Match[str]]:
    for match in _TIME.finditer(text):
        if int(match["hour"]) <= 24 and int(match["minute"] or match["minute2"] or 0) < 60:
            yield match


def _hour_before(match: re.Match[str]) -> Iterator[Mention]:
    """Yield the full hour from which a range goes to a time: “17 bis 19 Uhr”, “5 to 7 pm”."""
    first = max(0, match.start() - _MOST_BEFORE)
    start = _FROM.search(match.string[first : match.start()])
    if start and int(start["day"]) <= 24:
        yield Mention(first + start.start("day"), first + start.end("day"), minutes=int(start["day"]) % 24 * 60)


def _minutes(match: re.Match[str]) -> int:
    """Return the minutes after midnight."""
    hour, minute = int(match["hour"]), int(match["minute"] or match["minute2"] or 0)
    if half := _half(match):
        return (hour % _NOON + (_NOON if half == "p" else 0)) * 60 + minute
    return hour % 24 * 60 + minute


def _half(match: re.Match[str]) -> str:
    """Return the half of the day that is said of a time; empty if none is."""
    if match["evening"]:
        return "p" if int(match["hour"]) >= _FIRST_EVENING else ""
    return "a" if match["morning"] else (match["half"] or "").lower()
