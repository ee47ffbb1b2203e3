"""Checks the citations of a text from elsewhere against the library: another program's answer, or a draft.

`citations.written.citation_forms` finds the citations of files in the text, `citation_syntax` those of references
(`[turn1search3 L4-6 "words"]`). Both become numbered links; a citation that points at nothing has a number, too, while
the statements are checked: what stands before it has no other source.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citation_syntax import LINK, RawCitation, write_citation
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.claim_facts import ClaimFacts
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.marks import with_judgment
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.citations.resolve import BESIDE
from desktop_rag.agent.citations.source_sentences import MAX_AROUND
from desktop_rag.agent.citations.support import MAIL_FIELDS
from desktop_rag.agent.citations.table_headings import MAX_ROWS
from desktop_rag.agent.citations.written.citation_forms import WrittenCitation, read_citations
from desktop_rag.agent.citations.written.cited_places import CitedPlace
from desktop_rag.agent.events import Citation, Claim, Judgment, Mark
from desktop_rag.agent.run.named_documents import NamedDocuments
from desktop_rag.agent.run.statements import Statement, StatementKey, statement_of, statements_of
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, shorten
from desktop_rag.text.hidden_characters import as_data

MOST_LINES = 5_000  # of a document that is cited without a place
MOST_CHARACTERS = 200_000  # of a text
_MOST_LISTED = 12  # sources of a whole text that are tried for each statement
_PIECE = 2_000  # characters between two looks at Stop
_UNRESOLVED = 10_000_000  # the numbers of citations that point at nothing begin after it
_TURN_OF_UNRESOLVED = 999_999
_UNRESOLVED_LINK = re.compile(r" ?\[(\d{8,})\]\(cite:\1\)(?!\[)|\[(\d{8,})\]\(cite:\2\)")
_REFERENCE_NUMBERS = re.compile(r"\d+")
_NO_SOURCE = ClaimFacts(related=False)


class Judge(Protocol):
    """A model that finds what the cited lines say of statements, as far as it may be asked."""

    def __call__(
        self, statements: Sequence[Statement], read: CitableLines, retriever: Retriever, stop: Stop
    ) -> Mapping[StatementKey, Judgment]:
        """Return the judgments; raises `Stopped`."""


@dataclass(frozen=True, slots=True)
class UnresolvedCitation:
    """A citation as written that points at nothing in the library, and why."""

    citation: str
    why: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The text with numbered citations (`[1](cite:1)`), each of its statements checked, and what could not be found.

    `trouble` is why a model that was to look did not look at all statements.
    """

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    unresolved: tuple[UnresolvedCitation, ...]
    trouble: str = ""


def check_cited_text(
    text: str,
    retriever: Retriever,
    stop: Stop,
    *,
    references: References | None = None,
    filters: tuple[Filter, ...] = (),
    withheld: Withheld = NOTHING_WITHHELD,
    judge: Judge | None = None,
) -> CheckedText:
    """Compare each statement of a text with the lines it cites; only documents that fulfil `filters` are opened.

    Nothing that is `withheld` is opened: a verdict tells what its lines say. `judge` is a model that compares the
    statements with these lines, too.

    `references` are those that a session of tools has given out. Raises `ValueError` for a text that is too long, and
    as `Retriever`.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"The text has {len(text):,} characters; at most {MOST_CHARACTERS:,} are checked at once.")
    known = references or References(1)
    reading = _CitedLines(retriever, stop, known, filters, withheld)
    read = read_citations(as_data(text))
    written = "".join(reading.in_own_notation(read.parts))
    listed = "".join(reading.in_own_notation(read.listed))
    numbering = _Numbering(reading, Citations(known, reading.lines, retriever, stop, tells_moves=True))
    shown = numbering.numbered(written)
    claims = find_claims(shown, numbering.citations.all(), numbering.check, stop)
    in_text = len(numbering.citations.all())
    if listed and any(claim.mark == "uncited" for claim in claims):
        numbering.numbered(listed)
        claims = tuple(numbering.by_listed(shown, claim) for claim in claims)
    if judge is not None:
        claims = _judged(
            shown, claims, numbering.citations.all(), partial(judge, read=reading.lines, retriever=retriever, stop=stop)
        )
    text, claims = _without_unresolved(shown, claims)
    used = {number for claim in claims for number in claim.citations}
    every = numbering.citations.all()
    citations = tuple(each for each in every if each.number <= in_text or each.number in used)
    return CheckedText(text, citations, claims, tuple(reading.unresolved))


def _judged(
    text: str,
    claims: tuple[Claim, ...],
    citations: tuple[Citation, ...],
    judge: Callable[[Sequence[Statement]], Mapping[StatementKey, Judgment]],
) -> tuple[Claim, ...]:
    statements = statements_of(text, claims, citations)
    judgments = judge(statements) if statements else {}
    found = (judgments.get(statement_of(text, claim, citations).key) for claim in claims)
    return tuple(
        with_judgment(claim, judgment) if judgment else claim for claim, judgment in zip(claims, found, strict=True)
    )


@dataclass(slots=True)
class _Numbering:
    """Numbers the citations of a text, those that point at nothing from `_UNRESOLVED` on."""

    reading: "_CitedLines"
    citations: Citations
    _last: tuple[int, ...] = ()

    def numbered(self, text: str) -> str:
        """Return a text in the tools' notation with links to numbered citations; remember their numbers."""
        stream = CitationStream(self._number)
        self._last = ()
        shown: list[str] = []
        for start in range(0, len(text), _PIECE):
            self.reading.stop.check()
            shown.append(stream.feed(text[start : start + _PIECE]))
        return "".join((*shown, stream.end())).strip()

    def check(self, claim: str, numbers: Sequence[int]) -> ClaimFacts:
        """Compare a claim with those of its citations that point at lines."""
        resolved = tuple(number for number in numbers if number < _UNRESOLVED)
        return self.citations.check(claim, resolved) if resolved or not numbers else _NO_SOURCE

    def by_listed(self, text: str, claim: Claim) -> Claim:
        """Return a claim without a citation as supported if the sources listed for the whole text support it."""
        if claim.mark != "uncited":
            return claim
        words = LINK.sub(" ", text[claim.start : claim.end])
        for numbers in (*((number,) for number in self._last[:_MOST_LISTED]), self._last):
            facts = self.check(words, numbers)
            if numbers and facts.is_borne_out:
                mark: Mark = "quoted" if facts.quoted else "computed" if facts.computed else "unchecked"
                return replace(claim, mark=mark, citations=numbers, computed=facts.computed, operands=facts.operands)
        return claim

    def _number(self, raw: RawCitation, claim: str) -> tuple[int, ...]:
        numbers = self.reading.unresolved_number(raw) or self.citations.cite(raw, claim)
        numbers = numbers or self.reading.nothing_there(raw)
        self._last = (*self._last, *(each for each in numbers if each < _UNRESOLVED and each not in self._last))
        return numbers


def _without_unresolved(text: str, claims: Sequence[Claim]) -> tuple[str, tuple[Claim, ...]]:
    """Return the text without the links of citations that point at nothing, and its claims."""
    spans = [link.span() for link in _UNRESOLVED_LINK.finditer(text)]
    shown = _UNRESOLVED_LINK.sub("", text)

    def moved(offset: int) -> int:
        return offset - sum(min(end, offset) - start for start, end in spans if start < offset)

    return shown, tuple(_resolved_claim(claim, moved(claim.start), moved(claim.end)) for claim in claims)


def _resolved_claim(claim: Claim, start: int, end: int) -> Claim:
    numbers = tuple(number for number in claim.citations if number < _UNRESOLVED)
    if claim.citations and not numbers:
        return Claim(start, end, "uncited", nowhere="")
    return replace(claim, start=start, end=end, citations=numbers)


def _as_written(raw: RawCitation) -> str:
    if raw.first is None or raw.last is None:
        return f"[{raw.reference}]"
    return write_citation(raw.reference, raw.first, raw.last, raw.quote)


@dataclass(slots=True)
class _CitedLines:
    """Reads the lines that a text cites, and writes its citations as the tools do."""

    retriever: Retriever
    stop: Stop
    references: References
    filters: tuple[Filter, ...]
    withheld: Withheld
    lines: CitableLines = field(default_factory=CitableLines)
    unresolved: list[UnresolvedCitation] = field(default_factory=list)
    _empty: dict[str, tuple[str, str]] = field(default_factory=dict)  # by reference: the citation, and why
    _documents: dict[tuple[str, ...], DocumentCard | str] = field(default_factory=dict)  # or why there is none

    @property
    def _named(self) -> NamedDocuments:
        return NamedDocuments(self.retriever, self.filters, self.withheld, self.stop)

    def in_own_notation(self, parts: Sequence[str | WrittenCitation]) -> Iterator[str]:
        """Yield the parts of a text with each citation of a file as one of a reference."""
        for part in parts:
            self.stop.check()
            yield part if isinstance(part, str) else self._citation(part)

    def note(self, citation: str, why: str) -> tuple[int]:
        """Note a citation that points at nothing; return its number."""
        self.unresolved.append(UnresolvedCitation(citation, why))
        return (_UNRESOLVED + len(self.unresolved),)

    def unresolved_number(self, raw: RawCitation) -> tuple[int, ...]:
        """Return the number of a citation that points at nothing, none if it points at lines, which are read."""
        turn, number = map(int, _REFERENCE_NUMBERS.findall(raw.reference)[:2])
        if turn == _TURN_OF_UNRESOLVED:
            return (_UNRESOLVED + number,)
        if self.references.calculation(raw.reference):
            return ()
        reference = self.references.get(raw.reference)
        card = self.retriever.describe(reference.content, self.stop) if reference else None
        if reference is None or card is None:
            return self.note(_as_written(raw), "Nothing that it could mean was found.")
        first, last = raw.first or reference.first_line, raw.last or reference.last_line
        if first > card.lines:
            return self.note(_as_written(raw), f"{_name(card)} has {card.lines:,} lines.")
        self._read(reference.content, first, last)
        return ()

    def _citation(self, written: WrittenCitation) -> str:
        """Return a citation in the tools' notation, or unchanged if it may be none."""
        citation = " ".join(written.written.split())
        made = [raw for place in written.places if (raw := self._located(place, citation))]
        if not made and written.places and not any(place.certain for place in written.places):
            return written.written
        if written.why:
            made.append(self._unresolved(citation, written.why))
        return " ".join(made)

    def _unresolved(self, citation: str, why: str) -> str:
        [number] = self.note(citation, why)
        return f"[turn{_TURN_OF_UNRESOLVED}search{number - _UNRESOLVED}]"

    def _located(self, place: CitedPlace, citation: str) -> str:
        """Return a place in the tools' notation, noted if it does not exist; empty if it may be none."""
        found = self._document(place)
        if isinstance(found, str):
            return self._unresolved(citation, found) if place.certain else ""
        first, last = self._range(found, place)
        if not 1 <= first <= found.lines:
            why = f"no page {place.page}" if place.page and not place.first else plural(found.lines, "line")
            return self._unresolved(citation, f"{_name(found)} has {why}.")
        if place.last > found.lines:
            self.note(
                citation, f"{_name(found)} has {plural(found.lines, 'line')}: those from {first} on were compared."
            )
        has_text = self._read(found.content, first, last)
        reference = self.references.of_lines(found, first, last)
        if not has_text:
            lines = (
                f"Line {first} of {_name(found)} is" if first == last else f"Lines {first}–{last} of {_name(found)} are"
            )
            if last - first >= BESIDE:
                return self._unresolved(citation, f"{lines} empty.")
            self._empty[reference.name] = (citation, f"{lines} empty.")  # a line or two beside them may be meant
        return write_citation(reference.name, first, last, place.quote)

    def nothing_there(self, raw: RawCitation) -> tuple[int]:
        """Note a citation whose lines lead to nothing; return its number."""
        unknown = (_as_written(raw), "Nothing that it could mean was found.")
        return self.note(*self._empty.get(raw.reference, unknown))

    def _range(self, card: DocumentCard, place: CitedPlace) -> tuple[int, int]:
        """Return the first and last cited line; 0 if the page does not exist."""
        if place.first:
            return place.first, min(place.last, card.lines)
        if place.page:
            pages = self.retriever.layout(card.content, self.stop).pages
            first = next((page.first_line for page in pages if page.number == place.page), 0)
            after = [page.first_line for page in pages if page.number > place.last_page]
            return first, after[0] - 1 if after else card.lines
        return 1, card.lines

    def _document(self, place: CitedPlace) -> DocumentCard | str:
        """Return the document of a place, or why there is none."""
        key = (*place.names, place.sha256)
        if key not in self._documents:
            self._documents[key] = self._found(place)
        return self._documents[key]

    def _found(self, place: CitedPlace) -> DocumentCard | str:
        if place.sha256:
            card = self.retriever.lookup(place.sha256, Path(place.names[0]), self.stop)
            if card is not None and self._named.may_read(card):
                return card
        for name in place.names:
            cards = self._named.called(name, certain=place.certain)
            if len(cards) > 1:
                return f"{len(cards)} documents are called {name}: cite one by its path."
            if cards:
                return cards[0]
        return f"There is no such document in the library: {shorten(place.names[-1], 200)}."

    def _read(self, content: ContentId, first: int, last: int) -> bool:
        """Read these lines with those around them, as a run does; return whether they have text.

        The names of columns, headings and the header of a mail stand above, the rest of a paragraph around them.
        """
        last = min(last, first + MOST_LINES - 1)
        top = max(first - MAX_ROWS, 1)
        for begin, end in ((1, min(MAIL_FIELDS, top - 1)), (top, last + MAX_AROUND)):
            if begin <= end:
                window = self.retriever.read_lines(content, begin, end - begin + 1, self.stop)
                self.lines.record(content, window.first, window.lines)
        return any(map(str.strip, self.lines.within(content, first, last).values()))


def _name(card: DocumentCard) -> str:
    return card.path.name if card.path else card.title
