"""Reads PDF files with PyMuPDF: lines in reading order, each with its rectangle on the rotated page."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_rag.documents.builder import DocumentBuilder, listed_tags
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.pdf.attachments import add_attachments, read_attachments
from desktop_rag.documents.formats.pdf.document_assembly import assemble
from desktop_rag.documents.formats.pdf.headers_footers import PageText, separate_headers_footers
from desktop_rag.documents.formats.pdf.line_classifier import HeadingEntry
from desktop_rag.documents.formats.pdf.open_pdf import mupdf_errors, open_pdf
from desktop_rag.documents.formats.pdf.page_layout import in_reading_order
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPage, PrintedPiece
from desktop_rag.documents.formats.pdf.structured_text import RawPage, read_page
from desktop_rag.documents.formats.pdf.text_directions import TextFrame, is_right_to_left
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.documents.picture_notes import note_of_scans
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf


# Reads the metadata of a PDF: title, author, dates, language, table of contents.

_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"untitled|\(?(?:anonymous|unspecified|unknown)\)?$|[a-z]:\\|microsoft (?:word|powerpoint|excel) - "
    r"|\S+\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|pdf)$",
    re.I,
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")
_LABEL_FORMS = {"D": "decimal", "R": "upperRoman", "r": "lowerRoman", "A": "upperLetter", "a": "lowerLetter"}
_MAX_ENTRIES = 20_000
_MAX_METADATA = 1024 * 1024  # bytes
_DC = "{http://purl.org/dc/elements/1.1/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_TEX = re.compile(r"tex\b|dvips")


def read_metadata(file: "pymupdf.Document", builder: DocumentBuilder) -> None:
    """Set the metadata that is plausible; without a plausible title, the one found in the text is kept."""
    fields = {name: _plain(value or "") for name, value in (file.metadata or {}).items()}
    xmp = _read_xmp(file)
    titles = (fields.get("title", ""), xmp.get(f"{_DC}title", ""))
    builder.title = next((title for title in titles if _is_title(title)), builder.title)
    builder.author = fields.get("author", "") or xmp.get(f"{_DC}creator", "")
    builder.created = _day(fields.get("creationDate", "")) or xmp.get(f"{_XMP}CreateDate", "")[:10]
    builder.modified = _day(fields.get("modDate", "")) or xmp.get(f"{_XMP}ModifyDate", "")[:10]
    builder.tags += listed_tags(fields.get("keywords", ""))
    languages = (_catalog_language(file), xmp.get(f"{_DC}language", ""))
    builder.language = next((language for language in languages if _LANGUAGE.match(language)), "")


def outline_of(file: "pymupdf.Document") -> list[HeadingEntry]:
    """Return the entries of the table of contents that point to a page, in order."""
    entries: list[HeadingEntry] = []
    try:
        waiting = [(file.outline, 1)]
        for _ in range(_MAX_ENTRIES):
            if not waiting:
                break
            item, level = waiting.pop()
            if item is None or not item.this.m_internal:
                continue
            waiting.append((item.next, level))
            waiting.append((item.down, level + 1))
            title = _plain(item.title or "")
            if title and item.page is not None and item.page >= 0:
                entries.append(HeadingEntry(item.page + 1, level, title, item.y if math.isfinite(item.y) else None))
    except mupdf_errors():
        return entries
    return entries


def is_of_tex(file: "pymupdf.Document") -> bool:
    """Return whether TeX made a file, itself or by dvips."""
    made = file.metadata or {}
    names = f"{made.get('creator') or ''} {made.get('producer') or ''}".lower()
    return _TEX.search(names) is not None


def printed_labels(file: "pymupdf.Document") -> list[str]:
    """Return what is printed as the number of each page, iv or A-3; nothing if that is its number throughout."""
    try:
        rules = sorted(file.get_page_labels(), key=lambda rule: rule["startpage"])
    except mupdf_errors(ValueError, KeyError, TypeError, IndexError, AttributeError):
        return []
    labels: list[str] = []
    for number in range(file.page_count if rules else 0):
        rule = next((each for each in reversed(rules) if each["startpage"] <= number), None)
        if rule is None:
            labels.append(str(number + 1))
            continue
        form = _LABEL_FORMS.get(rule.get("style", ""), "")
        count = number - rule["startpage"] + rule.get("firstpagenum", 1)
        labels.append(_plain(f"{rule.get('prefix', '')}{format_number(count, form) if form else ''}"))
    return labels if any(label not in ("", str(number)) for number, label in enumerate(labels, 1)) else []


def _plain(text: str) -> str:
    return " ".join(clean(text).split())


def _is_title(title: str) -> bool:
    return not _NO_TITLE.match(title) and any(map(str.isalpha, title)) and "\ufffd" not in title


def _day(date: str) -> str:
    match = _DATE.match(date)
    return "-".join(filter(None, match.groups())) if match else ""


def _catalog_language(file: "pymupdf.Document") -> str:
    try:
        kind, value = file.xref_get_key(file.pdf_catalog(), "Lang")
    except mupdf_errors():
        return ""
    return value.strip() if kind == "string" else ""


def _read_xmp(file: "pymupdf.Document") -> dict[str, str]:
    """Return the fields of the XMP metadata, the first text of each."""
    from lxml import etree

    try:
        data = file.get_xml_metadata().encode("utf-8", "replace")
        if not data or len(data) > _MAX_METADATA:
            return {}
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except mupdf_errors(etree.XMLSyntaxError):
        return {}
    found: dict[str, str] = {}
    for element in root.iter(f"{_DC}*", f"{_XMP}*"):
        text = _plain(" ".join(map(str, element.itertext())))
        if text:
            found.setdefault(str(element.tag), text)
    for element in root.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description"):
        for name, value in element.attrib.items():
            found.setdefault(str(name), _plain(str(value)))
    return found


MAX_PAGES = 20_000

_BATCH = 400  # pages per batch: enough to recognise running headers


def read_pdf(source: SourceFile, kind: Format) -> Document:
    """Return the text of a PDF; pages beyond the limits are left out, and `partial` says so."""
    with open_pdf(source.data) as file:
        pages = _Pages(file, source.budget)
        attachments = read_attachments(file, pages.pinned, source)
        if not attachments and not any(page.lines or page.comments or page.is_picture for page in pages.read):
            raise pages.nothing()
        builder = DocumentBuilder(kind)
        add_attachments(builder, attachments)
        assemble(builder, pages.read, outline_of(file), printed_labels(file))
        read_metadata(file, builder)
        pages.mark_missing(builder)
        return builder.build()


class _Pages:
    """Reads the pages of a file in batches and records which could not be read."""

    def __init__(self, file: "pymupdf.Document", budget: ReadBudget) -> None:
        self.read: list[PrintedPage] = []
        self.pinned: list[mupdf.PdfObj] = []
        self._count = file.page_count
        self._repaired = file.is_repaired
        self._file = file
        self._is_of_tex = is_of_tex(file)
        self._broken = 0
        self._why, self._kind = f"no more than {MAX_PAGES:,} are read", ProblemKind.LIMIT
        self._characters = 0
        while batch := list(self._batch(file, budget)):
            self.read += _lay_out(batch)
            self.pinned += (pinned for page in batch for pinned in page.pinned)
            if len(batch) < _BATCH:
                break

    def nothing(self) -> DocumentError:
        """Return why there is no text at all."""
        if len(self.read) < self._count:
            return DocumentError(f"{self._why}.", self._kind)
        if self._broken == len(self.read):
            return DocumentError("This PDF is damaged: none of its pages can be read.", ProblemKind.DAMAGED)
        if self._repaired or any(map(self._cannot_be_unpacked, range(len(self.read)))):
            why = f"This PDF is damaged: nothing can be read on its {_pages(self._count)}."
            return DocumentError(why, ProblemKind.DAMAGED)
        return DocumentError(f"This PDF is empty: nothing is drawn on its {_pages(self._count)}.", ProblemKind.EMPTY)

    def _cannot_be_unpacked(self, page: int) -> bool:
        """Return whether what is drawn on a page is there, but packed in a way that cannot be read."""
        streams = self._file[page].get_contents()
        return any(self._file.xref_stream_raw(each) for each in streams) and not any(
            self._file.xref_stream(each) for each in streams
        )

    def mark_missing(self, builder: DocumentBuilder) -> None:
        """Record which pages are unread, if any; of several kinds that one which stays after OCR."""
        missing: dict[str, ProblemKind] = {}
        if len(self.read) < self._count:
            missing[f"only the first {len(self.read)} of {self._count} pages were read ({self._why})"] = self._kind
        if pictures := [number for number, page in enumerate(self.read, start=1) if page.is_picture]:
            missing[note_of_scans(pictures, len(self.read))] = ProblemKind.SCANS
        if self._broken:
            missing[f"{_pages(self._broken)} could not be read"] = ProblemKind.DAMAGED
        if self._repaired:
            missing["the file is damaged; what could be repaired was read"] = ProblemKind.DAMAGED
        if missing:
            kind = min(missing.values(), key=lambda each: each is ProblemKind.SCANS)
            builder.leave_out("; ".join(missing), kind)

    def _batch(self, file: "pymupdf.Document", budget: ReadBudget) -> Iterator[RawPage]:
        """Yield the pages of the next batch, within the limits."""
        first = len(self.read)
        for number in range(first, min(first + _BATCH, self._count, MAX_PAGES)):
            try:
                budget.check(self._characters)
            except ReadLimitReached as limit:
                self._why, self._kind = str(limit).rstrip("."), limit.kind
                return
            try:
                page = read_page(file.load_page(number), is_of_tex=self._is_of_tex)
            except mupdf_errors(MemoryError):
                page = RawPage(0.0, 0.0)
                self._broken += 1
            self._characters += page.characters
            yield page


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"


def _lay_out(batch: Sequence[RawPage]) -> list[PrintedPage]:
    """Return consecutive pages with their lines in reading order."""
    sheets = [_Sheet(raw) for raw in batch]
    separate_headers_footers([sheet.main for sheet in sheets])
    return [sheet.printed() for sheet in sheets]


class _Sheet:
    """The text of one page by direction, the direction with the most text first."""

    def __init__(self, raw: RawPage) -> None:
        self._raw = raw
        directions = list(raw.pieces)
        if len(directions) > 1:
            directions.sort(key=lambda direction: -sum(len(piece.text) for piece in raw.pieces[direction]))
        self._frames = [
            TextFrame(
                direction,
                raw.width,
                raw.height,
                mirrored=is_right_to_left(piece.text for piece in raw.pieces[direction]),
            )
            for direction in directions
        ]
        rotated = [
            frame.to_frame(raw.pieces[direction]) for frame, direction in zip(self._frames, directions, strict=True)
        ]
        height = self._frames[0].height if self._frames else raw.height
        self.main = PageText(rotated[0] if rotated else [], height)
        self._others = rotated[1:]

    def printed(self) -> PrintedPage:
        raw = self._raw
        page = PrintedPage(raw.width, raw.height, comments=raw.comments, links=raw.links, is_picture=raw.is_picture)
        if self._frames:
            main = self._frames[0]
            page.lines = _lines(main, self.main.pieces)
            page.headers, page.footers = _lines(main, self.main.headers), _lines(main, self.main.footers)
        for frame, pieces in zip(self._frames[1:], self._others, strict=True):
            for line in _lines(frame, pieces):
                line.gap = True
                line.cells = line.cells if line.cells > 1 else 0
                page.lines.append(line)
        return page


def _lines(frame: TextFrame, pieces: Sequence[PrintedPiece]) -> list[PrintedLine]:
    lines = in_reading_order(pieces)
    if not frame.is_plain:
        for line in lines:
            line.box = frame.to_page(line.box)
    return lines
