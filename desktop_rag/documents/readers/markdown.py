"""Reads Markdown line by line: the lines stay as they are in the file, each with the kind its markup gives it."""

import re

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.formats import Format
from desktop_rag.documents.readers.encodings import decode
from desktop_rag.documents.readers.plain_text import text_document
from desktop_rag.documents.readers.source import Source

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_FIELDS = {"title": "", "author": "", "date": ""}
_MARKS = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}")


class _Kinds:
    """Gives each line its kind, from the top of the file to its end."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.kinds = bytearray(len(lines))
        self.headings: list[tuple[int, str]] = []
        self.fields = dict(_FIELDS)
        self._fence = ""
        self._table = False
        self._in_item = False

    def read(self) -> None:
        number = self._front_matter()
        while number < len(self._lines):
            self._set(number, *self._kind(number))
            number += 1

    def _set(self, number: int, kind: LineKind, level: int = 0) -> None:
        self.kinds[number] = int(kind) | min(level, 15) << 4

    def _front_matter(self) -> int:
        """Mark the fields between two rulers at the top, and return the number of the first line after them."""
        if not self._lines or self._lines[0].rstrip() not in ("---", "+++"):
            return 0
        closing = ("---", "...") if self._lines[0].startswith("-") else ("+++",)
        for last in range(1, min(len(self._lines), 200)):
            if self._lines[last].rstrip() in closing:
                break
        else:
            return 0
        for number in range(last + 1):
            line = self._lines[number]
            self._set(number, LineKind.FIELD if line.strip() else LineKind.BLANK)
            name, separator, value = line.partition(":" if closing[0] == "---" else "=")
            if separator and name.strip().lower() in self.fields:
                self.fields[name.strip().lower()] = value.strip().strip("\"'[]")
        return last + 1

    def _kind(self, number: int) -> tuple[LineKind, int]:
        line = self._lines[number]
        if self._fence:
            return self._inside_fence(line)
        if not line.strip():
            self._table = False
            return LineKind.BLANK, 0
        after_blank = number == 0 or self.kinds[number - 1] & 15 in (LineKind.BLANK, LineKind.CODE)
        if after_blank and not line.startswith((" ", "\t")):
            self._in_item = False
        if (fence := _FENCE.match(line)) and ("`" not in fence[2] or fence[1][0] == "~"):
            self._fence = fence[1]
            return LineKind.CODE, 0
        if heading := _HEADING.match(line):
            return self._heading(len(heading[1]), heading[2] or "")
        if self._is_table(number, line):
            return LineKind.ROW, 0
        return self._text_kind(number, line, after_blank=after_blank)

    def _inside_fence(self, line: str) -> tuple[LineKind, int]:
        stripped = line.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence = ""
        return (LineKind.CODE if stripped else LineKind.BLANK), 0

    def _heading(self, level: int, text: str) -> tuple[LineKind, int]:
        self._in_item = False
        self.headings.append((level, plain(text)))
        return LineKind.HEADING, level

    def _is_table(self, number: int, line: str) -> bool:
        if self._table:
            self._table = "|" in line
        elif "|" in line and number + 1 < len(self._lines):
            following = self._lines[number + 1]
            self._table = "|" in following and _DELIMITER.match(following) is not None
        return self._table

    def _text_kind(self, number: int, line: str, *, after_blank: bool) -> tuple[LineKind, int]:
        if quote := _QUOTE.match(line):
            return LineKind.QUOTE, quote[0].count(">")
        if _RULE.match(line):
            return LineKind.PARAGRAPH, 0
        if item := _ITEM.match(line):
            self._in_item = True
            return LineKind.ITEM, 1 + len(item[1].expandtabs(4)) // 2
        if not line.startswith((" ", "\t")):
            return self._setext(number, line)
        if after_blank and not self._in_item and line.startswith(("    ", "\t")):
            return LineKind.CODE, 0
        return LineKind.PARAGRAPH, 0

    def _setext(self, number: int, line: str) -> tuple[LineKind, int]:
        following = self._lines[number + 1] if number + 1 < len(self._lines) else ""
        underline = _UNDERLINE.match(following)
        starts_block = number == 0 or self.kinds[number - 1] & 15 != LineKind.PARAGRAPH
        if underline and starts_block and not self._in_item and not _UNDERLINE.match(line):
            return self._heading(1 if underline[1][0] == "=" else 2, line)
        return LineKind.PARAGRAPH, 0


def plain(markdown: str) -> str:
    """Return one line of Markdown without emphasis, code marks and link targets."""
    return _MARKS.sub(lambda mark: mark[1] or "", markdown).strip()


def read_markdown(source: Source, kind: Format) -> Document:
    """Return a Markdown file's own lines with their kinds; the title is its field, else its first top heading."""
    document = text_document(decode(source.data), kind)
    reader = _Kinds(document.text.split("\n"))
    reader.read()
    title = reader.fields["title"]
    if not title and reader.headings:
        title = min(reader.headings, key=lambda heading: heading[0])[1]
    return Document(
        format=document.format,
        text=document.text,
        kinds=bytes(reader.kinds),
        title=title,
        author=reader.fields["author"],
        created=reader.fields["date"],
    )
