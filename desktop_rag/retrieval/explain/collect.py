"""Collects the facts that explain why a search finds a file or not.

Ranks come from `Ranker` itself, with the same pool sizes as the explained search; a larger pool is ranked only if the
file is not in it.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from pathlib import Path

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.path_explanation import why
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, Mode, Scope, SearchRequest
from desktop_rag.retrieval.explain.clauses import file_clauses, query_text, text_clauses
from desktop_rag.retrieval.explain.explanation import (
    BestLine,
    Clause,
    Explanation,
    ModeRank,
    QueryPart,
    SearchExplanation,
)
from desktop_rag.retrieval.query.file_conditions import filter_condition, fulfils
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import FileLeaf, Filter, Node, TextLeaf
from desktop_rag.retrieval.ranking.hit_assembly import HitAssembler, path_of, pool_sizes
from desktop_rag.retrieval.ranking.link_boost import LINK_SOURCES, links_of_top
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk, RankedChunks
from desktop_rag.retrieval.ranking.ranker import Ranker
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

_ALWAYS_RANKED = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID)
_MAX_PASSAGES = 100_000  # of one file


def path_status(catalog: CatalogReader, path: Path) -> Explanation:
    """Return whether a file is indexed, and why."""
    status = why(catalog, os.fsencode(path))
    content = catalog.files.content_at(status.path)
    if content is None or content not in catalog.files.visible_contents():
        return Explanation(status)
    _, ready, total = catalog.chunks.chunk_and_sentence_counts((content,))
    return Explanation(status, content, ready / total if total else 1.0)


class Explainer:
    """Explains one search; `typed` is its parsed query, `whole` the same with the filters of the request."""

    def __init__(
        self,
        catalog: CatalogReader,
        ranker: Ranker,
        request: SearchRequest,
        typed: Query,
        whole: Query,
        stop: Stop,
        new_candidates: Callable[[Scope], Candidates],
    ) -> None:
        self._catalog = catalog
        self._ranker = ranker
        self._request = request
        self._typed = typed
        self._query = whole
        self._stop = stop
        self._new_candidates = new_candidates

    def explain(
        self, raw_path: bytes, content: ContentId, hits: Sequence[Hit], candidates: Candidates
    ) -> SearchExplanation:
        """Return the ranks and matches of a file in a search that shows `hits` of `candidates`."""
        path = Path(os.fsdecode(raw_path))
        chunks = frozenset(self._catalog.chunks.ids_of_content(content))
        lists = {mode: self._list(mode, chunks, candidates) for mode in self._modes()}
        of_file = [hit for hit in hits if hit.content == content]
        duplicate = next((hit for hit in hits if path in hit.also), None)
        first = of_file[0] if of_file else duplicate
        _, shown = lists[self._request.mode]
        others = [ranked for _, ranked in lists.values() if ranked is not shown]
        return SearchExplanation(
            self._request.query,
            self._request.mode,
            self._request.limit,
            place=first.rank if first else None,
            shown=len(of_file),
            capped=_capped(hits, shown, chunks),
            duplicate_of=first.path if first and first.path != path else None,
            clauses=tuple(self._clauses(content)),
            ranks=tuple(rank for rank, _ in lists.values()),
            linked_from=self._linked_from(lists[Mode.HYBRID][1], content, chunks)
            if self._request.mode in (Mode.LINKED, Mode.BEST)
            else (),
            excluded=not candidates.allow(content),
            in_one_passage=self._matches(self._query.words, content) > 0 if self._query.words is not None else True,
            best=self._best(content, [shown, *others], chunks),
            note=shown.note,
        )

    def _modes(self) -> tuple[Mode, ...]:
        """Return the modes to rank by; a query of file conditions alone ranks the same in all of them."""
        if self._query.words is None:
            return (self._request.mode,)
        return tuple(dict.fromkeys((*_ALWAYS_RANKED, self._request.mode)))

    def _list(self, mode: Mode, chunks: frozenset[ChunkId], candidates: Candidates) -> tuple[ModeRank, RankedChunks]:
        """Return the rank of the first of `chunks` in a mode, and the pool, which grows until it holds one of them."""
        for size in pool_sizes(self._request.limit, mode, self._query.words):
            ranked = self._ranker.rank(self._query, mode, size, candidates, self._stop)
            if mode is Mode.SEMANTIC and ranked.encoder_missing:
                return ModeRank(mode, None, 0), ranked  # a keyword list, not a semantic one
            rank = next((rank for rank, found in enumerate(ranked.found, start=1) if found.chunk in chunks), None)
            if rank is not None or ranked.complete:
                break
        return ModeRank(mode, rank, len(ranked.found), not ranked.complete), ranked

    def _clauses(self, content: ContentId) -> list[Clause]:
        found = [
            Clause(query_text(leaf), part, self._matches(leaf, content), self._is_anywhere(leaf))
            for leaf, part in text_clauses(self._query.words)
        ]
        return found + self._conditions(content)

    def _conditions(self, content: ContentId) -> list[Clause]:
        conditions = [(query_text(part), part) for part in file_clauses(self._typed.files)]
        today = date.today()
        by_field = groupby(sorted(self._request.filters, key=lambda each: each.field), lambda each: each.field)
        for _, group in by_field:
            same = tuple(group)
            if (node := filter_condition(same, today)) is not None:
                conditions.append((_as_typed(same), node))
        return [Clause(text, QueryPart.OF_FILES, int(self._fulfilled(part, content))) for text, part in conditions]

    def _fulfilled(self, node: Node, content: ContentId) -> bool:
        known = self._catalog.contents.by_id((content,)).get(content)
        places = self._catalog.files.places((content,)).get(content, ())
        return known is not None and any(fulfils(node, known, place) for place in places)

    def _matches(self, node: Node | None, content: ContentId) -> int:
        """Return how many passages of the file match a part of the query: substrings in exact mode, else words."""
        alone = Query(self._query.text, node, None)
        only = self._new_candidates(Scope(contents=(content,)))
        return len(self._ranker.rank(alone, self._words_mode(), _MAX_PASSAGES, only, self._stop).found)

    def _is_anywhere(self, leaf: TextLeaf | FileLeaf) -> bool:
        alone = Query(self._query.text, leaf, None)
        everywhere = self._new_candidates(Scope())
        return bool(self._ranker.rank(alone, self._words_mode(), 1, everywhere, self._stop).found)

    def _words_mode(self) -> Mode:
        return Mode.EXACT if self._request.mode is Mode.EXACT else Mode.KEYWORD

    def _linked_from(self, hybrid: RankedChunks, content: ContentId, chunks: frozenset[ChunkId]) -> tuple[Path, ...]:
        """Return the paths of those top results whose links boost the file."""
        linked = links_of_top(self._catalog, self._query.text, [found.chunk for found in hybrid.found[:LINK_SOURCES]])
        sources = [
            chunk
            for chunk, to in linked.items()
            if chunk not in chunks and (content in to.documents or not chunks.isdisjoint((*to.chunks, *to.thread)))
        ]
        contents = self._catalog.chunks.contents_of(sources)
        places = self._catalog.files.places(contents.values())
        return tuple(dict.fromkeys(path_of(found[0]) for found in places.values() if found))

    def _best(self, content: ContentId, lists: Sequence[RankedChunks], chunks: frozenset[ChunkId]) -> BestLine | None:
        """Return the best line of the file: from the first list that ranks it, else its nearest semantic match."""
        only = self._new_candidates(Scope(contents=(content,)))
        ranked = [found for each in lists for found in each.found if found.chunk in chunks][:1]
        if not ranked and self._query.words is not None:
            ranked = list(self._ranker.rank(self._query, Mode.SEMANTIC, 1, only, self._stop).found[:1])
        return self._line(ranked, only) if ranked else None

    def _line(self, ranked: Sequence[RankedChunk], only: Candidates) -> BestLine | None:
        one = replace(self._request, limit=1)
        hits = HitAssembler(self._catalog, only, one, self._query).hits(ranked, self._stop)
        return BestLine(hits[0].snippet, hits[0].page, hits[0].section) if hits else None


def _capped(hits: Sequence[Hit], ranked: RankedChunks, chunks: frozenset[ChunkId]) -> int:
    """Return how many of `chunks` rank above the last hit but are not shown (cap per file, deduplication)."""
    shown = {hit.chunk for hit in hits}
    order = [found.chunk for found in ranked.found]
    last = max((number for number, chunk in enumerate(order) if chunk in shown), default=0)
    return sum(chunk in chunks and chunk not in shown for chunk in order[:last])


def _as_typed(filters: Sequence[Filter]) -> str:
    return " or ".join(f"{each.field}:{each.text}" for each in filters)
