"""Finds the header lines that a table row needs to be understood: the table's own header, and its years.

Nothing is taken from beyond a sentence or the rows of another table: wrong years are worse than none.
"""

import re
from collections.abc import Mapping

from desktop_rag.agent.citations.table_headings import MIN_COLUMNS, is_header_of
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop

HEADER_DISTANCE = 40  # lines from a header to the rows of its table
_PROSE = 90  # characters; longer lines without cells are running text
_ROW = re.compile(r"\t|^\s*\||\S {2,}\S.* {2,}\S|;\S.*;\S")
_CELLS = re.compile(r"\t+|\s*\|\s*| {2,}|;")
_RULE = re.compile(r"[\s|:+=_-]*")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FIGURE = re.compile(r"[-–—$€£(\s]*(?:\d[\d.,]*)?[\s%)]*")
_PERIOD = re.compile(
    r"\b(?:fiscal|years?|quarters?|months|ended|ending|as (?:of|at)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)


def header_lines(lines: Mapping[int, str], line: int) -> dict[int, str]:
    """Return the header lines, by number, of the table that `line` is a row of; none if it is no table row."""
    text = lines.get(line, "")
    if not is_row(text):
        return {}
    above = _table_above(lines, line)
    found = _headers(lines, above) if _has_figures(text) else _first_row(lines, line, frozenset(above))
    if not any(map(_has_years, (*found.values(), text))):
        dated = (number for number in above if _has_years(lines[number]))
        found |= {number: lines[number] for number in list(dated)[:1]}
    return dict(sorted(found.items()))


def first_line_header(
    content: ContentId, row: str, first_read: int, context: ToolContext, stop: Stop
) -> dict[int, str]:
    """Return a document's first line, by number, if it names the columns of a row far below, as in a long CSV file."""
    if first_read == 1 or row.count("\t") < MIN_COLUMNS - 1:
        return {}
    lines = context.retriever.read_lines(content, 1, 1, stop).lines
    return {1: lines[0]} if lines and is_header_of(lines[0], row) else {}


def _first_row(lines: Mapping[int, str], line: int, above: frozenset[int]) -> dict[int, str]:
    """Return the first row of a table of words; none if the lines end before its first row is reached."""
    top = first = line
    while (text := lines.get(top - 1, "")).strip() and (top - 1 in above or _RULE.fullmatch(text)):
        top -= 1
        first = top if top in above and is_row(text) else first
    reached = top == 1 or (top - 1 in lines and line - top < HEADER_DISTANCE - 1)
    return {first: lines[first]} if reached and first < line and not _has_figures(lines[first]) else {}


def _table_above(lines: Mapping[int, str], line: int) -> list[int]:
    """Return the lines above a row that belong to its table, nearest first, without blank lines and rules."""
    found: list[int] = []
    header = gap = False
    for number in range(line - 1, line - HEADER_DISTANCE, -1):
        text = lines.get(number)
        if text is None:
            break
        if _RULE.fullmatch(text):
            gap = True
            continue
        row = is_row(text)
        if not row and _is_prose(text):
            if _has_years(text) and text.rstrip().endswith(":"):  # “… as of December 31, 2023:”
                found.append(number)
            break
        if row and _has_figures(text) and header and gap:
            break  # of the table before
        header = header or (row and not _has_figures(text) and _cells(text) > 1)
        found.append(number)
        gap = False
    return found


def _headers(lines: Mapping[int, str], above: list[int]) -> dict[int, str]:
    """Return the nearest rows without figures that have no row with figures right above them."""
    for place, number in enumerate(above):
        if _has_figures(lines[number]) or _cells(lines[number]) < 2:
            continue
        block = [number]
        for other in above[place + 1 :]:
            if other != block[-1] - 1 or not is_row(lines[other]):
                break
            block.append(other)
        if not any(_has_figures(lines[other]) for other in block):
            return {each: lines[each] for each in block[:2]}
    return {}


def is_row(text: str) -> bool:
    """Return whether a line is a row: cells, or a label with at least two numbers (a table printed as text)."""
    if _ROW.search(text):
        return True
    numbers = _NUMBER.findall(text)
    return len(numbers) >= 2 and len(re.sub(r"[\d\W_]", "", text)) < 40 and not text.rstrip().endswith(".")


def _is_prose(text: str) -> bool:
    return len(text) > _PROSE or text.rstrip().endswith((".", ":"))


def _cells(text: str) -> int:
    return len([cell for cell in _CELLS.split(text.strip()) if cell])


def _has_figures(text: str) -> bool:
    """Return whether a row has values: at least half of the cells after its label, or two numbers that are no years."""
    cells = [cell for cell in _CELLS.split(text.strip(" |")) if cell]
    if len(cells) < 2:
        return len([number for number in _NUMBER.findall(text) if not _YEAR.fullmatch(number) and len(number) > 2]) > 1
    values = [cell for cell in cells[1:] if _FIGURE.fullmatch(cell) and not _YEAR.fullmatch(cell.strip())]
    return 2 * len(values) >= len(cells) - 1 and any(char.isdigit() for cell in values for char in cell)


def _has_years(text: str) -> bool:
    """Return whether a line is the header of periods: years, words of periods, no other numbers than days and notes."""
    others = [number for number in _NUMBER.findall(text) if not _YEAR.fullmatch(number) and len(number) > 2]
    years = _YEAR.findall(text)
    alone = not re.search(r"[^\W\d_]", text)
    return (
        bool(years)
        and not others
        and not _has_figures(text)
        and (alone or len(years) > 1 or bool(_PERIOD.search(text)))
    )
