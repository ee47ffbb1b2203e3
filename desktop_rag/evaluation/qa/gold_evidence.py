"""Where the evidence of a question lies in its library, and a library that has lost it."""

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
    """Lines of a content that answer a question, or a part of it."""

    content: ContentId
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """The evidence of one question by its number; None for what the library does not hold."""

    places: tuple[GoldPlace | None, ...]

    def within(self, content: ContentId, first_line: int, last_line: int) -> tuple[int, ...]:
        """Return the numbers of the evidence that these lines touch."""
        return tuple(
            number
            for number, place in enumerate(self.places)
            if place and place.content == content and place.first_line <= last_line and first_line <= place.last_line
        )

    def documents(self, content: ContentId) -> tuple[int, ...]:
        """Return the numbers of the evidence that stands somewhere in a content."""
        return self.within(content, 1, LAST)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of what the library does not hold."""
        return tuple(number for number, place in enumerate(self.places) if place is None)

    @property
    def contents(self) -> frozenset[ContentId]:
        """The contents that hold any of it."""
        return frozenset(place.content for place in self.places if place)


def locate(question: QaQuestion, retriever: Retriever, stop: Stop) -> GoldEvidence:
    """Find the evidence of a question, by the hash of the files it lies in."""
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


class LibraryWithoutEvidence(SearchEngine):
    """A library from which some contents are taken away: no search or list shows them, so nothing can open them."""

    hidden: frozenset[ContentId] = frozenset()

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Search for as many more as may have to go."""
        if not self.hidden:
            return super().search(request, stop)
        more = (request.per_file or request.limit) * len(self.hidden)
        result = super().search(replace(request, limit=request.limit + more), stop)
        left = [hit for hit in result.hits if hit.content not in self.hidden][: request.limit]
        return replace(result, hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(left, 1)))

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count documents among those that are left."""
        counted = super().clauses(request, stop)
        catalog = self._catalog()
        if not self.hidden or catalog is None:
            return counted
        left = catalog.visible_contents(request.scope.folders) - self.hidden
        if request.scope.contents:
            left &= frozenset(request.scope.contents)
        if not left:
            return tuple(replace(clause, documents=0) for clause in counted)
        return super().clauses(replace(request, scope=replace(request.scope, contents=tuple(left))), stop)

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """List those that are left."""
        found = super().documents(query, stop)
        left = [at for at, card in enumerate(found.cards) if card.content not in self.hidden]
        gone = len(found.cards) - len(left)
        cards = tuple(found.cards[at] for at in left)
        fits = tuple(found.fits[at] for at in left if at < len(found.fits))
        return replace(found, total=found.total - gone, cards=cards, fits=fits)
