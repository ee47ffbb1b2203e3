"""Reads the tables of iWork files: rows of cells whose texts are in separate lists."""

import struct
from array import array
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from desktop_rag.documents.formats.iwork.iwa import Damaged, IwaObject, ProtobufMessage
from desktop_rag.documents.formats.office.sheet_lines import Row

TABLE_INFO, TABLE = 6000, 6001

_NAME, _DATA = 8, 4  # fields of TST.TableModelArchive
_TILES, _TEXTS, _RICH_TEXTS = 3, 4, 17  # fields of TST.DataStore
_TILE_SIZE, _DEFAULT_TILE_SIZE = 2, 256
_TILE_ROWS = 5
_ROW, _CELLS, _OFFSETS, _WIDE = 1, 6, 7, 8  # fields of TST.TileRowInfo
_ENTRIES, _SEGMENTS = 3, 4  # fields of TST.TableDataList
_KEY, _TEXT, _RICH_TEXT = 1, 3, 9  # fields of its entries
_MODERN = 5  # version of the storage of a cell
_NUMBER, _STRING, _DATE, _BOOLEAN, _DURATION, _RICH, _CURRENCY = 2, 3, 5, 6, 7, 9, 10  # types of cells
_BIAS = 0x1820  # of the exponent of a decimal
_EPOCH = datetime(2001, 1, 1)
_MAX_DIGITS = 15

TextOf = Callable[[int], str]  # the text of the rich-text object with this id


def table_name(table: ProtobufMessage) -> str:
    """Return the name of a table."""
    return table.text(_NAME)


def table_rows(table: ProtobufMessage, objects: Mapping[int, IwaObject], text_of: TextOf) -> list[Row]:
    """Return the rows of a table that have text, in order; of tables of 2013 to 2017 only the texts, one in a row."""
    data = table.message(_DATA)
    texts = dict(_entries(data.reference(_TEXTS), objects))
    rich = {
        key: text_of(found.message.reference(1))
        for key, payload in _rich_entries(data.reference(_RICH_TEXTS), objects)
        if (found := objects.get(payload)) is not None
    }
    tiles = data.message(_TILES)
    size = tiles.number(_TILE_SIZE) or _DEFAULT_TILE_SIZE
    rows: dict[int, list[str]] = {}
    for raw in tiles.every(1):
        place = ProtobufMessage(raw)
        tile = objects.get(place.reference(2))
        for row in tile.message.every(_TILE_ROWS) if tile is not None else ():
            number, cells = _cells(ProtobufMessage(row), texts, rich)
            if any(cells):
                rows[place.number(1) * size + number + 1] = cells
    if not rows:
        return [(number, [text]) for number, text in enumerate(texts.values(), start=1)]
    return sorted(rows.items())


def _entries(identifier: int, objects: Mapping[int, IwaObject]) -> Iterator[tuple[int, str]]:
    for entry in _listed(identifier, objects):
        yield entry.number(_KEY), entry.text(_TEXT)


def _rich_entries(identifier: int, objects: Mapping[int, IwaObject]) -> Iterator[tuple[int, int]]:
    for entry in _listed(identifier, objects):
        yield entry.number(_KEY), entry.reference(_RICH_TEXT)


def _listed(identifier: int, objects: Mapping[int, IwaObject]) -> Iterator[ProtobufMessage]:
    found = objects.get(identifier)
    if found is None:
        return
    segments = (objects[segment] for segment in found.message.references(_SEGMENTS) if segment in objects)
    for part in (found, *segments):
        yield from map(ProtobufMessage, part.message.every(_ENTRIES))


def _cells(row: ProtobufMessage, texts: Mapping[int, str], rich: Mapping[int, str]) -> tuple[int, list[str]]:
    stored = row.binary(_CELLS)
    raw = row.binary(_OFFSETS)
    offsets = array("h", raw[: len(raw) & ~1])
    unit = 4 if row.number(_WIDE) else 1
    cells = [_cell(stored, offset * unit, texts, rich) if offset >= 0 else "" for offset in offsets]
    while cells and not cells[-1]:
        cells.pop()
    return row.number(_ROW), cells


def _cell(stored: bytes, start: int, texts: Mapping[int, str], rich: Mapping[int, str]) -> str:
    """Return the text of a cell: twelve bytes of header, the last four say which values follow."""
    if len(stored) < start + 12 or stored[start] != _MODERN:
        return ""
    kind = stored[start + 1]
    (flags,) = struct.unpack_from("<I", stored, start + 8)
    position = start + 12
    try:
        number = stored[position : position + 16]
        position += 16 if flags & 1 else 0
        (double,) = struct.unpack_from("<d", stored, position) if flags & 2 else (0.0,)
        position += 8 if flags & 2 else 0
        (seconds,) = struct.unpack_from("<d", stored, position) if flags & 4 else (0.0,)
        position += 8 if flags & 4 else 0
        (text,) = struct.unpack_from("<I", stored, position) if flags & 8 else (0,)
        position += 4 if flags & 8 else 0
        (rich_text,) = struct.unpack_from("<I", stored, position) if flags & 16 else (0,)
    except struct.error as error:
        raise Damaged from error
    if kind in (_NUMBER, _CURRENCY) and flags & 1:
        return _decimal(number)
    if kind == _STRING:
        return texts.get(text, "")
    if kind == _RICH:
        return rich.get(rich_text, "")
    if kind == _BOOLEAN:
        return "TRUE" if double else "FALSE"
    return _moment(kind, seconds if kind == _DATE else double)


def _moment(kind: int, seconds: float) -> str:
    try:
        if kind == _DATE:
            return (_EPOCH + timedelta(seconds=seconds)).isoformat(" ").removesuffix(" 00:00:00")
        return str(timedelta(seconds=seconds)) if kind == _DURATION else ""
    except (OverflowError, ValueError):
        return ""


def _decimal(data: bytes) -> str:
    """Return a decimal of 128 bits: sign, 14 bits of exponent, 113 bits of digits."""
    if len(data) < 16:
        return ""
    bits = int.from_bytes(data, "little")
    exponent = (bits >> 113 & 0x3FFF) - _BIAS
    digits = bits & (1 << 113) - 1
    if not -30 < exponent < 30:
        return ""
    value = float(digits) * 10.0**exponent if exponent < 0 else float(digits * 10**exponent)
    return f"{-value if bits >> 127 else value:.{_MAX_DIGITS}g}"
