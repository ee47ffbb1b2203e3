"""Reads PDF files through PyMuPDF: lines in reading order, each with its place on the page as it is shown.

MuPDF prints a page's text as JSON in C; decoding that is several times faster than asking for its
objects one by one from Python.
"""

import json
import re
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.documents.document import Box, Document
from desktop_rag.documents.formats import Format
from desktop_rag.documents.readers.encodings import clean
from desktop_rag.documents.readers.pdf.headings import assemble
from desktop_rag.documents.readers.pdf.page_layout import in_reading_order
from desktop_rag.documents.readers.pdf.printed import Piece, PrintedPage
from desktop_rag.documents.readers.source import MAX_CHARACTERS, Budget, Source
from desktop_rag.errors import DocumentError

if TYPE_CHECKING:
    import pymupdf

MAX_PAGES = 20_000

_SCALE = 100.0  # MuPDF prints whole numbers: hundredths of a point
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"untitled|microsoft (?:word|powerpoint|excel) - |\S+\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|pdf)$", re.I
)


class _Rect(msgspec.Struct):
    x: float
    y: float
    w: float
    h: float


class _Font(msgspec.Struct):
    size: float
    weight: str = ""
    name: str = ""


class _Line(msgspec.Struct):
    bbox: _Rect
    font: _Font
    text: str


class _Block(msgspec.Struct):
    lines: list[_Line] = []


class _Text(msgspec.Struct):
    blocks: list[_Block]


_decoder = msgspec.json.Decoder(_Text)


def open_pdf(data: bytes) -> "pymupdf.Document":
    """Open a PDF; raises `DocumentError` if it is damaged, protected or has no pages."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(on=False)
    pymupdf.TOOLS.mupdf_display_warnings(on=False)
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
        protected, count = document.needs_pass, document.page_count if not document.needs_pass else 0
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise DocumentError("This PDF is damaged and cannot be opened.") from error
    if protected:
        raise DocumentError("This PDF is protected by a password; save a copy without one to have it read.")
    if count == 0:
        raise DocumentError("This PDF is damaged: none of its pages can be found.")
    return document


def read_pdf(source: Source, _: Format) -> Document:
    """Return the text of a PDF; pages not reached in time are left out, and the document says so."""
    with open_pdf(source.data) as file:
        pages = _Pages(file, source.budget)
        if not any(page.lines for page in pages.read):
            raise DocumentError(pages.why_nothing())
        builder = assemble(pages.read, _outline(file))
        title, builder.author, builder.created = _metadata(file)
        builder.title = title or builder.title
        builder.partial = pages.what_is_missing()
        return builder.build()


class _Pages:
    """The pages of a file one after the other, and an account of those that could not be read."""

    def __init__(self, file: "pymupdf.Document", budget: Budget) -> None:
        import pymupdf

        self.read: list[PrintedPage] = []
        self._count = file.page_count
        self._repaired = file.is_repaired
        self._broken = self._scanned = characters = 0
        for number in range(min(self._count, MAX_PAGES)):
            if characters > MAX_CHARACTERS or not budget.seconds:
                break
            try:
                page = file.load_page(number)
                printed = _read_page(page)
                self._scanned += not printed.lines and bool(page.get_images())
            except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
                printed = PrintedPage(0.0, 0.0, [])
                self._broken += 1
            characters += sum(len(line.text) for line in printed.lines)
            self.read.append(printed)

    def why_nothing(self) -> str:
        """Return why there is no text at all."""
        if not self.read:
            return "Opening this PDF took longer than is allowed."
        if self._broken == len(self.read):
            return "This PDF is damaged: none of its pages can be read."
        if self._scanned:
            return f"This PDF has no text on its {_pages(self._count)} (a scan?)."
        return f"This PDF has no text on its {_pages(self._count)}."

    def what_is_missing(self) -> str:
        """Return what of the file was not read, or an empty text."""
        missing = []
        if len(self.read) < self._count:
            missing.append(f"only the first {len(self.read)} of {self._count} pages were read, the file is too large")
        if self._scanned:
            missing.append(f"{_pages(self._scanned)} without text (a scan?)")
        if self._broken:
            missing.append(f"{_pages(self._broken)} could not be read")
        if self._repaired:
            missing.append("the file is damaged; what could be repaired was read")
        return "; ".join(missing)


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"


def _read_page(page: "pymupdf.Page") -> PrintedPage:
    from pymupdf import TEXT_MEDIABOX_CLIP, mupdf

    shown = mupdf.fz_bound_page(page.this)
    stext = mupdf.FzStextPage(shown)
    device = mupdf.fz_new_stext_device(stext, mupdf.FzStextOptions(TEXT_MEDIABOX_CLIP))
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())  # with the values of form fields
    mupdf.fz_close_device(device)
    buffer = mupdf.FzBuffer(4096)
    out = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(out, stext, _SCALE)
    out.fz_close_output()
    width, height = shown.x1 - shown.x0, shown.y1 - shown.y0
    text = _decoded(mupdf.fz_buffer_extract_copy(buffer))
    return PrintedPage(width, height, in_reading_order(_pieces(text, width, height)))


def _decoded(data: bytes) -> _Text:
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError:  # a broken font can name characters that are not Unicode
        repaired = json.loads(data.decode("utf-8", "replace"), strict=False)
        return msgspec.convert(repaired, _Text)


def _pieces(text: _Text, width: float, height: float) -> list[Piece]:
    pieces = []
    for number, block in enumerate(text.blocks):
        for line in block.lines:
            words = clean(line.text).strip()
            if not words or not words.strip("\ufffd "):
                continue
            rect = line.bbox
            x0, y0 = rect.x / _SCALE, rect.y / _SCALE
            box = Box(
                max(0.0, x0),
                max(0.0, y0),
                min(width, x0 + (rect.w + 1) / _SCALE),
                min(height, y0 + (rect.h + 1) / _SCALE),
            )
            if box.x0 < box.x1 and box.y0 < box.y1:
                pieces.append(Piece(words, box, line.font.size / _SCALE, line.font.weight == "bold", number))
    return pieces


def _outline(file: "pymupdf.Document") -> dict[int, list[tuple[int, str]]]:
    """Return the (level, title) entries of the table of contents by page, from 1."""
    import pymupdf

    entries: dict[int, list[tuple[int, str]]] = {}
    try:
        for level, title, page in file.get_toc(simple=True):
            entries.setdefault(page, []).append((level, title))
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return {}
    return entries


def _metadata(file: "pymupdf.Document") -> tuple[str, str, str]:
    """Return title, author and day of creation as far as the file names believable ones."""
    fields = {name: " ".join(clean(value or "").split()) for name, value in (file.metadata or {}).items()}
    title = fields.get("title", "")
    if _NO_TITLE.match(title) or not any(map(str.isalpha, title)) or "\ufffd" in title:
        title = ""
    date = _DATE.match(fields.get("creationDate", ""))
    created = "-".join(filter(None, date.groups())) if date else ""
    return title, fields.get("author", ""), created
