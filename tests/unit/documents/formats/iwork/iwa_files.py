"""Writes small IWA files as iWork does: messages, archives of objects, Snappy blocks of literals and copies."""

import struct
from collections.abc import Sequence

Object = tuple[int, int, bytes, Sequence[int]]  # id, type, message, references


def varint(value: int) -> bytes:
    """Return the variable-length form of a number."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


def field(number: int, value: "int | bytes | str") -> bytes:
    """Return a field of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def reference(number: int, identifier: int) -> bytes:
    """Return a field that refers to an object."""
    return field(number, field(1, identifier))


def snappy(data: bytes) -> bytes:
    """Return a Snappy block: a literal, and a copy for each repetition of the four bytes before."""
    out = bytearray(varint(len(data)))
    position = 0
    while position < len(data):
        if position >= 8 and data[position : position + 4] == data[position - 4 : position]:
            out += bytes((1, 4))  # four bytes, four back
            position += 4
            continue
        piece = data[position : position + 4]
        out += bytes((len(piece) - 1 << 2,)) + piece
        position += len(piece)
    return bytes(out)


def iwa(*objects: Object) -> bytes:
    """Return an object file."""
    data = bytearray()
    for identifier, kind, message, references in objects:
        packed = b"".join(map(varint, references))
        about = field(1, kind) + field(3, len(message)) + (field(5, packed) if packed else b"")
        info = field(1, identifier) + field(2, about)
        data += varint(len(info)) + info + message
    block = snappy(bytes(data))
    return b"\0" + struct.pack("<I", len(block))[:3] + block


def storage(identifier: int, text: str, kind: int = 0, styles: Sequence[tuple[int, int]] = ()) -> Object:
    """Return an object that holds text; `styles` are (offset, id of the paragraph style)."""
    entries = b"".join(field(1, field(1, offset) + reference(2, style)) for offset, style in styles)
    return identifier, 2001, field(1, kind) + field(3, text) + (field(5, entries) if styles else b""), ()
