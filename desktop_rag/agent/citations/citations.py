"""Numbers citations of lines the run really read, and says of each what its check found.

A number stands for lines and words and, where a figure of the claim is not in these lines, for that claim alone:
whether another citation behind the same claim holds the figure is known only when the claim is complete.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from desktop_rag.agent.citations.citation_syntax import RawCitation, write_citation
from desktop_rag.agent.citations.context_lines import over
from desktop_rag.agent.citations.lines_read import Reading
from desktop_rag.agent.citations.references import Reference, References, readable
from desktop_rag.agent.citations.resolve import SAME, CitationResolver, ResolvedPlace
from desktop_rag.agent.citations.support import CitedLines, missing_figures, speaks
from desktop_rag.agent.citations.verification import telling
from desktop_rag.agent.events import Citation
from desktop_rag.documents.document import page_of
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold_quote
from desktop_rag.text.sentences import split_sentences

AROUND = 3  # lines of context kept before and after the cited ones
LONGEST_LINE = 4_000
PROVED = 12  # sentences of an answer without citations that are looked for in the sources


@dataclass(frozen=True, slots=True)
class CitationFailure:
    """A citation that proves nothing: what it stood behind, how the model wrote it, and why, in words for the model."""

    claim: str
    citation: str
    reason: str


@dataclass(slots=True)
class _Made:
    """A numbered citation, how the model wrote it, what it shows of its source, and the claims it stands behind."""

    citation: Citation
    raw: RawCitation
    source: CitedLines
    lacking: bool  # a figure of its one claim is not in its lines
    claims: list[str] = field(default_factory=list)


class Citations:
    """The numbered citations of one answer, made one by one as the model writes them."""

    def __init__(self, references: References, reading: Reading, retriever: Retriever, stop: Stop) -> None:
        self._references = references
        self._reading = reading
        self._retriever = retriever
        self._stop = stop
        self._placer = CitationResolver(references, reading, self._above)
        self._numbers: dict[tuple[ContentId, int, int, str, str], int] = {}
        self._made: list[_Made] = []
        self._dropped: list[CitationFailure] = []
        self._cards: dict[ContentId, DocumentCard | None] = {}

    def all(self) -> tuple[Citation, ...]:
        """Return the citations so far, in order of number, as their claims stand now."""
        return tuple(map(self._judged, self._made))

    def failures(self) -> tuple[CitationFailure, ...]:
        """Return the citations that prove nothing; those that had to be dropped come last."""
        judged = ((made, self._judged(made)) for made in self._made)
        failed = (
            CitationFailure(made.claims[0], _written(made.raw), _why(citation))
            for made, citation in judged
            if citation.verdict == "not found"
        )
        return (*failed, *self._dropped)

    def supports(self, claim: str, numbers: Iterable[int]) -> bool:
        """Return whether the lines of some citations carry a sentence that stands before theirs."""
        sources = [self._made[number - 1].source for number in numbers if 0 < number <= len(self._made)]
        return not missing_figures(claim, sources) and any(speaks(claim, source) for source in sources)

    def resolve(self, raw: RawCitation, claim: str) -> int | None:
        """Return the number of a citation behind `claim`, or None if it points at nothing that was read."""
        self._stop.check()
        place = self._placer.place(raw, claim)
        if place is None:
            self._dropped.append(CitationFailure(claim, _written(raw), "it points at nothing that you have read"))
            return None
        source = self._source(place, raw, claim)
        lacking = bool(missing_figures(claim, (source,)))
        words = fold_quote(place.quote)
        key = (place.content, place.first_line, place.last_line, words, claim if lacking else "")
        if key not in self._numbers:
            self._numbers[key] = len(self._made) + 1
            self._made.append(_Made(self._citation(len(self._made) + 1, place, raw), raw, source, lacking))
        made = self._made[self._numbers[key] - 1]
        made.claims.append(claim)
        return made.citation.number

    def find_support(self, text: str) -> tuple[int, ...]:
        """Number the lines read that say what sentences of an answer without citations say."""
        numbers: dict[int, None] = {}
        for start, end in split_sentences(text)[:PROVED]:
            self._stop.check()
            claim = text[start:end]
            found = self._placer.best(claim, self._reading.contents()) if telling(claim) else None
            if found is None or found[1].share < SAME:
                continue
            content, support = found
            reference = self._references.of_content(content)
            if reference and not missing_figures(claim, (CitedLines({support.first_line: support.text}),)):
                raw = RawCitation(reference.name, support.first_line, support.last_line, support.text)
                if number := self.resolve(raw, claim):
                    numbers[number] = None
        return tuple(numbers)

    def _judged(self, made: _Made) -> Citation:
        """Return a citation as it stands now: one that lacks a figure falls unless another one behind it has it."""
        if not made.lacking:
            return made.citation
        claim = made.claims[0]
        lacking = missing_figures(claim, [other.source for other in self._made if claim in other.claims])
        return replace(made.citation, verdict="not found", missing=lacking) if lacking else made.citation

    def _source(self, place: ResolvedPlace, raw: RawCitation, claim: str) -> CitedLines:
        """Return the lines of a citation and those the model named, with what stands over them if that matters."""
        lines = self._reading.within(place.content, place.first_line, place.last_line)
        reference = self._references.get(raw.reference)
        if reference and reference.content == place.content and place.verdict != "misattributed":
            lines |= self._placer.cited(reference, raw)
        bare = CitedLines(lines)
        return CitedLines(lines, self._above(place.content, lines)) if missing_figures(claim, (bare,)) else bare

    def _above(self, content: ContentId, lines: Mapping[int, str]) -> tuple[str, ...]:
        """Return what stands over lines: names of document, file and part, and the headers among what was read."""
        card = self._card(content)
        names = [card.title, readable(card.path.name) if card.path else ""] if card else []
        section = self._section(content, min(lines)) if lines else ""
        return tuple(filter(None, (*names, section, *over(self._reading.lines(content), lines))))

    def _citation(self, number: int, place: ResolvedPlace, raw: RawCitation) -> Citation:
        reference = self._references.get(raw.reference)
        here = reference if reference and reference.content == place.content else None
        here = here or self._references.of_content(place.content)
        card = self._card(place.content)
        first, passage = self._passage(place)
        path = readable(card.path) if card and card.path else here.path if here else ""
        return Citation(
            number=number,
            reference=here.name if here else raw.reference,
            content=place.content,
            sha256=card.sha256 if card else "",
            path=path,
            title=(card.title if card else "") or (here.title if here else path.rpartition("/")[2]),
            format=card.format if card else path.rpartition(".")[2],
            page=self._page(place, card),
            first_line=place.first_line,
            last_line=place.last_line,
            quote=place.quote,
            passage=passage,
            passage_first_line=first,
            verdict=place.verdict,
            section=self._section(place.content, place.first_line),
            named=_named(reference, raw) if place.verdict == "misattributed" else "",
            relevancy=raw.relevancy,
        )

    def _card(self, content: ContentId) -> DocumentCard | None:
        if content not in self._cards:
            self._cards[content] = self._retriever.describe(content, self._stop)
        return self._cards[content]

    def _page(self, place: ResolvedPlace, card: DocumentCard | None) -> int | None:
        if not card or not card.pages:
            return None
        return page_of(self._retriever.layout(place.content, self._stop).pages, place.first_line)

    def _section(self, content: ContentId, line: int) -> str:
        if not self._card(content):
            return ""
        return self._retriever.layout(content, self._stop).structure.section_of(line)

    def _passage(self, place: ResolvedPlace) -> tuple[int, str]:
        """Return the cited lines with their surroundings; from what was read if the library has lost them."""
        first = max(place.first_line - AROUND, 1)
        count = place.last_line + AROUND - first + 1
        if self._card(place.content) is None:
            known = self._reading.within(place.content, place.first_line, place.last_line)
            return place.first_line, "\n".join(known.values())
        window = self._retriever.read_lines(place.content, first, count, self._stop)
        lines = (_shown(line, place.quote) for line in window.lines)
        return window.first, "\n".join(lines)


def _shown(line: str, quote: str) -> str:
    """Return a line fit to be kept with a conversation: a huge one is cut around the quote."""
    if len(line) <= LONGEST_LINE:
        return line
    start = max(line.find(quote[:40]) - LONGEST_LINE // 4, 0)
    return line[start : start + LONGEST_LINE]


def _named(reference: Reference | None, raw: RawCitation) -> str:
    """Return the place a model had named, for a person; empty if there is no such place."""
    if reference is None:
        return ""
    name = reference.path.replace("\\", "/").rpartition("/")[2] or reference.title
    if raw.first is None or raw.last is None:
        return name
    return f"{name}, " + (f"line {raw.first}" if raw.first == raw.last else f"lines {raw.first}–{raw.last}")


def _written(raw: RawCitation) -> str:
    """Return a citation much as the model wrote it."""
    if raw.first is None or raw.last is None:
        return f"[{raw.reference}]"
    shift = raw.counts_from - 1
    return write_citation(raw.reference, raw.first + shift, raw.last + shift, raw.quote)


def _why(citation: Citation) -> str:
    if citation.missing:
        return f"the cited lines do not say {', '.join(citation.missing)}"
    return "these words stand nowhere in what you have read" if citation.quote else "nothing read says this"
