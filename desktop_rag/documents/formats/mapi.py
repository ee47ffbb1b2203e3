"""The MAPI properties of Outlook items, in whatever file they are, and the compression of their RTF bodies."""

import struct
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta

import olefile

from desktop_rag.documents.decoding.charsets import codec_name, decode_leniently
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.formats.source_file import BROKEN

_UNICODE, _ANSI, _BINARY = 0x001F, 0x001E, 0x0102
_LONG, _TIME = 0x0003, 0x0040
_ENTRY = struct.Struct("<HHIq")
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_RTF_HEADER = struct.Struct("<IIII")
_RTF_COMPRESSED, _RTF_PLAIN = 0x75465A4C, 0x414C454D
_RTF_WINDOW = 4096
_RTF_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


class MapiProperties(ABC):
    """The properties of a mail, a recipient or an attachment; a missing one is empty, 0 or None.

    A subclass gives `stored` and `fixed`, then calls `find_code_pages` with the code page of what it is inside of.
    """

    code_page = ""
    html_code_page = ""

    @abstractmethod
    def stored(self, tag: int, kind: int) -> bytes:
        """Return the bytes of a property of variable size."""

    @abstractmethod
    def fixed(self, tag: int, kind: int) -> int:
        """Return the value of a property of fixed size."""

    def find_code_pages(self, otherwise: str) -> None:
        """Set the code pages of texts that are not Unicode."""
        internet = self.number(_INTERNET_CODE_PAGE)
        self.code_page = codec_of_code_page(self.number(_MESSAGE_CODE_PAGE) or internet) or otherwise
        self.html_code_page = codec_of_code_page(internet) or self.code_page

    def text(self, *tags: int) -> str:
        """Return the first non-empty text among these properties."""
        for tag in tags:
            if data := self.stored(tag, _UNICODE):
                return clean(data.decode("utf-16-le", "replace").rstrip("\0"))
            if data := self.stored(tag, _ANSI):
                return decode_leniently(data.rstrip(b"\0"), self.code_page)
        return ""

    def line(self, *tags: int) -> str:
        """Return the first non-empty text among these properties, as one line."""
        return " ".join(self.text(*tags).split())

    def binary(self, tag: int) -> bytes:
        """Return a binary property."""
        return self.stored(tag, _BINARY)

    def number(self, tag: int) -> int:
        """Return an integer property."""
        return self.fixed(tag, _LONG) & 0xFFFFFFFF

    def timestamp(self, *tags: int) -> datetime | None:
        """Return the first timestamp among these properties."""
        for tag in tags:
            if ticks := self.fixed(tag, _TIME):
                try:
                    return _EPOCH + timedelta(microseconds=ticks // 10)
                except OverflowError:
                    continue
        return None


class OleProperties(MapiProperties):
    """The properties in one storage of an OLE file ([MS-OXMSG]), after `header` bytes of their stream."""

    def __init__(self, file: olefile.OleFileIO, path: tuple[str, ...], header: int, code_page: str = "") -> None:
        self._file = file
        self._path = path
        self._fixed: dict[tuple[int, int], int] = {}
        data = self._stream("__properties_version1.0")
        for position in range(header, len(data) - _ENTRY.size + 1, _ENTRY.size):
            kind, tag, _, value = _ENTRY.unpack_from(data, position)
            self._fixed[tag, kind] = value
        self.find_code_pages(code_page)

    def stored(self, tag: int, kind: int) -> bytes:
        """Return the bytes of a property of variable size."""
        return self._stream(f"__substg1.0_{tag:04X}{kind:04X}")

    def fixed(self, tag: int, kind: int) -> int:
        """Return the value of a property of fixed size."""
        return self._fixed.get((tag, kind), 0)

    def size(self, tag: int) -> int:
        """Return the size of a binary property."""
        name = [*self._path, f"__substg1.0_{tag:04X}{_BINARY:04X}"]
        try:
            return int(self._file.get_size(name)) if self._file.exists(name) else 0
        except BROKEN:
            return 0

    def _stream(self, name: str) -> bytes:
        path = [*self._path, name]
        try:
            return bytes(self._file.openstream(path).read()) if self._file.exists(path) else b""
        except BROKEN:
            return b""


def codec_of_code_page(number: int) -> str:
    """Return Python's name of a Windows code page, or an empty string."""
    return codec_name(f"cp{number}") if number else ""


def unpack_rtf(data: bytes) -> bytes:
    """Return the RTF of a compressed body ([MS-OXRTFCP]), up to the first damage or the declared size."""
    if len(data) < _RTF_HEADER.size:
        return b""
    _, size, kind, _ = _RTF_HEADER.unpack_from(data)
    if kind == _RTF_PLAIN:
        return data[_RTF_HEADER.size : _RTF_HEADER.size + size]
    if kind != _RTF_COMPRESSED:
        return b""
    window = bytearray(_RTF_DICTIONARY.ljust(_RTF_WINDOW, b"\0"))
    end = len(_RTF_DICTIONARY)
    out = bytearray()
    position = _RTF_HEADER.size
    while position < len(data) and len(out) < size:
        flags = data[position]
        position += 1
        for bit in range(8):
            if position >= len(data) or len(out) >= size:
                break
            if not flags >> bit & 1:
                out.append(data[position])
                window[end] = data[position]
                end = (end + 1) % _RTF_WINDOW
                position += 1
                continue
            token = int.from_bytes(data[position : position + 2], "big")
            position += 2
            start = token >> 4
            if start == end:
                return bytes(out)
            for offset in range((token & 15) + 2):
                byte = window[(start + offset) % _RTF_WINDOW]
                out.append(byte)
                window[end] = byte
                end = (end + 1) % _RTF_WINDOW
    return bytes(out[:size])
