"""Writes an OLE file ([MS-CFB]) of one stream, for a parser that trusts the chains of sectors in a file."""

import struct
from array import array

_SECTOR = 4096  # the larger of both sizes; also what a stream must have lest it lie among the small ones
_END, _TABLE, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_LISTED = 109  # sectors of the table that the header can list
_HEADER = struct.Struct("<8s16sHHHHHHIIIIIIIIII")
_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ROOT, _FILE = 5, 2  # kinds of entries


def ole_file(name: str, stream: bytes) -> bytes:
    """Return a file of this stream, padded with zeros to a sector; raises `ValueError` for one of more than 450 MB."""
    stream = stream.ljust(_SECTOR, b"\0")
    count = -(-len(stream) // _SECTOR)
    tables = 1
    while tables * _SECTOR // 4 < count + 1 + tables:
        tables += 1
    if tables > _LISTED:
        raise ValueError("the stream is too large")
    table = array("I", range(1, count + 1))
    table[-1] = _END
    table.extend((_END, *[_TABLE] * tables))  # the directory is one sector behind the stream
    table.extend([_FREE] * (tables * _SECTOR // 4 - len(table)))
    directory = _entry("Root Entry", _ROOT, 1, count, 0) + _entry(name, _FILE, _FREE, 0, len(stream))
    # Calamine demands a place of the small streams, although there are none.
    header = _HEADER.pack(_SIGNATURE, b"", 0x3E, 4, 0xFFFE, 12, 6, 0, 0, 1, tables, count, 0, _SECTOR, _END, 0, _END, 0)
    header += array("I", range(count + 1, count + 1 + tables)).tobytes()
    return b"".join(
        (
            header.ljust(512, b"\xff").ljust(_SECTOR, b"\0"),
            stream.ljust(count * _SECTOR, b"\0"),
            directory.ljust(_SECTOR, b"\0"),
            table.tobytes(),
        )
    )


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    coded = name.encode("utf-16-le")
    head = struct.pack("<64sHBBIII36x", coded, len(coded) + 2, kind, 1, _FREE, _FREE, child)
    return head + struct.pack("<IQ", start, size)
