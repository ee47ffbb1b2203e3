"""Numbers the citations of an answer, locates their words in the lines that the run has read, and checks claims.

A number identifies lines, quote and verdict. A claim is complete only after its last citation: it is checked then.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.calculations import (
    OperandLine,
    Sum,
    about,
    cited_sum,
    operand_lines,
    stands_in,
    stated_results,
    unfolded,
    vouched_figures,
)
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import RawCitation, write_citation
from desktop_rag.agent.citations.claim_facts import ClaimFacts, find_facts
from desktop_rag.agent.citations.names import full_names
from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.references import Reference, References, readable
from desktop_rag.agent.citations.resolve import MAX_QUOTE, SUPPORT_SHARE, CitationResolver, ResolvedCitation
from desktop_rag.agent.citations.source_sentences import paragraph_around
from desktop_rag.agent.citations.support import MAIL_FIELDS, CitedLines, context_above, is_significant, mail_header
from desktop_rag.agent.citations.table_headings import table_header
from desktop_rag.agent.events import Alteration, Citation, Operand, Verdict
from desktop_rag.documents.document import page_of
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold_quote
from desktop_rag.text.sentences import split_sentences

CONTEXT_LINES = 3  # kept before and after the cited lines
MAX_LINE = 4_000
MAX_SENTENCES = 12  # of an answer without citations for which support is sought …
MAX_SUPPORTED = 20_000  # … and characters in which they are looked for


@dataclass(frozen=True, slots=True)
class DroppedCitation:
    """A citation, as the model wrote it and for the user, that points at nothing that was read, and its claim."""

    claim: str
    citation: str
    location: str = ""


@dataclass(frozen=True, slots=True)
class _NumberedCitation:
    """A numbered citation with its original form and its source lines."""

    citation: Citation
    raw: RawCitation
    source: CitedLines


class Citations:
    """The numbered citations of one answer, added as the model writes them."""

    def __init__(
        self,
        references: References,
        lines_read: CitableLines,
        retriever: Retriever,
        stop: Stop,
        question: str = "",
        *,
        tells_moves: bool = False,
    ) -> None:
        self.references = references
        self._lines_read = lines_read
        self._retriever = retriever
        self._stop = stop
        self._question = question
        self._resolver = CitationResolver(references, lines_read, tells_moves)
        self._numbers: dict[tuple[ContentId, int, int, str, Verdict, str], int] = {}
        self._numbered: list[_NumberedCitation] = []
        self._uses: list[tuple[int, RawCitation, str]] = []  # each citation as written, and the claim before it
        self._dropped: list[DroppedCitation] = []
        self._cards: dict[ContentId, DocumentCard | None] = {}
        self._fields: dict[ContentId, tuple[str, ...]] = {}  # of mails

    def all(self) -> tuple[Citation, ...]:
        """Return the citations so far, in order of number."""
        return tuple(numbered.citation for numbered in self._numbered)

    def dropped(self) -> tuple[DroppedCitation, ...]:
        """Return the citations without a number: they point at nothing that was read."""
        return tuple(self._dropped)

    def as_written(self, number: int, before: str) -> str:
        """Return a citation in the model's notation, as it wrote it after the text `before`."""
        said = " ".join(before.split())
        there = [(claim, raw) for used, raw, claim in self._uses if used == number]
        meant = next((raw for claim, raw in reversed(there) if claim and said.endswith(claim)), None)
        direct = (raw for _, raw in there if not self.references.calculation(raw.reference))
        return _as_written(meant or next(direct, self._numbered[number - 1].raw))

    def check(self, claim: str, numbers: Iterable[int]) -> ClaimFacts:
        """Return what is certain of a claim and the lines of these citations together.

        Figures that they lack may be results of the run's calculations: their operands are numbered then.
        """
        self._stop.check()
        numbers = tuple(numbers)
        facts = self._facts(claim, numbers, {})
        written = [self._numbered[number - 1].source.text() for number in numbers]
        lacking = () if facts.quoted else figures_not_in(claim, written)
        return (lacking and self._calculated_facts(claim, numbers, lacking)) or facts

    def _facts(self, claim: str, numbers: Sequence[int], calculated: Mapping[Sum, Mapping[str, int]]) -> ClaimFacts:
        """Return the facts of a claim, its citations, and calculations with the citations of their operands."""
        cited = [self._numbered[number - 1] for number in numbers]
        vouched = [text for each in calculated for text in vouched_figures(each)]
        facts = find_facts(claim, [each.source for each in cited], numbers, vouched)
        if calculated and not facts.quoted:
            placed = (Operand(text, number) for found in calculated.values() for text, number in found.items())
            facts = replace(
                facts,
                computed="; ".join(dict.fromkeys(filter(None, (*map(str, calculated), facts.computed)))),
                operands=tuple(dict.fromkeys((*placed, *facts.operands))),
                related=True,
            )
        invented = [each.raw.quote for each in cited if each.citation.verdict == "not found"]
        nowhere = next((quote for quote in invented if is_significant(quote)), "")
        return replace(facts, altered=Alteration(nowhere)) if nowhere else facts

    def _calculated_facts(self, claim: str, numbers: Sequence[int], lacking: Collection[str]) -> ClaimFacts | None:
        """Return the facts of a claim with the run's calculations that give its figures; None if none does."""
        known = len(self._numbered)
        calculated: dict[Sum, dict[str, int]] = {}
        for stated in stated_results(self.references.sums(), claim, lacking):
            for form in dict.fromkeys((stated, unfolded(stated, self.references.sums()))):
                if form not in calculated and (found := self._number_operands(form, claim, numbers)):
                    calculated[form] = found
                    break
        if calculated:
            every = (number for found in calculated.values() for number in found.values())
            facts = self._facts(claim, tuple(dict.fromkeys((*numbers, *every))), calculated)
            if not (facts.missing or facts.altered):
                return facts
        self._numbers = {key: number for key, number in self._numbers.items() if number <= known}
        del self._numbered[known:]
        return None

    def _number_operands(self, chosen: Sum, claim: str, numbers: Sequence[int]) -> dict[str, int]:
        """Return the citation of each operand: one of `numbers`, or a new one of a line that was read.

        Empty unless all have one. The line must be about the statement, or of a document that is cited.
        """
        documents = {self._numbered[each - 1].citation.content for each in numbers}
        said = f"{chosen.name} {claim} {self._question}"
        read = {operand.text: operand for operand in operand_lines(chosen, said, self._lines_read)}
        found: dict[str, int] = {}
        for text in chosen.operands:
            writing = (each for each in numbers if stands_in(text, self._numbered[each - 1].source.text()))
            number = next(writing, 0) or self._number_read(read.get(text), said, documents)
            if number:
                found[text] = number
            elif text in read:
                return {}
        return found

    def _number_read(self, operand: OperandLine | None, said: str, documents: Collection[ContentId]) -> int:
        """Return the citation of the line of an operand; 0 if it and its headings have no word of the claim."""
        if operand is None or operand.content is None:
            return 0
        content = operand.content
        lines = self._lines_read.within(content, operand.line, operand.line)
        reference = self.references.of_content(content)
        read = about("\n".join((*lines.values(), *self._context_above(content, lines))))
        if reference is None or (content not in documents and read.isdisjoint(about(said))):
            return 0
        return self._number_line(content, operand, RawCitation(reference.name, operand.line, operand.line, ""))

    def _names(self, content: ContentId) -> tuple[str, ...]:
        card = self._card(content)
        return (card.title, readable(card.path.name) if card.path else "") if card else ()

    def cite(self, raw: RawCitation, claim: str) -> tuple[int, ...]:
        """Return the numbers of the citation after `claim`: for a calculation, those of the lines of its operands."""
        if sums := self.references.calculation(raw.reference):
            numbers = self._cite_calculation(sums, raw, claim)
        else:
            number = self.resolve(raw, claim)
            numbers = () if number is None else (number,)
        self._uses += ((number, raw, " ".join(claim.split())) for number in numbers)
        return numbers

    def _cite_calculation(self, sums: Sequence[Sum], raw: RawCitation, claim: str) -> tuple[int, ...]:
        chosen = unfolded(cited_sum(sums, claim) or sums[-1], self.references.sums())
        operands = operand_lines(chosen, f"{claim} {self._question}", self._lines_read)
        numbers: dict[int, None] = {}
        for operand in operands:
            if operand.content is not None:
                numbers[self._number_line(operand.content, operand, raw)] = None
        if not numbers:
            self._dropped.append(DroppedCitation(claim, _as_written(raw)))
            return ()
        return tuple(numbers)

    def _number_line(self, content: ContentId, operand: OperandLine, raw: RawCitation) -> int:
        line = self._lines_read.lines(content)[operand.line]
        quote = _trimmed(line.strip(" \t|") or line.strip(), operand.text, MAX_QUOTE)  # as the row is quoted
        return self._number(ResolvedCitation(content, operand.line, operand.line, quote, "verbatim"), raw)

    def resolve(self, raw: RawCitation, claim: str) -> int | None:
        """Return the number of the citation after `claim`, or None if it points at no line that was read."""
        self._stop.check()
        resolved = self._resolver.resolve(raw, claim)
        if resolved is None:
            location = _claimed_location(self.references.get(raw.reference), raw)
            self._dropped.append(DroppedCitation(claim, _as_written(raw), location))
            return None
        return self._number(resolved, raw)

    def _number(self, resolved: ResolvedCitation, raw: RawCitation) -> int:
        words = fold_quote(resolved.quote)
        moved = self._resolver.tells_moves and resolved.verdict == "misattributed"
        named = _as_written(raw) if moved else ""  # each place that was named is told
        key = (resolved.content, resolved.first_line, resolved.last_line, words, resolved.verdict, named)
        if key not in self._numbers:
            number = self._numbers[key] = len(self._numbered) + 1
            citation = self._citation(number, resolved, raw)
            self._numbered.append(_NumberedCitation(citation, raw, self._source(resolved, raw)))
        return self._numbers[key]

    def find_support(self, text: str) -> tuple[int, ...]:
        """Number lines that support sentences of an answer without citations; return the new numbers."""
        numbers: dict[int, None] = {}
        for start, end in split_sentences(text[:MAX_SUPPORTED])[:MAX_SENTENCES]:
            self._stop.check()
            claim = text[start:end]
            found = self._resolver.best(claim, self._lines_read.contents()) if is_significant(claim) else None
            if found is None or found[1].share < SUPPORT_SHARE:
                continue
            content, support = found
            reference = self.references.of_content(content)
            if reference and not figures_not_in(claim, (support.text,)):
                raw = RawCitation(reference.name, support.first_line, support.last_line, support.text)
                if number := self.resolve(raw, claim):
                    numbers[number] = None
        return tuple(numbers)

    def _source(self, resolved: ResolvedCitation, raw: RawCitation) -> CitedLines:
        """Return the resolved and the named lines of a citation, with the context above them."""
        lines = self._lines_read.within(resolved.content, resolved.first_line, resolved.last_line)
        reference = self.references.get(raw.reference)
        if reference and reference.content == resolved.content and resolved.verdict != "misattributed":
            lines |= self._resolver.cited(reference, raw)
        above = self._context_above(resolved.content, lines)
        known = self._lines_read.lines(resolved.content)
        around = (paragraph_around(known, min(lines), max(lines)), full_names(known, lines)) if lines else ()
        return CitedLines(lines, above, "\n".join(filter(None, around)))

    def _context_above(self, content: ContentId, lines: Mapping[int, str]) -> tuple[str, ...]:
        """Return the context of lines: title, file name, section, the fields of a mail, and what was read above."""
        if not lines:
            return tuple(filter(None, self._names(content)))
        above = (*self._mail_fields(content), *context_above(self._lines_read.lines(content), lines))
        return tuple(dict.fromkeys(filter(None, (*self._names(content), self._section(content, min(lines)), *above))))

    def _mail_fields(self, content: ContentId) -> tuple[str, ...]:
        """Return who wrote a mail to whom, also where only lines of its text were read."""
        if content not in self._fields:
            known = self._lines_read.lines(content)
            if 1 not in known and self._card(content):
                top = self._retriever.read_lines(content, 1, MAIL_FIELDS, self._stop)
                known = dict(enumerate(top.lines, top.first))
            self._fields[content] = mail_header(known)
        return self._fields[content]

    def _citation(self, number: int, resolved: ResolvedCitation, raw: RawCitation) -> Citation:
        reference = self.references.get(raw.reference)
        here = reference if reference and reference.content == resolved.content else None
        here = here or self.references.of_content(resolved.content)
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
            columns=table_header(self._lines_read.lines(resolved.content), resolved.first_line).strip("\n "),
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


def _trimmed(line: str, quote: str, length: int = MAX_LINE) -> str:
    """Return a line for storage; a very long one is cut to the part around the quote."""
    if len(line) <= length:
        return line
    start = max(line.find(quote[:40]) - length // 4, 0)
    return line[start : start + length]


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
        return f'[{raw.reference} "{raw.quote}"]' if raw.quote else f"[{raw.reference}]"
    shift = raw.counts_from - 1
    return write_citation(raw.reference, raw.first + shift, raw.last + shift, raw.quote)
