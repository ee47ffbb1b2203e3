"""Reads Word documents (.docx): paragraphs, headings, lists and tables in order, each note after its paragraph."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.inline_text import InlineText, append_block, append_paragraph, comment_label
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.office.docx_styles import (
    HYPERLINK,
    OFF,
    VALUE,
    DocxStyles,
    Numbering,
    Properties,
    W,
    add_equation_field,
    is_placeholder,
    properties_of,
    without_unread,
)
from desktop_rag.documents.formats.office.drawings import (
    CHART,
    DATA_ID,
    DIAGRAM,
    RELATION_ID,
    append_chart,
    append_diagram,
)
from desktop_rag.documents.formats.office.hidden.hidden_runs import HiddenRuns
from desktop_rag.documents.formats.office.legacy import read_misnamed
from desktop_rag.documents.formats.office.package import Package, Relation, append_embedded, build, parse_xml
from desktop_rag.documents.formats.office.sheet_lines import has_letters, spread
from desktop_rag.documents.formats.office.symbol_fonts import symbol, symbols
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage
from desktop_rag.documents.formats.web.html_text import HtmlTextExtractor
from desktop_rag.errors import DocumentError

# Reads the content of Word paragraphs: runs, links, fields, pictures, and references to notes and comments.

Note = tuple[str, str, str]  # (footnote, endnote or comment; its id; its label in the text, empty for comments)

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CHOICES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PICTURE_PROPERTIES = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TEXT, _RUN, _LINK = f"{W}t", f"{W}r", f"{W}hyperlink"
_RUN_PROPERTIES, _TAB, _BREAK, _RETURN = f"{W}rPr", f"{W}tab", f"{W}br", f"{W}cr"
_BOX, _ALTERNATIVES = f"{W}txbxContent", f"{_CHOICES}AlternateContent"
_COLLECTED = frozenset((_BOX, CHART, DIAGRAM))
_RUN_SKIPPED = frozenset(
    f"{W}{name}" for name in ("pPr", "del", "moveFrom", "sdtPr", "rt", "proofErr", "bookmarkStart", "bookmarkEnd")
)
_PLAIN = {f"{W}noBreakHyphen": "-", _TAB: "\t", f"{W}ptab": "\t"}
_DRAWINGS = frozenset((_ALTERNATIVES, f"{W}drawing", f"{W}pict", f"{W}object"))
_REFERENCES = {
    f"{W}footnoteReference": "footnote",
    f"{W}endnoteReference": "endnote",
    f"{W}commentReference": "comment",
}
_MARKED = ((f"{W}b", MarkKind.STRONG), (f"{W}i", MarkKind.EMPHASIS))
_FONTS, _ASCII = f"{W}rFonts", f"{W}ascii"
_HEXADECIMAL = re.compile("[0-9A-Fa-f]{1,4}")


class RunReader:
    """Reads one paragraph after another; fields may span paragraphs."""

    def __init__(self, relations: Mapping[str, Relation], hidden: HiddenRuns) -> None:
        self._relations = relations
        self._boxes: list[etree._Element] = []
        self._notes: list[Note] = []
        self._counts = {"footnote": 0, "endnote": 0}
        self._hidden = hidden
        self._style = ""  # of the paragraph
        self._all_hidden = False  # its text
        self._fields: list[str] = []  # the instruction of each open field, innermost last

    def take(self) -> "tuple[list[etree._Element], list[Note]]":
        """Return the text boxes, charts and diagrams, and the notes found since the last call."""
        taken = self._boxes, self._notes
        self._boxes, self._notes = [], []
        return taken

    def read(self, element: "etree._Element", inline: InlineText, style: str, properties: Properties) -> None:
        """Append the text of a paragraph to `inline`: without deleted text, hidden text marked."""
        self._style = style
        self._all_hidden = self._hidden.hides_all(element, properties)
        self._read(element, inline)

    def _read(self, element: "etree._Element", inline: InlineText, target: str = "") -> None:
        for child in element:
            tag = child.tag
            if tag == _RUN:
                self._run(child, inline, target)
            elif tag == _LINK:
                self._read(child, inline, self._target(child))
            elif tag == f"{_MATH}oMath":
                inline.keep_apart()
                inline.add(equation(child))
                inline.keep_apart()
            elif tag not in _RUN_SKIPPED and len(child) and not is_placeholder(child):
                self._read(child, inline, target)

    def _target(self, link: "etree._Element") -> str:
        relation = self._relations.get(link.get(_ID, ""))
        return relation.target if relation is not None and relation.outside else ""

    def _run(self, run: "etree._Element", inline: InlineText, target: str) -> None:
        own = properties_of(run, _RUN_PROPERTIES)
        hidden, kinds = self._hidden.of(run, own, self._style)
        hidden = hidden or self._all_hidden
        font = ""
        if own:
            kinds = (*_kinds(own), *kinds)
            font = own[_FONTS].get(_ASCII, "") if _FONTS in own else ""
        for child in run:
            tag = child.tag
            if tag == _TEXT:
                text = symbols(child.text or "", font) if font else child.text or ""
                if self._fields:
                    target = target or self._field_target()
                inline.add(text, kinds, target, hidden=hidden)
            elif tag == _RUN_PROPERTIES:
                continue
            elif tag in _PLAIN:
                inline.add(_PLAIN[tag])
            elif tag in (_BREAK, _RETURN):
                inline.break_line()
            elif tag in _DRAWINGS:
                self._drawing(child, inline)
            else:
                self._rare(child, inline)

    def _rare(self, child: "etree._Element", inline: InlineText) -> None:
        tag = child.tag
        if tag in _REFERENCES:
            self._refer(_REFERENCES[tag], child, inline)
        elif tag == f"{W}fldChar":
            self._field_char(child.get(f"{W}fldCharType", ""), inline)
            if (form := child.find(f"{W}ffData")) is not None:
                inline.add(_form_value(form))
        elif tag == f"{W}instrText" and self._fields:
            self._fields[-1] += child.text or ""
        elif tag == f"{W}sym":
            code = child.get(f"{W}char", "")
            inline.add(symbol(int(code, 16), child.get(f"{W}font", "")) if _HEXADECIMAL.fullmatch(code) else "")
        elif tag == f"{W}ruby":
            self._read(child, inline)

    def _refer(self, kind: str, reference: "etree._Element", inline: InlineText) -> None:
        number = reference.get(f"{W}id", "")
        label = ""
        if kind in self._counts:
            self._counts[kind] += 1
            label = f"[{format_number(self._counts[kind], 'lowerRoman' if kind == 'endnote' else 'decimal')}]"
            inline.add(label)
        self._notes.append((kind, number, label))

    def _field_char(self, kind: str, inline: InlineText) -> None:
        if kind == "begin":
            self._fields.append("")
        elif kind == "end" and self._fields:
            add_equation_field(inline, self._fields.pop())

    def _field_target(self) -> str:
        for instruction in self._fields:
            if found := HYPERLINK.match(instruction):
                return found[1]
        return ""

    def _drawing(self, element: "etree._Element", inline: InlineText) -> bool:
        """Collect text boxes, charts and diagrams, append descriptions of pictures; return whether there were any."""
        if element.tag in _COLLECTED:
            self._boxes.append(element)
            return True
        if element.tag == _ALTERNATIVES:  # the same drawing in several versions; take the first with content
            return any(self._drawing(choice, inline) for choice in element)
        found = False
        if element.tag == _PICTURE_PROPERTIES and (shown := " ".join(element.get("descr", "").split())):
            inline.add(f"[{shown}]")
            found = True
        for child in element:
            found |= self._drawing(child, inline)
        return found


def _kinds(properties: Properties) -> list[MarkKind]:
    return [kind for tag, kind in _MARKED if tag in properties and properties[tag].get(VALUE) not in OFF]


def _form_value(form: "etree._Element") -> str:
    """Return what a check box or a list of a form shows; the text of a field stands in the document."""
    if (box := form.find(f"{W}checkBox")) is not None:
        state = next((each for name in ("checked", "default") if (each := box.find(f"{W}{name}")) is not None), None)
        return "☒" if state is not None and state.get(VALUE, "1") not in OFF else "☐"
    if (choices := form.find(f"{W}ddList")) is not None:
        entries = [each.get(VALUE, "") for each in choices.iter(f"{W}listEntry")]
        chosen = next((each.get(VALUE, "") for each in choices.iter(f"{W}result", f"{W}default")), "0")
        number = int(chosen) if chosen.isdecimal() else 0
        return entries[number] if number < len(entries) else ""
    return ""


_PARAGRAPH, _TABLE, _ROW, _CELL = f"{W}p", f"{W}tbl", f"{W}tr", f"{W}tc"
_CHUNK = f"{W}altChunk"
_CHUNKS = ((b"{\\rtf", "rtf"), (b"pk\x03\x04", "docx"), (b"mime-version:", "mht"), (b"content-type:", "mht"))
_START = 400  # bytes that tell the format of a part
_PROPERTIES = f"{W}pPr"
_STYLE = f"{W}pStyle"
_FRAME = f"{W}framePr"
_MERGED = f"{W}tcPr/{W}vMerge"
_SKIPPED = frozenset((f"{W}sdtPr", f"{W}del", f"{W}moveFrom", f"{W}sectPr"))
_FIRST_ROW = 0x20  # bit of w:tblLook


def read_docx(source: SourceFile, kind: Format) -> Document:
    """Return the text of a .docx file; headers and footers are appended once, at the end."""
    if (document := read_misnamed(source)) is not None:
        return document
    package = Package(source, "a Word document")
    part = next(iter(package.related("", "officeDocument")), "word/document.xml")
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        root = package.required_xml(part)
        package.read_metadata(builder)
        _Reader(package, part, builder, source).read(root)
        append_embedded(package, package.relations(part).values(), builder, source)
    return build(package, builder)


class _Reader:
    def __init__(self, package: Package, part: str, builder: DocumentBuilder, source: SourceFile) -> None:
        self._package = package
        self._part = part
        self._builder = builder
        self._source = source
        styles = parse_xml(without_unread(package.read(next(iter(package.related(part, "styles")), ""))))
        self._styles = DocxStyles(styles)
        self._hidden = HiddenRuns(styles)
        self._numbering = Numbering(package.first(part, "numbering"))
        self._relations = package.relations(part)
        self._runs = RunReader(self._relations, self._hidden)
        self._notes = {
            "footnote": _by_id(package.first(part, "footnotes"), f"{W}footnote"),
            "endnote": _by_id(package.first(part, "endnotes"), f"{W}endnote"),
            "comment": _by_id(package.first(part, "comments"), f"{W}comment"),
        }
        self._endnotes: list[tuple[str, str]] = []
        self._initial: InlineText | None = None  # a drop cap of the next paragraph

    def read(self, root: "etree._Element") -> None:
        body = root.find(f"{W}body")
        self._blocks(root if body is None else body)
        for label, number in self._endnotes:
            self._note(self._notes["endnote"].get(number), label)
        self._headers_and_footers()

    def _blocks(self, parent: "etree._Element") -> None:
        for child in _descendants(parent, (_PARAGRAPH, _TABLE, _CHUNK)):
            self._source.budget.check(self._builder.characters)
            if child.tag == _PARAGRAPH:
                self._paragraph(child)
            elif child.tag == _TABLE:
                self._table(child)
            else:
                self._chunk(child.get(RELATION_ID, ""))

    def _chunk(self, identifier: str) -> None:
        """Append a part that Word shows at this place: a page, a text, or a document of another format."""
        relation = self._relations.get(identifier)
        data = self._package.read(relation.target) if relation is not None and not relation.outside else b""
        if relation is None or not data:
            return
        if data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"<":
            if (root := HtmlPage(decode(data)).root) is not None:
                HtmlTextExtractor(self._builder, self._source.budget, keep_boilerplate=True).read(root)
            return
        found = next((suffix for start, suffix in _CHUNKS if data[:_START].lower().find(start) >= 0), "txt")
        with suppress(DocumentError):
            chunk = self._source.read_member(f"chunk.{found}", data)
            self._builder.add_blank()
            for line in chunk.lines():
                self._builder.add(line)

    def _paragraph(self, paragraph: "etree._Element") -> None:
        properties = properties_of(paragraph, _PROPERTIES)
        style = _style_of(properties)
        inline, self._initial = self._initial or InlineText(), None
        self._runs.read(paragraph, inline, style, properties)
        frame, following = properties.get(_FRAME), paragraph.getnext()
        is_drop_cap = frame is not None and frame.get(f"{W}dropCap", "none") != "none"
        if is_drop_cap and following is not None and following.tag == _PARAGRAPH:
            self._initial = inline
        elif inline.has_text():
            level = self._styles.heading_level(style, properties)
            number, depth = self._styles.numbering(style, properties)
            label = self._numbering.label(number, depth)
            append_block(self._builder, inline, level, label, depth)
        self._append_pending()

    def _append_pending(self) -> None:
        """Append the text boxes, charts, diagrams, notes and comments found since the last call."""
        boxes, notes = self._runs.take()
        for box in boxes:
            if box.tag == CHART and (chart := self._package.linked(self._part, box.get(RELATION_ID))) is not None:
                append_chart(self._builder, chart)
            elif box.tag == DIAGRAM and (data := self._package.linked(self._part, box.get(DATA_ID))) is not None:
                append_diagram(self._builder, data, {})
            else:
                self._blocks(box)
        for kind, number, label in notes:
            if kind == "endnote":
                self._endnotes.append((label, number))
            else:
                self._note(self._notes[kind].get(number), label)

    def _note(self, note: "etree._Element | None", label: str) -> None:
        if note is None:
            return
        inline = InlineText()
        self._plain(note, inline)
        label = label or comment_label(note.get(f"{W}author", ""))
        append_paragraph(self._builder, inline, LineKind.QUOTE, 1, label)

    def _table(self, table: "etree._Element") -> None:
        rows = [row for row in _descendants(table, (_ROW,)) if row.find(f"{W}trPr/{W}del") is None]
        cells = [list(_descendants(row, (_CELL,))) for row in rows]
        if all(len(row) <= 1 for row in cells):  # a single column is a frame around text, not a table
            for cell in (cell for row in cells for cell in row):
                self._blocks(cell)
            return
        self._builder.add_blank()
        first = len(rows) > 1 and _names_columns(table)
        above: list[str] = []
        for number, row in enumerate(rows):
            self._source.budget.check(self._builder.characters)
            indent = row.find(f"{W}trPr/{W}gridBefore")
            before = indent.get(VALUE, "0") if indent is not None else "0"
            column = min(int(before), 100) if before.isdecimal() else 0
            spanned: list[tuple[str, int]] = [("", 1)] * column
            for cell in cells[number]:
                text, columns = self._cell(cell)
                continued = cell.find(_MERGED)
                if continued is not None and continued.get(VALUE) != "restart" and column < len(above):
                    text = above[column]  # it belongs to this row, too
                spanned.append((text, columns))
                column += columns
            texts = spread(spanned)
            above = [text if has_letters(text) else "" for text in texts]  # a number is not repeated
            if any(texts):
                header = row.find(f"{W}trPr/{W}tblHeader") is not None or (first and not number)
                self._builder.add_row(texts, header=header)
        self._builder.add_blank()
        self._append_pending()

    def _cell(self, cell: "etree._Element") -> tuple[str, int]:
        """Return the text of a cell, and the columns that it spans."""
        span = cell.find(f"{W}tcPr/{W}gridSpan")
        merged = cell.find(_MERGED)
        width = span.get(VALUE, "1") if span is not None else "1"
        inline = InlineText()
        if merged is None or merged.get(VALUE) == "restart":
            self._plain(cell, inline)
        return inline.text(), max(1, min(int(width), 100)) if width.isdecimal() else 1

    def _plain(self, parent: "etree._Element", inline: InlineText) -> None:
        """Append the text of a cell or note, including nested tables, to `inline`, a line for each paragraph."""
        for child in _descendants(parent, (_PARAGRAPH, _TABLE)):
            if child.tag == _TABLE:
                for row in _descendants(child, (_ROW,)):
                    for cell in _descendants(row, (_CELL,)):
                        self._plain(cell, inline)
                continue
            properties = properties_of(child, _PROPERTIES)
            style = _style_of(properties)
            label = self._numbering.label(*self._styles.numbering(style, properties))
            inline.break_line()
            if label:
                inline.add(f"{label} ")
            self._runs.read(child, inline, style, properties)

    def _headers_and_footers(self) -> None:
        """Append each distinct header and footer once."""
        seen: set[str] = set()
        for relation in self._relations.values():
            root = self._package.xml(relation.target) if relation.kind in ("header", "footer") else None
            if root is None:
                continue
            runs = self._runs
            self._runs = RunReader(self._package.relations(relation.target), self._hidden)
            inline = InlineText()
            self._plain(root, inline)
            boxes, _ = self._runs.take()
            for box in boxes:
                self._plain(box, inline)
            self._runs = runs
            if inline.text() not in seen:
                seen.add(inline.text())
                append_paragraph(self._builder, inline, LineKind.PARAGRAPH)


def _descendants(parent: "etree._Element", tags: tuple[str, ...]) -> "Iterator[etree._Element]":
    """Yield the elements with these tags, also inside content controls and other wrappers."""
    for child in parent:
        if child.tag in tags:
            yield child
        elif child.tag not in _SKIPPED and len(child) and not is_placeholder(child):
            yield from _descendants(child, tags)


def _by_id(root: "etree._Element | None", tag: str) -> "dict[str, etree._Element]":
    return {element.get(f"{W}id", ""): element for element in root.iter(tag)} if root is not None else {}


def _style_of(properties: Properties) -> str:
    style = properties.get(_STYLE)
    return style.get(VALUE, "") if style is not None else ""


def _names_columns(table: "etree._Element") -> bool:
    """Return whether the table style formats the first row as a header."""
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return False
    if named := look.get(f"{W}firstRow"):
        return named not in OFF
    try:
        return bool(int(look.get(VALUE, "0"), 16) & _FIRST_ROW)
    except ValueError:
        return False
