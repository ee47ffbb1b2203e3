"""Recomputes totals and averages of a column of the cited rows: of all of them, those that the claim names, or a range.

A list of invoices or months rarely writes its own total. The claim says which rows (“to Lund”, “January to March”) and
often which column by its header; a wrong sum agrees by chance with one of few.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.agent.citations.sums.computed_pairs import is_amount, is_result, stems, written
from desktop_rag.agent.citations.sums.source_rows import scaled_amount
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.dates import MONTHS as MONTH_NAMES
from desktop_rag.text.figures import Figure, FigureText, read_figures

MONTHS = {fold(name): number for name, number in MONTH_NAMES.items()}
MIN_ROWS = 2
MAX_ROWS = 400
WRITTEN = 8  # operands that are written out
CHANCE = Decimal("0.1")  # other results near the figure × width of its last digit, as a share of the figure
NEAR = 2  # factor between a figure and the results that it may be by chance
_CELLS = re.compile(r"\t|\||;|,(?=\S)(?!\d{3}(?!\d))")
_RULE = re.compile(r"[\s|:+=_-]*")
_AMOUNT = re.compile(r"[-−(]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*[-−]?\d")
_TOTAL_ROW = re.compile(r"\W*(?:(?:grand |sub)?total|sum|summe|gesamt|zwischensumme)\b", re.IGNORECASE)
_EVERY = re.compile(r"(?:^|\b(?:the|all|these|die|alle|diese|les|los|las))\W*$", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:to|until|till|through|bis|à|hasta)\b|–", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a row with their amounts, None where a cell is no amount; `stems` are those of the other cells."""

    amounts: tuple[Figure | None, ...]
    stems: frozenset[str]
    month: int = 0  # that its label names, alone


def recompute_column(target: Figure, claim: str, sources: Sequence[str], cues: set[str]) -> str | None:
    """Return the total or average of a column that yields the figure, or None; `cues` name the computations."""
    if _months_of_period(claim) and "change" not in cues:
        cues = cues | {"total"}  # “the first quarter cost 36,000” over the rows of its months
    if not target.values or not target.values[0]:
        return None
    said = read_figures(claim)
    for header, rows in (table for source in sources for table in _tables(source)):
        chosen = _chosen(rows, claim)
        named = cues | ({"total"} if _counts(said, chosen) and len(chosen) == len(rows) else set())
        results = list(_results(chosen, _columns(header, rows, claim), named))
        scales = read_figures(header).scales
        fitting = [text for value, text, operands in results if _fits(target, value, operands, said.scales, scales)]
        size = target.values[0]
        others = sum(size <= NEAR * abs(value) <= NEAR**2 * size for value, _, _ in results) - len(fitting)
        if fitting and others * target.place <= CHANCE * size:
            return f"{fitting[0]} = {target.text}"
    return None


def _counts(said: FigureText, rows: Sequence[_Row]) -> bool:
    """Return whether a claim begins with the number of the rows: “the five stations have …”."""
    first = said.figures[0] if said.figures else None
    return bool(first and len(rows) > MIN_ROWS and not first.units and len(rows) in first.values) and bool(
        _EVERY.search(said.plain, 0, first.start if first else 0)
    )


def _fits(
    target: Figure, value: Decimal, operands: Sequence[Figure], said: frozenset[int], scales: frozenset[int]
) -> bool:
    units = next((each.units for each in operands if each.units), ())
    return is_result(target, value, units, operands, said, scales)


def _tables(source: str) -> Iterator[tuple[str, list[_Row]]]:
    """Yield the runs of rows with equally many cells, each with the line above it."""
    header = ""
    rows: list[_Row] = []
    for line in (*source.split("\n"), ""):
        if _RULE.fullmatch(line) and line.strip():
            continue
        cells = [cell.strip(" *`") for cell in _CELLS.split(line.strip().strip("|"))]
        row = _row(cells) if len(cells) > 1 and not _TOTAL_ROW.match(cells[0]) else None
        if row and any(row.amounts) and (not rows or len(row.amounts) == len(rows[0].amounts)):
            rows.append(row)
            continue
        if MIN_ROWS <= len(rows) <= MAX_ROWS:
            yield header, rows
        rows, header = ([row], "") if row and any(row.amounts) else ([], line)
    if MIN_ROWS <= len(rows) <= MAX_ROWS:
        yield header, rows


def _row(cells: Sequence[str]) -> _Row:
    amounts = tuple(_amount(cell) for cell in cells)
    words = " ".join(cell for cell, amount in zip(cells, amounts, strict=True) if amount is None)
    named = {MONTHS[fold(word)] for word in re.findall(r"[^\W\d]+", words) if fold(word) in MONTHS}
    return _Row(amounts, stems(words), named.pop() if len(named) == 1 else 0)


def _amount(cell: str) -> Figure | None:
    found = read_figures(cell).figures if _AMOUNT.match(cell) else ()
    return found[0] if len(found) == 1 and (is_amount(found[0]) or found[0].is_year) else None


def _chosen(rows: Sequence[_Row], claim: str) -> Sequence[_Row]:
    """Return the rows that a claim names, from the first to the last if it names a range; all if it names none."""
    words = stems(claim)
    common = frozenset.intersection(*(row.stems for row in rows))
    named = [at for at, row in enumerate(rows) if words & (row.stems - common)]
    if months := _months_of_period(claim):
        named = [at for at, row in enumerate(rows) if row.month in months] or named
    if len(named) == MIN_ROWS and _RANGE.search(claim):
        return rows[named[0] : named[1] + 1]
    return [rows[at] for at in named] or rows


def _months_of_period(claim: str) -> range | None:
    """Return the months of the quarter or half of a year that a claim names."""
    lengths = {"Q": 3, "H": 6}
    periods = [each.period for each in read_figures(claim).figures if each.period and each.period[0] in lengths]
    if len(periods) != 1:
        return None
    kind, number = periods[0]
    return range((number - 1) * lengths[kind] + 1, number * lengths[kind] + 1)


def _columns(header: str, rows: Sequence[_Row], claim: str) -> list[int]:
    """Return the columns that a claim names by their headers, else all."""
    every = list(range(len(rows[0].amounts)))
    names = [stems(cell) for cell in _CELLS.split(header.strip().strip("|"))]
    words = stems(claim)
    named = [
        at for at in every if len(names) == len(every) and words & names[at] and any(row.amounts[at] for row in rows)
    ]
    return named or every


def _results(
    rows: Sequence[_Row], columns: Sequence[int], cues: set[str]
) -> Iterator[tuple[Decimal, str, tuple[Figure, ...]]]:
    for column in columns:
        operands = tuple(figure for row in rows if (figure := row.amounts[column]))
        if not MIN_ROWS <= len(operands) == len(rows) or len({each.kinds for each in operands}) > 1:
            continue
        if not any(map(is_amount, operands)):  # a column of years
            continue
        total = sum(map(scaled_amount, operands), Decimal(0))
        terms = [written(each) for each in operands]
        text = " + ".join(terms if len(terms) <= WRITTEN else (*terms[: WRITTEN - 1], "…", terms[-1]))
        if "total" in cues:
            yield total, text, operands
        if "mean" in cues:
            yield total / len(operands), f"({text}) ÷ {len(operands)}", operands
