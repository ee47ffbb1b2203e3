"""The lines of a document that are at hand: one run of them, around what is looked at."""

from desktop_rag.documents.document import InlineMark as TextMark
from desktop_rag.gui.viewer.document_loading import window_size
from desktop_rag.gui.viewer.viewer_events import LinesRead

_NEAR = 80  # lines from the end of what is here at which more should be read …
_MOST_ASKED = 600  # … and how many at most
_MOST_LINES = 12_000
_MOST_CHARACTERS = 3_000_000


class LoadedLines:
    """Consecutive lines with their marks; those far from what is seen are let go."""

    def __init__(self) -> None:
        self.first = 1
        self._texts: list[str] = []
        self._marks: list[tuple[TextMark, ...]] = []

    @property
    def last(self) -> int:
        """Return the number of the last line; less than the first if there is none."""
        return self.first + len(self._texts) - 1

    def hold(self, first: int, last: int) -> bool:
        """Return whether all these lines are here."""
        return self.first <= first and last <= self.last

    def text(self, line: int) -> str:
        """Return the words of a line that is here."""
        return self._texts[line - self.first]

    def marks(self, line: int) -> tuple[TextMark, ...]:
        """Return what is set off in a line that is here."""
        return self._marks[line - self.first]

    def texts(self, first: int, last: int) -> list[str]:
        """Return those of the lines from `first` to `last` that are here."""
        begin = max(first, self.first) - self.first
        return self._texts[begin : max(begin, last - self.first + 1)]

    def add(self, read: LinesRead, seen: int) -> None:
        """Take in lines beside those that are here, or else in their place; `seen` is what is looked at."""
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
        """Return what should be read next while `first` to `last` are seen: (first, count); None if all is near."""
        count = min(_MOST_ASKED, window_size(self._texts[:_MOST_ASKED]))
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
        if count <= _MOST_LINES and sum(map(len, self._texts)) <= _MOST_CHARACTERS:
            return
        drop = count // 3
        if seen - self.first > self.last - seen:
            del self._texts[:drop], self._marks[:drop]
            self.first += drop
        else:
            del self._texts[-drop:], self._marks[-drop:]
