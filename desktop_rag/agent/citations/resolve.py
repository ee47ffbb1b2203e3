"""Resolves a citation to lines: those it names, those that really contain its words, or none.

A citation is moved only to words that the model wrote: lines that merely share words with a statement are never told
as its source.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import RawCitation
from desktop_rag.agent.citations.quoted_rows import MAX_LINES, keeps_range
from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.citations.support import (
    QUOTED,
    SupportingSentence,
    best_support,
    is_significant,
    repeats,
)
from desktop_rag.agent.events import Verdict
from desktop_rag.index.records import ContentId
from desktop_rag.text.locate import locate

MAX_QUOTE = 600
MIN_REPEATED = 0.5  # share of a claim's words in a sentence that it repeats: no heading of two words
SAME_SENTENCE = 0.8  # share of a claim's words below which a verbatim sentence elsewhere is its source
BESIDE = 2  # lines before and after the named ones where their words may stand; in an answer of the program silently
SUPPORT_SHARE = 0.7  # share of a claim's words in a sentence that is offered as its support


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """The lines and quote of a citation, and its verdict."""

    content: ContentId
    first_line: int
    last_line: int
    quote: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CitationResolver:
    """Resolves citations among the lines that were read."""

    references: References
    lines_read: CitableLines
    tells_moves: bool = False  # a citation that is moved by a line or two is “misattributed”, too

    def resolve(self, raw: RawCitation, claim: str) -> ResolvedCitation | None:
        """Resolve the citation after `claim`; None if it points at no line that was read."""
        reference = self.references.get(raw.reference)
        cited = self.cited(reference, raw) if reference else {}
        named = raw.first is not None
        if is_significant(raw.quote):
            return self._resolve_quote(reference, raw.quote, cited, named=named)
        quoted = QUOTED.search(claim)
        if quoted and reference and (match := locate(quoted[1], cited)) and match.verbatim:
            return self._resolve_quote(reference, quoted[1], cited, named=named)
        if raw.quote:  # too short to locate alone, but it helps to choose the sentence
            claim = f"{claim} {raw.quote}"
        resolved = self._resolve_claim(reference.content, claim, cited, named=named) if reference and cited else None
        return self._with_short_quote(resolved, raw.quote) if resolved else self._repeated(claim, 0)

    def cited(self, reference: Reference, raw: RawCitation) -> dict[int, str]:
        """Return the cited lines that were read; without line numbers, the lines read of the passage."""
        if raw.first is not None and raw.last is not None:
            return self.lines_read.within(reference.content, raw.first, raw.last)
        passage = self.lines_read.within(reference.content, reference.first_line, reference.last_line)
        return passage or dict(self.lines_read.lines(reference.content))

    def best(self, claim: str, contents: Iterable[ContentId]) -> tuple[ContentId, SupportingSentence] | None:
        """Return the sentence among the lines read of `contents` that shares most words with a claim."""
        supports = ((c, s) for c in contents if (s := best_support(claim, self.lines_read.lines(c))))
        return max(supports, key=lambda found: found[1].share, default=None)

    def _resolve_quote(
        self, reference: Reference | None, quote: str, cited: dict[int, str], *, named: bool
    ) -> ResolvedCitation | None:
        words = " ".join(quote.split())[:MAX_QUOTE]
        if reference and (match := locate(quote, cited)):
            first, last = _narrow(cited, match.first_line, match.last_line, named=named)
            return ResolvedCitation(
                reference.content, first, last, words, "verbatim" if match.verbatim else "paraphrase"
            )
        contents = self.lines_read.contents()
        if reference and cited:
            beside = self.lines_read.within(reference.content, min(cited) - BESIDE, max(cited) + BESIDE)
            if match := locate(quote, beside):
                verdict = self._beside_verdict(verbatim=match.verbatim)
                return ResolvedCitation(reference.content, match.first_line, match.last_line, words, verdict)
        if reference:
            contents = (reference.content, *(other for other in contents if other != reference.content))
        for content in contents:
            if match := locate(quote, self.lines_read.lines(content)):
                return ResolvedCitation(content, match.first_line, match.last_line, words, "misattributed")
        if reference and cited:
            first, last = _narrow(cited, min(cited), min(max(cited), min(cited) + MAX_LINES - 1), named=named)
            return ResolvedCitation(reference.content, first, last, words, "not found")
        return None

    def _resolve_claim(
        self, content: ContentId, claim: str, cited: dict[int, str], *, named: bool
    ) -> ResolvedCitation | None:
        """Return the cited lines with their best sentence as quote, or a sentence elsewhere that the claim repeats."""
        support = best_support(claim, cited)
        if support is None:  # an empty line is cited for one beside it
            beside = self.lines_read.within(content, min(cited) - BESIDE, max(cited) + BESIDE)
            if (support := best_support(claim, beside)) is None or support.share < SUPPORT_SHARE:
                return None
            verdict = self._beside_verdict(verbatim=repeats(claim, support.text))
            return ResolvedCitation(content, support.first_line, support.last_line, support.text[:MAX_QUOTE], verdict)
        first, last = _narrow(cited, support.first_line, support.last_line, named=named)
        resolved = ResolvedCitation(content, first, last, support.text[:MAX_QUOTE], "paraphrase")
        if repeats(claim, support.text):
            return replace(resolved, verdict="verbatim")
        return (support.share < SAME_SENTENCE and self._repeated(claim, support.share)) or resolved

    def _with_short_quote(self, resolved: ResolvedCitation, quote: str) -> ResolvedCitation:
        """Return a citation as verbatim if its lines contain a quote too short to identify a passage."""
        lines = self.lines_read.within(resolved.content, resolved.first_line, resolved.last_line)
        if resolved.verdict != "paraphrase" or not ((match := locate(quote, lines)) and match.verbatim):
            return resolved
        return replace(resolved, quote=" ".join(quote.split()), verdict="verbatim")

    def _beside_verdict(self, *, verbatim: bool) -> Verdict:
        if self.tells_moves:
            return "misattributed"
        return "verbatim" if verbatim else "paraphrase"

    def _repeated(self, claim: str, share: float) -> ResolvedCitation | None:
        """Return the sentence among the lines read of which the claim is a part or which it repeats verbatim.

        It must hold more of the claim's words than the `share` of the cited one.
        """
        found = self.best(claim, self.lines_read.contents())
        if found is None or found[1].share <= max(share, MIN_REPEATED):
            return None
        content, support = found
        if not (repeats(claim, support.text) or repeats(support.text, claim)):
            return None
        words = support.text[:MAX_QUOTE]
        return ResolvedCitation(content, support.first_line, support.last_line, words, "misattributed")


def _narrow(cited: Mapping[int, str], first: int, last: int, *, named: bool) -> tuple[int, int]:
    """Return the cited lines if the model named them and they are few and contiguous, else those with the words."""
    whole = max(cited) - min(cited) + 1 == len(cited)
    return (min(cited), max(cited)) if named and whole and keeps_range(cited.values()) else (first, last)
