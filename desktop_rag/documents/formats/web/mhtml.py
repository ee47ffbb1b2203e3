"""Reads web pages saved as one file (MHTML): the page and its frames."""

from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mime import data_of, header, parse
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html import page_document, read_html
from desktop_rag.documents.formats.web.html_page import decode_html
from desktop_rag.errors import DocumentError


def read_mhtml(source: SourceFile, kind: Format) -> Document:
    """Return the text of a saved page; raises `DocumentError` if it has none."""
    if source.data.lstrip()[:1] == b"<":  # plain HTML with the wrong suffix
        return read_html(source, kind)
    texts: list[str] = []
    base = ""
    for part in parse(source.data).walk():
        if part.get_content_type() in ("text/html", "application/xhtml+xml") and not part.is_multipart():
            texts.append(decode_html(data_of(part), str(part.get_content_charset("") or "")))
            base = base or header(part, "Content-Location")
    if not texts:
        raise DocumentError("This file is damaged or not a saved web page.")
    return page_document(source, texts, kind, base)
