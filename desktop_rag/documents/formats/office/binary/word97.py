"""The parts of a binary Word file ([MS-DOC]): its characters, and the properties of paragraphs and runs.

All offsets come from an untrusted file: reading beyond the data raises one of `mapi.BROKEN`.
"""

import struct
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Generic, TypedDict, TypeVar

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import with_bases
from desktop_rag.documents.formats.office.package import PROTECTED
from desktop_rag.documents.formats.office.symbol_fonts import is_symbol_font, symbol
from desktop_rag.errors import DocumentError, ProblemKind

T = TypeVar("T")

_PARTS = ("main", "notes", "headers", "macros", "comments", "endnotes", "boxes")
_PAGE = 512  # bytes of a formatted disk page
_COMPRESSED = 1 << 30
_MOST_CHARACTERS = 8  # for each byte of the main stream, which may be cut off
_ENCRYPTED = 0x0100
_TABLE_1 = 0x0200  # the table stream is 1Table, not 0Table
_STYLES, _NOTE_REFERENCES, _NOTES = 1, 2, 3
_COMMENT_REFERENCES, _COMMENTS, RUNS, _PARAGRAPHS, PIECES = 4, 5, 12, 13, 33
ENDNOTE_REFERENCES, _ENDNOTES = 46, 47
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)  # by the three highest bits of an opcode; 0: a length byte follows
_DEFINE_TABLE, _CHANGE_TABS = 0xD608, 0xC615  # whose lengths are written differently
IN_TABLE, ROW_END, _TABLE_DEPTH = 0x2416, 0x2417, 0x6649
_OUTLINE_LEVEL, _LIST_LEVEL, LIST = 0x2640, 0x260A, 0x460B
HIDDEN, DELETED = 0x083C, 0x0800
_SYMBOL, _FONT, _FONTS, _NAME_AT = 0x6A09, 0x4A4F, 15, 40
STRUCK, TWICE_STRUCK, MOVED = 0x0837, 0x2A53, 0x2A48
_RUN_STYLE, _POSITION, _OF_CHARACTERS, _LEAST_MOVED = 0x4A30, 0x4845, 2, 4  # a kind of style; half-points
_PLACES = {1: MarkKind.SUPERSCRIPT, 2: MarkKind.SUBSCRIPT}
_CELL, _MERGED, _VERTICAL, _GOES_ON = 20, 0x02, 0x60, 0x20  # bytes and flags of a cell
_BODY_LEVEL = 9  # outline level of text that is no heading
_TITLE = 62  # built-in style number


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """The properties of a paragraph: its style number, its place in a table, its outline and list level."""

    style: int = 0
    in_table: bool = False
    row_end: bool = False
    outline: int = _BODY_LEVEL  # from 0
    listed: bool = False
    list_level: int = 0
    edges: tuple[int, ...] = ()  # of the cells of a row, at its end
    below: tuple[bool, ...] = ()  # whether each continues the one above
    beside: tuple[bool, ...] = ()  # … or the one at the left


NO_FORMAT = ParagraphFormat()


@dataclass(frozen=True, slots=True)
class RunLook:
    """Whether a run is not shown, or was deleted under revision marks; whether it is raised, struck out, of symbols."""

    is_hidden: bool = False
    kinds: tuple[MarkKind, ...] = ()
    symbol: str = ""  # that stands in place of each of its letters
    font: str = ""  # of symbols


@dataclass(frozen=True, slots=True)
class WordNote:
    """A footnote, endnote or comment: where the text refers to it, its own range of characters, and who wrote it."""

    at: int
    first: int
    last: int
    author: str = ""


class Word97File:
    """The streams of a Word file; characters are addressed by their position (CP) in the whole text."""

    _counts, _first_pair = 76, 154  # offsets of the lengths of the parts, and of the (offset, length) pairs of tables
    _paragraph_entry, _comment_entry = 13, 30  # bytes

    def __init__(self, main: bytes, table_0: bytes, table_1: bytes) -> None:
        """Read the header; raises `DocumentError` if it is encrypted, `BROKEN` if it is damaged."""
        self._main = main
        (self._flags,) = struct.unpack_from("<H", main, 10)
        if self._flags & _ENCRYPTED:
            raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
        self._table = table_1 if self._flags & _TABLE_1 else table_0
        counts = struct.unpack_from("<8I", main, self._counts)
        self.lengths = dict(zip(_PARTS, counts, strict=False))
        self._starts, self._pieces = self._read_pieces()

    def shown(self, text: str) -> str:
        """Return a part of `text()` for display: surrogate pairs joined, single surrogates replaced by U+FFFD."""
        return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def text(self, first: int, last: int) -> str:
        """Return the characters from `first` to `last`, the end excluded."""
        parts: list[str] = []
        index = max(bisect_right(self._starts, first) - 1, 0)
        while index < len(self._pieces) and self._starts[index] < last:
            begin, end = max(first, self._starts[index]), min(last, self._starts[index + 1])
            offset, size = self._pieces[index]
            start = offset + (begin - self._starts[index]) * size
            data = self._main[start : start + (end - begin) * size]
            decoded = data.decode("utf-16-le", "replace") if size == 2 else data.decode("cp1252", "replace")
            parts.append(decoded.ljust(end - begin, "\x00") if size == 1 else _aligned(data, end - begin))
            index += 1
        return "".join(parts)

    def offset(self, position: int) -> int:
        """Return the offset in the main stream of the character at `position`."""
        index = max(bisect_right(self._starts, position) - 1, 0)
        offset, size = self._pieces[index]
        return offset + (position - self._starts[index]) * size

    def start(self, part: str) -> int:
        """Return the position of the first character of a part of the text, such as “notes”."""
        names = list(self.lengths)
        return sum(self.lengths[name] for name in names[: names.index(part)])

    def paragraph_formats(self) -> "Formats[ParagraphFormat]":
        """Return the formats of paragraphs by offset."""
        found: Formats[ParagraphFormat] = Formats(NO_FORMAT)
        for page in self._pages(_PARAGRAPHS):
            for first, last, place in _entries(page, self._paragraph_entry):
                found.add(first, last, self._paragraph_format(self._paragraph_properties(page, place)))
        return found

    def run_looks(self) -> "Formats[RunLook]":
        """Return by offset how text looks."""
        found, fonts = Formats(RunLook()), self._symbol_fonts()
        try:
            styles = self._run_styles()
        except (struct.error, IndexError):
            styles = {}
        for page in self._pages(RUNS):
            for first, last, place in _entries(page, 1):
                size = page[place] if place else 0
                properties = dict(self._properties(page[place + 1 : place + 1 + size]))
                properties = styles.get(int.from_bytes(properties.get(_RUN_STYLE, b""), "little"), {}) | properties
                hidden, struck = (
                    any(properties.get(code, b"")[:1] == b"\x01" for code in codes)
                    for codes in ((HIDDEN, DELETED), (STRUCK, TWICE_STRUCK))
                )
                kinds = [MarkKind.STRIKETHROUGH] if struck else []
                position = int.from_bytes(properties.get(_POSITION, b""), "little", signed=True)
                by_position = (position >= _LEAST_MOVED) + 2 * (position <= -_LEAST_MOVED)
                if moved := _PLACES.get(properties.get(MOVED, b"\0")[0] or by_position):
                    kinds.append(moved)
                font = fonts.get(int.from_bytes(properties.get(_FONT, b"\xff\xff"), "little"), "")
                shown = properties.get(_SYMBOL, b"")
                sign = symbol(int.from_bytes(shown[2:], "little"), fonts.get(shown[0], "")) if len(shown) == 4 else ""
                if hidden or kinds or font or sign:
                    found.add(first, last, RunLook(hidden, tuple(kinds), sign, font))
        return found

    def _symbol_fonts(self) -> dict[int, str]:
        """Return the names of the fonts of symbols by their numbers."""
        data, at, found = self._pair(_FONTS), 4, dict[int, str]()
        for number in range(int.from_bytes(data[:2], "little")):
            if at >= len(data):
                break
            end = at + 1 + data[at]
            name = data[at + _NAME_AT : end].decode("utf-16-le", "replace").partition("\0")[0]
            if is_symbol_font(name):
                found[number] = name
            at = end
        return found

    def _run_styles(self) -> dict[int, dict[int, bytes]]:
        """Return the properties of each style of characters, with those of the styles that it is based on."""
        data = self._pair(_STYLES)
        header, count, base_size = struct.unpack_from("<3H", data, 0)
        offset, own = 2 + header, dict[int, tuple[int, dict[int, bytes]]]()
        for style in range(count):
            (size,) = struct.unpack_from("<H", data, offset)
            start, offset = offset + 2, offset + 2 + size + (size & 1)
            kind = struct.unpack_from("<H", data, start + 2)[0] if size >= base_size else 0
            if kind & 0xF != _OF_CHARACTERS:
                continue
            named = data[start + base_size : start + size]
            given = named[4 + 2 * int.from_bytes(named[:2], "little") :]  # behind its name
            own[style] = kind >> 4, dict(self._properties(given[2:][: int.from_bytes(given[:2], "little")]))
        families = {style: with_bases(own, style, itemgetter(0)) for style in own}
        return {style: dict(ChainMap(*(given for _, given in family))) for style, family in families.items()}

    def heading_levels(self) -> dict[int, int]:
        """Return the heading level (from 1) of each style that is a heading or based on one; titles have level 1."""
        data = self._pair(_STYLES)
        (header,) = struct.unpack_from("<H", data, 0)
        count, base_size = struct.unpack_from("<2H", data, 2)
        offset, own = 2 + header, dict[int, tuple[int, int]]()
        for style in range(count):
            (size,) = struct.unpack_from("<H", data, offset)
            if size >= min(base_size, 4):
                built_in, based = struct.unpack_from("<2H", data, offset + 2)
                number = built_in & 0xFFF
                own[style] = based >> 4, number if 1 <= number <= 9 else 1 if number == _TITLE else 0
            offset += 2 + size + (size & 1)
        levels = ((style, (level for _, level in with_bases(own, style, itemgetter(0)) if level)) for style in own)
        return {style: level for style, above in levels if (level := next(above, 0))}

    def notes(self, part: str) -> list[WordNote]:
        """Return the “notes”, “endnotes” or “comments” in the order of their references."""
        references, texts = {
            "notes": (_NOTE_REFERENCES, _NOTES),
            "endnotes": (ENDNOTE_REFERENCES, _ENDNOTES),
            "comments": (_COMMENT_REFERENCES, _COMMENTS),
        }[part]
        size = self._comment_entry if part == "comments" else 2
        data, ends = self._pair(references), self._pair(texts)
        count = max(0, (len(data) - 4) // (4 + size))
        places = struct.unpack_from(f"<{count}I", data) if count else ()
        bounds = struct.unpack_from(f"<{len(ends) // 4}I", ends)
        start, found = self.start(part), list[WordNote]()
        for number, at in enumerate(places):
            if number + 1 < len(bounds) and bounds[number] <= bounds[number + 1] <= self.lengths[part]:
                author = self._initials(data, 4 * (count + 1) + size * number) if part == "comments" else ""
                found.append(WordNote(at, start + bounds[number], start + bounds[number + 1], author))
        return found

    def _pair(self, index: int) -> bytes:
        offset, size = struct.unpack_from("<2I", self._main, self._first_pair + 8 * index)
        return self._table[offset : offset + size]

    def _read_pieces(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the first position of each piece (and the end of the last), and its offset and bytes a character."""
        data, at = self._pair(PIECES), 0
        while data[at] == 1:  # properties that pieces refer to
            at += 3 + struct.unpack_from("<H", data, at + 1)[0]
        if data[at] != 2:
            raise ValueError
        (size,) = struct.unpack_from("<I", data, at + 1)
        count = (min(size, len(data) - at - 5) - 4) // 12
        starts = list(struct.unpack_from(f"<{count + 1}I", data, at + 5))
        if count < 1 or starts != sorted(starts) or starts[-1] > _MOST_CHARACTERS * len(self._main):
            raise ValueError
        pieces: list[tuple[int, int]] = []
        for number in range(count):
            (offset,) = struct.unpack_from("<I", data, at + 5 + 4 * (count + 1) + 8 * number + 2)
            pieces.append(self._piece(offset))
        return starts, pieces

    def _piece(self, offset: int) -> tuple[int, int]:
        """Return the offset of a piece in the main stream, and its bytes a character."""
        compressed = bool(offset & _COMPRESSED)
        offset &= _COMPRESSED - 1
        return (offset // 2, 1) if compressed else (offset, 2)

    def _pages(self, index: int) -> Iterator[bytes]:
        for number in set(self._page_numbers(index)):
            page = self._main[number * _PAGE :][:_PAGE]
            if len(page) == _PAGE:
                yield page

    def _page_numbers(self, index: int) -> list[int]:
        data = self._pair(index)
        count = max(0, (len(data) - 4) // 8)
        return [number & 0x3FFFFF for number in struct.unpack_from(f"<{count}I", data, 4 * (count + 1) if count else 0)]

    @staticmethod
    def _paragraph_properties(page: bytes, place: int) -> bytes:
        if not place:
            return b""
        size = page[place]
        return page[place + 1 : place + 2 * size] if size else page[place + 2 : place + 2 + 2 * page[place + 1]]

    def _paragraph_format(self, data: bytes) -> ParagraphFormat:
        if len(data) < 2:
            return NO_FORMAT
        found = dict(self._properties(data[2:]))

        def value(code: int, otherwise: int = 0) -> int:
            return int.from_bytes(found[code], "little") if code in found else otherwise

        return ParagraphFormat(
            int.from_bytes(data[:2], "little"),
            in_table=bool(value(IN_TABLE)) or value(_TABLE_DEPTH) > 0,
            row_end=bool(value(ROW_END)),
            outline=value(_OUTLINE_LEVEL, _BODY_LEVEL),
            listed=value(LIST) not in (0, 0xF801),
            list_level=value(_LIST_LEVEL) % 9,
            **_cells_of(found.get(_DEFINE_TABLE, b"")),
        )

    @staticmethod
    def _properties(data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield code and operand of each property modifier."""
        at = 0
        while at + 2 <= len(data):
            (code,) = struct.unpack_from("<H", data, at)
            at += 2
            size = _OPERAND_BYTES[code >> 13]
            if not size:
                if at >= len(data):
                    return
                if code == _DEFINE_TABLE:
                    size, at = int.from_bytes(data[at : at + 2], "little") - 1, at + 2
                elif code == _CHANGE_TABS and data[at] == 255:
                    return
                else:
                    size, at = data[at], at + 1
            yield code, data[at : at + size]
            at += max(size, 0)

    @staticmethod
    def _initials(data: bytes, at: int) -> str:
        (length,) = struct.unpack_from("<H", data, at)
        return data[at + 2 : at + 2 + 2 * min(length, 9)].decode("utf-16-le", "replace").strip("\x00 ")


class _Cells(TypedDict, total=False):
    edges: tuple[int, ...]
    below: tuple[bool, ...]
    beside: tuple[bool, ...]


def _cells_of(definition: bytes) -> _Cells:
    """Return what the definition of a row says of its cells."""
    count = definition[0] if definition else 0
    first = 1 + 2 * (count + 1)
    if not count or len(definition) < first:
        return {}
    flags = [int.from_bytes(definition[at : at + 2], "little") for at in range(first, first + _CELL * count, _CELL)]
    return _Cells(
        edges=struct.unpack_from(f"<{count + 1}h", definition, 1),
        below=tuple(each & _VERTICAL == _GOES_ON for each in flags),
        beside=tuple(bool(each & _MERGED) for each in flags),
    )


class Formats(Generic[T]):
    """Values by ranges of offsets."""

    def __init__(self, default: T) -> None:
        self._default = default
        self._ranges: list[tuple[int, int, T]] = []
        self._sorted = True

    def add(self, first: int, last: int, value: T) -> None:
        """Add the value of the offsets from `first` to `last`, the end excluded."""
        self._ranges.append((first, last, value))
        self._sorted = False

    def are_in(self, first: int, last: int) -> bool:
        """Return whether offsets from `first` to `last` may have other values than the default."""
        index = self._index(last)
        return index >= 0 and self._ranges[index][1] > first

    def _index(self, offset: int) -> int:
        if not self._sorted:
            self._ranges.sort(key=lambda each: each[0])
            self._sorted = True
        return bisect_right(self._ranges, offset, key=lambda each: each[0]) - 1

    def at(self, offset: int) -> T:
        """Return the value at an offset."""
        index = self._index(offset)
        if index >= 0 and self._ranges[index][1] > offset:
            return self._ranges[index][2]
        return self._default


def _aligned(data: bytes, length: int) -> str:
    """Return UTF-16 text with one character for each unit: surrogate pairs stay two, joined later."""
    units = struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])
    return "".join(map(chr, units)).ljust(length, "\x00")


def _entries(page: bytes, width: int) -> Iterator[tuple[int, int, int]]:
    """Yield the first and last offset of each run of a page, and the place of its properties, 0 for none."""
    count = page[_PAGE - 1]
    if 4 * (count + 1) + width * count > _PAGE:
        return
    offsets = struct.unpack_from(f"<{count + 1}I", page)
    for number in range(count):
        yield offsets[number], offsets[number + 1], 2 * page[4 * (count + 1) + width * number]
