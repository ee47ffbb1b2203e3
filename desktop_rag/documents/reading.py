"""Turns the bytes of one file into a `Document`, by its name and, where the name says nothing, by the bytes."""

from desktop_rag.documents.document import Document
from desktop_rag.documents.formats import (
    MAX_FILE_BYTES,
    SUFFIXES,
    Format,
    format_of,
    is_supported,
    unread_reason,
)
from desktop_rag.errors import DocumentError

__all__ = ["MAX_FILE_BYTES", "SUFFIXES", "is_supported", "read_document", "too_large_reason", "unread_reason"]

_PDF_MARK = b"%PDF-"


def too_large_reason(size: int) -> str:
    """Return why a file of `size` bytes is not read."""
    return f"This file has {size / 1024**2:,.0f} MB; files over {MAX_FILE_BYTES // 1024**2} MB are not read."


def read_document(name: str, data: bytes, seconds: float = float("inf")) -> Document:
    """Return the lines of a file; raises `DocumentError` with the reason to show beside it.

    A long PDF is cut off after about `seconds`; what was read is kept and `Document.partial` says so.
    """
    if not data:
        raise DocumentError("This file is empty.")
    if len(data) > MAX_FILE_BYTES:
        raise DocumentError(too_large_reason(len(data)))
    try:
        return _read(_format(name, data), data, seconds)
    except MemoryError as error:
        raise DocumentError("Reading this file needs more memory than is allowed.") from error


def _format(name: str, data: bytes) -> Format:
    if data.startswith(_PDF_MARK):
        return Format.PDF
    kind = format_of(name)
    if kind is Format.PDF and _PDF_MARK not in data[:1024]:
        raise DocumentError("This file is damaged or not a PDF.")
    if kind is not None:
        return kind
    if reason := unread_reason(name):
        raise DocumentError(f"{reason}.")
    return Format.CODE if data.startswith(b"#!") else Format.TEXT


def _read(kind: Format, data: bytes, seconds: float) -> Document:
    if kind is Format.PDF:
        from desktop_rag.documents.pdf import read_pdf

        return read_pdf(data, seconds)
    if kind is Format.MARKDOWN:
        from desktop_rag.documents.markdown import read_markdown

        return read_markdown(data)
    from desktop_rag.documents.plain_text import read_plain_text

    return read_plain_text(data, kind)
