"""Marks the words of a page through which a line is drawn: they are deleted, and their values no longer hold."""

import html
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_rag.documents.formats.hidden_text import mark_deleted
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, Area, BlockLine, PageBlock, letters_in_place

if TYPE_CHECKING:
    from pymupdf import mupdf

_THICKEST, _SHORTEST = 2.0, 3.0  # points
_LOWEST, _HIGHEST = 0.12, 0.48  # em above the baseline, in which letters are crossed
_OWN = 0.8  # least share of a line that letters cover: the others are those of tables and charts
_LINE = re.compile(rb"<line [^>]*>(.*?)</line>", re.DOTALL)
_LETTER = re.compile(rb'<char c="([^"]*)" quad="([-\d.e]+) \S+ ([-\d.e]+) ')


def mark_struck_out(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock], areas: Sequence[Area]) -> None:
    """Mark the letters of lines that one of the painted `areas`, a thin one, crosses."""
    rules = [area for area in areas if area[3] - area[1] <= _THICKEST and area[2] - area[0] >= _SHORTEST]
    lines = [line for block in blocks for line in block.lines]
    crossed = [[rule for rule in rules if _crosses(rule, line)] for line in lines] if rules else []
    if not any(crossed):
        return
    places = [list(_places(found)) for found in _LINE.findall(letters_in_place(stext))]
    if len(places) != len(lines):
        return
    covered = dict.fromkeys(map(id, rules), 0.0)
    for found, own in zip(places, crossed, strict=True):
        for rule in own:
            covered[id(rule)] += sum(right - left for left, right in found if _is_on(rule, left, right))
    for line, found, own in zip(lines, places, crossed, strict=True):
        through = [rule for rule in own if covered[id(rule)] >= _OWN * (rule[2] - rule[0])]
        if through and len(found) == len(line.text):
            line.text = _marked(line.text, [any(_is_on(rule, *place) for rule in through) for place in found])


def _crosses(rule: Area, line: BlockLine) -> bool:
    size, above = line.font.size / SCALE, (line.y / SCALE) - (rule[1] + rule[3]) / 2
    is_beside = rule[0] < (line.bbox.x + line.bbox.w) / SCALE and rule[2] > line.bbox.x / SCALE
    return is_beside and _LOWEST * size < above < _HIGHEST * size


def _places(letters: bytes) -> Iterator[tuple[float, float]]:
    for text, left, right in _LETTER.findall(letters):
        for _ in html.unescape(text.decode("utf-8", "replace")):
            yield float(left), float(right)


def _is_on(rule: Area, left: float, right: float) -> bool:
    return rule[0] - 0.5 <= (left + right) / 2 <= rule[2] + 0.5


def _marked(text: str, struck: Sequence[bool]) -> str:
    """Return a text with its struck-out letters marked; white space alone is not."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and struck[end] == struck[at]:
            end += 1
        parts.append(mark_deleted(text[at:end]) if struck[at] else text[at:end])
        at = end
    return "".join(parts)
