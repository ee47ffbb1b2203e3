"""Locates quotations in lines, for the verification of citations and for highlights in the viewer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.text.normalize import FoldedLines, fold_lines, fold_quote, words

ENOUGH = 12  # minimum length in bytes of a folded quote; four Chinese characters are twelve
CLOSE = 0.85  # share of a quote that must occur in one piece to count as a paraphrase
_GAP = re.compile(r"\s*(?:…|\.\.\.|\[\s*…\s*\]|\[\.\.\.\])\s*")
_LETTERS = re.compile(r"[^\W_]+")
_BETWEEN = r"[\W_]*"
_MOST_WORDS = 300


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote was found; `verbatim` means word for word."""

    first_line: int
    last_line: int
    verbatim: bool


def locate(quote: str, lines: Mapping[int, str]) -> QuoteMatch | None:
    """Return the lines where `quote` occurs, verbatim or with at least 85 % of it in one piece."""
    folded, pieces = fold_lines(lines), _pieces(quote)
    if not folded.text or not pieces:
        return None
    if found := _verbatim(pieces, folded.text):
        return QuoteMatch(folded.line_at(found[0][0]), folded.line_at(found[-1][1] - 1), verbatim=True)
    return _close(" ".join(pieces), folded)


def mark_quote(quote: str, lines: Mapping[int, str]) -> tuple[tuple[int, int, int], ...]:
    """Return the ranges of `quote` in `lines` as (line, start, end), the end excluded; empty if it is not found.

    A verbatim match of `locate` is marked exactly; otherwise its words must follow each other, with any gap between.
    """
    folded, pieces = fold_lines(lines), _pieces(quote)
    if not folded.text or not pieces:
        return ()
    found = _verbatim(pieces, folded.text) or _in_order(pieces, folded.text)
    return tuple(place for start, end in found for place in folded.original_ranges(start, end))


def _pieces(quote: str) -> list[str]:
    """Return the parts of a quote between its ellipses, folded and without surrounding punctuation."""
    return [piece for part in _GAP.split(quote) if (piece := fold_quote(part).strip(" .,;:\"'"))]


def _verbatim(pieces: list[str], text: str) -> list[tuple[int, int]]:
    """Return the ranges of the parts in order, none of them cutting a word; empty if one is missing."""
    found: list[tuple[int, int]] = []
    start = 0
    for piece in pieces:
        at = _find_whole(piece, text, start)
        if at < 0:
            return []
        start = at + len(piece)
        found.append((at, start))
    return found


def _find_whole(piece: str, text: str, start: int) -> int:
    """Return the position of `piece` where it cuts no word or number, or -1."""
    at = text.find(piece, start)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(piece) : at + len(piece) + 1]
        if not (_joined(before, piece[0]) or _joined(piece[-1], after)):
            return at
        at = text.find(piece, at + 1)
    return -1


def _joined(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _in_order(pieces: list[str], text: str) -> list[tuple[int, int]]:
    """Return the ranges of the parts' words, which may begin or end inside a word: a long quote may be truncated."""
    found: list[tuple[int, int]] = []
    start, left = 0, _MOST_WORDS
    for piece in pieces:
        letters = _LETTERS.findall(piece)[:left]
        left -= len(letters)
        if not letters:
            continue
        match = re.compile(_BETWEEN.join(map(re.escape, letters))).search(text, start)
        if match is None:
            return []
        start = match.end()
        found.append(match.span())
    return found


def _close(quote: str, lines: FoldedLines) -> QuoteMatch | None:
    """Return the longest run of consecutive words shared by quote and lines, if it is long enough."""
    wanted = words(quote)
    held = words(lines.text)
    places: dict[str, list[int]] = {}
    for index, word in enumerate(held):
        places.setdefault(word.text, []).append(index)
    total = sum(len(word.text) for word in wanted)
    best = (0, 0, 0, 0)  # characters, last word of the quote, first and last word of the text
    runs: dict[int, int] = {}
    for index, word in enumerate(wanted):
        longer: dict[int, int] = {}
        for place in places.get(word.text, ()):
            longer[place] = runs.get(place - 1, 0) + 1
            size = sum(len(w.text) for w in wanted[index - longer[place] + 1 : index + 1])
            best = max(best, (size, index, place - longer[place] + 1, place))
        runs = longer
    size, index, first, last = best
    left_out = [*wanted[: index - (last - first)], *wanted[index + 1 :]]
    if size < max(CLOSE * total, ENOUGH) or any(character.isdigit() for w in left_out for character in w.text):
        return None  # a different number is never a matter of wording
    return QuoteMatch(lines.line_at(held[first].start), lines.line_at(held[last].end - 1), verbatim=False)
