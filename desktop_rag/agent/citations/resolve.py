"""Decides which lines a citation ends up at: where it points, where its words really stand, or nowhere."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.citation_syntax import RawCitation
from desktop_rag.agent.citations.lines_read import Reading
from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.citations.support import CitedLines, carries, speaks
from desktop_rag.agent.citations.verification import Support, best_support, contains, telling
from desktop_rag.agent.events import Verdict
from desktop_rag.index.records import ContentId
from desktop_rag.text.locate import locate

WIDEST = 8  # a citation over more lines is narrowed to those that hold the words
LONGEST_QUOTE = 600
MOVED = 0.3  # share of a claim's words a sentence must hold to receive a citation of unread lines
MOVED_FAR = 0.5  # the same for a citation whose reference does not exist
SAME = 0.7  # share of a claim's words that a source must hold to be offered as its proof
_QUOTED = re.compile(r'["“„«]([^"”“»]{12,})["”“»]')

Above = Callable[[ContentId, Mapping[int, str]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ResolvedPlace:
    """Where a citation ends up."""

    content: ContentId
    first_line: int
    last_line: int
    quote: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CitationResolver:
    """Places citations among the lines that were read; `above` tells what stands over lines of a content."""

    references: References
    reading: Reading
    above: Above

    def place(self, raw: RawCitation, claim: str) -> ResolvedPlace | None:
        """Return where a citation behind `claim` belongs, or None if it points at nothing that was read."""
        reference = self.references.get(raw.reference)
        cited = self.cited(reference, raw) if reference else {}
        named = raw.first is not None
        if telling(raw.quote):
            return self._quoted(reference, raw.quote, cited, named=named)
        quoted = _QUOTED.search(claim)
        if quoted and reference and (match := locate(quoted[1], cited)) and match.verbatim:
            return self._quoted(reference, quoted[1], cited, named=named)
        if raw.quote:  # too short to prove anything alone, but it tells which sentence is meant
            claim = f"{claim} {raw.quote}"
        if reference and cited:
            return self._supported(reference.content, claim, cited, named=named)
        return self._moved(reference, claim)

    def cited(self, reference: Reference, raw: RawCitation) -> dict[int, str]:
        """Return those of the cited lines that were read; without line numbers, what was read of the passage."""
        if raw.first is not None and raw.last is not None:
            return self.reading.within(reference.content, raw.first, raw.last)
        passage = self.reading.within(reference.content, reference.first_line, reference.last_line)
        return passage or dict(self.reading.lines(reference.content))

    def best(self, claim: str, contents: Iterable[ContentId]) -> tuple[ContentId, Support] | None:
        """Return the sentence among what was read of `contents` that shares most with a claim."""
        supports = ((c, s) for c in contents if (s := best_support(claim, self.reading.lines(c))))
        return max(supports, key=lambda found: found[1].share, default=None)

    def _quoted(
        self, reference: Reference | None, quote: str, cited: dict[int, str], *, named: bool
    ) -> ResolvedPlace | None:
        words = " ".join(quote.split())[:LONGEST_QUOTE]
        if reference and (match := locate(quote, cited)):
            first, last = _narrow(cited, match.first_line, match.last_line, named=named)
            return ResolvedPlace(reference.content, first, last, words, "verbatim" if match.verbatim else "paraphrase")
        contents = self.reading.contents()
        if reference:
            contents = (reference.content, *(other for other in contents if other != reference.content))
        for content in contents:
            if match := locate(quote, self.reading.lines(content)):
                return ResolvedPlace(content, match.first_line, match.last_line, words, "misattributed")
        if reference and cited:
            first, last = _narrow(cited, min(cited), min(max(cited), min(cited) + WIDEST - 1), named=named)
            return ResolvedPlace(reference.content, first, last, words, "not found")
        return None

    def _supported(self, content: ContentId, claim: str, cited: dict[int, str], *, named: bool) -> ResolvedPlace | None:
        """Return the cited lines with their best sentence as the quote, or a place that really carries the claim."""
        support = best_support(claim, cited)
        if support is None:
            return None
        first, last = _narrow(cited, support.first_line, support.last_line, named=named)
        place = ResolvedPlace(content, first, last, support.text[:LONGEST_QUOTE], "paraphrase")
        if contains(claim, support.text):
            return replace(place, verdict="verbatim")
        if carries(claim, CitedLines(cited)):
            return place
        source = CitedLines(cited, self.above(content, cited))
        if carries(claim, source):
            return place
        return self._elsewhere(claim, support.share) or (
            place if speaks(claim, source) else replace(place, verdict="not found")
        )

    def _elsewhere(self, claim: str, share: float) -> ResolvedPlace | None:
        """Return a sentence of another place that says what a claim says, if one was read."""
        found = self.best(claim, self.reading.contents())
        if found is None or found[1].share < SAME or found[1].share <= share:
            return None
        place = _at(*found)
        return place if carries(claim, CitedLines({place.first_line: found[1].text})) else None

    def _moved(self, reference: Reference | None, claim: str) -> ResolvedPlace | None:
        """Return the sentence among all that was read which carries the claim, if one does."""
        found = self.best(claim, (reference.content,) if reference else self.reading.contents())
        enough = MOVED if reference else MOVED_FAR
        return _at(*found) if found and found[1].share >= enough else None


def _at(content: ContentId, support: Support) -> ResolvedPlace:
    return ResolvedPlace(content, support.first_line, support.last_line, support.text[:LONGEST_QUOTE], "misattributed")


def _narrow(cited: Mapping[int, str], first: int, last: int, *, named: bool) -> tuple[int, int]:
    """Return the lines as cited if the model named them, they are few and in one piece, else those with the words."""
    whole = max(cited) - min(cited) + 1
    return (min(cited), max(cited)) if named and whole <= WIDEST and whole == len(cited) else (first, last)
