"""The formats of an export, safe file names, and writing so that a failure keeps the file that was there."""

import os
import re
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QMarginsF
from PySide6.QtGui import QGuiApplication, QPagedPaintDevice, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from desktop_rag.gui.catalogues import ENGLISH, avoid_c_locale, install_catalogues, window_language
from desktop_rag.gui.conversation.export.docx_export import as_docx
from desktop_rag.gui.conversation.export.exported_conversation import (
    ExportedConversation,
    as_bibtex,
    as_csl_json,
    as_ris,
)
from desktop_rag.gui.conversation.export.html_export import as_html, as_markdown
from desktop_rag.text.display import one_line

# A conversation as JSON: questions, answers, citations and the documents they cite.


def as_json(conversation: ExportedConversation) -> str:
    """Return the conversation as indented JSON; the links of an answer, `[n](cite:n)`, are the numbers of its notes."""
    return msgspec.json.format(msgspec.json.encode(conversation)).decode() + "\n"


_LONGEST = 80  # characters of a file name
_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")  # by Windows
_MARGIN = 18  # millimetres


class ExportFormat(StrEnum):
    """A format; the value is the ending of its files."""

    MARKDOWN = "md"
    HTML = "html"
    DOCX = "docx"
    PDF = "pdf"
    JSON = "json"
    BIBTEX = "bib"
    RIS = "ris"
    CSL = "csl.json"


LINKED = (
    ExportFormat.MARKDOWN,
    ExportFormat.HTML,
    ExportFormat.DOCX,
    ExportFormat.PDF,
)  # may have links to the cited files
# Other endings of files in a format.
_ALSO = ((ExportFormat.MARKDOWN, ".markdown"), (ExportFormat.MARKDOWN, ".txt"), (ExportFormat.HTML, ".htm"))

_SUPERSCRIPT = '<sup style="font-size: 13pt">'  # of which Qt takes two thirds: 6 of 10 points are hard to read


def format_names() -> dict[ExportFormat, str]:
    """Return the formats with their names for the user."""
    return {
        ExportFormat.MARKDOWN: _tr("Markdown"),
        ExportFormat.HTML: _tr("Web page"),
        ExportFormat.DOCX: _tr("Word document"),
        ExportFormat.PDF: _tr("PDF"),
        ExportFormat.JSON: _tr("JSON"),
        ExportFormat.BIBTEX: _tr("Sources as BibTeX"),
        ExportFormat.RIS: _tr("Sources as RIS"),
        ExportFormat.CSL: _tr("Sources as CSL-JSON"),
    }


def format_of(path: str) -> ExportFormat | None:
    """Return the format that a file's ending names, None if it names none."""
    named = [kind for kind in ExportFormat if path.lower().endswith(f".{kind}")]
    return max(named, key=len, default=None)


def path_with_ending(path: Path, kind: ExportFormat) -> Path:
    """Return a path whose ending says what is in the file; one that had to be changed is of no file that exists."""
    if format_of(path.name) is kind or (kind, path.suffix.lower()) in _ALSO:
        return path
    named = (path.with_name(f"{path.name}{'' if n == 1 else f' ({n})'}.{kind}") for n in range(1, 1_000))
    return next((each for each in named if not each.exists()), path)


def safe_name(title: str) -> str:
    """Return a title as the name of a file that every system takes, without an ending."""
    name = one_line(_FORBIDDEN.sub(" ", title))
    name = " ".join(name.split())[:_LONGEST].strip(" .")
    while len(os.fsencode(name)) > 200:  # bytes; a directory entry holds 255
        name = name[:-1]
    return f"_{name}" if _RESERVED.match(name) else name or _tr("Conversation")


def encoded(conversation: ExportedConversation, kind: ExportFormat, *, file_links: bool = False) -> bytes:
    """Return the bytes of a file, with links to the cited files if it is one of `LINKED`; for a background thread."""
    if kind is ExportFormat.DOCX:
        return as_docx(conversation, file_links=file_links)
    if kind is ExportFormat.PDF:
        return _pdf(as_html(conversation, file_links=file_links), conversation.title)
    write: Mapping[ExportFormat, Callable[[ExportedConversation], str]] = {
        ExportFormat.MARKDOWN: partial(as_markdown, file_links=file_links),
        ExportFormat.HTML: partial(as_html, file_links=file_links),
        ExportFormat.JSON: as_json,
        ExportFormat.BIBTEX: as_bibtex,
        ExportFormat.RIS: as_ris,
        ExportFormat.CSL: as_csl_json,
    }
    return write[kind](conversation).encode("utf-8", "replace")


def print_on(device: QPagedPaintDevice, page: str) -> None:
    """Print a page of HTML; for a background thread."""
    document = QTextDocument()
    document.setHtml(page.replace("<sup>", _SUPERSCRIPT))
    document.print_(device)


@contextmanager
def outside_the_window(chosen: str, kind: str) -> Generator[None]:
    """Hold what a document needs where no window is: the words of its language, and fonts if it is laid out in pages.

    `chosen` is the language of the settings; without one it is that of the system.
    """
    if QCoreApplication.instance() is not None:
        yield
        return
    avoid_c_locale()
    paged = kind == ExportFormat.PDF
    if not paged and window_language(chosen) == ENGLISH:
        yield
        return
    if paged and sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = (QGuiApplication if paged else QCoreApplication)(["desktop-rag"])
    install_catalogues(application, chosen)
    try:
        yield
    finally:
        application.shutdown()


def _pdf(page: str, title: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(one_line(title))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
    writer.setPageMargins(margins, QPageLayout.Unit.Millimeter)
    print_on(writer, page)
    del writer  # finishes the file
    return bytes(buffer.data().data())


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationExport", text)
