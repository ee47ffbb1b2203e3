"""Reads OpenDocument and OpenOffice 1 texts, sheets, presentations and drawings, zipped or as one flat XML file."""

from itertools import islice

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.hidden_text import HIDDEN_PART
from desktop_rag.documents.formats.inline_text import InlineText, append_paragraph, blank_between
from desktop_rag.documents.formats.office.embedded import append_file
from desktop_rag.documents.formats.office.hidden.hidden_spans import HiddenSpans
from desktop_rag.documents.formats.office.odf_sheets import SheetReader
from desktop_rag.documents.formats.office.odf_styles import DRAW, OFFICE, SHOW, TABLE, TEXT, OdfStyles
from desktop_rag.documents.formats.office.odf_text import TextReader, label_of_annotation
from desktop_rag.documents.formats.office.openoffice1 import modernise
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    PROTECTED,
    Package,
    build,
    inner_text,
    local_name,
    nesting_limit,
    parse_xml,
    read_dublin_core,
)
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_WHAT = "an OpenDocument file"
_KINDS = {
    f"{OFFICE}text": Format.WORD,
    f"{OFFICE}spreadsheet": Format.SHEETS,
    f"{OFFICE}presentation": Format.SLIDES,
    f"{OFFICE}drawing": Format.SLIDES,
}
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}creation-date"
_MODIFIED = "{http://purl.org/dc/elements/1.1/}date"
_REPEATED = ("page-number", "header", "footer", "date-time")  # placeholders repeated on every slide
_LINK = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset((f"{DRAW}page", f"{DRAW}g"))
_SET_IN = (f"{OFFICE}spreadsheet", f"{OFFICE}text", f"{OFFICE}chart")
_MAX_OBJECTS = 200
_MAX_FORMULAS = 5000


def read_odf(source: SourceFile, kind: Format) -> Document:
    """Return the text of an OpenDocument file; its body determines the format, not its name."""
    builder = DocumentBuilder(kind)
    package = None if source.data.lstrip()[:1] == b"<" else Package(source, _WHAT)
    with source.keep_partial(builder):
        content, others = _parts(source, package)
        modernise(content)
        _put_formulas_in_place(package, content)
        body = content.find(f"{OFFICE}body")
        content_body = next((child for child in body if child.tag in _KINDS), None) if body is not None else None
        if content_body is None:
            raise DocumentError(f"This file is damaged or not {_WHAT}.", ProblemKind.DAMAGED)
        builder.set_format(_KINDS[content_body.tag])
        for root in others:
            read_dublin_core(builder, root, created=_META, modified=_MODIFIED)
        reader = _Reader(builder, (content, *others), source)
        try:
            reader.read(content_body)
            if package is not None:
                _append_objects(package, content, builder, source)
        except RecursionError as error:
            raise nesting_limit(error) from error
    return builder.build(NO_TEXT) if package is None else build(package, builder)


def _append_objects(package: Package, content: "etree._Element", builder: DocumentBuilder, source: SourceFile) -> None:
    """Append the sheets, texts and charts that are set into a document, each a section."""
    for shown in islice(content.iter(f"{DRAW}object", f"{DRAW}object-ole"), _MAX_OBJECTS):
        part = shown.get(_LINK, "").removeprefix("./")
        if shown.tag == f"{DRAW}object-ole":
            append_file(part, package.read(part), builder, source)
            continue
        root = package.xml(f"{part}/content.xml") if part else None
        body = root.find(f"{OFFICE}body") if root is not None else None
        inside = next((child for child in body if child.tag in _SET_IN), None) if body is not None else None
        if root is not None and inside is not None:
            builder.add_blank()
            builder.begin_section(part)
            styles = package.xml(f"{part}/styles.xml")
            _Reader(builder, (root,) if styles is None else (root, styles), source).read(inside)


def _put_formulas_in_place(package: Package | None, content: "etree._Element") -> None:
    """Insert each formula, an object of its own, after the frame that shows it; on slides, into it."""
    for shown in list(islice(content.iter(f"{DRAW}object"), _MAX_FORMULAS)):
        part = shown.get(_LINK, "").removeprefix("./")
        inside = next((child for child in shown if local_name(child) == "math"), None)  # of a flat file
        root = package.xml(f"{part}/content.xml") if package is not None and part else inside
        frame = shown.getparent()
        if root is None or frame is None or local_name(root) != "math":
            continue
        written = next((each for each in root.iter() if local_name(each) == "annotation"), root)
        formula = equation(root) or " ".join(inner_text(written).split())
        around, after = frame.getparent(), frame.tail or ""
        if around is None or around.tag in _SHAPES:
            etree.SubElement(etree.SubElement(frame, f"{DRAW}text-box"), f"{TEXT}p").text = formula
            continue
        sibling = frame.getprevious()
        before = (sibling.tail if sibling is not None else around.text) or ""
        frame.tail = f"{blank_between(before, formula)}{formula}{blank_between(formula, after)}{after}"


def _parts(source: SourceFile, package: Package | None) -> "tuple[etree._Element, list[etree._Element]]":
    """Return the root of the content, and the roots of styles and metadata (the same in flat files)."""
    if package is None:
        root = parse_xml(source.data)
        if root is None:
            raise DocumentError(f"This file is damaged or not {_WHAT}.", ProblemKind.DAMAGED)
        return root, [root]
    if b"encryption-data" in package.read("META-INF/manifest.xml") or "encrypted-package" in package:
        raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
    others = [root for name in ("styles.xml", "meta.xml") if (root := package.xml(name)) is not None]
    return package.required_xml("content.xml"), others


class _Reader:
    def __init__(self, builder: DocumentBuilder, roots: "tuple[etree._Element, ...]", source: SourceFile) -> None:
        self._builder = builder
        self._hidden = HiddenSpans(roots)
        self._text = TextReader(builder, OdfStyles(roots), self._hidden, source.budget)
        self._sheets = SheetReader(builder, self._text, self._hidden, source.budget)

    def read(self, content_body: "etree._Element") -> None:
        if content_body.tag == f"{OFFICE}chart":  # titles, and a table with the names of its series
            for place in list(content_body.iter(f"{DRAW}g")):  # where a series stands in a sheet
                place.clear()
            self._text.blocks(content_body)
        elif content_body.tag == f"{OFFICE}text":
            self._text.blocks(content_body)
            self._text.endnotes()
        elif content_body.tag == f"{OFFICE}spreadsheet":
            for sheet in content_body.iterchildren(f"{TABLE}table"):
                self._sheets.read(sheet)
        else:
            name = "Slide" if content_body.tag == f"{OFFICE}presentation" else "Page"
            for count, page in enumerate(content_body.iterchildren(f"{DRAW}page"), start=1):
                self._page(page, f"{name} {count}")

    def _page(self, page: "etree._Element", label: str) -> None:
        self._builder.add_blank()
        self._builder.begin_section(label + self._if_gone(page))
        shapes = [shape for shape in page if shape.get(f"{SHOW}class") not in _REPEATED]
        titles = [shape for shape in shapes if shape.get(f"{SHOW}class") == "title"]
        for shape in titles:
            inline = InlineText()
            for text in shape.iter(f"{DRAW}text-box"):
                self._text.plain(text, inline)
            title = append_paragraph(self._builder, inline, LineKind.HEADING, 2)
            self._builder.title = self._builder.title or title
        for shape in shapes:
            if shape.tag == f"{SHOW}notes":
                for text in shape.iter(f"{DRAW}text-box"):
                    self._append_quote(text, "Notes:")
            elif shape.tag == f"{OFFICE}annotation":
                self._append_quote(shape, label_of_annotation(shape))
            elif shape not in titles:
                self._text.blocks(shape)

    def _append_quote(self, element: "etree._Element", label: str) -> None:
        inline = InlineText()
        self._text.plain(element, inline)
        append_paragraph(self._builder, inline, LineKind.QUOTE, 1, label)

    def _if_gone(self, part: "etree._Element") -> str:
        return HIDDEN_PART if self._hidden.is_gone(part) else ""
