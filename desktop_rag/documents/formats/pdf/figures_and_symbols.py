"""Writes the raised figures of a page, such as exponents and marks of notes, as superscripts, and symbols as such.

MuPDF tells letters above the first one of their line. Where that is itself raised, or letters above it are not smaller,
the places of all letters of the page are asked for, which takes longer.
"""

import html
import re
from collections.abc import Sequence
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from desktop_rag.documents.formats.office.symbol_fonts import symbols_drawn
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, BlockLine, Letter, PageBlock, letters_of_lines
from desktop_rag.text.raised import looks_raised, raised

if TYPE_CHECKING:
    from pymupdf import mupdf

_RAISED = re.compile(rb"(<sup>.*?</sup>)", re.DOTALL)
_SIZE, _TAG = re.compile(rb"font-size:([\d.]+)pt"), re.compile(rb"<[^>]*>")
_FIGURE_SIZE = re.compile(rb"font-size:([\d.]+)pt[^>]*>[^<\d]*\d")
_SYMBOL_NAMES = (b"Symbol", b"Wingdings", b"ZapfDingbats")
_SYMBOL_FONT = re.compile(rb"font-family:(?:\w{6}\+)?(?:Symbol|Wingdings|ZapfDingbats)")
_SPAN = re.compile(rb'<span style="font-family:(?:\w{6}\+)?([\w -]*)[^"]*">(.*?)</span>', re.DOTALL)
_SYMBOL_FONTS = (  # by what their names begin with
    ("symbol", "symbol"),
    ("wingdings 2", "wingdings 2"),
    ("wingdings2", "wingdings 2"),
    ("wingdings", "wingdings"),
    ("zapfdingbats", "zapfdingbats"),
)
_SMALLER = 0.85  # most size of raised letters, of that of their line
_LEAST_RAISED, _LEAST_FIRST = 0.18, 0.42  # of that size: above the line; of the first letter, above the lower side
_BEGIN, _END = b"<p ", b"</p>"
_FIGURES_FIRST = re.compile(rb'<p style="[^"]*"><span style="[^"]*">\d{1,3}</span><')
_FIGURES, _BELOW = re.compile(r"\d{1,3}"), re.compile(r"[/⁄]\d{1,3}(?!\d)")


def show_figures_and_symbols(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock], letters: bytes) -> None:
    """Write raised figures as superscripts, and letters of symbol fonts as symbols; `letters` are those of the page."""
    symbols_on_page = any(name in letters for name in _SYMBOL_NAMES) and _SYMBOL_FONT.search(letters) is not None
    found = dict[str, _Shown]()
    if symbols_on_page or b"<sup>" in letters:
        for part in letters.split(_END):
            has_symbols = symbols_on_page and _SYMBOL_FONT.search(part) is not None
            if has_symbols or b"<sup>" in part:
                text, shown = _shown(part[part.find(_BEGIN) :], has_symbols=has_symbols)
                found[text] = shown
    for begun in _FIGURES_FIRST.finditer(letters):
        text, shown = _shown(letters[begun.start() : letters.find(_END, begun.end())], has_symbols=False)
        found.setdefault(text, shown)
    if not found:
        return
    lines = [line for block in blocks for line in block.lines]
    changed = [(number, line, found[line.text]) for number, line in enumerate(lines) if line.text in found]
    unclear = {number for number, line, each in changed if each.is_unclear or _begins_raised(line, each.size)}
    places = letters_of_lines(stext, unclear, len(lines)) if unclear else {}
    for number, line, each in changed:
        line.text = _by_places(places[number], each.text) if number in places else each.text


class _Shown(NamedTuple):
    """The text that a line shows; whether it is unclear what is raised; its size if it begins with a smaller one."""

    text: str
    is_unclear: bool
    size: float = 0.0


def _shown(line: bytes, *, has_symbols: bool) -> tuple[str, _Shown]:
    """Return the text of a line, and what it shows: letters above the first one are raised if they are smaller."""
    sizes = list(map(float, _SIZE.findall(line)))
    size = max(sizes, default=0.0)
    begins_small = bool(sizes) and sizes[0] < _SMALLER * size
    text = shown = up = ""
    is_unclear = False
    for piece in _RAISED.split(line):
        if not (own := _text(piece)):
            continue
        drawn = _symbols(piece) if has_symbols and _SYMBOL_FONT.search(piece) else own
        is_up = piece.startswith(b"<sup>")
        is_mark = is_up and all(float(each) < _SMALLER * size for each in _SIZE.findall(piece))
        if is_up and not is_mark and _FIGURES.fullmatch(own.strip()) and text[-1:].isalnum():
            is_unclear = True
        text += own
        if is_mark:  # perhaps goes on in another font
            up += drawn
        elif up.isdecimal() and _BELOW.match(drawn) and _first_figure(piece) < _SMALLER * size:  # 5 1/2, not 5¹/2
            shown, up = f"{shown}{' ' if shown[-1:].isalnum() else ''}{up}{drawn}", ""
        else:
            shown, up = shown + _as_raised(up, shown) + drawn, ""
    return text, _Shown(shown + _as_raised(up, shown), is_unclear, size if begins_small else 0.0)


def _first_figure(piece: bytes) -> float:
    """Return the size of the first figure of a piece."""
    found = _FIGURE_SIZE.search(piece)
    return float(found[1]) if found else 0.0


def _as_raised(text: str, before: str) -> str:
    return raised(text, before) if looks_raised(text) else text


def _begins_raised(line: BlockLine, size: float) -> bool:
    """Return whether the first letter stands higher above the lower side of its line than others of this size do."""
    if not size or not line.text[:1].isdecimal():
        return False
    return line.bbox.y + line.bbox.h - line.y > _LEAST_FIRST * size * SCALE


def _by_places(letters: Sequence[Letter], shown: str) -> str:
    """Return a line with what its letters' own places say is raised; `shown` has the same length."""
    largest = max((letter.size for letter in letters), default=0.0)
    base = median_low([letter.base for letter in letters if letter.size >= _SMALLER * largest] or [0.0])
    up = [letter.base < base - _LEAST_RAISED * largest for letter in letters]
    if len(letters) != len(shown):
        return shown
    text, at = "", 0
    while at < len(letters):
        end = at
        while end < len(letters) and up[end] == up[at]:
            end += 1
        own = "".join(letter.text for letter in letters[at:end])
        is_small = all(letter.size < _SMALLER * largest for letter in letters[at:end])
        is_mark = is_small or (_FIGURES.fullmatch(own.strip()) and text[-1:].isalnum())
        text += _as_raised(own, text) if up[at] and is_mark else shown[at:end]
        at = end
    return text


def _symbols(piece: bytes) -> str:
    """Return the text of a piece of a line, those of its letters that are of a font of symbols as the symbols."""
    text, end = "", 0
    for span in _SPAN.finditer(piece):
        font = span[1].decode("ascii", "replace").lower()
        name = next((known for prefix, known in _SYMBOL_FONTS if font.startswith(prefix)), "")
        own = _text(span[2])
        text += _text(piece[end : span.start()]) + (symbols_drawn(own, name) if name else own)
        end = span.end()
    return text + _text(piece[end:])


def _text(piece: bytes) -> str:
    return html.unescape(_TAG.sub(b"", piece).decode("utf-8", "replace"))
