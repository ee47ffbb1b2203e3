"""Reads Org files: headlines, lists, blocks, tables, drawers, keywords."""

import re

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_HEADLINE = re.compile(r"(\*+)[ \t]+(.*)$")
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|HOLD|CANCELLED|CANCELED|STARTED|SOMEDAY|COMMENT)(?=[ \t]|$)[ \t]*")
_PRIORITY = re.compile(r"\[#\w\][ \t]*")
_TAGS = re.compile(r"[ \t]+:[\w@#%:]+:[ \t]*$")
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[[^\]]*\])?:[ \t]*(.*)$")
_COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_PLANNING = re.compile(r"[ \t]*(?:DEADLINE|SCHEDULED|CLOSED|CLOCK):")
_FIXED = re.compile(r"[ \t]*:(?:[ \t]|$)")
_ITEM = re.compile(r"([ \t]*)(?:[-+]|(?<=[ \t])\*|\d{1,5}[.)]|[A-Za-z][.)])(?:[ \t]+|$)")
_ROW = re.compile(r"[ \t]*\|")
_RULER = re.compile(r"[ \t]*\|[-+| ]*$")
_LINK = re.compile(r"\[\[[^\]]*\](?:\[([^\]]*)\])?\]")
_EMPHASIS = re.compile(r"(?<!\w)([*/_=~+])(?=\S)(.+?)(?<=\S)\1(?!\w)")
_PROSE = frozenset(("quote", "verse", "center", "abstract", "note", "warning", "tip"))


def read_org(source: SourceFile, kind: Format) -> Document:
    """Return the lines of an Org file with their kinds."""
    lines = SourceLines(source, kind)
    _Reader(lines).read()
    return lines.document()


class _Reader:
    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines
        self._block = ""  # the name of the current block
        self._drawer = False
        self._table = 0  # rows so far of the current table

    def read(self) -> None:
        for number in self._lines.numbers():
            self._line(number)

    def _line(self, number: int) -> None:
        lines, line = self._lines, self._lines[number]
        headline = _HEADLINE.match(line)
        if headline and not (self._block and self._closes(number)):
            self._block, self._drawer, self._table = "", False, 0
            lines.heading(number, len(headline[1]), _plain(headline[2]))
            if tags := _TAGS.search(line):
                lines.tags += tags[0].split(":")
            return
        kind, level = self._kind(number, line)
        if kind is not LineKind.ROW:
            self._table = 0
        lines.set(number, kind, level)

    def _closes(self, number: int) -> bool:
        """Return whether the current block has an end; if so, asterisks inside it are not headlines."""
        end = f"#+end_{self._block}"
        nearby = range(number, min(number + 400, len(self._lines)))
        return any(self._lines[line].strip().lower().startswith(end) for line in nearby)

    def _kind(self, number: int, line: str) -> tuple[LineKind, int]:
        if self._block:
            return self._inside_block(line)
        if self._drawer:
            self._drawer = line.strip().lower() != ":end:"
            return LineKind.FIELD, 0
        if begin := _BEGIN.match(line):
            self._block = begin[1].lower()
            return LineKind.FIELD, 0
        if keyword := _KEYWORD.match(line):
            self._set_metadata(keyword[1].lower(), keyword[2].strip())
            return LineKind.FIELD, 0
        if _COMMENT.match(line) or _PLANNING.match(line):
            return LineKind.FIELD, 0
        if _DRAWER.match(line):
            self._drawer = True
            return LineKind.FIELD, 0
        if _FIXED.match(line):
            return LineKind.CODE, 0
        if _ROW.match(line):
            return LineKind.ROW, self._header_level(number, line)
        if item := _ITEM.match(line):
            return LineKind.ITEM, 1 + len(item[1].expandtabs(4)) // 2
        return LineKind.PARAGRAPH, 0

    def _inside_block(self, line: str) -> tuple[LineKind, int]:
        if line.strip().lower().startswith(f"#+end_{self._block}"):
            self._block = ""
            return LineKind.FIELD, 0
        if self._block in _PROSE:
            return LineKind.QUOTE, 1
        return (LineKind.FIELD if self._block == "comment" else LineKind.CODE), 0

    def _header_level(self, number: int, line: str) -> int:
        self._table += 1
        following = self._lines[number + 1]
        return int(self._table == 1 and not _RULER.match(line) and _RULER.match(following) is not None)

    def _set_metadata(self, name: str, value: str) -> None:
        metadata = self._lines.metadata
        if name == "title":  # may be given in several lines
            metadata["title"] = f"{metadata.get('title', '')} {value}".strip()
        elif name == "author":
            self._lines.set_metadata("author", value)
        elif name in ("filetags", "keywords"):
            self._lines.tags += value.replace(":", ",").split(",")
        elif name == "date":
            self._lines.set_metadata("created", value.strip("<>[]"))


def _plain(title: str) -> str:
    title = _PRIORITY.sub("", _STATE.sub("", _TAGS.sub("", " " + title).strip(), count=1), count=1)
    title = _LINK.sub(lambda link: link[1] or link[0].strip("[]"), title)
    return _EMPHASIS.sub(r"\2", title).strip()
