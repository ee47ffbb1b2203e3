"""Snippets as shown in the list: without Markdown syntax and without the gaps of line breaks."""

import re
from collections.abc import Sequence

from desktop_rag.documents.file_types import Format
from desktop_rag.text.display import one_line

_GAPS = r"(?<=\s\s)\s+"  # two spaces remain of an empty line
_RULE_OF_TABLE = r"\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*"
_HEADING = r"(?:(?<=^)|(?<=\s)|(?<=…))#{1,6} +"
_UNREAD = re.compile(_GAPS)
_UNREAD_OF_MARKDOWN = re.compile(f"{_HEADING}|{_RULE_OF_TABLE}|{_GAPS}|\\*\\*")

Marks = tuple[tuple[int, int], ...]


def shown_snippet(text: str, marks: Sequence[tuple[int, int]], kind: str) -> tuple[str, Marks]:
    """Return a snippet on one line, without syntax of its format, and its highlights moved accordingly."""
    line = one_line(text)
    kept: list[str] = []
    gone: list[tuple[int, int]] = []  # (from which offset, characters removed so far)
    end = missing = 0
    for found in (_UNREAD_OF_MARKDOWN if kind == Format.MARKDOWN else _UNREAD).finditer(line):
        if any(start < found.end() and found.start() < stop for start, stop in marks):
            continue
        kept.append(line[end : found.start()])
        end = found.end()
        missing += end - found.start()
        gone.append((end, missing))
    kept.append(line[end:])
    return "".join(kept), tuple((_moved(start, gone), _moved(stop, gone)) for start, stop in marks)


def _moved(place: int, gone: Sequence[tuple[int, int]]) -> int:
    return place - next((missing for end, missing in reversed(gone) if end <= place), 0)
