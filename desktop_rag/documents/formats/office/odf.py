"""Reads OpenDocument and OpenOffice 1 texts, sheets, presentations and drawings, zipped or as one flat XML file."""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.inline_text import (
    BEGIN,
    HIDDEN_PART,
    InlineText,
    append_block,
    blank_between,
    mark_hidden,
)
from desktop_rag.documents.formats.office.hidden.hidden_spans import HiddenSpans, hidden_columns
from desktop_rag.documents.formats.office.number_formats import Value, with_value
from desktop_rag.documents.formats.office.odf_styles import DRAW, OFFICE, SHOW, TABLE, TEXT, OdfStyles, number
from desktop_rag.documents.formats.office.odf_text import TextReader, label_of_annotation, table_rows
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    PROTECTED,
    Package,
    append_file,
    build,
    inner_text,
    local_name,
    modernise,
    parse_xml,
    read_dublin_core,
)
from desktop_rag.documents.formats.office.sheet_cells import Range, SheetExtras, no_value
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet, column_name
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Reads the sheets of OpenDocument files: what their cells show, and the values behind it.

_MAX_REPEATED = 1000  # repetitions of a non-empty row or cell
_MAX_MERGED = 20_000
_NUMBERS = ("float", "percentage", "currency")
_DAY = re.compile(r"(\d{4,5}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?.*)?")
_TIME = re.compile(r"PT(\d+)H(\d+)M(?:(\d+)\D.*)?")
_PREFIX, _REFERENCE = re.compile(r"^(?:\w+:)?="), re.compile(r"\[\.?([^\[\]]*)\]")
_LONGEST_FORMULA = 200


class SheetReader:
    """Appends sheets to a document."""

    def __init__(self, builder: DocumentBuilder, text: TextReader, hidden: HiddenSpans, budget: ReadBudget) -> None:
        self._builder = builder
        self._text = text
        self._hidden = hidden
        self._budget = budget

    def read(self, sheet: "etree._Element") -> None:
        """Append a sheet and the comments on its cells."""
        comments: list[tuple[str, etree._Element]] = []
        height = sum(1 for _ in table_rows(sheet))
        name = sheet.get(f"{TABLE}name", "") + (HIDDEN_PART if self._hidden.is_gone(sheet) else "")
        append_sheet(self._builder, self._budget, name, self._rows(sheet, comments), 0, height)
        for label, comment in comments:
            self._text.quote(comment, label)

    def _rows(self, sheet: "etree._Element", comments: "list[tuple[str, etree._Element]]") -> Iterator[Row]:
        last = characters = 0
        hidden = hidden_columns(sheet)
        merged: list[Range] = []
        extra = SheetExtras({}, {}, merged)
        for row, _ in table_rows(sheet):
            repeated = number(row.get(f"{TABLE}number-rows-repeated"), 1)
            texts, values = self._cells(row, last + 1, comments, merged)
            extra.fill_merged(last + 1, 0, texts, values)
            cells = [_hidden(text) if column in hidden else text for column, text in enumerate(texts)]
            if any(cells):
                if repeated > _MAX_REPEATED:
                    raise ReadLimitReached("A sheet repeats a row too often; the rest of it was left out.")
                characters += sum(map(len, cells)) * repeated
                self._budget.check(characters)
                for further in range(1, repeated + 1):
                    yield last + further, cells
            last += repeated

    def _cells(
        self, row: "etree._Element", top: int, comments: "list[tuple[str, etree._Element]]", merged: list[Range]
    ) -> tuple[list[str], list[Value]]:
        """Return the texts and values of a row; the ranges of its merged cells are added."""
        texts, values = list[str](), list[Value]()
        filled = 0
        for cell in row:
            repeated = min(number(cell.get(f"{TABLE}number-columns-repeated"), 1), _MAX_REPEATED)
            text: str = ""
            value: Value = ""
            if cell.tag == f"{TABLE}table-cell":
                text, value = self._cell(cell)
                wide, high = (number(cell.get(f"{TABLE}number-{each}-spanned"), 1) for each in ("columns", "rows"))
                if (wide > 1 or high > 1) and len(merged) < _MAX_MERGED:
                    merged.append((top, len(texts), top + high - 1, len(texts) + wide - 1))
                for comment in cell.iterchildren(f"{OFFICE}annotation"):
                    comments.append((f"Comment on {column_name(len(texts))}{top}:", comment))
            texts += [text] * repeated
            values += [value] * repeated
            if text or cell.tag != f"{TABLE}table-cell":
                filled = len(texts)
        return texts[:filled], values[:filled]

    def _cell(self, cell: "etree._Element") -> tuple[str, Value]:
        """Return what a cell shows, with its value where that is not the same, and the value."""
        shown = ""
        if len(cell):
            inline = InlineText()
            self._text.plain(cell, inline)
            shown = inline.text()
        kind = cell.get(f"{OFFICE}value-type", "")
        if kind in _NUMBERS and (value := cell.get(f"{OFFICE}value", "")):
            if shown.startswith("["):
                return shown, 0.0
            text = with_value(shown, value, percent=kind == "percentage")
            return mark_hidden(text) if len(cell) and not shown else text, 0.0  # its format shows nothing
        if kind == "date" and (found := _DAY.fullmatch(cell.get(f"{OFFICE}date-value", ""))):
            day, time, seconds = found.groups(default="")
            time = "" if time + seconds in ("00:00", "00:00:00") else f" {time}{'' if seconds == ':00' else seconds}"
            return _beside(shown, f"{day}{time}".strip()), ""
        if not shown and kind == "time" and (found := _TIME.fullmatch(cell.get(f"{OFFICE}time-value", ""))):
            hours, minutes, seconds = found.groups(default="0")
            return f"{int(hours)}:{minutes}" + (f":{seconds}" if int(seconds) else ""), ""
        if not shown and kind == "boolean":
            return cell.get(f"{OFFICE}boolean-value", "").upper(), ""
        shown = shown or " ".join(cell.get(f"{OFFICE}string-value", "").split())
        if not shown and not kind and (formula := cell.get(f"{TABLE}formula", "")):
            return no_value(_REFERENCE.sub(r"\1", _PREFIX.sub("", formula))[:_LONGEST_FORMULA]), ""
        return shown, shown


def _beside(shown: str, value: str) -> str:
    if not shown or shown == value:
        return value
    return shown if value in shown or shown.startswith("[") else f"{shown} ({value})"


def _hidden(text: str) -> str:
    return text if text.startswith(BEGIN) else mark_hidden(text)


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
        _Reader(builder, (content, *others), source).read(content_body)
        if package is not None:
            _append_objects(package, content, builder, source)
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
            builder.begin_section(part, apart=True)
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
        self._builder.begin_section(label + (HIDDEN_PART if self._hidden.is_gone(page) else ""), apart=True)
        shapes = [shape for shape in page if shape.get(f"{SHOW}class") not in _REPEATED]
        titles = [shape for shape in shapes if shape.get(f"{SHOW}class") == "title"]
        for shape in titles:
            inline = InlineText()
            for text in shape.iter(f"{DRAW}text-box"):
                self._text.plain(text, inline)
            append_block(self._builder, inline, 2)
        for shape in shapes:
            if shape.tag == f"{SHOW}notes":
                for text in shape.iter(f"{DRAW}text-box"):
                    self._text.quote(text, "Notes:")
            elif shape.tag == f"{OFFICE}annotation":
                self._text.quote(shape, label_of_annotation(shape))
            elif shape not in titles:
                self._text.blocks(shape)
