"""Finds the statements of an answer in its rendered text, and the words of them that are underlined."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from desktop_rag.agent.citations.marks import REFUSED, UNFOUNDED
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation, Claim, Mark
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    CITATION,
    Block,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    ProofLine,
    Unit,
)
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.text.display import shorten
from desktop_rag.text.normalize import fold_quote

_WORD = re.compile(r"[^\W_]+")
_SYMBOLS = re.compile(r"[$€£¥₹~−-]+$")  # before a figure
_PUNCTUATION = re.compile(r"[^\w\s]*")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A statement in a text: its offsets, the number of its claim from 1, and the offsets of what is underlined."""

    start: int
    end: int
    claim: int
    faults: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class StatementMarks:
    """The claims of an answer, indexed by the first of their words, without mark-up."""

    claims: tuple[Claim, ...] = ()
    statements: Mapping[str, tuple[tuple[Words, int], ...]] = field(default_factory=dict)

    def claim(self, number: int) -> Claim | None:
        """Return a claim by its number from 1."""
        return self.claims[number - 1] if 0 < number <= len(self.claims) else None

    def mark(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """Return `units` with the number of its claim on each piece, and what is underlined marked."""
        if not self.statements:
            return tuple(units)
        return tuple(replace(unit, blocks=tuple(map(self._marked, unit.blocks))) for unit in units)

    def _marked(self, block: Block) -> Block:
        match block:
            case Paragraph():
                return replace(block, pieces=self._pieces(block.pieces))
            case MarkdownTable():
                return replace(block, rows=tuple(_shared(tuple(map(self._pieces, row))) for row in block.rows))
            case _:
                return block

    def _pieces(self, pieces: Pieces) -> Pieces:
        text = "".join("" if piece.citation else piece.text for piece in pieces)
        places = list(self._places(text))
        return tuple(_split(pieces, text, places)) if places else pieces

    def _places(self, text: str) -> Iterator[_Place]:
        """Yield each statement in `text` in order, including the punctuation after its last word."""
        found = list(_WORD.finditer(text))
        words = tuple(match[0] for match in found)
        at = 0
        while at < len(words):
            length = 1
            for statement, number in self.statements.get(words[at], ()):
                if words[at : at + len(statement)] == statement:
                    matches, length = found[at : at + len(statement)], len(statement)
                    marks = _PUNCTUATION.match(text, matches[-1].end())
                    end = marks.end() if marks else matches[-1].end()
                    faults = tuple(self._faults(number, text, matches, end))
                    yield _Place(matches[0].start(), end, number, faults)
                    break
            at += length

    def _faults(self, number: int, text: str, matches: Sequence[re.Match[str]], end: int) -> Iterator[tuple[int, int]]:
        """Yield the offsets of the words that the lines do not have, or of all of a statement that is refused."""
        claim = self.claims[number - 1]
        words = tuple(match[0] for match in matches)
        spans: list[tuple[int, int]] = []
        told = () if claim.mark in UNFOUNDED else claim.missing
        if claim.mark == "altered" and claim.altered and claim.altered.found:
            told = (claim.altered.text,)
        for text_told in told:
            wanted = tuple(_WORD.findall(text_told))
            at = next((i for i in range(len(words)) if wanted and words[i : i + len(wanted)] == wanted), -1)
            if at >= 0:
                symbols = _SYMBOLS.search(text, 0, matches[at].start())
                start = symbols.start() if symbols else matches[at].start()
                spans.append((start, matches[at + len(wanted) - 1].end()))
        yield from spans or ([(matches[0].start(), end)] if claim.mark in UNFOUNDED else ())


def mark_statements(text: str, claims: Iterable[Claim]) -> StatementMarks:
    """Return the marks of an answer's claims; a table row is split into one statement per cell."""
    made = tuple(claims)
    statements: dict[str, dict[Words, int]] = {}
    for number, claim in enumerate(made, 1):
        words = CITATION.sub(" ", text[claim.start : claim.end])
        for part in words.split("|") if words.lstrip().startswith("|") else (words,):
            if statement := tuple(_WORD.findall(part)):
                statements.setdefault(statement[0], {}).setdefault(statement, number)
    indexed = {
        first: tuple(sorted(found.items(), key=lambda each: -len(each[0]))) for first, found in statements.items()
    }
    return StatementMarks(made, indexed)


def _shared(row: tuple[Pieces, ...]) -> tuple[Pieces, ...]:
    """Return a table row whose citations in a cell of their own belong to the statement of the cells before."""
    cells, claim = list[Pieces](), 0
    for cell in row:
        if any(_WORD.search(piece.text) for piece in cell if not piece.citation):
            claim = next((piece.claim for piece in reversed(cell) if piece.claim), 0)
            cells.append(cell)
        else:
            cells.append(tuple(_marked_span(p, p.text, p.claim or claim) if p.citation else p for p in cell))
    return tuple(cells)


def _split(pieces: Pieces, text: str, places: Sequence[_Place]) -> Iterator[MarkdownSpan]:
    """Yield `pieces` split at the edges of statements and faults; a citation belongs to the statement before it."""
    bounds = {
        edge for place in places for edge in (place.start, place.end, *(e for fault in place.faults for e in fault))
    }
    offset = 0
    for piece in pieces:
        if piece.citation:
            before = next((place for place in reversed(places) if place.start < offset), places[0])
            yield _marked_span(piece, piece.text, before.claim if not _WORD.search(text, before.end, offset) else 0)
            continue
        end = offset + len(piece.text)
        inside = () if piece.math else bounds  # a formula is not split
        edges = sorted({offset, end, *(edge for edge in inside if offset < edge < end)})
        for left, right in pairwise(edges):
            place = next((place for place in places if place.start <= left and right <= place.end), None)
            faulty = place is not None and any(start <= left and right <= stop for start, stop in place.faults)
            part = piece.text[left - offset : right - offset]
            yield _marked_span(piece, part, place.claim if place else 0, faulty=faulty)
        offset = end


def _marked_span(of: MarkdownSpan, text: str, claim: int, *, faulty: bool = False) -> MarkdownSpan:
    """Return a part of a span; `dataclasses.replace` takes five times as long, which counts here."""
    return MarkdownSpan(
        text, of.bold, of.italic, of.code, of.struck, of.citation, of.address, claim, faulty, math=of.math
    )


# The lines below a paragraph, list item or table: what speaks against its statements, and for them in quotations.

_MOST = 3  # lines of a kind below a block
_LONGEST = 240  # characters; the view shows as many of them as fit on one line


@dataclass(frozen=True, slots=True)
class Proofs:
    """What can be shown below the blocks of an answer: its citations by number, and its claims."""

    citations: Mapping[int, Citation] = field(default_factory=dict)
    claims: Sequence[Claim] = ()

    def of(self, block: Block, shown: Iterable[int]) -> Iterator[ProofLine]:
        """Yield the lines below a block; the quotations of citations `shown` stand further above."""
        if isinstance(block, Paragraph):
            pieces: Sequence[MarkdownSpan] = block.pieces
            said = [piece for piece in pieces if not piece.citation and piece.text.strip()]
            if block.level or block.quoted or all(piece.bold for piece in said):
                return  # a quotation proves itself, and above one stands a heading, or the value that it gives
        elif isinstance(block, MarkdownTable) and not block.part:
            pieces = [piece for row in block.rows for cell in row for piece in cell]
        else:
            return
        cited = [piece for piece in pieces if piece.citation]
        yield from islice(self._told(cited, REFUSED, block.depth), _MOST)
        unproven = [piece for piece in cited if not self._is_proven(piece.citation)]
        yield from islice(self._told(unproven, ("read",), block.depth), _MOST)
        text = fold_quote("".join(piece.text for piece in pieces if not piece.citation))
        seen, left = set(shown), _MOST
        for piece in cited:
            if left and piece.citation not in seen and (words := self._quotation(piece, text)):
                seen.add(piece.citation)
                left -= 1
                yield ProofLine(words, piece.citation, piece.claim, None, block.depth)

    def _quotation(self, piece: MarkdownSpan, text: str) -> str:
        """Return the quotation behind a citation in `text`; empty if it is not proven, or stands in the text."""
        citation, claim = self.citations.get(piece.citation), self._claim(piece.claim)
        if citation is None or not self._is_proven(piece.citation) or (claim and claim.mark == "quoted"):
            return ""
        words = shown_quote(shown_words(citation), citation.format)
        if not words or fold_quote(words).rstrip(" .;,") in text:
            return ""
        return formatting.quoted(shorten(words, _LONGEST))

    def _is_proven(self, number: int) -> bool:
        citation = self.citations.get(number)
        return citation is not None and citation.verdict == "verbatim" and bool(citation.quote.strip())

    def _told(self, cited: Sequence[MarkdownSpan], marks: Container[Mark], depth: int) -> Iterator[ProofLine]:
        """Yield what is known of each claim with one of `marks`, at the first of its citations."""
        told = set[int]()
        for piece in cited:
            claim = self._claim(piece.claim)
            if claim and claim.mark in marks and piece.claim not in told:
                told.add(piece.claim)
                yield ProofLine(formatting.claim(claim), piece.citation, piece.claim, claim.mark, depth)

    def _claim(self, number: int) -> Claim | None:
        return self.claims[number - 1] if 0 < number <= len(self.claims) else None


def with_proofs(blocks: Sequence[Block], proofs: Proofs, shown: Iterable[int], *, complete: bool) -> Iterator[Block]:
    """Yield `blocks`, each before its lines; the last one has none before it is `complete`."""
    seen = set(shown)
    for number, block in enumerate(blocks, 1):
        yield block
        if complete or number < len(blocks):
            lines = list(proofs.of(block, seen))
            seen |= quotations(lines)
            yield from (replace(line, last=line is lines[-1]) for line in lines)


def quotations(blocks: Iterable[Block]) -> set[int]:
    """Return the numbers of the citations whose quotations are among `blocks`."""
    return {block.citation for block in blocks if isinstance(block, ProofLine) and block.mark is None}
