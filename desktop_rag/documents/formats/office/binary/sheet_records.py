"""Reads from the records of .xls ([MS-XLS]) and .xlsb files ([MS-XLSB]) how cells look: formats, hidden, merged.

Both have the same things in records of another form; the values of the cells are calamine's.
"""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from desktop_rag.documents.formats.office.hidden.hidden_cells import HiddenCells
from desktop_rag.documents.formats.office.number_formats import NumberFormat, formats_of_styles
from desktop_rag.documents.formats.office.sheet_cells import Formats, Range, shortened

Record = tuple[int, bytes]  # kind, contents

_FORMAT, _STYLE = 0x041E, 0x00E0
_VALUES = frozenset((0x0203, 0x027E, 0x00FD, 0x0204, 0x0006, 0x0205))  # one cell each
_SEVERAL, _ROW, _COLUMNS, _MERGED = 0x00BD, 0x0208, 0x007D, 0x00E5
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01

_B_FORMAT, _B_STYLE, _B_STYLES, _B_END_STYLES = 44, 47, 617, 618
_B_ROW, _B_CELLS, _B_COLUMNS, _B_MERGED = 0, range(1, 12), 60, 176
_B_SHEET, _B_HIDDEN_ROW = 156, 0x10
_MOST_COLUMNS = 16_384


@dataclass(slots=True)
class SheetLook:
    """How the cells of a sheet look."""

    formats: Formats = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    hidden: HiddenCells = field(default_factory=HiddenCells)


def xls_formats(records: Iterable[Record]) -> dict[int, NumberFormat]:
    """Return the number formats by cell style, from the first records of an .xls file."""
    codes, styles = dict[int, str](), list[int]()
    for kind, data in records:
        if kind == _FORMAT and len(data) > 5:
            number, length, wide = struct.unpack_from("<HHB", data)
            coding = "utf-16-le" if wide & 1 else "latin-1"
            codes[number] = data[5 : 5 + length * (1 + (wide & 1))].decode(coding, "replace")
        elif kind == _STYLE and len(data) >= 4:
            styles.append(struct.unpack_from("<H", data, 2)[0])
    return formats_of_styles(codes, styles)


def xls_look(records: Iterable[Record], formats: dict[int, NumberFormat]) -> SheetLook:
    """Return how the cells of a sheet of an .xls file look."""
    look = SheetLook()
    for kind, data in records:
        if kind in _VALUES and len(data) >= 6:
            row, column, style = struct.unpack_from("<3H", data)
            _format(look, row, column, formats.get(style))
        elif kind == _SEVERAL and len(data) >= 6:
            row, column = struct.unpack_from("<2H", data)
            for number in range((len(data) - 6) // 6):
                _format(look, row, column + number, formats.get(struct.unpack_from("<H", data, 4 + 6 * number)[0]))
        elif kind == _ROW and len(data) >= 14 and data[12] & _HIDDEN_ROW:
            look.hidden.rows.add(struct.unpack_from("<H", data)[0] + 1)
        elif kind == _COLUMNS and len(data) >= 10 and data[8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<2H", data)
            look.hidden.columns.update(range(first, last + 1))
        elif kind == _MERGED and len(data) >= 2:
            for at in range(2, len(data) - 7, 8):
                top, bottom, first, last = struct.unpack_from("<4H", data, at)
                look.merged.append((top + 1, first, bottom + 1, last))
    look.merged = shortened(look.merged)
    return look


def xlsb_formats(data: bytes) -> dict[int, NumberFormat]:
    """Return the number formats by cell style, from the part with the styles of an .xlsb file."""
    codes, styles = dict[int, str](), list[int]()
    in_styles = False
    for kind, record in xlsb_records(data):
        if kind == _B_FORMAT and len(record) >= 6:
            number, length = struct.unpack_from("<HI", record)
            codes[number] = record[6 : 6 + 2 * min(length, len(record))].decode("utf-16-le", "replace")
        elif kind in (_B_STYLES, _B_END_STYLES):
            in_styles = kind == _B_STYLES
        elif kind == _B_STYLE and in_styles and len(record) >= 4:
            styles.append(struct.unpack_from("<H", record, 2)[0])
    return formats_of_styles(codes, styles)


def xlsb_sheets(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet of an .xlsb file and the relationship of its part."""
    for kind, record in xlsb_records(data):
        if kind == _B_SHEET and len(record) >= 16:
            (length,) = struct.unpack_from("<I", record, 8)
            identifier, rest = record[12 : 12 + 2 * length], record[12 + 2 * length :]
            yield rest[4:].decode("utf-16-le", "replace"), identifier.decode("utf-16-le", "replace")


def xlsb_look(data: bytes, formats: dict[int, NumberFormat]) -> SheetLook:
    """Return how the cells of a sheet of an .xlsb file look."""
    look = SheetLook()
    row = 0
    for kind, record in xlsb_records(data):
        if kind == _B_ROW and len(record) >= 12:
            row = struct.unpack_from("<I", record)[0]
            if record[11] & _B_HIDDEN_ROW:
                look.hidden.rows.add(row + 1)
        elif kind in _B_CELLS and len(record) >= 8:
            column, style = struct.unpack_from("<II", record)
            _format(look, row, column, formats.get(style & 0xFFFFFF))
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
