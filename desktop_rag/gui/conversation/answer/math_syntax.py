r"""The Markdown syntax of formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own.

A dollar sign opens a formula only where it cannot be an amount of money, as in “$5 and $10”.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_LONGEST = 2_000  # characters of a formula
_PAIRS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_OPERATOR = re.compile(r"[\\^_{}=<>+*/|≤≥≈≠∈·×−-]")
_SYMBOL = re.compile(r"[^\W\d_]{1,2}'?")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_WORDS = re.compile(r"(?<![\\\w{])[^\W\d_]{3,}")  # prose between two amounts: “$5 plus fees to the $”


def add_math(parser: "MarkdownIt") -> None:
    """Let `parser` read formulas as tokens `math_inline` and `math_block`."""
    parser.inline.ruler.before("escape", "math", _read_inline)
    parser.block.ruler.before(
        "fence", "math_block", _read_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _read_inline(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    start = state.pos
    if state.src[start] not in "$\\":
        return False
    for opening, closing in _PAIRS:
        if not state.src.startswith(opening, start):
            continue
        end = _end(state.src, start + len(opening), min(state.posMax, start + _LONGEST), closing)
        formula = state.src[start + len(opening) : end]
        if end < 0 or not formula.strip() or "](" in formula:
            return False
        if opening == "$" and not _is_formula(formula, state.src[end + 1 : end + 2]):
            return False
        if not silent:
            token = state.push("math_inline", "math", 0)
            token.content, token.markup = formula.strip(), opening
        state.pos = end + len(closing)
        return True
    return False


def _end(text: str, start: int, stop: int, closing: str) -> int:
    """Return where a formula ends, or -1; an escaped dollar sign is part of it."""
    at = text.find(closing, start, stop)
    while at > 0 and closing[0] == "$" and text[at - 1] == "\\":
        at = text.find(closing, at + 1, stop)
    return at


def _is_formula(text: str, after: str) -> bool:
    """Return whether the text between two dollar signs is no prose between two amounts of money."""
    if text[0].isspace() or text[-1].isspace() or after.isdigit():
        return False
    if _WORDS.search(text) and not _COMMAND.search(text):
        return False
    return bool(_OPERATOR.search(text) or _SYMBOL.fullmatch(text) or text.isdigit())


def _read_block(state: "StateBlock", first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    if state.is_code_block(first):
        return False
    line = state.src[state.bMarks[first] + state.tShift[first] : state.eMarks[first]].strip()
    pair = next((pair for pair in (("$$", "$$"), ("\\[", "\\]")) if line.startswith(pair[0])), None)
    if pair is None:
        return False
    lines = [line[2:]]
    number = first
    while not lines[-1].rstrip().endswith(pair[1]):
        number += 1
        if number >= last or (not lines[-1].strip() and number > first + 1) or sum(map(len, lines)) > _LONGEST:
            return False
        lines.append(state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]])
    formula = "\n".join(lines).rstrip().removesuffix(pair[1]).strip()
    if not formula or pair[0] in formula:
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, formula, [first, number + 1]
        state.line = number + 1
    return True
