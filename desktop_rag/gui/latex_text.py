"""Replaces the LaTeX commands in a line of text by readable text. An unknown command stays."""

import re
from collections.abc import Iterator

from desktop_rag.text.readable_math import readable_math

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
