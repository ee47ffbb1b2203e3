"""Compares the figures of a claim with those of its source: numbers, amounts, percentages, dates, times and names.

A figure agrees with one of the source if the amounts are equal or the claim's is the source's rounded to the last digit
written (900.0 million = 900,033 thousand). A scale that the source does not write beside its number comes from its
header (“in thousands”); without any header, thousands or millions are taken only where the digits agree. Units that
contradict are a difference (5 % and 5 €); one that only one side writes is none. Signs are ignored: tables write them
in too many ways. Names with digits (SST-2, section 4.2) must occur as names.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import product

from desktop_rag.agent.citations.figure_bindings import is_bound_alike
from desktop_rag.agent.citations.sums.eras import CENTURY, bounds_era, era_length, is_century
from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.dates import MONTH_NAME, MONTHS, Mention
from desktop_rag.text.figure_names import name_pattern
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.units import CURRENCIES, UNITS

HALF_DAY = 720  # minutes
_MARKER = re.compile(r"^\s*(?:(?:[-*•–>]|#{1,6})\s+)*(?:\(?\d{1,3}[.)]\s+)?", re.MULTILINE)
_OWN_LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")
_ENUMERATOR = re.compile(
    r"(?<!\w)\([1-9]\)(?=\s+[^\W\d_])|^\s*(?:step|point|option|schritt|punkt|étape|paso) \d\b", re.I
)
_REFERENCED = re.compile(r"\[\d{1,3}(?:[,;-]\s?\d{1,3})*\]")
_STRUCTURE = re.compile(  # “3 reasons: …”, “…: 2 main ones”, but no “9 points” that somebody scored
    r"(?<=: )[1-9] (?:main|key|major) ones?\b|(?<![\w.,:/-])[1-9] (?:(?:main|key|major|important) [^\W\d_]+|"
    r"(?:[^\W\d_]+ )?(?:reasons?|ways|aspects|kinds|sorts|examples|differences|Gründe|Punkte|Arten|Beispiele|Aspekte|"
    r"Unterschiede|raisons|façons|exemples|razones|formas|ejemplos))\b(?=[^.\n]*:)"
)
_GUESSED_SCALES = (10**3, 10**6)  # of a table whose header was not read
_UNBOUND = CURRENCIES | {"%", "points", "people"}  # units that a source may leave to its header or its words
_IN_HEADER = 5  # characters of a whole number whose scale is that of its header
_SURE_DIGITS = 3  # significant digits from which equal digits are no chance
_UNCHECKED = 12  # spelled numbers up to here are no figures without a unit: “the two parties”
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SHARE_TOLERANCE = Decimal("0.01")  # between a fraction in words and a percentage
_LOOSE_TOLERANCE = Decimal("0.05")  # the same after “about”, “nearly”
_LEAST_COUNT = 2
_COUNTED_WORDS = 4
_MONTHS = 12
_MONTHS_OF = {"Q": 3, "H": 6}
_AT = re.compile(r"\b(?:at|around|about|by|until|till|from|after|before|um|gegen|ab|bis|vers|à)\s$", re.I)
_MONTH = re.compile(rf"\b(?:{MONTH_NAME})\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|no later than)\s(?:the\s)?$", re.IGNORECASE)
_BEFORE_FIRST = re.compile(rf"\bbefore (?:the )?(?:first|1st|1)(?: of)? ({MONTH_NAME})\b", re.IGNORECASE)
_MONTH_LONG = 2_629_746  # seconds
_FISCAL = re.compile(r"\b(?:fiscal(?: year)?|FY|Geschäftsjahr\w*|exercice)\s?$", re.IGNORECASE)
_YEAR_ENDS = 2  # a retailer's fiscal year may end in the first two months of the next year
_CELLS = re.compile(r"[^\s,;]+(?:[,;][^\s,;]*){2,}")  # a row of a CSV file: 3,ST03,2024-04-04,11.80
_SECTION = re.compile(  # its number tells no amount: § 3 Rent
    r"(?:§{1,2}|\b(?:section|article|clause|chapter|schedule|abschnitt|artikel|ziffer|kapitel))\s?\d+(?:\.\d+)*[a-z]?\b"
    r"|第\s?\d+\s?[条章节款]",
    re.IGNORECASE,
)
_GROUPING = re.compile(r"(?<=\d)[ ()/-]{1,3}(?=\d)")
_BARE_HALF = re.compile(r"\bhalf[,.;]", re.IGNORECASE)  # of what was named before
_RATE = re.compile(r"\s(?:CAGR|average|growth|compound\w*)\b", re.IGNORECASE)
_HOW_OFTEN = re.compile(
    r"(?:daily|weekly|monthly|yearly|annually|(?:a|an|per|each|every) (?:day|week|month|year|hour))\b"
)
_LATE = re.compile(  # a word for the second half of the day
    r"\b(?:after ?noons?|evenings?|nights?|tonight|dinner|\w*mittags?|"
    r"\w*abends?|soir\w*|après-midi|tardes?|noches?|p\.?m)\b",
    re.IGNORECASE,
)
_CODE = 7  # digits


def figures(claim: str) -> tuple[Figure, ...]:
    """Return the figures of a claim that need a source."""
    return tuple(filter(is_checked, read_figures(_without_markers(claim)).figures))


def figures_not_in(claim: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Return the figures of a claim, as written, that no source contains."""
    sources = list(sources)
    said = read_figures(_without_markers(_CELLS.sub(lambda row: "" if _is_row(row[0], sources) else row[0], claim)))
    wanted = [
        each
        for each in said.figures
        if (is_checked(each) or (each.spelled and (each.noun or each.ordinal))) and not _counts_years(each, said)
    ]
    if not wanted:
        return ()
    texts = [read_figures(source if _SECTION.search(claim) else _SECTION.sub("§", source)) for source in sources]
    halves = any(map(_BARE_HALF.search, sources))
    missing = (
        figure.text
        for figure in wanted
        if not (halves and figure.fraction == (1, 2))
        if (not _is_in(figure, said, texts) if is_checked(figure) else _is_counted_otherwise(figure, texts))
    )
    return tuple(dict.fromkeys(missing))


def _is_row(cells: str, sources: Iterable[str]) -> bool:
    """Return whether a source has cells unchanged: no figure of theirs is missing, however they are joined."""
    whole = re.compile(rf"(?<!\w){re.escape(cells.strip('.'))}(?!\w)")
    return any(whole.search(source) for source in sources)


def is_checked(figure: Figure) -> bool:
    """Return whether a figure of a claim needs a source; small counts in words and spelled ordinals do not."""
    if not figure.spelled:
        return not figure.part
    if figure.ordinal:
        return False
    return bool(figure.fraction or figure.scales) or (
        figure.values[0] > 1 if figure.units else figure.values[0] > (2 if _HAN.match(figure.text) else _UNCHECKED)
    )


def _counts_years(figure: Figure, said: FigureText) -> bool:
    """Return whether a figure counts the years that the claim itself names, or those of a rate: the two-year CAGR."""
    if figure.spelled and _RATE.match(said.plain, figure.end):
        return True
    if not any(unit.kind == "months" and unit.factor == _MONTHS for unit in figure.units):
        return False
    years = {each.values[0] for each in said.figures if each.is_year}
    span = max(years, default=0) - min(years, default=0)
    return len(years) > 1 and figure.values[0] in (len(years), span, span + 1)


def _is_counted_otherwise(figure: Figure, texts: list[FigureText]) -> bool:
    """Return whether the source counts the same things, but not to this number: eight votes, nine votes."""
    others = [other for text in texts for other in (*text.figures, *text.inside_names)]
    if figure.ordinal:
        if CENTURY.search(figure.text):
            written = re.compile(rf"(?<!\d){figure.values[0]}(?:st|nd|rd|th|\.)[ -](?:centur|Jahrhundert)")
            return not (is_century(figure, "", others) or any(written.search(text.plain) for text in texts))
        things = _ordered_things(figure)
        ranks = [other for other in others if other.ordinal and not things.isdisjoint(_ordered_things(other))]
        return bool(ranks) and not any(figure.values[0] in other.values for other in others)
    if figure.values[0] < _LEAST_COUNT:
        return False
    thing = figure.noun.rstrip("s")
    same = [other for other in others if thing in [word.rstrip("s") for word in _counted_things(other)]]
    return bool(same) and not any(figure.values[0] in other.values for other in others)


def _counted_things(figure: Figure) -> list[str]:
    """Return the words after a number, up to four: “three equal monthly payments”."""
    words = re.findall(r"[^\W\d_]+", f"{figure.noun}{figure.after}".split(".")[0].casefold())[:_COUNTED_WORDS]
    often = figure.text.casefold() == "twice" and _HOW_OFTEN.match(" ".join(words))
    return ["times", *words] if often else words


def _ordered_things(figure: Figure) -> frozenset[str]:
    """Return what a spelled ordinal counts: “day” and “working” of the third working day."""
    _, *following = re.findall(r"[^\W\d_]+", f"{figure.text}{figure.after}".casefold()) or [""]
    return frozenset(word.rstrip("s") for word in following[:2] if word not in STOP_WORDS)


def _without_markers(claim: str) -> str:
    """Return a claim without list markers, links and counts of its own structure (“3 reasons”)."""
    claim = _OWN_LINK.sub(" ", _MARKER.sub("", claim))
    return _STRUCTURE.sub(" ", _ENUMERATOR.sub(" ", claim))


def _is_in(figure: Figure, said: FigureText, texts: list[FigureText]) -> bool:
    if figure.digits or figure.name:
        code = not figure.units and not figure.scales
        if code and any(_is_code_apart(figure, text.plain) for text in texts):
            return True
    if figure.name:
        return any(name_pattern(figure.name).search(text.plain) or _names_it(text, figure) for text in texts)
    if figure.when:
        return _has_date(figure, texts) or _is_before_first(figure, said, texts)
    if figure.period:
        return bounds_era(figure, texts) or _has_period(*figure.period, texts)
    if _REFERENCED.fullmatch(said.plain[figure.start - 1 : figure.end + 1]):
        return not any(_REFERENCED.search(text.plain) for text in texts) or f"[{figure.text}]" in " ".join(
            text.plain for text in texts
        )
    others = [each for text in texts for each in text.figures]
    if is_century(figure, said.plain, others) or bounds_era(figure, texts):
        return True
    if figure.is_year and _FISCAL.search(said.plain, max(figure.start - 12, 0), figure.start):
        days = (day for text in texts for each in text.figures if each.when for day in each.when.days)
        if any(day.year - 1 == figure.values[0] and 0 < day.month <= _YEAR_ENDS for day in days):
            return True
    declared = frozenset[int]().union(*(text.scales for text in texts))
    same = [
        other
        for text in texts
        for other in (*text.figures, *(() if figure.spelled and figure.units else text.inside_names))
        if agrees(figure, other, said.scales, text.scales or declared)
        and (other in text.inside_names or is_bound_alike(figure, said.plain, other, text.plain))
    ]
    if same and (any(other.units for other in same) or not _has_other_unit(figure, texts)):
        return True
    return bool(figure.fraction) and all(
        any(part in other.values for text in texts for other in (*text.figures, *text.inside_names))
        for part in map(Decimal, figure.fraction or ())
    )


def _has_other_unit(figure: Figure, texts: list[FigureText]) -> bool:
    """Return whether the source writes the same number with a unit that contradicts the claim's."""
    return bool(figure.units) and any(
        other.units and not set(other.units) & set(figure.units) and other.values == figure.values and not other.scales
        for text in texts
        for other in text.figures
    )


def _names_it(text: FigureText, figure: Figure) -> bool:
    return any(other.name == figure.name for other in text.figures)


def is_same(figure: Figure, other: Figure) -> bool:
    """Return whether two figures of one source are the same date, time or amount."""
    if figure.when and other.when:
        return (figure.when.days, figure.when.minutes) == (other.when.days, other.when.minutes)
    if figure.when or other.when:
        return False
    return agrees(figure, other, frozenset(), frozenset())


def agrees(figure: Figure, other: Figure, said_scales: frozenset[int], scales: frozenset[int]) -> bool:
    """Return whether a figure of a claim is this figure of a source; the scales are those of the bare numbers."""
    if other.when:
        bare = not figure.units and not figure.scales
        counts = figure.noun and figure.noun not in STOP_WORDS and not figure.is_year  # “30 times” is no 30 June
        return bare and not counts and (_is_part_of_date(figure, other) or _is_hour(figure, other.when))
    if other.period or other.name or not (figure.values and other.values):
        return False
    if figure.kinds and other.kinds and not figure.kinds & other.kinds:
        return figure.bound == "about" and _is_about_as_long(figure, other)
    if "%" in figure.kinds ^ other.kinds and max(figure.scales + other.scales, default=1) > 1:
        return False
    noun = other.noun if other.noun not in STOP_WORDS else ""
    if noun and figure.kinds and not figure.kinds & _UNBOUND and not _measures(other.after, figure.kinds):
        return False
    if figure.fraction:
        return _is_share(figure, other)
    if figure.is_year and other.is_year:
        return figure.values == other.values
    same_digits = bool(figure.digits) and figure.digits == other.digits
    return any(
        _is_rounded(mine, place, theirs, figure, loose)
        for mine, place, theirs, loose in _amounts(figure, other, said_scales, scales, same_digits=same_digits)
    )


def _is_about_as_long(figure: Figure, other: Figure) -> bool:
    """Return whether months and weeks are about as long: “about two months” for “8 weeks”."""
    one, two = (
        each.values[0] * each.units[0].factor * (_MONTH_LONG if "months" in each.kinds else 1)
        for each in (figure, other)
    )
    return figure.kinds | other.kinds == {"months", "seconds"} and abs(one - two) * 10 <= one


def _measures(after: str, kinds: frozenset[str]) -> bool:
    """Return whether the words after a number name a unit of these kinds: 12 calendar months."""
    return any(unit.kind in kinds for word in after.casefold().split() for unit in UNITS.get(word.strip(".,;:)"), ()))


def _amounts(
    figure: Figure, other: Figure, said_scales: frozenset[int], scales: frozenset[int], *, same_digits: bool
) -> Iterator[tuple[Decimal, Decimal, Decimal, Decimal]]:
    """Yield what may be compared: the claim's amount, the value of its last digit, the source's amount, the slack.

    The slack is the value of the last digit that is not zero, for figures after “about”.
    """
    values = other.values if same_digits else figure.values
    for mine, theirs in product(values, other.values):
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
        elif _digits(figure) >= _SURE_DIGITS or (same_value and not other.noun and not other.units):
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
    if figure.is_year or figure.ordinal or (figure.spelled and not figure.scales):
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


def _has_date(figure: Figure, texts: list[FigureText]) -> bool:
    """Return whether the source has this date or time; the year may be apart from the day."""
    when = figure.when
    if when is None:
        return False
    others = [other for text in texts for other in (*text.figures, *text.inside_names)]
    if when.minutes is not None:
        return any(other.when and _is_same_time(when, other.when, texts) for other in others) or any(
            _is_hour(bare, when) for text in texts for bare in _hours(text)
        )
    days = [day for other in others if other.when for day in other.when.days]
    years = {day.year for day in days} | {int(value) for f in others for value in f.values if f.is_year}
    if any(not day.day and day.year in years and day.month in _bare_months(texts) for day in when.days):
        return True  # “In 2002 … in February”
    return any(
        day.agrees(other)
        and (other.day or not day.day)
        and other.month
        and (other.year or not day.year or day.year in years)
        for day in when.days
        for other in days
    )


def _hours(text: FigureText) -> Iterator[Figure]:
    """Yield the bare numbers of a source that may be full hours: “dinner around 5”."""
    for each in text.figures:
        if each.digits and not (each.units or each.scales or each.part) and _AT.search(text.plain, 0, each.start):
            yield each


def _bare_months(texts: Iterable[FigureText]) -> frozenset[int]:
    """Return the months that no date of a source has."""
    named = frozenset[int]()
    for text in texts:
        dates = [(each.start, each.end) for each in text.figures if each.when]
        found = [name for name in _MONTH.finditer(text.plain) if name[0][0].isupper()]
        named |= {
            MONTHS[name[0].lower()] for name in found if not any(start <= name.start() < end for start, end in dates)
        }
    return named


def _is_before_first(figure: Figure, said: FigureText, texts: list[FigureText]) -> bool:
    """Return whether a source says “before the first of October” of what a claim says “by 30 September”."""
    day = figure.when.days[0] if figure.when and figure.when.days else None
    if day is None or not day.day or not _BY.search(said.plain, 0, figure.start):
        return False
    months = {MONTHS[match[1].lower()] for text in texts for match in _BEFORE_FIRST.finditer(text.plain)}
    return day.day == monthrange(day.year or 2023, day.month)[1] and day.month % _MONTHS + 1 in months


def _is_same_time(one: Mention, other: Mention, texts: list[FigureText]) -> bool:
    """Return whether two times of day are equal.

    An hour up to twelve may be am or pm if only the other time says which; beside 19:30, where no text has an
    evening, 7:30 is one of 24 hours, too.
    """
    if one.minutes is None or other.minutes is None:
        return False
    by_day = not (one.half or other.half) and not any(_LATE.search(text.plain) for text in texts)
    if (one.certain and other.certain) or ((one.certain or other.certain) and by_day):
        return one.minutes == other.minutes
    return one.minutes % HALF_DAY == other.minutes % HALF_DAY


def _has_period(kind: str, number: int, texts: list[FigureText]) -> bool:
    """Return whether the source names this quarter, half or decade, or a date in it."""
    others = [figure for text in texts for figure in text.figures]
    if any(other.period == (kind, number) for other in others):
        return True
    if kind == "s":
        years = {day.year for other in others if other.when for day in other.when.days}
        years |= {int(value) for other in others if other.is_year for value in other.values}
        return any(number <= year < number + era_length(number) for year in years)
    length = _MONTHS_OF[kind]
    named = {MONTHS[name.lower()] for text in texts for name in _MONTH.findall(text.plain)}
    if named.issuperset(range((number - 1) * length + 1, number * length + 1)):
        return True  # its months are the rows of a table
    months = {day.month for other in others if other.when for day in other.when.days if day.month}
    return any((month - 1) // _MONTHS_OF[kind] + 1 == number for month in months)
