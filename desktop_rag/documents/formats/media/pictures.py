"""Reads the metadata of pictures: size, time, camera, location, title. Visible text is left to OCR.

Each frame is a textless page with the size that the painter renders.
"""

import io
import re
import struct
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.media.heif import heif_photo
from desktop_rag.documents.formats.paged_files import open_paged
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image

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
    for field, value in {"Picture": size, **metadata}.items():
        if value:
            builder.add(Line(f"{field}: {value}", LineKind.FIELD))


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
