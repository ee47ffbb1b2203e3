r"""The Markdown syntax of formulas: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own."""

from typing import TYPE_CHECKING

from desktop_rag.text.readable_math import LONGEST_FORMULA, formula_at

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


def add_math(parser: "MarkdownIt") -> None:
    """Let `parser` read formulas as tokens `math_inline` and `math_block`."""
    parser.inline.ruler.before("escape", "math", _read_inline)
    parser.block.ruler.before(
        "fence", "math_block", _read_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _read_inline(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    found = formula_at(state.src, state.pos, state.posMax)
    if found is None:
        return False
    opening, formula, end = found
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = formula, opening
    state.pos = end
    return True


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
        if number >= last or (not lines[-1].strip() and number > first + 1) or sum(map(len, lines)) > LONGEST_FORMULA:
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
