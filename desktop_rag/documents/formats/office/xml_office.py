"""Reads office files that are one XML document: AbiWord, Gnumeric, KWord, Scribus, Office 2003; and LyX."""

import re
from datetime import datetime, timedelta
from itertools import groupby

from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import InlineText, append_paragraph, append_words
from desktop_rag.documents.formats.office.docx_styles import heading_level_of_name
from desktop_rag.documents.formats.office.number_formats import format_value, parse_format_code
from desktop_rag.documents.formats.office.package import (
    NO_TEXT,
    Package,
    inner_text,
    local_name,
    plain_xml,
)
from desktop_rag.documents.formats.office.sheet_cells import no_value
from desktop_rag.documents.formats.office.sheet_lines import append_sheet, rows_of
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_SS = "{urn:schemas-microsoft-com:office:spreadsheet}"
_UNKNOWN = "This file is damaged or of an unsupported kind."
_HEADING = re.compile(r"(?:Numbered |Chapter )?(?:Heading|Head) (\d)", re.I)
_ROW = re.compile(r"top-attach:\s*(\d+)")
_ALIGNED = {"superscript": MarkKind.SUPERSCRIPT, "subscript": MarkKind.SUBSCRIPT}
_ABIWORD_LOOKS = (*_ALIGNED.items(), ("line-through", MarkKind.STRIKETHROUGH))
_NUMBERS = ("30", "40")  # types of values
_DATE = re.compile(r'^(?:[^"\[]|"[^"]*"|\[[^\]]*\])*?[ymdhs]', re.IGNORECASE)
_FIRST_DAY, _LAST_DAY = datetime(1899, 12, 30), 2_958_466
_MAX_COLUMNS, _MAX_ROWS = 16_384, 1_048_576
_LYX_LEVELS = {
    "Title": 1,
    "Part": 1,
    "Chapter": 1,
    "Section": 2,
    "Section*": 2,
    "Subsection": 3,
    "Subsection*": 3,
    "Subsubsection": 4,
}
_LYX_SKIPPED = ("Formula", "CommandInset", "Graphics", "External", "Argument")


def read_xml_office(source: SourceFile, kind: Format) -> Document:
    """Return the text of such a file; its content determines the format."""
    builder = DocumentBuilder(Format.WORD)
    with source.keep_partial(builder):
        if source.data.startswith(b"#LyX"):
            _read_lyx(source, builder)
            return builder.build(NO_TEXT)
        if source.data.startswith(file_types.ZIP):
            root = Package(source, "a KWord file").required_xml("maindoc.xml")
        else:
            root = plain_xml(source, "an office file")
        reader = _READERS.get(local_name(root))
        if reader is None:
            raise DocumentError(_UNKNOWN, ProblemKind.DAMAGED)
        reader(root, source, builder)
    return builder.build(NO_TEXT)


def _read_abiword(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    for entry in root.iter("{*}m"):
        if entry.get("key") == "dc.title":
            builder.title = (entry.text or "").strip()
        elif entry.get("key") == "dc.creator":
            builder.author = (entry.text or "").strip()
    for section in root.iterchildren("{*}section"):
        if not section.get("type"):  # the others are headers and footers
            _abiword_blocks(section, source, builder)


def _abiword_blocks(parent: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    for block in parent:
        source.budget.check(builder.characters)
        name = local_name(block)
        if name == "p":
            style = _HEADING.match(block.get("style", ""))
            level = int(style[1]) if style else 0
            inline = InlineText()
            _add_outside(block, inline)
            append_paragraph(builder, inline, LineKind.HEADING if level else LineKind.PARAGRAPH, level)
            for note in block.iter("{*}foot", "{*}endnote"):
                append_words(builder, inner_text(note), LineKind.QUOTE, 1, "Note:")
        elif name == "table":
            builder.add_blank()
            for _, cells in groupby(block.iterchildren("{*}cell"), key=_row_of):
                builder.add_row(list(map(_cell_words, cells)))
            builder.add_blank()
        else:
            _abiword_blocks(block, source, builder)


def _add_outside(element: "etree._Element", inline: InlineText, kinds: tuple[MarkKind, ...] = ()) -> None:
    """Add the text of a paragraph without that of its notes."""
    looks = element.get("props", "")
    kinds = (*kinds, *(kind for look, kind in _ABIWORD_LOOKS if look in looks))
    inline.add(element.text or "", kinds)
    for child in element:
        if local_name(child) == "br":
            inline.add(" ")
        elif local_name(child) not in ("foot", "endnote"):
            _add_outside(child, inline, kinds)
        inline.add(child.tail or "", kinds)


def _cell_words(cell: "etree._Element") -> str:
    inline = InlineText()
    for part in cell:
        inline.break_line()
        _add_outside(part, inline)
    return inline.text()


def _row_of(cell: "etree._Element") -> str:
    found = _ROW.search(cell.get("props", ""))
    return found[1] if found else ""


def _read_workbook(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    """Append the sheets of Gnumeric, or of the XML of Excel 2003."""
    builder.set_format(Format.SHEETS)
    for sheet in root.iter(f"{_SS}Worksheet"):
        found = _sheet_rows(sheet)
        append_sheet(builder, source.budget, sheet.get(f"{_SS}Name", ""), rows_of(found), 0, max(found, default=0) + 1)
    for sheet in root.iter("{*}Sheet"):
        name = next((child.text or "" for child in sheet.iterchildren("{*}Name")), "")
        rows: dict[int, dict[int, str]] = {}
        for cell in sheet.iter("{*}Cell"):
            row, column = (_number(cell.get(key)) for key in ("Row", "Col"))
            words = _value(cell, inner_text(cell).strip())  # of old versions, in an element of its own
            if row < _MAX_ROWS and column < _MAX_COLUMNS and words:
                rows.setdefault(row, {})[column] = words
        append_sheet(builder, source.budget, name, rows_of(rows), 0, max(rows, default=0) + 1)


def _value(cell: "etree._Element", words: str) -> str:
    """Return the value of a cell of Gnumeric in its format; results of formulas are not stored."""
    code = cell.get("ValueFormat", "")
    try:
        value = float(words) if cell.get("ValueType") in _NUMBERS and code else None
    except ValueError:
        value = None
    if value is None:
        is_formula = words.startswith("=") and len(words) > 1 and cell.get("ValueType") is None
        return no_value(words[1:]) if is_formula else words
    if _DATE.search(code) and 0 < value < _LAST_DAY:
        return format_value(_FIRST_DAY + timedelta(days=round(value * 86_400) / 86_400), parse_format_code(code))
    return format_value(value, parse_format_code(code))


def _sheet_rows(sheet: "etree._Element") -> dict[int, dict[int, str]]:
    """Return the cells by row and column; an index is given where rows or cells are left out."""
    rows: dict[int, dict[int, str]] = {}
    row = -1
    for element in sheet.iter(f"{_SS}Row"):
        row = _index(element, row)
        column = -1
        for cell in element.iterchildren(f"{_SS}Cell"):
            column = _index(cell, column)
            words = " ".join(" ".join(map(inner_text, cell.iterchildren("{*}Data", "{*}Comment"))).split())
            if words and row < _MAX_ROWS and column < _MAX_COLUMNS:
                rows.setdefault(row, {})[column] = words
    return rows


def _index(element: "etree._Element", before: int) -> int:
    given = element.get(f"{_SS}Index")
    return before + 1 if given is None else min(_number(given), _MAX_ROWS + 1) - 1


def _read_word(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    """Append the paragraphs of the XML of Word 2003, or of a later Word in one file."""
    for paragraph in root.iter("{*}p"):
        source.budget.check(builder.characters)
        styles = (value for style in paragraph.iter("{*}pStyle") for value in style.attrib.values())
        level = heading_level_of_name(next(map(str, styles), ""))
        inline = InlineText()
        for part in paragraph.iter("{*}t", "{*}tab", "{*}br"):
            inline.add(part.text or "" if local_name(part) == "t" else " ", _looks_in_word(part.getparent()))
        append_paragraph(builder, inline, LineKind.HEADING if level else LineKind.PARAGRAPH, level)


def _looks_in_word(run: "etree._Element | None") -> tuple[MarkKind, ...]:
    properties = next(run.iterchildren("{*}rPr"), None) if run is not None else None
    kinds: list[MarkKind] = []
    for each in properties if properties is not None else ():
        value = next(map(str, each.attrib.values()), "")
        if local_name(each) in ("strike", "dstrike") and value not in ("off", "0", "false"):
            kinds.append(MarkKind.STRIKETHROUGH)
        elif local_name(each) == "vertAlign" and value in _ALIGNED:
            kinds.append(_ALIGNED[value])
    return tuple(kinds)


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else _MAX_ROWS + 1


def _read_kword(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    for paragraph in root.iter("PARAGRAPH"):
        source.budget.check(builder.characters)
        words = "".join(text.text or "" for text in paragraph.iterchildren("TEXT"))
        style = next((_HEADING.match(name.get("value", "")) for name in paragraph.iter("NAME")), None)
        level = int(style[1]) if style else 0
        append_words(builder, words, LineKind.HEADING if level else LineKind.PARAGRAPH, level)


def _read_scribus(root: "etree._Element", source: SourceFile, builder: DocumentBuilder) -> None:
    for document in root.iter("DOCUMENT"):
        builder.title, builder.author = document.get("TITLE", ""), document.get("AUTHOR", "")
    for frame in root.iter("PAGEOBJECT"):
        pieces: list[str] = []
        for run in frame.iter("ITEXT", "para", "breakline", "tab"):
            source.budget.check(builder.characters)
            pieces.append(run.get("CH", "") if run.tag == "ITEXT" else "\n" if run.tag == "para" else " ")
        for line in "".join(pieces).split("\n"):
            append_words(builder, line, LineKind.PARAGRAPH)


def _read_lyx(source: SourceFile, builder: DocumentBuilder) -> None:
    """Append the paragraphs of a LyX file: layouts hold text, lines with a backslash are marks."""
    layouts: list[str] = []
    hidden = 0
    pieces: list[str] = []

    def put() -> None:
        layout = layouts[-1] if layouts else ""
        level = _LYX_LEVELS.get(layout, 0)
        kind = LineKind.HEADING if level else LineKind.ITEM if layout in ("Itemize", "Enumerate") else None
        words = append_words(builder, "".join(pieces), kind or LineKind.PARAGRAPH, level or int(kind is LineKind.ITEM))
        if layout == "Title":
            builder.title = builder.title or words
        pieces.clear()

    body = decode(source.data).partition("\\begin_body")[2]
    for line in body.split("\n"):
        source.budget.check(builder.characters)
        if line.startswith("\\begin_layout"):
            put()
            layouts.append(line[13:].strip())
        elif line.startswith("\\end_layout"):
            put()
            del layouts[-1:]
        elif line.startswith("\\begin_inset"):
            hidden += bool(hidden) or line[12:].strip().startswith(_LYX_SKIPPED)
        elif line.startswith("\\end_inset"):
            hidden -= bool(hidden)
        elif line.startswith("\\backslash"):
            pieces.append("\\")
        elif not hidden and layouts and not line.startswith(("\\", "status ", "placement ", "<")):
            pieces.append(line)
    put()


_READERS = {
    "abiword": _read_abiword,
    "Workbook": _read_workbook,
    "wordDocument": _read_word,
    "package": _read_word,
    "DOC": _read_kword,
    "SCRIBUSUTF8NEW": _read_scribus,
}
