"""Finds the figures of a statement that its lines do not write: numbers, amounts, percentages, dates, times, codes.

A figure is written if the lines have its value in any spelling: in words, with other separators, in another unit of its
kind, with the scale of a header (“in thousands”), or rounded to the last digit that the statement writes. Where the
reading of a token is doubtful, it counts as written. Signs are ignored: tables write them in too many ways.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import product

from desktop_rag.text.dates import MONTH_NAME, MONTHS, Day, Mention
from desktop_rag.text.figure_names import CURRENCIES, name_pattern
from desktop_rag.text.figures import Figure, FigureText, read_figures

HALF_DAY = 720  # minutes
MAX_MISSING = 20  # figures that are told
_MARKER = re.compile(r"^\s*(?:(?:[-*•–>]|#{1,6})\s+)*(?:\(?\d{1,3}[.)]\s+)?", re.MULTILINE)
_ENUMERATOR = re.compile(r"(?<!\w)\([1-9]\)(?=\s+[^\W\d_])")  # (1) the rent, (2) the deposit
_OWN_LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")
_GUESSED_SCALES = (10**3, 10**6)  # of a table whose header was not read
_IN_HEADER = 5  # characters of a whole number whose scale is that of its header
_SURE_DIGITS = 3  # significant digits from which equal digits are no chance
_DAY_MONTH = re.compile(r"(\d{1,2})\.(\d{1,2})")  # 30.09. without a year
_UNCHECKED = 12  # spelled numbers up to here are no figures without a unit: “the two parties”
_SHARE_TOLERANCE = Decimal("0.01")  # between a fraction in words and a percentage
_LOOSE_TOLERANCE = Decimal("0.05")  # the same after “about”, “nearly”
_MONTHS_OF = {"Q": 3, "H": 6}
_DECADE = 10
_CENTURY = 100
_MONTH = re.compile(rf"\b(?:{MONTH_NAME})\b", re.IGNORECASE)
_GROUPING = re.compile(r"(?<=\d)[ ()/-]{1,3}(?=\d)")
_GROUPS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_PARTED = -3  # exponent of “5,000” read as a decimal number
_ABBREVIATED = re.compile(r"(?:\b\w\.){2}$")  # p.m.
_CODE = 7  # digits


def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a statement that need a source."""
    return tuple(filter(_is_checked, read_figures(_without_markers(text)).figures))


def figures_not_in(claim: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Return the figures of a statement, as written, that no source writes."""
    return tuple(dict.fromkeys(figure.text for figure in missing_figures(claim, sources)))


def missing_figures(claim: str, sources: Iterable[str]) -> tuple[Figure, ...]:
    """Return the figures of a statement that no source writes, each text once."""
    plain = _without_markers(claim)
    said = read_figures(plain)
    wanted = [figure for figure in said.figures if _is_checked(figure)]
    if not wanted:
        return ()
    texts = [read_figures(source) for source in sources]
    lacking = [figure for figure in wanted if not _is_in(figure, said, texts)]
    as_written = (replace(each, text=_as_written(each.text, said.plain, plain)) for each in lacking)
    return tuple({each.text: each for each in as_written}.values())[:MAX_MISSING]


def _as_written(text: str, plain: str, original: str) -> str:
    """Return a part of a plain text as its original writes it: “412 m²” for “412 m2”."""
    start = plain.find(text)
    whole = original[start : start + len(text)] if start >= 0 and len(plain) == len(original) else text
    ends = whole if _ABBREVIATED.search(whole) else whole.rstrip(" .,;:")
    return ends or text


def _is_checked(figure: Figure) -> bool:
    """Return whether a figure needs a source; small counts in words and spelled ordinals do not."""
    if not figure.spelled:
        return not figure.part
    if figure.loose:
        return False
    least = 1 if figure.units else _UNCHECKED
    return bool(figure.fraction or figure.scales) or figure.values[0] > least


def _without_markers(claim: str) -> str:
    """Return a statement without list markers and links."""
    return _ENUMERATOR.sub(" ", _OWN_LINK.sub(" ", _MARKER.sub("", claim)))


def _is_in(figure: Figure, said: FigureText, texts: Sequence[FigureText]) -> bool:
    if any(_stands(figure.text, text.plain) for text in texts):
        return True
    code = (figure.digits or figure.name) and not figure.units and not figure.scales
    if code and any(_is_code_apart(figure, text.plain) for text in texts):
        return True
    if any(_has_digits(figure, other) for text in texts for other in text.figures):
        return True
    if figure.name:
        same, named = name_pattern(figure.name), {other.name for text in texts for other in text.figures}
        return figure.name in named or any(same.search(text.plain) for text in texts)
    if figure.when:
        return _has_date(figure.when, texts)
    if (short := _DAY_MONTH.fullmatch(figure.digits)) and not figure.units:
        day = Day(0, int(short[2]), int(short[1]))
        if any(day.agrees(each) and each.day and each.month for text in texts for each in _days(text)):
            return True
    if figure.period:
        return _has_period(*figure.period, texts)
    declared = frozenset[int]().union(*(text.scales for text in texts))
    if any(
        agrees(figure, other, said.scales, text.scales or declared)
        for text in texts
        for other in (*text.figures, *text.inside_names)
    ):
        return True
    return bool(figure.fraction) and all(
        any(part in other.values for text in texts for other in (*text.figures, *text.inside_names))
        for part in map(Decimal, figure.fraction or ())
    )


def _days(text: FigureText) -> Iterator[Day]:
    return (day for figure in text.figures if figure.when for day in figure.when.days)


def _stands(written: str, text: str) -> bool:
    """Return whether a text has these characters as a figure of their own."""
    if written.casefold() not in text.casefold():
        return False
    return bool(re.search(rf"(?<![^\W_])(?<!\d[.,]){re.escape(written)}(?![^\W_])(?![.,]\d)", text, re.IGNORECASE))


def _has_digits(figure: Figure, other: Figure) -> bool:
    """Return whether two numbers are the same digits in groups, whatever their separators mean: 2.480 and 2,480."""
    unlike = figure.kinds and other.kinds and not figure.kinds & other.kinds
    if unlike or figure.scales != other.scales or not (_GROUPS.fullmatch(figure.digits) and other.digits):
        return False
    return re.sub(r"\D", "", figure.digits) == re.sub(r"\D", "", other.digits) and (
        other.digits.isdigit() or bool(_GROUPS.fullmatch(other.digits))
    )


def agrees(figure: Figure, other: Figure, said_scales: frozenset[int], scales: frozenset[int]) -> bool:
    """Return whether a figure of a claim is this figure of a source; the scales are those of the bare numbers."""
    if other.when:
        bare = not figure.units and not figure.scales
        return bare and (_is_part_of_date(figure, other) or _is_hour(figure, other.when))
    if other.period or other.name or not (figure.values and other.values):
        return False
    if figure.kinds and other.kinds and not figure.kinds & other.kinds:
        return False
    if "%" in figure.kinds ^ other.kinds and max(figure.scales + other.scales, default=1) > 1:
        return False
    if figure.fraction and not (figure.kinds and other.kinds):  # “half a year” is six months
        return _is_share(figure, other)
    if figure.is_year and other.is_year:
        return figure.values == other.values
    same_digits = bool(figure.digits) and figure.digits == other.digits
    return any(
        _is_rounded(mine, place, theirs, figure, loose)
        for mine, place, theirs, loose in _amounts(figure, other, said_scales, scales, same_digits=same_digits)
    )


def _amounts(
    figure: Figure, other: Figure, said_scales: frozenset[int], scales: frozenset[int], *, same_digits: bool
) -> Iterator[tuple[Decimal, Decimal, Decimal, Decimal]]:
    """Yield what may be compared: the claim's amount, the value of its last digit, the source's amount, the slack.

    The slack is the value of the last digit that is not zero, for figures after “about”.
    """
    values = other.values if same_digits else figure.values
    for mine, theirs in product(values, other.values):
        if len(values) > 1 and mine.as_tuple().exponent == _PARTED and other.digits.isdigit():
            continue  # “5,000” is no 5
        slack = Decimal(1).scaleb(int(mine.normalize().as_tuple().exponent)) if figure.bound and mine else Decimal(0)
        place = figure.place if (mine, theirs) == (values[0], other.values[0]) else Decimal(0)
        for own, their in _scale_pairs(figure, other, said_scales, scales, same_value=mine == theirs):
            for factor, their_factor in _factors(figure, other):
                unit = own * factor
                yield mine * unit, place * unit, theirs * their * their_factor, slack * unit
        if "%" in figure.kinds and not other.units and not other.scales and theirs < 1 and "." in str(theirs):
            yield mine, place, theirs * 100, slack


def _scale_pairs(
    figure: Figure, other: Figure, said_scales: frozenset[int], scales: frozenset[int], *, same_value: bool
) -> Iterator[tuple[int, int]]:
    """Yield the scales by which both values may be multiplied."""
    if figure.scales and other.scales:
        yield from product(figure.scales, other.scales)
        return
    own, their = figure.scales or (1,), other.scales or (1,)
    if not (figure.scales and scales and not other.scales and len(other.digits) >= _IN_HEADER and other.is_whole):
        yield from product(own, their)
    is_money = bool(figure.kinds & CURRENCIES)
    if figure.scales and not figure.is_year:
        if scales:
            yield from product(own, scales)
        elif _digits(figure) >= _SURE_DIGITS:
            yield from ((scale, guess) for scale in own if scale >= min(_GUESSED_SCALES) for guess in _GUESSED_SCALES)
    elif other.scales:
        if said_scales:
            yield from product(said_scales, their)
        elif not is_money and same_value and _digits(figure) >= _SURE_DIGITS:
            yield 1, 1
    elif scales and not figure.is_year:
        yield from product((1, *said_scales), scales)


def _digits(figure: Figure) -> int:
    return len(figure.values[0].as_tuple().digits)


def _factors(figure: Figure, other: Figure) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield the factors of both units to the base unit of their common kind; 1 if one has no unit."""
    if not figure.units or not other.units:
        yield Decimal(1), Decimal(1)
    for one, two in product(figure.units, other.units):
        if one.kind == two.kind:
            yield one.factor, two.factor


def _is_rounded(mine: Decimal, place: Decimal, theirs: Decimal, figure: Figure, loose: Decimal) -> bool:
    """Return whether an amount is another one, rounded to the place of its last digit or as its words allow."""
    if mine == theirs:
        return True
    if figure.bound == "over":
        return mine <= theirs <= mine + loose
    if figure.bound == "under":
        return mine - loose / 2 <= theirs <= mine
    if figure.bound == "about":
        return abs(mine - theirs) * 2 <= loose
    if figure.is_year or figure.loose or (figure.spelled and not figure.scales):
        return False
    if not (figure.units or figure.scales) and _digits(figure) == 1 and place >= 1:
        return False
    return abs(mine - theirs) * 2 <= place


def _is_share(figure: Figure, other: Figure) -> bool:
    """Return whether a fraction agrees with the same fraction, a percentage or a decimal between 0 and 1."""
    if other.fraction:
        return figure.fraction == other.fraction or figure.values == other.values
    share = other.values[0] / 100 if "%" in other.kinds else other.values[0]
    if other.units and "%" not in other.kinds:
        return figure.values[0] == other.values[0]
    tolerance = _LOOSE_TOLERANCE if figure.bound else _SHARE_TOLERANCE
    return share <= 1 and abs(figure.values[0] - share) <= tolerance


def _is_part_of_date(figure: Figure, other: Figure) -> bool:
    days = other.when.days if other.when else ()
    return any(
        value in ((day.year,) if figure.is_year else (day.year, day.day)) for day in days for value in figure.values
    )


def _is_hour(figure: Figure, time: Mention) -> bool:
    """Return whether a bare number is a full hour: “opens at 10”."""
    hour, minute = divmod(time.minutes if time.minutes is not None else 1, 60)
    return not minute and figure.values[0] in (hour, hour % 12)


def _is_code_apart(figure: Figure, text: str) -> bool:
    """Return whether a source has the digits of a long code, grouped in another way: a telephone number."""
    code = _GROUPING.sub("", figure.text)
    return len(code) >= _CODE and bool(re.search(rf"(?<!\d){re.escape(code)}(?!\d)", _GROUPING.sub("", text)))


def _has_date(when: Mention, texts: Sequence[FigureText]) -> bool:
    """Return whether the source has this date or time; the year may be apart from the day."""
    others = [other for text in texts for other in (*text.figures, *text.inside_names)]
    if when.minutes is not None:
        return any(
            _is_same_time(when, other.when)
            if other.when
            else bool(other.values and other.digits and not other.units and _is_hour(other, when))
            for other in others
        )
    days = [day for other in others if other.when for day in other.when.days]
    years = {day.year for day in days} | {int(value) for other in others for value in other.values if other.is_year}
    months = {MONTHS[name.lower()] for text in texts for name in _MONTH.findall(text.plain)}
    if any(not day.day and day.month in months and day.year in years for day in when.days):
        return True  # “In 2002 … in February”
    return any(
        day.agrees(other) and (other.day or not day.day) and other.month and (other.year or day.year in (0, *years))
        for day in when.days
        for other in days
    )


def _is_same_time(one: Mention, other: Mention) -> bool:
    """Return whether two times of day are equal; one up to twelve may be am or pm unless both say which."""
    if one.minutes is None or other.minutes is None:
        return False
    if one.certain and other.certain:
        return one.minutes == other.minutes
    return one.minutes % HALF_DAY == other.minutes % HALF_DAY


def _has_period(kind: str, number: int, texts: Sequence[FigureText]) -> bool:
    """Return whether the source names this quarter, half or decade, or a date in it."""
    others = [figure for text in texts for figure in text.figures]
    if any(other.period == (kind, number) for other in others):
        return True
    days = [day for other in others if other.when for day in other.when.days]
    if kind == "s":
        years = {day.year for day in days} | {int(value) for each in others if each.is_year for value in each.values}
        return any(number <= year < number + (_DECADE if number % _CENTURY else _CENTURY) for year in years)
    named = {MONTHS[name.lower()] for text in texts for name in _MONTH.findall(text.plain)}
    return any((month - 1) // _MONTHS_OF[kind] + 1 == number for month in {day.month for day in days} | named if month)
