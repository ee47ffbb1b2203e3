"""Reads Rich Text Format (Word's RTF specification 1.9.1): text, headings, list numbers, tables, notes and links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import FONT_CHARSETS, codec_name
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import InlineText, append_block, append_paragraph
from desktop_rag.documents.formats.office.docx_styles import HYPERLINK, add_equation_field, heading_level_of_name
from desktop_rag.documents.formats.office.hidden.hidden_runs import LOOKS, are_hidden
from desktop_rag.documents.formats.office.sheet_lines import CellGrid, GridRow
from desktop_rag.documents.formats.office.symbol_fonts import PRIVATE, is_symbol_font, symbols
from desktop_rag.documents.formats.source_file import ReadBudget, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)|\\", re.DOTALL
)
_CHECK_EVERY = 2000  # tokens
_MAX_GROUPS = 10_000  # nesting depth
_CHARACTERS = {
    "tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ", "bullet": "•",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "nestcell": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\xa0", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\"}
_SKIPPED = _words(
    "pict objdata shprslt sp nonesttables xe tc rxe bkmkstart bkmkend themedata filetbl revtbl generator "
    "listtable listoverridetable rsidtbl pnseclvl operator company doccomm keywords subject category manager "
    "comment hlinkbase atnid atnauthor atntime atndate atnref atrfstart atrfend template upr"
)
_HEADERS_AND_FOOTERS = _words("header headerl headerr headerf footer footerl footerr footerf")
_NOTES = frozenset(("footnote", "annotation", "shptxt")) | _HEADERS_AND_FOOTERS
_CHECK_BOX, _UNCHANGED = 1, 25  # a kind of field in forms; the result of one that was not touched
_SYMBOLIC = 2  # the character set of such fonts
_CAPTURED = _words("colortbl title author fldinst listtext pntext fonttbl stylesheet creatim revtim formfield ffl")
_STARRED = _words("shpinst annotation fldinst pntext ud formfield ffl")  # ignorable destinations that are read
_MARKED = {"b": MarkKind.STRONG, "i": MarkKind.EMPHASIS, "strike": MarkKind.STRIKETHROUGH}
_MARKED |= {"striked": MarkKind.STRIKETHROUGH, "super": MarkKind.SUPERSCRIPT, "sub": MarkKind.SUBSCRIPT}
_MARKED |= {"up": MarkKind.SUPERSCRIPT, "dn": MarkKind.SUBSCRIPT}
_MOVED = (MarkKind.SUPERSCRIPT, MarkKind.SUBSCRIPT)


class _State(NamedTuple):
    """The formatting state of one group."""

    destination: str = ""  # the innermost destination
    opened: str = ""  # the destination that this group itself opened
    font: int = -1
    fallback: int = 1  # number of fallback characters after a Unicode character
    kinds: tuple[MarkKind, ...] = ()
    look: Mapping[str, int | None] = MappingProxyType({})  # what is said of the letters


@dataclass(slots=True)
class _Paragraph:
    style: int = 0
    outline: int | None = None
    depth: int = 0
    in_table: bool = False
    fill: int = 0  # the number of the colour behind it


def read_rtf(source: SourceFile, kind: Format) -> Document:
    """Return the text of an .rtf file; headers and footers are appended once, at the end."""
    if not source.data.lstrip().startswith(file_types.RTF):
        raise DocumentError("This file is damaged or not in Rich Text Format.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    reader = _Reader(builder, source.budget)
    with source.keep_partial(builder):
        reader.read(source.data)
    reader.end()
    return builder.build("This file contains no text.")


class _Reader:
    def __init__(self, builder: DocumentBuilder, budget: ReadBudget) -> None:
        self._builder = builder
        self._budget = budget
        self._state = _State()
        self._stack: list[_State] = []
        self._bytes = bytearray()  # text that is not decoded yet
        self._skip = 0
        self._high = 0  # a high surrogate waiting for its low one
        self._ignorable = False
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._symbolic: dict[int, str] = {}  # the names of fonts whose letters are symbols
        self._levels: dict[int, int] = {}  # heading levels by style
        self._paragraph = _Paragraph()
        self._inline_text = InlineText()
        self._outer: list[InlineText] = []
        self._cells: list[str] = []
        self._edges: list[int] = [0]  # of the cells of the row, from left to right
        self._goes_on = [False, False]  # whether the next cell continues the one above, the one at the left
        self._going_on: list[tuple[bool, bool]] = []
        self._grid = CellGrid(builder)
        self._is_header_row = False
        self._has_coloured_cells = False
        self._captured = ""
        self._form: dict[str, int] = {}  # what is said of a field of a form
        self._entries: list[str] = []  # of a list in it
        self._label = ""
        self._target = ""
        self._style = 0
        self._date: dict[str, int] = {}
        self._colours: list[str] = []
        self._colour = [0, 0, 0]  # the next of them
        self._pending: list[tuple[str, InlineText]] = []
        self._headers_and_footers: dict[str, InlineText] = {}
        self._footnotes = 0

    def read(self, data: bytes) -> None:
        position, count = 0, 0
        while found := _TOKEN.match(data, position):
            position = found.end()
            count += 1
            if count % _CHECK_EVERY == 0:
                self._budget.check(self._builder.characters)
            word, argument, code, symbol, brace, text = found.groups()
            if text:
                self._raw(text)
            elif code:
                self._raw(bytes((int(code, 16),)))
            elif brace:
                self._decode()
                self._open() if brace == b"{" else self._close()
            elif word == b"bin":
                position += max(0, int(argument or 0))
            elif word:
                self._word(word.decode("ascii"), None if argument is None else int(argument))
            elif symbol == b"*":
                self._ignorable = True
            elif symbol in (b"\r", b"\n"):
                self._word("par", None)
            elif symbol:
                self._add(_SYMBOLS.get(symbol, ""))

    def end(self) -> None:
        """Close unclosed groups, and append the headers and footers."""
        self._decode()
        while self._stack:
            self._close()
        self._end_table()
        self._end_paragraph()
        for inline in self._headers_and_footers.values():
            append_paragraph(self._builder, inline, LineKind.PARAGRAPH)

    def _raw(self, data: bytes) -> None:
        if self._state.destination == "skipped":  # as pictures are, most bytes of many files
            return
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._bytes += data

    def _decode(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._state.font, self._encoding)
            symbolic = self._symbolic.get(self._state.font, "")
            text = bytes(self._bytes).decode("latin-1" if symbolic else encoding, "replace")
            self._bytes.clear()
            if self._state.destination == "fonttbl":
                name = text.strip(" ;")
                if symbolic or is_symbol_font(name):
                    self._symbolic[self._state.font] = name
            elif symbolic and self._state.destination not in _CAPTURED:
                text = symbols(text, symbolic)
            self._take(clean(text))

    def _add(self, text: str) -> None:
        self._decode()
        self._take(text)

    def _take(self, text: str) -> None:
        destination = self._state.destination
        if destination in _CAPTURED:
            self._captured += text
            if destination == "colortbl":
                for _ in range(text.count(";")):
                    self._colours.append("rgb({},{},{})".format(*self._colour))
                    self._colour = [0, 0, 0]
        elif destination != "skipped":
            hidden = are_hidden(self._state.look, self._colours, self._behind())
            self._inline_text.add(text, self._state.kinds, self._target, hidden=hidden)

    def _behind(self) -> str:
        """Return the colour of the paragraph; empty if it is not known, as in a table with coloured cells."""
        if self._paragraph.in_table and self._has_coloured_cells:
            return ""
        number = self._paragraph.fill
        return self._colours[number] if 0 < number < len(self._colours) else "white"

    def _open(self) -> None:
        if len(self._stack) < _MAX_GROUPS:
            self._stack.append(self._state)
            self._state = self._state._replace(opened="")
        self._skip, self._ignorable = 0, False

    def _close(self) -> None:
        self._skip = 0
        opened = self._state.opened
        if self._state.destination == "stylesheet" and self._captured:
            self._register_style()
        if opened in _NOTES:
            self._end_note(opened)
        elif opened in _CAPTURED:
            self._end_capture(opened)
        elif opened == "fldrslt":
            self._target = ""
        # With more closing than opening braces, the state has no group around it.
        self._state = self._stack.pop() if self._stack else self._state._replace(destination="", opened="")

    def _begin(self, destination: str) -> None:
        """Enter a destination: this group is not part of the surrounding text."""
        within = self._state.destination
        if within == "skipped" or self._state.opened in _NOTES:
            return
        self._state = self._state._replace(destination=destination, opened=destination)
        if destination in _NOTES:
            if destination == "footnote":
                self._footnotes += 1
                self._inline_text.add(f"[{self._footnotes}]")
            self._outer.append(self._inline_text)
            self._inline_text = InlineText()
        elif destination in _CAPTURED:
            self._captured = ""
        elif destination == "fldrslt":
            self._state = self._state._replace(destination=within)

    def _end_note(self, kind: str) -> None:
        inline, self._inline_text = self._inline_text, self._outer.pop()
        if kind in _HEADERS_AND_FOOTERS:
            self._headers_and_footers.setdefault(inline.text(), inline)
        else:
            label = {"footnote": f"[{self._footnotes}]", "annotation": "Comment:"}.get(kind, "")
            self._pending.append((label, inline))

    def _end_capture(self, kind: str) -> None:
        text, self._captured = " ".join(self._captured.split()), ""
        match kind:
            case "title":
                self._builder.title = text
            case "author":
                self._builder.author = text
            case "listtext" | "pntext":
                self._label = text or "•"
            case "fldinst":
                found = HYPERLINK.match(text)
                self._target = found[1] if found else ""
                add_equation_field(self._inline_text, text)
            case "ffl":
                self._entries.append(text)
            case "formfield":
                self._inline_text.add(self._chosen())
            case "creatim" | "revtim":
                year, month, day = (self._date.get(part, 0) for part in ("yr", "mo", "dy"))
                date = f"{year:04}-{month:02}-{day:02}" if year and month and day else ""
                if kind == "creatim":
                    self._builder.created = date
                else:
                    self._builder.modified = date

    def _chosen(self) -> str:
        """Return what a check box or a list of a form shows; the text of a field stands in the document."""
        result = self._form.get("ffres", _UNCHANGED)
        number = self._form.get("ffdefres", 0) if result == _UNCHANGED else result
        kind, entries = self._form.get("fftype", 0), self._entries
        self._form, self._entries = {}, []
        if kind == _CHECK_BOX:
            return "☒" if number else "☐"
        return entries[number] if 0 <= number < len(entries) else ""

    def _register_style(self) -> None:
        name, self._captured = self._captured.strip().rstrip(";"), ""
        if level := heading_level_of_name(name):
            self._levels.setdefault(self._style, level)

    def _word(self, word: str, argument: int | None) -> None:
        self._decode()
        if self._ignorable and word not in _STARRED:
            self._ignorable = False
            self._begin("skipped")
        elif word in _SKIPPED:
            self._begin("skipped")
        elif word in _NOTES or word in _CAPTURED or word == "fldrslt":
            self._begin(word)
        elif word in _CHARACTERS:
            self._take(_CHARACTERS[word])
        elif word == "u":
            self._unicode(argument or 0)
        elif not self._character_word(word, argument):
            if self._state.destination in _CAPTURED:
                self._property_word(word, argument or 0)
            elif self._state.destination != "skipped" and not self._table_word(word, argument):
                self._paragraph_word(word, argument)
        self._ignorable = False

    def _unicode(self, code: int) -> None:
        code &= 0xFFFF
        self._skip = self._state.fallback
        high, self._high = self._high, 0
        if 0xD800 <= code < 0xDC00:
            self._high = code
        elif 0xDC00 <= code < 0xE000:
            self._take(chr(0x10000 + (high - 0xD800) * 0x400 + code - 0xDC00) if high else "\ufffd")
        else:
            symbolic = self._symbolic.get(self._state.font, "")
            self._take(symbols(chr(code), symbolic) if symbolic and code in PRIVATE else clean(chr(code)))

    def _character_word(self, word: str, argument: int | None) -> bool:
        """Apply a control word for characters and fonts; return whether it is one."""
        state = self._state
        match word:
            case "f" | "deff":
                self._state = state._replace(font=argument or 0)
            case "uc":
                self._state = state._replace(fallback=max(0, argument or 0))
            case "fcharset":
                if argument == _SYMBOLIC:
                    self._symbolic[state.font] = "Symbol"
                elif encoding := FONT_CHARSETS.get(argument or 0):
                    self._fonts[state.font] = encoding
            case "ansicpg":
                self._encoding = codec_name(f"cp{argument}") or "cp1252"
            case "mac":
                self._encoding = "mac_roman"
            case "plain":
                self._state = state._replace(kinds=(), look={})
            case "nosupersub":
                self._state = state._replace(kinds=tuple(kind for kind in state.kinds if kind not in _MOVED))
            case _ if word in _MARKED:
                others = tuple(kind for kind in state.kinds if kind is not _MARKED[word])
                self._state = state._replace(kinds=others if argument == 0 else (*others, _MARKED[word]))
            case _ if word in LOOKS and state.destination not in _CAPTURED:
                self._state = state._replace(look={**state.look, LOOKS[word]: argument})
            case _:
                return False
        return True

    def _property_word(self, word: str, argument: int) -> None:
        """Apply a control word in the style sheet or in a date."""
        if word == "s":
            self._style = argument
        elif word == "outlinelevel":
            self._levels[self._style] = argument + 1
        elif word in ("fftype", "ffres", "ffdefres"):
            self._form[word] = argument
        elif word in ("yr", "mo", "dy"):
            self._date[word] = argument
        elif word in ("red", "green", "blue"):
            self._colour[("red", "green", "blue").index(word)] = argument

    def _table_word(self, word: str, argument: int | None) -> bool:
        match word:
            case "cell":
                self._cells.append(self._inline_text.text())
                self._inline_text, self._label = InlineText(), ""
            case "row":
                self._end_row()
            case "trowd":
                self._edges, self._going_on, self._goes_on = [0], [], [False, False]
            case "trleft":
                self._edges[0] = argument or 0
            case "clvmrg" | "clmrg":
                self._goes_on[word == "clmrg"] = True
            case "cellx":
                self._edges.append(argument or 0)
                self._going_on.append((self._goes_on[0], self._goes_on[1]))
                self._goes_on = [False, False]
            case "clcbpat":
                self._has_coloured_cells = True
            case "trhdr":
                self._is_header_row = True
            case "intbl":
                self._paragraph.in_table = True
            case _:
                return False
        return True

    def _paragraph_word(self, word: str, argument: int | None) -> None:
        paragraph = self._paragraph
        match word:
            case "par" | "sect" | "page" if self._outer or (word == "par" and paragraph.in_table):
                self._inline_text.break_line()
            case "par" | "sect" | "page":
                self._end_table()
                self._end_paragraph()
            case "line" | "lbr":
                self._inline_text.break_line()
            case "pard":
                self._paragraph = _Paragraph()
            case "s":
                paragraph.style = argument or 0
            case "outlinelevel":
                paragraph.outline = (argument or 0) + 1
            case "cbpat":
                paragraph.fill = argument or 0
            case "ilvl":
                paragraph.depth = max(0, argument or 0)

    def _end_row(self) -> None:
        if any(self._cells):
            below, beside = ([each[side] for each in self._going_on] for side in (0, 1))
            self._grid.add(GridRow(self._cells, self._edges, below, beside, self._is_header_row))
        self._cells, self._is_header_row = [], False

    def _end_table(self) -> None:
        self._end_row()
        if self._grid.rows and self._builder.last_kind is not LineKind.ROW:
            self._builder.add_blank()
        self._grid.end()

    def _end_paragraph(self) -> None:
        inline, label, paragraph = self._inline_text, self._label, self._paragraph
        self._inline_text, self._label = InlineText(), ""
        level = paragraph.outline or self._levels.get(paragraph.style, 0)
        append_block(self._builder, inline, level if 0 < level < 10 else 0, label, paragraph.depth)
        pending, self._pending = self._pending, []
        for note, text in pending:
            append_paragraph(self._builder, text, LineKind.QUOTE if note else LineKind.PARAGRAPH, int(bool(note)), note)
