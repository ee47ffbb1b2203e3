"""Reads binary presentations of PowerPoint 97 to 2003 ([MS-PPT]): slides in order, with notes; of 95 the words."""

import io
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import olefile

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import detect_code_page
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import HIDDEN_PART, append_words
from desktop_rag.documents.formats.office.package import NO_TEXT, PROTECTED, read_ole_metadata
from desktop_rag.documents.formats.source_file import TOO_DEEP, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.raised import lowered, raised

DAMAGED = "This file is damaged or not a PowerPoint file."
_DOCUMENT, _SLIDE, _NOTES, _DRAWING = 0x03E8, 0x03EE, 0x03F0, 0x040C
_SLIDE_LIST, _SLIDE_PLACE, _NOTES_OF, _SLIDE_FACTS = 0x0FF0, 0x03F3, 0x03F1, 0x03F9
_TEXT_KIND, _UNICODE, _BYTES, _OUTLINE_TEXT = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E
_LOOKS = 0x0FA1
_OF_LINES = ((0xF, 2), (0x20, 4), *((1 << bit, 2) for bit in (4, 6, 7, 8, *range(10, 16))))  # mask, size
_TABS, _BEHIND_TABS = 1 << 20, ((1 << 16, 2), (0xE0000, 2), (1 << 21, 2))
_BEFORE_PLACE = ((0x3EB7, 2), *((1 << bit, 2) for bit in (16, 21, 22, 23, 17)), (1 << 18, 4))
_PLACE = 1 << 19  # above or below the line
_EDIT, _PLACES, _ENCRYPTION = 0x0FF5, 0x1772, 0x2F14
_ENCRYPTED_TOKEN = 0xF3D1C4DF
_SLIDES, _NOTES_PAGES = 0, 2  # instances of the slide list
_TITLES = (0, 6)  # kinds of text
_PAGE_NUMBER = "*"  # the placeholder of a number
_HIDDEN = 4  # bit of the facts about showing a slide
_MAX_DEPTH, _MAX_EDITS = 40, 10_000
_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n"})


@dataclass(frozen=True, slots=True)
class _Record:
    """A record: its instance, its kind, and the range of its contents."""

    instance: int
    kind: int
    first: int
    last: int
    holds_records: bool


@dataclass(slots=True)
class _Text:
    """A text of a slide, of a kind such as title or body."""

    kind: int
    words: str


@dataclass(slots=True)
class _Page:
    """A slide or a notes page in the list of the presentation."""

    place: int  # number in the table of places
    number: int  # by which notes refer to it
    texts: list[_Text] = field(default_factory=list)


def read_ppt(source: SourceFile) -> Document:
    """Return the text of a .ppt file; raises `DocumentError` if it is damaged, protected or too old."""
    builder = DocumentBuilder(Format.SLIDES)
    with source.keep_partial(builder, DAMAGED):
        ole = olefile.OleFileIO(io.BytesIO(source.data))
        if not ole.exists(_STREAM):
            raise DocumentError("This file was saved by PowerPoint 4 or earlier; save it as .pptx to have it read.")
        place = f"{_BOTH}/" if ole.exists(_BOTH) else ""
        user = ole.openstream(f"{place}Current User").read() if ole.exists(f"{place}Current User") else b""
        if user[12:16] == _ENCRYPTED_TOKEN.to_bytes(4, "little"):
            raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
        read_ole_metadata(ole, builder)
        if ole.exists(_WORDS_95) and not place:
            _append_words_95(ole.openstream(_WORDS_95).read(), source, builder)
        else:
            _Presentation(ole.openstream(f"{place}{_STREAM}").read(), user, source, builder).read()
    return builder.build(NO_TEXT)


_STREAM = "PowerPoint Document"
_WORDS_95 = "Text_Content"  # of PowerPoint 95: all words of the slides in order
_BOTH = "PP97_DUALSTORAGE"  # the folder of the streams of PowerPoint 97 in a file for 95 and 97


def _append_words_95(data: bytes, source: SourceFile, builder: DocumentBuilder) -> None:
    for line in data.decode(detect_code_page(data) or "cp1252", "replace").translate(_BREAKS).split("\n"):
        source.budget.check(builder.characters)
        append_words(builder, "".join(sign if sign >= " " else " " for sign in line), LineKind.PARAGRAPH)


class _Presentation:
    def __init__(self, data: bytes, user: bytes, source: SourceFile, builder: DocumentBuilder) -> None:
        self._data = data
        self._budget = source.budget
        self._builder = builder
        self._places = self._table_of_places(user)

    def read(self) -> None:
        """Append the slides in order; one whose place is not known has the texts of the list."""
        document = next((record for record in self._records(0, len(self._data)) if record.kind == _DOCUMENT), None)
        if document is None:
            raise ValueError
        slides = list(self._pages(document, _SLIDES))
        notes = {number: text for page in self._pages(document, _NOTES_PAGES) for number, text in self._notes(page)}
        for count, slide in enumerate(slides, start=1):
            self._budget.check(self._builder.characters)
            self._slide(slide, count, notes.get(slide.number, ""))

    def _slide(self, slide: _Page, count: int, notes: str) -> None:
        texts, hidden = self._texts_of(slide)
        self._builder.begin_section(f"Slide {count}" + (HIDDEN_PART if hidden else ""), apart=True)
        titles = [text for text in texts if text.kind in _TITLES and text.words.strip()]
        for text in titles:
            title = append_words(self._builder, " ".join(text.words.split()), LineKind.HEADING, 2)
            self._builder.title = self._builder.title or title
        for text in texts:
            if text not in titles:
                for line in text.words.split("\n"):
                    append_words(self._builder, line, LineKind.PARAGRAPH)
        append_words(self._builder, " ".join(notes.split()), LineKind.QUOTE, 1, "Notes:")

    def _texts_of(self, slide: _Page) -> tuple[list[_Text], bool]:
        """Return the texts of a slide in the order of its shapes, and whether it is hidden."""
        record = self._record_at(self._places.get(slide.place, -1))
        if record is None or record.kind != _SLIDE:
            return slide.texts, False
        texts: list[_Text] = []
        hidden, kind = False, -1
        for inner in self._within(record):
            if inner.kind == _SLIDE_FACTS and inner.last - inner.first >= 12:
                hidden = bool(struct.unpack_from("<H", self._data, inner.first + 10)[0] & _HIDDEN)
            elif inner.kind == _TEXT_KIND:
                (kind,) = struct.unpack_from("<I", self._data, inner.first)
            elif inner.kind in (_UNICODE, _BYTES):
                texts.append(_Text(kind, self._words(inner)))
            elif inner.kind == _OUTLINE_TEXT:
                (index,) = struct.unpack_from("<I", self._data, inner.first)
                texts += slide.texts[index : index + 1]
        known = {id(text) for text in texts}
        return [*texts, *(text for text in slide.texts if id(text) not in known)], hidden

    def _notes(self, page: _Page) -> Iterator[tuple[int, str]]:
        """Yield the number of the slide of a notes page, and the notes."""
        record = self._record_at(self._places.get(page.place, -1))
        if record is None or record.kind != _NOTES:
            return
        number, parts = 0, list[str]()
        for inner in self._within(record):
            if inner.kind == _NOTES_OF:
                (number,) = struct.unpack_from("<I", self._data, inner.first)
            elif inner.kind in (_UNICODE, _BYTES) and (words := self._words(inner)).strip() != _PAGE_NUMBER:
                parts.append(words)
        yield number, "\n".join(parts)

    def _pages(self, document: _Record, instance: int) -> Iterator[_Page]:
        lists = (r for r in self._records(document.first, document.last) if r.kind == _SLIDE_LIST)
        for listed in lists:
            if listed.instance != instance:
                continue
            page: _Page | None = None
            kind = -1
            for record in self._records(listed.first, listed.last):
                if record.kind == _SLIDE_PLACE:
                    if page:
                        yield page
                    place, number = struct.unpack_from("<I8xI", self._data, record.first)
                    page = _Page(place, number)
                elif record.kind == _TEXT_KIND:
                    (kind,) = struct.unpack_from("<I", self._data, record.first)
                elif record.kind in (_UNICODE, _BYTES) and page:
                    page.texts.append(_Text(kind, self._words(record)))
            if page:
                yield page

    def _words(self, record: _Record) -> str:
        data = self._data[record.first : record.last]
        text = data.decode("utf-16-le" if record.kind == _UNICODE else "latin-1", "replace")
        looks = self._record_at(record.last)
        if looks is not None and looks.kind == _LOOKS:
            text = _with_places(text, self._data[looks.first : looks.last])
        return "".join(c for c in text.translate(_BREAKS) if c >= " " or c in "\n\t")

    def _table_of_places(self, user: bytes) -> dict[int, int]:
        """Return the offsets of slides and notes, the newest edit first."""
        places: dict[int, int] = {}
        at = int.from_bytes(user[16:20], "little") if len(user) >= 20 else 0
        read: set[int] = set()
        for _ in range(_MAX_EDITS):
            edit = self._record_at(at)
            if edit is None or edit.kind != _EDIT:
                break
            last, directory = struct.unpack_from("<8x2I", self._data, edit.first)
            table = self._record_at(directory)
            if table is not None and table.kind == _PLACES and directory not in read:
                read.add(directory)
                for number, offset in self._listed_places(table):
                    places.setdefault(number, offset)
            if not last or last >= at:
                break
            at = last
        return places

    def _listed_places(self, table: _Record) -> Iterator[tuple[int, int]]:
        at = table.first
        while at + 4 <= table.last:
            self._budget.check()
            (head,) = struct.unpack_from("<I", self._data, at)
            first, count = head & 0xFFFFF, min(head >> 20, (table.last - at - 4) // 4)
            for index in range(count):
                yield first + index, struct.unpack_from("<I", self._data, at + 4 + 4 * index)[0]
            at += 4 + 4 * (head >> 20)

    def _record_at(self, offset: int) -> _Record | None:
        if not 0 <= offset <= len(self._data) - 8:
            return None
        head, kind, size = struct.unpack_from("<2HI", self._data, offset)
        first = offset + 8
        return _Record(head >> 4, kind, first, min(first + size, len(self._data)), (head & 15) == 15)

    def _records(self, first: int, last: int) -> Iterator[_Record]:
        while first + 8 <= last and (record := self._record_at(first)) is not None:
            self._budget.check()
            yield record
            first = record.last

    def _within(self, record: _Record, depth: int = 0) -> Iterator[_Record]:
        """Yield all records inside one, at any depth."""
        if depth > _MAX_DEPTH:
            raise ReadLimitReached(TOO_DEEP)
        for inner in self._records(record.first, record.last):
            yield inner
            if inner.holds_records:
                yield from self._within(inner, depth + 1)


def _with_places(text: str, looks: bytes) -> str:
    """Return a text with its raised and lowered figures; the looks of its lines come first, then those of its runs."""
    at, start, left = 0, 0, len(text) + 1
    shown: list[str] = []
    try:
        while left > 0:
            count, masks = struct.unpack_from("<I2xI", looks, at)
            at += 10 + _size(masks, _OF_LINES)
            if masks & _TABS:
                at += 2 + 4 * struct.unpack_from("<H", looks, at)[0]
            at += _size(masks, _BEHIND_TABS)
            left -= max(1, count)
        while start < len(text):
            count, masks = struct.unpack_from("<2I", looks, at)
            at += 8 + _size(masks, _BEFORE_PLACE)
            place = 0
            if masks & _PLACE:
                (place,) = struct.unpack_from("<h", looks, at)
                at += 2
            piece = text[start : start + max(1, count)]
            shown.append(raised(piece, "".join(shown[-2:])) if place > 0 else lowered(piece) if place < 0 else piece)
            start += max(1, count)
    except struct.error:  # the rest looks like all text
        return "".join(shown) + text[start:]
    return "".join(shown)


def _size(masks: int, fields: Sequence[tuple[int, int]]) -> int:
    """Return the size of the fields that are there."""
    return sum(size for mask, size in fields if masks & mask)
