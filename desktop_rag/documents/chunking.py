"""Splits a document into chunks of about a thousand tokens that consist of whole sentences.

Each mail of a mailbox has chunks of its own.

A chunk is the text of its span, from its first sentence to its last. Chunks never overlap, and
together they contain every character of the document that is not white space.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from desktop_rag.documents.document import KINDS, Document, LineKind, Span
from desktop_rag.documents.file_types import Format
from desktop_rag.text.display import shorten
from desktop_rag.text.sentences import MAX_CHARACTERS, TokenCounts, density, has_words, limited, sentences_of_block

CHUNK_TOKENS = 1000

_SHORT = 160  # characters; adjacent shorter lines of code or table rows form one sentence
_SECTION_LEVEL = 2  # a heading up to this level starts a new chunk ...
_TINY = 0.25  # ... unless the current one is smaller than this fraction of the limit
_PREFERRED = 0.7  # of the limit; from here on a chunk may end where a paragraph or section ends
_HEADING_CHARACTERS = 120
_HEADER_CHARACTERS = 240
_PAIR_BYTES = 8
_PROSE = (LineKind.PARAGRAPH, LineKind.ITEM, LineKind.QUOTE)
# Suffixes of section labels that change often: a cell range, a time in a film. They do not end a chunk.
_POSITION = re.compile(r"!\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?$|^\d+:\d\d(?::\d\d)?$")
_MEMBER = "!/"  # in the labels of archive members
_CELL_BORDERS = re.compile(r"[\t|&]|\\\\|[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class DraftChunk:
    """A chunk before the catalog gives it an id.

    `packed` are the (start, end) offsets of its sentences in the document's text, as int32 in native byte order:
    as objects, those of a huge document would be slow to send and fill the memory.
    """

    span: Span
    heading: str
    packed: bytes

    @property
    def sentence_count(self) -> int:
        """Return the number of sentences."""
        return len(self.packed) // _PAIR_BYTES

    @property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Return the (start, end) offsets of the sentences."""
        flat = memoryview(self.packed).cast("i").tolist()
        return tuple(zip(flat[::2], flat[1::2], strict=True))


class _Sentence(msgspec.Struct, gc=False):
    start: int
    end: int
    tokens: int
    level: int  # outline level of the heading or definition that it starts, else 0
    is_heading: bool
    first: bool  # whether it starts a paragraph, item, row or heading
    header: str  # the column names of the table it belongs to; empty for the header row itself
    part: str  # its sheet, slide, chapter or archive member


def split(document: Document, limit: int = CHUNK_TOKENS) -> list[DraftChunk]:
    """Return the chunks of `document` in order, each of at most about `limit` tokens."""
    packer = _Packer(document, max(1, round(limit / density(document.language))))
    for sentence in _sentences(document):
        packer.add(sentence)
    packer.finish()
    return packer.chunks


class _Packer:
    """Fills one chunk after another and tracks the path of headings."""

    def __init__(self, document: Document, limit: int) -> None:
        self.chunks: list[DraftChunk] = []
        self._document = document
        self._limit = limit
        self._open: list[_Sentence] = []
        self._tokens = 0
        self._names = {entry.line: entry.title for entry in document.structure.outline}
        self._path: list[tuple[int, str]] = []
        mails = document.structure.mails
        self._mails = frozenset(document.line_starts[mail.first_line - 1] for mail in mails if len(mails) > 1)
        self._part = ""  # that the path belongs to

    def add(self, sentence: _Sentence) -> None:
        """Add `sentence` to the open chunk, after closing it if it is full or a section starts."""
        enough = self._tokens >= self._limit * _TINY or sentence.start in self._mails
        if self._open and enough and self._begins_section(sentence):
            self._close(len(self._open))
        while self._open and self._tokens + sentence.tokens > self._limit:
            self._close(self._best_split(sentence))
        self._open.append(sentence)
        self._tokens += sentence.tokens

    def finish(self) -> None:
        """Close the last chunk; a tiny remainder is added to the chunk before it."""
        if not self._open:
            return
        if self.chunks and self._tokens * 10 < self._limit and self._open[0].start not in self._mails:
            last = self.chunks.pop()
            span = self._document.span(last.span.start, self._open[-1].end)
            self.chunks.append(DraftChunk(span, last.heading, last.packed + _packed(self._open)))
        else:
            self._close(len(self._open))

    def _begins_section(self, sentence: _Sentence) -> bool:
        """Return whether a new section starts, except directly after a heading, which stays with its text."""
        if sentence.part != self._open[-1].part or sentence.start in self._mails:
            return True
        return 0 < sentence.level <= _SECTION_LEVEL and not self._open[-1].is_heading

    def _best_split(self, following: _Sentence) -> int:
        """Return how many sentences the full chunk keeps: up to the end of a section or paragraph, or all."""
        keep = len(self._open)
        while keep > 1 and self._open[keep - 1].is_heading:  # a heading moves to the next chunk with its text
            keep -= 1
        if keep == 1 and self._open[0].is_heading:
            keep = len(self._open)
        if keep < len(self._open) or following.level:
            return keep
        tokens, paragraph = self._tokens, keep if following.first else 0
        for split_at in range(keep - 1, 0, -1):
            tokens -= self._open[split_at].tokens
            if tokens < self._limit * _PREFERRED:
                break
            if self._open[split_at - 1].is_heading:
                continue
            if self._open[split_at].level:
                return split_at
            if self._open[split_at].first and not paragraph:
                paragraph = split_at
        return paragraph or keep

    def _close(self, keep: int) -> None:
        closed, self._open = self._open[:keep], self._open[keep:]
        self._tokens = sum(sentence.tokens for sentence in self._open)
        heading: str | None = None
        for sentence in closed:
            if sentence.part != self._part:
                self._change_part(sentence.part)
            if sentence.level:
                self._enter(sentence)
            if heading is None and not sentence.is_heading:  # the heading of the first text in the chunk
                heading = self._heading(sentence.header)
        if heading is None:
            heading = self._heading("")
        span = self._document.span(closed[0].start, closed[-1].end)
        self.chunks.append(DraftChunk(span, heading, _packed(closed)))

    def _change_part(self, part: str) -> None:
        if _MEMBER in part or _MEMBER in self._part:
            self._path.clear()  # headings do not carry over to the next archive member
        self._part = part

    def _enter(self, heading: _Sentence) -> None:
        line = bisect_right(self._document.line_starts, heading.start)
        text = self._names.get(line)
        if text is None:
            text = self._document.text[heading.start : min(heading.end, heading.start + 4 * _HEADING_CHARACTERS)]
        text = shorten(text, _HEADING_CHARACTERS)
        while self._path and self._path[-1][0] >= heading.level:
            self._path.pop()
        if text:
            self._path.append((heading.level, text))

    def _heading(self, header: str) -> str:
        return " › ".join([*(text for _, text in self._path), *([header] if header else [])])


def _packed(sentences: list[_Sentence]) -> bytes:
    return array("i", [offset for each in sentences for offset in (each.start, each.end)]).tobytes()


def _sentences(document: Document) -> Iterator[_Sentence]:
    """Yield the sentences of every block in order, those without words (rulers, brackets) with the one before them."""
    text, tokens = document.text, TokenCounts(document.text)
    header = ""
    last: _Sentence | None = None
    for kind, level, outlined, part, start, end in _blocks(document):
        ranges = sentences_of_block(text, start, end) if kind in _PROSE else limited(text, start, end)
        is_heading = kind is LineKind.HEADING
        is_header = kind is LineKind.ROW and level > 0
        if kind is not LineKind.ROW:
            header = ""
        depth = max(1, level) if is_heading else outlined
        context = "" if is_header else header
        first = True
        for begin, stop in ranges:
            count = tokens.of(begin, stop)
            if last and stop - last.start <= MAX_CHARACTERS and not has_words(text, begin, stop):
                last.end = stop
                last.tokens += count
            else:
                if last:
                    yield last
                last = _Sentence(begin, stop, count, depth, is_heading, first, context, part)
            first, depth = False, depth if is_heading else 0
        if is_header:
            header = _header_of(text[start:end])
    if last:
        yield last


def _header_of(row: str) -> str:
    """Return the column names in a header row, whatever separates them in the file."""
    cells = (cell.strip() for cell in _CELL_BORDERS.split(row[: 4 * _HEADER_CHARACTERS]))
    return shorten(" · ".join(cell for cell in cells if _names_column(cell)), _HEADER_CHARACTERS)


def _names_column(cell: str) -> bool:
    return any(map(str.isalnum, cell)) and not cell.startswith("\\")


def _blocks(document: Document) -> Iterator[tuple[LineKind, int, int, str, int, int]]:
    """Yield (kind, level, outline level, part, start, end) of each block of lines that belong together."""
    starts, size = document.line_starts, len(document.text)
    defined, parts = _definitions(document), _parts(document)
    boundaries, paragraph = defined.keys() | parts.keys(), LineKind.PARAGRAPH
    begin, kind, level, outlined, part = -1, LineKind.BLANK, 0, 0, ""
    for number, packed in enumerate(document.kinds):
        boundary = number in boundaries
        if not packed & 15 and kind is paragraph and begin >= 0 and not boundary:  # most lines
            continue
        start, line_kind, line_level = starts[number], KINDS[packed & 15], packed >> 4
        if begin >= 0 and (
            boundary or not _continues(document.format, kind, level, line_kind, line_level, start - begin)
        ):
            yield kind, level, outlined, part, begin, start - 1
            begin = -1
        if boundary:
            part = parts.get(number, part)
        if begin < 0 and line_kind is not LineKind.BLANK:
            begin, kind, level, outlined = start, line_kind, line_level, defined.get(number, 0)
    if begin >= 0:
        yield kind, level, outlined, part, begin, size


def _definitions(document: Document) -> dict[int, int]:
    """Return the outline level of each definition in source code or data, by the index of its first line."""
    if document.format not in (Format.CODE, Format.DATA):
        return {}
    return {entry.line - 1: entry.level for entry in document.structure.outline}


def _parts(document: Document) -> dict[int, str]:
    """Return the label of each part by the index of its first line."""
    parts: dict[int, str] = {}
    before = ""
    for section in document.structure.sections:
        part = _POSITION.sub("", section.label)
        if part != before:
            parts[section.first_line - 1] = before = part
    return parts


def _continues(source: str, kind: LineKind, level: int, line: LineKind, line_level: int, length: int) -> bool:
    """Return whether a line continues the preceding block of `kind`, which has `length` characters so far."""
    if line is LineKind.PARAGRAPH:
        return kind in (LineKind.PARAGRAPH, LineKind.ITEM)
    if line is not kind:
        return False
    if line is LineKind.QUOTE:
        return line_level == level
    if line is LineKind.HEADING:
        return source == Format.PDF and line_level == level  # headings wrap in a PDF, never in Markdown
    return line in (LineKind.CODE, LineKind.ROW) and length < _SHORT and (line_level == level or line is LineKind.CODE)
