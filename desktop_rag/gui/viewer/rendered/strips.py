"""Writes the words of lines into strips: what is mark-up is left out, what is set off keeps its marks."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.documents.document import Mark, MarkKind, Structure
from desktop_rag.gui.viewer.loaded_lines import LoadedLines
from desktop_rag.gui.viewer.rendered.blocks import Piece, Strip

LINE_BREAK = "\u2028"

Part = tuple[int, int, int]  # line, first character, the character after the last


class MarkIndex:
    """The marks of a document by where they begin, without unpacking those that are not asked for."""

    def __init__(self, structure: Structure) -> None:
        self._numbers = memoryview(structure.marks).cast("i")
        self._links = structure.links

    def between(self, start: int, end: int) -> Iterator[Mark]:
        """Yield the marks that begin from `start` on and before `end`."""
        numbers = self._numbers
        count = len(numbers) // 4
        index = bisect_left(range(count), start, key=lambda number: numbers[number * 4])
        while index < count and numbers[index * 4] < end:
            first, last, kind, link = numbers[index * 4 : index * 4 + 4]
            yield Mark(first, last, MarkKind(kind), self._links[link] if link >= 0 else "")
            index += 1


class StripWriter:
    """Writes one strip, line after line; `flowing`: white space around a line and its end are only spaces."""

    def __init__(self, lines: LoadedLines, marks: MarkIndex, *, flowing: bool) -> None:
        self._lines = lines
        self._index = marks
        self._flowing = flowing
        self._words: list[str] = []
        self._length = 0
        self._pieces: list[Piece] = []
        self._marks: list[Mark] = []  # with offsets in the whole text
        self._offsets: list[int] = []  # of each piece in the whole text

    def write(self, part: Part) -> None:
        """Append what is shown of a part of a line."""
        line, start, end = part
        text, offset = self._lines.text(line), self._lines.start(line)
        marks = list(self._index.between(offset, offset + len(text) + 1)) if offset >= 0 else []
        hidden = [(mark.start - offset, mark.end - offset) for mark in marks if mark.kind is MarkKind.MARKUP]
        seen = _trimmed(text, _without(start, end, hidden)) if self._flowing else list(_without(start, end, hidden))
        if seen and self._pieces:
            self._add(LINE_BREAK if _breaks(self._lines.text(self._pieces[-1].line)) else " ")
        for begin, stop in seen:
            self._pieces.append(Piece(self._length, line, begin, stop - begin))
            self._offsets.append(offset + begin)
            self._add(text[begin:stop])
        self._marks += [mark for mark in marks if mark.kind is not MarkKind.MARKUP]

    def strip(self) -> Strip:
        """Return what was written."""
        marks = (self._shown(mark) for mark in self._marks)
        return Strip("".join(self._words), tuple(self._pieces), tuple(mark for mark in marks if mark.start < mark.end))

    def _add(self, words: str) -> None:
        self._words.append(words)
        self._length += len(words)

    def _shown(self, mark: Mark) -> Mark:
        """Return a mark with the offsets of the characters that are shown of it."""
        start, end = self._length, 0
        for piece, offset in zip(self._pieces, self._offsets, strict=True):
            if offset < mark.end and offset + piece.length > mark.start:
                start = min(start, piece.shown + max(0, mark.start - offset))
                end = piece.shown + min(piece.length, mark.end - offset)
        return Mark(start, end, mark.kind, mark.target)


def write_strip(lines: LoadedLines, marks: MarkIndex, parts: Iterable[Part], *, flowing: bool) -> Strip:
    """Return what is shown of these parts of lines as one strip."""
    writer = StripWriter(lines, marks, flowing=flowing)
    for part in parts:
        writer.write(part)
    return writer.strip()


def _without(start: int, end: int, hidden: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what is left of `start` to `end`."""
    for first, last in sorted(hidden):
        if first >= end:
            break
        if first > start:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _trimmed(text: str, ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges without the white space around all of them."""
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
    """Return whether a line of Markdown ends with a break that is meant (CommonMark, section 6.7)."""
    return text.endswith(("  ", "\\"))
