r"""Finds the inline marks of LaTeX lines: what the rendered view hides, styles, or shows as something else.

The lines stay as in the file. An unknown command stays visible, with its arguments.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.documents.document import InlineMark, MarkKind, packed_marks
from desktop_rag.text.readable_math import readable_math

_TOKEN = re.compile(r"\\[A-Za-z@]+\*?|\\.|[{}~%$&]|---?|``|''")
_OPTION = re.compile(r"[ \t]*\[[^\[\]]{0,500}\]")
_MACRO = re.compile(r"[ \t]*\\(?:(?:re|provide)?(?:new)?command\*?\{?|def)\\([A-Za-z]+)\}?\{([^{}\\#$%]{1,80})\}")
_OF_MATHS = re.compile(r"\\(?:(?:begin|end)\{[a-z]+\*?\}(?:\{\d+\})?|label\{[^{}]*\}|nonumber|notag)|(?<!\\)%.*")

WHOLE_TABLE = re.compile(r"\\begin\{(tabular[xy*]?|longtable|array|tblr)\}.*\\end\{\1\}")  # in one line
_WHOLE_LIST = re.compile(r"\\begin\{(enumerate|compactenum)\}.*\\end\{\1\}")
_NOTHING_AFTER = re.compile(r"(?:\s|\\(?:end\{[a-z]+\*?\}|hline|toprule|midrule|bottomrule))*$")


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_LONGEST_LINE = 20_000  # characters; a longer line has no marks
_LONGEST_ARGUMENT = 2_000
_DEEPEST = 20  # open braces of a paragraph

_STYLES = (
    dict.fromkeys(("textbf", "alert", "strong", "title"), MarkKind.STRONG)
    | dict.fromkeys(("emph", "textit", "textsl"), MarkKind.EMPHASIS)
    | dict.fromkeys(("texttt", "code"), MarkKind.CODE)
    | {"textsuperscript": MarkKind.SUPERSCRIPT, "textsubscript": MarkKind.SUBSCRIPT, "sout": MarkKind.STRIKETHROUGH}
)
_AROUND = (
    dict.fromkeys(("footnote", "thanks", "footnotetext", "marginpar"), (" (", ")"))
    | dict.fromkeys(("cite", "citep", "citet", "parencite", "textcite", "autocite", "footcite", "nocite"), ("[", "]"))
    | {"bibitem": ("[", "] ")}
)
_PLAIN = _names(  # only their last argument is shown
    "part chapter section subsection subsubsection paragraph subparagraph frametitle framesubtitle minisec caption "
    "author date institute subtitle affil mbox text textrm textsf textsc textmd textup underline uline centerline fbox "
    "framebox makebox textcolor colorbox multicolumn multirow parbox "
    "raisebox resizebox scalebox enquote input include includegraphics bibliography"
)
_REFERRING = _names("ref eqref pageref autoref cref Cref nameref vref")
_SKIPPED = {"textcolor": 1, "colorbox": 1, "multicolumn": 2, "multirow": 2, "parbox": 1, "raisebox": 1,
            "resizebox": 2, "scalebox": 1}  # fmt: skip
_GONE = _names(  # they and all their arguments
    "label index vspace hspace pagestyle thispagestyle bibliographystyle setlength addtolength setcounter end "
    "addcontentsline hypersetup cline cmidrule pagenumbering renewcommand newcommand usepackage documentclass "
    "fontsize linespread selectlanguage graphicspath pagecolor color hyphenation newtheorem theoremstyle "
    "centering raggedright raggedleft noindent indent maketitle tableofcontents listoffigures listoftables newpage "
    "clearpage cleardoublepage pagebreak nopagebreak linebreak nolinebreak bigskip medskip smallskip par hline toprule "
    "midrule bottomrule endhead endfirsthead endfoot endlastfoot bfseries itshape ttfamily rmfamily sffamily scshape "
    "slshape upshape mdseries normalfont bf it tt rm sf em sc tiny scriptsize footnotesize small normalsize large "
    "Large LARGE huge Huge appendix frontmatter mainmatter backmatter protect relax hfill vfill hrulefill dotfill "
    "sloppy fussy flushbottom raggedbottom onecolumn twocolumn newline pause qed qedhere makeatletter makeatother "
    "allowbreak strut null leavevmode printbibliography printindex makeindex"
)
_LETTERS = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "quad": "  ", "qquad": "    ",
    "enspace": " ", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "S": "§", "P": "¶",
    "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™", "euro": "€", "texteuro": "€",
    "pounds": "£", "textsterling": "£", "textendash": "–", "textemdash": "—", "textdegree": "°", "slash": "/",
    "textbullet": "•", "textbar": "|", "textless": "<", "textgreater": ">", "guillemotleft": "«",
    "guillemotright": "»", "glqq": "„", "grqq": "“",
    ",": " ", ";": " ", ":": " ", " ": " ", "~": " ",
}  # fmt: skip
_SIGNS = {"---": "—", "--": "–", "``": "“", "''": "”", "~": "\xa0"}
_NAMED = _names(
    "abstract theorem lemma proof definition corollary proposition remark example claim conjecture exercise"
)
_CLOSING = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_LINE_BREAK = "\u2028"


@dataclass(frozen=True, slots=True)
class _Brace:
    """An open brace: the style of its content, where that starts, and the replacement of the closing brace."""

    start: int
    kind: MarkKind | None = None
    target: str = ""
    after: str = ""


class LatexMarks:
    """Collects the inline marks of one file; its lines must be reported once and in order."""

    def __init__(self) -> None:
        self._found: list[InlineMark] = []
        self._braces: list[_Brace] = []
        self._formula = ""  # the sign that ends a displayed formula that began in an earlier line
        self._macros: dict[str, str] = {}
        self._base = 0  # offset of the current line
        self._line = ""
        self._cells = False  # a whole table is in the current line
        self._number = 0  # of the next item, if a whole numbered list is in the current line
        self._shows = False  # text of the current line, before what is marked

    @property
    def is_open(self) -> bool:
        """Return whether an argument continues in the next line."""
        return bool(self._braces)

    def pack(self) -> tuple[bytes, tuple[str, ...]]:
        """Return the marks and targets as `Structure` has them."""
        return packed_marks(self._found)

    def hide_line(self, base: int, line: str) -> None:
        """Hide a line: of the preamble, a comment, the edge of a listing; macros for plain words are kept."""
        self._base = base
        if macro := _MACRO.match(line):
            self._macros[macro[1]] = macro[2]
        self._add(0, len(line), MarkKind.MARKUP)

    def end_paragraph(self) -> None:
        """Forget what is open: a blank line ends every argument here."""
        self._braces.clear()
        self._formula = ""

    def mark_maths(self, base: int, line: str) -> None:
        """Show a line of a formula as text that can be read."""
        self._base = base
        tex = _OF_MATHS.sub("", line) if len(line) < _LONGEST_LINE else ""
        self._instead(0, len(line), readable_math(tex))

    def mark_words(self, base: int, line: str, label: str = "") -> None:
        r"""Mark a line of text; `label` is shown instead of its `\item`."""
        self._base, self._line = base, line
        self._shows = False
        self._cells, self._number = bool(WHOLE_TABLE.search(line)), int(bool(_WHOLE_LIST.search(line)))
        at = self._end_of_formula() if self._formula else 0
        if len(line) > _LONGEST_LINE:
            return
        while at < len(line) and (token := _TOKEN.search(line, at)):
            self._shows |= bool(line[at : token.start()].strip())
            at = self._token(token, label)

    def _break_after_text(self) -> str:
        """Return a line break if the current line shows text so far."""
        shown, self._shows = self._shows, False
        return _LINE_BREAK if shown else ""

    def _end_of_formula(self) -> int:
        end = self._line.find(self._formula)
        if end < 0:
            return len(self._line)
        after, self._formula = end + len(self._formula), ""
        return after

    def _token(self, token: re.Match[str], label: str) -> int:
        """Mark what begins at a token; return where to go on."""
        sign, start, end = token[0], token.start(), token.end()
        if sign == "%":
            end = len(self._line)
            self._add(start, end, MarkKind.MARKUP)
        elif sign == "{":
            self._open(start, end, _Brace(end))
        elif sign == "}":
            self._close(start, end)
        elif sign == "&":
            if self._cells:
                self._instead(start, end, " | ")
        elif sign in _SIGNS:
            self._instead(start, end, _SIGNS[sign])
        elif sign in _CLOSING:
            end = self._maths(start)
        elif sign == "\\\\":
            end = _after(_OPTION, self._line, end)
            rest = self._line[end:].lstrip()
            end = len(self._line) - len(rest)
            self._instead(start, end, "" if _NOTHING_AFTER.match(rest) else _LINE_BREAK)
        elif sign[1] in "&%$#_{}":
            self._add(start, start + 1, MarkKind.MARKUP)
        elif sign == "\\item":
            end = self._item(start, end, label)
        else:
            end = self._command(start, end, sign[1:].removesuffix("*"))
        return end

    def _maths(self, start: int) -> int:
        line = self._line
        sign = next(sign for sign in ("$$", "$", "\\(", "\\[") if line.startswith(sign, start))
        closing = _CLOSING[sign]
        stop = line.find(closing, start + len(sign))
        while closing == "$" and stop > 0 and line[stop - 1] == "\\":
            stop = line.find(closing, stop + 1)
        if stop < 0:
            self._formula = closing if closing != "$" else ""
            return len(line) if self._formula else start + 1
        end = stop + len(closing)
        self._instead(start, end, readable_math(line[start + len(sign) : stop]))
        return end

    def _item(self, start: int, end: int, label: str) -> int:
        if option := _OPTION.match(self._line, end):
            end, label = option.end(), option[0].strip()[1:-1].strip("{} ") or label
        elif self._number:
            label, self._number = f"{self._number}.", self._number + 1
        self._instead(start, end, self._break_after_text() + (label or "•"))
        return end

    def _command(self, start: int, end: int, name: str) -> int:
        line = self._line
        if shown := self._macros.get(name) or _LETTERS.get(name):
            spaced = end + 1 if name[-1].isalpha() and line[end : end + 1] == " " else end
            end = end + 2 if line.startswith("{}", end) else spaced
            self._instead(start, end, shown)
            return end
        if name in ("verb", "lstinline") and (stop := line.find(line[end : end + 1] or "\n", end + 1)) > 0:
            self._enclose(start, end + 1, stop, stop + 1, MarkKind.CODE)
            return stop + 1
        if name == "begin":
            return self._begin(start, end)
        if name == "and":  # between authors
            return self._between(start, end)
        if name in _REFERRING and line.startswith("{", end):
            return self._reference(start, end)
        if name in ("-", "/", "!", "@") or name in _GONE:
            end = _end_of_arguments(line, end)
            if not line[:start].strip() or line[start - 1].isspace():
                end += len(line[end:]) - len(line[end:].lstrip())
            self._add(start, end, MarkKind.MARKUP)
            return end
        if name in ("url", "href", "nolinkurl", "path"):
            return self._address(start, end, name)
        if name in _STYLES or name in _AROUND or name in _PLAIN:
            return self._with_argument(start, end, name)
        return _end_of_arguments(line, end)

    def _begin(self, start: int, end: int) -> int:
        """Hide the beginning of an environment; that of a theorem or the like is shown as its name."""
        stop = _balanced(self._line, end) if self._line.startswith("{", end) else end
        name = self._line[end + 1 : stop - 1]
        if name not in _NAMED:
            end = stop if name == "frame" else _end_of_arguments(self._line, stop)
            self._instead(start, end, "" if name == "frame" else self._break_after_text())
            return end
        option = _OPTION.match(self._line, stop)
        named = f" ({option[0].strip()[1:-1]})" if option else ""
        end = option.end() if option else stop
        self._instead(start, end, f"{name.capitalize()}{named}. ")
        self._add(start, end, MarkKind.STRONG)
        return end

    def _between(self, start: int, end: int) -> int:
        """Show a comma instead of a command and the white space around it."""
        line = self._line
        start = len(line[:start].rstrip())
        end = len(line) - len(line[end:].lstrip())
        self._instead(start, end, ", " if end < len(line) else ",")
        return end

    def _reference(self, start: int, end: int) -> int:
        """Show a reference by the names of its labels: the numbers are known to TeX alone."""
        line = self._line
        stop = _balanced(line, end)
        named = ", ".join(label.rpartition(":")[2].strip() for label in line[end + 1 : stop - 1].split(","))
        bare = line[start - 1 : start] == "(" and line.startswith(")", stop)
        self._instead(start, stop, named if bare else f"({named})")
        return stop

    def _address(self, start: int, end: int, name: str) -> int:
        line = self._line
        if not line.startswith("{", end):
            return end
        stop = _balanced(line, end)
        target = line[end + 1 : stop - 1].replace("\\", "")
        if name == "href" and line.startswith("{", stop):
            self._open(start, stop + 1, _Brace(stop + 1, MarkKind.LINK, target))
            return stop + 1
        self._enclose(start, end + 1, stop - 1, stop, MarkKind.LINK, target)
        return stop

    def _with_argument(self, start: int, end: int, name: str) -> int:
        line = self._line
        before, after = _AROUND.get(name, ("", ""))
        option = _OPTION.match(line, end)
        end = option.end() if option else end
        for _ in range(_SKIPPED.get(name, 0)):
            end = _after(_OPTION, line, _balanced(line, end)) if line.startswith("{", end) else end
        if not line.startswith("{", end):
            return end
        if option and before == "[":
            before = f"[{option[0].strip()[1:-1].replace('~', ' ')}: "
        self._open(start, end + 1, _Brace(end + 1, _STYLES.get(name), after=after), before)
        return end + 1

    def _open(self, start: int, end: int, brace: _Brace, before: str = "") -> None:
        self._instead(start, end, before)
        if len(self._braces) < _DEEPEST:
            self._braces.append(
                _Brace(self._base + brace.start, brace.kind, brace.target, brace.after)  # may end in another line
            )

    def _close(self, start: int, end: int) -> None:
        brace = self._braces.pop() if self._braces else _Brace(0)
        if brace.kind is not None and brace.start < self._base + start:
            self._found.append(InlineMark(brace.start, self._base + start, brace.kind, brace.target))
        self._instead(start, end, brace.after)

    def _enclose(self, start: int, first: int, last: int, end: int, kind: MarkKind, target: str = "") -> None:
        self._add(start, first, MarkKind.MARKUP)
        self._add(first, last, kind, target)
        self._add(last, end, MarkKind.MARKUP)

    def _instead(self, start: int, end: int, shown: str) -> None:
        self._add(start, end, MarkKind.REPLACED if shown else MarkKind.MARKUP, shown)

    def _add(self, start: int, end: int, kind: MarkKind, target: str = "") -> None:
        if start < end:
            self._found.append(InlineMark(self._base + start, self._base + end, kind, target))


def _after(pattern: re.Pattern[str], line: str, at: int) -> int:
    found = pattern.match(line, at)
    return found.end() if found else at


def _end_of_arguments(line: str, at: int) -> int:
    """Return where the arguments that follow a command end."""
    while at < len(line) and line[at] in "[{":
        end = _balanced(line, at) if line[at] == "{" else _after(_OPTION, line, at)
        if end == at:
            break
        at = end
    return at


def _balanced(line: str, at: int) -> int:
    """Return the offset after the brace that closes the one at `at`; the end of what is looked at if none does."""
    depth, stop = 0, min(len(line), at + _LONGEST_ARGUMENT)
    for position in _braces(line, at, stop):
        depth += 1 if line[position] == "{" else -1
        if not depth:
            return position + 1
    return stop


def _braces(line: str, at: int, stop: int) -> Iterator[int]:
    for position in range(at, stop):
        if line[position] in "{}" and (position == 0 or line[position - 1] != "\\"):
            yield position
