"""Reads AsciiDoc: titles, lists, delimited blocks, tables, attributes."""

import re

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import MetadataField, SourceLines

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:[ \t]+(.*))?$")
_BLOCK_ATTRIBUTES = re.compile(r"\[[^\]\n]*\][ \t]*$")
_DIRECTIVE = re.compile(r"(?:include|ifdef|ifndef|ifeval|endif|image|toc|video|audio)::\S*\[")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,}|\^{3,}|\+{3,})[ \t]*$")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|/{4,}|\+{4,}|_{4,}|={4,}|\*{4,}|--|```[\w-]*|[|,:!]===)[ \t]*$")
_ITEM = re.compile(r"[ \t]*(\*{1,6}|\.{1,6}|-|\d{1,4}\.|<(?:\d+|\.)>)[ \t]+\S")
_TERM = re.compile(r"[ \t]*\S.*?(:{2,4}|;;)(?:[ \t]|$)")
_AUTHOR = re.compile(r"([^\W\d][\w.'’ -]+?)(?:[ \t]+<[^>]+>)?(?:;|$)")
_REVISION = re.compile(r"(?:v[\d.]+,?[ \t]*)?(\d{4}-\d\d-\d\d)")
_MARKUP = re.compile(r"(?<!\w)([*_`#+^~]{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)|<<[^,>]+,\s*([^>]+)>>|\[\[[^\]]*\]\]")
_METADATA: dict[str, MetadataField] = {
    "author": "author",
    "revdate": "created",
    "doctitle": "title",
    "title": "title",
}
_KINDS = {  # of lines in a delimited block, by its delimiter; other blocks contain ordinary text
    "-": LineKind.CODE,
    ".": LineKind.CODE,
    "+": LineKind.CODE,
    "`": LineKind.CODE,
    "/": LineKind.FIELD,
    "|": LineKind.ROW,
    ",": LineKind.ROW,
    ":": LineKind.ROW,
    "!": LineKind.ROW,
}


def read_asciidoc(source: SourceFile, kind: Format) -> Document:
    """Return the lines of an AsciiDoc file with their kinds."""
    lines = SourceLines(source, kind)
    _Reader(lines).read()
    return lines.document()


class _Reader:
    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines
        self._delimiter = ""  # of the current block, if it determines the kind of its lines
        self._quoted: set[str] = set()  # delimiters of the open quote blocks
        self._header_row = False
        self._listing = False

    def read(self) -> None:
        for number in self._lines.numbers(self._header()):
            self._line(number)

    def _header(self) -> int:
        """Read the title, author and revision at the top; return the number of the line after them."""
        lines, number = self._lines, 0
        while (lines.is_blank(number) and number < len(lines)) or lines[number].startswith("//"):
            lines.set(number, LineKind.FIELD)
            number += 1
        title = _TITLE.match(lines[number])
        if not title or len(title[1]) != 1:
            return number
        lines.heading(number, 1, _plain(title[2]))
        number += 1
        if author := _AUTHOR.match(lines[number]):
            lines.set_metadata("author", author[1])
            lines.set(number, LineKind.FIELD)
            number += 1
            if revision := _REVISION.match(lines[number]):
                lines.set_metadata("created", revision[1])
                lines.set(number, LineKind.FIELD)
                number += 1
        return number

    def _line(self, number: int) -> None:
        lines, line = self._lines, self._lines[number]
        text = line.rstrip()
        if self._delimiter:
            self._inside(number, text)
        elif _UNDERLINE.match(text) and self._underlines(number):
            lines.set(number, LineKind.PARAGRAPH)
        elif _DELIMITER.match(text):
            self._open(number, text)
        elif title := _TITLE.match(text):
            self._listing = False
            lines.heading(number, len(title[1]), _plain(title[2]))
        else:
            lines.set(number, *self._kind(number, text))

    def _underlines(self, number: int) -> bool:
        """Make the previous line a heading if this one underlines it (two-line title); return whether it does."""
        lines = self._lines
        line, title = lines[number].rstrip(), lines[number - 1].rstrip()
        level = "=-~^+".find(line[0]) + 1
        if abs(len(line) - len(title)) > 1 or lines.kind(number - 1) is not LineKind.PARAGRAPH:
            return False
        if not lines.is_blank(number - 2) or title.startswith((".", "[")):
            return False
        lines.heading(number - 1, level, _plain(title))
        return True

    def _open(self, number: int, text: str) -> None:
        kind = _KINDS.get(text[0]) if text != "--" else None
        if kind is None:  # an example, sidebar or quote block contains ordinary text
            self._lines.set(number, LineKind.PARAGRAPH)
            if text[0] == "_":
                self._quoted ^= {text}
            return
        self._delimiter = "```" if text[0] == "`" else text
        before = self._lines[number - 1].strip()
        # Without options, a first row followed by an empty line is the header.
        self._header_row = kind is LineKind.ROW and (
            "header" in before or (self._lines.is_blank(number + 2) and not self._lines.is_blank(number + 1))
        )
        self._lines.set(number, kind)

    def _inside(self, number: int, text: str) -> None:
        kind = _KINDS[self._delimiter[0]]
        header = self._header_row and kind is LineKind.ROW and bool(text) and text != self._delimiter
        self._lines.set(number, kind, int(header))
        if header:
            self._header_row = False
        if text == self._delimiter:
            self._delimiter = ""

    def _kind(self, number: int, text: str) -> tuple[LineKind, int]:
        lines = self._lines
        if text.startswith("//"):
            return LineKind.FIELD, 0
        if attribute := _ATTRIBUTE.match(text):
            lines.set_metadata(_METADATA.get(attribute[1].lower()), (attribute[2] or "").strip())
            return LineKind.FIELD, 0
        if _BLOCK_ATTRIBUTES.match(text) or _DIRECTIVE.match(text):
            return LineKind.FIELD, 0
        after_blank = lines.is_blank(number - 1)
        if item := _ITEM.match(text):
            self._listing = True
            return LineKind.ITEM, len(item[1]) if item[1][0] in "*." else 1
        if self._quoted:
            return LineKind.QUOTE, 1
        if _TERM.match(text) and lines.kind(number - 1) is not LineKind.PARAGRAPH:
            self._listing = True
            return LineKind.ITEM, 1
        if after_blank and text[:1].isspace() and not self._listing:
            return LineKind.CODE, 0
        if lines.kind(number - 1) is LineKind.CODE and text[:1].isspace():
            return LineKind.CODE, 0
        if after_blank and text and not text[0].isspace() and text != "+":
            self._listing = self._lines[number - 1].strip() == "+"
        return LineKind.PARAGRAPH, 0


def _plain(title: str) -> str:
    return _MARKUP.sub(lambda mark: mark[2] or mark[3] or "", title).strip()
