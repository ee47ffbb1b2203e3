"""Reads Markdown: the lines stay as in the file, each with the kind that its markup gives it.

Blocks and inline marks (`markdown_marks`) are found with regular expressions instead of markdown-it-py, which the GUI
uses for answers: its inline tokens have no offsets into the source, which inline marks need, and it takes 3.5 times
as long (0.93 s instead of 0.26 s for 1 MB).
"""

import re

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.markup.markdown_marks import with_marks
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import MetadataField, SourceLines
from desktop_rag.documents.tags import inline_tags, listed_tags

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_METADATA: dict[str, MetadataField] = {"title": "title", "author": "author", "date": "created"}
_TAGS = frozenset(("tags", "tag", "keywords"))
_LISTED = re.compile(r"[ \t]*-[ \t]+(.*)$")
_TAGGED = frozenset((LineKind.PARAGRAPH, LineKind.ITEM, LineKind.QUOTE, LineKind.HEADING, LineKind.ROW))
_MARKS = re.compile(
    r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}"
)


class _Reader:
    """Assigns a kind to each line, from the first to the last."""

    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines
        self._fence = ""
        self._table = False
        self._in_item = False

    def read(self) -> None:
        for number in self._lines.numbers(self._front_matter()):
            line = self._lines[number]
            after_blank = self._lines.kind(number - 1) in (LineKind.BLANK, LineKind.CODE)
            if after_blank and line.strip() and not line.startswith((" ", "\t")):
                self._in_item = False
            if not self._heading(number, line):
                self._lines.set(number, *self._kind(number, line, after_blank=after_blank))
            if "#" in line and self._lines.kind(number) in _TAGGED:
                self._lines.tags += inline_tags(line)

    def _front_matter(self) -> int:
        """Mark the front matter at the top as fields; return the number of the first line after it."""
        lines = self._lines
        if lines[0].rstrip() not in ("---", "+++"):
            return 0
        closing = ("---", "...") if lines[0].startswith("-") else ("+++",)
        last = next((number for number in range(1, min(len(lines), 200)) if lines[number].rstrip() in closing), 0)
        name = ""
        for number in range(last + 1 if last else 0):
            lines.set(number, LineKind.FIELD)
            if name in _TAGS and (item := _LISTED.match(lines[number])):
                lines.tags += listed_tags(item[1])
                continue
            name, separator, value = lines[number].partition(":" if closing[0] == "---" else "=")
            name = name.strip().lower()
            if separator and (field := _METADATA.get(name)):
                lines.metadata[field] = value.strip().strip("\"'[]")
            elif name in _TAGS:
                lines.tags += listed_tags(value)
        return last + 1 if last else 0

    def _heading(self, number: int, line: str) -> bool:
        """Make a line a heading if it is one; return whether it is."""
        if self._fence:
            return False
        if heading := _HEADING.match(line):
            level, title = len(heading[1]), heading[2] or ""
        else:
            level, title = self._underlined(number, line), line
        if level:
            self._in_item = self._table = False
            self._lines.heading(number, level, plain(title))
        return level > 0

    def _underlined(self, number: int, line: str) -> int:
        """Return the level of a heading underlined by the next line, else 0."""
        underline = _UNDERLINE.match(self._lines[number + 1])
        if not underline or not line.strip() or self._in_item or line.startswith((" ", "\t")):
            return 0
        starts_block = number == 0 or self._lines.kind(number - 1) is not LineKind.PARAGRAPH
        marked = _UNDERLINE.match(line) or _QUOTE.match(line) or _RULE.match(line) or _ITEM.match(line)
        if not starts_block or marked or _FENCE.match(line) or self._table:
            return 0
        return 1 if underline[1][0] == "=" else 2

    def _kind(self, number: int, line: str, *, after_blank: bool) -> tuple[LineKind, int]:
        if self._fence:
            return self._inside_fence(line)
        if not line.strip():
            self._table = False
            return LineKind.BLANK, 0
        if (fence := _FENCE.match(line)) and ("`" not in fence[2] or fence[1][0] == "~"):
            self._fence = fence[1]
            return LineKind.CODE, 0
        if row := self._row(number, line):
            return row
        return self._text_kind(line, after_blank=after_blank)

    def _inside_fence(self, line: str) -> tuple[LineKind, int]:
        stripped = line.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence = ""
        return (LineKind.CODE if stripped else LineKind.BLANK), 0

    def _row(self, number: int, line: str) -> tuple[LineKind, int] | None:
        """Return the kind of a table row, or None; the header is the row above the dashes."""
        if self._table:
            self._table = "|" in line
            return (LineKind.ROW, 0) if self._table else None
        following = self._lines[number + 1]
        self._table = "|" in line and "|" in following and _DELIMITER.match(following) is not None
        return (LineKind.ROW, 1) if self._table else None

    def _text_kind(self, line: str, *, after_blank: bool) -> tuple[LineKind, int]:
        if quote := _QUOTE.match(line):
            return LineKind.QUOTE, quote[0].count(">")
        if _RULE.match(line):
            return LineKind.PARAGRAPH, 0
        if item := _ITEM.match(line):
            self._in_item = True
            return LineKind.ITEM, 1 + len(item[1].expandtabs(4)) // 2
        if after_blank and not self._in_item and line.startswith(("    ", "\t")):
            return LineKind.CODE, 0
        return LineKind.PARAGRAPH, 0


def plain(markdown: str) -> str:
    """Return one line of Markdown without emphasis, code markers and link targets."""
    return _MARKS.sub(lambda mark: mark[1] or mark[2] or "", markdown).strip()


def read_markdown(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a Markdown file with their kinds; the title comes from its front matter or headings."""
    lines = SourceLines(source, kind)
    _Reader(lines).read()
    return with_marks(lines.document(), source.budget)
