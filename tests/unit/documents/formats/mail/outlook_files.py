"""Writes small OLE files ([MS-CFB]) with the properties of mails, as Outlook saves them."""

import struct
from collections.abc import Mapping
from typing import TypeAlias

Storage: TypeAlias = Mapping[str, "bytes | Storage"]

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def properties(top: int, numbers: Mapping[int, int] | None = None, times: Mapping[int, int] | None = None) -> bytes:
    """Return a stream of fixed-size properties after `top` bytes of header."""
    values = [(0x0003, tag, value) for tag, value in (numbers or {}).items()]
    values += [(0x0040, tag, value) for tag, value in (times or {}).items()]
    return bytes(top) + b"".join(struct.pack("<HHIq", kind, tag, 6, value) for kind, tag, value in values)


def texts_of(values: Mapping[int, str]) -> dict[str, "bytes | Storage"]:
    """Return the streams of text properties."""
    return {f"__substg1.0_{tag:04X}001F": text.encode("utf-16-le") for tag, text in values.items()}


def ole(root: Storage) -> bytes:
    """Return an OLE file; its streams have less than 4096 bytes each."""
    entries: list[bytes] = []
    small = bytearray()
    mini_fat: list[int] = []

    def add(name: str, content: "bytes | Storage", following: int) -> int:
        index = len(entries)
        entries.append(b"")
        start, size, child, kind = _END, 0, _NONE, 5 if name == "Root Entry" else 1
        if isinstance(content, bytes):
            assert len(content) < _CUTOFF
            kind, size = 2, len(content)
            count = -(-size // _MINI)
            if count:
                start = len(mini_fat)
                mini_fat.extend([*range(start + 1, start + count), _END])
                small.extend(content.ljust(count * _MINI, b"\0"))
        else:
            for inner, held in reversed(list(content.items())):
                child = add(inner, held, child)
        coded = name.encode("utf-16-le")
        entries[index] = (
            coded.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(coded) + 2, kind, 1, _NONE, following, child)
            + bytes(36)
            + struct.pack("<IQ", start, size)
        )
        return index

    add("Root Entry", root, _NONE)
    small_sectors = -(-len(small) // _SECTOR)
    entries[0] = entries[0][:116] + struct.pack("<IQ", 0 if small_sectors else _END, len(small))
    directory = b"".join(entries)
    directory = directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0")
    mini_table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    mini_table = mini_table.ljust(-(-len(mini_table) // _SECTOR) * _SECTOR, b"\xff")
    pieces = [bytes(small).ljust(small_sectors * _SECTOR, b"\0"), directory, mini_table]
    fat: list[int] = []
    starts: list[int] = []
    for piece in pieces:
        count = len(piece) // _SECTOR
        starts.append(len(fat))
        fat.extend([*range(len(fat) + 1, len(fat) + count), _END][:count])
    place = len(fat)
    fat.append(_FAT)
    assert len(fat) <= _SECTOR // 4
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        bytes(16),
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        0,
        1,
        starts[1],
        0,
        _CUTOFF,
        starts[2] if mini_table else _END,
        len(mini_table) // _SECTOR,
        _END,
        0,
        place,
    )
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(_SECTOR, b"\xff")
    return header.ljust(_SECTOR, b"\xff") + b"".join(pieces) + table
