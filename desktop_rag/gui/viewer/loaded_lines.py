"""The loaded lines of a document: one consecutive window around the visible part."""

from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.gui.viewer.document_loading import window_size
from desktop_rag.gui.viewer.viewer_events import LinesLoaded

_NEAR = 80  # lines from the end of the window at which more should be read …
_MAX_ASKED = 600  # … and how many at most
_MAX_LINES = 12_000
_MAX_CHARACTERS = 3_000_000


class LoadedLines:
    """A window of consecutive lines with their marks; lines far from the visible part are dropped."""

    def __init__(self) -> None:
        self.first = 1
        self._texts: list[str] = []
        self._marks: list[tuple[TextMark, ...]] = []

    @property
    def last(self) -> int:
        """Return the number of the last loaded line; less than `first` if nothing is loaded."""
        return self.first + len(self._texts) - 1

    def hold(self, first: int, last: int) -> bool:
        """Return whether all these lines are loaded."""
        return self.first <= first and last <= self.last

    def text(self, line: int) -> str:
        """Return the text of a loaded line."""
        return self._texts[line - self.first]

    def marks(self, line: int) -> tuple[TextMark, ...]:
        """Return the inline marks of a loaded line."""
        return self._marks[line - self.first]

    def texts(self, first: int, last: int) -> list[str]:
        """Return the text of the loaded lines among `first` to `last`."""
        begin = max(first, self.first) - self.first
        return self._texts[begin : max(begin, last - self.first + 1)]

    def add(self, read: LinesLoaded, seen: int) -> None:
        """Extend the window by adjacent lines, or replace it; `seen` is the first visible line."""
        if not read.lines:
            return
        marks = list(read.marks) or [()] * len(read.lines)
        end = read.first + len(read.lines)
        if not self._texts or read.first > self.last + 1 or end < self.first:
            self.first, self._texts, self._marks = read.first, list(read.lines), marks
            return
        if end > self.last + 1:
            skipped = self.last + 1 - read.first
            self._texts += read.lines[skipped:]
            self._marks += marks[skipped:]
        if read.first < self.first:
            count = self.first - read.first
            self._texts[:0] = read.lines[:count]
            self._marks[:0] = marks[:count]
            self.first = read.first
        self._trim(seen)

    def missing(self, first: int, last: int, total: int) -> tuple[int, int] | None:
        """Return (first, count) of the lines to read next while `first` to `last` are visible, or None."""
        count = min(_MAX_ASKED, window_size(self._texts[:_MAX_ASKED]))
        near = min(_NEAR, count)
        if not self._texts or last < self.first or first > self.last + 1:
            return max(1, first - count // 3), max(count, last - first + 1)
        if last > self.last - near and self.last < total:
            return self.last + 1, max(count, last - self.last)
        if first < self.first + near and self.first > 1:
            start = max(1, min(first, self.first) - count)
            return start, self.first - start
        return None

    def _trim(self, seen: int) -> None:
        count = len(self._texts)
        if count <= _MAX_LINES and sum(map(len, self._texts)) <= _MAX_CHARACTERS:
            return
        drop = count // 3
        if seen - self.first > self.last - seen:
            del self._texts[:drop], self._marks[:drop]
            self.first += drop
        else:
            del self._texts[-drop:], self._marks[-drop:]
