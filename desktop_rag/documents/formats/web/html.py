"""Reads web pages: the main text with headings, lists, tables, quotes, code and links."""

from collections.abc import Sequence

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage, decode_html
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import ProblemKind

_TOO_DEEP = "This page is nested too deeply; the rest of it was left out."


def read_html(source: SourceFile, kind: Format) -> Document:
    """Return the text of a web page; raises `DocumentError` if it has none."""
    return page_document(source, [decode_html(source.data)], kind)


def page_document(source: SourceFile, texts: Sequence[str], kind: Format, base: str = "") -> Document:
    """Return the document of a decoded page and its frames; menus are included if there is no other text."""
    pages = [HtmlPage(text) for text in texts]
    builder = _built(source, pages, kind, base, keep_boilerplate=False)
    if not builder.characters:
        builder = _built(source, pages, kind, base, keep_boilerplate=True)
    if builder.characters and not builder.partial and any(page.too_deep for page in pages):
        builder.leave_out(_TOO_DEEP, ProblemKind.LIMIT)
    return builder.build("This page contains no text.")


def _built(
    source: SourceFile, pages: Sequence[HtmlPage], kind: Format, base: str, *, keep_boilerplate: bool
) -> DocumentBuilder:
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        reader = HtmlTextExtractor(builder, source.budget, keep_boilerplate=keep_boilerplate)
        for number, page in enumerate(pages):
            own_base = base
            if number == 0:
                own_base = page.read_metadata(builder) or base
            if page.root is not None:
                reader.read(page.root, own_base)
        builder.title = builder.title or reader.first_heading
    return builder
