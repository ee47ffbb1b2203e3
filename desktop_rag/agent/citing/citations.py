"""Resolves citations to lines the run really read; whatever points elsewhere is moved there or dropped."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.agent.citing.folding import fold
from desktop_rag.agent.citing.reading import Reading
from desktop_rag.agent.citing.references import Reference, References, readable
from desktop_rag.agent.citing.syntax import RawCitation
from desktop_rag.agent.citing.verification import best_support, contains, locate, telling
from desktop_rag.agent.events import Citation, Verdict
from desktop_rag.documents.document import page_of
from desktop_rag.documents.sentences import split_sentences
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.hits import DocumentCard, Retriever
from desktop_rag.stop import Stop

AROUND = 3  # lines of context kept before and after the cited ones
WIDEST = 8  # a citation over more lines is narrowed to those that hold the words
LONGEST_QUOTE = 600
LONGEST_LINE = 4_000
MOVED = 0.3  # share of a claim's words a sentence must hold to receive a citation of unread lines
MOVED_FAR = 0.5  # the same for a citation whose reference does not exist
PROVED = 12  # sentences of an answer without citations that are looked for in the sources
SAME = 0.7  # share of a sentence's words that a source must hold to be offered as its proof
_FIGURE = re.compile(r"\d+")
_QUOTED = re.compile(r'["“„«]([^"”“»]{12,})["”“»]')


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a citation ends up."""

    content: ContentId
    first_line: int
    last_line: int
    quote: str
    verdict: Verdict


class Citations:
    """The numbered citations of one answer, made one by one as the model writes them."""

    def __init__(self, references: References, reading: Reading, retriever: Retriever, stop: Stop) -> None:
        self._references = references
        self._reading = reading
        self._retriever = retriever
        self._stop = stop
        self._numbers: dict[tuple[ContentId, int, int, str], int] = {}
        self._citations: list[Citation] = []
        self._cards: dict[ContentId, DocumentCard | None] = {}

    def all(self) -> tuple[Citation, ...]:
        """Return the citations so far, in order of number."""
        return tuple(self._citations)

    def resolve(self, raw: RawCitation, claim: str) -> int | None:
        """Return the number of a citation behind `claim`, or None if it points at nothing that was read."""
        reference = self._references.get(raw.reference)
        place = self._place(reference, raw, claim)
        if place is None:
            return None
        key = (place.content, place.first_line, place.last_line, fold(place.quote))
        if key not in self._numbers:
            number = len(self._citations) + 1
            self._numbers[key] = number
            here = reference if reference and reference.content == place.content else None
            here = here or self._references.of_content(place.content)
            self._citations.append(self._citation(number, here.name if here else raw.reference, place, here))
        return self._numbers[key]

    def prove(self, text: str) -> tuple[int, ...]:
        """Number the lines read that say what sentences of an answer without citations say."""
        contents = self._reading.contents()
        numbers: dict[int, None] = {}
        for start, end in split_sentences(text)[:PROVED]:
            self._stop.check()
            claim = text[start:end]
            supports = [(c, s) for c in contents if (s := best_support(claim, self._reading.lines(c)))]
            if not supports or not telling(claim):
                continue
            content, support = max(supports, key=lambda found: found[1].share)
            same_figures = set(_FIGURE.findall(claim)) <= set(_FIGURE.findall(support.text))
            reference = self._references.of_content(content)
            if support.share >= SAME and same_figures and reference:
                raw = RawCitation(reference.name, support.first_line, support.last_line, support.text)
                if number := self.resolve(raw, claim):
                    numbers[number] = None
        return tuple(numbers)

    def _place(self, reference: Reference | None, raw: RawCitation, claim: str) -> _Place | None:
        cited = self._cited(reference, raw) if reference else {}
        if telling(raw.quote):
            return self._quoted(reference, raw.quote, cited)
        quoted = _QUOTED.search(claim)
        if quoted and reference and (match := locate(quoted[1], cited)) and match.exact:
            return self._quoted(reference, quoted[1], cited)
        if raw.quote:  # too short to prove anything alone, but it tells which sentence is meant
            claim = f"{claim} {raw.quote}"
        if reference and cited:
            return _supported(reference.content, claim, cited)
        return self._moved(reference, claim)

    def _cited(self, reference: Reference, raw: RawCitation) -> dict[int, str]:
        """Return those of the cited lines that were read; without line numbers, what was read of the passage."""
        if raw.first is not None and raw.last is not None:
            return self._reading.within(reference.content, raw.first, raw.last)
        passage = self._reading.within(reference.content, reference.first_line, reference.last_line)
        return passage or dict(self._reading.lines(reference.content))

    def _quoted(self, reference: Reference | None, quote: str, cited: dict[int, str]) -> _Place | None:
        words = " ".join(quote.split())[:LONGEST_QUOTE]
        if reference and (match := locate(quote, cited)):
            first, last = _narrow(cited, match.first_line, match.last_line)
            return _Place(reference.content, first, last, words, "verbatim" if match.exact else "paraphrase")
        contents = self._reading.contents()
        if reference:
            contents = (reference.content, *(other for other in contents if other != reference.content))
        for content in contents:
            if match := locate(quote, self._reading.lines(content)):
                return _Place(content, match.first_line, match.last_line, words, "misattributed")
        if reference and cited:
            first, last = _narrow(cited, min(cited), min(max(cited), min(cited) + WIDEST - 1))
            return _Place(reference.content, first, last, words, "not found")
        return None

    def _moved(self, reference: Reference | None, claim: str) -> _Place | None:
        """Return the sentence among all that was read which carries the claim, if one does."""
        contents = (reference.content,) if reference else self._reading.contents()
        enough = MOVED if reference else MOVED_FAR
        supports = [(c, s) for c in contents if (s := best_support(claim, self._reading.lines(c)))]
        if not supports:
            return None
        content, support = max(supports, key=lambda found: found[1].share)
        if support.share < enough:
            return None
        return _Place(content, support.first_line, support.last_line, support.text[:LONGEST_QUOTE], "misattributed")

    def _citation(self, number: int, name: str, place: _Place, reference: Reference | None) -> Citation:
        card = self._card(place.content)
        first, passage = self._passage(place)
        path = readable(card.path) if card and card.path else reference.path if reference else ""
        return Citation(
            number=number,
            reference=name,
            content=place.content,
            sha256=card.sha256 if card else "",
            path=path,
            title=(card.title if card else "") or (reference.title if reference else path.rpartition("/")[2]),
            format=card.format if card else path.rpartition(".")[2],
            page=self._page(place, card),
            first_line=place.first_line,
            last_line=place.last_line,
            quote=place.quote,
            passage=passage,
            passage_first_line=first,
            verdict=place.verdict,
            section=self._section(place, card),
        )

    def _card(self, content: ContentId) -> DocumentCard | None:
        if content not in self._cards:
            self._cards[content] = self._retriever.describe(content, self._stop)
        return self._cards[content]

    def _page(self, place: _Place, card: DocumentCard | None) -> int | None:
        if not card or not card.pages:
            return None
        return page_of(self._retriever.layout(place.content, self._stop).pages, place.first_line)

    def _section(self, place: _Place, card: DocumentCard | None) -> str:
        if not card:
            return ""
        return self._retriever.layout(place.content, self._stop).structure.section_of(place.first_line)

    def _passage(self, place: _Place) -> tuple[int, str]:
        """Return the cited lines with their surroundings; from what was read if the library has lost them."""
        first = max(place.first_line - AROUND, 1)
        count = place.last_line + AROUND - first + 1
        if self._card(place.content) is None:
            known = self._reading.within(place.content, place.first_line, place.last_line)
            return place.first_line, "\n".join(known.values())
        window = self._retriever.read_lines(place.content, first, count, self._stop)
        lines = (_shown(line, place.quote) for line in window.lines)
        return window.first, "\n".join(lines)


def _supported(content: ContentId, claim: str, cited: dict[int, str]) -> _Place | None:
    """Return the cited lines with their best sentence as the quote."""
    support = best_support(claim, cited)
    if support is None:
        return None
    first, last = _narrow(cited, support.first_line, support.last_line)
    verdict: Verdict = "verbatim" if contains(claim, support.text) else "paraphrase" if support.share else "not found"
    return _Place(content, first, last, support.text[:LONGEST_QUOTE], verdict)


def _shown(line: str, quote: str) -> str:
    """Return a line fit to be kept with a conversation: a huge one is cut around the quote."""
    if len(line) <= LONGEST_LINE:
        return line
    start = max(line.find(quote[:40]) - LONGEST_LINE // 4, 0)
    return line[start : start + LONGEST_LINE]


def _narrow(cited: Mapping[int, str], first: int, last: int) -> tuple[int, int]:
    """Return the lines as cited if they are few and in one piece, else only those that hold the words."""
    whole = max(cited) - min(cited) + 1
    return (min(cited), max(cited)) if whole <= WIDEST and whole == len(cited) else (first, last)
