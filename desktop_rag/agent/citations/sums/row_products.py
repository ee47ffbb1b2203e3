"""Recomputes count × price in the rows of a table with a column for each: what 12 chairs at 45.00 cost in all."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from desktop_rag.agent.citations.sums.computed_pairs import is_amount, is_result, stems, written
from desktop_rag.agent.citations.sums.source_rows import scaled_amount
from desktop_rag.text.figures import Figure, read_figures

MAX_ROWS = 40
_COUNT = re.compile(
    r"\b(?:qty|quantity|units?|count|number|pieces|pcs|hours|days|nights|shares|menge|anzahl|stück|stunden|tage|"
    r"quantité|nombre|heures|jours|cantidad|horas|días)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"\b(?:price|rate|unit (?:price|cost)|cost|each|per \w+|preis|einzelpreis|satz|stückpreis|prix|tarif|precio|"
    r"tarifa)\b",
    re.IGNORECASE,
)
_CELLS = re.compile(r"\s*[\t|;]\s*")


def recompute_product(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the product of a row, or the sum of the products of several, that yields the figure, or None.

    The rows are those that the claim names; all of them if it names none.
    """
    if not target.values or "%" in target.kinds:
        return None
    said = read_figures(claim).scales
    for rows in map(_rows, sources):
        words = stems(claim)
        named = [row for row in rows if row[0] & words] or rows
        chosen = [*([each] for each in named), *([named] if len(named) > 1 else [])] if named else []
        if len(named) == len(rows) > 1 and not any(row[0] & words for row in rows):
            chosen = [named]
        for each in chosen:
            value = sum((scaled_amount(count) * scaled_amount(price) for _, count, price in each), Decimal(0))
            text = " + ".join(f"{written(count)} × {written(price)}" for _, count, price in each)
            operands = [figure for _, *figures in each for figure in figures]
            if is_result(target, value, each[0][2].units, operands, said):
                return f"{text} = {target.text}"
    return None


def _rows(source: str) -> list[tuple[frozenset[str], Figure, Figure]]:
    """Return the rows of a table whose header names one column of counts and one of prices: label, count, price."""
    found: list[tuple[frozenset[str], Figure, Figure]] = []
    columns: tuple[int, int] | None = None
    for line in source.split("\n")[: MAX_ROWS + 1]:
        cells = _CELLS.split(line.strip().strip("|").strip())
        header = _header(cells)
        columns = header or columns
        if columns is None or header or len(cells) <= max(columns):
            continue
        count, price = (list(_amounts(cells[at])) for at in columns)
        label = stems(" ".join(cell for at, cell in enumerate(cells) if at not in columns))
        if len(count) == len(price) == 1 and label:
            found.append((label, count[0], price[0]))
    return found


def _header(cells: Sequence[str]) -> tuple[int, int] | None:
    if len(cells) < 2 or any(character.isdigit() for cell in cells for character in cell):
        return None
    prices = [at for at, cell in enumerate(cells) if _PRICE.search(cell) and "total" not in cell.lower()]
    counts = [at for at, cell in enumerate(cells) if _COUNT.search(cell) and at not in prices]
    return (counts[0], prices[0]) if len(counts) == len(prices) == 1 else None


def _amounts(cell: str) -> Iterator[Figure]:
    yield from filter(is_amount, read_figures(cell).figures)
