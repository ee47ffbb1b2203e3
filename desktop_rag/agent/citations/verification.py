"""Checks without a token whether quoted words stand where a citation says they stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.agent.citations.folded_lines import FoldedLines, fold, fold_lines, words
from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.index.keywords.analysis import STOP_WORDS

ENOUGH = 12  # bytes of a folded quote that make an exact match telling; four Chinese characters are twelve
CLOSE = 0.85  # share of a quote that must stand in one piece to count as a paraphrase
_GAP = re.compile(r"\s*(?:…|\.\.\.|\[\s*…\s*\]|\[\.\.\.\])\s*")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote was found; `exact` means word for word."""

    first_line: int
    last_line: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Support:
    """The sentence that supports a claim best; `share` is how much of the claim's words it holds."""

    text: str
    first_line: int
    last_line: int
    share: float


def locate(quote: str, lines: Mapping[int, str]) -> Match | None:
    """Return where `quote` stands in `lines`: exactly, or with at least 85 % of it in one piece."""
    folded = fold_lines(lines)
    pieces = [piece for part in _GAP.split(quote) if (piece := fold(part).strip(" .,;:\"'"))]
    if not folded.text or not pieces:
        return None
    return _exact(pieces, folded) or _close(" ".join(pieces), folded)


def telling(quote: str) -> bool:
    """Return whether `quote` is long enough to prove anything."""
    return len(fold(quote).encode()) >= ENOUGH


def best_support(claim: str, lines: Mapping[int, str]) -> Support | None:
    """Return the sentence of `lines` that shares most with `claim`; on equal terms the first one."""
    said = {word.text for word in words(fold(claim)) if len(word.text) > 2 or not word.text.isascii()}
    wanted = said - STOP_WORDS or said
    best: Support | None = None
    for sentence in sentences(lines):
        held = {word.text for word in words(fold(sentence.text))}
        share = len(wanted & held) / len(wanted) if wanted else 0.0
        if held and (best is None or share > best.share):
            best = Support(sentence.text, sentence.first_line, sentence.last_line, share)
    return best


def contains(claim: str, sentence: str) -> bool:
    """Return whether a claim repeats a source's sentence word for word."""
    folded = core(sentence)
    return bool(folded) and folded in fold(claim)


def core(sentence: str) -> str:
    """Return a sentence folded and without its marks; empty if it is too short to prove anything."""
    folded = fold(sentence).strip(" .,;:\"'")
    return folded if len(folded.encode()) >= ENOUGH else ""


def _exact(pieces: list[str], lines: FoldedLines) -> Match | None:
    start, first, at = 0, -1, -1
    for piece in pieces:
        at = _find_whole(piece, lines.text, start)
        if at < 0:
            return None
        first = at if first < 0 else first
        start = at + len(piece)
    return Match(lines.line_at(first), lines.line_at(start - 1), exact=True)


def _find_whole(piece: str, text: str, start: int) -> int:
    """Return where `piece` stands without cutting a word or number in two, or -1."""
    at = text.find(piece, start)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(piece) : at + len(piece) + 1]
        if not (_joined(before, piece[0]) or _joined(piece[-1], after)):
            return at
        at = text.find(piece, at + 1)
    return -1


def _joined(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _close(quote: str, lines: FoldedLines) -> Match | None:
    """Return the longest run of the quote's words that stands in the text, if it is long enough."""
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
        return None  # a number that differs is never a matter of wording
    return Match(lines.line_at(held[first].start), lines.line_at(held[last].end - 1), exact=False)
