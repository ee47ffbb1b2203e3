"""The lines below a paragraph, list item or table: what speaks against its statements, and for them in quotations."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from desktop_rag.agent.citations.marks import REFUSED
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation, Claim, Mark
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownSpan, MarkdownTable, Paragraph, ProofLine
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.text.display import shorten
from desktop_rag.text.normalize import fold_quote

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
