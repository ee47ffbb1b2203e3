"""The document model: numbered lines, each with a kind and, in paged formats, a rectangle on a page.

Everything that points into a document (chunks, sentences, hits, citations, highlights) is a `Span`.
Lines count from 1, pages count from 1, character offsets count from 0 in `Document.text`.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from operator import attrgetter

import msgspec

from desktop_rag.errors import ProblemKind

MAX_OFFSET = 2**31 - 1  # characters; marks store offsets as int32


class LineKind(IntEnum):
    """The kind of a line; its level (heading depth, list depth) is stored with it."""

    PARAGRAPH = 0
    HEADING = 1
    ITEM = 2
    ROW = 3
    CODE = 4
    QUOTE = 5
    FIELD = 6
    BLANK = 7


KINDS = tuple(LineKind)  # by their values: in a third of the time of a call of the class


@dataclass(frozen=True, slots=True)
class Span:
    """A range of text in a content; lines count from 1, offsets are in characters, the end is exclusive."""

    first_line: int
    last_line: int
    start: int
    end: int


class Box(msgspec.Struct, frozen=True, gc=False):
    """A rectangle on a page in points, origin top left, y downwards, as the page is shown (after rotation)."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its number from 1, its first line, its size in points after rotation."""

    number: int
    first_line: int
    width: float
    height: float


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line as a reader produces it."""

    text: str
    kind: LineKind = LineKind.PARAGRAPH
    level: int = 0
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a document, up to the next one: a slide, a cell range, a chapter, a member of an archive."""

    first_line: int
    label: str


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry of the file's own table of contents, and the line it points to."""

    line: int
    level: int
    title: str


class MarkKind(IntEnum):
    """The inline formatting of a piece of a line."""

    STRONG = 0
    EMPHASIS = 1
    CODE = 2
    LINK = 3
    STRIKETHROUGH = 4
    SUPERSCRIPT = 5
    SUBSCRIPT = 6
    MARKUP = 7  # hidden in the rendered view: the asterisks around a word, the fence of a code block
    REPLACED = 8  # shown as its target in the rendered view: a formula, a command that stands for a letter


class InlineMark(msgspec.Struct, frozen=True, gc=False):
    """A formatted piece of the text; character offsets, the end is exclusive; links and replacements have a target."""

    start: int
    end: int
    kind: MarkKind
    target: str = ""


def packed_marks(found: Iterable[InlineMark]) -> tuple[bytes, tuple[str, ...]]:
    """Return marks, outer ones first, and the targets of links as `Structure` has them."""
    links: dict[str, int] = {}
    packed: list[int] = []
    for mark in sorted(sorted(found, key=attrgetter("end"), reverse=True), key=attrgetter("start")):
        has_target = mark.target or mark.kind is MarkKind.LINK
        link = links.setdefault(mark.target, len(links)) if has_target else -1
        packed += (mark.start, mark.end, mark.kind, link)
    return array("i", packed).tobytes(), tuple(links)


@dataclass(frozen=True, slots=True)
class Message:
    """The lines of a mail without its attachments; `answers` are the ids of earlier mails in its thread."""

    first_line: int
    last_line: int
    id: str
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MailHeader:
    """The header of a mail and its lines, including its attachments; `sent` is an ISO date-time, with offset if known.

    `copies` are the fields Cc and Bcc. A mail attached to another one has its own header inside the lines of that one.
    """

    first_line: int
    last_line: int
    sender: str
    receivers: str = ""
    copies: str = ""
    subject: str = ""
    sent: str = ""


@dataclass(frozen=True)
class Structure:
    """What a reader found in addition to the lines.

    `marks` has four int32 per mark (start, end, kind, index in `links` or -1), ordered by start. `textless` are the
    numbers of pages without a text layer, usually scans.
    """

    sections: tuple[Section, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    marks: bytes = b""
    links: tuple[str, ...] = ()
    textless: tuple[int, ...] = ()
    messages: tuple[Message, ...] = ()
    mails: tuple[MailHeader, ...] = ()

    def section_of(self, line: int) -> str:
        """Return the label of the section that contains `line`, or an empty string."""
        index = bisect_right(self.sections, line, key=lambda section: section.first_line) - 1
        return self.sections[index].label if index >= 0 else ""

    def heading_of(self, line: int) -> str:
        """Return the title of the last entry of the outline that begins at or before `line`, or an empty string."""
        index = bisect_right(self.outline, line, key=lambda entry: entry.line) - 1
        return self.outline[index].title if index >= 0 else ""

    def each_mark(self) -> Iterator[InlineMark]:
        """Yield the marks in order."""
        return self.marks_between(0, MAX_OFFSET)

    def marks_between(self, first: int, last: int) -> Iterator[InlineMark]:
        """Yield the marks that start in [`first`, `last`), without unpacking the others."""
        numbers = memoryview(self.marks).cast("i")
        count = len(numbers) // 4
        index = bisect_left(range(count), first, key=lambda number: numbers[number * 4])
        while index < count and numbers[index * 4] < last:
            start, end, kind, link = numbers[index * 4 : index * 4 + 4]
            yield InlineMark(start, end, MarkKind(kind), self.links[link] if link >= 0 else "")
            index += 1


@dataclass(frozen=True)
class Document:
    """The lines of a file, stored as columns so that a hundred megabytes are cheap to send and store.

    `text` is the lines joined by a newline. `kinds` has one byte per line: kind in the low four bits,
    level in the high four. `boxes` has four float32 per line (x0 y0 x1 y1, native byte order), all zero
    for a line without a rectangle; it is empty if no line has one. The cells of a `ROW` are separated by
    tabs; its level is 1 for a header row. `created` and `modified` are ISO dates from the file's metadata.
    `partial` is a sentence about the parts of the file that were not read, if any, for a reason of the `partial_kind`.
    `tags` are its own, see `builder`.
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
    tags: tuple[str, ...] = ()
    partial_kind: ProblemKind = ProblemKind.OTHER

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
        return Line(self.text[start:end], KINDS[packed & 15], packed >> 4, self.box(number))

    def lines(self) -> Iterator[Line]:
        """Yield the lines in order."""
        for number in range(1, self.line_count + 1):
            yield self.line(number)

    def box(self, number: int) -> Box | None:
        """Return the rectangle of line `number` on its page, if it has one."""
        return box_of(self.boxes, number)

    def page_of(self, line: int) -> int | None:
        """Return the page that contains `line`."""
        return page_of(self.pages, line)

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters in [`start`, `end`)."""
        return span_of(self.line_starts, start, end)

    def text_at(self, span: Span) -> str:
        """Return the text of `span`."""
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
    """Return the number of the page that contains `line`, or None for a document without pages."""
    index = bisect_right(pages, line, key=lambda page: page.first_line) - 1
    return pages[index].number if index >= 0 else None


def box_of(boxes: bytes, number: int) -> Box | None:
    """Return the rectangle of line `number` from the packed float32 `boxes`, or None if it has none."""
    if not boxes:
        return None
    x0, y0, x1, y1 = memoryview(boxes).cast("f")[(number - 1) * 4 : number * 4]
    return Box(x0, y0, x1, y1) if x1 > x0 or y1 > y0 else None
