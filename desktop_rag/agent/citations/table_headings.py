"""Finds what stands above the rows of a table: its title, its periods, its scale and the names of its columns."""

import re
from collections.abc import Mapping

from desktop_rag.agent.citations.numbers import figures
from desktop_rag.text.figure_names import header_scales

MAX_ROWS = 40  # lines from the header of a table to the row
MAX_HEADING = 9  # lines of a heading
MAX_GAP = 2  # blank lines in it
SHORT = 90  # characters of a line without cells that is no prose
MIN_COLUMNS = 3  # of a table whose header is far above the row
OTHER_WORDS = 7  # of a line that only names dates
_ROW = re.compile(r"\t|^\s*\||;.*;|,\S.*,\S")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PERIOD = re.compile(r"\b(?:weeks?|months?|quarters?|years?|periods?)\s+ended\b", re.IGNORECASE)
_DATE = re.compile(r"\(\d{1,2}\)|\b\d{1,2},|\b(?:19|20)\d\d\b")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"[-–+$€£]?\s?\d[\d.,]*\s?[%€]?")
_PROSE = re.compile(r"[^\W\d_]{2,}[.;:,]?$")


def table_header(known: Mapping[int, str], line: int) -> str:
    """Return the first line of the table that contains this row; empty if it is the row itself.

    If the rows between were not read, it is the document's first line, provided that this names the row's columns.
    """
    if not _ROW.search(known.get(line, "")):
        return ""
    top = line
    while _ROW.search(known.get(top - 1, "")):
        top -= 1
    if top < line and not _has_amounts(known[top]):
        return known[top]
    return known[1] if line > 1 and is_header_of(known.get(1, ""), known[line]) else ""


def is_header_of(first: str, row: str) -> bool:
    """Return whether a document's first line names the columns of a row: a word above each cell, one above a figure."""
    names, cells = first.strip().split("\t"), row.split("\t")
    if not len(names) >= len(cells) >= MIN_COLUMNS or not all(_LETTER.search(name) for name in names):
        return False
    return any(_NUMBER.fullmatch(cell.strip()) for cell in cells) and not any(map(_NUMBER.fullmatch, names))


def table_heading(known: Mapping[int, str], line: int) -> tuple[str, ...]:
    """Return the lines above a printed table from its title to the names of its columns; none above prose."""
    if "\t" not in known.get(line, ""):
        return ()
    at = line - 1
    while line - at <= MAX_ROWS and not _is_heading(known.get(at, "")):
        if at not in known or _is_prose(known[at]):
            return ()
        at -= 1
    found: list[str] = []
    blank = 0
    while len(found) < MAX_HEADING and blank <= MAX_GAP and at in known:
        text = known[at].strip()
        if text and (_is_prose(text) or ("\t" in text and not _is_heading(text))):
            break
        blank = 0 if text else blank + 1
        if text:
            found.append(text)
        at -= 1
    return tuple(reversed(found))


def year_line(known: Mapping[int, str], line: int) -> str:
    """Return the nearest line above with only dates and years as figures: the column header of a printed table."""
    above = range(line - 1, max(line - MAX_ROWS, 0), -1)
    return next((known[number] for number in above if is_year_header(known.get(number, ""))), "")


def is_year_header(text: str) -> bool:
    """Return whether a line names years and little else: no sentence that mentions a date."""
    if not _YEAR.search(text) or not all(figure.when or _YEAR.fullmatch(figure.text) for figure in figures(text)):
        return False
    return "\t" in text or len(_WORD.findall(text)) <= OTHER_WORDS


def _is_heading(text: str) -> bool:
    """Return whether a line belongs to the heading of a table: a scale, periods, dates, or cells without numbers."""
    if _is_prose(text):
        return False
    if header_scales(text) or _PERIOD.search(text) or is_year_header(text):
        return True
    return "\t" in text and not re.search(r"\d", _DATE.sub(" ", text))


def _has_amounts(text: str) -> bool:
    """Return whether a line has other figures than years, dates and names: it is a row."""
    return any(each.digits and each.values and not each.is_year for each in figures(text))


def _is_prose(text: str) -> bool:
    return "\t" not in text and len(text) > SHORT and bool(_PROSE.search(text.rstrip()))
