"""Builds a `Document` line by line; every reader uses it."""

import re
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from desktop_rag.documents.document import (
    Document,
    InlineMark,
    Line,
    LineKind,
    MailHeader,
    MarkKind,
    Message,
    OutlineEntry,
    Page,
    Section,
    Structure,
)
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.display import label_of

# Tags that a document gives itself: keywords of its metadata, and the #tags of notes.

MOST_TAGS = 256  # of one document
LONGEST_TAG = 50  # characters
_SEPARATOR = re.compile(r"[,;\n]")
_INLINE = re.compile(rf"(?:^|(?<=[\s(]))#([\w/-]{{1,{LONGEST_TAG}}})(?![\w/#-])")
_COLOR = re.compile(r"(?=.*\d)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_MOST_DIGITS = 8  # of a tag without letters, as a date has; longer numbers identify a filing or an order
_QUOTES = " \t\r\"'[]#"


def listed_tags(text: str) -> Iterator[str]:
    """Yield the tags of a list as metadata hold it, separated by commas, semicolons or lines: `[rent, "Mill Lane"]`."""
    for part in _SEPARATOR.split(text):
        if any(map(str.isalpha, part)) or sum(map(str.isdigit, part)) <= _MOST_DIGITS:
            yield part.strip(_QUOTES)


def inline_tags(text: str) -> Iterator[str]:
    """Yield the #tags in a text, without numbers (#12) and colours (#ff8800)."""
    for found in _INLINE.findall(text):
        if any(map(str.isalpha, found)) and not _COLOR.fullmatch(found):
            yield found.strip("/-")


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the first tags of reasonable length, each once in its first spelling; upper and lower case are equal."""
    found: dict[str, str] = {}
    for tag in tags:
        one = " ".join(tag.split())
        if one and len(one) <= LONGEST_TAG:
            found.setdefault(one.casefold(), one)
        if len(found) == MOST_TAGS:
            break
    return tuple(found.values())


_BOX = struct.Struct("4f")
_WITH_TARGET = (MarkKind.LINK, MarkKind.REPLACED)


class DocumentBuilder:
    """A document under construction; offsets in marks are relative to the line they are added with."""

    def __init__(self, format_name: str) -> None:
        self._format = format_name
        self._texts: list[str] = []
        self._kinds = bytearray()
        self._boxes = bytearray()  # of the lines up to the last one with a box
        self._length = 0  # of the text, with the newline after its last line
        self._pages: list[Page] = []
        self._sections: list[Section] = []
        self._outline: list[OutlineEntry] = []
        self._marks = array("i")
        self._links: dict[str, int] = {}
        self._textless: list[int] = []
        self._messages: list[Message] = []
        self._mails: list[MailHeader] = []
        self.title = ""
        self.author = ""
        self.created = ""
        self.modified = ""
        self.language = ""
        self.partial = ""
        self.partial_kind = ProblemKind.OTHER
        self.tags: list[str] = []  # in any spelling and number

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def characters(self) -> int:
        """Return the length of the text so far."""
        return self._length

    @property
    def section(self) -> str:
        """Return the label of the current section."""
        return self._sections[-1].label if self._sections else ""

    @property
    def last_kind(self) -> LineKind | None:
        """Return the kind of the last line, if there is one."""
        return LineKind(self._kinds[-1] & 15) if self._kinds else None

    def set_format(self, format_name: str) -> None:
        """Change the format, once the content of the file has shown which it is."""
        self._format = format_name

    def add(self, line: Line, marks: Sequence[InlineMark] = ()) -> None:
        """Append `line`; newlines in its text become spaces, as they would break the line numbers."""
        box = line.box
        if box is not None:
            if missing := len(self._texts) * _BOX.size - len(self._boxes):
                self._boxes += bytes(missing)
            self._boxes += _BOX.pack(box.x0, box.y0, box.x1, box.y1)
        self._texts.append(line.text.replace("\n", " ").replace("\r", " "))
        self._kinds.append(line.kind | min(line.level, 15) << 4)
        for mark in marks:
            self._mark(mark)
        self._length += len(line.text) + 1

    def add_row(self, cells: Sequence[str], *, header: bool = False) -> None:
        """Append a table row; tabs and line ends inside its cells become spaces. A `header` has no name twice."""
        is_certain = header and len(set(cells)) == len(cells)
        self.add(Line("\t".join(" ".join(cell.split()) for cell in cells), LineKind.ROW, int(is_certain)))

    def add_fields(self, fields: Mapping[str, str]) -> None:
        """Append a line for each field with a value."""
        for name, value in fields.items():
            if value:
                self.add(Line(f"{name}: {value}", LineKind.FIELD))

    def add_blank(self) -> None:
        """Append an empty line unless the document is empty or ends with one."""
        if self._kinds and self._kinds[-1] & 15 != LineKind.BLANK:
            self.add(Line("", LineKind.BLANK))

    def begin_page(self, width: float, height: float, *, textless: bool = False) -> None:
        """Start the next page; its lines follow. A `textless` page has no text layer."""
        number = len(self._pages) + 1
        self._pages.append(Page(number, len(self._texts) + 1, width, height))
        if textless:
            self._textless.append(number)

    def begin_section(self, label: str, *, apart: bool = False) -> None:
        """Start a section, after a blank line if `apart`; its lines follow. An empty section is replaced."""
        if apart:
            self.add_blank()
        first_line, label = len(self._texts) + 1, label_of(label)
        if self._sections and self._sections[-1].first_line == first_line:
            self._sections.pop()
        if not self._sections or self._sections[-1].label != label:
            self._sections.append(Section(first_line, label))

    def add_outline_entry(self, level: int, title: str, line: int | None = None) -> None:
        """Add an entry of the table of contents that points to `line`, by default the next line."""
        self._outline.append(OutlineEntry(line or len(self._texts) + 1, level, title))

    def add_message(self, first_line: int, message_id: str, answers: Sequence[str]) -> None:
        """Record that the lines from `first_line` on are the mail `message_id`, and the ids that it answers."""
        if message_id or answers:
            self._messages.append(Message(first_line, len(self._texts), message_id, tuple(answers)))

    def add_mail(self, header: MailHeader) -> None:
        """Record that the lines from `header.first_line` on belong to a mail; its `last_line` is set here."""
        self._mails.append(replace(header, last_line=len(self._texts)))

    def include(self, document: Document, label: str, deeper: int = 0) -> None:
        """Append another document as the section `label`, its headings `deeper` levels lower.

        Its own sections get `label` as a prefix, unless their labels have it already.
        """
        offset, first = self._length, len(self._texts)
        label = label_of(label)
        self.tags += document.tags
        self.begin_section(label)
        for section in document.structure.sections:
            inside = section.label if section.label.startswith(label) else f"{label} · {section.label}"
            if self._sections[-1].first_line == first + section.first_line:
                self._sections.pop()
            self._sections.append(Section(first + section.first_line, inside))
        for line in document.lines():
            level = line.level + deeper if line.kind is LineKind.HEADING else line.level
            self.add(Line(line.text, line.kind, level))
        for mark in document.structure.each_mark():
            self._mark(mark, offset)
        for mail in document.structure.messages:
            self._messages.append(replace(mail, first_line=first + mail.first_line, last_line=first + mail.last_line))
        for header in document.structure.mails:
            lines = first + header.first_line, first + header.last_line
            self._mails.append(replace(header, first_line=lines[0], last_line=lines[1]))

    def leave_out(self, reason: str, kind: ProblemKind) -> None:
        """Record why a part of the file is not in the document."""
        self.partial, self.partial_kind = reason, kind

    def build(self, if_empty: str = "", kind: ProblemKind = ProblemKind.EMPTY) -> Document:
        """Return the document collected so far.

        Raises `DocumentError` with `partial`, else with the sentence `if_empty`, if that is given and there is no text.
        """
        if if_empty and not self._length:
            raise DocumentError(self.partial or if_empty, self.partial_kind if self.partial else kind)
        return Document(
            format=self._format,
            text="\n".join(self._texts),
            kinds=bytes(self._kinds),
            title=self.title,
            author=self.author,
            created=self.created,
            modified=self.modified,
            language=self.language,
            pages=tuple(self._pages),
            boxes=bytes(self._boxes.ljust(len(self._texts) * _BOX.size, b"\0")) if self._boxes else b"",
            partial=self.partial,
            structure=Structure(
                tuple(self._sections),
                tuple(self._outline),
                self._marks.tobytes(),
                tuple(self._links),
                tuple(self._textless),
                tuple(self._messages),
                tuple(sorted(self._mails, key=lambda mail: mail.first_line)),
            ),
            tags=distinct_tags(self.tags),
            partial_kind=self.partial_kind,
        )

    def _mark(self, mark: InlineMark, offset: int | None = None) -> None:
        base = self._length if offset is None else offset
        link = self._links.setdefault(mark.target, len(self._links)) if mark.kind in _WITH_TARGET else -1
        self._marks.extend((base + mark.start, base + mark.end, int(mark.kind), link))
