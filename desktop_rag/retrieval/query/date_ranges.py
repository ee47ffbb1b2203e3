"""Turns the dates of a query (2024-03, march 2024, last week, >2023, [2023 TO today]) into timestamps in local time.

A week begins on Monday. “Last month” is the one before this, as in the calendar; “last 3 months” begin on the same day
three months ago, “last 3 days” three days ago, and both end today. A month without a year is that of any year.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches

from desktop_rag.text.dates import MONTHS, Day, mentions

_DATE = re.compile(r"(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?")
_QUARTER = re.compile(r"(\d{4})-?q([1-4])")
_CALENDAR = re.compile(r"(this|last) (day|week|month|quarter|year)")
_LATELY = re.compile(r"(?:last|past) (?:(\d{1,5}) )?(day|week|month|quarter|year)s?")
_COMPARED = re.compile(r"([<>]=?)\s*(.+)")
_RANGE = re.compile(r"(\S.*?)\s+TO\s+(.*\S)")
_SAFE_YEAR = 1971  # some systems cannot convert earlier times to the local time zone
_MONTHS = {"month": 1, "quarter": 3, "year": 12}

_TRANSLATED = {
    **dict.fromkeys(("heute", "aujourd'hui", "hoy", "oggi", "vandaag"), "today"),
    **dict.fromkeys(("gestern", "hier", "ayer", "ieri", "gisteren"), "yesterday"),
    **dict.fromkeys(("letzte woche", "la semaine dernière", "la semana pasada"), "last week"),
    **dict.fromkeys(("letzten monat", "letzter monat", "le mois dernier", "el mes pasado"), "last month"),
    **dict.fromkeys(("letztes jahr", "l'année dernière", "el año pasado"), "last year"),
}
NAMED = (
    *("today", "yesterday", "this week", "last week", "this month", "last month"),
    *("this quarter", "last quarter", "this year", "last year", "last 7 days", "last 3 months"),
)


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` up to, excluding, `end`; None leaves a side open. A `month` leaves out all others."""

    first: date | None
    end: date | None
    month: int = 0

    @property
    def since_ns(self) -> int | None:
        """Return the start, in nanoseconds since 1970."""
        return None if self.first is None else midnight_ns(self.first)

    @property
    def until_ns(self) -> int | None:
        """Return the end, exclusive, in nanoseconds since 1970."""
        return None if self.end is None else midnight_ns(self.end)

    @property
    def empty(self) -> bool:
        """Return whether the period contains no day."""
        return self.first is not None and self.end is not None and self.first >= self.end


def period(text: str, today: date) -> Period | None:
    """Parse a date, a comparison (“>2023”) or a range; None if the text is none of them."""
    text = " ".join(text.split())
    if between := _RANGE.fullmatch(text):
        low, high = (side_of_range(side, today) for side in between.groups())
        return None if low is None or high is None else Period(low.first, high.end)
    if compared := _COMPARED.fullmatch(text):
        days = _days(compared[2].lower(), today)
        return None if days is None else _compared(compared[1], days)
    month = MONTHS.get(text.lower().rstrip("."))
    return Period(None, None, month) if month else _days(text.lower(), today)


def side_of_range(text: str, today: date) -> Period | None:
    """Parse one side of a range; `*` leaves it open."""
    return Period(None, None) if text == "*" else _days(" ".join(text.lower().split()), today)


def similar(text: str) -> str:
    """Return a date in another form as the query writes it, or the named period most similar to a misspelled one.

    Of a day that does not exist its year; empty if nothing is similar.
    """
    words = " ".join(text.lower().split())
    if (day := next(iter(_written(words)), None)) is not None:
        return f"{day.year}" + (f"-{day.month:02}" if day.month else "") + (f"-{day.day:02}" if day.day else "")
    if words in _TRANSLATED:
        return _TRANSLATED[words]
    if impossible := _DATE.fullmatch(words):
        return impossible[1]
    return next(iter(get_close_matches(words, NAMED, 1, 0.75)), "")


def midnight_ns(day: date) -> int:
    """Return the start of `day`, in nanoseconds since 1970."""
    moment = datetime(day.year, day.month, day.day)
    if day.year < _SAFE_YEAR:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1_000_000_000


def month_of(moment_ns: int) -> int:
    """Return the month (1 to 12) of a moment in nanoseconds since 1970."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=moment_ns // 1_000_000_000)
    return moment.month if moment.year < _SAFE_YEAR else moment.astimezone().month


def month_ranges(month: int, until: int) -> list[tuple[int, int]]:
    """Return the first and the end, in nanoseconds, of a month in each year from 1900 up to `until`."""
    days = (_whole("month", date(year, month, 1)) for year in range(1900, until + 1))
    return [(each.since_ns or 0, each.until_ns or 0) for each in days]


def _compared(sign: str, days: Period) -> Period:
    match sign:
        case ">":
            return Period(days.end, None)
        case ">=":
            return Period(days.first, None)
        case "<":
            return Period(None, days.first)
        case _:
            return Period(None, days.end)


def _days(text: str, today: date) -> Period | None:
    try:
        return _calendar_date(text) or _relative(text, today) or _written_date(text)
    except (ValueError, OverflowError):  # no such day, or one outside the range of `date`
        return None


def _calendar_date(text: str) -> Period | None:
    if quarter := _QUARTER.fullmatch(text):
        return _whole("quarter", date(int(quarter[1]), 3 * int(quarter[2]) - 2, 1))
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if "00" in found.groups():
        return None
    unit = "day" if day else "month" if month else "year"
    return _whole(unit, date(year, month or 1, day or 1))


def _written_date(text: str) -> Period | None:
    """Parse a date in words or another order (“15 march 2024”) that has one reading."""
    days = _written(text)
    if len(days) != 1:
        return None
    year, month, day = days[0].year, days[0].month, days[0].day
    return _whole("day" if day else "month", date(year, month, day or 1))


def _written(text: str) -> tuple[Day, ...]:
    """Return the readings of a text that is one date with a year."""
    whole = (each for each in mentions(text) if each.days and each.start == 0 and each.end == len(text))
    return next((each.days for each in whole if each.days[0].year), ())


def _relative(text: str, today: date) -> Period | None:
    if text in {"today", "yesterday"}:
        return _whole("day", today - timedelta(days=text == "yesterday"))
    if named := _CALENDAR.fullmatch(text):
        current = _whole(named[2], today)
        assert current.first is not None
        return current if named[1] == "this" else _whole(named[2], current.first - timedelta(days=1))
    if lately := _LATELY.fullmatch(text):
        return Period(_before(today, int(lately[1] or 1), lately[2]), today + timedelta(days=1))
    return None


def _whole(unit: str, day: date) -> Period:
    """Return the day, week, month, quarter or year that contains `day`."""
    if unit == "day":
        return Period(day, day + timedelta(days=1))
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return Period(monday, monday + timedelta(days=7))
    months = _MONTHS[unit]
    first = day.replace(month=day.month - (day.month - 1) % months, day=1)
    return Period(first, _month_after(first, months))


def _before(day: date, count: int, unit: str) -> date:
    """Return the day `count` units before `day`; the last of the month if that month is too short."""
    if unit in _MONTHS:
        first = _month_after(day.replace(day=1), -count * _MONTHS[unit])
        return min(first + timedelta(days=day.day - 1), _month_after(first, 1) - timedelta(days=1))
    return day - timedelta(days=count * (7 if unit == "week" else 1))


def _month_after(first: date, months: int) -> date:
    year, month = divmod(12 * first.year + first.month - 1 + months, 12)
    return date(year, month + 1, 1)
