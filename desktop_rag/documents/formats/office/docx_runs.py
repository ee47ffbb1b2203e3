"""Reads the content of Word paragraphs: runs, links, fields, pictures, and references to notes and comments."""

import re
from collections.abc import Mapping

from lxml import etree

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.inline_text import InlineText
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.office.docx_styles import HYPERLINK, OFF, VALUE, W, is_placeholder
from desktop_rag.documents.formats.office.drawn_text import CHART, DIAGRAM
from desktop_rag.documents.formats.office.equation_fields import add_equation_field
from desktop_rag.documents.formats.office.hidden.hidden_runs import HiddenRuns
from desktop_rag.documents.formats.office.package import Relation
from desktop_rag.documents.formats.office.symbol_fonts import symbol, symbols

Note = tuple[str, str, str]  # (footnote, endnote or comment; its id; its label in the text, empty for comments)

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CHOICES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PICTURE_PROPERTIES = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TEXT, _RUN, _LINK = f"{W}t", f"{W}r", f"{W}hyperlink"
_STYLE = f"{W}pPr/{W}pStyle"
_RUN_PROPERTIES, _TAB, _BREAK, _RETURN = f"{W}rPr", f"{W}tab", f"{W}br", f"{W}cr"
_BOX, _ALTERNATIVES = f"{W}txbxContent", f"{_CHOICES}AlternateContent"
_COLLECTED = frozenset((_BOX, CHART, DIAGRAM))
_SKIPPED = frozenset(
    f"{W}{name}" for name in ("pPr", "del", "moveFrom", "sdtPr", "rt", "proofErr", "bookmarkStart", "bookmarkEnd")
)
_PLAIN = {f"{W}noBreakHyphen": "-", _TAB: "\t", f"{W}ptab": "\t"}
_DRAWINGS = frozenset((_ALTERNATIVES, f"{W}drawing", f"{W}pict", f"{W}object"))
_REFERENCES = {
    f"{W}footnoteReference": "footnote",
    f"{W}endnoteReference": "endnote",
    f"{W}commentReference": "comment",
}
_MARKED = (("b", MarkKind.STRONG), ("i", MarkKind.EMPHASIS))
_FONTS = f"{W}rFonts"
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

    def read(self, element: "etree._Element", inline: InlineText, target: str = "") -> None:
        """Append the text of a paragraph to `inline`: without deleted text, hidden text marked."""
        style = element.find(_STYLE)
        self._style = style.get(VALUE, "") if style is not None else ""
        self._all_hidden = self._hidden.hides_all(element)
        self._read(element, inline, target)

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
            elif tag not in _SKIPPED and len(child) and not is_placeholder(child):
                self._read(child, inline, target)

    def _target(self, link: "etree._Element") -> str:
        relation = self._relations.get(link.get(_ID, ""))
        return relation.target if relation is not None and relation.outside else ""

    def _run(self, run: "etree._Element", inline: InlineText, target: str) -> None:
        font = ""
        hidden, kinds = self._hidden.of(run, self._style)
        hidden = hidden or self._all_hidden
        for child in run:
            tag = child.tag
            if tag == _TEXT:
                text = symbols(child.text or "", font) if font else child.text or ""
                inline.add(text, kinds, target or self._field_target(), hidden=hidden)
            elif tag == _RUN_PROPERTIES:
                kinds = (*_kinds(child), *kinds) if len(child) else kinds
                fonts = child.find(_FONTS)
                font = fonts.get(f"{W}ascii", "") if fonts is not None else ""
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


def _kinds(properties: "etree._Element") -> tuple[MarkKind, ...]:
    return tuple(
        kind
        for name, kind in _MARKED
        if (element := properties.find(f"{W}{name}")) is not None and element.get(VALUE) not in OFF
    )


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
