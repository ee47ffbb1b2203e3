"""What stands around the lines that are sent: the header of a table, the line before, the rest of a long line.

A part alone may not show what is secret in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import LineWindow, Retriever
from desktop_rag.retrieval.reading.find import windows_of
from desktop_rag.stop import Stop
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.secrets import Surroundings

BEFORE, AFTER = 40, 25  # lines: a private key has about 50
OF_TABLE = 500  # lines before a row of a table that are looked through for its header
MOST_BESIDE = 4_000  # characters on each side, so that a line without end costs little
MOST_UNSHOWN = 200  # lines of a passage of which nothing is known but its place
_MARKS = "|\t;,"


@dataclass(frozen=True, slots=True)
class SentLines:
    """Lines of a document that are sent; the first and the last one may be parts. Without `lines`: all to `last`."""

    content: ContentId
    first: int
    lines: tuple[str, ...]
    last: int = 0

    @property
    def end(self) -> int:
        """Return the number of the last line."""
        if self.lines:
            return self.first + len(self.lines) - 1
        return min(max(self.last, self.first), self.first + MOST_UNSHOWN)

    @property
    def place(self) -> tuple[ContentId, int, int]:
        """Return content, first line and number of the lines to look at."""
        before = OF_TABLE if not self.lines or any(map(_mark, self.lines[:3])) else BEFORE
        first = max(1, self.first - before)
        return self.content, first, self.end + AFTER - first + 1


def surroundings_of(
    retriever: Retriever, sent: Iterable[SentLines], stop: Stop
) -> Iterator[tuple[SentLines, Surroundings]]:
    """Yield sent lines with their surroundings, as far as the library still has them; raises as `Retriever`."""
    every = tuple(sent)
    windows = windows_of(retriever, [each.place for each in every], stop)
    for each, window in zip(every, windows, strict=False):
        if window.first <= each.first < window.first + len(window.lines):
            yield each, located(each, window)


def located(sent: SentLines, window: LineWindow) -> Surroundings:
    """Return sent lines with what the window has around them."""
    lines, at = window.lines, sent.first - window.first
    last = min(sent.end - window.first, len(lines) - 1)
    start, end = 0, len(lines[last])
    if sent.lines:
        start = max(lines[at].find(sent.lines[0].strip("…")), 0)
        part = sent.lines[-1].strip("…")
        found = lines[last].find(part)
        end = found + len(part) if found >= 0 else end
    near = max(0, at - BEFORE)
    before = "".join(f"{line}\n" for line in lines[near:at]) + lines[at][:start]
    shown = "\n".join(lines[at : last + 1])
    shown = shown[start : len(shown) - len(lines[last]) + end]
    after = "\n".join((lines[last][end:], *lines[last + 1 :]))
    before = _header(lines, at, near) + before[-MOST_BESIDE:]
    before, shown, after = as_data(before), as_data(shown), as_data(after[:MOST_BESIDE])
    return Surroundings(f"{before}{shown}{after}", len(before), len(before) + len(shown))


def _header(lines: Sequence[str], at: int, near: int) -> str:
    """Return the first row of the table in which line `at` stands, if it is before `near`."""
    mark = _mark(lines[at])
    top, cells = at, lines[at].count(mark)
    while mark and top and lines[top - 1].count(mark) == cells:
        top -= 1
    return f"{lines[top][:MOST_BESIDE]}\n" if mark and top < near else ""


def _mark(line: str) -> str:
    """Return what divides the cells of a line, "" if it seems to be no row of a table."""
    return next((mark for mark in _MARKS if line.count(mark) > (mark == ",")), "")
