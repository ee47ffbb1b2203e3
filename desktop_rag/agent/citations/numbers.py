"""Compares the figures of a claim with those of its source: numbers, amounts, percentages, dates, times and codes.

Equality is defined here: 1,200 = 1.200 = 1 200 = 1200.00 = 1.2k; a spelling
with two readings (1.200) matches either. A rounded figure differs unless the claim says that it is rounded (about
1,200). A unit matters only if both have one (5 % is not 5 €, but may be a 5 in a table), and so does a scale (1,577 in
a table may be 1,577 million). Signs are ignored: tables write them in too many ways.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.text.dates import Mention, mentions
from desktop_rag.text.number_words import counts, in_digits

_CURRENCIES = {
    "EUR": "€ eur euro euros",
    "USD": "us$ $ usd dollar dollars",
    "GBP": "£ gbp pound pounds pfund",
    "CHF": "chf sfr franken francs",
    "INR": "₹ inr rupee rupees rs",
    "¥": "¥ jpy yen cny rmb yuan",
    "%": "% percent pct prozent pourcent percentage",
}
_UNITS = {word: unit for unit, words in _CURRENCIES.items() for word in words.split()} | {"per cent": "%"}
_SCALES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("hundred", "hundert"), (10**2,)),
    **dict.fromkeys(("k", "thousand", "tausend", "tsd", "thsd", "mille", "mil"), (10**3,)),
    "万": (10**4,),
    **dict.fromkeys(("lakh", "lakhs"), (10**5,)),
    **dict.fromkeys(
        ("million", "millions", "millionen", "mio", "mn", "mln", "millones", "millón", "milioni", "mill"), (10**6,)
    ),
    **dict.fromkeys(("crore", "crores"), (10**7,)),
    "亿": (10**8,),
    **dict.fromkeys(("bn", "mrd", "milliard", "milliards", "milliarde", "milliarden", "miliardi"), (10**9,)),
    **dict.fromkeys(("billion", "billions", "billionen"), (10**9, 10**12)),  # short and long scale
    **dict.fromkeys(("trillion", "trillions", "trn"), (10**12, 10**18)),
}
_MEASURE_NAMES = "m km cm mm kg g mg t l ml h min s ms w kw kwh mwh mw gw v kv hz khz mhz ghz kb mb gb tb b ft in mph"
_MEASURES = frozenset(_MEASURE_NAMES.split())
_ORDINAL = ("st", "nd", "rd", "th", "er", "e", "ème", "º", "ª")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<before>(?:us)?\$|[€£¥₹]|\b(?:eur|usd|gbp|chf|fy|q|h)\b)?\s?"
    r"(?P<digits>\d{1,3}(?:[.,'’ ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)(?![.,]?\d)"
    r"(?P<joined>[^\W\d_]*)(?:[\s-]?(?P<after>%|[$€£¥₹]|per cent\b|[^\W\d_]+))?"
    r"(?:[\s-]?(?P<last>%|[$€£¥₹]|[^\W\d_]+))?",
    re.IGNORECASE,
)
_PERIOD = re.compile(r"\b(?:FY|[QH](?=[1-4]\b))[ '’]?(?=\d)")  # FY2021 and Q3 mean 2021 and 3
_CODE = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[^\W_]+(?:-[^\W_]+)*(?![\w-])")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|more than|less than|some|circa|ca\.?|"
    r"rund|etwa|ungefähr|knapp|gut|fast|über|unter|mehr als|weniger als|environ|près de|plus de|moins de|unos|unas|"
    r"aproximadamente|más de|menos de|casi|~|≈|>|<)\s*(?:(?:us)?\$|[€£¥₹]|eur\b|usd\b)?\s*$",
    re.IGNORECASE,
)
_ALIKE = {
    **dict.fromkeys(map(ord, "‐‑‒−"), "-"),
    **dict.fromkeys(map(ord, "–—"), " - "),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), None),
}
_NEAR = 24  # characters before a figure that are searched for “about”
HALF_DAY = 720  # minutes
_MARKER = re.compile(r"^\s*(?:[-*•–>]\s+)*(?:\(?\d{1,3}[.)]\s+)?")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as written, with every value it may have."""

    text: str
    values: tuple[Decimal, ...] = ()
    scales: tuple[int, ...] = ()
    unit: str = ""
    about: bool = False
    code: str = ""
    when: Mention | None = None


def figures(text: str, *, spelled: bool = False) -> tuple[Figure, ...]:
    """Return the figures of `text`; with `spelled` also number words and the numbers inside codes."""
    text = _plain(text)
    if spelled:
        text = in_digits(text)
    found: list[Figure] = []
    rest: list[str] = []
    end = 0
    for mention in mentions(text):
        found.append(Figure(text[mention.start : mention.end].strip(), when=mention))
        rest.append(text[end : mention.start])
        end = mention.end
    text = _PERIOD.sub(" ", " ; ".join((*rest, text[end:])))
    for match in _CODE.finditer(text):
        if not _is_number(match[0]):
            found.append(Figure(match[0], code=match[0].casefold()))
            if spelled:
                found += (Figure(part, _values(part)) for part in _DIGITS.findall(match[0]))
    found += (
        _figure(match, text) for match in _NUMBER.finditer(text) if _is_number(f"{match['digits']}{match['joined']}")
    )
    return tuple(found)


def figures_not_in(claim: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Return the figures of a claim, as written, that no source contains."""
    claim = _MARKER.sub("", claim, count=1)
    counted = (Figure(text, (Decimal(number),)) for text, number in counts(_plain(claim)))
    wanted = (*figures(claim), *counted)
    if not wanted:
        return ()
    in_sources = [figure for source in sources for figure in figures(source, spelled=True)]
    return tuple(dict.fromkeys(figure.text for figure in wanted if not _is_in(figure, in_sources)))


def _is_in(figure: Figure, in_sources: list[Figure]) -> bool:
    if figure.when:
        return _has_date(figure.when, in_sources)
    if figure.code:
        return any(figure.code == other.code for other in in_sources)
    return any(_same(figure, other) for other in in_sources)


def _has_date(when: Mention, in_sources: list[Figure]) -> bool:
    """Return whether the source has this date or time; the year may be apart from the day."""
    if when.minutes is not None:  # without am or pm an hour up to twelve is ambiguous
        times = {f.when.minutes % HALF_DAY for f in in_sources if f.when and f.when.minutes is not None}
        return when.minutes % HALF_DAY in times
    days = [day for figure in in_sources if figure.when for day in figure.when.days]
    years = {day.year for day in days} | {int(value) for f in in_sources for value in f.values if value == int(value)}
    return any(
        day.agrees(other)
        and (other.day or not day.day)
        and other.month
        and (other.year or not day.year or day.year in years)
        for day in when.days
        for other in days
    )


def _same(figure: Figure, other: Figure) -> bool:
    if figure.unit and other.unit and figure.unit != other.unit:
        return False
    if other.when:
        return any(day.year == value or day.day == value for day in other.when.days for value in figure.values)
    mine = _amounts(figure)
    theirs = _amounts(other)
    if bool(figure.scales) != bool(other.scales):
        mine, theirs = mine | set(figure.values), theirs | set(other.values)
    if mine & theirs:
        return True
    return figure.about and any(abs(a - b) * 2 <= _last_place(a) for a in mine for b in theirs)


def _amounts(figure: Figure) -> set[Decimal]:
    return {value * scale for value in figure.values for scale in figure.scales or (1,)}


def _last_place(value: Decimal) -> Decimal:
    """Return the value of the last non-zero digit: 100 for 1,200, 0.1 for 3.5."""
    return Decimal(1).scaleb(int(value.normalize().as_tuple().exponent))


def _figure(match: re.Match[str], text: str) -> Figure:
    """Return a number with the scale and the unit of its neighbouring words."""
    unit = _UNITS.get((match["before"] or "").casefold(), "")
    scales: tuple[int, ...] = ()
    end = match.end("digits")
    for group in ("joined", "after", "last"):
        word = (match[group] or "").casefold()
        if not scales and not (scale := _SCALES.get(word, ())) and word == "m" and match["before"]:
            scale = (10**6,)  # $5m
        if word and not scales and scale:
            scales, end = scale, match.end(group)
        elif word in _UNITS:
            unit, end = unit or _UNITS[word], match.end(group)
            break
        elif word:
            break
    about = bool(_ABOUT.search(text, max(0, match.start() - _NEAR), match.start()))
    return Figure(text[match.start() : end].strip(), _values(match["digits"]), scales, unit, about)


def _values(digits: str) -> tuple[Decimal, ...]:
    """Return every possible reading of a spelling."""
    bare = re.sub(r"['’ ]", "", digits)
    readings = {bare.replace(",", ""), bare.replace(".", "").replace(",", ".")}
    if bare != digits and " " in digits:
        readings.update(digits.split())
    return tuple(Decimal(reading) for reading in sorted(readings) if re.fullmatch(r"\d*\.?\d+", reading))


def _is_number(token: str) -> bool:
    """Return whether the letters after the digits are an ordinal, a scale or a unit, not part of a code."""
    match = re.fullmatch(r"[\d.,'’ ]+([^\W\d_]*)", token)
    if not match:
        return False
    letters = match[1].casefold()
    return not letters or letters in _ORDINAL or letters in _SCALES or letters in _UNITS or letters in _MEASURES


def _plain(text: str) -> str:
    """Normalise digits, spaces and dashes."""
    return unicodedata.normalize("NFKC", text).translate(_ALIKE)
