"""Formats cell values: numbers in the format of their cell, dates always as ISO dates."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from lxml import etree

Value = int | float | str | bool | time | date | datetime | timedelta

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 37: "#,##0", 38: "#,##0"} | {
    39: "#,##0.00",
    40: "#,##0.00",
}
_CODE = re.compile(
    r"""\[\$(?P<currency>[^\]-]*)[^\]]*\] | \[[^\]]*\] | "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | [_*].
      | (?P<digits>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+) | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
_NOT_A_NUMBER = frozenset("ymdhsYMDHSeE/@")  # dates, exponents, fractions and texts use the general format


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A number format: the text around the digits, and how many digits."""

    prefix: str
    suffix: str
    whole: int
    decimals: int
    fewest_decimals: int
    thousands: bool
    percent: bool

    def format(self, value: float) -> str:
        """Return `value` as the cell displays it, with a decimal point and commas in every language."""
        scaled = abs(value) * 100 if self.percent else abs(value)
        text = f"{scaled:{',' if self.thousands else ''}.{self.decimals}f}"
        whole, point, decimals = text.partition(".")
        while len(decimals) > self.fewest_decimals and decimals.endswith("0"):
            decimals = decimals[:-1]
        number = whole.rjust(self.whole, "0") + (point + decimals if decimals else "")
        return f"{'-' if value < 0 else ''}{self.prefix}{number}{self.suffix}"


def parse_format_code(code: str) -> NumberFormat | None:
    """Return the format of positive numbers in a format code; None where the general format is used."""
    prefix, suffix, digits = "", "", ""
    percent = False
    for part in _CODE.finditer(code):
        if part["plain"] == ";":
            break
        if part["digits"] and digits:
            return None
        if part["plain"] and part["plain"] in _NOT_A_NUMBER:
            return None
        digits = digits or part["digits"] or ""
        percent |= part["plain"] == "%"
        literal = part["currency"] or part["quoted"] or part["escaped"] or part["plain"] or ""
        if digits:
            suffix += literal
        else:
            prefix += literal
    whole, _, decimals = digits.partition(".")
    if not digits or whole.endswith(","):  # scaled to thousands or millions: show the exact value
        return None
    zeros = decimals.count("0")
    return NumberFormat(prefix, suffix, whole.count("0"), len(decimals), zeros, "," in whole, percent)


def cell_formats(styles: "etree._Element | None") -> dict[int, NumberFormat]:
    """Return the number formats of a workbook by cell style, without general ones."""
    cells = styles.find(f"{_X}cellXfs") if styles is not None else None
    if styles is None or cells is None:
        return {}
    codes = dict(_BUILT_IN)
    for one in styles.iter(f"{_X}numFmt"):
        codes[_number(one.get("numFmtId"))] = one.get("formatCode", "")
    found: dict[int, NumberFormat] = {}
    for index, cell in enumerate(cells.iterchildren(f"{_X}xf")):
        form = parse_format_code(codes.get(_number(cell.get("numFmtId")), ""))
        if form is not None:
            found[index] = form
    return found


def format_value(value: Value, form: NumberFormat | None = None) -> str:
    """Return a cell value as text."""
    match value:
        case str():
            return value
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
