"""Finds the statements of an answer for which no source was named, and sets their pieces apart."""

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
_MARKS = re.compile(r"[^\w\s]*")
_KEY = 2  # words by which a statement is looked for; none is shorter

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnsourcedStatements:
    """The statements by their words, whatever mark-up stands between them, filed under the first ones."""

    statements: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.statements)

    def mark(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """Return `units` with the pieces of these statements set apart."""
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
        return tuple(_cut(pieces, spans)) if spans else pieces

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where statements stand in a text, with the marks behind their last word."""
        found = list(_WORD.finditer(text))
        words = tuple(match[0] for match in found)
        for at in range(len(words)):
            for statement in self.statements.get(words[at : at + _KEY], ()):
                if words[at : at + len(statement)] == statement:
                    end = found[at + len(statement) - 1].end()
                    marks = _MARKS.match(text, end)
                    yield found[at].start(), marks.end() if marks else end


def unsourced(text: str, claims: Iterable[Claim]) -> UnsourcedStatements:
    """Return what of an answer no source was named for; a row of a table is found cell by cell."""
    statements: dict[Words, dict[Words, None]] = {}
    for claim in claims:
        if claim.standing == "uncited":
            words = CITATION.sub(" ", text[claim.start : claim.end])
            for part in words.split("|") if words.lstrip().startswith("|") else (words,):
                if statement := tuple(_WORD.findall(part)):
                    statements.setdefault(statement[:_KEY], {})[statement] = None
    return UnsourcedStatements({key: tuple(filed) for key, filed in statements.items()})


def _cut(pieces: Pieces, spans: Sequence[tuple[int, int]]) -> Iterator[MarkdownSpan]:
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
