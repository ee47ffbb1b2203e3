"""Passages as one line of plain text: without the syntax of their format and control characters, formulas readable."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from desktop_rag.documents.file_types import Format
from desktop_rag.text.display import one_line
from desktop_rag.text.readable_math import formulas, readable_math

_EMPTY_LINE, _DOT = re.compile(r"(?<=\S) {2,}(?=\S)"), " · "
_GAPS = r"(?<=\s\s)\s+"  # two spaces remain of an empty line
_CONTROLS = "\ufffd+"  # what `one_line` makes of them, or an earlier decoder
_RULE_OF_TABLE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?(?=\s|$))?")
_EDGE_OF_TABLE = re.compile(r"(?:(?<![^…])\s*|(?<=[^|]\s\s))\|\s+|\s+\|(?=…?$|\s\s[^|])")
_EDGE_OF_ROW = re.compile(r"\s\|[\s\ufffd]+\|(?=\s)")
_EDGE_OF_CELL = re.compile(r"`[^`]*`|(?<=\s)\|(?=\s)")  # not in code
_AT_START = r"(?:(?<=^)|(?<=\s)|(?<=…))"
_FENCE = rf"{_AT_START}(?:`{{3,}}|~{{3,}})(?:[\w+#.-]+|\{{[^{{}}]*\}})?(?:\s|$)"  # with the name of its language
_HEADING = rf"{_AT_START}#{{1,6}} +|(?:(?<=^)|(?<=\s\s))[>*+-] +"
_LINK = r"!?\[(?=[^\[\]]*\]\([^()\s]*\))|(?<=\w|\W)\]\([^()\s]*\)"
_WIKI_LINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_EMPHASIS = r"\*\*|~~|`+|(?<!\w)[*_]{1,3}(?=\w)|(?<=[\w.,!?])[*_]{1,3}(?!\w)"
_UNREAD = re.compile(f"{_GAPS}|{_CONTROLS}")
_UNREAD_OF_MARKDOWN = re.compile("|".join((_FENCE, _HEADING, _GAPS, _CONTROLS, _LINK, _EMPHASIS)))
_LEADING_EDGE = re.compile(r"\s*[·;]\s+")  # of a table whose head is not shown
_MAILS = (Format.MAIL, Format.MAILBOX, Format.OUTLOOK_MAIL, Format.SIGNED)
_NEXT_FIELD = re.compile(r"\n(?=(?:From|To|Cc|Bcc|Date|Subject|Attachments): )")
_WITH_FORMULAS = (Format.MARKDOWN, Format.LATEX)

Marks = tuple[tuple[int, int], ...]
_MATH = re.compile(
    r"\\begin\{(?P<kind>(?:equation|align|gather|displaymath|math|eqnarray|multline)\*?)\}(?P<tex>.*?)"
    r"(?:\\end\{(?P=kind)\}|…?$)"
)
_PAIR = re.compile(r"\\(?P<name>[a-zA-Z]+)\*?(?:\[[^\[\]]*\])?\{(?P<words>[^{}]*)\}")
_INLINE = ("textbf", "textit", "textsl", "textsc", "texttt", "textrm", "textsf", "emph", "underline", "mbox", "url")
_BLOCKS = ("caption", "title", "author", "chapter", "section", "subsection", "subsubsection", "paragraph", "footnote")
_SILENT = ("label", "index", "vspace", "hspace", "includegraphics", "usepackage", "documentclass", "begin", "end")
_OPTIONS = re.compile(r"(?:\[[^\[\]]*\])?(?:\{[lcrpmbX|@{}.\d\s]*\})?")  # of an environment: [ht], {lr}
_QUIET = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|centering|noindent|maketitle|newpage|clearpage|medskip"
    r"|bigskip|small|footnotesize|tableofcontents)(?![a-zA-Z])(?:\s(?!\s*&))?"
)
_AND = re.compile(r"\s*\\and(?![a-zA-Z])\s*")  # between authors
_REFERENCE = re.compile(r"(?P<bare>(?<=\())?\\(?:eq|page|auto|name|c|C|v)?ref\*?\{(?P<labels>[^{}]*)\}(?(bare)(?=\)))")
_WORD = re.compile(r"\w")
_SIGNS = re.compile(
    r"\\(?P<sign>[&%$#_{}])|\\(?P<space>[,;:])|(?P<cell>\s*&\s*)|(?P<row>\s*\\\\(?:\[[^\[\]]*\])?\s*)|(?P<item>\s*\\item(?![a-zA-Z])\s*)|~"
)


def latex_parts(line: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) of commands in a line; they may be nested."""
    for math in _MATH.finditer(line):
        yield math.start(), math.end(), readable_math(math["tex"].strip())
    for pair in _PAIR.finditer(line):
        if pair["name"] in _SILENT:
            options = _OPTIONS.match(line, pair.end()) if pair["name"] == "begin" else None
            yield pair.start(), options.end() if options else pair.end(), " "
        elif pair["name"] in _INLINE or pair["name"] in _BLOCKS:
            yield pair.start(), pair.start("words"), ""
            yield pair.end("words"), pair.end(), "  " if pair["name"] in _BLOCKS else ""
    for between in _AND.finditer(line):
        yield between.start(), between.end(), ", "
    for reference in _REFERENCE.finditer(line):
        named = ", ".join(label.rpartition(":")[2].strip() for label in reference["labels"].split(","))
        yield reference.start(), reference.end(), named if reference["bare"] is not None else f"({named})"
    for quiet in _QUIET.finditer(line):
        yield quiet.start(), quiet.end(), ""
    for sign in _SIGNS.finditer(line):
        shown = sign["sign"] or (" · " if sign["cell"] else "; " if sign["row"] else "  • " if sign["item"] else " ")
        if (sign["cell"] or sign["row"]) and not _WORD.search(_QUIET.sub("", line[: sign.start()])):
            shown = ""  # it separates nothing that is shown
        yield sign.start(), sign.end(), shown


@lru_cache(maxsize=1024)
def shown_snippet(text: str, marks: Marks, kind: str) -> tuple[str, Marks]:
    """Return the display text of a passage of format `kind`, and its highlights moved accordingly.

    Highlighted text keeps its syntax: it was searched for.
    """
    line = one_line(text)
    if kind == Format.MARKDOWN:
        line = _without_table(line)
    fields = [(found.start(), found.end(), _DOT) for found in _NEXT_FIELD.finditer(text)] if kind in _MAILS else []
    kept: list[str] = []
    gone: list[tuple[int, int]] = []  # (from which offset, characters removed so far)
    end = missing = 0
    for start, stop, instead in _replaced(line, marks, kind, fields):
        kept += (line[end:start], instead)
        end = stop
        missing += stop - start - len(instead)
        gone.append((end, missing))
    kept.append(line[end:])
    shown = "".join(kept)
    edge = _LEADING_EDGE.match(shown) if kind == Format.MARKDOWN else None
    cut = edge.end() if edge else 0
    moved = ((_moved(start, gone) - cut, _moved(stop, gone) - cut) for start, stop in marks)
    return shown[cut:], tuple((max(start, 0), stop) for start, stop in moved if stop > 0)


def _replaced(
    line: str, marks: Sequence[tuple[int, int]], kind: str, fields: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) of hidden and replaced parts, `fields` among them, in order without overlap."""
    drawn = [(start, end, readable_math(tex)) for start, end, tex in formulas(line)] if kind in _WITH_FORMULAS else []
    syntax = _UNREAD_OF_MARKDOWN if kind == Format.MARKDOWN else _UNREAD
    hidden = [(found.start(), found.end(), "") for found in syntax.finditer(line)]
    for link in _WIKI_LINK.finditer(line) if kind == Format.MARKDOWN else ():
        hidden += ((link.start(), link.start(1), ""), (link.end(1), link.end(), ""))
    if kind == Format.LATEX:
        hidden += latex_parts(line)
    end = 0
    for start, stop, instead in sorted((*fields, *drawn, *hidden), key=lambda part: (part[0], -part[1])):  # the longest
        control = line[start] == "\ufffd"
        if start >= end and (control or not any(first < stop and start < last for first, last in marks)):
            yield start, stop, instead
            end = stop


def _without_table(line: str) -> str:
    """Return Markdown with dots between the cells of a table and semicolons between its rows, as long as before."""
    for edge in (_RULE_OF_TABLE, _EDGE_OF_TABLE):
        line = edge.sub(lambda found: "\ufffd" * len(found[0]), line)
    line = _EDGE_OF_ROW.sub(lambda found: ";" + "\ufffd" * (len(found[0]) - 1), line)
    return _EDGE_OF_CELL.sub(lambda found: "·" if found[0] == "|" else found[0], line)


def set_apart(line: str, marks: Marks) -> tuple[str, Marks]:
    """Return a shown snippet with a dot where it has two spaces for an empty line, and its highlights moved."""
    kept: list[str] = []
    gone: list[tuple[int, int]] = []
    end = missing = 0
    for gap in _EMPTY_LINE.finditer(line):
        if not any(first < gap.end() and gap.start() < last for first, last in marks):
            kept += (line[end : gap.start()], _DOT)
            end = gap.end()
            missing += len(gap[0]) - len(_DOT)
            gone.append((end, missing))
    kept.append(line[end:])
    return "".join(kept), tuple((_moved(start, gone), _moved(stop, gone)) for start, stop in marks)


def shown_quote(quote: str, kind: str) -> str:
    """Return quoted words of a file of format `kind` on one line; cells of a row are separated by dots."""
    return " ".join(shown_snippet(quote, (), kind)[0].split()) or one_line(quote)


def copied_quote(quote: str, kind: str) -> str:
    """Return a quote for other programs: LaTeX as displayed, other formats with their line breaks."""
    return shown_quote(quote, kind) if kind == Format.LATEX else quote


def _moved(place: int, gone: Sequence[tuple[int, int]]) -> int:
    return place - next((missing for end, missing in reversed(gone) if end <= place), 0)
