"""Builds strips from lines: leaves out mark-up, maps inline marks to the visible text, makes formulas readable."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from desktop_rag.documents.document import InlineMark, MarkKind
from desktop_rag.gui.viewer.clean.blocks import BlockPiece, Strip
from desktop_rag.gui.viewer.loaded_lines import LoadedLines
from desktop_rag.text.readable_math import formulas, readable_math

LINE_BREAK = "\u2028"

Part = tuple[int, int, int]  # line, first character, the character after the last
Drawn = tuple[int, int, str]  # first character, the character after the last, what is shown instead

_NOT_SHOWN = (MarkKind.MARKUP, MarkKind.REPLACED)
_CONTINUED = "\n"  # stands for the rest of a formula that began in a line before


class StripWriter:
    """Builds one strip line by line; `flowing`: a line end and the white space around it become one space.

    Formulas are then shown as text that can be read.
    """

    def __init__(self, lines: LoadedLines, *, flowing: bool) -> None:
        self._lines = lines
        self._flowing = flowing
        self._words: list[str] = []
        self._length = 0
        self._pieces: list[BlockPiece] = []
        self._marks: list[InlineMark] = []
        self._formula: BlockPiece | None = None  # the last one that goes on in the next line

    def write(self, part: Part, spanning: Sequence[Drawn] = ()) -> None:
        """Append the visible text of a part of a line; `spanning` are its parts of formulas over several lines."""
        line, start, end = part
        text, marks = self._lines.text(line), self._lines.marks(line)
        hidden = [(mark.start, mark.end) for mark in marks if mark.kind is MarkKind.MARKUP]
        drawn = list(spanning)
        replaced = ((mark.start, mark.end, mark.target) for mark in marks if mark.kind is MarkKind.REPLACED)
        for each in (*replaced, *(_formulas(text, marks) if self._flowing else ())):
            if not any(_overlap(each, other) for other in drawn):
                drawn.append(each)
        drawn.sort()
        hidden = [each for each in hidden if not any(first <= each[0] and each[1] <= last for first, last, _ in drawn)]
        seen = _trimmed(text, _without(start, end, hidden)) if self._flowing else list(_without(start, end, hidden))
        if seen and self._pieces and not (drawn and drawn[0][0] == seen[0][0] and drawn[0][2] == _CONTINUED):
            self._add(LINE_BREAK if _breaks(self._lines.text(self._pieces[-1].line)) else " ")
        before = len(self._pieces)
        for begin, stop, instead in _with_formulas(seen, drawn):
            if instead == _CONTINUED:  # what is searched for in any of its lines marks all of the formula
                if self._formula is not None:
                    self._pieces.append(replace(self._formula, line=line, start=begin, length=stop - begin))
                continue
            self._pieces.append(BlockPiece(self._length, line, begin, stop - begin, len(instead)))
            self._add(instead or text[begin:stop])
            if (begin, stop, instead) in spanning:
                self._formula = self._pieces[-1]
        shown = (_shown(mark, self._pieces[before:]) for mark in marks if mark.kind not in _NOT_SHOWN)
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
    writer, parts = StripWriter(lines, flowing=flowing), list(parts)
    spanning = _spanning(lines, parts) if flowing and len(parts) > 1 else {}
    for part in parts:
        writer.write(part, spanning.get(part[0], ()))
    return writer.strip()


def renamed_strip(lines: LoadedLines, part: Part, shown: str) -> Strip:
    """Return a strip that shows something else for a part of a line, which it stays the address of."""
    writer = StripWriter(lines, flowing=False)
    writer.write(part, ((*part[1:], shown),))
    return writer.strip()


def _spanning(lines: LoadedLines, parts: Sequence[Part]) -> dict[int, list[Drawn]]:
    """Return the parts of displayed formulas over several lines, by line; the first one has all that is shown."""
    texts = [lines.text(line)[:end] for line, _, end in parts]
    whole, found = "\n".join(texts), dict[int, list[Drawn]]()
    if "$$" not in whole and "\\[" not in whole:
        return found
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    for begin, stop, tex in formulas(whole):
        first, last = bisect_right(starts, begin) - 1, bisect_right(starts, stop - 1) - 1
        shown, at = readable_math(tex), begin - starts[first]
        code = any(m.kind is MarkKind.CODE and m.start <= at < m.end for m in lines.marks(parts[first][0]))
        if first == last or code or not shown or not whole.startswith(("$$", "\\["), begin):
            continue
        for number in range(first, last + 1):
            text = texts[number]
            start = at if number == first else len(text) - len(text.lstrip())
            end = stop - starts[number] if number == last else len(text.rstrip())
            if start < end:
                part = start, end, shown if number == first else _CONTINUED
                found.setdefault(parts[number][0], []).append(part)
    return found


def _overlap(one: Drawn, other: Drawn) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _shown(mark: InlineMark, pieces: Sequence[BlockPiece]) -> InlineMark:
    """Map a mark to offsets in the strip; an empty mark if all of it is hidden."""
    seen = [piece for piece in pieces if piece.start < mark.end and piece.start + piece.length > mark.start]
    if not seen:
        return InlineMark(0, 0, mark.kind, mark.target)
    return InlineMark(seen[0].first(mark.start), seen[-1].last(mark.end), mark.kind, mark.target)


def _formulas(text: str, marks: Sequence[InlineMark]) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the readable text of the formulas of a line, except those in code."""
    code = [(mark.start, mark.end) for mark in marks if mark.kind is MarkKind.CODE]
    for start, end, tex in formulas(text) if "$" in text or "\\" in text else ():
        if (shown := readable_math(tex)) and not any(first < end and start < last for first, last in code):
            yield start, end, shown


def _with_formulas(
    ranges: Iterable[tuple[int, int]], drawn: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
    """Split ranges at the formulas in them; yield each part with its replacement, "" outside formulas."""
    for start, end in ranges:
        for first, last, shown in drawn:
            if start <= first and last <= end:
                if start < first:
                    yield start, first, ""
                yield first, last, shown
                start = last
        if start < end:
            yield start, end, ""


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
