"""Finds the statements of an answer that cite no source, and marks their text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from desktop_rag.agent.events import Claim
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    CITATION,
    Block,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    Unit,
)

_WORD = re.compile(r"[^\W_]+")
_PUNCTUATION = re.compile(r"[^\w\s]*")
_KEY = 2  # leading words of a statement in the index; no statement is shorter

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnsourcedStatements:
    """Statements without a source as words without mark-up, indexed by their leading words."""

    statements: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.statements)

    def mark(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """Return `units` with the text of these statements marked as unsourced."""
        if not self.statements:
            return tuple(units)
        return tuple(replace(unit, blocks=tuple(map(self._marked, unit.blocks))) for unit in units)

    def _marked(self, block: Block) -> Block:
        match block:
            case Paragraph():
                return replace(block, pieces=self._pieces(block.pieces))
            case MarkdownTable():
                return replace(block, rows=tuple(tuple(map(self._pieces, row)) for row in block.rows))
            case _:
                return block

    def _pieces(self, pieces: Pieces) -> Pieces:
        text = "".join("" if piece.citation else piece.text for piece in pieces)
        spans = list(self._spans(text))
        return tuple(_split(pieces, spans)) if spans else pieces

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of each statement in `text`, including the punctuation after its last word."""
        found = list(_WORD.finditer(text))
        words = tuple(match[0] for match in found)
        for at in range(len(words)):
            for statement in self.statements.get(words[at : at + _KEY], ()):
                if words[at : at + len(statement)] == statement:
                    end = found[at + len(statement) - 1].end()
                    marks = _PUNCTUATION.match(text, end)
                    yield found[at].start(), marks.end() if marks else end


def unsourced(text: str, claims: Iterable[Claim]) -> UnsourcedStatements:
    """Return the uncited claims of an answer; a table row is split into one statement per cell."""
    statements: dict[Words, dict[Words, None]] = {}
    for claim in claims:
        if claim.standing == "uncited":
            words = CITATION.sub(" ", text[claim.start : claim.end])
            for part in words.split("|") if words.lstrip().startswith("|") else (words,):
                if statement := tuple(_WORD.findall(part)):
                    statements.setdefault(statement[:_KEY], {})[statement] = None
    return UnsourcedStatements({key: tuple(indexed) for key, indexed in statements.items()})


def _split(pieces: Pieces, spans: Sequence[tuple[int, int]]) -> Iterator[MarkdownSpan]:
    """Yield `pieces` split at the edges of `spans`, the text inside marked as unsourced."""
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
