"""Finds the figures of a text: numbers with scale and unit, dates, quarters, fractions, and names with digits.

A separator groups digits in threes only (or as in 12,34,567), so “328.1” has one reading. “1.234” alone may have two:
the other figures of the text decide, then its language, else both are kept.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from desktop_rag.text.dates import Mention, mentions
from desktop_rag.text.figure_names import (
    CJK,
    CURRENCIES,
    JOINED_SCALES,
    LONG_UNITS,
    MONEY_SCALES,
    SCALES,
    UNITS,
    MeasureUnit,
    SpelledNumber,
    blanked,
    header_scales,
    names,
    periods,
    short_years,
    skipped,
    spelled_numbers,
)
from desktop_rag.text.language_detection import detect

Bound = Literal["", "about", "over", "under"]

_SUPERSCRIPTS = dict.fromkeys(map(ord, "⁰¹²³⁴⁵⁶⁷⁸⁹"), " ")
_POWER = re.compile(r"(?<=m)[²³]")
_TEX_GROUP = re.compile(r"(?<=\d)(?:\{([.,])\}|\\[,:; ])(?=\d)")  # 1{,}250 and 1\,250
_SOFT_DATE = re.compile(r"(?<=\d)\u00ad(?=[^\W\d])|(?<=[^\W\d])\u00ad(?=\d)")  # 04-March-2020 of a PDF
_VULGAR = re.compile(r"(\d*)\s?([½¼¾⅓⅔])")
_ALIKE = {
    **dict.fromkeys(map(ord, "‐‑‒−"), "-"),
    **dict.fromkeys(map(ord, "–—"), " - "),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), None),
}
_NUMBER = re.compile(
    r"(?<![\w.,])\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d]|[.,]\d)|"
    r"(?<![\d.,])(?<!\bm)(?<!\bkm)\d+(?:[.,'’]\d+)*|(?<![\w.,])[.,]\d+"
)
_GROUPED = re.compile(r"\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:(?!\1)[.,](\d+))?")
_LAKHS = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_DECIMAL = re.compile(r"\d*[.,]\d+")
_WHOLE = re.compile(rf"\d+|{_GROUPED.pattern}|{_LAKHS.pattern}|{_DECIMAL.pattern}")
_YEAR = re.compile(r"[12]\d{3}")
_YEARS = re.compile(r"(?:19|20)\d\d,(?:19|20)\d\d")
_COLUMN = re.compile(r"\d+(?:[.,]\d+)?")
_LISTED = re.compile(r"\d+")
_TWO_READINGS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_COMMA_STYLE = re.compile(
    r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])|"
    r"(?<![\d.,])(?:\d+,(?:\d\d?|\d{4,})|0,\d{3})(?![\d,]|\.\d)"
)
_POINT_STYLE = re.compile(
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d|(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d,])|"
    r"(?<![\d.,])(?:\d+\.(?:\d\d?|\d{4,})|0\.\d{3})(?![\d.]|,\d)"
)
_ENGLISH_HEADER = re.compile(r"\bin (?:thousands|millions|billions)\b", re.IGNORECASE)
_COMMA_LANGUAGES = "de es fr it pt nl da sv nb no fi pl cs sk hu ro tr ru uk bg hr sl lt lv et el ca id"
_POINT_LANGUAGES = "en zh ja ko he th hi"
_MONEY = (
    r"(?:(?:us|ca|hk|nz|[acs])?\$|[€£¥₹]|"
    r"(?<![^\W_])(?:eur|usd|gbp|chf|inr|jpy|cny|rmb|nok|sek|dkk|pln|czk|aud|cad|rs\.?))"
)
_BEFORE = re.compile(
    rf"(?P<money>{_MONEY})?\s?(?P<bracket>\()?\s?(?P<minus>(?<![\w)])-|(?<=[€$£¥₹])-)?$", re.IGNORECASE
)
_LONG = "|".join(sorted(LONG_UNITS, key=len, reverse=True))
_NEXT = re.compile(rf"(?P<gap>[\s-]?)(?P<word>(?:{_LONG})\b|%|[$€£¥₹]|{CJK}|[^\W\d_]+2?(?!\d))\.?", re.IGNORECASE)
_MONEY_SIGN = re.compile(r"\s?[€$£¥₹]")
_PASSED = ["us", "u", "s", "of", "de", "d", "full", "more", "whole", "volle", "vollen"]  # 5 million US dollars
_BOUND = re.compile(
    r"(?:(?P<over>over|more than|at least|above|exceed(?:s|ed|ing)?|über|mehr als|mindestens|plus de|au moins|más de|"
    r"al menos|>)|(?P<under>nearly|almost|under|less than|below|up to|at most|just short of|knapp|fast|unter|"
    r"weniger als|bis zu|höchstens|près de|moins de|menos de|casi|<)|(?P<about>about|around|approximately|approx\.?|"
    r"roughly|some|circa|ca\.?|rund|etwa|ungefähr|gut|environ|unos|unas|aproximadamente|~|≈))"
    rf"\s*\(?{_MONEY}?\s*$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\s?-\s?{_MONEY}?|\s(?:to|and|of|bis|und|von|à|a|et|y)\s(?:about |around |the )?{_MONEY}?\s?", re.IGNORECASE
)
_PER = re.compile(r"/[^\W\d_]{1,8}\b")
_CLOSED = re.compile(r"\s?(?=%?\))%?\)")
_POINT_MONEY = ("$", "£")  # before a number in which a comma groups
_EURO = re.compile(r"\s?(?:€|EUR\b|Euro\b)")  # after the number where a point groups
_PER_CENT = re.compile(r"\b(?:per cent|pour cent|por ciento)\b", re.IGNORECASE)
_JOINTS = re.compile(r"[-_/]")
_OF_WHOLE = (" of the ", " of all ", " of its ", " of their ")  # 1800 of the 10,000 species
_NEAR = 28  # characters before a figure that are searched for “about”
_AFTER = 40  # characters after a number without unit
_CACHED = 1024


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as written, at its position in the plain text, with every value it may have.

    `values` begin with the likelier reading; `place` is the value of the last digit written, `scales` the factors of
    its scale words, `units` the units it may have. `name` is set for names with digits, `when` for dates and times,
    `period` for quarters, halves of years and decades, `fraction` for fractions.
    """

    text: str
    start: int = 0
    end: int = 0
    values: tuple[Decimal, ...] = ()
    place: Decimal = Decimal(1)
    scales: tuple[int, ...] = ()
    units: tuple[MeasureUnit, ...] = ()
    digits: str = ""
    bound: Bound = ""
    negative: bool = False
    spelled: bool = False
    loose: bool = False  # it may count nothing
    part: bool = False  # one of several digit groups apart by spaces, which may be columns
    after: str = ""  # the text behind a number without unit
    name: str = ""
    when: Mention | None = None
    period: tuple[str, int] | None = None
    fraction: tuple[int, int] | None = None

    @property
    def is_year(self) -> bool:
        """Return whether this may be a year: 1000 to 2999 without separator, scale, unit and “of the”."""
        bare = bool(_YEAR.fullmatch(self.digits)) and not self.units and not self.scales
        return bare and not self.after.startswith(_OF_WHOLE)

    @property
    def is_whole(self) -> bool:
        """Return whether the likelier reading is a whole number."""
        return self.values[0] == self.values[0].to_integral_value()

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of quantity that the unit may have."""
        return frozenset(unit.kind for unit in self.units)


@dataclass(frozen=True, slots=True)
class FigureText:
    """A text in plain form with its figures, the numbers inside its names, and the scales of its bare numbers."""

    plain: str
    figures: tuple[Figure, ...]
    inside_names: tuple[Figure, ...]
    scales: frozenset[int]


@lru_cache(maxsize=_CACHED)
def read_figures(text: str) -> FigureText:
    """Return the figures of `text` in order; positions are those in its plain form."""
    plain = plain_text(text)
    rest = blanked(plain, skipped(plain))
    found = [Figure(plain[m.start : m.end].strip(), m.start, m.end, when=m) for m in mentions(rest)]
    rest = blanked(rest, [(figure.start, figure.end) for figure in found])
    inside: list[Figure] = []
    for span, kind, number in periods(rest):
        found.append(Figure(plain[slice(*span)].strip(), *span, period=(kind, number)))
        rest = blanked(rest, [span])
    for span, years in short_years(rest):
        found += (Figure(plain[slice(*span)], *span, (Decimal(year),), digits=str(year)) for year in years)
        rest = blanked(rest, [span])
    for span, name in names(rest):
        found.append(Figure(plain[slice(*span)], *span, name=name))
        inside += _numbers(_JOINTS.sub(" ; ", plain[slice(*span)]))
        rest = blanked(rest, [span])
    found += _numbers(rest)
    found.sort(key=lambda figure: figure.start)
    return FigureText(plain, tuple(found), tuple(inside), header_scales(plain))


def plain_text(text: str) -> str:
    """Normalise digits, spaces, dashes and LaTeX's separators; footnote signs are removed, “2½” becomes 2.5."""
    text = _TEX_GROUP.sub(lambda m: m[1] or " ", text)
    text = _POWER.sub(lambda m: unicodedata.normalize("NFKC", m[0]), _SOFT_DATE.sub("-", text)).translate(_SUPERSCRIPTS)
    text = _VULGAR.sub(lambda m: f" {round(int(m[1] or 0) + unicodedata.numeric(m[2]), 2)}", text)
    return unicodedata.normalize("NFKC", text).translate(_ALIKE)


def _numbers(text: str) -> list[Figure]:
    """Return the numbers in digits and in words, in order."""
    style = ""
    found: list[Figure] = []
    for match in _NUMBER.finditer(text):
        if not style and _TWO_READINGS.fullmatch(match[0]):
            style = _style(text)
        for start, end in _pieces(match):
            digits = text[start:end]
            part = " " in match[0] and digits != match[0]
            values = _values(digits, "." if "," in digits and text[start - 1 : start] in _POINT_MONEY else style)
            if len(values) > 1 and "." in digits and _EURO.match(text, end):
                values = values[::-1]
            figure = Figure("", values=values, digits=digits, part=part)
            found.append(_measured(text, start, end, figure))
    plain = _PER_CENT.sub(lambda per_cent: ";" * len(per_cent[0]), text)
    for number in spelled_numbers(plain):
        if not any(each.start < number.start < each.end for each in found):
            found.append(_spelled(text, number))
    found.sort(key=lambda figure: figure.start)
    return list(_in_ranges(text, found))


def _pieces(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield a number; of one grouped by spaces also its groups, which may be columns; of a list each number."""
    digits = match[0]
    if _WHOLE.fullmatch(digits) and not _YEARS.fullmatch(digits):
        yield match.span()
    if " " in digits or not _WHOLE.fullmatch(digits) or _YEARS.fullmatch(digits):
        for part in (_COLUMN if " " in digits else _LISTED).finditer(digits):
            yield match.start() + part.start(), match.start() + part.end()


def _values(digits: str, style: str) -> tuple[Decimal, ...]:
    """Return the readings of a spelling, the likelier first; `style` is the decimal sign of the text if known."""
    if _LAKHS.fullmatch(digits):
        return (Decimal(digits.replace(",", "")),)
    if _TWO_READINGS.fullmatch(digits):
        sign = "," if "," in digits else "."
        whole, parted = Decimal(digits.replace(sign, "")), Decimal(digits.replace(sign, "."))
        if style:
            return (parted,) if style == sign else (whole,)
        return (whole, parted) if sign == "," else (parted, whole)
    if grouped := _GROUPED.fullmatch(digits):
        if _DECIMAL.fullmatch(digits):  # 0.125
            return (Decimal(digits.replace(",", ".")),)
        bare = digits.replace(grouped[1], "")
        return (Decimal(bare.replace(",", ".")),)
    return (Decimal(digits.replace(",", ".")),)


def _style(text: str) -> str:
    """Return the decimal sign of a text, from its other figures or its language; empty if unknown."""
    comma, point = bool(_COMMA_STYLE.search(text)), bool(_POINT_STYLE.search(text))
    if comma != point:
        return "," if comma else "."
    if _ENGLISH_HEADER.search(text):  # a table has too few words to detect its language
        return "."
    language = detect(text)
    return "," if language in _COMMA_LANGUAGES.split() else "." if language in _POINT_LANGUAGES.split() else ""


def _spelled(text: str, number: SpelledNumber) -> Figure:
    figure = Figure("", values=(number.value,), spelled=True, loose=number.loose, fraction=number.fraction)
    return _measured(text, number.start, number.end, figure)


def _measured(text: str, start: int, end: int, figure: Figure) -> Figure:
    """Return a number with the sign, scale and unit of its neighbouring words."""
    before = _BEFORE.search(text, max(0, start - 8), start)
    money = before["money"] if before else None
    closed = _CLOSED.match(text, end) if before and before["bracket"] else None
    scales, units, last = _words_after(text, closed.end() if closed else end, has_money=bool(money))
    if closed and "%" in closed[0]:
        units = UNITS["%"]
    if money:
        units = UNITS.get(money.casefold().strip("."), (MeasureUnit("$"),))
    first = before.start() if before and money else start
    bound = _BOUND.search(text, max(0, first - _NEAR), first)
    return replace(
        figure,
        text=text[first:last].strip(),
        start=start,
        end=last,
        place=_place(figure),
        scales=scales,
        units=units,
        after="" if units else text[last : last + _AFTER],
        bound=next((name for name in ("over", "under", "about") if bound and bound[name]), ""),
        negative=bool(closed) or bool(before and before["minus"]),
    )


def _place(figure: Figure) -> Decimal:
    """Return the value of the last digit written."""
    return Decimal(1).scaleb(min(int(figure.values[0].as_tuple().exponent), 0)) if figure.digits else Decimal(1)


def _words_after(text: str, end: int, *, has_money: bool) -> tuple[tuple[int, ...], tuple[MeasureUnit, ...], int]:
    """Return scales, units, and where they end."""
    scales: tuple[int, ...] = ()
    at = end
    while match := _NEXT.match(text, at):
        word = LONG_UNITS.get(match["word"].casefold(), match["word"].casefold())
        after = match.end("word")
        at = match.end() if word in SCALES else after  # Mio. EUR
        sign = has_money or bool(_MONEY_SIGN.match(text, at))
        if word in SCALES and not (word in UNITS and not text.startswith(" de ", at)):
            scales = tuple(one * SCALES[word] for one in scales or (1,))
        elif not scales and (sign and word in MONEY_SCALES):
            scales = (MONEY_SCALES[word],)
        elif not scales and not match["gap"] and match["word"] in JOINED_SCALES:
            scales = JOINED_SCALES[match["word"]]
        elif not scales and word == "m":
            scales = JOINED_SCALES["m"]
        elif word in UNITS:
            # In “$ 3,226.8 $ 2,729.4” the second sign is that of the next figure.
            return scales, UNITS[word], end if has_money else _per(text, after)
        elif word not in _PASSED or not (scales or word not in ("of", "de", "d")):
            return scales, (), end
        else:
            continue
        end = after
    return scales, (), end


def _per(text: str, end: int) -> int:
    """Return where a unit ends that is one per another, such as mg/l: both are told."""
    per = _PER.match(text, end)
    return per.end() if per else end


def _in_ranges(text: str, found: list[Figure]) -> Iterator[Figure]:
    """Yield the figures; each of a range takes scale and unit of the other: 3 to 5 %, $3-5 million."""
    before: Figure | None = None
    for figure, following in zip_longest(found, found[1:]):
        if before and before.kinds & CURRENCIES and not figure.units:
            gap = text[before.end : figure.start]
            figure = replace(figure, units=before.units) if _RANGE.fullmatch(gap) else figure
        before = figure
        if following is not None and not figure.is_year and _RANGE.fullmatch(text[figure.end : following.start]):
            if following.scales and not figure.scales and "%" not in figure.kinds:
                figure = replace(figure, scales=(*following.scales, 1))
            figure = replace(figure, units=figure.units or following.units)
        yield figure
