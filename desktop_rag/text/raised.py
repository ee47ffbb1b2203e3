"""Raised and lowered figures as characters of their own: 320¹ is no 3201, and 10⁹ no 109."""

import re

_UP = str.maketrans("0123456789+-−=", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼")
_DOWN = str.maketrans("0123456789+-−=", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌")
_BRACKETED = re.compile(r"\[.*\]|\(\s*\w+\s*\)")  # a mark that its brackets keep apart
_DECIMAL = re.compile(r"\d+\.\d+")
_RATIO = re.compile(r"\d[./]\d")
_SUM = re.compile(r"\w+[-+−]\w+")
_AMOUNT = re.compile(r"(?:[.,]\d+|[$€£¥]\s?\d+)$")
_ENDINGS = frozenset(("a", "e", "o", "st", "nd", "rd", "th"))  # of ordinal numbers: 1ª, 2e, nº, ith
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RUN = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_CARET = re.compile(r"\^([-−]?\d{1,3})(?!\w)")
_POWER = re.compile(r"(?:(?<![\w.,])(?:10|2|e)|[)\]])$")  # what stands before an exponent
_UNIT = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,3}$")  # or a name in a formula
_LONG, _MOST_LETTERS = re.compile(r"\d{4}"), 3
_EXPONENT = 0xE000  # a private character, and those behind it: the figures of an exponent
_LEFT_OUT = "\u2060"


def looks_raised(text: str) -> bool:
    """Return whether small text beside larger one may be an exponent or a mark: no word, no number of four figures."""
    return _LONG.search(text) is None and sum(map(str.isalpha, text)) <= _MOST_LETTERS


def raised(text: str, before: str = "") -> str:
    """Return raised text behind `before` with its figures as superscripts; powers that have letters are 2^n, 2^(n+1).

    Letters that are no power, as in 1st, and marks in brackets stay.
    """
    power = text.strip()
    if _BRACKETED.fullmatch(power):
        return text
    if not any(map(str.isalpha, power)) and not _RATIO.search(power):
        return text.translate(_UP) if any(map(str.isdigit, power)) else text
    if not _may_have_power(before) or not looks_raised(power) or (power.isalpha() and not _is_power(power, before)):
        return text
    if not power.isalpha() and not any(map(str.isdigit, power)) and not _SUM.fullmatch(power):
        return text
    return text.replace(power, f"^{power}" if len(power) == 1 or _DECIMAL.fullmatch(power) else f"^({power})")


def _may_have_power(before: str) -> bool:
    return before[-1:].isalnum() or before[-1:] in tuple(")]")


def _is_power(letters: str, before: str) -> bool:
    """Return whether raised letters are a power of what is before them, not the end of an ordinal number or word."""
    base = before[-1]
    if letters in _ENDINGS or base.isdigit():
        return len(letters) == 1 and (letters not in _ENDINGS or _AMOUNT.search(before) is not None)
    return not base.isalpha() or (not before[-2:-1].isalnum() and not base.isupper())  # Mlle, LATEX


def lowered(text: str) -> str:
    """Return lowered text with its figures as subscripts; an index such as n+1 is in brackets, _(n+1)."""
    index = text.strip()
    if not any(map(str.isalpha, index)):
        return text.translate(_DOWN) if any(map(str.isdigit, index)) else text
    return text.replace(index, f"_({index})") if _SUM.fullmatch(index) else text


def comparable(text: str) -> str:
    """Return a text of the same length for comparing: exponents (10⁹, 10^9) alike, note marks left out, m² as m2.

    An exponent stands behind 10, 2, e or a bracket; behind a short word is a unit; everything else is a note mark.
    """
    if "^" in text:
        text = _CARET.sub(_of_caret, text)
    return text if text.isascii() or not _RUN.search(text) else _RUN.sub(_of_run, text)


def may_have_exponent(before: str) -> bool:
    """Return whether raised figures behind `before` are its exponent, not the mark of a note."""
    return _POWER.search(before) is not None


def plain_figures(text: str) -> str:
    """Return raised figures as plain ones."""
    return text.translate(_PLAIN)


def _of_run(found: re.Match[str]) -> str:
    before, plain = found.string[max(0, found.start() - 6) : found.start()], found.group().translate(_PLAIN)
    if may_have_exponent(before):
        return _exponent(plain)
    return plain if _UNIT.search(before) else _LEFT_OUT * len(plain)


def _of_caret(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - 6) : found.start()]
    if may_have_exponent(before):
        return _LEFT_OUT + _exponent(found[1].replace("−", "-"))
    return _LEFT_OUT + found[1] if _UNIT.search(before) else found.group()


def _exponent(figures: str) -> str:
    return "".join(chr(_EXPONENT + ord(figure)) for figure in figures)
