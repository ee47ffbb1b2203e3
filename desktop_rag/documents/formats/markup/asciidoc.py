"""Reads AsciiDoc line by line: titles, lists, delimited blocks, tables, attributes."""

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
_KINDS = {  # of the lines between delimiters, by what these begin with; other blocks hold ordinary text
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
    page = SourceLines(source, kind)
    _Reader(page).read()
    return page.document()


class _Reader:
    def __init__(self, page: SourceLines) -> None:
        self._page = page
        self._delimiter = ""  # of the block we are in, where that decides the kind of its lines
        self._quoted: set[str] = set()  # delimiters of the quotes we are in
        self._header_row = False
        self._listing = False

    def read(self) -> None:
        for number in self._page.numbers(self._header()):
            self._line(number)

    def _header(self) -> int:
        """Read the title, author, revision and attributes at the top; return the number of the line after them."""
        page, number = self._page, 0
        while (page.is_blank(number) and number < len(page)) or page[number].startswith("//"):
            page.set(number, LineKind.FIELD)
            number += 1
        title = _TITLE.match(page[number])
        if not title or len(title[1]) != 1:
            return number
        page.heading(number, 1, _plain(title[2]))
        number += 1
        if author := _AUTHOR.match(page[number]):
            page.set_metadata("author", author[1])
            page.set(number, LineKind.FIELD)
            number += 1
            if revision := _REVISION.match(page[number]):
                page.set_metadata("created", revision[1])
                page.set(number, LineKind.FIELD)
                number += 1
        return number

    def _line(self, number: int) -> None:
        page, line = self._page, self._page[number]
        text = line.rstrip()
        if self._delimiter:
            self._inside(number, text)
        elif _UNDERLINE.match(text) and self._heads(number):
            page.set(number, LineKind.PARAGRAPH)
        elif _DELIMITER.match(text):
            self._open(number, text)
        elif title := _TITLE.match(text):
            self._listing = False
            page.heading(number, len(title[1]), _plain(title[2]))
        else:
            page.set(number, *self._kind(number, text))

    def _heads(self, number: int) -> bool:
        """Make the line before a heading if this one underlines it, the old way."""
        page = self._page
        line, title = page[number].rstrip(), page[number - 1].rstrip()
        level = "=-~^+".find(line[0]) + 1
        if abs(len(line) - len(title)) > 1 or page.kind(number - 1) is not LineKind.PARAGRAPH:
            return False
        if not page.is_blank(number - 2) or title.startswith((".", "[")):
            return False
        page.heading(number - 1, level, _plain(title))
        return True

    def _open(self, number: int, text: str) -> None:
        kind = _KINDS.get(text[0]) if text != "--" else None
        if kind is None:  # an example, a sidebar, a quote: what is inside is ordinary text
            self._page.set(number, LineKind.PARAGRAPH)
            if text[0] == "_":
                self._quoted ^= {text}
            return
        self._delimiter = "```" if text[0] == "`" else text
        before = self._page[number - 1].strip()
        # Without options a first row followed by an empty line is the header.
        self._header_row = kind is LineKind.ROW and (
            "header" in before or (self._page.is_blank(number + 2) and not self._page.is_blank(number + 1))
        )
        self._page.set(number, kind)

    def _inside(self, number: int, text: str) -> None:
        kind = _KINDS[self._delimiter[0]]
        header = self._header_row and kind is LineKind.ROW and bool(text) and text != self._delimiter
        self._page.set(number, kind, int(header))
        if header:
            self._header_row = False
        if text == self._delimiter:
            self._delimiter = ""

    def _kind(self, number: int, text: str) -> tuple[LineKind, int]:
        page = self._page
        if text.startswith("//"):
            return LineKind.FIELD, 0
        if attribute := _ATTRIBUTE.match(text):
            page.set_metadata(_METADATA.get(attribute[1].lower()), (attribute[2] or "").strip())
            return LineKind.FIELD, 0
        if _BLOCK_ATTRIBUTES.match(text) or _DIRECTIVE.match(text):
            return LineKind.FIELD, 0
        after_blank = page.is_blank(number - 1)
        if item := _ITEM.match(text):
            self._listing = True
            return LineKind.ITEM, len(item[1]) if item[1][0] in "*." else 1
        if self._quoted:
            return LineKind.QUOTE, 1
        if _TERM.match(text) and page.kind(number - 1) is not LineKind.PARAGRAPH:
            self._listing = True
            return LineKind.ITEM, 1
        if after_blank and text[:1].isspace() and not self._listing:
            return LineKind.CODE, 0
        if page.kind(number - 1) is LineKind.CODE and text[:1].isspace():
            return LineKind.CODE, 0
        if after_blank and text and not text[0].isspace() and text != "+":
            self._listing = self._page[number - 1].strip() == "+"
        return LineKind.PARAGRAPH, 0


def _plain(title: str) -> str:
    return _MARKUP.sub(lambda mark: mark[2] or mark[3] or "", title).strip()
