"""Typesets the formulas of an answer as SVG, on a background thread; the window looks up what is ready."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownTable, Paragraph, parse
from desktop_rag.gui.conversation.answer.quoted_markup import show_quoted_markup
from desktop_rag.stop import Stop

EM = 24.0  # the size in which formulas are typeset
COLOR = "#010203"  # stands for the colour of the text in the SVG
_LONGEST = 600  # characters
_DEEPEST = 5  # nested groups: the time doubles with each
_MOST_COMMANDS = 120
MOST_FORMULAS = 200  # of an answer
_COMMAND = re.compile(r"\\[A-Za-z]+")
_REFUSED = re.compile(r"\\(?:def|edef|gdef|let|(?:re)?newcommand|input|include\w*)\b")  # may grow without end
_VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
_WIDEST = 6_000.0  # pixels
_DELIMITER = re.compile(r"\$|\\[(\[]")


@dataclass(frozen=True, slots=True)
class Formula:
    """A typeset formula; lengths in pixels at `EM`, `ascent` from its top to the base line."""

    svg: bytes
    width: float
    height: float
    ascent: float


_READY: dict[tuple[str, bool], Formula | None] = {}  # by TeX and display; a cache that can be asked what it holds


def ready_formula(tex: str, *, display: bool) -> Formula | None:
    """Return a formula if it is typeset; None if it is not, or cannot be."""
    return _READY.get((tex, display))


def load_formulas(markdown: str, stop: Stop, most: int = MOST_FORMULAS) -> int:
    """Typeset up to `most` new formulas in `markdown` until `stop`, and return how many.

    For a background thread: one takes some milliseconds.
    """
    if not _DELIMITER.search(markdown):
        return 0
    units = show_quoted_markup(parse(markdown.replace("\r", "")), ())  # as they are drawn
    blocks = (block for unit in units for block in unit.blocks)
    wanted = {found for block in blocks for found in _formulas(block)}
    new = sorted(each for each in wanted if each not in _READY)[:most]
    for tex, display in new:
        if stop.is_set():
            break
        if len(_READY) > 10 * MOST_FORMULAS:
            _READY.clear()
        _READY[tex, display] = typeset(tex, display=display)
    return len(new)


def _formulas(block: Block) -> Iterator[tuple[str, bool]]:
    match block:
        case Paragraph():
            yield from ((piece.text, block.display) for piece in block.pieces if piece.math)
        case MarkdownTable():
            yield from ((piece.text, False) for row in block.rows for cell in row for piece in cell if piece.math)
        case _:
            pass


def typeset(tex: str, *, display: bool) -> Formula | None:
    """Return TeX as a picture; None if it is too large, too deep, or not understood."""
    commands = _COMMAND.findall(tex)
    if len(tex) > _LONGEST or len(commands) > _MOST_COMMANDS or _REFUSED.search(tex) or _depth(tex) > _DEEPEST:
        return None
    from ziamath import Latex, config

    config.svg2 = False  # Qt does not draw symbols that are used twice
    try:
        svg = Latex(tex, size=EM, color=COLOR, inline=not display).svg()
    except Exception:  # noqa: BLE001 - whatever a foreign parser raises on a model's text: it stays readable as TeX
        return None
    box = _VIEW_BOX.search(svg)
    if box is None:
        return None
    _, top, width, height = map(float, box[1].split())
    return Formula(svg.encode(), width, height, -top) if 0 < width < _WIDEST and 0 < height < _WIDEST else None


def _depth(tex: str) -> int:
    deepest = depth = 0
    for char in tex:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return deepest + tex.count(r"\left") + tex.count(r"\begin")
