"""Tables of an answer: the citations beside them, which their rows may share, and the years that head their columns.

Models cite a table once, before or after it. A row says “North, 1,875”; that this is of 2023 says its header.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import LINK

MAX_CHECKS = 60  # of rows and of single cells of one answer: each takes milliseconds
_TABLE = re.compile(r"^[ \t]*\|[^\n]*\n[ \t]*\|[ \t|:-]*-[ \t|:-]*\n(?:[ \t]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AMOUNT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Offsets of a table, the citations after it, before it and in its rows, and the year of each column, or ""."""

    start: int
    end: int
    beside: tuple[tuple[int, ...], ...]
    years: tuple[str, ...]

    def cells(self, row: str) -> Iterator[tuple[str, str]]:
        """Yield each amount of a row under a year, and the statement that it makes: “North, 2023: 1,875”."""
        cells = _cells(LINK.sub(" ", row))
        for cell, year in zip(cells[1:], self.years[1:], strict=False):
            if year and _AMOUNT.search(cell):
                yield cell, f"{cells[0]}, {year}: {cell}"


def answer_tables(text: str) -> tuple[AnswerTable, ...]:
    """Return the tables of an answer in Markdown, in order."""
    return tuple(_table(text, *match.span()) for match in _TABLE.finditer(text))


def _table(text: str, start: int, end: int) -> AnswerTable:
    after = text[end:].lstrip("\n").partition("\n\n")[0]
    before = text[:start].rstrip("\n").rpartition("\n\n")[2]
    beside = tuple(_numbers(part) for part in (after, before, text[start:end]))
    years = tuple(cell if _YEAR.fullmatch(cell) else "" for cell in _cells(text[start:end].partition("\n")[0]))
    return AnswerTable(start, end, beside, years)


def _cells(row: str) -> list[str]:
    return [cell.strip(" *_`") for cell in row.strip().strip("|").split("|")]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(link[1]) for link in LINK.finditer(text)))
