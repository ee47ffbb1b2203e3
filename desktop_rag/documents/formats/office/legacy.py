"""Files with an office suffix: binary Word and PowerPoint files, and whatever else programs save under these names."""

import io
from dataclasses import replace

import olefile

from desktop_rag.documents import file_types
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import UNREAD_WORD, Format, format_of, suffix_of
from desktop_rag.documents.formats.office.binary.doc import DAMAGED as DAMAGED_DOC
from desktop_rag.documents.formats.office.binary.doc import WORD2, read_doc
from desktop_rag.documents.formats.office.binary.ppt import DAMAGED as DAMAGED_PPT
from desktop_rag.documents.formats.office.binary.ppt import read_ppt
from desktop_rag.documents.formats.office.package import PROTECTED, is_encrypted, suffix_of_streams
from desktop_rag.documents.formats.source_file import BROKEN, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_WEB_MARKS = (b"<html", b"<!doctype html", b"<head", b"<meta", b"<table", b"<div")
_XML_MARKS = (b"<workbook", b"<ss:workbook", b"<w:worddocument", b"<pkg:package")
_MAIL_MARK = b"mime-version:"
_UNREAD_WORD = (b"\xfe\x37\x00", b"\x31\xbe\x00\x00", b"\x9b\xa5")  # of Macintosh, of DOS, and the first of Windows
_TEXT_UNDER = {"doc": "txt", "dot": "txt", "ppt": "txt", "xls": "csv"}  # what a text of these names is


def read_legacy(source: SourceFile, kind: Format) -> Document:
    """Return the document of a .doc or .ppt file; raises `DocumentError` if it is damaged, protected or too old."""
    is_word = kind is Format.OLD_WORD
    if source.data.startswith(file_types.ZIP):
        return _read_as(source, "docx" if is_word else "pptx")
    if (document := read_misnamed(source)) is not None:
        return document
    if is_word and source.data.startswith(_UNREAD_WORD):
        raise DocumentError(UNREAD_WORD)
    if not source.data.startswith((file_types.OLE, WORD2)):
        raise DocumentError(DAMAGED_DOC if is_word else DAMAGED_PPT, ProblemKind.DAMAGED)
    if is_encrypted(source.data):
        raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
    return read_doc(source) if is_word else read_ppt(source)


def read_misnamed(source: SourceFile) -> Document | None:
    """Return the document of a file whose content is of another format than its suffix says, or None."""
    if source.data.startswith(file_types.OLE):
        try:
            suffix = suffix_of_streams(olefile.OleFileIO(io.BytesIO(source.data)))
        except BROKEN:
            suffix = ""
        return _read_as(source, suffix) if suffix and format_of(f"a.{suffix}") is not format_of(source.name) else None
    start = source.data[:2048].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith(file_types.RTF):
        return _read_as(source, "rtf")
    if start.startswith(_WEB_MARKS):
        return _read_as(source, "html")
    if start.startswith(b"<?xml") and any(mark in start for mark in _XML_MARKS):
        return _read_as(source, "abw")
    if start.startswith(_MAIL_MARK):
        return _read_as(source, "mht")
    kind = _TEXT_UNDER.get(suffix_of(source.name))
    return _read_as(source, kind) if kind and _is_text(source) else None


def _is_text(source: SourceFile) -> bool:
    try:
        return bool(decode(source.data).strip())
    except DocumentError:
        return False


def _read_as(source: SourceFile, suffix: str) -> Document:
    return source.read(replace(source, name=f"{source.name}.{suffix}"))
