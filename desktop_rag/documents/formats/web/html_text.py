"""Extracts the text of a web page in one walk over its tree: headings, lists, tables, quotes, code, links."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import InlineMark, Line, LineKind, MarkKind
from desktop_rag.documents.formats.equations import equation
from desktop_rag.documents.formats.inline_text import InlineText, join_hidden, mark_hidden, shift_marks
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.documents.formats.source_file import ReadBudget
from desktop_rag.documents.formats.web.hidden_elements import (
    INVISIBLE_TAGS,
    Attributes,
    Boilerplate,
    HiddenElements,
    attributes,
    is_larger,
)
from desktop_rag.documents.formats.web.html_page import link_target

# Distinguishes data tables from layout tables, and aligns the columns of data tables.

_LAYOUT_CONTENT = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "textarea", "form", "nav")
_MAX_CELL = 2000  # characters; a longer cell is a column of the page layout
_MAX_ROW_ELEMENTS = 2000  # elements
_MAX_COVERED = 100  # columns or rows that one cell may span


_HOLDS_DATA = etree.XPath(
    "(descendant::tr[2] or descendant::th) and descendant::tr[td[2] or th[2] or (td and th)] and not("
    f"descendant::tr[string-length() > {_MAX_CELL}]/*[self::td or self::th][string-length() > {_MAX_CELL}])"
)


class HtmlTable:
    """Builds the rows of one data table cell by cell."""

    def __init__(self) -> None:
        self._cells: list[tuple[str, Sequence[InlineMark]]] = []
        self._spanned: dict[int, tuple[int, str]] = {}  # by column: the rows that a cell above still spans, its text
        self._own = self._from_above = 0  # cells of the row
        self._headers = 0
        self._has_marks = False

    def begin_row(self) -> None:
        """Start the next row."""
        self._cells = []
        self._headers = self._own = self._from_above = 0
        self._has_marks = False
        if self._spanned:
            self._skip_spanned()

    def cell(self, tag: str, given: Attributes, text: str, marks: Sequence[InlineMark]) -> None:
        """Append a cell, in each column and row that it spans; a number that names no column only once."""
        self._headers += tag == "th"
        self._own += 1
        self._has_marks = self._has_marks or bool(marks)
        columns, rows = _number(given.get("colspan")), _number(given.get("rowspan"))
        if columns == rows == 1:  # as nearly all
            self._cells.append((text, marks))
            if self._spanned:
                self._skip_spanned()
            return
        again = text if tag == "th" or any(map(str.isalpha, text)) else ""
        for number in range(columns):
            if rows > 1:
                self._spanned[len(self._cells)] = rows - 1, again
            self._cells.append((again, ()) if number else (text, marks))
        self._skip_spanned()

    def end_row(self) -> tuple[Line, list[InlineMark]] | None:
        """Return the row as a line with its marks, or None if it is empty."""
        if self._own == 1 and not self._from_above:
            del self._cells[1:]  # a title over the whole table
        texts = [text for text, _ in self._cells]
        if not any(texts):
            return None
        placed: list[InlineMark] = []
        length = 0
        for text, marks in self._cells if self._has_marks else ():
            if marks:
                placed.extend(shift_marks(marks, -length, length + len(text)))
            length += len(text) + 1
        filled = len(texts) - texts.count("")
        header = filled > 1 and self._headers >= filled
        return Line("\t".join(texts).rstrip("\t"), LineKind.ROW, int(header)), placed

    def _skip_spanned(self) -> None:
        while (above := self._spanned.get(len(self._cells), (0, "")))[0]:
            self._spanned[len(self._cells)] = above[0] - 1, above[1]
            self._cells.append((above[1], ()))
            self._from_above += 1


def is_data_table(table: "etree._Element") -> bool:
    """Return whether a table contains data rather than page layout."""
    if table.get("role") in ("presentation", "none") or next(table.iterdescendants(*_LAYOUT_CONTENT), None) is not None:
        return False
    return bool(_HOLDS_DATA(table))


def is_labelled_row(row: "etree._Element") -> bool:
    """Return whether a row consists of a header cell and its values, even in a layout table."""
    kinds = [cell.tag for cell in row if cell.tag in ("td", "th")]
    if kinds[:1] != ["th"] or "td" not in kinds or is_larger(row, _MAX_ROW_ELEMENTS):
        return False
    if next(row.iterdescendants(*_LAYOUT_CONTENT), None) is not None:
        return False
    return sum(map(len, row.itertext())) <= _MAX_CELL


def _number(span: str | None) -> int:
    return max(1, min(int(span), _MAX_COVERED)) if span and span.isdecimal() and len(span) < 6 else 1


_HEADINGS = MappingProxyType({f"h{level}": level for level in range(1, 7)})
_MARKS = MappingProxyType(
    {
        **dict.fromkeys(("b", "strong"), MarkKind.STRONG),
        **dict.fromkeys(("i", "em", "cite", "dfn", "var"), MarkKind.EMPHASIS),
        **dict.fromkeys(("code", "kbd", "samp", "tt"), MarkKind.CODE),
        **dict.fromkeys(("s", "strike", "del"), MarkKind.STRIKETHROUGH),
        "sup": MarkKind.SUPERSCRIPT,
        "sub": MarkKind.SUBSCRIPT,
    }
)
_BLOCKS = (
    "div section article main header footer aside nav center body figcaption summary legend caption thead tbody tfoot "
    "dt dd dialog hgroup search"
)
_APART = ("p", "dl", "figure", "form", "fieldset", "hr", "address", "details")
_BOUNDARIES = {**dict.fromkeys(_BLOCKS.split(), False), **dict.fromkeys(_APART, True)}  # whether a blank line is there
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_PREFORMATTED = frozenset(("pre", "listing", "xmp", "plaintext", "textarea"))
_FIELDS = frozenset(("text", "search", "email", "number", "date", "tel", "url", "time", "month"))  # of a form
_WIDE = "\u3001-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff5e"  # Chinese and Japanese
_WIDE_LETTER = re.compile(f"[{_WIDE}]")
_WRAPPED = re.compile(rf"(?<=[{_WIDE}])[ \t\r]*\n\s*(?=[{_WIDE}])")  # line ends that show no blank (CSS Text 4.1.2)
_INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))
_MAY_BE_BOILERPLATE = frozenset(
    ("div", "section", "aside", "nav", "dialog", "ul", "ol", "header", "footer", "p", "span")
)
_CELLS = frozenset(("td", "th"))
_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_DEEPEST = 15  # the highest level a line can store


@dataclass(slots=True)
class _List:
    """An open list: its next number, what is added for each item, and how numbers are written; bullets have no form."""

    number: int
    step: int
    form: str


class HtmlTextExtractor:
    """Appends the text of element trees to `builder`.

    `on_anchor` is called with each id before its line is appended, and with an empty one before the first line of a
    tree. With `keep_boilerplate`, menus and notices are kept.
    """

    def __init__(
        self,
        builder: DocumentBuilder,
        budget: ReadBudget,
        *,
        on_anchor: Callable[[str], None] | None = None,
        keep_boilerplate: bool = False,
    ) -> None:
        self.first_heading = ""
        self._builder = builder
        self._budget = budget
        self._on_anchor = on_anchor
        self._keep_boilerplate = keep_boilerplate
        self._boilerplate = Boilerplate()
        self._hidden: HiddenElements | None = None
        self._hidden_in: list[etree._Element] = []  # the open elements that hide their text
        self._styled: list[tuple[etree._Element, MarkKind]] = []  # open elements with marks of their styles
        self._base = ""
        self._inline_text = InlineText()
        self._space = self._has_text = False  # white space is pending; the paragraph has text
        self._blank_pending = False  # a blank line is pending
        self._anchors: list[str] = []  # ids whose line is pending
        self._marks: list[MarkKind] = []  # the open marks, each once
        self._marked: list[bool] = []  # for each open inline element: whether it added its mark
        self._links: list[str] = []
        self._previous: tuple[tuple[MarkKind, ...], str] = ((), "")  # marks and link of the previous piece
        self._heading = self._quote = self._preformatted = 0
        self._lists: list[_List] = []  # the open ones
        self._label = ""
        self._code: list[str] = []
        self._table: HtmlTable | None = None  # the current data table
        self._single_row = False  # the data table is a single row of a layout table
        self._in_cell = False
        self._starts: dict[str, Callable[[etree._Element, str], None]] = {
            "br": self._break,
            "img": self._image,
            "input": self._control,
            "option": self._apart,
            "li": self._item,
            "blockquote": self._begin_quote,
            "a": self._begin_link,
            "q": self._quotation_mark,
            **dict.fromkeys(_LISTS, self._begin_list),
            **dict.fromkeys(_HEADINGS, self._begin_heading),
            **dict.fromkeys(_PREFORMATTED, self._begin_preformatted),
            "table": self._begin_table,
            "tr": self._begin_row,
            "td": self._begin_cell,
            "th": self._begin_cell,
        }
        self._ends: dict[str, Callable[[etree._Element, str], None]] = {
            "li": self._end_item,
            "blockquote": self._end_quote,
            "a": self._end_link,
            "q": self._quotation_mark,
            "option": self._apart,
            **dict.fromkeys(_LISTS, self._end_list),
            **dict.fromkeys(_HEADINGS, self._end_heading),
            **dict.fromkeys(_PREFORMATTED, self._end_preformatted),
            "table": self._end_table,
            "tr": self._end_row,
            "td": self._end_cell,
            "th": self._end_cell,
        }

    def read(self, root: "etree._Element", base: str = "", sheets: str = "") -> None:
        """Append the text below `root`; relative links are resolved against `base`, `sheets` are styles it links to."""
        self._base = base
        self._anchors = [""]
        self._hidden, self._hidden_in = HiddenElements(root, sheets), []
        walk = etree.iterwalk(root, events=("start", "end"))
        skipped = False
        for event, element in walk:
            tag = element.tag
            if event == "start":
                given = dict(element.items())
                skipped = self._is_skipped(element, tag, given) or self._is_whole(element, tag, given)
                if skipped:
                    walk.skip_subtree()
                    continue
                self._start(element, tag, given)
                hides, kinds = self._hidden.look(element, tag, given)
                if hides:
                    self._hidden_in.append(element)
                for kind in kinds:
                    if kind not in self._marks:
                        self._marks.append(kind)
                        self._styled.append((element, kind))
                if element.text:
                    self._add(element.text)
            else:
                if not skipped:
                    if self._hidden_in and self._hidden_in[-1] is element:
                        self._hidden_in.pop()
                    while self._styled and self._styled[-1][0] is element:
                        self._marks.remove(self._styled.pop()[1])
                    self._end(element, tag)
                skipped = False
                if element.tail and element is not root:
                    self._add(element.tail)
        self._boundary(apart=True)

    def end_paragraph(self) -> None:
        """Append the pending paragraph as lines."""
        if not self._has_text or self._in_cell:
            return
        lines = self._take()
        self._budget.check(self._builder.characters)
        if not lines:
            return
        label, self._label = self._label, ""
        kind, level = self._kind(labelled=bool(label))
        if kind is LineKind.HEADING:
            text = " ".join(line for line, _ in lines)
            self.first_heading = self.first_heading or text
            lines, label = [(text, lines[0][1])], ""
        for text, marks in lines:
            prefix = f"{label} " if label else ""
            placed = shift_marks(marks, -len(prefix), len(prefix) + len(text)) if prefix else marks
            self._append(Line(prefix + text, kind, level), placed)
            if label:
                label, kind = "", LineKind.PARAGRAPH

    def _append(self, line: Line, marks: Sequence[InlineMark] = ()) -> None:
        if (joined := join_hidden(line.text)) != line.text:
            line, marks = Line(joined, line.kind, line.level), ()
        if self._blank_pending:
            self._builder.add_blank()
            self._blank_pending = False
        if self._on_anchor is not None:
            for name in self._anchors:
                self._on_anchor(name)
            self._anchors.clear()
        self._builder.add(line, marks)

    def _take(self) -> list[tuple[str, list[InlineMark]]]:
        """Return the lines of the pending paragraph and start the next one."""
        lines = self._inline_text.lines() if self._has_text else []
        self._inline_text, self._space, self._has_text = InlineText(), False, False
        return lines

    def _kind(self, *, labelled: bool) -> tuple[LineKind, int]:
        if self._heading:
            return LineKind.HEADING, self._heading
        if labelled:
            return LineKind.ITEM, min(len(self._lists) or 1, _DEEPEST)
        if self._quote:
            return LineKind.QUOTE, min(self._quote, _DEEPEST)
        return LineKind.PARAGRAPH, min(len(self._lists), _DEEPEST)

    def _is_skipped(self, element: "etree._Element", tag: object, given: Attributes) -> bool:
        if not isinstance(tag, str) or tag in INVISIBLE_TAGS or (tag == "option" and not _is_chosen(element)):
            return True
        if self._keep_boilerplate or tag not in _MAY_BE_BOILERPLATE or (not given and tag != "nav"):
            return False
        return self._boilerplate.is_boilerplate(element, tag, given)

    def _start(self, element: "etree._Element", tag: str, given: Attributes) -> None:
        if (apart := _BOUNDARIES.get(tag)) is not None:
            self._boundary(apart=apart)
        if self._on_anchor is not None and (named := given.get("id")):
            self._anchors.append(named)
        if (kind := _MARKS.get(tag)) is not None:
            self._marked.append(kind not in self._marks)
            if self._marked[-1]:
                self._marks.append(kind)
        elif (start := self._starts.get(tag)) is not None:
            start(element, tag)

    def _end(self, element: "etree._Element", tag: str) -> None:
        if _MARKS.get(tag) is not None:
            if self._marked.pop():
                self._marks.pop()
        elif (end := self._ends.get(tag)) is not None:
            end(element, tag)
        if (apart := _BOUNDARIES.get(tag)) is not None:
            self._boundary(apart=apart)

    def _boundary(self, *, apart: bool) -> None:
        if self._in_cell:
            self._space = True
            return
        self.end_paragraph()
        self._blank_pending |= apart and not self._lists

    def _add(self, text: str) -> None:
        if not self._preformatted and (not text or text.isspace()):
            self._space = True
            return
        if self._hidden_in:
            text = mark_hidden(text)
        if self._preformatted:
            self._code.append(text)
            return
        piece = _piece(text)
        target = self._links[-1] if self._links else ""
        if self._has_text and (self._space or text[0].isspace()):
            before, link = self._previous
            both = [kind for kind in self._marks if kind in before] if before else ()
            self._inline_text.add(" ", both, target if target == link else "")
        self._inline_text.add(piece, self._marks, target)
        self._previous = (tuple(self._marks), target)
        self._has_text = True
        self._space = text[-1].isspace()

    def _break(self, element: "etree._Element", tag: str) -> None:
        if self._preformatted:
            self._code.append("\n")
        elif self._heading or self._in_cell:
            self._space = True
        else:
            self._inline_text.break_line()
            self._space = False

    def _image(self, element: "etree._Element", tag: str) -> None:
        if element.get("aria-hidden") != "true" and (described := element.get("alt")):
            self._add(f" {described} ")

    def _apart(self, element: "etree._Element", tag: str) -> None:
        self._space = True

    def _control(self, element: "etree._Element", tag: str) -> None:
        """Append the state of a check box, or what a field of a form holds."""
        kind = element.get("type", "text").lower()
        if kind in ("checkbox", "radio") and not element.get("role"):  # others are buttons of the page
            self._add(" ☑ " if element.get("checked") is not None else " ☐ ")
        elif kind in _FIELDS and (value := element.get("value", "").strip()):
            self._add(f" {value} ")

    def _formula(self, element: "etree._Element") -> bool:
        """Append a formula on one line, or its alternative text; return whether there is any."""
        described = element.get("alttext", "").strip() or equation(element)
        self._inline_text.keep_apart()
        self._add(described)
        self._inline_text.keep_apart()
        return bool(described)

    def _quotation_mark(self, element: "etree._Element", tag: str) -> None:
        self._add('"')

    def _begin_link(self, element: "etree._Element", tag: str) -> None:
        self._links.append(link_target(element.get("href", ""), self._base))
        if self._on_anchor is not None and (named := element.get("name")):
            self._anchors.append(named)

    def _end_link(self, element: "etree._Element", tag: str) -> None:
        self._links.pop()

    def _begin_heading(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=True)
        self._heading = _HEADINGS[tag]

    def _end_heading(self, element: "etree._Element", tag: str) -> None:
        self.end_paragraph()
        self._heading = 0
        self._boundary(apart=True)

    def _begin_quote(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=True)
        self._quote += 1

    def _end_quote(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=True)
        self._quote -= 1

    def _begin_list(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=not self._lists)
        is_reversed = element.get("reversed") is not None
        last = sum(child.tag == "li" for child in element) if is_reversed else 1
        start = _whole(element.get("start"), last)
        kind = (self._hidden.numbering(element) if self._hidden else "") or element.get("type", "1")
        form = _FORMS.get(kind, "decimal") if tag == "ol" else ""
        self._lists.append(_List(start, -1 if is_reversed else 1, form))

    def _end_list(self, element: "etree._Element", tag: str) -> None:
        self.end_paragraph()
        self._lists.pop()
        self._label = ""
        if not self._lists:
            self._boundary(apart=True)

    def _item(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        items = self._lists[-1] if self._lists else None
        if items is None or not items.form:
            self._label = "•"
            return
        items.number = _whole(element.get("value"), items.number)
        form = _FORMS.get(element.get("type", ""), items.form)
        self._label = f"{format_number(items.number, form)}."
        items.number += items.step

    def _end_item(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        self._label = ""

    def _begin_preformatted(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=True)
        self._preformatted += 1

    def _end_preformatted(self, element: "etree._Element", tag: str) -> None:
        self._preformatted -= 1
        lines = [line.rstrip() for line in clean("".join(self._code)).expandtabs().split("\n")]
        self._code = []
        self._budget.check(self._builder.characters)
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            del lines[0]
        for line in lines:
            self._append(Line(line, LineKind.CODE if line else LineKind.BLANK))
        self._boundary(apart=True)

    def _begin_table(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=True)
        if self._table is None and is_data_table(element):
            self._table = HtmlTable()

    def _end_table(self, element: "etree._Element", tag: str) -> None:
        self._table = None  # data tables are not nested
        self._boundary(apart=True)

    def _begin_row(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        if self._table is None and is_labelled_row(element):
            self._table, self._single_row = HtmlTable(), True
        if self._table is not None:
            self._table.begin_row()

    def _end_row(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        if self._table is not None:
            if (row := self._table.end_row()) is not None:
                self._append(*row)
            if self._single_row:
                self._table, self._single_row = None, False
            self._budget.check(self._builder.characters)

    def _begin_cell(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        self._in_cell = self._table is not None

    def _is_whole(self, element: "etree._Element", tag: str, given: Attributes) -> bool:
        """Append a formula, or a cell of a data table with no more than text, as most are; return whether it is one."""
        if tag not in _CELLS:
            return tag == "math" and self._formula(element)
        if self._table is None or self._hidden is None or len(element) or self._has_text or self._preformatted:
            return False
        if self._marks or self._links or self._in_cell or self._hidden_in or self._on_anchor is not None:
            return False
        hides, kinds = self._hidden.look(element, tag, given)
        if hides or kinds:
            return False
        self._table.cell(tag, given, _piece(element.text or "").strip(), ())
        self._space = False
        return True

    def _end_cell(self, element: "etree._Element", tag: str) -> None:
        self._boundary(apart=False)
        if self._table is not None:
            self._in_cell = False
            text, marks = next(iter(self._take()), ("", []))
            self._table.cell(tag, attributes(element), text, marks)


def _piece(text: str) -> str:
    """Return text of the page with a blank for white space, and nothing where that is not shown."""
    if "\n" in text and not text.isascii() and _WIDE_LETTER.search(text):
        text = _WRAPPED.sub("", text)
    piece = " ".join(text.split())
    return piece if piece.isprintable() else clean(piece.translate(_INVISIBLE))


def _whole(number: str | None, otherwise: int) -> int:
    """Return the whole number in an attribute, or `otherwise` if it is missing or invalid."""
    return int(number) if number and len(number) < 10 and number.lstrip("-").isdecimal() else otherwise


def _is_chosen(option: "etree._Element") -> bool:
    """Return whether a list shows this option as chosen: the first one if none is."""
    menu = next(option.iterancestors("select", "datalist"), None)
    if menu is None or menu.tag == "datalist":
        return False
    if option.get("selected") is not None:
        return True
    others = list(menu.iter("option"))
    chosen = any(each.get("selected") is not None for each in others)
    return not chosen and menu.get("multiple") is None and others[0] is option
