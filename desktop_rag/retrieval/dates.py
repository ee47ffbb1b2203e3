"""Turns the dates of a query (2024, 2024-03, 2024-03-15, today) into moments in the person's own time zone."""

import re
from datetime import UTC, date, datetime, timedelta

_DATE = re.compile(r"(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?")
_SAFE_YEAR = 1971  # some systems cannot place earlier moments in the local time zone


def day_range(text: str, today: date) -> tuple[date, date] | None:
    """Return the first day of a date and the first day after it, None if `text` is not a date."""
    lowered = text.lower()
    if lowered in {"today", "yesterday"}:
        first = today - timedelta(days=lowered == "yesterday")
        return first, first + timedelta(days=1)
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if not 1 <= year < date.max.year:
        return None
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return None
    if found.group(2) is None:
        return first, date(year + 1, 1, 1)
    if found.group(3) is None:
        return first, date(year + month // 12, month % 12 + 1, 1)
    return first, first + timedelta(days=1)


def midnight_ns(day: date) -> int:
    """Return the moment `day` begins, in nanoseconds since 1970."""
    moment = datetime(day.year, day.month, day.day)
    if day.year < _SAFE_YEAR:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1_000_000_000
