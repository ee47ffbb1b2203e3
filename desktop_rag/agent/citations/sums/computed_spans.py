"""Recomputes the time between two dates or times of the cited lines, and the date a period after or before one."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations, product

from desktop_rag.agent.citations.sums.computed_pairs import is_result
from desktop_rag.text.dates import Day
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import MeasureUnit

MAX_DATES = 6
MAX_CLOCK = 8  # times of day × durations from which a time is computed
MAX_DEADLINES = 6  # dates times periods from which a date is computed
_CUE = re.compile(
    r"(?<!\w)(?:between|after|later|earlier|before|when|last(?:s|ed|ing)?|durations?|term|aged?|old|since|within|took|takes|apart|"
    r"from|until|closed|open|away|off|lived|over|period|long|for|zwischen|nach|später|früher|vor|dauer\w*|alt|Alter|seit|lang|liegen|Laufzeit|"
    r"entre|après|avant|plus tard|durée|âgée?|depuis|después|antes|duración|edad|desde|durante)(?!\w)",
    re.IGNORECASE,
)
_AGE = re.compile(r"(?<!\w)(?:when|aged?|old|alt|Alter|âgée?|ans|edad|died|lived|starb|wurde)(?!\w)", re.IGNORECASE)
_APART = re.compile(r"(?<!\w)(?:after|later|earlier|before|nach|später|vor|früher)(?!\w)", re.IGNORECASE)
_BE = re.compile(
    r"\b(?:is|was|were|at|aged?|age of|Alter von|l['’]âge de|edad de|turned|ist|war|mit|wurde|avait|tenía)\s+"
    r"(?:only |just |about |nur )?$"
)
_FIRST_DAY = re.compile(r"(?<![\d.,:])(\d{1,2})\.?\s?(?:to|until|and|bis|und|au|et|al?|y|–|-)\s?$")
_BORN = re.compile(r"\b(?:born|birth|geboren|née?|naissance|nacid[oa])\b", re.IGNORECASE)
_HOURS = re.compile(
    r"\b(?P<hours>\d{1,2}) ?(?:hours?|hrs?|h|Stunden?|Std\.?|heures?|horas?),?(?: and| und| et| y)? "
    r"(?P<minutes>\d{1,2}) ?(?:minutes?|mins?|min|Minuten?|minutos?)\b",
    re.IGNORECASE,
)
_IN_YEARS = re.compile(r"\b(?:in|en|innerhalb von) [\w-]+ (?:years|Jahren|ans|años)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:(?P<next>tomorrow|morgen|demain|mañana)|(?P<last>yesterday|gestern|hier|ayer)|"
    r"today|tonight|heute|aujourd['’]hui|hoy)\b",
    re.IGNORECASE,
)
_SHIFTED = re.compile(
    r"\b(?:(?P<next>(?:following|next) (?:year|season)|(?:folgenden|nächsten) Jahr|année suivante|año siguiente)|"
    r"(?P<last>(?:previous|preceding) (?:year|season)|(?:year|season) (?:before|earlier)|Vorjahr|année précédente|"
    r"año anterior)|"
    r"(?P<count>[\w-]+) (?:(?P<weeks>weeks?|Wochen?)|(?P<days>days?|Tage?)|years?|seasons?|Jahre?|ans?|años?) "
    r"(?:(?P<later>later|after|afterwards|später|plus tard|después|más tarde)|"
    r"earlier|before|früher|zuvor|plus tôt|antes))\b",
    re.IGNORECASE,
)
_ONE = ("a", "one", "ein", "eine", "un", "une", "una")
_DAYS = {86_400: 1, 604_800: 7}  # seconds of the unit to days
_YEAR = 12
_NO_LEAP_YEAR = 2001
_HALF_DAY = 720  # minutes
_DAY = 1440
_MINUTE = MeasureUnit("seconds", Decimal(60))
_LEAST_SPAN = 60  # seconds
_ZONE = re.compile(
    r"\b(?P<count>one|two|three|an|\d{1,2}) hours? (?:(?P<ahead>ahead|later)|behind|earlier)\b", re.IGNORECASE
)
_UNTIL = re.compile(r"(?<!\w)(?:until|till|up to|bis|jusqu\w*|hasta)(?!\w)", re.IGNORECASE)
_DEADLINE = re.compile(
    r"(?<!\w)(?:until|till|by|before|due|ends?|ended|ending|expir\w*|latest|deadline|after|later|from|within|begins?|starts?|"
    r"spätestens|bis|fällig|endet?|läuft|nach|avant|jusqu\w*|expire|échéance|antes|hasta|vence|termina)(?!\w)",
    re.IGNORECASE,
)


def recompute_span(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the span between two dates of the sources as text if the figure is its length."""
    if (
        not target.values
        or not (target.units or _is_age(target, claim, sources))
        or not (_CUE.search(claim) or _in_years(claim, sources))
    ):
        return None
    if hours_minutes := _both_parts(target, claim, sources):
        return hours_minutes
    if hours := _between_times(target, sources):
        return hours
    found = dict.fromkeys(day for source in sources for day in _days(source))
    years = {day.year for day in found}
    if len(years) < 2:
        found |= dict.fromkeys(day for source in sources for day in _days_of_year(source, *years))
    for one, other in combinations(list(found)[:MAX_DATES], 2):
        first, last = sorted((one, other), key=lambda day: (day.year, day.month, day.day))
        if any(length == target.values[0] for length in _lengths(first, last, target, claim)):
            return f"{_written(last)} − {_written(first)} = {target.text}"
    return None


def recompute_date(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the sum of a date and a period of the sources that yields a date of the claim, also the day before it."""
    if not (target.is_year or (target.when and target.when.days)):
        return None
    if found := next((each for source in sources for each in _shifted(target, source)), None):
        return found
    days = list(dict.fromkeys(day for source in sources for day in _days(source) if day.day))
    if target.when and (found := next(_relative(target, target.when.days, days, sources), None)):
        return found
    if not _DEADLINE.search(claim):
        return None
    for day in days:  # “until April” before “from 1 May”
        before = date(day.year, day.month, day.day) - timedelta(1)
        month = Day(before.year, before.month, 0)
        if day.day == 1 and target.when and month in target.when.days and _UNTIL.search(claim):
            return f"{_written(day)} − 1 = {target.text}"
    periods = [
        each for source in sources for each in read_figures(source).figures if each.kinds & {"months", "seconds"}
    ]
    periods = list({each.text: each for each in periods if each.is_whole}.values())
    if not 0 < len(days) * len(periods) <= (1 if target.is_year else MAX_DEADLINES):
        return None
    dated = target.when.days if target.when else ()
    years = [Day(int(target.values[0]), 0, 0)] if target.is_year and target.values else []
    wanted = [each for each in dated if each.day] or years
    for day, period, sign in product(days, periods, (1, -1)):
        moved = _moved(date(day.year, day.month, day.day), period, sign)
        for each in (moved, moved - timedelta(1)) if moved else ():
            if any(one.agrees(Day(each.year, each.month, each.day)) for one in wanted):
                return f"{_written(day)} {'+' if sign > 0 else '−'} {period.text} = {target.text}"
    return None


def _shifted(target: Figure, source: str) -> Iterator[str]:
    """Yield a date of the source and the step to the one it is followed by: “in 1657 … and the following year”."""
    dated = [(each.end, day) for each in read_figures(source).figures for day in _days_of(each)]
    for match in _SHIFTED.finditer(source):
        start = next((day for end, day in reversed(dated) if end <= match.start()), None)
        counts = read_figures(match["count"] or "one").figures
        step = counts[0].values[0] if counts and counts[0].values else Decimal(match["count"].casefold() in _ONE)
        step = step if match["next"] or match["later"] else -step
        if start is None or not step:
            continue
        if match["weeks"] or match["days"]:
            days = int(step) * (7 if match["weeks"] else 1)
            moved = date(start.year, start.month, start.day) + timedelta(days) if start.day else None
            wanted = [day for day in _days_of(target) if day.day] if moved else []
            fits = moved and any(day.agrees(Day(moved.year, moved.month, moved.day)) for day in wanted)
        else:
            fits = target.is_year and start.year + step in target.values
        if fits:
            yield f"{_written(start)} {'+' if step > 0 else '−'} {abs(step)} = {target.text}"


def _relative(target: Figure, wanted: Sequence[Day], days: Sequence[Day], sources: Sequence[str]) -> Iterator[str]:
    """Yield the date of a message and the step to “tomorrow” if that is the date; only with one date in the lines."""
    for match in _RELATIVE.finditer("\n".join(sources)) if len(days) == 1 else ():
        step = 1 if match["next"] else -1 if match["last"] else 0
        moved = date(days[0].year, days[0].month, days[0].day) + timedelta(step)
        if any(each.day and each.agrees(Day(moved.year, moved.month, moved.day)) for each in wanted):
            yield f"{_written(days[0])} {'−' if step < 0 else '+'} {abs(step)} = {target.text}"


def _in_years(claim: str, sources: Sequence[str]) -> bool:
    """Return whether a claim says “in four years” and its lines have two dates only."""
    return bool(_IN_YEARS.search(claim)) and len({day for source in sources for day in _days(source)}) == 2


def _moved(start: date, period: Figure, sign: int) -> date | None:
    """Return the date a whole period after or before another one; months end on their last day."""
    count, unit = sign * int(period.values[0]), period.units[0]
    try:
        if unit.kind == "seconds":
            return start + timedelta(count * _DAYS[int(unit.factor)]) if int(unit.factor) in _DAYS else None
        months = start.year * _YEAR + start.month - 1 + count * int(unit.factor)
        year, month = divmod(months, _YEAR)
        return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return None


def _both_parts(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the hours and minutes between two times of day if the figure is a part of “2 hours 25 minutes”."""
    for match in _HOURS.finditer(claim):
        if target.text in match[0]:
            minutes = 60 * int(match["hours"]) + int(match["minutes"])
            whole = Figure(match[0], values=(Decimal(minutes),), units=(MeasureUnit("seconds", Decimal(60)),))
            return _between_times(whole, sources)
    return None


def _between_times(target: Figure, sources: Sequence[str]) -> str | None:
    """Return the time between two times of day if it is the figure, across midnight and time zones, too."""
    if "seconds" not in target.kinds:
        return None
    for source in sources:
        for line in source.split("\n"):
            times = list(_times_of_day(line))
            if found := _between(target, times, _zone(line)):
                return found
        if found := _between(target, [each for line in source.split("\n") for each in _times_of_day(line)], 0):
            return found if not _zone(source) else None
    return None


def _times_of_day(text: str) -> Iterator[Figure]:
    yield from (each for each in read_figures(text).figures if each.when and each.when.minutes is not None)


def _between(target: Figure, times: Sequence[Figure], zone: int) -> str | None:
    for one, other in combinations(times[:MAX_DATES], 2):
        minutes = _minutes(other) - _minutes(one) - zone
        lengths = [abs(minutes), minutes % _DAY, *([abs(minutes) + _HALF_DAY] if not zone else [])]  # 9 to 5:30
        for length in lengths:
            span = Figure("", values=(Decimal(length),), units=(_MINUTE,))
            if length and (is_result(target, Decimal(length), (_MINUTE,), (span,)) or _is_about(target, length)):
                later, earlier = (one, other) if not zone and length == -minutes else (other, one)
                return f"{later.text} − {earlier.text}{_shown(-zone)} = {target.text}"
    return None


def _minutes(time: Figure) -> int:
    return time.when.minutes if time.when and time.when.minutes is not None else 0


def _zone(line: str) -> int:
    """Return by how many minutes the later time of a line is ahead: “local time (one hour ahead)”."""
    match = _ZONE.search(line)
    count = read_figures(match["count"]).figures if match else ()
    hours = int(count[0].values[0]) if count and count[0].values else 1
    return (60 * hours if match["ahead"] else -60 * hours) if match else 0


def _is_about(target: Figure, minutes: int) -> bool:
    """Return whether “about” allows it: a quarter of an hour for hours, else a tenth."""
    if target.bound != "about":
        return False
    said = target.values[0] * next(unit.factor for unit in target.units if unit.kind == "seconds") / 60
    return abs(said - minutes) <= min(Decimal(15), said / 10)


def _shown(minutes: int) -> str:
    return f" {'+' if minutes > 0 else '−'} {abs(minutes)} minutes" if minutes else ""


def recompute_clock(target: Figure, sources: Sequence[str]) -> str | None:
    """Return the sum of a time of day and a duration of the same lines that yields a time of the claim."""
    if target.when is None or target.when.minutes is None:
        return None
    wanted = {target.when.minutes, target.when.minutes + (0 if target.when.certain else _HALF_DAY)}
    for source in sources:
        times = list(_times_of_day(source))
        spans = [each for each in read_figures(source).figures if each.kinds == {"seconds"} and each.values]
        spans = [each for each in spans if _LEAST_SPAN <= each.values[0] * each.units[0].factor < 60 * _DAY]
        if len(times) * len(spans) > MAX_CLOCK:
            continue
        for time, span, sign in product(times, spans, (1, -1)):
            moved = _minutes(time) + sign * int(span.values[0] * span.units[0].factor / 60)
            if moved % _DAY in wanted:
                return f"{time.text} {'+' if sign > 0 else '−'} {span.text} = {target.text}"
    return None


def _days(source: str) -> Iterator[Day]:
    read = read_figures(source)
    for figure in read.figures:
        for day in _days_of(figure):
            first = _FIRST_DAY.search(read.plain[: figure.start]) if day.day else None
            if first and 0 < int(first[1]) < day.day:  # “4 to 22 August 2025”
                yield Day(day.year, day.month, int(first[1]))
            yield day


def _days_of(figure: Figure) -> Iterator[Day]:
    if figure.when and len(figure.when.days) == 1 and figure.when.days[0].year:
        yield figure.when.days[0]
    elif figure.is_year and figure.values and 1000 <= figure.values[0] <= 2100:
        yield Day(int(figure.values[0]), 0, 0)


def _days_of_year(source: str, year: int = _NO_LEAP_YEAR) -> Iterator[Day]:
    """Yield the dates without a year, all of one year: “on 24 instead of 20 March”."""
    for figure in read_figures(source).figures:
        for day in figure.when.days if figure.when else ():
            if day.month and day.day and not day.year:
                yield Day(year, day.month, day.day)


def _lengths(first: Day, last: Day, target: Figure, claim: str) -> Iterator[Decimal]:
    """Yield the lengths of a span in the figure's unit; with years alone an age may be one less."""
    unit = target.units[0] if target.units else MeasureUnit("months", Decimal(_YEAR))
    if first.day and last.day and unit.kind == "seconds" and int(unit.factor) in _DAYS:
        days = (date(last.year, last.month, last.day) - date(first.year, first.month, first.day)).days
        yield Decimal(days) / _DAYS[int(unit.factor)]
        if not _APART.search(claim):
            yield Decimal(days + 1) / _DAYS[int(unit.factor)]  # both days counted
        if target.bound == "about" and unit.factor > min(_DAYS):
            yield Decimal(round(days / _DAYS[int(unit.factor)]))
    elif unit.kind == "months":
        months = (last.year - first.year) * _YEAR + (last.month - first.month if first.month and last.month else 0)
        if first.day and last.day and last.day < first.day:
            months -= 1
        whole = months // int(unit.factor)
        if unit.factor == _YEAR or (first.month and last.month):
            yield Decimal(whole)
            if unit.factor == _YEAR and months % _YEAR >= _YEAR // 2 and not _AGE.search(claim):
                yield Decimal(whole + 1)  # rounded
            if (
                first.day == 1 and last.day and last.day == monthrange(last.year, last.month)[1]
            ):  # both days are counted
                yield Decimal((months + 1) // int(unit.factor))
            if not (first.month and last.month) and _AGE.search(claim):
                yield Decimal(whole - 1)


def _is_age(target: Figure, claim: str, sources: Sequence[str]) -> bool:
    """Return whether a bare number is the age of somebody whose birth the sources date: “was 35 when she …”."""
    before = _BE.search(claim[: claim.find(target.text)])
    return bool(before) and not target.noun.endswith("s") and any(_BORN.search(source) for source in sources)


def _written(day: Day) -> str:
    return f"{day.year}" + (f"-{day.month:02}" if day.month else "") + (f"-{day.day:02}" if day.day else "")
