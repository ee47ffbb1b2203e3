"""Finds the statements of an answer for which no source was named, and sets their pieces apart."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop_rag.agent.events import Claim
from desktop_rag.gui.conversation.markdown import CITATION, Block, Paragraph, Piece, Pieces, Table, Unit

_WORD = re.compile(r"[^\W_]+")
_BEFORE, _BETWEEN, _AFTER = r"(?<![^\W_])", r"[\W_]*", r"(?![^\W_])[^\w\s]*"
_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class Unsourced:
    """The statements as patterns of their words, whatever mark-up stands between them."""

    patterns: tuple[re.Pattern[str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def mark(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """Return `units` with the pieces of these statements set apart."""
        if not self.patterns:
            return tuple(units)
        return tuple(replace(unit, blocks=tuple(map(self._marked, unit.blocks))) for unit in units)

    def _marked(self, block: Block) -> Block:
        match block:
            case Paragraph():
                return replace(block, pieces=self._pieces(block.pieces))
            case Table():
                return replace(block, rows=tuple(tuple(map(self._pieces, row)) for row in block.rows))
            case _:
                return block

    def _pieces(self, pieces: Pieces) -> Pieces:
        text = "".join("" if piece.citation else piece.text for piece in pieces)
        spans = [match.span() for pattern in self.patterns for match in pattern.finditer(text)]
        return tuple(_cut(pieces, spans)) if spans else pieces


def unsourced(text: str, claims: Iterable[Claim]) -> Unsourced:
    """Return what of an answer no source was named for; a row of a table is found cell by cell."""
    patterns: dict[str, None] = {}
    for claim in claims:
        if claim.standing == "uncited":
            words = CITATION.sub(" ", text[claim.start : claim.end])
            parts = words.strip().strip("|").split("|") if words.lstrip().startswith("|") else [words]
            patterns.update((pattern, None) for part in parts if (pattern := _pattern(part)))
    return Unsourced(tuple(map(re.compile, patterns)))


def _pattern(words: str) -> str:
    found = _WORD.findall(words)[:_MOST_WORDS]
    if not found:
        return ""
    return _BEFORE + _BETWEEN.join(map(re.escape, found)) + _AFTER


def _cut(pieces: Pieces, spans: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """Yield pieces, cut where a span begins or ends; spaces at the edge of a span are not part of it."""
    offset = 0
    for piece in pieces:
        if piece.citation:
            yield piece
            continue
        end = offset + len(piece.text)
        edges = sorted({offset, end, *(edge for span in spans for edge in span if offset < edge < end)})
        for left, right in pairwise(edges):
            inside = any(start <= left and right <= stop for start, stop in spans)
            yield replace(piece, text=piece.text[left - offset : right - offset], unsourced=inside)
        offset = end
