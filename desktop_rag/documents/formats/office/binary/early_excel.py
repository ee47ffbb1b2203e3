"""Reads workbooks of Excel 2 to 4: records without a container, each sheet between its own marks."""

import struct
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import IntEnum
from pathlib import PurePath

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import codec_name
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words
from desktop_rag.documents.formats.office.number_formats import format_value, parse_format_code
from desktop_rag.documents.formats.office.package import NO_TEXT, PROTECTED
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet, column_name
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

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
    reader = _Reader(source, builder)
    with source.keep_partial(builder):
        reader.read()
    return builder.build(NO_TEXT)


class _Reader:
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
        rows = sorted(self._rows.items())
        height = rows[-1][0] + 1 if rows else 0
        append_sheet(self._builder, self._source.budget, self._name, map(_row, rows), 0, height)
        for (row, column), words in sorted(self._notes.items()):
            label = f"Comment on {column_name(column)}{row + 1}:"
            append_words(self._builder, " ".join(words.split()), LineKind.QUOTE, 1, label)
        self._rows, self._notes = {}, {}


def _row(numbered: tuple[int, dict[int, str]]) -> Row:
    row, cells = numbered
    return row + 1, [cells.get(column, "") for column in range(max(cells) + 1)]


def _short_number(bits: int) -> float:
    """Return the value of an RK number ([MS-XLS] 2.5.217)."""
    if bits & 2:
        number = float((bits >> 2) - ((bits >> 31) << 30))
    else:
        (number,) = struct.unpack("<d", struct.pack("<Q", (bits & ~3) << 32))
    return number / 100 if bits & 1 else number
