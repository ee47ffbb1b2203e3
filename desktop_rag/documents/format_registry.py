"""The registered readers, and `read_document`, which chooses one by the name and the first bytes of a file."""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType

from desktop_rag.documents import file_types
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import MAX_FILE_BYTES, SUFFIXES, Format, format_of, is_supported, unread_reason
from desktop_rag.documents.formats.source_file import (
    ReadBudget,
    ReadLimitReached,
    SourceFile,
    StepReached,
    max_characters,
)
from desktop_rag.errors import DocumentError, ProblemKind
from desktop_rag.text.language_detection import spoken

__all__ = ["MAX_FILE_BYTES", "SUFFIXES", "is_supported", "read_document", "too_large_reason", "unread_reason"]

# Module and function of each reader, imported lazily with the first file of its format.
_READERS = MappingProxyType(
    {
        Format.PDF: ("pdf.pdf_reader", "read_pdf"),
        Format.WORD: ("office.docx", "read_docx"),
        Format.SLIDES: ("office.pptx", "read_pptx"),
        Format.SHEETS: ("office.workbooks", "read_workbook"),
        Format.OPEN_DOCUMENT: ("office.odf", "read_odf"),
        Format.XML_OFFICE: ("office.xml_office", "read_xml_office"),
        Format.IWORK: ("iwork.iwork_reader", "read_iwork"),
        Format.HANGUL: ("office.hangul", "read_hangul"),
        Format.DRAWING: ("office.drawings", "read_drawing"),
        Format.RICH_TEXT: ("office.rtf", "read_rtf"),
        Format.OLD_WORD: ("office.legacy", "read_legacy"),
        Format.OLD_SLIDES: ("office.legacy", "read_legacy"),
        Format.WEB: ("web.html", "read_html"),
        Format.SAVED_PAGE: ("mail.mhtml", "read_mhtml"),
        Format.MAIL: ("mail.mail_files", "read_mail"),
        Format.MAILBOX: ("mail.mail_files", "read_mailbox"),
        Format.ARCHIVE: ("containers.archives", "read_archive"),
        Format.BOOK: ("books.epub", "read_epub"),
        Format.FICTION_BOOK: ("books.fb2", "read_fb2"),
        Format.PRINTED_BOOK: ("books.paged_books", "read_printed"),
        Format.COMIC: ("books.paged_books", "read_comic"),
        Format.DJVU: ("books.djvu", "read_djvu"),
        Format.HELP_BOOK: ("books.help_books", "read_help_book"),
        Format.NOTEBOOK: ("text_files.notebooks", "read_notebook"),
        Format.OUTLOOK_MAIL: ("mail.outlook", "read_msg"),
        Format.SIGNED: ("mail.mime", "read_signed"),
        Format.CALENDAR: ("personal.calendars", "read_calendar"),
        Format.CONTACTS: ("personal.contacts", "read_contacts"),
        Format.PICTURE: ("media.pictures", "read_picture"),
        Format.RECORDING: ("media.recordings", "read_recording"),
        Format.MARKDOWN: ("markup.markdown_reader", "read_markdown"),
        Format.RST: ("markup.restructuredtext", "read_rst"),
        Format.ASCIIDOC: ("markup.asciidoc", "read_asciidoc"),
        Format.ORG: ("markup.org", "read_org"),
        Format.LATEX: ("markup.latex", "read_latex"),
        Format.SUBTITLES: ("text_files.subtitles", "read_subtitles"),
        Format.CODE: ("text_files.code", "read_code"),
        Format.DATA: ("text_files.code", "read_data"),
        Format.TABLE: ("text_files.delimited", "read_delimited"),
    }
)
_WITHOUT_LANGUAGE = (Format.CODE, Format.DATA, Format.TABLE, Format.LOG)
_PLAIN_TEXT = ("text_files.source_lines", "read_plain_text")
_MAILBOX = re.compile(rb"From [^\n]{0,200}\d\d:\d\d:\d\d [^\n]{0,40}\d{4}\r?\n")


def too_large_reason(size: int) -> str:
    """Return why a file of `size` bytes is not read."""
    return f"This file has {size / 1024**2:,.0f} MB; files over {MAX_FILE_BYTES // 1024**2} MB are not read."


def read_document(
    name: str,
    data: bytes,
    seconds: float = float("inf"),
    until: StepReached | None = None,
    report: Callable[[StepReached], None] | None = None,
) -> Document:
    """Return the document of a file; raises `DocumentError` with the reason to show to the user.

    Reading stops after about `seconds` of CPU time, and at the step `until`; `Document.partial` then says so. `report`
    gets the progress now and then.
    """
    try:
        document = _read(SourceFile(name, data, ReadBudget(seconds, max_characters(len(data)), until, report), _read))
    except ReadLimitReached as error:  # a reader that had no partial result
        raise DocumentError(str(error), error.kind) from error
    except MemoryError as error:
        raise DocumentError("Reading this file needs more memory than is allowed.", ProblemKind.LIMIT) from error
    return _with_language(document)


def _with_language(document: Document) -> Document:
    if document.format in _WITHOUT_LANGUAGE:
        return document
    return replace(document, language=spoken(document.text, document.language))


def _read(source: SourceFile) -> Document:
    if not source.data:
        raise DocumentError("This file is empty.", ProblemKind.EMPTY)
    if len(source.data) > MAX_FILE_BYTES:
        raise DocumentError(too_large_reason(len(source.data)), ProblemKind.TOO_LARGE)
    kind = _format(source.name, source.data)
    return _reader(kind)(source, kind)


def _format(name: str, data: bytes) -> Format:
    if data.startswith(file_types.PDF):
        return Format.PDF
    kind = format_of(name)
    if kind is Format.PDF and file_types.PDF not in data[:1024]:
        raise DocumentError("This file is damaged or not a PDF.", ProblemKind.DAMAGED)
    if kind is not None:
        return kind
    if reason := unread_reason(name):
        raise DocumentError(f"{reason}.", ProblemKind.TYPE)
    if _MAILBOX.match(data):  # mail programs name mailboxes “Inbox”
        return Format.MAILBOX
    return Format.CODE if data.startswith(b"#!") else Format.TEXT


def _reader(kind: Format) -> Callable[[SourceFile, Format], Document]:
    module, function = _READERS.get(kind, _PLAIN_TEXT)
    reader: Callable[[SourceFile, Format], Document] = getattr(
        import_module(f"desktop_rag.documents.formats.{module}"), function
    )
    return reader
