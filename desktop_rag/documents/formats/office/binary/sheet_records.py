"""Reads from the records of .xls ([MS-XLS]) and .xlsb files ([MS-XLSB]) how cells look: formats, hidden, merged.

Both have the same things in records of another form; the values of the cells are calamine's.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from pathlib import PurePath

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import codec_name
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words
from desktop_rag.documents.formats.office.hidden.hidden_cells import HiddenCells
from desktop_rag.documents.formats.office.number_formats import (
    NumberFormat,
    format_value,
    formats_of_styles,
    parse_format_code,
)
from desktop_rag.documents.formats.office.package import NO_TEXT, PROTECTED
from desktop_rag.documents.formats.office.sheet_cells import Formats, Range, no_value, shortened, words_of
from desktop_rag.documents.formats.office.sheet_lines import append_sheet, column_name, rows_of
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Texts of .xls ([MS-XLS] 2.4.265) and .xlsb files ([MS-XLSB] 2.5.121) whose words look unlike each other.

Looks = Mapping[int, tuple[MarkKind, ...]]  # by the number of a font
Runs = Sequence[tuple[int, int]]  # where each begins, and its font

_STRUCK = 0x08
_MOVED = {1: MarkKind.SUPERSCRIPT, 2: MarkKind.SUBSCRIPT}
_WIDE, _HAS_SOUNDS, _IS_RICH = 1, 4, 8


def look_of_font(flags: int, script: int) -> tuple[MarkKind, ...]:
    """Return how the letters of a font look, by its flags and what it says of their place."""
    struck = (MarkKind.STRIKETHROUGH,) if flags & _STRUCK else ()
    return (*struck, _MOVED[script]) if script in _MOVED else struck


def xls_rich_texts(parts: Sequence[bytes], looks: Looks) -> dict[int, str]:
    """Return the texts with such fonts from the record with all texts of a workbook and those that continue it."""
    found: dict[int, str] = {}
    reader = _Reader(parts)
    try:
        _, count = struct.unpack("<2I", reader.take(8))
        for number in range(count):
            text, runs = reader.text()
            if any(looks.get(font) for _, font in runs):
                found[number] = _shown(text, runs, looks)
    except struct.error:
        pass
    return found


def xlsb_rich_texts(records: Iterable[bytes], looks: Looks) -> dict[int, str]:
    """Return the texts with such fonts from the records of the texts of a workbook."""
    found: dict[int, str] = {}
    for number, data in enumerate(records):
        if not data or not data[0] & 1 or len(data) < 9:
            continue
        (length,) = struct.unpack_from("<I", data, 1)
        end = 5 + 2 * length
        if end + 4 > len(data):
            continue
        (count,) = struct.unpack_from("<I", data, end)
        runs = list(struct.iter_unpack("<2H", data[end + 4 : end + 4 + 4 * min(count, (len(data) - end - 4) // 4)]))
        if any(looks.get(font) for _, font in runs):
            found[number] = _shown(data[5:end].decode("utf-16-le", "replace"), runs, looks)
    return found


def _shown(text: str, runs: Runs, looks: Looks) -> str:
    starts = [0, *(start for start, _ in runs), len(text)]
    fonts = [-1, *(font for _, font in runs)]
    pieces = zip(starts, starts[1:], fonts, strict=False)
    return words_of((text[start:end], looks.get(font, ())) for start, end, font in pieces if start < end)


class _Reader:
    """Reads texts that go on in further records: of their letters, each such part says anew how wide they are."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        self._parts: Iterator[bytes] = iter(parts)
        self._part = next(self._parts, b"")
        self._at = 0

    def text(self) -> tuple[str, Runs]:
        """Return the next text and its runs."""
        length, flags = struct.unpack("<HB", self.take(3))
        count = struct.unpack("<H", self.take(2))[0] if flags & _IS_RICH else 0
        sounds = struct.unpack("<I", self.take(4))[0] if flags & _HAS_SOUNDS else 0
        text = self._letters(length, flags & _WIDE)
        runs = list(struct.iter_unpack("<2H", self.take(4 * count)))
        self.take(sounds)
        return text, runs

    def take(self, size: int) -> bytes:
        """Return the next bytes; raises `struct.error` if there are none."""
        taken = bytearray()
        while len(taken) < size:
            piece = self._part[self._at : self._at + size - len(taken)]
            taken += piece
            self._at += len(piece)
            if len(taken) < size:
                self._go_on()
        return bytes(taken)

    def _letters(self, length: int, wide: int) -> str:
        letters: list[str] = []
        while length:
            if self._at >= len(self._part):
                self._go_on()
                wide = self.take(1)[0] & _WIDE
            piece = self._part[self._at : self._at + length * (1 + wide)]
            self._at += len(piece)
            length -= max(1, len(piece) // (1 + wide))
            letters.append(piece.decode("utf-16-le" if wide else "latin-1", "replace"))
        return "".join(letters)

    def _go_on(self) -> None:
        self._part, self._at = next(self._parts, b""), 0
        if not self._part:
            raise struct.error


Record = tuple[int, bytes]  # kind, contents

_FORMAT, _STYLE, _FONT, _TEXTS, _GOES_ON = 0x041E, 0x00E0, 0x0031, 0x00FC, 0x003C
_TEXT, _FORMULA = 0x00FD, 0x0006
_VALUES = frozenset((0x0203, 0x027E, 0x00FD, 0x0204, 0x0006, 0x0205))  # one cell each
_SEVERAL, _ROW, _COLUMNS = 0x00BD, 0x0208, 0x007D
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01
_NO_RESULT = b"\x03" + bytes(5) + b"\xff\xff"  # of all formulas, where a program left calculating to another

_B_FORMAT, _B_STYLE, _B_STYLES, _B_END_STYLES, _B_FONT = 44, 47, 617, 618, 43
_B_TEXT, _B_TEXT_CELL = 19, 7
_B_ROW, _B_CELLS, _B_COLUMNS, _B_MERGED = 0, range(1, 12), 60, 176
_B_SHEET, _B_HIDDEN_ROW = 156, 0x10
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class BookLooks:
    """The formats of a workbook by cell style, and its texts of several looks by their numbers."""

    formats: dict[int, NumberFormat] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class SheetLook:
    """How the cells of a sheet look; `texts` are those that are not as calamine reads them."""

    formats: Formats = field(default_factory=dict)
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    hidden: HiddenCells = field(default_factory=HiddenCells)


def xls_looks(records: Iterable[Record]) -> BookLooks:
    """Return the looks of an .xls file, from its first records."""
    codes, styles, fonts = dict[int, str](), list[tuple[int, int]](), list[tuple[MarkKind, ...]]()
    texts, before = list[bytes](), 0
    for kind, data in records:
        if kind == _FORMAT and len(data) > 5:
            number, length, wide = struct.unpack_from("<HHB", data)
            coding = "utf-16-le" if wide & 1 else "latin-1"
            codes[number] = data[5 : 5 + length * (1 + (wide & 1))].decode(coding, "replace")
        elif kind == _STYLE and len(data) >= 4:
            font, code = struct.unpack_from("<2H", data)
            styles.append((code, font))
        elif kind == _FONT and len(data) >= 10:
            fonts += [()] if len(fonts) == 4 else []  # a font that no file has
            fonts.append(look_of_font(data[2], data[8]))
        elif kind == _TEXTS or (kind == _GOES_ON and before == _TEXTS):
            texts.append(data)
            kind = _TEXTS
        before = kind
    return _looks(codes, styles, fonts, lambda looks: xls_rich_texts(texts, looks))


def _looks(
    codes: dict[int, str],
    styles: list[tuple[int, int]],
    fonts: list[tuple[MarkKind, ...]],
    texts: Callable[[Looks], dict[int, str]],
) -> BookLooks:
    looks = {number: look for number, look in enumerate(fonts) if look}
    struck = {number for number, look in looks.items() if MarkKind.STRIKETHROUGH in look}
    return BookLooks(formats_of_styles(codes, styles, struck), texts(looks) if looks else {})


def xls_look(records: Iterable[Record], book: BookLooks) -> SheetLook:
    """Return how the cells of a sheet of an .xls file look; formulas without any result say so."""
    look, formats = SheetLook(), book.formats
    formulas: list[tuple[int, int]] = []
    are_stored = False
    for kind, data in records:
        if kind in _VALUES and len(data) >= 6:
            row, column, style = struct.unpack_from("<3H", data)
            _format(look, row, column, formats.get(style))
            if kind == _TEXT and (text := book.texts.get(int.from_bytes(data[6:10], "little"))):
                look.texts[row + 1, column] = text
            elif kind == _FORMULA:
                formulas.append((row + 1, column))
                are_stored |= data[6:14] != _NO_RESULT
        elif kind == _SEVERAL and len(data) >= 6:
            row, column = struct.unpack_from("<2H", data)
            for number in range((len(data) - 6) // 6):
                _format(look, row, column + number, formats.get(struct.unpack_from("<H", data, 4 + 6 * number)[0]))
        elif kind == _ROW and len(data) >= 14 and data[12] & _HIDDEN_ROW:
            look.hidden.rows.add(struct.unpack_from("<H", data)[0] + 1)
        elif kind == _COLUMNS and len(data) >= 10 and data[8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<2H", data)
            look.hidden.columns.update(range(first, last + 1))
    if not are_stored:
        look.texts |= dict.fromkeys(formulas, no_value(""))
    return look


def xlsb_looks(styles: bytes, texts: bytes) -> BookLooks:
    """Return the looks of an .xlsb file, from its parts with styles and texts."""
    codes, kinds, fonts = dict[int, str](), list[tuple[int, int]](), list[tuple[MarkKind, ...]]()
    in_styles = False
    for kind, record in xlsb_records(styles):
        if kind == _B_FORMAT and len(record) >= 6:
            number, length = struct.unpack_from("<HI", record)
            codes[number] = record[6 : 6 + 2 * min(length, len(record))].decode("utf-16-le", "replace")
        elif kind in (_B_STYLES, _B_END_STYLES):
            in_styles = kind == _B_STYLES
        elif kind == _B_STYLE and in_styles and len(record) >= 6:
            code, font = struct.unpack_from("<2H", record, 2)
            kinds.append((code, font))
        elif kind == _B_FONT and len(record) >= 8:
            fonts.append(look_of_font(record[2], record[6]))
    items = (record for kind, record in xlsb_records(texts) if kind == _B_TEXT)
    return _looks(codes, kinds, fonts, lambda looks: xlsb_rich_texts(items, looks))


def xlsb_sheets(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet of an .xlsb file and the relationship of its part."""
    for kind, record in xlsb_records(data):
        if kind == _B_SHEET and len(record) >= 16:
            (length,) = struct.unpack_from("<I", record, 8)
            identifier, rest = record[12 : 12 + 2 * length], record[12 + 2 * length :]
            yield rest[4:].decode("utf-16-le", "replace"), identifier.decode("utf-16-le", "replace")


def xlsb_look(data: bytes, book: BookLooks) -> SheetLook:
    """Return how the cells of a sheet of an .xlsb file look."""
    look, formats = SheetLook(), book.formats
    row = 0
    for kind, record in xlsb_records(data):
        if kind == _B_ROW and len(record) >= 12:
            row = struct.unpack_from("<I", record)[0]
            if record[11] & _B_HIDDEN_ROW:
                look.hidden.rows.add(row + 1)
        elif kind in _B_CELLS and len(record) >= 8:
            column, style = struct.unpack_from("<II", record)
            _format(look, row, column, formats.get(style & 0xFFFFFF))
            if kind == _B_TEXT_CELL and (text := book.texts.get(int.from_bytes(record[8:12], "little"))):
                look.texts[row + 1, column] = text
        elif kind == _B_COLUMNS and len(record) >= 17 and record[16] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<II", record)
            look.hidden.columns.update(range(first, min(last, _MOST_COLUMNS) + 1))
        elif kind == _B_MERGED and len(record) >= 16:
            top, bottom, first, last = struct.unpack_from("<4I", record)
            look.merged.append((top + 1, first, bottom + 1, last))
    look.merged = shortened(look.merged)
    return look


def xlsb_records(data: bytes) -> Iterator[Record]:
    """Yield the records of a part of an .xlsb file; kind and length have seven bits a byte."""
    at = 0
    while at < len(data):
        kind, at = _number(data, at, 2)
        length, at = _number(data, at, 4)
        yield kind, data[at : at + length]
        at += length


def _number(data: bytes, at: int, most: int) -> tuple[int, int]:
    number = shift = 0
    for byte in data[at : at + most]:
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return number, at


def _format(look: SheetLook, row: int, column: int, form: NumberFormat | None) -> None:
    if form is not None:
        look.formats[row + 1, column] = form


# Reads workbooks of Excel 2 to 4: records without a container, each sheet between its own marks.

STARTS = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")  # of Excel 2, 3 and 4
_HEAD = struct.Struct("<HH")  # kind and length of a record
_DAY_0 = (datetime(1899, 12, 30), datetime(1904, 1, 1))
_LARGEST_DATE = 2_957_003  # the last day of the year 9999 where days count from 1904
_CODE_PAGES = {0x8000: "mac_roman", 0x8001: "cp1252"}
_DATE_SIGNS = frozenset("ymdhs")


class _Kind(IntEnum):
    """The kinds of records that are read; the high byte of a kind is the version that brought it."""

    INTEGER = 0x02
    NUMBER = 0x03
    LABEL = 0x04
    BOOLEAN = 0x05
    FORMULA = 0x06
    TEXT_OF_FORMULA = 0x07
    END = 0x0A
    NOTE = 0x1C
    FORMAT = 0x1E
    DATES = 0x22
    PASSWORD = 0x2F
    CODE_PAGE = 0x42
    STYLE = 0x43
    SHORT_NUMBER = 0x7E
    SHEET_NAME = 0x8F


def read_early_workbook(source: SourceFile) -> Document:
    """Return the cells of a workbook of Excel 2 to 4; raises `DocumentError` if it is protected."""
    builder = DocumentBuilder(Format.SHEETS)
    reader = _ExcelReader(source, builder)
    with source.keep_partial(builder):
        reader.read()
    return builder.build(NO_TEXT)


class _ExcelReader:
    def __init__(self, source: SourceFile, builder: DocumentBuilder) -> None:
        self._source = source
        self._builder = builder
        self._code_page = "cp1252"
        self._base = 0  # of dates
        self._formats: list[str] = []
        self._styles: list[int] = []  # the format of each
        self._name = PurePath(source.name).stem
        self._rows: dict[int, dict[int, str]] = {}
        self._notes: dict[tuple[int, int], str] = {}
        self._waiting = (0, 0)  # for the text of a formula

    def read(self) -> None:
        """Append the cells of each sheet, then its notes."""
        for kind, data in self._records():
            self._source.budget.check(self._builder.characters)
            try:
                self._take(kind & 0xFF, kind >> 8, data)
            except struct.error:
                continue
        self._end_sheet()

    def _records(self) -> Iterator[tuple[int, bytes]]:
        data, at = self._source.data, 0
        while at + _HEAD.size <= len(data):
            kind, size = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            yield kind, data[at : at + size]
            at += size

    def _take(self, kind: int, version: int, data: bytes) -> None:
        """Read a record; its first version, of Excel 2, has shorter fields."""
        match kind:
            case _Kind.END:
                self._end_sheet()
            case _Kind.PASSWORD:
                raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
            case _Kind.CODE_PAGE:
                (number,) = struct.unpack_from("<H", data)
                self._code_page = _CODE_PAGES.get(number) or codec_name(f"cp{number}") or "cp1252"
            case _Kind.DATES:
                self._base = data[:1] == b"\1"
            case _Kind.SHEET_NAME:
                self._name = self._text(data[5 : 5 + data[4]] if len(data) > 4 else b"")
            case _Kind.FORMAT:
                start = 2 if version >= 4 else 0
                self._formats.append(self._text(data[start + 1 :]))
            case _Kind.STYLE if version:
                self._styles.append(data[1] if len(data) > 1 else 0)
            case _Kind.NOTE:
                row, column, _ = struct.unpack_from("<3H", data)
                if row == 0xFFFF:  # the text goes on
                    row, column = next(reversed(self._notes), (0, 0))
                self._notes[row, column] = self._notes.get((row, column), "") + self._text(data[6:])
            case _Kind.TEXT_OF_FORMULA:
                self._put(*self._waiting, self._text(data[2 if version else 1 :]))
            case _Kind.INTEGER | _Kind.NUMBER | _Kind.LABEL | _Kind.BOOLEAN | _Kind.FORMULA | _Kind.SHORT_NUMBER:
                self._cell(kind, version, data)

    def _cell(self, kind: int, version: int, data: bytes) -> None:
        row, column = struct.unpack_from("<2H", data)
        style, value = (data[4:6], data[6:]) if version else (b"", data[7:])
        if kind == _Kind.LABEL:
            self._put(row, column, self._text(value[2 if version else 1 :]))
        elif kind == _Kind.BOOLEAN:
            self._put(row, column, "" if value[1:2] == b"\1" else format_value(value[:1] == b"\1"))
        elif kind == _Kind.FORMULA and value[6:8] == b"\xff\xff":
            self._waiting = row, column
            if value[:1] == b"\1":
                self._put(row, column, format_value(value[2:3] == b"\1"))
        elif kind == _Kind.SHORT_NUMBER:
            self._put(row, column, self._shown(_short_number(*struct.unpack_from("<I", value)), style))
        else:
            (number,) = struct.unpack_from("<H" if kind == _Kind.INTEGER else "<d", value)
            self._put(row, column, self._shown(number, style))

    def _shown(self, number: float, style: bytes) -> str:
        """Return a number in the format of its cell; the formats of Excel 2 are not read."""
        index = int.from_bytes(style, "little")
        form = self._styles[index] if style and index < len(self._styles) else -1
        code = self._formats[form] if 0 <= form < len(self._formats) else ""
        is_date = _DATE_SIGNS & set(code.lower()) and not set(code) & set("#?")
        if is_date and 0 < number <= _LARGEST_DATE:
            moment = _DAY_0[self._base] + timedelta(days=round(number * 86_400) / 86_400)
            return format_value(moment, parse_format_code(code))
        return format_value(number, parse_format_code(code))

    def _text(self, data: bytes) -> str:
        return clean(data.decode(self._code_page, "replace"))

    def _put(self, row: int, column: int, words: str) -> None:
        self._rows.setdefault(row, {})[column] = words

    def _end_sheet(self) -> None:
        height = max(self._rows, default=-1) + 1
        append_sheet(self._builder, self._source.budget, self._name, rows_of(self._rows), 0, height)
        for (row, column), words in sorted(self._notes.items()):
            label = f"Comment on {column_name(column)}{row + 1}:"
            append_words(self._builder, " ".join(words.split()), LineKind.QUOTE, 1, label)
        self._rows, self._notes = {}, {}


def _short_number(bits: int) -> float:
    """Return the value of an RK number ([MS-XLS] 2.5.217)."""
    if bits & 2:
        number = float((bits >> 2) - ((bits >> 31) << 30))
    else:
        (number,) = struct.unpack("<d", struct.pack("<Q", (bits & ~3) << 32))
    return number / 100 if bits & 1 else number
