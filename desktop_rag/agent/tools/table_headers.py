"""Finds the header lines that a table row needs to be understood: the table's own header, and years above it."""

import re
from collections.abc import Mapping

HEADER_DISTANCE = 40  # lines from a header to the rows of its table
_ROW = re.compile(r"\t|^\s*\||\S {2,}\S.* {2,}\S|;.*;")
_RULE = re.compile(r"[\s|:+=_-]*")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def header_lines(lines: Mapping[int, str], line: int) -> dict[int, str]:
    """Return the header lines, by number, of the table whose row stands in `line`; none if no row stands there."""
    if not _is_row(lines.get(line, "")):
        return {}
    first = line
    while _is_row(lines.get(first - 1, "")) or (first > line - 3 and _RULE.fullmatch(lines.get(first - 1, "x"))):
        first -= 1
    found = {first: lines[first]} if first < line and lines[first].strip() else {}
    if not any(map(_has_years, (*found.values(), lines[line]))):
        above = (number for number in range(first - 1, line - HEADER_DISTANCE, -1) if _has_years(lines.get(number, "")))
        found |= {number: lines[number] for number in list(above)[:1]}
    return dict(sorted(found.items()))


def _is_row(text: str) -> bool:
    """Return whether a line is a row: cells, or a label with at least two numbers (a table printed as text)."""
    if _ROW.search(text):
        return True
    numbers = _NUMBER.findall(text)
    return len(numbers) >= 2 and len(re.sub(r"[\d\W_]", "", text)) < 40 and not text.rstrip().endswith(".")


def _has_years(text: str) -> bool:
    """Return whether a line has years and no other numbers than days and notes: a header of a printed table."""
    others = [number for number in _NUMBER.findall(text) if not _YEAR.fullmatch(number) and len(number) > 2]
    return bool(_YEAR.search(text)) and not others
