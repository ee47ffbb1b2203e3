"""Finds out why a search shows a file or not, by asking the engine's own lists deeper than a search does.

The places are those of `Ranker` itself, with the same pools of chunks as the search that is explained; only where the
file is not among them is it asked for more.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from pathlib import Path

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.neighbours import neighbours
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Filter, Hit, Mode, Scope, SearchRequest
from desktop_rag.retrieval.explain.clauses import demands, says_nothing, spelled
from desktop_rag.retrieval.explain.explanation import BestLine, Clause, InSearch, ListPlace, QueryPart
from desktop_rag.retrieval.query.file_conditions import fulfils
from desktop_rag.retrieval.query.filters import condition
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All, FileLeaf, Node, TextLeaf
from desktop_rag.retrieval.ranking.hit_assembly import Assembly, fetches, path_of
from desktop_rag.retrieval.ranking.link_boost import LEADING
from desktop_rag.retrieval.ranking.ranker import RankedChunk, RankedChunks, Ranker
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

_LISTS = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID)
_MOST_PASSAGES = 100_000  # of one file


class Explainer:
    """Explains one search; `typed` is what its query says, `whole` the same with the filters beside it."""

    def __init__(
        self,
        catalog: CatalogReader,
        ranking: Ranker,
        request: SearchRequest,
        typed: Query,
        whole: Query,
        stop: Stop,
    ) -> None:
        self._catalog = catalog
        self._ranking = ranking
        self._request = request
        self._typed = typed
        self._query = whole
        self._stop = stop

    def explain(self, place: bytes, content: ContentId, hits: Sequence[Hit], candidates: Candidates) -> InSearch:
        """Return how the file at a place stands in a search that shows `hits` of `candidates`."""
        path = Path(os.fsdecode(place))
        chunks = frozenset(self._catalog.chunk_ids_of(content))
        lists = {mode: self._list(mode, chunks, candidates) for mode in self._modes()}
        of_file = [hit for hit in hits if hit.content == content]
        standing_for = next((hit for hit in hits if path in hit.also), None)
        first = of_file[0] if of_file else standing_for
        asked = lists[self._request.mode]
        others = [ranked for _, ranked in lists.values() if ranked is not asked[1]]
        return InSearch(
            self._request.query,
            self._request.mode,
            self._request.limit,
            place=first.rank if first else None,
            shown=len(of_file),
            capped=_capped(hits, asked[1], chunks),
            instead=first.path if first and first.path != path else None,
            clauses=tuple(self._clauses(content)),
            places=tuple(place for place, _ in lists.values()),
            led_by=self._led_by(lists[Mode.HYBRID][1], content, chunks) if self._request.mode is Mode.LINKED else (),
            excluded=content not in candidates.contents,
            together=self._matches(self._query.words, content) > 0 if self._query.words is not None else True,
            best=self._best(content, [asked[1], *others], chunks),
            note=asked[1].note,
        )

    def _modes(self) -> tuple[Mode, ...]:
        """Return the lists to look at: where only files are asked for they are all the same."""
        if self._query.words is None:
            return (self._request.mode,)
        return tuple(dict.fromkeys((*_LISTS, self._request.mode)))

    def _list(self, mode: Mode, chunks: frozenset[ChunkId], candidates: Candidates) -> tuple[ListPlace, RankedChunks]:
        """Look for the first of `chunks` in the list of a mode, further and further down."""
        for fetch in fetches(self._request.limit):
            ranked = self._ranking.rank(self._query, mode, fetch, candidates, self._stop)
            if mode is Mode.SEMANTIC and ranked.encoder_missing:
                return ListPlace(mode, None, 0), ranked  # these were found by their words
            rank = next((rank for rank, found in enumerate(ranked.found, start=1) if found.chunk in chunks), None)
            if rank is not None or ranked.complete:
                break
        return ListPlace(mode, rank, len(ranked.found), not ranked.complete), ranked

    def _clauses(self, content: ContentId) -> list[Clause]:
        telling = [(leaf, part) for leaf, part in demands(self._query.words) if not says_nothing(leaf)]
        asked = telling or demands(self._query.words)
        found = [
            Clause(spelled(leaf), part, self._matches(leaf, content), self._is_anywhere(leaf)) for leaf, part in asked
        ]
        return found + list(self._conditions(content))

    def _conditions(self, content: ContentId) -> list[Clause]:
        node = self._typed.files
        parts = node.parts if isinstance(node, All) else (node,) if node is not None else ()
        conditions = [(spelled(part), part) for part in parts]
        today = date.today()
        by_field = groupby(sorted(self._request.filters, key=lambda each: each.field), lambda each: each.field)
        for _, group in by_field:
            same = tuple(group)
            if (beside := condition(same, today)) is not None:
                conditions.append((_typed(same), beside))
        return [Clause(text, QueryPart.OF_FILES, int(self._fulfilled(part, content))) for text, part in conditions]

    def _fulfilled(self, node: Node, content: ContentId) -> bool:
        known = self._catalog.contents((content,)).get(content)
        places = self._catalog.places((content,)).get(content, ())
        return known is not None and any(fulfils(node, known, place) for place in places)

    def _matches(self, node: Node | None, content: ContentId) -> int:
        """Return how many passages of the file fulfil a part of the query, as the mode of the search reads it."""
        alone = Query(self._query.text, node, None)
        only = Candidates(self._catalog, Scope(contents=(content,)), None, self._stop)
        return len(self._ranking.rank(alone, self._words_mode(), _MOST_PASSAGES, only, self._stop).found)

    def _is_anywhere(self, leaf: TextLeaf | FileLeaf) -> bool:
        alone = Query(self._query.text, leaf, None)
        everywhere = Candidates(self._catalog, Scope(), None, self._stop)
        return bool(self._ranking.rank(alone, self._words_mode(), 1, everywhere, self._stop).found)

    def _words_mode(self) -> Mode:
        return Mode.EXACT if self._request.mode is Mode.EXACT else Mode.KEYWORD

    def _led_by(self, hybrid: RankedChunks, content: ContentId, chunks: frozenset[ChunkId]) -> tuple[Path, ...]:
        """Return the documents whose passages lead to the file, of those that stand first."""
        leading = self._catalog.chunks(found.chunk for found in hybrid.found[:LEADING] if found.chunk not in chunks)
        led = neighbours(self._catalog.database, {chunk: known.text for chunk, known in leading.items()})
        leads = [
            chunk
            for chunk, to in led.items()
            if content in to.documents or not chunks.isdisjoint((*to.chunks, *to.thread))
        ]
        contents = self._catalog.contents_of(leads)
        places = self._catalog.places(contents.values())
        return tuple(dict.fromkeys(path_of(found[0]) for found in places.values() if found))

    def _best(self, content: ContentId, lists: Sequence[RankedChunks], chunks: frozenset[ChunkId]) -> BestLine | None:
        """Return the best line of the file: of the first list that has it, else what is nearest in meaning."""
        only = Candidates(self._catalog, Scope(contents=(content,)), None, self._stop)
        ranked = [found for each in lists for found in each.found if found.chunk in chunks][:1]
        if not ranked and self._query.words is not None:
            ranked = list(self._ranking.rank(self._query, Mode.SEMANTIC, 1, only, self._stop).found[:1])
        return self._line(ranked, only) if ranked else None

    def _line(self, ranked: Sequence[RankedChunk], only: Candidates) -> BestLine | None:
        one = replace(self._request, limit=1)
        hits = Assembly(self._catalog, only, one, self._query).hits(ranked, self._stop)
        return BestLine(hits[0].snippet, hits[0].page, hits[0].section) if hits else None


def _capped(hits: Sequence[Hit], ranked: RankedChunks, chunks: frozenset[ChunkId]) -> int:
    """Return how many of `chunks` stand above the last hit without being shown."""
    shown = {hit.chunk for hit in hits}
    order = [found.chunk for found in ranked.found]
    last = max((number for number, chunk in enumerate(order) if chunk in shown), default=0)
    return sum(chunk in chunks and chunk not in shown for chunk in order[:last])


def _typed(filters: Sequence[Filter]) -> str:
    return " or ".join(f"{each.field}:{each.text}" for each in filters)
