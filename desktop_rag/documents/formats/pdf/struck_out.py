"""Marks the words of a page through which a line is drawn: they are deleted, and their values no longer hold."""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from desktop_rag.documents.formats.hidden_text import mark_deleted
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, Area, BlockLine, PageBlock, letters_in_place

if TYPE_CHECKING:
    from pymupdf import mupdf

_THICKEST, _SHORTEST = 2.0, 3.0  # points
_LOWEST, _HIGHEST = 0.12, 0.48  # em above the baseline, in which letters are crossed
_UPPER, _LOWER, _BESIDE = 0.42, 0.72, 3.0  # of the height of a line, points: where such lines may be
_MOST = 150  # thin areas of a page; more are a drawing
_OWN = 0.8  # least share of a line that letters cover: the others are those of tables and charts
_LINE = re.compile(rb"<line [^>]*>(.*?)</line>", re.DOTALL)
_LETTER = re.compile(rb'<char c="([^"]*)" quad="(\S+) (\S+) (\S+) \S+ \S+ (\S+) [^"]*" x="[^"]*" y="([^"]*)"')
_HEIGHT = 1.25  # of the letters of a font, in sizes, at the median


def mark_struck_out(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock], areas: Sequence[Area]) -> None:
    """Mark the letters of lines that one of the painted `areas`, a thin one, crosses."""
    thin = [area for area in areas if area[3] - area[1] <= _THICKEST and area[2] - area[0] >= _SHORTEST]
    if not 0 < len(thin) <= _MOST:
        return
    rules = sorted(thin, key=_middle)
    heights = [SCALE * _middle(rule) for rule in rules]
    lines = [line for block in blocks for line in block.lines]
    near = [_near(line, rules, heights) for line in lines]
    if not 0 < sum(map(len, near)) <= _MOST:
        return
    found = _LINE.findall(letters_in_place(stext))
    if len(found) != len(lines):
        return
    places = [list(_places(letters)) if own else [] for letters, own in zip(found, near, strict=True)]
    covered = dict.fromkeys(map(id, rules), 0.0)
    for found, own in zip(places, near, strict=True):
        for rule in own:
            covered[id(rule)] += sum(letter.right - letter.left for letter in found if letter.is_crossed(rule))
    for line, found, own in zip(lines, places, near, strict=True):
        through = [rule for rule in own if covered[id(rule)] >= _OWN * (rule[2] - rule[0])]
        if through and len(found) == len(line.text):
            line.text = _marked(line.text, [any(map(letter.is_crossed, through)) for letter in found])


class _Letter(NamedTuple):
    """Where a letter is: its sides, its baseline, and its size by the height of its font."""

    left: float
    right: float
    base: float
    size: float

    def is_crossed(self, rule: Area) -> bool:
        above = self.base - _middle(rule)
        is_at = rule[0] - 0.5 <= (self.left + self.right) / 2 <= rule[2] + 0.5
        return is_at and _LOWEST * self.size < above < _HIGHEST * self.size


def _near(line: BlockLine, rules: Sequence[Area], heights: Sequence[float]) -> Sequence[Area]:
    """Return the rules, sorted by their heights, that begin and end at a line and may cross its letters."""
    box = line.bbox
    first = bisect_left(heights, box.y + _UPPER * box.h)
    if first == len(heights) or heights[first] > box.y + _LOWER * box.h:
        return ()
    left, right = box.x / SCALE - _BESIDE, (box.x + box.w) / SCALE + _BESIDE
    last = bisect_right(heights, box.y + _LOWER * box.h)
    return [rule for rule in rules[first:last] if left < rule[0] and rule[2] < right]


def _middle(rule: Area) -> float:
    return (rule[1] + rule[3]) / 2


def _places(letters: bytes) -> Iterator[_Letter]:
    for text, left, top, right, bottom, base in _LETTER.findall(letters):
        letter = _Letter(float(left), float(right), float(base), (float(bottom) - float(top)) / _HEIGHT)
        yield from [letter] * len(html.unescape(text.decode("utf-8", "replace")))


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
