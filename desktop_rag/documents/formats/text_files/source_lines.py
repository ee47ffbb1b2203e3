"""The unchanged lines of a text file, to which a markup reader assigns kinds, levels and headings.

No line is added or removed, so line 120 of the document is line 120 in an editor.
"""

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Literal

from desktop_rag.documents.builder import distinct_tags
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import KINDS, Document, LineKind, OutlineEntry, Section, Structure, line_starts
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Reads plain text without markup: notes and logs, and the lines of every text file.
#
# The lines of the document are the lines of the file, numbered as in an editor.

_DEFAULT_KINDS = {  # the default kind of a line; PARAGRAPH for other formats
    Format.CODE: LineKind.CODE,
    Format.DATA: LineKind.CODE,
    Format.TABLE: LineKind.ROW,
    Format.LOG: LineKind.ROW,
}
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪–—·]|\d{1,3}[.)]|\([a-z0-9]{1,3}\))\s+\S")


def read_plain_text(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a text file; raises `DocumentError` if it is binary or blank."""
    return text_document(decode(source.data), kind)


def text_document(text: str, kind: Format) -> Document:
    """Return a document with the lines of `text`, which must be cleaned by `encodings.clean`."""
    if not text or text.isspace():
        raise DocumentError(
            "This file is empty." if not text else "This file has no text, only white space.", ProblemKind.EMPTY
        )
    text = text.removesuffix("\n")  # editors do not count a line after the last newline
    starts = line_starts(text)
    line_kind = _DEFAULT_KINDS.get(kind, LineKind.PARAGRAPH)
    kinds = bytearray((line_kind,)) * len(starts)
    for number, (start, end) in enumerate(pairwise(chain(starts, (len(text),)))):
        line = text[start:end]
        if not line or line.isspace():
            kinds[number] = LineKind.BLANK
        elif line_kind is LineKind.PARAGRAPH and _ITEM.match(line):
            kinds[number] = LineKind.ITEM
    return Document(format=kind.value, text=text, kinds=bytes(kinds))


_CHECKED_EVERY = 4096  # lines

MetadataField = Literal["title", "author", "created"]


class SourceLines:
    """The lines of one file, numbered from 0 here, with their kinds, outline, sections and metadata."""

    def __init__(self, source: SourceFile, kind: Format, text: str | None = None) -> None:
        document = text_document(decode(source.data) if text is None else text, kind)
        self.format = document.format
        self.text = document.text
        self.lines = self.text.split("\n")
        self.metadata: dict[MetadataField, str] = {}
        self.tags: list[str] = []  # in any spelling and number
        self._budget = source.budget
        self._kinds = bytearray(document.kinds)
        self._outline: list[OutlineEntry] = []
        self._sections: list[Section] = []

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, number: int) -> str:
        """Return a line, or an empty string outside the file."""
        return self.lines[number] if 0 <= number < len(self.lines) else ""

    def numbers(self, first: int = 0) -> Iterator[int]:
        """Yield the line numbers until the time limit; the remaining lines keep their default kinds."""
        for number in range(first, len(self.lines)):
            if number % _CHECKED_EVERY == 0:
                try:
                    self._budget.check()
                except ReadLimitReached:
                    return
            yield number

    def kind(self, number: int) -> LineKind:
        """Return the current kind of a line, BLANK outside the file."""
        return KINDS[self._kinds[number] & 15] if 0 <= number < len(self._kinds) else LineKind.BLANK

    def is_blank(self, number: int) -> bool:
        """Return whether a line is blank or outside the file."""
        return not self[number].strip()

    def set(self, number: int, kind: LineKind, level: int = 0) -> None:
        """Set the kind of a line; a blank line stays BLANK."""
        if self.is_blank(number):
            kind, level = LineKind.BLANK, 0
        self._kinds[number] = int(kind) | min(level, 15) << 4

    def heading(self, number: int, level: int, title: str) -> None:
        """Make a line a heading; `title` is its text without markup, for the outline."""
        self.set(number, LineKind.HEADING, level)
        self.add_outline_entry(number, level, title)

    def add_outline_entry(self, number: int, level: int, title: str) -> None:
        """Add a line to the outline."""
        if title:
            self._outline.append(OutlineEntry(number + 1, level, title))

    def begin_section(self, number: int, label: str) -> None:
        """Start a section at a line."""
        self._sections.append(Section(number + 1, label))

    def set_metadata(self, field: MetadataField | None, value: str) -> None:
        """Set a field of the document unless it has a value already or `field` is None."""
        if field and not self.metadata.get(field):
            self.metadata[field] = value

    def document(self) -> Document:
        """Return the document; without a title in its metadata, its first top-level heading is the title."""
        title = self.metadata.get("title", "")
        if not title and self._outline and self.format not in (Format.CODE, Format.DATA):
            title = min(self._outline, key=lambda entry: entry.level).title
        return Document(
            format=self.format,
            text=self.text,
            kinds=bytes(self._kinds),
            title=title,
            author=self.metadata.get("author", ""),
            created=self.metadata.get("created", ""),
            structure=Structure(tuple(self._sections), tuple(self._outline)),
            tags=distinct_tags(self.tags),
        )
