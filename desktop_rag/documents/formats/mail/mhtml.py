"""Reads web pages saved as one file (MHTML, Safari's .webarchive): the page and its frames."""

import plistlib
import struct
from collections.abc import Iterator
from xml.parsers.expat import ExpatError

from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.mail.mime import data_of, header, parse
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html import page_document, read_html
from desktop_rag.documents.formats.web.html_page import decode_html
from desktop_rag.errors import DocumentError, ProblemKind

_DAMAGED = "This file is damaged or not a saved web page."
_BROKEN = (
    ValueError,
    ExpatError,
    struct.error,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)
_MAX_FRAMES, _MAX_FRAMES_DEEP = 100, 4


def read_mhtml(source: SourceFile, kind: Format) -> Document:
    """Return the text of a saved page; raises `DocumentError` if it has none."""
    if suffix_of(source.name) == "webarchive":
        return _read_webarchive(source, kind)
    if source.data.lstrip()[:1] == b"<":  # plain HTML with the wrong suffix
        return read_html(source, kind)
    texts: list[str] = []
    base = ""
    for part in parse(source.data).walk():
        if part.get_content_type() in ("text/html", "application/xhtml+xml") and not part.is_multipart():
            texts.append(decode_html(data_of(part), str(part.get_content_charset("") or "")))
            base = base or header(part, "Content-Location")
    if not texts:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
    return page_document(source, texts, kind, base)


def _read_webarchive(source: SourceFile, kind: Format) -> Document:
    """Return the text of a property list of Safari: the main resource, and archives like it for the frames."""
    try:
        archive: object = plistlib.loads(source.data)
    except _BROKEN as error:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED) from error
    pages = list(_pages(archive, 0))
    if not pages:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
    return page_document(source, [text for _, text in pages], kind, pages[0][0])


def _pages(archive: object, depth: int) -> Iterator[tuple[str, str]]:
    """Yield address and text of the page of an archive and of its frames."""
    if not isinstance(archive, dict) or depth > _MAX_FRAMES_DEEP:
        return
    page = archive.get("WebMainResource")
    if isinstance(page, dict) and isinstance(data := page.get("WebResourceData"), bytes):
        yield str(page.get("WebResourceURL", "")), decode_html(data, str(page.get("WebResourceTextEncodingName", "")))
    frames = archive.get("WebSubframeArchives")
    for frame in frames[:_MAX_FRAMES] if isinstance(frames, list) else ():
        yield from _pages(frame, depth + 1)
