"""Splits cited lines into the rows of tables and lines of prose whose figures are computed with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.text.figures import Figure, FigureText

_NEAR = 60  # characters around a figure in prose whose words name it
_END = re.compile(r"(?<=[\w%)][.;])\s")  # of a sentence
_NO_LABEL = re.compile(r"[\d.,()%$€£¥₹\t-]+")
WHOLE = re.compile(
    r"(?<!\w)(?:total|revenues?|net sales|before (?:income )?tax\w*|umsatz\w*|gesamt\w*|summe|ventes|ingresos)(?!\w)",
    re.I,
)  # of a row that shares and margins refer to
_LABEL = re.compile(r"[^\W\d_]{3}")


@dataclass(slots=True)
class SourceRow:
    """The numbers of a table row or of a line of prose; numbers on lines of their own belong to the label above."""

    number: int
    label: str
    years: tuple[int, ...]
    figures: list[tuple[Figure, str]]
    is_table: bool = False


def source_rows(text: FigureText, first_row: int) -> list[SourceRow]:
    """Return the rows of a text, with the years of the header above each."""
    rows = [SourceRow(first_row, "", (), [])]
    years: list[int] = []
    in_header = False
    offset = 0
    for number, line in enumerate(text.plain.split("\n"), first_row):
        start, offset = offset, offset + len(line) + 1
        here = [each for each in text.figures if start <= each.start < offset and not each.part]
        if header := _header_years(here):
            # Years one below the other belong together; several on one line are a header by themselves.
            years = [*(years if in_header and len(header) == 1 else ()), *header]
        in_header = bool(header) or (in_header and not here)
        label = _NO_LABEL.sub(" ", line)
        if _LABEL.search(label) or header:
            rows.append(SourceRow(number, label, tuple(years), [], "\t" in line or "|" in line))
        for each in filter(is_operand, here):
            before = _END.split(line[max(each.start - start - _NEAR, 0) : each.start - start])[-1]
            around = before + _END.split(line[each.start - start : each.end - start + _NEAR])[0]
            rows[-1].figures.append((each, around if _is_prose(line, len(here)) else rows[-1].label))
    return rows


def _is_prose(line: str, figures: int) -> bool:
    return len(line) > 2 * _NEAR and (figures < 2 + len(line) // _NEAR or len(_END.findall(line)) > 1)


def _header_years(figures: Sequence[Figure]) -> tuple[int, ...]:
    """Return the years of a header line of a table, none if the line holds other figures."""
    years: list[int] = []
    for each in figures:
        if each.when and each.when.days and each.when.days[0].year:
            years.append(each.when.days[0].year)
        elif each.is_year and each.values:
            years.append(int(each.values[0]))
        elif not (each.when or each.period or each.spelled or each.name):
            return ()
    return tuple(years)


def is_operand(figure: Figure) -> bool:
    """Return whether a figure can be computed with: no date, name, year or fraction."""
    usable = bool(figure.values) and not (figure.name or figure.when or figure.period or figure.fraction)
    return usable and not (figure.is_year and 1900 <= figure.values[0] <= 2100) and not figure.ordinal


def scaled_amount(figure: Figure) -> Decimal:
    """Return the value of a figure with its sign and scale word."""
    scale = figure.scales[0] if figure.scales else 1
    return (-1 if figure.negative else 1) * figure.values[0] * scale
