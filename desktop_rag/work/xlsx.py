"""Writes workbooks in Office Open XML: sheets of texts, numbers with units, dates and links."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that XML does not have
MOST_CHARACTERS = 32_000  # of a cell, as Excel allows
MOST_LINKS = 60_000  # of a sheet
LONGEST_LINK = 2_000
_UNNAMED = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
# Nothing of a document becomes a formula, a number or a link that was not meant as one.
_AS_TEXT = {"in_memory": True, "strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A value of a sheet; a number may have a unit, which its format shows."""

    value: str | Decimal | date = ""
    unit: str = ""
    link: str = ""
    bold: bool = False
    grey: bool = False


def workbook(sheets: Mapping[str, Sequence[Sequence[SheetCell]]]) -> bytes:
    """Return a workbook with these sheets; the first row of each stays in sight."""
    from xlsxwriter import Workbook

    written = io.BytesIO()
    with Workbook(written, _AS_TEXT) as book:
        look_of = cache(lambda look: book.add_format(dict(look)))
        for name, rows in zip(_sheet_names(sheets), sheets.values(), strict=True):
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            sheet.set_column(0, max(map(len, rows), default=1) - 1, 28)
            links = 0
            for line, row in enumerate(rows):
                for at, cell in enumerate(row):
                    value, look = _shown(cell)
                    if cell.link and len(cell.link) <= LONGEST_LINK and links < MOST_LINKS:
                        links += 1
                        text = value if isinstance(value, str) and value else " "  # numbers and dates replace it
                        sheet.write_url(line, at, cell.link, look_of(look), text)
                        if isinstance(value, str):
                            continue
                    sheet.write(line, at, value, look_of(look))
    return written.getvalue()


def _sheet_names(sheets: Mapping[str, object]) -> list[str]:
    names: list[str] = []
    for at, name in enumerate(sheets, 1):
        plain = CONTROL.sub("", _UNNAMED.sub(" ", name)).strip(" '")[:31] or f"Sheet {at}"
        names.append(plain if plain.casefold() not in (each.casefold() for each in names) else f"{plain[:27]} {at}")
    return names


def _shown(cell: SheetCell) -> tuple[str | Decimal | date, tuple[tuple[str, object], ...]]:
    """Return a value and its look."""
    value = cell.value
    if isinstance(value, Decimal):  # grouped, decimals where there are some, its unit behind it
        unit = cell.unit.replace('"', "")
        digits = "#,##0" if value == value.to_integral_value() else "#,##0.00"
        return value, (("num_format", digits + (f'\\ "{unit}"' if unit else "")),)
    if isinstance(value, date) and value > date(1900, 3, 1):  # the first day of spreadsheets
        return value, (("num_format", "yyyy-mm-dd"),)
    look = (("bold", True),) if cell.bold else (("italic", True), ("color", "#808080")) if cell.grey else ()
    return CONTROL.sub("\ufffd", str(value)[:MOST_CHARACTERS]), look
