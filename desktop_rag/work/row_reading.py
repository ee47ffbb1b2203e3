"""The lines of one document that are read for the cells of its row: all of them, or the passages that fit best."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from desktop_rag.agent.citations.claim_facts import find_facts
from desktop_rag.agent.citations.marks import mark_of
from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.citations.support import CitedLines, context_above, is_quotation
from desktop_rag.agent.citations.table_headings import table_header
from desktop_rag.agent.events import Alteration, Citation, Claim, Verdict
from desktop_rag.agent.prompts import data_code
from desktop_rag.agent.run.look.shown_lines import runs_of
from desktop_rag.documents.document import page_of
from desktop_rag.index.records import DocumentLayout
from desktop_rag.llm.chat import Evidence, document_label
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Hit, Mode, Order, Retriever, Scope, SearchRequest
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.reading.find import windows_of
from desktop_rag.stop import Stop
from desktop_rag.text.hidden_characters import as_data
from desktop_rag.text.normalize import fold_quote
from desktop_rag.work.columns import Column
from desktop_rag.work.table import MOST_ROWS, Proof, Row
from desktop_rag.work.work_store import check_rows

MOST_LINES = 2_500  # of a document that is read as a whole
PASSAGES = 8  # of a longer one that are read for a question …
BEGINNING = 20  # … after its first lines, which name parties, authors and dates
AROUND = 3  # lines kept before and after the cited ones
MAX_QUOTE = 600
_AROUND = " .,;|*_-#"
_PLAIN = re.compile(r"[^\w\s'’-]+")


@dataclass(frozen=True, slots=True)
class ReadLines:
    """Lines of a document by number, and whether they are all it has."""

    lines: Mapping[int, str]
    whole: bool

    def evidence(self, reference: str, card: DocumentCard) -> tuple[Evidence, ...]:
        """Return the lines as numbered passages."""
        path = readable(card.path) if card.path else ""
        file = path.replace("\\", "/").rpartition("/")[2]
        return tuple(
            Evidence(reference, card.title or file, first, tuple(texts), file=file, path=path)
            for first, texts in runs_of(self.lines)
        )


class DocumentReading:
    """Reads one document for the questions of its row."""

    def __init__(self, card: DocumentCard, reference: str, retriever: Retriever, stop: Stop) -> None:
        self.card = card
        self.reference = reference
        self.code = data_code()
        self._retriever = retriever
        self._stop = stop
        self._searched: dict[int, str] = {}

    def lines_for(self, question: str, characters: int) -> ReadLines:
        """Return all lines if they have at most so many characters, else the passages that fit a question best."""
        if self.card.lines <= MOST_LINES and self._size <= characters:
            return ReadLines(self._all, whole=True)
        places = [(self.card.content, 1, min(BEGINNING, self.card.lines))]
        words = " ".join(_PLAIN.sub(" ", question).split()).lower()
        if words:
            request = SearchRequest(words, Mode.HYBRID, PASSAGES, Scope(contents=(self.card.content,)), per_file=0)
            spans = [hit.span for hit in self._retriever.search(request, self._stop).hits]
            places += [(self.card.content, span.first_line, span.last_line - span.first_line + 1) for span in spans]
        found: dict[int, str] = {}
        for window in windows_of(self._retriever, places, self._stop):
            for number, line in enumerate(window.lines, window.first):
                if number not in found and characters > 0:
                    found[number] = as_data(line)[:characters]
                    characters -= len(line) + 8
        self._searched |= found
        return ReadLines(dict(sorted(found.items())), whole=False)

    @cached_property
    def _all(self) -> Mapping[int, str]:
        lines: list[str] = []
        while len(lines) < self.card.lines:
            window = self._retriever.read_lines(
                self.card.content, len(lines) + 1, self.card.lines - len(lines), self._stop
            )
            if not window.lines:
                break
            lines += map(as_data, window.lines)
        return dict(enumerate(lines, 1))

    @cached_property
    def _size(self) -> int:
        if self.card.words * 4 > 1_000_000:
            return self.card.words * 4
        return sum(len(line) + 8 for line in self._all.values())

    @cached_property
    def _layout(self) -> DocumentLayout:
        return self._retriever.layout(self.card.content, self._stop)

    def proof(
        self, column: Column, value: str, quote: str, lines: ReadLines, place: tuple[int, int] | None, verdict: Verdict
    ) -> Proof:
        """Return the proof of a value at lines of the document, with what is certain of it.

        Without a place the quoted words stand nowhere.
        """
        first, last = place or (min(lines.lines, default=1),) * 2
        cited = {number: lines.lines[number] for number in range(first, last + 1) if number in lines.lines}
        passage = {
            number: lines.lines[number] for number in range(first - AROUND, last + AROUND + 1) if number in lines.lines
        }
        path = readable(self.card.path) if self.card.path else ""
        section = self._layout.structure.section_of(first)
        citation = Citation(
            number=1,
            reference=self.reference,
            content=self.card.content,
            sha256=self.card.sha256,
            path=path,
            title=self.card.title or path.replace("\\", "/").rpartition("/")[2],
            format=self.card.format,
            page=page_of(self._layout.pages, first) if self.card.pages else None,
            first_line=first,
            last_line=last,
            quote=quote[:MAX_QUOTE],
            passage="\n".join(passage.values()),
            passage_first_line=min(passage, default=first),
            verdict=verdict,
            section=section,
            columns=table_header(lines.lines, first).strip("\n "),
        )
        return Proof(citation, self._claim(column, value, quote, CitedLines(cited, self._above(lines, cited)), place))

    def _above(self, lines: ReadLines, cited: Mapping[int, str]) -> tuple[str, ...]:
        names = (self.card.title, self._layout.structure.section_of(min(cited)) if cited else "")
        return tuple(dict.fromkeys(filter(None, (*names, *context_above(lines.lines, cited)))))

    def _claim(
        self, column: Column, value: str, quote: str, source: CitedLines, place: tuple[int, int] | None
    ) -> Claim:
        statement = statement_of_cell(column, value)
        facts = find_facts(value, [source], (1,))
        altered = facts.altered if place else Alteration(quote)
        whole = any(fold_quote(line).strip(_AROUND) == fold_quote(statement) for line in source.lines.values())
        quoted = bool(place) and (facts.quoted or whole or is_quotation(statement, [source]))
        mark = mark_of(
            cited=True,
            quoted=quoted,
            altered=altered,
            computed=bool(facts.computed),
            missing=bool(facts.missing),
            judgment=None,
        )
        return Claim(0, len(statement), mark, (1,), altered, facts.missing, facts.computed, facts.operands)


def label_of_document(card: DocumentCard) -> str:
    """Return the names of a document: of its file, then its title."""
    return document_label(os.path.basename(readable(card.path)) if card.path else "", card.title)  # noqa: PTH119


def statement_of_cell(column: Column, value: str) -> str:
    """Return the statement that a cell makes."""
    return f"{column.name}: {value}"


# The documents of a table: those that fulfil conditions, those that were chosen, or those of search hits.

MOST_HITS = 200  # documents that a search gives for a table
SAMPLE = 30  # documents in which common labels are looked for
SAMPLE_CHARACTERS = 60_000  # of each


def rows_of(
    retriever: Retriever, filters: tuple[Filter, ...], stop: Stop, scope: Scope | None = None
) -> tuple[Row, ...]:
    """Return the documents that fulfil all filters, by name; raises `LibraryRefused` for too many or none."""
    found = retriever.documents(
        DocumentQuery(scope=scope or Scope(), filters=filters, order=Order.NAME, limit=MOST_ROWS), stop
    )
    check_rows(found.total)
    return rows_of_cards(found.cards)


def documents_of(
    retriever: Retriever, filters: tuple[Filter, ...], query: str | None, stop: Stop, scope: Scope | None = None
) -> tuple[Row, ...]:
    """Return the documents that fulfil the filters; with a query those that it finds, the best first."""
    if query is None:
        return rows_of(retriever, filters, stop, scope)
    request = SearchRequest(query, Mode.HYBRID, MOST_HITS, scope or Scope(), per_file=1, filters=filters)
    return rows_of_hits(retriever.search(request, stop).hits)


def rows_of_cards(cards: Iterable[DocumentCard]) -> tuple[Row, ...]:
    """Return documents as rows, each content once; without those that have no file any more."""
    rows = {
        card.sha256: Row(0, card.sha256, os.fspath(card.path), label_of_document(card))
        for card in cards
        if card.path is not None
    }
    return tuple(rows.values())


def rows_of_hits(hits: Iterable[Hit]) -> tuple[Row, ...]:
    """Return the documents of search hits, the best first; raises `LibraryRefused` for too many or none."""
    rows = {
        hit.sha256: Row(0, hit.sha256, os.fspath(hit.path), document_label(hit.path.name, hit.title)) for hit in hits
    }
    check_rows(len(rows))
    return tuple(rows.values())


def sample_of(retriever: Retriever, rows: Iterable[Row], stop: Stop) -> tuple[tuple[Evidence, ...], ...]:
    """Return the lines of some documents, in which labels that they share can be looked for."""
    every = tuple(rows)
    step = max(1, len(every) // SAMPLE)
    found: list[tuple[Evidence, ...]] = []
    for row in every[::step][:SAMPLE]:
        card = retriever.lookup(row.sha256, None, stop)
        if card is not None:
            reading = DocumentReading(card, "turn1search1", retriever, stop)
            found.append(reading.lines_for("", SAMPLE_CHARACTERS).evidence(reading.reference, card))
    return tuple(found)
