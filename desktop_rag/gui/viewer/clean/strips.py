"""Builds strips from lines: leaves out mark-up, and maps inline marks to the visible text."""

from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.documents.document import InlineMark, MarkKind
from desktop_rag.gui.viewer.clean.blocks import BlockPiece, Strip
from desktop_rag.gui.viewer.loaded_lines import LoadedLines

LINE_BREAK = "\u2028"

Part = tuple[int, int, int]  # line, first character, the character after the last


class StripWriter:
    """Builds one strip line by line; `flowing`: a line end and the white space around it become one space."""

    def __init__(self, lines: LoadedLines, *, flowing: bool) -> None:
        self._lines = lines
        self._flowing = flowing
        self._words: list[str] = []
        self._length = 0
        self._pieces: list[BlockPiece] = []
        self._marks: list[InlineMark] = []

    def write(self, part: Part) -> None:
        """Append the visible text of a part of a line."""
        line, start, end = part
        text, marks = self._lines.text(line), self._lines.marks(line)
        hidden = [(mark.start, mark.end) for mark in marks if mark.kind is MarkKind.MARKUP]
        seen = _trimmed(text, _without(start, end, hidden)) if self._flowing else list(_without(start, end, hidden))
        if seen and self._pieces:
            self._add(LINE_BREAK if _breaks(self._lines.text(self._pieces[-1].line)) else " ")
        before = len(self._pieces)
        for begin, stop in seen:
            self._pieces.append(BlockPiece(self._length, line, begin, stop - begin))
            self._add(text[begin:stop])
        shown = (_shown(mark, self._pieces[before:]) for mark in marks if mark.kind is not MarkKind.MARKUP)
        for mark in shown:
            if mark.start < mark.end:
                self._mark(mark)

    def strip(self) -> Strip:
        """Return the strip."""
        return Strip("".join(self._words), tuple(self._pieces), tuple(self._marks))

    def _mark(self, mark: InlineMark) -> None:
        """Add a mark, merging it with its first half if it was split at a line end."""
        for index in range(len(self._marks) - 1, max(-1, len(self._marks) - 8), -1):
            before = self._marks[index]
            if (before.end + 1, before.kind, before.target) == (mark.start, mark.kind, mark.target):
                self._marks[index] = InlineMark(before.start, mark.end, mark.kind, mark.target)
                return
        self._marks.append(mark)

    def _add(self, words: str) -> None:
        self._words.append(words)
        self._length += len(words)


def write_strip(lines: LoadedLines, parts: Iterable[Part], *, flowing: bool) -> Strip:
    """Return the visible text of these parts of lines as one strip."""
    writer = StripWriter(lines, flowing=flowing)
    for part in parts:
        writer.write(part)
    return writer.strip()


def _shown(mark: InlineMark, pieces: Sequence[BlockPiece]) -> InlineMark:
    """Map a mark to offsets in the strip; an empty mark if all of it is hidden."""
    seen = [piece for piece in pieces if piece.start < mark.end and piece.start + piece.length > mark.start]
    if not seen:
        return InlineMark(0, 0, mark.kind, mark.target)
    start = seen[0].shown + max(0, mark.start - seen[0].start)
    end = seen[-1].shown + min(seen[-1].length, mark.end - seen[-1].start)
    return InlineMark(start, end, mark.kind, mark.target)


def _without(start: int, end: int, hidden: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of `start` to `end` outside the hidden ones."""
    for first, last in sorted(hidden):
        if first >= end:
            break
        if first > start:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _trimmed(text: str, ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Strip white space at the beginning and end of the ranges."""
    kept = list(ranges)
    while kept:
        start, end = kept[0]
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if start < end:
            kept[0] = (start, end)
            break
        kept.pop(0)
    while kept:
        start, end = kept[-1]
        end = start + len(text[start:end].rstrip())
        if start < end:
            kept[-1] = (start, end)
            break
        kept.pop()
    return kept


def _breaks(text: str) -> bool:
    """Return whether a Markdown line ends with a hard line break (CommonMark, section 6.7)."""
    return text.endswith(("  ", "\\"))
