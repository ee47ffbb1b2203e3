"""Long paragraphs, quotes and code in parts: the window would stall if a block of any length were laid out at once."""

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.gui.conversation.answer.markdown_blocks import Code, MarkdownTable, Paragraph, Unit

LONGEST = 12_000  # characters of source; what follows is a block of its own
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def may_be_cut(unit: Unit, size: int, *, slow: bool) -> bool:
    """Return whether a unit of `size` characters is too long: sooner if it is `slow` to lay out, nested lists last."""
    last = unit.blocks[-1]
    if isinstance(last, MarkdownTable):  # has parts of its own
        return False
    simple = len(unit.blocks) == 1 or (isinstance(last, Paragraph) and last.quoted > 0)
    return size > (LONGEST // 4 if simple and slow else LONGEST) and (simple or slow)


def cut_position(source: str, start: int, end: int) -> int:
    """Return where a long block from `start` is cut: after its last line before `end`, else after its last word."""
    found = (source.rfind(mark, (start + end) // 2, end) + 1 for mark in "\n ")
    return next(filter(None, found), end)


def head_of_rest(lines: Sequence[str], unit: Unit) -> str:
    """Return the line to parse before the rest of a unit that is cut: the fence of code, else nothing."""
    opening = lines[unit.line]
    return f"{opening}\n" if isinstance(unit.blocks[-1], Code) and _FENCE.match(opening) else ""


def continued(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return `units`, of which the first is the rest of code that was cut, marked as such."""
    code = units[0].blocks[0] if units else None
    if not isinstance(code, Code):
        return tuple(units)
    rest = Unit(units[0].line, (replace(code, continued=True),))
    return (*([rest] if code.text else []), *units[1:])
