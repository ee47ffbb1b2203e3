"""Orders the chunks of a library for a query: by words, literally, by meaning, by both together, and by links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

import numpy as np

from desktop_rag.errors import EncoderError, LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import MatchReason, Mode
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import Wildcard, Word, is_logical, leaves, wanted
from desktop_rag.retrieval.ranking.fusion import MEANING, Parts, fused, parts, reciprocal
from desktop_rag.retrieval.ranking.link_boost import lifts
from desktop_rag.retrieval.ranking.reranking import DEPTH, RerankCandidate, RerankFeatures, evidence, judged
from desktop_rag.retrieval.reading.highlights import Highlighter
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.keyword import search_words
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch
from desktop_rag.retrieval.retrievers.substring import exact_search
from desktop_rag.retrieval.retrievers.vector import VectorRetriever
from desktop_rag.stop import Stop

POOL = 100  # chunks of either list that are joined, at least; more change nothing that is measured
SEEDS = 50  # best keyword hits whose sentences may be encoded on demand
NEAREST = 1_000  # chunks whose documents are counted where meaning or letters decide
_EVERYTHING = 100_000


class RankedChunk(NamedTuple):
    """A chunk in its place of the order; `sentence` is the number of the one that is nearest in meaning, or -1.

    `evidence` is what speaks for it, if it was looked at once more.
    """

    chunk: ChunkId
    score: float
    why: MatchReason
    sentence: int = -1
    evidence: RerankFeatures | None = None


@dataclass(frozen=True, slots=True)
class RankedChunks:
    """Chunks, best first; `note` says what could not be searched; `complete` that there are no more."""

    found: Sequence[RankedChunk]
    note: str = ""
    complete: bool = False
    encoder_missing: bool = False


class Ranker:
    """Searches the copies of one catalog; `keywords` opens the keyword index as it is now.

    `published`: by the papers' own formulas, see `SearchRequest`.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        keywords: Callable[[], KeywordReader],
        meaning: VectorRetriever,
        *,
        published: bool = False,
    ) -> None:
        self._catalog = catalog
        self._keywords = keywords
        self._meaning = meaning
        self._published = published

    def rank(self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        """Return the best `limit` chunks."""
        if query.words is None:
            return self._newest(query, limit, candidates)
        match mode:
            case Mode.KEYWORD:
                found = self._by_words(query, limit, candidates, stop)
                ranked = [
                    RankedChunk(chunk, score, MatchReason(rank)) for rank, (chunk, score) in enumerate(found, start=1)
                ]
                return RankedChunks(ranked, complete=len(found) < limit)
            case Mode.EXACT:
                matches = exact_search(self._catalog, self._keywords(), query.words, candidates, limit, stop)
                ranked = [
                    RankedChunk(chunk, score, MatchReason(rank)) for rank, (chunk, score) in enumerate(matches, start=1)
                ]
                return RankedChunks(ranked, complete=len(matches) < limit)
            case Mode.SEMANTIC:
                return self._by_meaning(query, limit, candidates, stop)
            case Mode.HYBRID | Mode.LINKED | Mode.RERANKED:
                return self._by_both(query, mode, limit, candidates, stop)
        assert_never(mode)

    def contents(self, query: Query, mode: Mode, candidates: Candidates, stop: Stop) -> frozenset[ContentId]:
        """Return the contents with what the query asks for; by meaning alone, those of the nearest chunks."""
        if query.words is None:
            return candidates.contents
        if mode in (Mode.EXACT, Mode.SEMANTIC):
            ranked = self.rank(query, mode, NEAREST, candidates, stop)
            return frozenset(self._catalog.contents_of(found.chunk for found in ranked.found).values())
        found = np.fromiter((chunk for chunk, _ in self._by_words(query, _EVERYTHING, candidates, stop)), np.uint64)
        texts = self._keywords().texts()
        held = frozenset(map(ContentId, np.unique(texts.contents[np.isin(texts.chunks, found)]).tolist()))
        if mode is Mode.KEYWORD:
            return held
        ranked = self.rank(query, mode.first, POOL, candidates, stop)  # what is near in meaning counts too
        return held.union(self._catalog.contents_of(each.chunk for each in ranked.found).values())

    def _newest(self, query: Query, limit: int, candidates: Candidates) -> RankedChunks:
        """Return the beginning of each document that fulfils the conditions, the newest first."""
        if query.files is None:
            return RankedChunks((), complete=True)
        places = candidates.places(candidates.contents)
        newest = sorted(places, key=lambda content: (-places[content][0].mtime_ns, content))[:limit]
        firsts = (self._catalog.chunk_ids_of(content)[:1] for content in newest)
        return RankedChunks(
            [RankedChunk(chunk, 0.0, MatchReason()) for first in firsts for chunk in first],
            complete=len(newest) < limit,
        )

    def _by_words(self, query: Query, limit: int, candidates: Candidates, stop: Stop) -> list[tuple[ChunkId, float]]:
        index = self._keywords()
        if query.words is None or index.watermark.lineage != self._catalog.lineage():
            return []  # a copy of another catalog is about to be replaced
        return search_words(self._catalog, index, query.words, limit, candidates, stop)

    def _by_meaning(self, query: Query, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        words, note = self._words_or_note(query, max(SEEDS, limit), candidates, stop)
        try:
            nearest = self._nearest(query, max(POOL, limit), candidates, words, stop)
        except EncoderError as error:
            return _of_words(words, f"{error} These were found by their words instead.", limit)
        if self._published:
            nearest = [meant._replace(whole=meant.best) for meant in sorted(nearest, key=lambda meant: -meant.best)]
        ranks = {chunk: rank for rank, (chunk, _) in enumerate(words, start=1)}
        ranked = [
            RankedChunk(meant.chunk, meant.score, MatchReason(ranks.get(meant.chunk), rank), meant.ordinal)
            for rank, meant in enumerate(nearest, start=1)
        ]
        return RankedChunks(ranked, note, complete=len(nearest) < limit)

    def _by_both(self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        pool = max(POOL, limit)
        words, note = self._words_or_note(query, pool, candidates, stop)
        try:
            nearest = self._nearest(query, pool, candidates, words, stop, also=[chunk for chunk, _ in words])
        except EncoderError as error:
            return _of_words(words, f"{error} These were found by their words only.", limit)
        by_words = {chunk: rank for rank, (chunk, _) in enumerate(words, start=1)}
        by_meaning = {meant.chunk: (rank, meant.ordinal) for rank, meant in enumerate(nearest, start=1)}
        scored: Sequence[tuple[ChunkId, float]] = self._fused(words, nearest, cut_off=len(words) == pool)
        if mode is Mode.LINKED:
            stop.check()
            scored = self._with_links(query, words, nearest, scored, cut_off=len(words) == pool)
        ranked = []
        for chunk, score in scored:
            rank, ordinal = by_meaning.get(chunk, (None, -1))
            ranked.append(RankedChunk(chunk, score, MatchReason(by_words.get(chunk), rank), ordinal))
        if mode is Mode.RERANKED:
            known = parts(words, nearest, cut_off=len(words) == pool)
            ranked = self._reranked(query, ranked, known, stop)
        return RankedChunks(ranked, note, complete=len(words) < pool and len(nearest) < pool)

    def _reranked(
        self, query: Query, found: list[RankedChunk], known: Mapping[ChunkId, Parts], stop: Stop
    ) -> list[RankedChunk]:
        """Order the best anew by all that speaks for them; the others follow as they were."""
        best, rest = found[:DEPTH], found[DEPTH:]
        speaking = self._evidence(query, best, known, stop)
        ordered = [
            each._replace(score=judged(speaking[each.chunk], self._meaning.trust), evidence=speaking[each.chunk])
            for each in best
            if each.chunk in speaking
        ]
        ordered.sort(key=lambda each: -each.score)
        if ordered and rest:
            lower = min(1.0, ordered[-1].score / max(rest[0].score, 1e-9))
            rest = [each._replace(score=each.score * lower) for each in rest]
        return [*ordered, *rest]

    def _evidence(
        self, query: Query, best: Sequence[RankedChunk], known: Mapping[ChunkId, Parts], stop: Stop
    ) -> dict[ChunkId, RerankFeatures]:
        """Return what speaks for chunks; one that has just been removed is left out."""
        chunks = self._catalog.chunks(each.chunk for each in best)
        contents = self._catalog.contents({chunk.content for chunk in chunks.values()})
        candidates = [
            RerankCandidate(
                chunks[each.chunk], contents[chunks[each.chunk].content].title, each.sentence, known[each.chunk]
            )
            for each in best
            if each.chunk in chunks and chunks[each.chunk].content in contents
        ]
        stop.check()
        found = evidence(meant_text(query), candidates, lambda texts: self._meaning.nearness(texts, stop))
        return {each.chunk.id: one for each, one in zip(candidates, found, strict=True)}

    def _with_links(
        self,
        query: Query,
        words: Sequence[tuple[ChunkId, float]],
        nearest: Sequence[VectorMatch],
        scored: Sequence[tuple[ChunkId, float]],
        *,
        cut_off: bool,
    ) -> Sequence[tuple[ChunkId, float]]:
        """Let what the best chunks lead to come forward; where the query demands words, only if it has them."""
        lifted = lifts(self._catalog, scored)
        scores = dict(scored)
        strangers = lifted.keys() - scores.keys()
        if strangers and not is_logical(query.words):
            scores = dict(self._fused(words, [*nearest, *self._meaning.compared(strangers)], cut_off=cut_off))
        return sorted(
            ((chunk, score + lifted.get(chunk, 0.0)) for chunk, score in scores.items()), key=lambda one: -one[1]
        )

    def _fused(
        self, words: Sequence[tuple[ChunkId, float]], nearest: Sequence[VectorMatch], *, cut_off: bool
    ) -> Sequence[tuple[ChunkId, float]]:
        if self._published:
            return reciprocal(words, nearest)
        return fused(words, nearest, cut_off=cut_off, share=MEANING * self._meaning.trust)

    def _words_or_note(
        self, query: Query, limit: int, candidates: Candidates, stop: Stop
    ) -> tuple[list[tuple[ChunkId, float]], str]:
        try:
            return self._by_words(query, limit, candidates, stop), ""
        except LibraryError as error:
            return [], str(error)

    def _nearest(
        self,
        query: Query,
        limit: int,
        candidates: Candidates,
        words: Sequence[tuple[ChunkId, float]],
        stop: Stop,
        also: Sequence[ChunkId] = (),
    ) -> list[VectorMatch]:
        allowed = candidates.limiting
        chunks = None if allowed is None else self._catalog.chunk_ids_in(allowed)
        if is_logical(query.words):  # what the query demands or forbids holds for hits by meaning, too
            matching = frozenset(chunk for chunk, _ in self._by_words(query, _EVERYTHING, candidates, stop))
            chunks = matching if chunks is None else chunks & matching
        seeds = [chunk for chunk, _ in words[:SEEDS]]
        marker = Highlighter(wanted(query.words))
        text, titled = meant_text(query), not self._published
        return self._meaning.search(text, limit, chunks, seeds, marker, self._catalog, stop, also, titled=titled)


def meant_text(query: Query) -> str:
    """Return what the query is about in plain words: as typed if it is plain language, else its words."""
    plain = query.files is None and not is_logical(query.words)
    if plain and all(isinstance(leaf, Word) and not leaf.field and leaf.boost == 1.0 for leaf in leaves(query.words)):
        return query.text
    asked = wanted(query.words)
    return " ".join(leaf.pattern.strip("*?") if isinstance(leaf, Wildcard) else leaf.text for leaf in asked)


def _of_words(words: Sequence[tuple[ChunkId, float]], note: str, limit: int) -> RankedChunks:
    found = [RankedChunk(chunk, score, MatchReason(rank)) for rank, (chunk, score) in enumerate(words, start=1)]
    return RankedChunks(found, note, complete=len(words) < limit, encoder_missing=True)
