"""Reads LaTeX: sections, lists, tables, listings, quotes; accent commands become letters."""

import re
import unicodedata
from dataclasses import replace
from itertools import accumulate

from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.markup.latex_marks import WHOLE_TABLE, LatexMarks
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_ORDER = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_SECTION = re.compile(r"[ \t]*\\(" + "|".join(_ORDER) + r"|frametitle|minisec)\*?[ \t]*(?:\[[^\]]*\])?[ \t]*\{")
_FRAME = re.compile(r"[ \t]*\\begin\{frame\}(?:<[^>]*>)?(?:\[[^\]]*\])*\{")
_BEGIN = re.compile(r"[ \t]*\\begin[ \t]*\{([A-Za-z]+\*?)\}")
_END = re.compile(r"\\end[ \t]*\{([A-Za-z]+\*?)\}")
_ITEM = re.compile(r"[ \t]*\\item\b")
_RULE = re.compile(r"[ \t]*\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule|endhead|endfirsthead|endfoot)\b")
_HEADER_END = re.compile(r"\\(?:hline|midrule|endhead|endfirsthead)\b")
_FACT = re.compile(r"\\(title|author|date)[ \t]*(?:\[[^\]]*\])?[ \t]*\{")
_DEFINITION = re.compile(
    r"[ \t]*\\(?:(?:re)?newcommand|providecommand|def|usepackage|documentclass|label|input|include)\b"
)
_SHOWN = re.compile(r"[ \t]*\\(?:input|include|label)\b")

_LISTS = frozenset(("itemize", "enumerate", "description", "compactitem", "compactenum", "thebibliography"))
_NUMBERED = frozenset(("enumerate", "compactenum"))
_QUOTES = frozenset(("quote", "quotation", "verse", "displayquote", "epigraphs"))
_TABLES = frozenset(("tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "supertabular", "tblr"))
_VERBATIM = frozenset(("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "filecontents", "filecontents*"))
_MATHS = frozenset(
    f"{name}{star}"
    for name in ("equation", "align", "gather", "multline", "eqnarray", "displaymath", "math")
    for star in ("", "*")
)
_WHOLE_MATHS = re.compile(rf"[ \t]*\\begin\{{({'|'.join(map(re.escape, _MATHS))})\}}.*\\end\{{\1\}}[ \t]*$")
_LITERAL = _VERBATIM | _MATHS | {"alltt", "tikzpicture", "pgfpicture", "algorithmic"}

_ACCENTS = dict(
    zip(
        "`'^\"~=.uvHcdbkrt",
        map(chr, (768, 769, 770, 776, 771, 772, 775, 774, 780, 779, 807, 803, 817, 808, 778, 865)),
        strict=True,
    )
)
_ACCENTED = re.compile(
    r"""\\(?:([`'^"~=.])[ \t]*|([uvHcdbkr])(?=[ \t{\\])[ \t]*)"""
    r"(?:\{\\?([A-Za-z])\}|\\([ij])(?![A-Za-z])[ ]?|([A-Za-z]))"
)
_WRAPPED = re.compile(r"\{([^\W\d_a-zA-Z])\}")
_LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
}
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L)(?:\{\}|(?![A-Za-z])[ \t]?)")
_COMMAND = re.compile(r"\\(?:thanks|footnote|label|cite[a-z]*)\{[^{}]*\}|\\[A-Za-z]+\*?[ \t]*|[{}$]|~")


def read_latex(source: SourceFile, kind: Format) -> Document:
    r"""Return the lines of a LaTeX file with their kinds; `K\"ase` becomes “Käse”."""
    lines = SourceLines(source, kind, letters(decode(source.data)))
    reader = _Reader(lines)
    reader.read()
    document = lines.document()
    marks, links = reader.marks.pack()
    return replace(document, structure=replace(document.structure, marks=marks, links=links))


def letters(text: str) -> str:
    """Return `text` with accent and letter commands replaced by letters; the line count does not change."""
    if "\\" not in text:
        return text
    text = _LETTER.sub(lambda command: _LETTERS[command[1]], text)
    return _WRAPPED.sub(r"\1", _ACCENTED.sub(_accented, text))


def _accented(command: "re.Match[str]") -> str:
    base = command[3] or command[4] or command[5]
    letter = unicodedata.normalize("NFC", base + _ACCENTS[command[1] or command[2]])
    return letter if len(letter) == 1 else command[0]


class _Reader:
    def __init__(self, lines: SourceLines) -> None:
        self._lines = lines
        self._open: list[str] = []  # the open environments that determine the kinds of lines
        self._rows = 0  # of the current table
        self._numbers: list[int] = []  # of the last item of each open environment
        self.marks = LatexMarks()
        whole = lines.text
        self._preamble = "\\begin{document}" in whole
        # \section is the top level of an article, but not of a book.
        first = next(
            (rank for rank, name in enumerate(_ORDER[:3]) if f"\\{name}{{" in whole or f"\\{name}*" in whole), 2
        )
        self._first = first

    def read(self) -> None:
        starts = accumulate((len(line) + 1 for line in self._lines.lines), initial=0)
        for number, start in zip(self._lines.numbers(), starts, strict=False):
            before, preamble = self._open[-1] if self._open else "", self._preamble
            self._line(number)
            self._mark(number, start, before, preamble=preamble)

    def _line(self, number: int) -> None:
        lines, line = self._lines, self._lines[number]
        literal = bool(self._open) and self._open[-1] in _VERBATIM
        if not literal and (fact := _FACT.search(line)):
            self._set_metadata(fact[1], _argument(lines, number, fact.end()))
        if self._preamble:
            lines.set(number, LineKind.FIELD)
            self._preamble = "\\begin{document}" not in line
        elif not literal and line.lstrip().startswith("%"):
            lines.set(number, LineKind.FIELD)
        elif not literal and (section := _SECTION.match(line) or _FRAME.match(line)):
            lines.heading(number, self._level(line), _plain(_argument(lines, number, section.end())))
        else:
            lines.set(number, *self._kind(number, line))
            self._leave(line)

    def _mark(self, number: int, start: int, before: str, *, preamble: bool) -> None:
        """Mark a line that was in the environment `before` when it began."""
        line, marks = self._lines[number], self.marks
        inside = self._open[-1] if self._open else ""
        if self._lines.kind(number) is LineKind.BLANK:
            marks.end_paragraph()
        elif preamble and not marks.is_open and not _FACT.search(line):
            marks.hide_line(start, line)
        elif before in _MATHS or inside in _MATHS or _WHOLE_MATHS.match(line):
            marks.mark_maths(start, line)
        elif before in _LITERAL or inside in _LITERAL:
            if before != inside:  # its first or last line
                marks.hide_line(start, line)
        elif line.lstrip().startswith("%") or (_DEFINITION.match(line) and not _SHOWN.match(line)):
            marks.hide_line(start, line)
        else:
            marks.mark_words(start, line, self._item_label(line))

    def _item_label(self, line: str) -> str:
        """Return the number of an item that is numbered, "" for any other line."""
        if not _ITEM.match(line) or not self._open or "[" in line[:8]:
            return ""
        self._numbers[-1] += 1
        return f"{self._numbers[-1]}." if self._open[-1] in _NUMBERED else "•"

    def _level(self, line: str) -> int:
        section = _SECTION.match(line)
        if not section or section[1] not in _ORDER:
            return 3
        return max(1, _ORDER.index(section[1]) - self._first + 1)

    def _kind(self, number: int, line: str) -> tuple[LineKind, int]:
        if self._open and self._open[-1] in _LITERAL:
            return LineKind.CODE, 0
        begin = _BEGIN.match(line)
        if begin and not WHOLE_TABLE.match(line.lstrip()):
            return self._enter(begin[1])
        inside = self._open[-1] if self._open else ""
        if inside in _TABLES:
            return self._row(number, line)
        if inside in _QUOTES:
            return LineKind.QUOTE, 1
        if _ITEM.match(line):
            return LineKind.ITEM, max(1, sum(name in _LISTS for name in self._open))
        if _DEFINITION.match(line) or _END.match(line.strip()):
            return LineKind.FIELD, 0
        return LineKind.PARAGRAPH, 0

    def _enter(self, name: str) -> tuple[LineKind, int]:
        if name in _LISTS or name in _QUOTES or name in _TABLES or name in _LITERAL:
            self._open.append(name)
            self._numbers.append(0)
            self._rows = 0
        if name in _LITERAL:
            return LineKind.CODE, 0
        return (LineKind.ROW if name in _TABLES else LineKind.FIELD), 0

    def _row(self, number: int, line: str) -> tuple[LineKind, int]:
        if _RULE.match(line) or _END.match(line.strip()):
            return LineKind.ROW, 0
        self._rows += 1
        ends = f"{line.rpartition(chr(92) * 2)[2]} {self._lines[number + 1]}"
        return LineKind.ROW, int(self._rows == 1 and _HEADER_END.search(ends) is not None)

    def _leave(self, line: str) -> None:
        for end in _END.finditer(line):
            if end[1] in self._open:
                depth = len(self._open) - 1 - self._open[::-1].index(end[1])
                del self._open[depth:], self._numbers[depth:]

    def _set_metadata(self, name: str, value: str) -> None:
        value = " ".join(_plain(value.replace("\\\\", " ").replace("\\and", ", ")).split())
        if name == "title":
            self._lines.set_metadata("title", value)
        elif name == "author":
            self._lines.set_metadata("author", value.replace(" ,", ","))
        elif any(map(str.isdigit, value)):
            self._lines.set_metadata("created", value)


def _argument(lines: SourceLines, number: int, start: int) -> str:
    """Return the text from `start`, just after a brace, to the matching brace, at most a few lines later."""
    text = "\n".join([lines[number][start:], *lines.lines[number + 1 : number + 6]])
    depth = 1
    for position, character in enumerate(text):
        if character in "{}" and text[position - 1 : position] != "\\":
            depth += 1 if character == "{" else -1
        if depth == 0:
            return text[:position]
    return lines[number][start:]


def _plain(markup: str) -> str:
    previous = ""
    while previous != markup:
        previous, markup = markup, _COMMAND.sub(lambda found: " " if found[0] == "~" else "", markup)
    return " ".join(markup.split())
