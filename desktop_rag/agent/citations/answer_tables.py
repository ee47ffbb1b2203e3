"""Tables of an answer: models cite a table once, before or after it, so its rows may share the citations beside it."""

import re
from dataclasses import dataclass

from desktop_rag.agent.citations.citation_syntax import LINK

MAX_CHECKS = 60  # of rows and of single cells of one answer: each takes milliseconds
_TABLE = re.compile(r"^[ \t]*\|[^\n]*\n[ \t]*\|[ \t|:-]*-[ \t|:-]*\n(?:[ \t]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Offsets of a table, and the citations after it, before it and in its rows."""

    start: int
    end: int
    beside: tuple[tuple[int, ...], ...]


def answer_tables(text: str) -> tuple[AnswerTable, ...]:
    """Return the tables of an answer in Markdown, in order."""
    return tuple(_table(text, *match.span()) for match in _TABLE.finditer(text))


def _table(text: str, start: int, end: int) -> AnswerTable:
    after = text[end:].lstrip("\n").partition("\n\n")[0]
    before = text[:start].rstrip("\n").rpartition("\n\n")[2]
    beside = tuple(_numbers(part) for part in (after, before, text[start:end]))
    return AnswerTable(start, end, beside)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(link[1]) for link in LINK.finditer(text)))
