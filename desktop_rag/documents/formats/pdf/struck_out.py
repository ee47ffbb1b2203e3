"""Marks the words of a page through which a line is drawn: they are deleted, and their values no longer hold."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_rag.documents.formats.hidden_text import mark_deleted
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, Area, BlockLine, Letter, PageBlock, letters_of_lines

if TYPE_CHECKING:
    from pymupdf import mupdf

_THICKEST, _SHORTEST = 2.0, 3.0  # points
_LOWEST, _HIGHEST = 0.12, 0.48  # em above the baseline, in which letters are crossed
_UPPER, _LOWER, _BESIDE = 0.42, 0.72, 3.0  # of the height of a line, points: where such lines may be
_MOST = 150  # thin areas of a page; more are a drawing
_OWN = 0.8  # least share of a line that letters cover: the others are those of tables and charts


def mark_struck_out(stext: "mupdf.FzStextPage", blocks: Sequence[PageBlock], areas: Sequence[Area]) -> None:
    """Mark the letters of lines that one of the painted `areas`, a thin one, crosses."""
    thin = [area for area in areas if area[3] - area[1] <= _THICKEST and area[2] - area[0] >= _SHORTEST]
    if not 0 < len(thin) <= _MOST:
        return
    rules = sorted(thin, key=_middle)
    heights = [SCALE * _middle(rule) for rule in rules]
    lines = [line for block in blocks for line in block.lines]
    last = len(heights)
    near: list[Sequence[Area]] = []
    for line in lines:
        box = line.bbox
        first = bisect_left(heights, box.y + _UPPER * box.h)
        is_near = first < last and heights[first] <= box.y + _LOWER * box.h
        near.append(_near(line, rules, heights, first) if is_near else ())
    if not 0 < sum(map(len, near)) <= _MOST:
        return
    places = letters_of_lines(stext, {number for number, own in enumerate(near) if own}, len(lines))
    covered = dict.fromkeys(map(id, rules), 0.0)
    for number, letters in places.items():
        for rule in near[number]:
            covered[id(rule)] += sum(letter.right - letter.left for letter in letters if _is_crossed(letter, rule))
    for number, letters in places.items():
        line = lines[number]
        through = [rule for rule in near[number] if covered[id(rule)] >= _OWN * (rule[2] - rule[0])]
        if through and len(letters) == len(line.text):
            struck = [any(_is_crossed(letter, rule) for rule in through) for letter in letters]
            line.text = _marked(line.text, struck)


def _is_crossed(letter: Letter, rule: Area) -> bool:
    above = letter.base - _middle(rule)
    is_at = rule[0] - 0.5 <= (letter.left + letter.right) / 2 <= rule[2] + 0.5
    return is_at and _LOWEST * letter.size < above < _HIGHEST * letter.size


def _near(line: BlockLine, rules: Sequence[Area], heights: Sequence[float], first: int) -> Sequence[Area]:
    """Return the rules (sorted by heights) from number `first` on that begin and end at a line and may cross it."""
    box = line.bbox
    left, right = box.x / SCALE - _BESIDE, (box.x + box.w) / SCALE + _BESIDE
    last = bisect_right(heights, box.y + _LOWER * box.h)
    return [rule for rule in rules[first:last] if left < rule[0] and rule[2] < right]


def _middle(rule: Area) -> float:
    return (rule[1] + rule[3]) / 2


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
