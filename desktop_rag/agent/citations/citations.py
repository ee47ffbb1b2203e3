"""Numbers the citations of an answer and verifies each against the lines that the run has read.

A number identifies lines and quote. If the lines lack a figure of the claim, the claim is part of the identity too:
only when the claim is complete is it known whether another of its citations contains the figure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import RawCitation, write_citation
from desktop_rag.agent.citations.references import Reference, References, readable
from desktop_rag.agent.citations.resolve import SUPPORT_SHARE, CitationResolver, ResolvedCitation
from desktop_rag.agent.citations.support import (
    CitedLines,
    context_above,
    is_significant,
    missing_figures,
    shares_wording,
)
from desktop_rag.agent.events import Citation
from desktop_rag.documents.document import page_of
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold_quote
from desktop_rag.text.sentences import split_sentences

CONTEXT_LINES = 3  # kept before and after the cited lines
MAX_LINE = 4_000
MAX_SENTENCES = 12  # of an answer without citations for which support is sought


@dataclass(frozen=True, slots=True)
class CitationFailure:
    """A citation that failed verification: its claim, its original text, and the reason, phrased for the model."""

    claim: str
    citation: str
    reason: str


@dataclass(slots=True)
class _NumberedCitation:
    """A numbered citation with its original form, its source lines and the claims it follows."""

    citation: Citation
    raw: RawCitation
    source: CitedLines
    lacks_figure: bool  # its lines do not contain a figure of its claim
    claims: list[str] = field(default_factory=list)


class Citations:
    """The numbered citations of one answer, added as the model writes them."""

    def __init__(self, references: References, lines_read: CitableLines, retriever: Retriever, stop: Stop) -> None:
        self._references = references
        self._lines_read = lines_read
        self._retriever = retriever
        self._stop = stop
        self._resolver = CitationResolver(references, lines_read, self._context_above)
        self._numbers: dict[tuple[ContentId, int, int, str, str], int] = {}
        self._numbered: list[_NumberedCitation] = []
        self._dropped: list[CitationFailure] = []
        self._cards: dict[ContentId, DocumentCard | None] = {}

    def all(self) -> tuple[Citation, ...]:
        """Return the citations so far, in order of number, with their current verdicts."""
        return tuple(map(self._with_verdict, self._numbered))

    def failures(self) -> tuple[CitationFailure, ...]:
        """Return the citations that failed verification; those without any number come last."""
        checked = ((numbered, self._with_verdict(numbered)) for numbered in self._numbered)
        failed = (
            CitationFailure(numbered.claims[0], _as_written(numbered.raw), _reason(citation))
            for numbered, citation in checked
            if citation.verdict == "not found"
        )
        return (*failed, *self._dropped)

    def supports(self, claim: str, numbers: Iterable[int]) -> bool:
        """Return whether the lines of these citations together support `claim`."""
        sources = [self._numbered[number - 1].source for number in numbers if 0 < number <= len(self._numbered)]
        return not missing_figures(claim, sources) and any(shares_wording(claim, source) for source in sources)

    def resolve(self, raw: RawCitation, claim: str) -> int | None:
        """Return the number of the citation after `claim`, or None if it points at no line that was read."""
        self._stop.check()
        resolved = self._resolver.resolve(raw, claim)
        if resolved is None:
            self._dropped.append(CitationFailure(claim, _as_written(raw), "it points at nothing that you have read"))
            return None
        source = self._source(resolved, raw, claim)
        lacks_figure = bool(missing_figures(claim, (source,)))
        words = fold_quote(resolved.quote)
        key = (resolved.content, resolved.first_line, resolved.last_line, words, claim if lacks_figure else "")
        if key not in self._numbers:
            self._numbers[key] = len(self._numbered) + 1
            self._numbered.append(
                _NumberedCitation(self._citation(len(self._numbered) + 1, resolved, raw), raw, source, lacks_figure)
            )
        numbered = self._numbered[self._numbers[key] - 1]
        numbered.claims.append(claim)
        return numbered.citation.number

    def find_support(self, text: str) -> tuple[int, ...]:
        """Number lines that support sentences of an answer without citations; return the new numbers."""
        numbers: dict[int, None] = {}
        for start, end in split_sentences(text)[:MAX_SENTENCES]:
            self._stop.check()
            claim = text[start:end]
            found = self._resolver.best(claim, self._lines_read.contents()) if is_significant(claim) else None
            if found is None or found[1].share < SUPPORT_SHARE:
                continue
            content, support = found
            reference = self._references.of_content(content)
            if reference and not missing_figures(claim, (CitedLines({support.first_line: support.text}),)):
                raw = RawCitation(reference.name, support.first_line, support.last_line, support.text)
                if number := self.resolve(raw, claim):
                    numbers[number] = None
        return tuple(numbers)

    def _with_verdict(self, numbered: _NumberedCitation) -> Citation:
        """Return a citation with its current verdict: a missing figure fails it unless another of the claim has it."""
        if not numbered.lacks_figure:
            return numbered.citation
        claim = numbered.claims[0]
        missing = missing_figures(claim, [other.source for other in self._numbered if claim in other.claims])
        return replace(numbered.citation, verdict="not found", missing=missing) if missing else numbered.citation

    def _source(self, resolved: ResolvedCitation, raw: RawCitation, claim: str) -> CitedLines:
        """Return the resolved and the named lines of a citation, with the context above them if a figure is missing."""
        lines = self._lines_read.within(resolved.content, resolved.first_line, resolved.last_line)
        reference = self._references.get(raw.reference)
        if reference and reference.content == resolved.content and resolved.verdict != "misattributed":
            lines |= self._resolver.cited(reference, raw)
        bare = CitedLines(lines)
        return (
            CitedLines(lines, self._context_above(resolved.content, lines)) if missing_figures(claim, (bare,)) else bare
        )

    def _context_above(self, content: ContentId, lines: Mapping[int, str]) -> tuple[str, ...]:
        """Return the context of lines: title, file name, section, and the headings and headers read above them."""
        card = self._card(content)
        names = [card.title, readable(card.path.name) if card.path else ""] if card else []
        section = self._section(content, min(lines)) if lines else ""
        return tuple(filter(None, (*names, section, *context_above(self._lines_read.lines(content), lines))))

    def _citation(self, number: int, resolved: ResolvedCitation, raw: RawCitation) -> Citation:
        reference = self._references.get(raw.reference)
        here = reference if reference and reference.content == resolved.content else None
        here = here or self._references.of_content(resolved.content)
        card = self._card(resolved.content)
        first, passage = self._passage(resolved)
        path = readable(card.path) if card and card.path else here.path if here else ""
        return Citation(
            number=number,
            reference=here.name if here else raw.reference,
            content=resolved.content,
            sha256=card.sha256 if card else "",
            path=path,
            title=(card.title if card else "") or (here.title if here else path.rpartition("/")[2]),
            format=card.format if card else path.rpartition(".")[2],
            page=self._page(resolved, card),
            first_line=resolved.first_line,
            last_line=resolved.last_line,
            quote=resolved.quote,
            passage=passage,
            passage_first_line=first,
            verdict=resolved.verdict,
            section=self._section(resolved.content, resolved.first_line),
            named=_claimed_location(reference, raw) if resolved.verdict == "misattributed" else "",
            relevancy=raw.relevancy,
        )

    def _card(self, content: ContentId) -> DocumentCard | None:
        if content not in self._cards:
            self._cards[content] = self._retriever.describe(content, self._stop)
        return self._cards[content]

    def _page(self, resolved: ResolvedCitation, card: DocumentCard | None) -> int | None:
        if not card or not card.pages:
            return None
        return page_of(self._retriever.layout(resolved.content, self._stop).pages, resolved.first_line)

    def _section(self, content: ContentId, line: int) -> str:
        if not self._card(content):
            return ""
        return self._retriever.layout(content, self._stop).structure.section_of(line)

    def _passage(self, resolved: ResolvedCitation) -> tuple[int, str]:
        """Return the cited lines with context, from the library or, if the document is gone, from the lines read."""
        first = max(resolved.first_line - CONTEXT_LINES, 1)
        count = resolved.last_line + CONTEXT_LINES - first + 1
        if self._card(resolved.content) is None:
            known = self._lines_read.within(resolved.content, resolved.first_line, resolved.last_line)
            return resolved.first_line, "\n".join(known.values())
        window = self._retriever.read_lines(resolved.content, first, count, self._stop)
        lines = (_trimmed(line, resolved.quote) for line in window.lines)
        return window.first, "\n".join(lines)


def _trimmed(line: str, quote: str) -> str:
    """Return a line for storage; a very long one is cut to the part around the quote."""
    if len(line) <= MAX_LINE:
        return line
    start = max(line.find(quote[:40]) - MAX_LINE // 4, 0)
    return line[start : start + MAX_LINE]


def _claimed_location(reference: Reference | None, raw: RawCitation) -> str:
    """Return the location the model had named, as text for the user; empty if it does not exist."""
    if reference is None:
        return ""
    name = reference.path.replace("\\", "/").rpartition("/")[2] or reference.title
    if raw.first is None or raw.last is None:
        return name
    return f"{name}, " + (f"line {raw.first}" if raw.first == raw.last else f"lines {raw.first}–{raw.last}")


def _as_written(raw: RawCitation) -> str:
    """Return a citation in the model's notation."""
    if raw.first is None or raw.last is None:
        return f"[{raw.reference}]"
    shift = raw.counts_from - 1
    return write_citation(raw.reference, raw.first + shift, raw.last + shift, raw.quote)


def _reason(citation: Citation) -> str:
    if citation.missing:
        return f"the cited lines do not say {', '.join(citation.missing)}"
    return "these words stand nowhere in what you have read" if citation.quote else "nothing read says this"
