"""Compares what stands directly beside the same number in a claim and in its source: sign, “week”, “per month”.

“12 °C” is not −12 °C, month 16 is not week 16, and 3.5 percent a month are not 3.5 percent per annum.
"""

import re

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
_NEAR = 16  # characters before a figure
_YEAR = UNITS["year"][0]
_WORDS = {"annum": _YEAR, "mille": MeasureUnit("‰")}


def is_bound_alike(figure: Figure, said: str, other: Figure, read: str) -> bool:
    """Return whether what stands beside a figure of a claim may stand beside one of a source; texts are plain."""
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
