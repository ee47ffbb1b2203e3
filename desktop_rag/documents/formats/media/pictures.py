"""Reads the metadata of pictures: size, time, camera, location, title. Visible text is left to OCR.

Each frame is a textless page with the size that the painter renders.
"""

import io
import re
import struct
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.paged_files import open_paged
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image


# Finds size and EXIF metadata in photos of phones: HEIC and AVIF (ISO/IEC 23008-12), without decoding the picture.

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


MAX_PAGES = 2000

_MAX_CHARACTERS = 4000  # per field; some programs write huge comments
_DETAILS, _LOCATION = 0x8769, 0x8825  # EXIF sub-directories
_DESCRIPTION, _MAKER, _MODEL, _ARTIST, _COPYRIGHT, _CHANGED = 0x010E, 0x010F, 0x0110, 0x013B, 0x8298, 0x0132
_TAKEN, _COMMENT, _WINDOWS_TITLE, _WINDOWS_KEYWORDS = 0x9003, 0x9286, 0x9C9B, 0x9C9E
_BROKEN = (OSError, ValueError, SyntaxError, KeyError, TypeError, struct.error)  # Pillow plugins raise any of these
_DATE = re.compile(r"(\d{4}):(\d{2}):(\d{2})(?: (\d{2}:\d{2}))?")


def read_picture(source: SourceFile, kind: Format) -> Document:
    """Return the fields of a picture; raises `DocumentError` if it is damaged."""
    if source.depth:
        raise DocumentError("Pictures inside other files are not read.", ProblemKind.TYPE)
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        if (photo := heif_photo(source.data)) is not None:
            _append_fields(builder, f"{photo.width} × {photo.height} pixels, {photo.kind}", _photo_metadata(photo.exif))
            with suppress(DocumentError):  # none can be decoded here but AVIF, where Pillow has its decoder
                _begin_pages(source, builder)
            return builder.build()
        _read_metadata(source.data, builder)
        _begin_pages(source, builder)
    return builder.build()


def _begin_pages(source: SourceFile, builder: DocumentBuilder) -> None:
    for width, height in _sizes(source):
        source.budget.check()
        builder.begin_page(width, height, textless=True)


def _read_metadata(data: bytes, builder: DocumentBuilder) -> None:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # nothing is decompressed here
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data)) as picture:
            metadata = _metadata(picture.getexif(), picture.info)
            name = picture.format or "picture"
            size = f"{picture.width} × {picture.height} pixels, {name}"
    except _BROKEN as error:
        raise DocumentError("This picture is damaged or of an unsupported kind.", ProblemKind.DAMAGED) from error
    _append_fields(builder, size, metadata)


def _photo_metadata(stored: bytes) -> dict[str, str]:
    """Return the fields of EXIF metadata, none if they are damaged."""
    from PIL import Image

    exif = Image.Exif()
    try:
        with warnings.catch_warnings(action="ignore"):
            exif.load(stored)
            return _metadata(exif, {})
    except _BROKEN:
        return {}


def _append_fields(builder: DocumentBuilder, size: str, metadata: dict[str, str]) -> None:
    builder.title = metadata.get("Title", "")
    builder.author = metadata.get("Artist", "")
    builder.created = metadata.get("Taken", "").replace(" ", "T")
    builder.add_fields({"Picture": size, **metadata})


def _metadata(exif: "Image.Exif", info: "Mapping[str | tuple[int, int], object]") -> dict[str, str]:
    details, location = exif.get_ifd(_DETAILS), exif.get_ifd(_LOCATION)
    # PNG text chunks
    written = {key.lower(): value for key, value in info.items() if isinstance(key, str) and isinstance(value, str)}
    camera = [_text(exif.get(_MAKER)), _text(exif.get(_MODEL))]
    if camera[1].startswith(camera[0]):
        camera = camera[1:]
    return {
        "Title": _text(exif.get(_WINDOWS_TITLE)) or _text(written.get("title")),
        "Description": _text(exif.get(_DESCRIPTION)) or _text(written.get("description")),
        "Taken": _date(details.get(_TAKEN) or exif.get(_CHANGED)),
        "Place": _coordinates(location),
        "Camera": " ".join(filter(None, camera)),
        "Artist": _text(exif.get(_ARTIST)) or _text(written.get("author")),
        "Keywords": _text(exif.get(_WINDOWS_KEYWORDS)),
        "Comment": _text(details.get(_COMMENT)) or _text(written.get("comment")),
        "Copyright": _text(exif.get(_COPYRIGHT)) or _text(written.get("copyright")),
    }


def _text(value: object) -> str:
    if isinstance(value, bytes):  # Windows writes UTF-16; comments start with the name of their encoding
        code = "utf-16-le" if value[1:2] == b"\0" else "utf-8"
        value = value.removeprefix(b"ASCII\0\0\0").removeprefix(b"UNICODE\0").decode(code, "replace")
    if not isinstance(value, str):
        return ""
    return " ".join(clean(value.replace("\0", " "))[:_MAX_CHARACTERS].split())


def _date(value: object) -> str:
    """Return an EXIF date in ISO form, with the time if it has one."""
    match = _DATE.match(value) if isinstance(value, str) else None
    if match is None or match[1] == "0000":
        return ""
    return " ".join(filter(None, (f"{match[1]}-{match[2]}-{match[3]}", match[4])))


def _coordinates(location: "dict[int, object]") -> str:
    """Return `latitude, longitude` in decimal degrees from EXIF's degrees, minutes and seconds."""
    try:
        found = []
        for reference, angle, negative in ((1, 2, "S"), (3, 4, "W")):
            degrees, minutes, seconds = (float(part) for part in location[angle])  # type: ignore[attr-defined]  # checked below
            value = degrees + minutes / 60 + seconds / 3600
            found.append(f"{-value if location[reference] == negative else value:.5f}")
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return ""
    return ", ".join(found)


def _sizes(source: SourceFile) -> list[tuple[float, float]]:
    """Return the sizes of the frames in points."""
    with open_paged(source.name, source.data) as file:
        pages = (file.load_page(number).rect for number in range(min(file.page_count, MAX_PAGES)))
        return [(page.width, page.height) for page in pages]
