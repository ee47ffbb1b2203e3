"""Formats cell values: numbers in the format of their cell, dates always as ISO dates."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

from lxml import etree

Value = int | float | str | bool | time | date | datetime | timedelta

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 37: "#,##0", 38: "#,##0"} | {
    39: "#,##0.00",
    40: "#,##0.00",
}
_CODE = re.compile(
    r"""\[\$(?P<currency>[^\]-]*)[^\]]*\]
      | \[(?P<sign><=|>=|<>|<|>|=)(?P<limit>-?\d{1,30}(?:\.\d{0,30})?)\] | \[[^\]]*\]
      | "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | [_*]. | (?P<general>General) | (?P<digit>[#0?]) | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
_NOT_A_NUMBER = frozenset("ymdhsYMDHSeE/")  # dates, exponents and fractions use the general format
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
            plain = f"{float(value):.15g}"
            return "".join(plain if part == _GENERAL else part[1:] for part in (*self.before, *self.after))
        places = [part for part in self.after if part in _DIGITS]
        rounded = _rounded(value * self.scale, len(places))
        whole, _, decimals = f"{rounded:f}".partition(".")
        return self._whole("" if whole == "0" else whole) + self._decimals(decimals)

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

    sections: tuple[_Section, ...]
    text: tuple[str, ...] = ()  # what stands around texts, which have a part of their own

    def format_text(self, value: str) -> str:
        """Return a text as the cell displays it."""
        return "".join(value if part == _GENERAL else part[1:] for part in self.text) if value and self.text else value

    def format(self, value: float) -> str:
        """Return `value` as the cell displays it, with a decimal point and commas in every language.

        Where that is scaled or rounded, the value itself stands behind it: `12.5M (12500000)`, `10.16 (10.155)`; not
        one that was computed and is hardly changed: `33.33` of 33.3333333333333.
        """
        if not math.isfinite(value):
            return f"{value:.15g}"
        exact = Decimal(repr(value))
        number, section = self._section(exact)
        shown = section.text_of(abs(exact))
        if exact < 0 and not (number == 1 and section.condition is None) and shown.strip("0., "):
            shown = f"-{shown}"
        if not shown.strip():
            return f"{value:.15g}"
        percent = section.scale > 1
        places = sum(part in _DIGITS for part in section.after)
        kept = _rounded(exact * section.scale, places) / section.scale
        is_typed = kept != exact and len(exact.normalize().as_tuple().digits) <= _TYPED
        lost = is_typed or abs(kept - exact) > _ROUGH * abs(exact)
        if section.has_digits and exact and (lost or section.scale < 1):
            own = f"{exact * 100:f}".rstrip("0").rstrip(".") + "%" if percent else f"{value:.15g}"
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
        self._commas = self._percents = 0
        self.is_text = False  # of the part that texts take

    def take(self, part: re.Match[str]) -> None:
        """Add a part: a placeholder, a condition, a sign or a text."""
        plain, side = part["plain"], self._after if self._point else self._before
        if part["general"] or plain == "@":
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
        return _Section(self._condition, tuple(self._before), tuple(self._after), self._thousands, scale)


def parse_format_code(code: str) -> NumberFormat | None:
    """Return the format of a format code; None where the general format is used."""
    parsers, text = [_SectionParser()], tuple[str, ...]()
    for part in _CODE.finditer(code[:_LONGEST]):
        plain = part["plain"]
        if plain and plain in _NOT_A_NUMBER:
            return None
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


def cell_formats(styles: "etree._Element | None") -> dict[int, NumberFormat]:
    """Return the number formats of a workbook by cell style, without general ones."""
    cells = styles.find(f"{_X}cellXfs") if styles is not None else None
    if styles is None or cells is None:
        return {}
    codes = {_number(one.get("numFmtId")): one.get("formatCode", "") for one in styles.iter(f"{_X}numFmt")}
    return formats_of_styles(codes, [_number(cell.get("numFmtId")) for cell in cells.iterchildren(f"{_X}xf")])


def formats_of_styles(codes: Mapping[int, str], styles: Sequence[int]) -> dict[int, NumberFormat]:
    """Return the number formats by style, without general ones; each of the `styles` has the number of a code."""
    known = {number: parse_format_code(code) for number, code in {**_BUILT_IN, **codes}.items()}
    return {index: form for index, number in enumerate(styles) if (form := known.get(number)) is not None}


def format_value(value: Value, form: NumberFormat | None = None) -> str:
    """Return a cell value as text."""
    match value:
        case str():
            return form.format_text(value) if form else value
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return form.format(value) if form else f"{value:.15g}"
        case datetime():
            date_only = value.time() == time()
            return value.date().isoformat() if date_only else f"{value.date()} {_format_time(value.time())}"
        case timedelta():
            minutes, seconds = divmod(round(value.total_seconds()), 60)
            return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
        case time():
            return _format_time(value)
        case _:
            return value.isoformat()


def _format_time(value: time) -> str:
    return value.strftime("%H:%M:%S" if value.second else "%H:%M")


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
