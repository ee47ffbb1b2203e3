"""Word files before Word 97: 6 and 95, with their formats; of Word 2 the text alone.

The header has the same parts at other places, characters have one byte, and property modifiers have codes of one byte.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import MappingProxyType

from desktop_rag.documents.decoding.charsets import FONT_CHARSETS
from desktop_rag.documents.decoding.code_pages import detect_code_page
from desktop_rag.documents.formats.office.binary import word97
from desktop_rag.documents.formats.office.binary.word97 import Word97File

WORD2, WORD6, WORD97 = b"\xdb\xa5", 0x65, 0xC1  # the first bytes of a file of Word 2; the first nFib of the others
_COMPLEX, _WIDE = 0x0004, 0x1000  # flags: the text is in pieces, which have two bytes a character
_PAGES_AT = MappingProxyType({word97.RUNS: 0x18A, 13: 0x18C})  # the first page of formats; their number is 4 bytes on
_LAST_PAIRS = 0x1D2 - 8 * word97.ENDNOTE_REFERENCES  # pairs from that of the endnotes are counted from here
_CODES = MappingProxyType(
    {24: word97.IN_TABLE, 25: word97.ROW_END, 13: word97.LIST, 92: word97.HIDDEN, 65: word97.DELETED}
    | {87: word97.STRUCK, 104: word97.MOVED}
)
_LONGEST = MappingProxyType({2: 2, 20: 4, 69: 2, 70: 4, 72: 2, 73: 3, 80: 2, 93: 2, 95: 3, 96: 2, 97: 2})
_ONE_BYTE = frozenset(
    (*range(4, 12), 13, 14, 24, 25, 29, 37, 44, 50, 51, 65, 66, 67, 71, 75, *range(85, 93), 94, 98, 99, 100, 104)
)
_VARIABLE = frozenset((3, 12, 15, 23, 68, 74, 81, 82, 103))
_FONTS = 15
_RUNS_OF_LETTERS = re.compile(rb"[\x80-\xff]{3,}")


class Word95File(Word97File):
    """The streams of such a file; `main` is the whole file of Word 2."""

    _counts, _first_pair = 52, 88
    _paragraph_entry, _comment_entry = 7, 20

    def __init__(self, main: bytes) -> None:
        """Read the header; raises `DocumentError` if it is encrypted, `BROKEN` if it is damaged."""
        (self._version,) = struct.unpack_from("<H", main, 2)
        super().__init__(main, main, main)
        self._code_page = _code_page(self._bytes(0, self._starts[-1]), list(self._pages_of_fonts()))

    def text(self, first: int, last: int) -> str:
        """Return the bytes from `first` to `last` as Latin-1, or characters of two bytes; see `shown`."""
        if self._flags & _WIDE:
            return super().text(first, last)
        return self._bytes(first, last).decode("latin-1")

    def shown(self, text: str) -> str:
        """Return a part of `text()` in the code page of the file."""
        if self._flags & _WIDE:
            return super().shown(text)
        return text if text.isascii() else text.encode("latin-1").decode(self._code_page, "replace")

    def _bytes(self, first: int, last: int) -> bytes:
        found = bytearray()
        for (start, end), (at, _) in zip(pairwise(self._starts), self._pieces, strict=True):
            begin, until = max(first, start), min(last, end)
            if begin < until:
                found += self._main[at + begin - start : at + until - start].ljust(until - begin, b"\0")
        return bytes(found)

    def _pages_of_fonts(self) -> Iterator[str]:
        """Yield the code page of each font that has another one than Western text."""
        data, at = self._pair(_FONTS), 2
        while at + 4 < len(data):
            if page := FONT_CHARSETS.get(data[at + 4]):
                yield page
            at += data[at] + 1

    def _pair(self, index: int) -> bytes:
        if self._version < WORD6:
            return b""
        base = _LAST_PAIRS if index >= word97.ENDNOTE_REFERENCES else self._first_pair
        offset, size = struct.unpack_from("<2I", self._main, base + 8 * index)
        return self._main[offset : offset + size]

    def _symbol_fonts(self) -> dict[int, str]:
        return {}  # whose table has another form

    def _run_styles(self) -> dict[int, dict[int, bytes]]:
        return {}  # whose table has another form

    def _read_pieces(self) -> tuple[list[int], list[tuple[int, int]]]:
        if self._flags & _COMPLEX and self._pair(word97.PIECES):
            return super()._read_pieces()
        first, end = struct.unpack_from("<2I", self._main, 24)
        length = min(end, len(self._main)) - first
        if length <= 0:
            raise ValueError
        size = 2 if self._flags & _WIDE else 1
        return [0, length // size], [(first, size)]

    def _piece(self, offset: int) -> tuple[int, int]:
        return offset, 2 if self._flags & _WIDE else 1

    def _page_numbers(self, index: int) -> list[int]:
        if self._version < WORD6:
            return []
        data = self._pair(index)
        count = max(0, (len(data) - 4) // 6)
        (first,) = struct.unpack_from("<H", self._main, _PAGES_AT[index])
        (pages,) = struct.unpack_from("<H", self._main, _PAGES_AT[index] + 4)
        if pages > count:  # a fast save left the table for later
            return list(range(first, first + pages))
        return list(struct.unpack_from(f"<{count}H", data, 4 * (count + 1) if count else 0))

    @staticmethod
    def _paragraph_properties(page: bytes, place: int) -> bytes:
        return page[place + 1 : place + 1 + 2 * page[place]] if place else b""

    @staticmethod
    def _properties(data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield property modifiers under their codes of Word 97; those after an unknown one are not read."""
        at = 0
        while at < len(data):
            code = data[at]
            at += 1
            if code in _VARIABLE:
                size, at = data[at] if at < len(data) else 0, at + 1
            else:
                size = 1 if code in _ONE_BYTE else _LONGEST.get(code, 2 if 16 <= code <= 51 else 0)
            if not size:
                return
            if code in _CODES:
                yield _CODES[code], data[at : at + size]
            at += size

    @staticmethod
    def _initials(data: bytes, at: int) -> str:
        return data[at + 1 : at + 1 + min(data[at], 9)].decode("latin-1").strip("\x00 ")


def _code_page(text: bytes, of_fonts: Sequence[str]) -> str:
    """Return the code page of a text by its words, and by its fonts if those say nothing or contradict it."""
    found = detect_code_page(text)
    if not of_fonts or found in of_fonts:
        return found or "cp1252"
    joined = sum(map(len, _RUNS_OF_LETTERS.findall(text)))  # in Western text letters with accents stand alone
    is_of_font = not found or 2 * joined > len(text) - len(text.translate(None, bytes(range(128, 256))))
    return of_fonts[0] if is_of_font else found
