"""Tables of very many columns as their source: they cannot be read as a table, and each cell takes time."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock


def add_wide_tables(parser: "MarkdownIt", most: int) -> None:
    """Let `parser` read tables of more than `most` columns as tokens `wide_table`, with the source as content."""

    def read(state: "StateBlock", first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
        if first + 2 > last or state.is_code_block(first) or not _is_wide(state, first, most):
            return False
        if silent:
            return True
        end = first + 2
        while end < last and not state.isEmpty(end) and state.sCount[end] >= state.blkIndent:
            end += 1
        token = state.push("wide_table", "code", 0)
        token.block, token.map = True, [first, end]
        token.content = "\n".join(_line(state, number) for number in range(first, end))
        state.line = end
        return True

    parser.block.ruler.before("table", "wide_table", read, {"alt": ["paragraph", "reference"]})


def _is_wide(state: "StateBlock", first: int, most: int) -> bool:
    """Return whether the line below `first` is that of the marks between the header and the rows of a wide table."""
    if state.sCount[first + 1] < state.blkIndent or state.is_code_block(first + 1):
        return False
    marks = _line(state, first + 1).strip().strip("|")
    return marks.count("|") >= most and not marks.strip("|:- ") and "|" in _line(state, first)


def _line(state: "StateBlock", number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
