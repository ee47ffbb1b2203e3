"""Splits a document into chunks of about a thousand tokens that begin and end with whole sentences.

A chunk is the text its span points at, from its first sentence to its last. Chunks never overlap, and
together they hold every character of the document that is not white space.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.documents.document import Document, LineKind, Span
from desktop_rag.documents.readers.markdown import plain
from desktop_rag.documents.sentences import MAX_CHARACTERS, has_words, limited, sentences_of_block
from desktop_rag.documents.tokens import estimate_tokens

CHUNK_TOKENS = 1000

_SHORT = 160  # characters; shorter lines of code and rows of a table share one sentence
_SECTION_LEVEL = 2  # a heading up to this level begins a new chunk ...
_TINY = 0.25  # ... unless the present one would be smaller than this part of the limit
_PREFERRED = 0.7  # a chunk may end this early if a paragraph or section ends there
_HEADING_CHARACTERS = 120
_PAIR_BYTES = 8


@dataclass(frozen=True, slots=True)
class DraftChunk:
    """A chunk before the catalog gives it an id.

    `packed` are the (start, end) offsets of its sentences in the document's text, as int32 in native byte order: those
    of a huge document would be millions of objects, which travel slowly and fill the memory.
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


@dataclass(slots=True)
class _Sentence:
    start: int
    end: int
    tokens: int
    level: int  # of the heading it is, else 0
    first: bool  # whether it begins a paragraph, item, row or heading


def split(document: Document, limit: int = CHUNK_TOKENS) -> list[DraftChunk]:
    """Return the chunks of `document` in order, each of at most about `limit` tokens."""
    packer = _Packer(document, limit)
    for sentence in _joined(document, _sentences(document)):
        packer.add(sentence)
    packer.finish()
    return packer.chunks


class _Packer:
    """Fills one chunk after the other, and follows the headings."""

    def __init__(self, document: Document, limit: int) -> None:
        self.chunks: list[DraftChunk] = []
        self._document = document
        self._limit = limit
        self._open: list[_Sentence] = []
        self._tokens = 0
        self._path: list[tuple[int, str]] = []

    def add(self, sentence: _Sentence) -> None:
        """Put `sentence` into the open chunk, after closing it if it is full or a section begins."""
        begins_section = 0 < sentence.level <= _SECTION_LEVEL
        if begins_section and self._tokens >= self._limit * _TINY and not self._ends_in_heading():
            self._close(len(self._open))
        while self._open and self._tokens + sentence.tokens > self._limit:
            self._close(self._best_cut(sentence))
        self._open.append(sentence)
        self._tokens += sentence.tokens

    def finish(self) -> None:
        """Close the last chunk; a tiny rest goes to the chunk before it."""
        if not self._open:
            return
        if self.chunks and self._tokens * 10 < self._limit:
            last = self.chunks.pop()
            span = self._document.span(last.span.start, self._open[-1].end)
            self.chunks.append(DraftChunk(span, last.heading, last.packed + _packed(self._open)))
        else:
            self._close(len(self._open))

    def _ends_in_heading(self) -> bool:
        return bool(self._open) and self._open[-1].level > 0

    def _best_cut(self, following: _Sentence) -> int:
        """Return how many sentences the full chunk keeps: up to a section's end, a paragraph's end, or all."""
        keep = len(self._open)
        while keep > 1 and self._open[keep - 1].level:  # a heading goes with what it heads
            keep -= 1
        if keep == 1 and self._open[0].level:
            keep = len(self._open)
        if keep < len(self._open) or following.first:
            return keep
        tokens, paragraph = self._tokens, 0
        for cut in range(keep - 1, 0, -1):
            tokens -= self._open[cut].tokens
            if tokens < self._limit * _PREFERRED:
                break
            if self._open[cut].level and not self._open[cut - 1].level:
                return cut
            if self._open[cut].first and not paragraph and not self._open[cut - 1].level:
                paragraph = cut
        return paragraph or keep

    def _close(self, keep: int) -> None:
        closed, self._open = self._open[:keep], self._open[keep:]
        self._tokens = sum(sentence.tokens for sentence in self._open)
        heading: str | None = None
        for sentence in closed:
            if sentence.level:
                self._enter(sentence)
            elif heading is None:  # where the text of the chunk begins
                heading = self._heading()
        if heading is None:
            heading = self._heading()
        span = self._document.span(closed[0].start, closed[-1].end)
        self.chunks.append(DraftChunk(span, heading, _packed(closed)))

    def _enter(self, heading: _Sentence) -> None:
        text = self._document.text[heading.start : min(heading.end, heading.start + 4 * _HEADING_CHARACTERS)]
        if self._document.format == "markdown":
            text = plain(text.split("\n")[0].strip().lstrip("#").rstrip("#"))
        text = " ".join(text.split())
        if len(text) > _HEADING_CHARACTERS:
            text = text[: _HEADING_CHARACTERS - 1].rstrip() + "…"
        while self._path and self._path[-1][0] >= heading.level:
            self._path.pop()
        if text:
            self._path.append((heading.level, text))

    def _heading(self) -> str:
        return " › ".join(text for _, text in self._path)


def _packed(sentences: list[_Sentence]) -> bytes:
    return array("i", (offset for sentence in sentences for offset in (sentence.start, sentence.end))).tobytes()


def _sentences(document: Document) -> Iterator[_Sentence]:
    """Yield the sentences of every block in order."""
    text = document.text
    for kind, level, start, end in _blocks(document):
        if kind in (LineKind.PARAGRAPH, LineKind.ITEM, LineKind.QUOTE):
            ranges = sentences_of_block(text, start, end)
        else:
            ranges = limited(text, start, end)
        heading = max(1, level) if kind is LineKind.HEADING else 0
        first = True
        for begin, stop in ranges:
            yield _Sentence(begin, stop, estimate_tokens(text[begin:stop]), heading, first)
            first = False


def _joined(document: Document, sentences: Iterator[_Sentence]) -> Iterator[_Sentence]:
    """Join rulers, brackets and stray marks to the sentence before them."""
    last: _Sentence | None = None
    for sentence in sentences:
        if last is None:
            last = sentence
        elif sentence.end - last.start <= MAX_CHARACTERS and not has_words(document.text, sentence.start, sentence.end):
            last.end = sentence.end
            last.tokens += sentence.tokens
        else:
            yield last
            last = sentence
    if last is not None:
        yield last


def _blocks(document: Document) -> Iterator[tuple[LineKind, int, int, int]]:
    """Yield (kind, level, start, end) of runs of lines that belong together: a paragraph, an item with its lines."""
    starts, size = document.line_starts, len(document.text)
    kinds = document.kinds
    begin, kind, level = -1, LineKind.BLANK, 0
    for number, packed in enumerate(kinds):
        start = starts[number]
        line_kind, line_level = _KINDS[packed & 15], packed >> 4
        if begin >= 0 and not _continues(document.format, kind, level, line_kind, line_level, start - begin):
            yield kind, level, begin, start - 1
            begin = -1
        if begin < 0 and line_kind is not LineKind.BLANK:
            begin, kind, level = start, line_kind, line_level
    if begin >= 0:
        yield kind, level, begin, size


_KINDS = {int(kind): kind for kind in LineKind}


def _continues(source: str, kind: LineKind, level: int, line: LineKind, line_level: int, length: int) -> bool:
    """Return whether a line belongs to the block of `kind` before it, which has `length` characters so far."""
    if line is LineKind.PARAGRAPH:
        return kind in (LineKind.PARAGRAPH, LineKind.ITEM)
    if line is not kind:
        return False
    if line is LineKind.QUOTE:
        return line_level == level
    if line is LineKind.HEADING:
        return source == "pdf" and line_level == level  # printed headings wrap, those of Markdown never do
    return line in (LineKind.CODE, LineKind.ROW) and length < _SHORT
