"""Finds size and EXIF metadata in photos of phones: HEIC and AVIF (ISO/IEC 23008-12), without decoding the picture."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_BRANDS = {b"heic": "HEIC", b"heix": "HEIC", b"heim": "HEIC", b"hevc": "HEIC", b"mif1": "HEIF", b"avif": "AVIF"}
_BRANDS |= {b"avis": "AVIF", b"msf1": "HEIF"}
_MAX_ITEMS, _MAX_BOXES = 10_000, 100_000


@dataclass(frozen=True, slots=True)
class HeifPhoto:
    """The size of the largest picture in pixels, and its metadata."""

    kind: str
    width: int
    height: int
    exif: bytes


def heif_photo(data: bytes) -> HeifPhoto | None:
    """Return the size and the metadata of such a photo, None if `data` is none."""
    if data[4:8] != b"ftyp" or data[8:12] not in _BRANDS:
        return None
    exif = b""
    width = height = 0
    for kind, meta in _boxes(data):
        if kind != b"meta":
            continue
        parts = dict(_boxes(meta[4:]))
        for inner, properties in _boxes(parts.get(b"iprp", b"")):
            for name, size in _boxes(properties if inner == b"ipco" else b""):
                if name == b"ispe" and len(size) >= 12:
                    found = struct.unpack_from(">II", size, 4)
                    width, height = max((width, height), found)
        stored = _item(data, parts.get(b"iloc", b""), _exif_item(parts.get(b"iinf", b"")), parts.get(b"idat", b""))
        start = 4 + int.from_bytes(stored[:4], "big")  # of the TIFF header
        exif = b"Exif\0\0" + stored[start:] if len(stored) > start else b""
    return HeifPhoto(_BRANDS[data[8:12]], width, height, exif)


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 0
    for _ in range(_MAX_BOXES):
        if position + 8 > len(data):
            return
        size, kind = struct.unpack_from(">I4s", data, position)
        start = position + 8
        if size == 1 and start + 8 <= len(data):
            (size,) = struct.unpack_from(">Q", data, start)
            start += 8
        end = position + size if size else len(data)
        if end < start:
            return
        yield kind, data[start:end]
        position = end


def _exif_item(data: bytes) -> int:
    """Return the number of the item with the metadata in an item information box, -1 if there is none."""
    head = 6 if data[:1] == b"\0" else 8
    for kind, entry in _boxes(data[head:]):
        wide = entry[:1] == b"\3"
        name = 10 if wide else 8
        if kind == b"infe" and entry[:1] in (b"\2", b"\3") and entry[name : name + 4] == b"Exif":
            return int.from_bytes(entry[4 : 8 if wide else 6], "big")
    return -1


def _item(data: bytes, places: bytes, wanted: int, inside: bytes) -> bytes:
    """Return the bytes of an item, as its item location box says."""
    if len(places) < 8 or wanted < 0:
        return b""
    version = places[0]
    sizes = places[4] >> 4, places[4] & 15, places[5] >> 4, places[5] & 15 if version else 0
    offset_size, length_size, base_size, index_size = sizes
    wide = 4 if version == 2 else 2
    position = 6

    def number(size: int) -> int:
        nonlocal position
        position += size
        return int.from_bytes(places[position - size : position], "big")

    for _ in range(min(_MAX_ITEMS, number(wide))):
        identifier = number(wide)
        method = number(2) & 15 if version else 0
        number(2)  # where the data is: this file
        base = number(base_size)
        pieces: list[bytes] = []
        for _ in range(min(_MAX_ITEMS, number(2))):
            number(index_size)
            start, length = base + number(offset_size), number(length_size)
            if identifier == wanted:
                pieces.append((inside if method == 1 else data)[start : start + length])
            if position > len(places):
                return b""
        if identifier == wanted:
            return b"".join(pieces)
    return b""
