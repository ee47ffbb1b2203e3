"""Formats the dates, times, durations and recurrence rules of iCalendar for reading."""

import re
from datetime import date, datetime, timedelta

from desktop_rag.documents.formats.personal.content_lines import Property
from desktop_rag.text.dates import ENGLISH_MONTHS

_MOMENT = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?(\d{2}))?(Z)?)?")
_DURATION = re.compile(r"([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?")
_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday"}
_DAYS |= {"SU": "Sunday"}
_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_POSITION = re.compile(r"[+-]?\d{1,3}")
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "second to last"}
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}


def format_period(start: Property | None, end: Property | None, duration: Property | None) -> str:
    """Return the start and end of an entry, “2024-03-05 14:30 – 15:30 (Europe/Vienna)”."""
    begin = parse_moment(start.value) if start is not None else None
    if begin is None or start is None:
        return start.line if start is not None else ""
    finish = parse_moment(end.value) if end is not None else None
    if finish is None and duration is not None:
        finish = _later(begin, duration.value)
    zone = "UTC" if start.value.endswith("Z") else start.parameters.get("TZID", "")
    period = _format(begin)
    if finish is not None and not isinstance(begin, datetime) and not isinstance(finish, datetime):
        finish -= timedelta(days=1)  # the end date of all-day entries is exclusive
    if finish is not None and isinstance(finish, datetime) == isinstance(begin, datetime) and _before(begin, finish):
        last = _format(finish)
        period += f" – {last[11:] if last[:10] == period[:10] else last}"
    return f"{period} ({zone})" if zone else period


def parse_moment(value: str) -> date | datetime | None:
    """Return the date or date-time at the start of a value, or None."""
    found = _MOMENT.match(value)
    if found is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
        if found[4] is None:
            return day
        return datetime(day.year, day.month, day.day, int(found[4]), int(found[5]))
    except ValueError:
        return None


def format_moment(value: str) -> str:
    """Return a date or date-time in readable form, or the value itself if it is neither."""
    moment = parse_moment(value)
    return _format(moment) if moment is not None else value


def format_recurrence(rule: str) -> str:
    """Return a recurrence rule in words, “every 2 weeks on Monday until 2024-12-31”."""
    parts = dict(part.split("=", 1) for part in rule.upper().split(";") if "=" in part)
    unit = _UNITS.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    interval = parts.get("INTERVAL", "1")
    text = f"every {unit}" if interval == "1" else f"every {interval} {unit}s"
    days = [_day(found) for found in _DAY.finditer(parts.get("BYDAY", ""))]
    if days:
        which = ", ".join(_ordinal(int(at)) for at in parts.get("BYSETPOS", "").split(",") if _POSITION.fullmatch(at))
        text += f" on {f'the {which} of ' if which else ''}{', '.join(days)}"
    if numbers := parts.get("BYMONTHDAY"):
        text += f" on day {numbers.replace(',', ', ')}"
    months = [int(month) for month in parts.get("BYMONTH", "").split(",") if month.isdecimal() and len(month) < 3]
    if named := [ENGLISH_MONTHS[month - 1] for month in months if 1 <= month <= 12]:
        text += f" in {', '.join(named)}"
    if until := parts.get("UNTIL"):
        text += f" until {format_moment(until)[:10]}"
    if count := parts.get("COUNT"):
        text += f", {count} times"
    return text


def _day(found: "re.Match[str]") -> str:
    name = _DAYS[found[2]]
    if not found[1]:
        return name
    return f"the {_ordinal(int(found[1]))} {name}"


def _ordinal(number: int) -> str:
    return _ORDINALS.get(number, f"{number}.")


def _format(moment: date | datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if isinstance(moment, datetime) else moment.isoformat()


def _before(begin: date | datetime, finish: date | datetime) -> bool:
    return _format(begin) < _format(finish)


def _later(begin: date | datetime, duration: str) -> date | datetime | None:
    found = _DURATION.fullmatch(duration.strip())
    if found is None or found[1] == "-":
        return None
    weeks, days, hours, minutes, seconds = (int(group or 0) for group in found.groups()[1:])
    try:
        return begin + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError:
        return None
