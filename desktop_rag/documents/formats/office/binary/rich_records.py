"""Texts of .xls ([MS-XLS] 2.4.265) and .xlsb files ([MS-XLSB] 2.5.121) whose words look unlike each other."""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.office.rich_cells import words_of

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
