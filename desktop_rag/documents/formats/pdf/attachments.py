"""Reads the files embedded in a PDF: each is listed, and read if its format is supported."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.formats.pdf.open_pdf import mupdf_errors, only_attachments_protected
from desktop_rag.documents.formats.source_file import MAX_UNPACKED, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

_MAX = 1000


@dataclass(frozen=True, slots=True)
class PdfAttachment:
    """An embedded file: its document, or why it has none."""

    name: str
    size: int
    document: Document | None
    reason: str


def read_attachments(
    file: "pymupdf.Document", pinned: Sequence["mupdf.PdfObj"], source: SourceFile
) -> list[PdfAttachment]:
    """Return the attachments of a file and those `pinned` to its pages, within the budget."""
    found: list[PdfAttachment] = []
    # an error must not cost the pages: keep the attachments found before it
    with contextlib.suppress(ReadLimitReached, *mupdf_errors()):
        specifications = (*_listed(file), *pinned)
        locked = bool(specifications) and only_attachments_protected(source.data)
        found.extend(_read(specification, source, locked=locked) for specification in specifications)
    return found


def add_attachments(builder: DocumentBuilder, attachments: Sequence[PdfAttachment]) -> None:
    """Append the attachments, before the first page, because they are on none."""
    for attachment in attachments:
        builder.begin_section(attachment.name)
        note = f" – {attachment.reason}" if attachment.reason else ""
        size = f" ({max(1, attachment.size // 1024):,} KB)" if attachment.size else ""
        builder.add(Line(f"Attached file: {attachment.name}{size}{note}", LineKind.FIELD))
        if attachment.document is not None:
            builder.include(attachment.document, attachment.name)
    if attachments:
        builder.add_blank()
        builder.begin_section("")


def _listed(file: "pymupdf.Document") -> Iterator["mupdf.PdfObj"]:
    from pymupdf import mupdf

    pdf = mupdf.pdf_document_from_fz_document(file.this)
    names = mupdf.pdf_load_name_tree(pdf, mupdf.pdf_new_name("EmbeddedFiles"))
    for index in range(min(_MAX, mupdf.pdf_dict_len(names))):
        yield mupdf.pdf_dict_get_val(names, index)


def _read(specification: "mupdf.PdfObj", source: SourceFile, *, locked: bool) -> PdfAttachment:
    from pymupdf import mupdf

    parameters = mupdf.pdf_filespec_params()
    mupdf.ll_pdf_get_filespec_params(specification.m_internal, parameters)
    name = " ".join(clean(parameters.filename or "").split()) or "attachment"
    if not mupdf.pdf_is_embedded_file(specification):
        return PdfAttachment(name, 0, None, "it is not embedded in this file")
    if locked:
        return PdfAttachment(name, 0, None, "it is protected by a password")
    streams = mupdf.pdf_dict_gets(specification, "EF")
    stream = mupdf.pdf_dict_gets(streams, "UF")
    if not stream.m_internal:
        stream = mupdf.pdf_dict_gets(streams, "F")
    # the declared size is not trusted: measure the stream before it is loaded
    size = mupdf.fz_skip(mupdf.pdf_open_stream(stream), MAX_UNPACKED + 1)
    source.budget.count_unpacked(size, mupdf.pdf_dict_get_int(stream, mupdf.pdf_new_name("Length")))
    data = mupdf.fz_buffer_extract_copy(mupdf.pdf_load_stream(stream))
    try:
        return PdfAttachment(name, size, source.read_member(name, data, name), "")
    except DocumentError as error:
        return PdfAttachment(name, size, None, str(error).rstrip("."))
