"""Formats cell values: numbers in the format of their cell, dates always as ISO dates."""

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

from lxml import etree

from desktop_rag.documents.formats.inline_text import mark_deleted

Value = int | float | str | bool | time | date | datetime | timedelta

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_WHOLE, _CENTS = "#,##0;(#,##0)", "#,##0.00;(#,##0.00)"  # of amounts; which currency, the file does not say
_BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?"}
_BUILT_IN |= {13: "# ??/??", 48: "##0.0E+0", **dict.fromkeys((5, 6, 37, 38, 41, 42), _WHOLE)}
_BUILT_IN |= dict.fromkeys((7, 8, 39, 40, 43, 44), _CENTS) | dict.fromkeys((19, 21, 45, 46, 47), "h:mm:ss")
_CODE = re.compile(
    r"""\[\$(?P<currency>[^\]-]*)[^\]]*\]
      | \[(?P<sign><=|>=|<>|<|>|=)(?P<limit>-?\d{1,30}(?:\.\d{0,30})?)\] | \[[^\]]*\]
      | "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | [_*]. | (?P<general>General) | (?P<digit>[#0?])
      | (?P<exponent>E[+-]) | (?P<slash>/(?=\ *[#?\d])) | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
_NOT_A_NUMBER = frozenset("ymdhsYMDHSeE")  # dates
_SIGNS = frozenset("-−–(")  # of a value below zero
_EXACT = 2**53  # whole numbers up to this are exact
_ROUGH = Decimal("0.005")  # of a value: with more lost by rounding, the value itself stands behind what is shown …
_TYPED = 8  # figures: … and if it has no more; one with more was computed
_WIDE = Context(prec=900)  # digits: those of the largest number, with as many places as a format has
_GENERAL = "G"  # a number as it is
_LONGEST = 500  # characters of a format code


@dataclass(frozen=True, slots=True)
class _Section:
    """One of the up to four parts of a format code, for the values that fulfil its condition.

    `before` are the placeholders and texts before the decimal point, `after` those behind it, in order.
    """

    condition: tuple[str, Decimal] | None
    before: tuple[str, ...]  # a placeholder, or a text behind a space
    after: tuple[str, ...]
    thousands: bool
    scale: Decimal
    exponent: int = 0  # its figures
    below: str = ""  # what stands below the line of a fraction: placeholders, or a number

    @property
    def has_digits(self) -> bool:
        return any(part in _DIGITS for part in (*self.before, *self.after))

    def holds(self, value: Decimal) -> bool:
        if self.condition is None:
            return True
        sign, limit = self.condition
        below, above = sign in ("<", "<=", "<>"), sign in (">", ">=", "<>")
        return (below and value < limit) or (above and value > limit) or (sign in ("=", "<=", ">=") and value == limit)

    def text_of(self, value: Decimal) -> str:
        """Return a value that is not negative in this format: rounded half away from zero, as spreadsheets do."""
        if not self.has_digits:
            plain = _plain(float(value))
            return "".join(plain if part == _GENERAL else part[1:] for part in (*self.before, *self.after))
        if self.below:
            return self._fraction(value)
        power, value = 0, value * self.scale
        places = sum(part in _DIGITS for part in self.after)
        if self.exponent and value:
            step = max(1, sum(part in _DIGITS for part in self.before))  # engineers count by thousands
            power = value.adjusted() // step * step
            if _rounded(value.scaleb(-power), places) >= 10**step:
                power += step
            value = value.scaleb(-power)
        whole, _, decimals = f"{_rounded(value, places):f}".partition(".")
        shown = self._whole("" if whole == "0" else whole) + self._decimals(decimals)
        return shown + (f"E{'-' if power < 0 else '+'}{abs(power):0{self.exponent}}" if self.exponent else "")

    def _fraction(self, value: Decimal) -> str:
        """Return a value as a fraction, behind the whole number if there is a place for it."""
        at = [number for number, part in enumerate(self.before) if part in _DIGITS]
        whole = int(value) if at[-1] - at[0] >= len(at) else 0
        if self.below.isdecimal() and int(self.below):
            below = int(self.below)
            above = int(_rounded((value - whole) * below, 0))
        else:
            above, below = Fraction(value - whole).limit_denominator(10 ** len(self.below) - 1).as_integer_ratio()
        if whole and above == below:
            whole, above = whole + 1, 0
        parts = (str(whole) if whole or not above else "", f"{above}/{below}" if above else "")
        before, after = (part[1:] for part in self.before[: at[0]]), (part[1:] for part in self.after)
        return "".join((*before, " ".join(filter(None, parts)), *after))

    def _whole(self, figures: str) -> str:
        shown, left, placed = list[str](), figures, 0
        first = next((at for at, part in enumerate(self.before) if part in _DIGITS), -1)
        for at in range(len(self.before) - 1, -1, -1):
            part = self.before[at]
            if part not in _DIGITS:
                shown.append(part[1:])
                continue
            taken = left if at == first else left[-1:]
            left = left[: len(left) - len(taken)]
            for figure in reversed(taken or ("0" if part == "0" else "")):
                if self.thousands and placed and placed % 3 == 0:
                    shown.append(",")
                shown.append(figure)
                placed += 1
        return "".join(reversed(shown))

    def _decimals(self, figures: str) -> str:
        kept, fewest = figures, sum(part == "0" for part in self.after)
        while len(kept) > fewest and kept.endswith("0"):
            kept = kept[:-1]
        shown, left = list[str](), kept
        for part in self.after:
            shown.append(left[:1] if part in _DIGITS else part[1:])
            left = left[1:] if part in _DIGITS else left
        return ("." if kept else "") + "".join(shown)


_DIGITS = ("0", "#", "?")


def _rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A number format (ECMA-376, part 1, 18.8.31): its sections, of which a value takes one."""

    sections: tuple[_Section, ...]  # none of the general format
    text: tuple[str, ...] = ()  # what stands around texts, which have a part of their own
    is_struck: bool = False  # a line is drawn through what is in the cell
    has_seconds: bool = False  # of times: without hours too, 90:00 is 1:30:00

    def format_text(self, value: str) -> str:
        """Return a text as the cell displays it."""
        return "".join(value if part == _GENERAL else part[1:] for part in self.text) if value and self.text else value

    def format(self, value: float) -> str:
        """Return `value` as the cell displays it, with a decimal point and commas in every language.

        Where that is scaled or rounded, the value itself stands behind it: `12.5M (12500000)`, `10.16 (10.155)`; not
        one that was computed and is hardly changed: `33.33` of 33.3333333333333. So it does where only a colour tells
        that it is below zero.
        """
        if not math.isfinite(value) or not self.sections:
            return _plain(value)
        exact = Decimal(repr(value))
        number, section = self._section(exact)
        shown = section.text_of(abs(exact))
        if exact < 0 and not (number == 1 and section.condition is None) and shown.strip("0., "):
            shown = f"-{shown}"
        if not shown.strip():
            return _plain(value)
        percent = section.scale > 1
        places = sum(part in _DIGITS for part in section.after)
        kept = _rounded(exact * section.scale, places) / section.scale
        is_typed = kept != exact and len(exact.normalize().as_tuple().digits) <= _TYPED
        lost = is_typed or abs(kept - exact) > _ROUGH * abs(exact) or (exact < 0 and _SIGNS.isdisjoint(shown))
        if section.has_digits and exact and (lost or section.scale < 1 or section.exponent or section.below):
            own = f"{exact * 100:f}".rstrip("0").rstrip(".") + "%" if percent else _plain(value)
            return f"{shown} ({own})"
        return shown

    def _section(self, value: Decimal) -> tuple[int, _Section]:
        sections = self.sections
        if any(section.condition for section in sections):
            return next(((n, each) for n, each in enumerate(sections) if each.holds(value)), (0, sections[-1]))
        number = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
        return number, sections[number]


class _SectionParser:
    """Collects the parts of one section of a format code."""

    def __init__(self) -> None:
        self._before, self._after = list[str](), list[str]()
        self._condition: tuple[str, Decimal] | None = None
        self._point = self._thousands = False
        self._commas = self._percents = self._exponent = 0
        self._below: str | None = None
        self.is_text = False  # of the part that texts take

    def take(self, part: re.Match[str]) -> None:
        """Add a part: a placeholder, a condition, a sign or a text."""
        plain = part["plain"] or ""
        side = self._after if self._point or self._exponent or self._below is not None else self._before
        if part["exponent"] and not self._exponent:
            self._exponent = 1  # its sign, until its figures are counted
        elif part["slash"] and any(each in _DIGITS for each in self._before):
            self._below = ""
        elif self._below is not None and (part["digit"] or plain.isdecimal() or (plain == " " and not self._below)):
            self._below += (part["digit"] or plain).strip()
        elif part["digit"] and self._exponent:
            self._exponent += 1
        elif part["general"] or plain == "@":
            side.append(_GENERAL)
            self.is_text |= plain == "@"
        elif part["digit"]:
            if self._commas and not self._point:
                self._thousands, self._commas = True, 0
            side.append(part["digit"])
        elif part["sign"]:
            self._condition = (part["sign"], Decimal(part["limit"]))
        elif plain == "." and not self._point and any(each in _DIGITS for each in self._before):
            self._point = True
        elif plain == "," and any(each in _DIGITS for each in (*self._before, *self._after)):
            self._commas += 1  # grouping, if a placeholder follows
        else:
            self._percents += plain == "%"
            if literal := part["currency"] or part["quoted"] or part["escaped"] or plain:
                side.append(f" {literal}")

    def section(self) -> _Section:
        """Return the section."""
        scale = Decimal(100) ** min(self._percents, 3) / Decimal(1000) ** min(self._commas, 5)
        sides = tuple(self._before), tuple(self._after)
        figures = max(0, self._exponent - 1)
        return _Section(self._condition, *sides, self._thousands, scale, figures, self._below or "")


@lru_cache(1024)  # few are in use, the same in most workbooks
def parse_format_code(code: str) -> NumberFormat | None:
    """Return the format of a format code; None where the general format is used."""
    parsers, text = [_SectionParser()], tuple[str, ...]()
    for part in _CODE.finditer(code[:_LONGEST]):
        plain = part["plain"]
        if plain and plain in _NOT_A_NUMBER:
            has_seconds = any(each.group().lower() in ("s", "[s]", "[ss]") for each in _CODE.finditer(code[:_LONGEST]))
            return NumberFormat((), has_seconds=True) if has_seconds else None
        if plain == ";":
            parsers.append(_SectionParser())
        else:
            parsers[-1].take(part)
    sections = [parser.section() for parser in parsers[:4]]
    if parsers[-1].is_text:
        text = sections[-1].before
        sections = sections[:-1] or sections
    shows = any(section.has_digits or _says(section) for section in sections)
    return NumberFormat(tuple(sections[:3]), text) if shows else None


def _says(section: _Section) -> bool:
    return any(part.strip() not in ("", _GENERAL) for part in section.before)


def with_value(shown: str, value: str, *, percent: bool = False) -> str:
    """Return what a cell shows and, where it is scaled or rounded, the value behind it, as `NumberFormat.format` does.

    For files that hold both: of what is shown only the figures are known, not which of its points is decimal.
    """
    try:
        own = abs(Decimal(value)) * (100 if percent else 1)
    except InvalidOperation:
        return shown
    seen = "".join(filter(str.isdecimal, shown)).lstrip("0")
    figures = own.normalize().as_tuple().digits
    known = "".join(map(str, figures))
    if not shown:
        return f"{float(value) * (100 if percent else 1):.15g}" + ("%" if percent else "")
    if not seen or not own or not own.is_finite():
        return shown
    scaled = len(seen) < own.adjusted() + 1
    if seen.rstrip("0") == known.rstrip("0") and not scaled:
        return shown
    ratio = Decimal(f"0.{seen}") / Decimal(f"0.{known}")
    lost = not any(abs(ratio * off - 1) <= _ROUGH for off in (1, Decimal(10), Decimal("0.1")))
    if not (scaled or lost or len(known) <= _TYPED):
        return shown
    behind = f"{'-' if value.startswith('-') else ''}{own:f}"
    return f"{shown} ({behind.rstrip('0').rstrip('.') if '.' in behind else behind}{'%' if percent else ''})"


def cell_formats(styles: "etree._Element | None") -> dict[int, NumberFormat]:
    """Return the formats of a workbook by cell style, without general ones."""
    cells = styles.find(f"{_X}cellXfs") if styles is not None else None
    if styles is None or cells is None:
        return {}
    codes = {_number(one.get("numFmtId")): one.get("formatCode", "") for one in styles.iter(f"{_X}numFmt")}
    fonts = styles.find(f"{_X}fonts")
    struck = {
        number
        for number, font in enumerate(fonts.iterchildren(f"{_X}font") if fonts is not None else ())
        if (line := font.find(f"{_X}strike")) is not None and line.get("val", "1") not in ("0", "false")
    }
    kinds = [(_number(cell.get("numFmtId")), _number(cell.get("fontId"))) for cell in cells.iterchildren(f"{_X}xf")]
    return formats_of_styles(codes, kinds, struck)


def formats_of_styles(
    codes: Mapping[int, str], styles: Sequence[tuple[int, int]], struck: Container[int] = ()
) -> dict[int, NumberFormat]:
    """Return the formats by style, without general ones; each of the `styles` has the numbers of a code and a font.

    `struck` are the fonts that draw a line through their letters.
    """
    found: dict[int, NumberFormat] = {}
    for index, (number, font) in enumerate(styles):
        form = parse_format_code(codes.get(number, _BUILT_IN.get(number, "")))
        if font in struck:
            form = replace(form or NumberFormat(()), is_struck=True)
        if form is not None:
            found[index] = form
    return found


def format_value(value: Value, form: NumberFormat | None = None) -> str:
    """Return a cell value as text."""
    text = _shown(value, form)
    return mark_deleted(text) if form is not None and form.is_struck else text


def _shown(value: Value, form: NumberFormat | None) -> str:
    match value:
        case str():
            return form.format_text(value) if form else value
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return form.format(value) if form else _plain(value)
        case datetime():
            date_only = value.time() == time()
            return value.date().isoformat() if date_only else f"{value.date()} {_format_time(value.time(), form)}"
        case timedelta():
            total = round(value.total_seconds())
            minutes, seconds = divmod(abs(total), 60)
            return f"{'-' * (total < 0)}{minutes // 60}:{minutes % 60:02}" + (
                f":{seconds:02}" if seconds or _has_seconds(form) else ""
            )
        case time():
            return _format_time(value, form)
        case _:
            return value.isoformat()


def _format_time(value: time, form: NumberFormat | None) -> str:
    return value.strftime("%H:%M:%S" if value.second or _has_seconds(form) else "%H:%M")


def _has_seconds(form: NumberFormat | None) -> bool:
    return form is not None and form.has_seconds


def _plain(value: float) -> str:
    """Return a number as it is; whole ones with all of their figures."""
    return f"{value:.0f}" if abs(value) < _EXACT and value == int(value) else f"{value:.15g}"


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
