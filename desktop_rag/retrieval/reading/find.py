"""Finds substrings in one document and returns the lines around the matches."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.documents.document import Page, Section, Structure, line_starts, page_of
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import LineWindow, Passage, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import FoldedText, fold

CONTEXT_LINES = 2
_MAX_MATCHES = 10_000  # of one pattern in one document


@dataclass(slots=True)
class _Window:
    """Lines to show, and the offsets of the matches in them."""

    first: int
    last: int
    matches: list[tuple[int, int]]


class Finder:
    """Searches one document, which is folded once for all patterns."""

    def __init__(
        self, content: ContentId, text: str, pages: tuple[Page, ...], sections: tuple[Section, ...] = ()
    ) -> None:
        self._content = content
        self._lines = text.split("\n")
        self._starts = line_starts(text)
        self._folded = FoldedText(text)
        self._pages = pages
        self._structure = Structure(sections)

    def find(self, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        """Return up to `per_pattern` passages of each pattern in document order; equal patterns are deduplicated.

        Case, accents and the kind of white space are ignored, so a match may span lines.
        """
        passages: list[Passage] = []
        done: set[str] = set()
        for pattern in patterns:
            folded = " ".join(fold(pattern).split())
            if folded and folded not in done:
                done.add(folded)
                passages += self._passages(pattern, folded, per_pattern, stop)
        return tuple(passages)

    def _passages(self, pattern: str, folded: str, limit: int, stop: Stop) -> list[Passage]:
        windows: list[_Window] = []
        for start, end in self._matches(folded, stop):
            first, last = self._line_at(start), self._line_at(end - 1)
            if windows and first <= windows[-1].last:
                windows[-1].last = max(windows[-1].last, last)
                windows[-1].matches.append((start, end))
            elif len(windows) == limit:
                break
            else:
                above = windows[-1].last if windows else 0
                bottom = min(len(self._lines), last + CONTEXT_LINES)
                windows.append(_Window(max(above + 1, first - CONTEXT_LINES), bottom, [(start, end)]))
        return [self._passage(pattern, window) for window in windows]

    def _matches(self, folded: str, stop: Stop) -> Iterator[tuple[int, int]]:
        expression = re.compile(r"\s+".join(map(re.escape, folded.split(" "))))
        for count, match in enumerate(expression.finditer(self._folded.text)):
            if count >= _MAX_MATCHES:
                return
            stop.check()
            yield self._folded.original_range(match.start(), match.end())

    def _passage(self, pattern: str, window: _Window) -> Passage:
        marks = tuple(mark for start, end in window.matches for mark in self._marks(start, end))
        lines = tuple(self._lines[window.first - 1 : window.last])
        line = marks[0][0] if marks else window.first
        page, section = page_of(self._pages, line), self._structure.section_of(line)
        return Passage(self._content, pattern, window.first, lines, page, marks, section)

    def _marks(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        for line in range(self._line_at(start), self._line_at(end - 1) + 1):
            begin = self._starts[line - 1]
            left, right = max(0, start - begin), min(len(self._lines[line - 1]), end - begin)
            if right > left:
                yield line, left, right

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


# Reads the lines of several places in one request: each request goes to another process and may wait for its turn.

Place = tuple[ContentId, int, int]  # content, first line (from 1), number of lines
MOST_CHARACTERS = 1_000_000  # of a reply, beyond its first place: a single line can have 50 million
AT_ONCE = 10  # places


def read_places(
    read_lines: Callable[[ContentId, int, int, Stop], LineWindow], places: Sequence[Place], stop: Stop
) -> tuple[LineWindow, ...]:
    """Return the lines of the first places, as many as a reply may have."""
    windows = list[LineWindow]()
    characters = 0
    for content, first, count in places:
        windows.append(read_lines(content, first, count, stop))
        characters += sum(map(len, windows[-1].lines))
        if characters > MOST_CHARACTERS:
            break
    return tuple(windows)


def windows_of(retriever: Retriever, places: Sequence[Place], stop: Stop) -> Iterator[LineWindow]:
    """Yield the lines of each place, asking for some at once as they are needed; raises as `Retriever`."""
    given = 0
    while given < len(places):
        windows = retriever.read_windows(tuple(places[given : given + AT_ONCE]), stop)
        yield from windows
        given += len(windows)
