"""Unpacks IWA, the object files of iWork: Snappy blocks of Protocol Buffers messages, each with an id and a type."""

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.documents.formats.source_file import MAX_ENTRIES, ReadBudget

_INFO_ID, _INFO_MESSAGES = 1, 2  # fields of TSP.ArchiveInfo
_TYPE, _LENGTH, _REFERENCES = 1, 3, 5  # fields of TSP.MessageInfo
_REFERENCE_ID = 1  # field of TSP.Reference
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10


class Damaged(ValueError):
    """The data does not follow the format."""


class ProtobufMessage:
    """The fields of a Protocol Buffers message; wrong types and missing fields are empty."""

    def __init__(self, data: bytes) -> None:
        self._fields: dict[int, list[int | bytes]] = {}
        position = 0
        while position < len(data):
            key, position = _varint(data, position)
            kind = key & 7
            value: int | bytes
            if kind == _VARINT:
                value, position = _varint(data, position)
            elif kind in (_FIXED64, _FIXED32):
                size = 8 if kind == _FIXED64 else 4
                value = data[position : position + size]
                position += size
            elif kind == _BYTES:
                size, position = _varint(data, position)
                value = data[position : position + size]
                position += size
            else:
                raise Damaged
            self._fields.setdefault(key >> 3, []).append(value)

    def number(self, field: int, otherwise: int = 0) -> int:
        """Return an integer field."""
        return next((value for value in self._fields.get(field, ()) if isinstance(value, int)), otherwise)

    def numbers(self, field: int) -> Iterator[int]:
        """Yield the values of a repeated integer field, packed or not."""
        for value in self._fields.get(field, ()):
            if isinstance(value, int):
                yield value
                continue
            position = 0
            while position < len(value):
                number, position = _varint(value, position)
                yield number

    def every(self, field: int) -> list[bytes]:
        """Return the values of a repeated field of bytes."""
        return [value for value in self._fields.get(field, ()) if isinstance(value, bytes)]

    def binary(self, field: int) -> bytes:
        """Return a field of bytes."""
        return next(iter(self.every(field)), b"")

    def text(self, field: int) -> str:
        """Return a text field."""
        return self.binary(field).decode("utf-8", "replace")

    def message(self, *path: int) -> "ProtobufMessage":
        """Return the message in the field at the end of `path`."""
        message = self
        for field in path:
            message = ProtobufMessage(message.binary(field))
        return message

    def reference(self, field: int) -> int:
        """Return the id of the object that a field refers to, 0 if there is none."""
        return self.message(field).number(_REFERENCE_ID)

    def references(self, field: int) -> list[int]:
        """Return the ids of the objects that a repeated field refers to."""
        return [ProtobufMessage(value).number(_REFERENCE_ID) for value in self.every(field)]


@dataclass(frozen=True, slots=True)
class IwaObject:
    """An object: its id, its type, its message, the ids of the objects it refers to."""

    id: int
    type: int
    data: bytes
    references: tuple[int, ...]

    @property
    def message(self) -> ProtobufMessage:
        """Return its fields."""
        return ProtobufMessage(self.data)


def objects_in(packed: bytes, budget: ReadBudget) -> Iterator[IwaObject]:
    """Yield the objects of an IWA file; raises `Damaged` where it ends too early or follows another format."""
    data = _unpacked(packed, budget)
    position = 0
    for _ in range(MAX_ENTRIES * 10):
        if position >= len(data):
            return
        budget.check()
        size, position = _varint(data, position)
        info = ProtobufMessage(data[position : position + size])
        position += size
        for raw in info.every(_INFO_MESSAGES):
            message = ProtobufMessage(raw)
            length = message.number(_LENGTH)
            references = tuple(message.numbers(_REFERENCES))
            yield IwaObject(
                info.number(_INFO_ID), message.number(_TYPE), data[position : position + length], references
            )
            position += length


def _unpacked(data: bytes, budget: ReadBudget) -> bytes:
    """Return the blocks of a file, each with a header of a zero and three bytes of length, unpacked and joined."""
    out = bytearray()
    position = 0
    while position + 4 <= len(data):
        if data[position]:
            raise Damaged
        size = int.from_bytes(data[position + 1 : position + 4], "little")
        block = data[position + 4 : position + 4 + size]
        position += 4 + size
        expected, _ = _varint(block, 0)
        budget.count_unpacked(expected, len(block))
        out += unpack_snappy(block)
    return bytes(out)


def unpack_snappy(block: bytes) -> bytes:
    """Return an unpacked Snappy block (without CRC); raises `Damaged` if it does not have its declared size."""
    expected, position = _varint(block, 0)
    out = bytearray()
    while position < len(block) and len(out) <= expected:
        tag = block[position]
        position += 1
        kind = tag & 3
        if kind == 0:
            length = tag >> 2
            if length >= 60:
                extra = length - 59
                length = int.from_bytes(block[position : position + extra], "little")
                position += extra
            length += 1
            out += block[position : position + length]
            position += length
            continue
        if kind == 1:
            length = (tag >> 2 & 7) + 4
            offset = tag >> 5 << 8 | int.from_bytes(block[position : position + 1], "little")
            position += 1
        else:
            length, size = (tag >> 2) + 1, 2 if kind == 2 else 4
            offset = int.from_bytes(block[position : position + size], "little")
            position += size
        if not 0 < offset <= len(out):
            raise Damaged
        start = len(out) - offset
        repeated = bytes(out[start : start + length])
        out += (repeated * (length // len(repeated) + 1))[:length]
    if len(out) != expected:
        raise Damaged
    return bytes(out)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(_LONGEST_VARINT):
        if position >= len(data):
            raise Damaged
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:
            return value, position
    raise Damaged
