"""Parses the content lines of iCalendar and vCard (RFC 5545 section 3.1, RFC 6350 section 3.2; vCard 2.1)."""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from desktop_rag.documents.decoding.charsets import decode_leniently
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.text.dates import ENGLISH_MONTHS

_FOLD = re.compile(r"\n[ \t]")
_LINE = re.compile(r'(?:[\w-]+\.)?([\w-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)')
_PARAMETER = re.compile(r';([\w-]+)(?:=((?:"[^"]*"|[^;"])*))?')
_ESCAPED = re.compile(r"\\(.)")
_SPLIT = re.compile(r"(?<!\\);")
_QUOTED_PRINTABLE = "QUOTED-PRINTABLE"


@dataclass(frozen=True, slots=True)
class Property:
    """One property: its name and parameter names in capitals, its value still escaped."""

    name: str
    value: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the unescaped value, which may have several lines."""
        return unescaped(self.value)

    @property
    def line(self) -> str:
        """Return the unescaped value as one line."""
        return " ".join(self.text.split())

    @property
    def parts(self) -> list[str]:
        """Return the components of a structured value."""
        return [" ".join(unescaped(part).split()) for part in _SPLIT.split(self.value)]

    @property
    def types(self) -> str:
        """Return the types of a number or address, “home, work”."""
        named = self.parameters.get("TYPE", "").lower().replace('"', "").split(",")
        return ", ".join(kind for kind in named if kind and kind not in ("pref", "internet", "voice", "x400"))


def properties(data: bytes) -> Iterator[Property]:
    """Yield the properties in order, skipping malformed lines."""
    text = decode(data)
    if _QUOTED_PRINTABLE in text.upper():
        text = _joined(text)
    for line in _FOLD.sub("", text).split("\n"):
        if (found := _LINE.fullmatch(line)) is not None:
            yield _property(found[1].upper(), found[2], found[3])


def unescaped(value: str) -> str:
    """Return a value with its backslash escapes (comma, semicolon, line end) resolved."""
    return _ESCAPED.sub(lambda mark: "\n" if mark[1] in "nN" else mark[1], value) if "\\" in value else value


def _property(name: str, parameter_text: str, value: str) -> Property:
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(parameter_text):
        key, argument = found[1].upper(), (found[2] or "").strip('"')
        if found[2] is None:  # vCard 2.1 writes TEL;HOME: instead of TEL;TYPE=HOME:
            key, argument = ("ENCODING", key) if key in (_QUOTED_PRINTABLE, "BASE64") else ("TYPE", found[1])
        parameters[key] = f"{parameters[key]},{argument}" if key in parameters else argument
    if parameters.get("ENCODING", "").upper() == _QUOTED_PRINTABLE:
        raw = quopri.decodestring(value.encode("utf-8", "replace"))
        value = decode_leniently(raw, parameters.get("CHARSET", "")).replace("\n", "\\n")
    return Property(name, value, parameters)


def _joined(text: str) -> str:
    """Join the soft line breaks of quoted-printable values: lines that end with “=”."""
    pieces: list[str] = []
    open_value = False
    for line in text.split("\n"):
        soft = line.endswith("=") and (open_value or _QUOTED_PRINTABLE in line.partition(":")[0].upper())
        if pieces and not open_value:
            pieces.append("\n")
        pieces.append(line[:-1] if soft else line)
        open_value = soft
    return "".join(pieces)


# Formats the dates, times, durations and recurrence rules of iCalendar for reading.

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
