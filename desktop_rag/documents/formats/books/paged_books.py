"""Reads books with fixed pages: XPS and MOBI as laid out by MuPDF, comics as pages without text.

The pages agree with the painter's, which opens the file in the same way.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, OutlineEntry
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.paged_files import open_paged
from desktop_rag.documents.formats.pdf.open_pdf import mupdf_errors, page_size
from desktop_rag.documents.formats.pdf.pdf_reader import MAX_PAGES, read_pdf
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile
from desktop_rag.documents.picture_notes import note_of_scans
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    import pymupdf


def read_printed(source: SourceFile, kind: Format) -> Document:
    """Return the text of an XPS or MOBI file, page by page."""
    with open_paged(source.name, source.data) as book:
        source.budget.check()
        count = min(book.page_count, MAX_PAGES)
        try:
            pages = book.convert_to_pdf(0, count - 1)
        except mupdf_errors() as error:
            raise DocumentError("This e-book is damaged: its pages cannot be read.", ProblemKind.DAMAGED) from error
        document = read_pdf(replace(source, data=pages), kind)
        metadata = book.metadata or {}
        return replace(
            document,
            title=metadata.get("title") or document.title,
            author=metadata.get("author") or "",
            created="",
            modified="",
            structure=replace(document.structure, outline=_outline(book, document)),
        )


def read_comic(source: SourceFile, kind: Format) -> Document:
    """Return the pages of a comic, all textless."""
    builder = DocumentBuilder(kind)
    with open_paged(source.name, source.data) as book, source.keep_partial(builder):
        for number in range(book.page_count):
            source.budget.check()
            if number >= MAX_PAGES:
                raise ReadLimitReached(f"Only the first {MAX_PAGES:,} pages of this comic were read.")
            width, height = page_size(book, number)
            builder.begin_page(width, height, textless=True)
        builder.leave_out(note_of_scans(range(1, book.page_count + 1), book.page_count), ProblemKind.SCANS)
    return builder.build()


def _outline(book: "pymupdf.Document", document: Document) -> tuple[OutlineEntry, ...]:
    return tuple(
        OutlineEntry(document.pages[page - 1].first_line, level, title)
        for level, title, page in book.get_toc()
        if 1 <= page <= len(document.pages) and title
    )
