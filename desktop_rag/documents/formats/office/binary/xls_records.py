"""Reads from the records of an .xls file (97 to 2003; [MS-XLS]) what calamine does not: comments and text boxes.

Calamine gets a rewritten file: it follows the sector chains that a file declares, endlessly if one is circular.
The sheet on which it fails is found with one file for each sheet.
"""

import hashlib
import io
import struct
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

import olefile

from desktop_rag.documents.formats.office.sheet_lines import column_name
from desktop_rag.documents.formats.source_file import BROKEN

# Writes an OLE file ([MS-CFB]) of one stream, for a parser that trusts the chains of sectors in a file.

_FILE_SECTOR = 4096  # the larger of both sizes; also what a stream must have lest it lie among the small ones
_FILE_END, _TABLE, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_LISTED = 109  # sectors of the table that the header can list
_HEADER = struct.Struct("<8s16sHHHHHHIIIIIIIIII")
_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ROOT, _FILE = 5, 2  # kinds of entries


def ole_file(name: str, stream: bytes) -> bytes:
    """Return a file of this stream, padded with zeros to a sector; raises `ValueError` for one of more than 450 MB."""
    stream = stream.ljust(_FILE_SECTOR, b"\0")
    count = -(-len(stream) // _FILE_SECTOR)
    tables = 1
    while tables * _FILE_SECTOR // 4 < count + 1 + tables:
        tables += 1
    if tables > _LISTED:
        raise ValueError("the stream is too large")
    table = array("I", range(1, count + 1))
    table[-1] = _FILE_END
    table.extend((_FILE_END, *[_TABLE] * tables))  # the directory is one sector behind the stream
    table.extend([_FREE] * (tables * _FILE_SECTOR // 4 - len(table)))
    directory = _entry("Root Entry", _ROOT, 1, count, 0) + _entry(name, _FILE, _FREE, 0, len(stream))
    # Calamine demands a place of the small streams, although there are none.
    header = _HEADER.pack(
        _SIGNATURE, b"", 0x3E, 4, 0xFFFE, 12, 6, 0, 0, 1, tables, count, 0, _FILE_SECTOR, _FILE_END, 0, _FILE_END, 0
    )
    header += array("I", range(count + 1, count + 1 + tables)).tobytes()
    return b"".join(
        (
            header.ljust(512, b"\xff").ljust(_FILE_SECTOR, b"\0"),
            stream.ljust(count * _FILE_SECTOR, b"\0"),
            directory.ljust(_FILE_SECTOR, b"\0"),
            table.tobytes(),
        )
    )


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    coded = name.encode("utf-16-le")
    head = struct.pack("<64sHBBIII36x", coded, len(coded) + 2, kind, 1, _FREE, _FREE, child)
    return head + struct.pack("<IQ", start, size)


_BEGIN, _END, _CONTINUE, _SHEET, _NOTE, _OBJECT, _TEXT = 0x0809, 0x000A, 0x003C, 0x0085, 0x001C, 0x005D, 0x01B6
_HEAD = struct.Struct("<HH")  # kind and length of a record
_FILLER = b"\xff\x0f"  # a kind of record that no program knows
_COMMENT = 0x19  # the kind of object that is a comment
_STREAM, _STREAM_OF_95 = "Workbook", "Book"
_SECTOR, _UNUSED = 512, b"\xff"


class RecordedSheet(NamedTuple):
    """A sheet: its name, the place of its record in the list of sheets, and the range of its own records."""

    name: str
    listed: int
    start: int
    end: int


class Note(NamedTuple):
    """The text of a comment on the cell `place`, or of a text box, which has no place."""

    place: str
    text: str


class XlsRecords:
    """The records of a file; there are no sheets if it is damaged or of an older version.

    `file` is the workbook without the rest of the file, or empty if there is none that can be read.
    """

    def __init__(self, data: bytes) -> None:
        self._stream = self.file = b""
        try:
            whole = data + _UNUSED * (-len(data) % _SECTOR)  # olefile refuses a part of a sector
            ole = olefile.OleFileIO(io.BytesIO(whole))
            if ole.exists(_STREAM):
                self._stream = ole.openstream([_STREAM]).read()
                self.file = ole_file(_STREAM, self._stream)
            else:
                self.file = ole_file(_STREAM_OF_95, ole.openstream([_STREAM_OF_95]).read())
        except BROKEN:
            pass
        self._globals_end = self._end_of(0)
        self.sheets = tuple(self._find_sheets())

    def notes(self, sheet: RecordedSheet) -> Iterator[Note]:
        """Yield the comments of a sheet by row and column, then its text boxes."""
        comments: dict[int, str] = {}
        cells: list[tuple[int, int, int]] = []
        boxes: list[str] = []
        kind_of_object = number = left = 0
        pieces: list[str] = []
        for kind, _, data in self._records(sheet.start, sheet.end):
            if kind == _OBJECT and len(data) >= 8:
                kind_of_object, number = struct.unpack_from("<HH", data, 4)
            elif kind == _TEXT and len(data) >= 12:
                left, pieces = int.from_bytes(data[10:12], "little"), []
            elif kind == _CONTINUE and left and len(data) > 1:
                pieces.append(data[1:].decode("utf-16-le" if data[0] & 1 else "latin-1", "replace")[:left])
                left -= len(pieces[-1])
                if left <= 0 and kind_of_object == _COMMENT:
                    comments[number] = "".join(pieces)
                elif left <= 0:
                    boxes.append("".join(pieces))
            elif kind == _NOTE and len(data) >= 8:
                row, column, _, of = struct.unpack_from("<4H", data)
                cells.append((row, column, of))
        for row, column, of in sorted(cells):
            yield Note(f"{column_name(column)}{row + 1}", comments.get(of, ""))
        for text in boxes:
            yield Note("", text)

    def first_records(self) -> Iterator[tuple[int, bytes]]:
        """Yield kind and contents of the records before those of the sheets."""
        return ((kind, data) for kind, _, data in self._records(0, self._globals_end))

    def records_of(self, sheet: RecordedSheet) -> Iterator[tuple[int, bytes]]:
        """Yield kind and contents of the records of a sheet."""
        return ((kind, data) for kind, _, data in self._records(sheet.start, sheet.end))

    def with_only(self, kept: RecordedSheet) -> bytes:
        """Return the file with all other sheets taken off its list of sheets."""
        stream = bytearray(self._stream)
        for kind, at, _ in self._records(0, self._globals_end):
            if kind == _SHEET and at != kept.listed:
                stream[at : at + 2] = _FILLER
        return ole_file(_STREAM, bytes(stream))

    def _find_sheets(self) -> Iterator[RecordedSheet]:
        for kind, at, data in self._records(0, self._globals_end):
            if kind == _SHEET and len(data) > 8:
                start = int.from_bytes(data[:4], "little")
                wide = data[7] & 1
                name = data[8 : 8 + data[6] * (1 + wide)].decode("utf-16-le" if wide else "latin-1", "replace")
                yield RecordedSheet(name, at, start, self._end_of(start))

    def _end_of(self, start: int) -> int:
        """Return the end of the records of a sheet, which may hold those of charts; 0 if there is no sheet."""
        depth = 0
        for kind, at, data in self._records(start, len(self._stream)):
            depth += (kind == _BEGIN) - (kind == _END)
            if depth <= 0:
                return at + _HEAD.size + len(data) if kind == _END else 0
        return 0

    def _records(self, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield kind, place and contents of the records in a range of the stream."""
        while start + _HEAD.size <= end:
            kind, length = _HEAD.unpack_from(self._stream, start)
            yield kind, start, self._stream[start + _HEAD.size : start + _HEAD.size + length]
            start += _HEAD.size + length


# Decrypts .xls files that Excel opens without asking: protecting their structure encrypts them with a fixed password.
#
# [MS-OFFCRYPTO] 2.3.5.2 and 2.3.6.2, [MS-XLS] 2.2.10: RC4 with a new key for each 1,024 bytes of the stream.

PASSWORD = "VelvetSweatshop".encode("utf-16-le")
_CIPHER_STREAM = "Workbook"
_FILE_PASS, _CIPHER_SHEET, _CIPHER_FILLER = 0x2F, 0x85, b"\xff\x0f"
_PLAIN = frozenset((0x809, _FILE_PASS, 0xE1, 0x138, 0x194, 0x195, 0x196))  # records that are never encrypted
_PLACE_BYTES = 4  # of the record of a sheet, which stay plain
_BLOCK = 1024

KeyOfBlock = Callable[[int], bytes]


def decrypted(data: bytes) -> bytes | None:
    """Return the workbook of the file without its encryption, or None if it has a password of its own."""
    try:
        stream = bytearray(olefile.OleFileIO(io.BytesIO(data)).openstream([_CIPHER_STREAM]).read())
        at = _place_of_password(stream)
        key = _key(bytes(stream[at + _HEAD.size : at + _HEAD.size + _HEAD.unpack_from(stream, at)[1]]))
        if key is None:
            return None
        stream[at : at + 2] = _CIPHER_FILLER
        return ole_file(_CIPHER_STREAM, _decrypted_records(bytes(stream), key))
    except BROKEN:
        return None


def _place_of_password(stream: bytearray) -> int:
    at = 0
    while True:
        kind, size = _HEAD.unpack_from(stream, at)
        if kind == _FILE_PASS:
            return at
        at += _HEAD.size + size


def _key(record: bytes) -> KeyOfBlock | None:
    """Return the key of each block, or None if another password or another method was used."""
    method, version, _ = struct.unpack_from("<3H", record)
    if method != 1:
        return None
    if version == 1:
        salt, verifier, hashed = record[6:22], record[22:38], record[38:54]
        short = hashlib.md5(PASSWORD, usedforsecurity=False).digest()[:5]
        base = hashlib.md5((short + salt) * 16, usedforsecurity=False).digest()[:5]
        digest, length = hashlib.md5, 16
    else:
        (size,) = struct.unpack_from("<I", record, 10)
        (bits,) = struct.unpack_from("<I", record, 14 + 16)
        at = 14 + size + 4
        salt, verifier, hashed = record[at : at + 16], record[at + 16 : at + 32], record[at + 36 : at + 56]
        base = hashlib.sha1(salt + PASSWORD, usedforsecurity=False).digest()
        digest, length = hashlib.sha1, (bits or 40) // 8

    def key(block: int) -> bytes:
        found = digest(base + struct.pack("<I", block), usedforsecurity=False).digest()[:length]
        return found.ljust(16, b"\0") if length == 5 else found

    opened = rc4(key(0), verifier + hashed)
    return key if digest(opened[:16], usedforsecurity=False).digest() == opened[16:] else None


def _decrypted_records(stream: bytes, key: KeyOfBlock) -> bytes:
    """Return the stream with its records decrypted; their heads are plain."""
    blocks = range(0, len(stream), _BLOCK)
    opened = b"".join(rc4(key(at // _BLOCK), stream[at : at + _BLOCK]) for at in blocks)
    found = bytearray(stream)
    at = 0
    while at + _HEAD.size <= len(stream):
        kind, size = _HEAD.unpack_from(stream, at)
        first = at + _HEAD.size + (_PLACE_BYTES if kind == _CIPHER_SHEET else 0)
        at += _HEAD.size + size
        if kind not in _PLAIN:
            found[first:at] = opened[first:at]
    return bytes(found)


def rc4(key: bytes, data: bytes) -> bytes:
    """Return `data` encrypted or decrypted by RC4."""
    return bytes(byte ^ noise for byte, noise in zip(data, _noise(key), strict=False))


def _noise(key: bytes) -> Iterator[int]:
    state = list(range(256))
    other = 0
    for index, value in enumerate(state):
        other = (other + value + key[index % len(key)]) & 255
        state[index], state[other] = state[other], value
    index = other = 0
    while True:
        index = (index + 1) & 255
        value = state[index]
        other = (other + value) & 255
        state[index] = state[other]
        state[other] = value
        yield state[(state[index] + value) & 255]
