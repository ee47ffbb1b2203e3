"""The gold evidence of a question located in the library, and an engine that hides it."""

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from desktop_rag.evaluation.qa.question_sets import Gold, QaQuestion
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import ClauseCount, DocumentList, DocumentQuery, Retriever, SearchRequest, SearchResult
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

LAST = 1 << 40  # a line beyond every document's end


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """Lines of a content that are gold evidence."""

    content: ContentId
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """The gold evidence of one question, by its number; None where the library does not have it."""

    places: tuple[GoldPlace | None, ...]

    def within(self, content: ContentId, first_line: int, last_line: int) -> tuple[int, ...]:
        """Return the numbers of the evidence that overlaps these lines."""
        return tuple(
            number
            for number, place in enumerate(self.places)
            if place and place.content == content and place.first_line <= last_line and first_line <= place.last_line
        )

    def documents(self, content: ContentId) -> tuple[int, ...]:
        """Return the numbers of the evidence anywhere in a content."""
        return self.within(content, 1, LAST)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the evidence that the library does not have."""
        return tuple(number for number, place in enumerate(self.places) if place is None)

    @property
    def contents(self) -> frozenset[ContentId]:
        """The contents with any of the evidence."""
        return frozenset(place.content for place in self.places if place)


def locate(question: QaQuestion, retriever: Retriever, stop: Stop) -> GoldEvidence:
    """Locate the evidence of a question in the library, by the hashes of its files."""
    return GoldEvidence(tuple(_place(gold, retriever, stop) for gold in question.gold))


def _place(gold: Gold, retriever: Retriever, stop: Stop) -> GoldPlace | None:
    card = retriever.lookup(_sha256(gold.file), gold.file, stop)
    if card is None or not card.lines:
        return None
    if gold.first_line:
        return GoldPlace(card.content, gold.first_line, gold.last_line)
    if not gold.page:
        return GoldPlace(card.content, 1, LAST)
    pages = retriever.layout(card.content, stop).pages
    at = next((index for index, page in enumerate(pages) if page.number == gold.page), None)
    if at is None:
        return None
    last = pages[at + 1].first_line - 1 if at + 1 < len(pages) else LAST
    return GoldPlace(card.content, pages[at].first_line, last)


@lru_cache(maxsize=4096)
def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


class EngineWithoutEvidence(SearchEngine):
    """An engine that hides some contents: no search or list returns them, so the agent cannot open them."""

    hidden: frozenset[ContentId] = frozenset()

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Search for more hits and drop the hidden ones."""
        if not self.hidden:
            return super().search(request, stop)
        more = (request.per_file or request.limit) * len(self.hidden)  # at most this many hits are hidden
        result = super().search(replace(request, limit=request.limit + more), stop)
        left = [hit for hit in result.hits if hit.content not in self.hidden][: request.limit]
        return replace(result, hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(left, 1)))

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count the visible documents."""
        counted = super().clauses(request, stop)
        catalog = self._catalog()
        if not self.hidden or catalog is None:
            return counted
        left = catalog.files.visible_contents(request.scope.folders) - self.hidden
        if request.scope.contents:
            left &= frozenset(request.scope.contents)
        if not left:
            return tuple(replace(clause, documents=0) for clause in counted)
        return super().clauses(replace(request, scope=replace(request.scope, contents=tuple(left))), stop)

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """List the visible documents."""
        found = super().documents(query, stop)
        left = [at for at, card in enumerate(found.cards) if card.content not in self.hidden]
        hidden = len(found.cards) - len(left)
        cards = tuple(found.cards[at] for at in left)
        fits = tuple(found.fits[at] for at in left if at < len(found.fits))
        return replace(found, total=found.total - hidden, cards=cards, fits=fits)
