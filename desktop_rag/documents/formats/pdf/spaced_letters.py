"""Joins letters set apart to words, as in the text layers of some scans: “B e i j i n g 100031”.

MuPDF adds a space where letters are far from each other. It is none of a word where the page has spaces of its own
between words, and the letters of a run are about equally far from each other.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict

from desktop_rag.decoding import converted

if TYPE_CHECKING:
    import pymupdf

_RUN = re.compile(r"(?<!\S)(?:\w ){3}\w(?!\w)")  # four letters in a row
_LEAST = 4  # letters of a run from which the usual distance of the line is taken
_LONGEST_WORD = 20
_NEAR = 0.45  # of the size of the letters: distance of letters of one word
_EVEN = 1.5  # times the usual distance
_SPACES = 1 / 12  # least number of the page's own spaces for each letter


class _Char(TypedDict):
    c: str
    bbox: tuple[float, float, float, float]
    synthetic: bool


class _Span(TypedDict):
    size: float
    chars: list[_Char]


class _Line(TypedDict):
    dir: tuple[float, float]
    spans: list[_Span]


class _Block(TypedDict, total=False):
    lines: list[_Line]


class _Text(TypedDict):
    blocks: list[_Block]


_END: _Char = {"c": " ", "bbox": (0.0, 0.0, 0.0, 0.0), "synthetic": False}


def are_set_apart(text: str) -> bool:
    """Return whether a line may have a word whose letters are set apart."""
    return _RUN.search(text) is not None


def joined_words(page: "pymupdf.Page", flags: int) -> dict[str, str]:
    """Return the lines of a page whose letters are set apart, with their words joined."""
    blocks = converted(page.get_text("rawdict", flags=flags), _Text)["blocks"]
    lines = [line for block in blocks for line in block.get("lines", ())]
    every = [char for line in lines for span in line["spans"] for char in span["chars"]]
    spaces = sum(char["c"] == " " and not char["synthetic"] for char in every)
    letters = sum(char["c"].isalnum() for char in every)
    if spaces < _SPACES * letters:
        return {}
    found = {}
    for line in lines:
        text = "".join(char["c"] for span in line["spans"] for char in span["chars"]).strip()
        if are_set_apart(text):
            found[text] = _joined(line).strip()
    return found


def _joined(line: _Line) -> str:
    chars = [char for span in line["spans"] for char in span["chars"]]
    size = max(span["size"] for span in line["spans"])
    upright = abs(line["dir"][1]) > abs(line["dir"][0])
    gaps: dict[int, float] = {}  # by the place of the added space: the distance of single letters beside it
    runs = list(_runs(chars))
    for at in (place for run in runs for place in run):
        one, other = sorted((chars[at - 1]["bbox"], chars[at + 1]["bbox"]), key=lambda box: box[1 if upright else 0])
        gaps[at] = other[1] - one[3] if upright else other[0] - one[2]
    sure = sorted(gaps[at] for run in runs if len(run) >= _LEAST - 1 for at in run)
    usual = sure[len(sure) // 2] if sure else 0.0
    joined = {
        at
        for run in runs
        if len(run) < _LONGEST_WORD and all(gaps[at] <= min(_EVEN * usual, _NEAR * size) for at in run)
        for at in run
    }
    return "".join(char["c"] for at, char in enumerate(chars) if at not in joined)


def _runs(chars: Sequence[_Char]) -> Iterator[list[int]]:
    """Yield the places of the added spaces of each word of single letters, which ends at spaces of the page's own."""
    run: list[int] = []
    is_word = True
    for at, char in enumerate((*chars, _END)):
        if char["c"] == " " and not char["synthetic"]:
            if run and is_word:
                yield run
            run, is_word = [], True
        elif char["c"] == " ":
            is_word = is_word and 0 < at < len(chars) - 1 and _is_single(chars, at - 1) and _is_single(chars, at + 1)
            run.append(at)


def _is_single(chars: Sequence[_Char], at: int) -> bool:
    beside = (chars[at - 1]["c"] if at else " ", chars[at + 1]["c"] if at + 1 < len(chars) else " ")
    return chars[at]["c"] != " " and beside == (" ", " ")
