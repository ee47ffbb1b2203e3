"""A document as the rest of the program knows it: numbered lines, each with a kind and perhaps a place.

Everything that points into a document (chunks, sentences, hits, citations, highlights) is a `Span`.
Lines count from 1, pages count from 1, character offsets count from 0 in `Document.text`.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

MAX_OFFSET = 2**31 - 1  # of a character in a text


class LineKind(IntEnum):
    """What a line is; its level (heading depth, list depth) is stored beside it."""

    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    ROW = 3
    CODE = 4
    QUOTE = 5
    FIELD = 6
    BLANK = 7


@dataclass(frozen=True, slots=True)
class Span:
    """Where a text sits in its content; lines count from 1, offsets are characters, the end excluded."""

    first_line: int
    last_line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points, origin top left, y downwards, as the page is shown (after rotation)."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its number from 1, the first line on it, its shown size in points."""

    number: int
    first_line: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line as a reader yields it."""

    text: str
    kind: LineKind = LineKind.PARAGRAPH
    level: int = 0
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A part a person knows by name, up to the next one: a slide, some cells, a chapter, a member of an archive."""

    first_line: int
    label: str


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry of the table of contents that a file carries, and the line it leads to."""

    line: int
    level: int
    title: str


class MarkKind(IntEnum):
    """How a piece of a line is set off from the rest of it."""

    STRONG = 0
    EMPHASIS = 1
    CODE = 2
    LINK = 3
    STRIKETHROUGH = 4
    SUPERSCRIPT = 5
    SUBSCRIPT = 6
    MARKUP = 7  # what a clean page leaves out: the stars around a word, the fence of a listing


@dataclass(frozen=True, slots=True)
class InlineMark:
    """A piece of the text, character offsets with the end excluded; a link has a target."""

    start: int
    end: int
    kind: MarkKind
    target: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A mail among the lines, what came with it not counted; `answers` are the ids of those before it in its thread."""

    first_line: int
    last_line: int
    id: str
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Structure:
    """What a reader found beside the lines.

    `marks` has four int32 a mark (start, end, kind, index in `links` or -1), in the order of their starts.
    `textless` are the numbers of pages that hold only a picture of their text.
    """

    sections: tuple[Section, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    marks: bytes = b""
    links: tuple[str, ...] = ()
    textless: tuple[int, ...] = ()
    messages: tuple[Message, ...] = ()

    def section_of(self, line: int) -> str:
        """Return the name of the part in which `line` stands, or an empty text."""
        index = bisect_right(self.sections, line, key=lambda section: section.first_line) - 1
        return self.sections[index].label if index >= 0 else ""

    def each_mark(self) -> Iterator[InlineMark]:
        """Yield the marks in order."""
        return self.marks_between(0, MAX_OFFSET)

    def marks_between(self, first: int, last: int) -> Iterator[InlineMark]:
        """Yield the marks that begin from offset `first` on and before `last`, without unpacking the others."""
        numbers = memoryview(self.marks).cast("i")
        count = len(numbers) // 4
        index = bisect_left(range(count), first, key=lambda number: numbers[number * 4])
        while index < count and numbers[index * 4] < last:
            start, end, kind, link = numbers[index * 4 : index * 4 + 4]
            yield InlineMark(start, end, MarkKind(kind), self.links[link] if link >= 0 else "")
            index += 1


@dataclass(frozen=True)
class Document:
    """A file turned into lines, in columns, so that a hundred megabytes travel and store cheaply.

    `text` is the lines joined by a newline. `kinds` has one byte a line: kind in the low four bits,
    level in the high four. `boxes` is four float32 a line (x0 y0 x1 y1, native byte order), all zero
    where a line has no place; it is empty when no line has one. The cells of a `ROW` are set apart by
    tabs; its level is 1 in a header row. `created` and `modified` are ISO dates as the file tells them.
    """

    format: str
    text: str
    kinds: bytes
    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""
    pages: tuple[Page, ...] = ()
    boxes: bytes = b""
    partial: str = ""
    structure: Structure = Structure()

    @cached_property
    def line_starts(self) -> "array[int]":
        """Return the offset of each line's first character."""
        return line_starts(self.text)

    @property
    def line_count(self) -> int:
        """Return the number of lines; an empty document has none."""
        return len(self.kinds)

    def line(self, number: int) -> Line:
        """Return line `number`, counted from 1."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < self.line_count else len(self.text)
        packed = self.kinds[number - 1]
        return Line(self.text[start:end], LineKind(packed & 15), packed >> 4, self.box(number))

    def lines(self) -> Iterator[Line]:
        """Yield the lines in order."""
        for number in range(1, self.line_count + 1):
            yield self.line(number)

    def box(self, number: int) -> Box | None:
        """Return the place of line `number` on its page, if it has one."""
        return box_of(self.boxes, number)

    def page_of(self, line: int) -> int | None:
        """Return the page on which `line` stands."""
        return page_of(self.pages, line)

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters from `start` to `end`, the end excluded."""
        return span_of(self.line_starts, start, end)

    def text_at(self, span: Span) -> str:
        """Return the characters `span` points at."""
        return self.text[span.start : span.end]


def line_starts(text: str) -> "array[int]":
    """Return the offset of each line's first character in `text`."""
    starts = array("q", (0,))
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts


def span_of(starts: "array[int]", start: int, end: int) -> Span:
    """Return the span of characters `start` to `end` given the line starts of their text."""
    last = max(start, end - 1)
    return Span(bisect_right(starts, start), bisect_right(starts, last), start, end)


def page_of(pages: tuple[Page, ...], line: int) -> int | None:
    """Return the number of the page on which `line` stands, or None for a document without pages."""
    index = bisect_right(pages, line, key=lambda page: page.first_line) - 1
    return pages[index].number if index >= 0 else None


def box_of(boxes: bytes, number: int) -> Box | None:
    """Return the rectangle of line `number` from the packed float32 `boxes`, or None if it has none."""
    if not boxes:
        return None
    x0, y0, x1, y1 = memoryview(boxes).cast("f")[(number - 1) * 4 : number * 4]
    return Box(x0, y0, x1, y1) if x1 > x0 or y1 > y0 else None
