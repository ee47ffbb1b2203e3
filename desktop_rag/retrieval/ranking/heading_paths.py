"""The headings above a line of a passage: a passage has those of its first text, but short sections share one."""

import re

from desktop_rag.documents.document import LineKind, Span
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import Chunk

BETWEEN = " › "
_HEADINGS = re.compile(b"[%b]" % re.escape(bytes(LineKind.HEADING | level << 4 for level in range(16))))
_TEXT = re.compile(b"[^%b]" % re.escape(bytes(kind | level << 4 for kind in (1, 7) for level in range(16))))
_MARKS = "#=*~ \t"  # of markup around a heading


def heading_at(catalog: CatalogReader, chunk: Chunk, line: int) -> str:
    """Return the headings above a line of a chunk, the highest first."""
    first = chunk.span.first_line
    if line <= first:
        return chunk.heading
    kinds = catalog.contents.kinds(chunk.content, Span(first, line, 0, 0))
    text = _TEXT.search(kinds)
    later = [found.start() for found in _HEADINGS.finditer(kinds, text.end())] if text is not None else []
    if text is None or not later:
        return chunk.heading
    above = catalog.contents.kinds(chunk.content, Span(1, first + text.start(), 0, 0))
    levels: list[int] = []
    for found in _HEADINGS.finditer(above):
        _enter(levels, found.group()[0] >> 4)
    path = chunk.heading.split(BETWEEN)[: len(levels)] if chunk.heading else []
    levels = levels[: len(path)]
    lines = chunk.text.split("\n")
    for place in later:
        path = path[: _enter(levels, kinds[place] >> 4)]
        path.append(lines[place].strip(_MARKS) if place < len(lines) else "")
    return BETWEEN.join(filter(None, path))


def _enter(levels: list[int], level: int) -> int:
    """Put a heading of a level below those that are above it; return how many these are."""
    while levels and levels[-1] >= max(1, level):
        levels.pop()
    levels.append(max(1, level))
    return len(levels) - 1
