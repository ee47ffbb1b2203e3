"""Files named .doc or .ppt: binary Word and PowerPoint files, and newer formats under these names."""

from dataclasses import replace

from desktop_rag.documents import file_signatures
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.office.doc import DAMAGED as DAMAGED_DOC
from desktop_rag.documents.formats.office.doc import read_doc
from desktop_rag.documents.formats.office.package import PROTECTED, is_encrypted
from desktop_rag.documents.formats.office.ppt import DAMAGED as DAMAGED_PPT
from desktop_rag.documents.formats.office.ppt import read_ppt
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError

_WEB_MARKS = (b"<html", b"<!doctype html", b"<head", b"<meta", b"<table", b"<div")
_MAIL_MARK = b"mime-version:"


def read_legacy(source: SourceFile, kind: Format) -> Document:
    """Return the document of a .doc or .ppt file; raises `DocumentError` if it is damaged, protected or too old."""
    is_word = kind is Format.OLD_WORD
    if source.data.startswith(file_signatures.ZIP):
        return _read_as(source, "docx" if is_word else "pptx")
    if (document := read_misnamed(source)) is not None:
        return document
    if not source.data.startswith(file_signatures.OLE):
        raise DocumentError(DAMAGED_DOC if is_word else DAMAGED_PPT)
    if is_encrypted(source.data):
        raise DocumentError(PROTECTED)
    return read_doc(source) if is_word else read_ppt(source)


def read_misnamed(source: SourceFile) -> Document | None:
    """Return the document of an RTF, HTML or MHTML file with an office suffix, or None if it is something else."""
    start = source.data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith(file_signatures.RTF):
        return _read_as(source, "rtf")
    if start.startswith(_WEB_MARKS):
        return _read_as(source, "html")
    if start.startswith(_MAIL_MARK):
        return _read_as(source, "mht")
    return None


def _read_as(source: SourceFile, suffix: str) -> Document:
    return source.read(replace(source, name=f"{source.name}.{suffix}"))
