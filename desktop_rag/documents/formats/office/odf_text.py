"""Reads OpenDocument text: paragraphs, lists, tables, and their notes, comments and drawings."""

import re
from collections.abc import Iterator

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import LineKind, MarkKind
from desktop_rag.documents.formats.inline_text import InlineText, append_block, append_paragraph, comment_label
from desktop_rag.documents.formats.office.hidden.hidden_spans import HiddenSpans
from desktop_rag.documents.formats.office.odf_styles import DRAW, OFFICE, TABLE, TEXT, OdfStyles, number
from desktop_rag.documents.formats.office.sheet_lines import has_letters, spread
from desktop_rag.documents.formats.office.symbol_fonts import is_symbol_font, symbols_drawn
from desktop_rag.documents.formats.source_file import ReadBudget

_HREF = "{http://www.w3.org/1999/xlink}href"
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
_DESCRIBED = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}desc"
_PARAGRAPH, _HEADING, _LIST = f"{TEXT}p", f"{TEXT}h", f"{TEXT}list"
_NAME = f"{TEXT}style-name"
_CELL_STYLE = f"{TABLE}style-name"
_SKIPPED = frozenset(
    (
        f"{TEXT}tracked-changes",
        f"{TEXT}ruby-text",
        f"{OFFICE}forms",
        f"{TEXT}sequence-decls",
        f"{TEXT}variable-decls",
        f"{OFFICE}event-listeners",
    )
)
_DRAWINGS = frozenset(
    f"{DRAW}{name}" for name in ("frame", "custom-shape", "rect", "g", "text-box", "ellipse", "circle", "line", "a")
)
_ROWS = frozenset(f"{TABLE}{name}" for name in ("table-rows", "table-row-group", "table-header-rows"))
_LOOKING = frozenset((_PARAGRAPH, _HEADING, f"{TEXT}span", f"{TEXT}hidden-text"))  # they may look unlike what is around
_FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
_FIELDS = (f"{_FIELD}fieldmark", f"{_FIELD}fieldmark-start")
_FIELD_TYPE, _FIELD_NAME, _FIELD_VALUE = (f"{_FIELD}{name}" for name in ("type", "name", "value"))
_PRIVATE = re.compile("[\uf000-\uf0ff]")
_PLACEHOLDER = f"{TEXT}placeholder"
_FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
_SHOWN_CONTROL = f"{DRAW}control"
_CONTROL = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}content-control"
_PROMPTS = ("showing-place-holder", "show-place-holder")  # of fields that are not filled in
_MAX_SPANNED = 100  # columns


class TextReader:
    """Appends the content of elements to a document."""

    def __init__(self, builder: DocumentBuilder, styles: OdfStyles, hidden: HiddenSpans, budget: ReadBudget) -> None:
        self._builder = builder
        self._styles = styles
        self._hidden = hidden
        self._budget = budget
        self._boxes: list[etree._Element] = []
        self._notes: list[tuple[str, etree._Element]] = []
        self._endnotes: list[tuple[str, etree._Element]] = []
        self._headings: list[int] = []
        self._controls: dict[str, etree._Element] | None = None
        self._last_counts: dict[tuple[str, int], int] = {}  # last number by (style, depth), to continue lists

    def blocks(self, parent: "etree._Element") -> None:
        """Append the paragraphs, lists and tables below `parent`."""
        for child in parent:
            self._budget.check(self._builder.characters)
            tag = child.tag
            if tag in (_PARAGRAPH, _HEADING):
                self._paragraph(child)
            elif tag == _LIST:
                self._list(child, child.get(_NAME, ""), [])
            elif tag == f"{TABLE}table":
                self._table(child)
            elif tag in _DRAWINGS:
                inline = InlineText()
                self._drawing(child, inline)
                append_paragraph(self._builder, inline, LineKind.PARAGRAPH)
                self.append_pending()
            elif tag not in _SKIPPED and len(child):
                self.blocks(child)

    def endnotes(self) -> None:
        """Append the endnotes."""
        for label, body in self._endnotes:
            self.quote(body, label)

    def append_pending(self) -> None:
        """Append the text boxes, notes and comments found since the last call."""
        boxes, notes = self._boxes, self._notes
        self._boxes, self._notes = [], []
        for box in boxes:
            self.blocks(box)
        for label, body in notes:
            self.quote(body, label)

    def plain(self, parent: "etree._Element", inline: InlineText) -> None:
        """Append the text below `parent`, which may be a cell, to `inline`, a line for each paragraph."""
        looks = self._styles.kinds(parent.get(_CELL_STYLE, ""))
        for child in parent:
            if child.tag in (_PARAGRAPH, _HEADING):
                inline.break_line()
                self._inline(child, inline, looks)
            elif child.tag in _DRAWINGS:
                self._drawing(child, inline)
            elif child.tag not in _SKIPPED and child.tag != f"{OFFICE}annotation":
                self.plain(child, inline)

    def quote(self, element: "etree._Element", label: str) -> None:
        """Append the text of a note or comment."""
        inline = InlineText()
        self.plain(element, inline)
        append_paragraph(self._builder, inline, LineKind.QUOTE, 1, label)

    def _paragraph(self, paragraph: "etree._Element") -> None:
        inline = InlineText()
        self._inline(paragraph, inline)
        level = self._styles.heading_level(paragraph.get(_NAME, ""))
        if paragraph.tag == _HEADING:
            level = number(paragraph.get(f"{TEXT}outline-level"), 1)
        is_counted = paragraph.tag == _HEADING and level and inline.lines()
        append_block(self._builder, inline, level, self._heading_label(level) if is_counted else "")
        self.append_pending()

    def _heading_label(self, level: int) -> str:
        level = min(level, 10)
        self._headings = [*self._headings[:level], *[0] * (level - len(self._headings))]
        self._headings[-1] += 1
        return self._styles.heading_label(self._headings)

    def _list(self, element: "etree._Element", style: str, above: list[int]) -> None:
        style = element.get(_NAME, style)
        depth = len(above) + 1
        key = (style, depth)
        count = self._styles.list_start(style, depth) - 1
        if element.get(f"{TEXT}continue-numbering") == "true" or element.get(f"{TEXT}continue-list"):
            count = self._last_counts.get(key, count)
        for item in element:
            if item.tag == f"{TEXT}list-item":
                count = number(item.get(f"{TEXT}start-value"), count + 1)
            self._item(item, style, [*above, count])
        self._last_counts[key] = count

    def _item(self, item: "etree._Element", style: str, counts: list[int]) -> None:
        """Append a list item; only its first paragraph gets the bullet or number."""
        label = self._styles.list_label(style, counts) if item.tag == f"{TEXT}list-item" else ""
        inline = InlineText()
        for child in item:
            if child.tag == _PARAGRAPH:
                inline.break_line()
                self._inline(child, inline)
                continue
            self._put_item(inline, counts, label)
            label, inline = label if not inline.lines() else "", InlineText()
            if child.tag == _LIST:
                self._list(child, style, counts)
            elif child.tag == _HEADING:
                self._paragraph(child)
            else:
                self.blocks(child)
        self._put_item(inline, counts, label)

    def _put_item(self, inline: InlineText, counts: list[int], label: str) -> None:
        append_paragraph(self._builder, inline, LineKind.ITEM, len(counts), label)
        self.append_pending()

    def _inline(
        self,
        element: "etree._Element",
        inline: InlineText,
        kinds: tuple[MarkKind, ...] = (),
        target: str = "",
        *,
        hidden: bool = False,
    ) -> None:
        """Append the mixed content of a paragraph; white space collapses, as the standard requires."""
        hidden = hidden or (element.tag in _LOOKING and self._hidden.hides(element))
        if element.tag in (_PARAGRAPH, _HEADING):
            kinds = self._styles.kinds(element.get(_NAME, ""), kinds)
        _add(inline, self._shown(element.text, element), kinds, target, hidden=hidden)
        for child in element:
            tag = child.tag
            if tag == f"{TEXT}s":
                inline.add(" " * min(number(child.get(f"{TEXT}c"), 1), 100))
            elif tag == f"{TEXT}tab":
                inline.add("\t")
            elif tag == f"{TEXT}line-break":
                inline.break_line()
            elif tag == f"{TEXT}note":
                self._refer(child, inline)
            elif tag == f"{OFFICE}annotation":
                self._notes.append((label_of_annotation(child), child))
            elif tag in _DRAWINGS and tag != f"{DRAW}a":
                self._drawing(child, inline)
            elif tag == f"{TEXT}a":
                self._inline(child, inline, kinds, child.get(_HREF, ""), hidden=hidden)
            elif tag == f"{TEXT}span":
                kinds_within = self._styles.kinds(child.get(_NAME, ""), kinds)
                self._inline(child, inline, kinds_within, target, hidden=hidden)
            elif tag not in _SKIPPED and not _is_prompt(child):
                inline.add(_chosen(child) if tag in _FIELDS else self._control(child))
                self._inline(child, inline, kinds, target, hidden=hidden)
            _add(inline, self._shown(child.tail, element), kinds, target, hidden=hidden)

    def _shown(self, text: str | None, element: "etree._Element") -> str | None:
        """Return the text of an element; letters of a font of symbols are what they show."""
        if not text or text.isascii() or not _PRIVATE.search(text):
            return text
        names = (each.get(_NAME, "") for each in (element, *element.iterancestors()))
        font = next(filter(None, map(self._styles.font, filter(None, names))), "")
        return symbols_drawn(text, font) if is_symbol_font(font) else text

    def _control(self, shown: "etree._Element") -> str:
        """Return the state of a control of a form where it is shown, apart from what is behind it."""
        if shown.tag != _SHOWN_CONTROL:
            return ""
        if self._controls is None:
            forms = shown.getroottree().getroot().iter(f"{OFFICE}forms")
            self._controls = {each.get(f"{_FORM}id", ""): each for form in forms for each in form.iter()}
        control = self._controls.get(shown.get(_SHOWN_CONTROL, ""))
        state = _state_of_control(control) if control is not None else ""
        return f"{state} " if state and not (shown.tail or "")[:1].isspace() else state

    def _refer(self, note: "etree._Element", inline: InlineText) -> None:
        citation, body = note.find(f"{TEXT}note-citation"), note.find(f"{TEXT}note-body")
        label = f"[{(citation.text or '').strip() if citation is not None else '*'}]"
        inline.add(label)
        if body is not None:
            is_endnote = note.get(f"{TEXT}note-class") == "endnote"
            (self._endnotes if is_endnote else self._notes).append((label, body))

    def _drawing(self, element: "etree._Element", inline: InlineText) -> None:
        """Collect the text of a drawing, and append the description of a picture."""
        described = element.find(_DESCRIBED)
        if described is not None and (shown := " ".join((described.text or "").split())):
            inline.add(f"[{shown}]")
        self._boxes.extend(child for child in (element,) if _has_text(child))

    def _table(self, table: "etree._Element") -> None:
        rows = list(table_rows(table))
        self._builder.add_blank()
        spanned: dict[int, tuple[int, str]] = {}  # by column: the further rows of a cell, and its text
        for row, is_header in rows:
            self._budget.check(self._builder.characters)
            cells: list[tuple[str, int]] = []
            covered = column = 0  # columns of the cell before that are covered
            for cell in row:
                repeated = min(number(cell.get(f"{TABLE}number-columns-repeated"), 1), _MAX_SPANNED)
                if cell.tag == f"{TABLE}table-cell":
                    inline = InlineText()
                    self.plain(cell, inline)
                    covered = min(number(cell.get(f"{TABLE}number-columns-spanned"), 1), _MAX_SPANNED) - 1
                    further = number(cell.get(f"{TABLE}number-rows-spanned"), 1) - 1
                    cells += [(inline.text(), 1 + covered)] * repeated
                    if further and has_letters(inline.text()):
                        spanned.update(dict.fromkeys(range(column, column + covered + 1), (further, inline.text())))
                    column += repeated
                    continue
                for place in range(column, column + repeated):
                    left, text = spanned.get(place, (0, ""))
                    if covered:
                        covered -= 1
                    else:
                        cells.append((text if left else "", 1))
                        spanned[place] = max(left - 1, 0), text
                column += repeated
            texts = spread(cells)
            if any(texts):
                self._builder.add_row(texts, header=is_header)
        self._builder.add_blank()
        self.append_pending()


def label_of_annotation(annotation: "etree._Element") -> str:
    """Return the label in front of a comment."""
    creator = annotation.find(_CREATOR)
    author = " ".join((creator.text or "").split()) if creator is not None else ""
    return comment_label(author)


def table_rows(table: "etree._Element", *, header: bool = False) -> "Iterator[tuple[etree._Element, bool]]":
    """Yield the rows of a table, and whether each is one of its header rows."""
    for child in table:
        if child.tag == f"{TABLE}table-row":
            yield child, header
        elif child.tag in _ROWS:
            yield from table_rows(child, header=header or child.tag == f"{TABLE}table-header-rows")


def _chosen(field: "etree._Element") -> str:
    """Return what a check box or a list of a form shows; the text of other fields stands behind their beginning."""
    given = [(each.get(_FIELD_NAME, ""), each.get(_FIELD_VALUE, "")) for each in field]
    if field.get(_FIELD_TYPE, "").endswith("FORMCHECKBOX"):
        return "☒" if ("Checkbox_Checked", "true") in given else "☐"
    entries = [value for name, value in given if name == "Dropdown_ListEntry"]
    chosen = number(dict(given).get("Dropdown_Selected"), 0)
    return entries[chosen] if chosen < len(entries) else ""


def _state_of_control(control: "etree._Element") -> str:
    """Return what a control of a form shows: whether it is ticked, the chosen entries of a list, what is filled in."""

    def current(element: "etree._Element", name: str) -> str:
        return element.get(f"{_FORM}current-{name}", element.get(f"{_FORM}{name}", ""))

    label = " ".join(control.get(f"{_FORM}label", "").split())
    match etree.QName(control).localname:
        case "checkbox":
            return f"{'☒' if current(control, 'state') == 'checked' else '☐'} {label}".strip()
        case "radio":
            return f"{'☒' if current(control, 'selected') == 'true' else '☐'} {label}".strip()
        case "listbox":
            entries = control.findall(f"{_FORM}option")
            own = [each for each in entries if each.get(f"{_FORM}current-selected") == "true"]
            chosen = own or [each for each in entries if each.get(f"{_FORM}selected") == "true"]
            return ", ".join(each.get(f"{_FORM}label", "") for each in chosen)
        case "fixed-text":
            return label
        case "text" | "textarea" | "combobox" | "formatted-text" | "number" | "date" | "time":
            return " ".join((current(control, "value") or " ".join(map(str, control.itertext()))).split())
        case _:
            return ""


def _is_prompt(element: "etree._Element") -> bool:
    """Return whether an element is a field that is not filled in, which shows what to do."""
    if element.tag == _CONTROL:
        return any(str(key).endswith(_PROMPTS) and on == "true" for key, on in element.items())
    return bool(element.tag == _PLACEHOLDER)


def _has_text(element: "etree._Element") -> bool:
    return any(next(element.iter(tag), None) is not None for tag in (_PARAGRAPH, _HEADING))


def _add(inline: InlineText, text: str | None, kinds: tuple[MarkKind, ...], target: str, *, hidden: bool) -> None:
    if text:
        words = " ".join(text.split())
        lead = " " if text[0].isspace() else ""
        trail = " " if text[-1].isspace() and words else ""
        inline.add(lead + words + trail, kinds, target, hidden=hidden)
