"""Compares what stands directly beside the same number in a claim and in its source: sign, “week”, “per month”.

“12 °C” is not −12 °C, month 16 is not week 16, and 3.5 percent a month are not 3.5 percent per annum.
"""

import re

from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.figures import Figure
from desktop_rag.text.units import CURRENCIES, UNITS, MeasureUnit

_TEMPERATURES = frozenset(("°C", "°F", "°"))
_SIGN = re.compile(r"(?P<plus>\+|\bplus)?(?P<minus>-|\b(?:minus|moins|menos))?\s?[$€£¥₹]?\s?$", re.IGNORECASE)
_BELOW_ZERO = re.compile(
    r"[^.;]{0,12}\b(?:below (?:zero|freezing)|of frost|unter null|sous zéro|bajo cero)\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b(?:(?P<week>week|woche|semaine|semana)|(?P<month>month|monat|mois|mes)|(?P<day>day|tag|jour|día)|"
    r"(?P<year>year|jahr|année|año)|(?P<round>round|runde)|(?P<chapter>chapter|kapitel))\s$",
    re.IGNORECASE,
)
_PER = re.compile(r"\s?(?:/\s?|(?:per|a|an|each|every|pro|je|par|por)\s)(?P<unit>[^\W\d_]+)", re.IGNORECASE)
_NEAR = 20  # characters before a figure
_SENTENCE = re.compile(r"\n|[.;]\s")
_IS_YEAR = re.compile(
    r"\b(?:in|since|until|till|between(?: \d{4} and)?|from|seit|im Jahr|von|bis|depuis|en|desde)\s$", re.IGNORECASE
)
_COUNT = re.compile(r"\s([a-zäöüßàâçéèêëîïôûñáíóú]{4,})\b")  # what is counted; table headers are capital
_ENUMERATED = re.compile(  # “from 142 members to 159”, “38 patients here and 57 there”, “22 versus 19 patients”
    r"(?<![\w.,])(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten)\s[a-z]{4,}\b[^;%]*\b(?:and|to|versus|against)\s$"
)
_VERSUS = re.compile(r"\s(?:versus|vs\.?|against) \d[\d,.]*\s[a-z]{4,}")
_PERCENTS = re.compile(r"%|\b(?:per ?cent|prozent|pour cent|por ciento|rate|yield|score|index)", re.IGNORECASE)
_RATES = re.compile(r"%|\b(?:per ?cent|prozent|pour cent|por ciento|(?:interest|inflation|tax) )", re.IGNORECASE)
_YEAR = UNITS["year"][0]
_WORDS = {"annum": _YEAR, "mille": MeasureUnit("‰")}


def is_bound_alike(figure: Figure, said: str, other: Figure, read: str) -> bool:
    """Return whether the words next to a figure of a claim fit those next to one of a source; texts are plain."""
    if ("%" in figure.kinds and (_is_count(other, read) or _is_ratio(figure, other, read))) or _is_year_only(
        figure, other, read
    ):
        return False
    mine, theirs = _per(figure, said), _per(other, read)
    if mine and theirs and mine != theirs and figure.values == other.values:
        return False
    counted, other_counted = _counted(figure, said), _counted(other, read)
    if counted and other_counted and counted != other_counted:
        return False
    if figure.kinds & _TEMPERATURES:
        return not _signs(figure, said).isdisjoint(_signs(other, read))
    plus = _sign(figure, said)["plus"] and figure.kinds & CURRENCIES
    return not (plus and (other.negative or _sign(other, read)["minus"]))


def _is_count(figure: Figure, text: str) -> bool:
    """Return whether a figure of a source counts things, so that it is no percentage: “38 patients”."""
    if figure.units or figure.scales or not figure.is_whole or "\t" in text or "|" in text:
        return False
    thing = _COUNT.match(text, figure.end)
    begin = max((match.end() for match in _SENTENCE.finditer(text, 0, figure.start)), default=0)
    return bool(
        (thing and thing[1] not in STOP_WORDS and not _PERCENTS.search(text, figure.end, figure.end + _NEAR))
        or _ENUMERATED.search(text[begin : figure.start])
        or _VERSUS.match(text, figure.end)
    )


def _is_ratio(figure: Figure, other: Figure, text: str) -> bool:
    """Return whether a source has the number of a percentage between 0 and 1 and without unit: 0.94 is 94 %."""
    bare = bool(other.values) and other.values == figure.values and 0 < other.values[0] < 1 and not other.units
    return bare and not ("\t" in text or "|" in text or _RATES.search(text))


def _is_year_only(figure: Figure, other: Figure, text: str) -> bool:
    """Return whether an amount of a claim has the digits of a year of the source: £1,903, built in 1903."""
    amount = figure.kinds & CURRENCIES or any(mark in figure.digits for mark in ",. ")
    is_year = other.is_year and not other.kinds and _IS_YEAR.search(text, max(other.start - _NEAR, 0), other.start)
    return bool(amount and is_year)


def _sign(figure: Figure, text: str) -> dict[str, str | None]:
    """Return the plus and the minus before a figure, as words or signs."""
    match = _SIGN.search(text[max(0, figure.start - _NEAR) : figure.start])
    return match.groupdict() if match else {"plus": None, "minus": None}


def _signs(figure: Figure, text: str) -> frozenset[int]:
    """Return the signs that a figure may have: a dash before it may be one."""
    if figure.negative or _BELOW_ZERO.match(text, figure.end):
        return frozenset((-1,))
    return frozenset((-1, 1)) if _sign(figure, text)["minus"] else frozenset((1,))


def _counted(figure: Figure, text: str) -> str:
    """Return what a number counts that stands after it: “week” of “at week 16”."""
    match = (
        None if figure.units or figure.scales else _COUNTED.search(text[max(0, figure.start - _NEAR) : figure.start])
    )
    return match.lastgroup or "" if match else ""


def _per(figure: Figure, text: str) -> MeasureUnit | None:
    """Return the unit of what an amount is for: a month of “€400 per month”."""
    match = _PER.match(text, figure.end) if figure.units else None
    if match is None:
        return None
    word = match["unit"].casefold()
    units = UNITS.get(word, ())
    return _WORDS.get(word) or (units[0] if len(units) == 1 else None)
