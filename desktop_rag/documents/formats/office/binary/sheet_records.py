"""Reads from the records of .xls ([MS-XLS]) and .xlsb files ([MS-XLSB]) how cells look: formats, hidden, merged.

Both have the same things in records of another form; the values of the cells are calamine's.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.office.hidden.hidden_cells import HiddenCells
from desktop_rag.documents.formats.office.number_formats import NumberFormat, formats_of_styles
from desktop_rag.documents.formats.office.rich_cells import words_of
from desktop_rag.documents.formats.office.sheet_cells import Formats, Range, no_value, shortened

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
_SEVERAL, _ROW, _COLUMNS, _MERGED = 0x00BD, 0x0208, 0x007D, 0x00E5
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
        elif kind == _MERGED and len(data) >= 2:
            for at in range(2, len(data) - 7, 8):
                top, bottom, first, last = struct.unpack_from("<4H", data, at)
                look.merged.append((top + 1, first, bottom + 1, last))
    if not are_stored:
        look.texts |= dict.fromkeys(formulas, no_value(""))
    look.merged = shortened(look.merged)
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
