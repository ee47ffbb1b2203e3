"""Appends the files set into documents and slides: workbooks, documents and others, as packages or OLE objects."""

import io
import posixpath
import struct
import zipfile
from collections.abc import Iterable

import olefile

from desktop_rag.documents import file_signatures
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.formats.mapi import BROKEN
from desktop_rag.documents.formats.office.package import Package, Relation
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError

_KINDS = ("package", "oleObject")
_ZIP = b"PK\x03\x04"
_FOLDERS = (("xl/", ".xlsx"), ("word/", ".docx"), ("ppt/", ".pptx"))
_STREAMS = (("Workbook", ".xls"), ("Book", ".xls"), ("WordDocument", ".doc"), ("PowerPoint Document", ".ppt"))
_CONTENTS = ("Package", "CONTENTS")  # a file in a stream
_NATIVE = "\x01Ole10Native"  # any file, with its name
_LONGEST_NAME = 260


def append_embedded(
    package: Package, relations: Iterable[Relation], builder: DocumentBuilder, source: SourceFile
) -> None:
    """Append the embedded files that `relations` name, each as a section; those that cannot be read are left out."""
    for target in dict.fromkeys(one.target for one in relations if one.kind in _KINDS and not one.outside):
        append_file(posixpath.basename(target), package.read(target), builder, source)


def append_file(name: str, data: bytes, builder: DocumentBuilder, source: SourceFile) -> None:
    """Append an embedded file with this name, which may not tell what it is."""
    name, data = _unwrapped(name, data)
    try:
        document = source.read_member(name, data, name) if data else None
    except DocumentError:
        return
    if document is not None:
        builder.add_blank()
        builder.include(document, f"{builder.section} · {name}" if builder.section else name, deeper=1)


def _unwrapped(name: str, data: bytes) -> tuple[str, bytes]:
    """Return an embedded file with a name that fits it; no bytes if there is none."""
    stem = posixpath.splitext(name)[0]
    if data.startswith(file_signatures.OLE):
        try:
            ole = olefile.OleFileIO(io.BytesIO(data))
            if suffix := next((suffix for stream, suffix in _STREAMS if ole.exists(stream)), ""):
                return f"{stem}{suffix}", data
            for stream in _CONTENTS:
                if ole.exists(stream):
                    return _unwrapped(name, ole.openstream([stream]).read())
            return _of_native(ole.openstream([_NATIVE]).read()) if ole.exists(_NATIVE) else (name, b"")
        except BROKEN:
            return name, b""
    if data.startswith(_ZIP):
        try:
            names = zipfile.ZipFile(io.BytesIO(data)).namelist()
        except (zipfile.BadZipFile, ValueError, OSError):
            return name, b""
        suffix = next((suffix for folder, suffix in _FOLDERS if any(each.startswith(folder) for each in names)), "")
        return f"{stem}{suffix}" if suffix else name, data
    return f"{stem}.pdf" if data.startswith(b"%PDF") else name, data


def _of_native(data: bytes) -> tuple[str, bytes]:
    """Return the name and the bytes of a file in an OLE package: sizes, and names that end with a zero byte."""
    label, _, rest = data[6:].partition(b"\0")
    path, _, rest = rest.partition(b"\0")
    if len(rest) < 8:
        return "", b""
    (length,) = struct.unpack_from("<I", rest, 4)
    rest = rest[8 + length :]
    if len(rest) < 4:
        return "", b""
    (size,) = struct.unpack_from("<I", rest)
    name = (label or path).decode("latin-1").replace("\\", "/")
    return posixpath.basename(name)[:_LONGEST_NAME], rest[4 : 4 + size]
