"""Ranks the chunks of a library for a query in each search mode."""

import os
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, assert_never

from desktop_rag.errors import EncoderError, LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import MatchReason, Mode, SearchRequest, Sort
from desktop_rag.retrieval.query.highlights import Highlighter
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import Either, Not, Word, binds, conjuncts, wanted
from desktop_rag.retrieval.ranking.hybrid_pool import HybridPool, in_another_language, plain_text
from desktop_rag.retrieval.ranking.link_boost import LINKING
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk, RankedChunks, sort_key
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.keyword import (
    Contents,
    ScoredChunks,
    contents_array,
    keyword_search,
    matching_contents,
)
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch
from desktop_rag.retrieval.retrievers.substring import substring_search
from desktop_rag.retrieval.retrievers.vector import STRANGE, EncodedQuery, SentenceVectors, VectorRetriever
from desktop_rag.stop import Stop

POOL = 100  # the least number of chunks of each list that are fused; a larger pool changes none of the measures
SEEDS = 50  # best keyword hits whose sentences may be encoded on demand
NEAREST = 1_000  # top-k whose documents are counted in modes without a Boolean match set
_EVERYTHING = 100_000
_GROWTH = 4  # of the nearest chunks that are looked at, until enough fulfil the conditions on files
_FEW_WORDS = 3
_ACROSS = 0.5  # share of `close` for passages in another language, whose scores are lower; see docs/encoders.md
_MOST_SKIPPED = 2_000  # matches among the nearest passages that `similar` looks past


class _Matches(NamedTuple):
    """The best keyword matches, and whether there are more.

    `every` are all of them if the query has operators: then nothing else may be found. `note` as in `RankedChunks`.
    """

    best: ScoredChunks
    truncated: bool
    every: ScoredChunks | None = None
    note: str = ""


class Ranker:
    """Ranks by the indexes of one catalog; `keywords` opens the current keyword index.

    `published`: use the formulas of the papers, see `SearchRequest`. `sort` orders queries of file conditions alone.
    `stored` are compared instead of the vectors of all documents.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        keywords: Callable[[], KeywordReader],
        vectors: VectorRetriever,
        request: SearchRequest | None = None,
        stored: SentenceVectors | None = None,
    ) -> None:
        self._catalog = catalog
        self._stored = stored
        self._keywords = keywords
        self._vectors = vectors
        self._published = request is not None and request.published
        self._sort = request.sort if request is not None else Sort.RELEVANCE
        self._reverse = request is not None and request.reverse

    def rank(self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        """Return the best `limit` chunks."""
        if query.words is None:
            return self._listed(query, limit, candidates)
        match mode:
            case Mode.KEYWORD:
                return _numbered(self._keyword_matches(query, limit, candidates, stop), limit)
            case Mode.EXACT:
                keywords, published = self._keywords(), self._published
                found = substring_search(
                    self._catalog, keywords, query.words, candidates, limit, stop, published=published
                )
                return _numbered(found, limit)
            case Mode.SEMANTIC:
                return self._semantic(query, limit, candidates, stop)
            case Mode.HYBRID | Mode.LINKED | Mode.RERANKED | Mode.BEST:
                return self._hybrid(query, mode, limit, candidates, stop)
        assert_never(mode)

    def contents(
        self,
        query: Query,
        mode: Mode,
        candidates: Candidates,
        stop: Stop,
        listed: frozenset[ContentId] = frozenset(),
    ) -> Contents:
        """Return the contents that match the query, each once.

        Without a Boolean match set, in exact mode and for plain words by meaning, those of the top `NEAREST` chunks;
        in modes with words and meaning those with a word, else those that are `listed`, else the nearest.
        """
        if query.words is None:
            return contents_array(candidates.contents)
        bound = binds(query.words)
        if mode is Mode.EXACT or (mode is Mode.SEMANTIC and not bound):
            ranked = self.rank(query, mode, NEAREST, candidates, stop)
            return contents_array(self._catalog.chunks.contents_of(found.chunk for found in ranked.found).values())
        index, matching = self._keywords(), contents_array(())
        if index.watermark.lineage == self._catalog.lineage():  # see `_keyword_matches`
            matching = matching_contents(self._catalog, index, query.words, candidates, stop)
        if len(matching) or bound or mode is Mode.KEYWORD:
            return matching
        if listed:
            return contents_array(listed)
        ranked = self.rank(query, mode.first, POOL, candidates, stop)  # no word was found
        return contents_array(self._catalog.chunks.contents_of(each.chunk for each in ranked.found).values())

    def _listed(self, query: Query, limit: int, candidates: Candidates) -> RankedChunks:
        """Return the first chunk of each document or mail that fulfils the file conditions, by default newest first."""
        if query.files is None:
            return RankedChunks((), complete=True)
        sort = Sort.DATE if self._sort is Sort.RELEVANCE else self._sort
        newest = candidates.newest() if sort is Sort.DATE and not self._reverse else None
        found = (
            list(islice(newest, limit))
            if newest is not None
            else sorted(
                candidates.units(),
                key=lambda unit: (
                    sort_key(sort, os.fsdecode(unit.place.path), unit.dated_ns, unit.place.size),
                    unit.content,
                    unit.first_line,
                ),
                reverse=self._reverse,
            )[:limit]
        )
        chunks = (self._catalog.chunks.at_line(unit.content, unit.first_line) for unit in found)
        return RankedChunks(
            [RankedChunk(chunk, 0.0, MatchReason()) for chunk in chunks if chunk is not None],
            complete=len(found) < limit,
        )

    def _keyword_matches(self, query: Query, limit: int, candidates: Candidates, stop: Stop) -> ScoredChunks:
        index = self._keywords()
        if query.words is None or index.watermark.lineage != self._catalog.lineage():
            return []  # the index was built from another catalog and is about to be replaced
        return keyword_search(self._catalog, index, query.words, limit, candidates, stop)

    def similar(
        self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop
    ) -> Sequence[RankedChunk]:
        """Return the best `limit` chunks near in meaning that do not fulfil a query with operators.

        Nothing with an excluded word is among them, and nothing that is hardly similar. Modes that follow links rank as
        without operators: “director of "Jump for Glory"” leads to the director. Without meaning, its words find them.
        """
        plain = replace(query, words=Either(tuple(map(Word, plain_text(query).split()))))
        try:
            skipped = {chunk for chunk, _ in self._keyword_matches(query, _EVERYTHING, candidates, stop)}
            for part in (each.part for each in conjuncts(query.words) if isinstance(each, Not)):
                unwanted = self._keyword_matches(replace(query, words=part), _EVERYTHING, candidates, stop)
                skipped.update(chunk for chunk, _ in unwanted)
            encoded = self._encoded(query, stop) if mode.by_meaning else None
        except (EncoderError, LibraryError):
            stop.check()
            return ()
        if encoded is None or encoded.note == STRANGE:
            by_words = self._keyword_matches(plain, limit + len(skipped), candidates, stop)
            others = [(rank, *each) for rank, each in enumerate(by_words, start=1) if each[0] not in skipped]
            return [RankedChunk(chunk, score, MatchReason(rank)) for rank, chunk, score in others[:limit]]
        if mode in LINKING:
            ranked = [each.chunk for each in self._hybrid(plain, mode, limit, candidates, stop, far=True).found]
            compared = {each.chunk: each for each in self._vectors.compare(encoded, ranked)}
            near = [compared[chunk] for chunk in ranked if chunk in compared]
        else:
            fetch, allowed = limit + min(len(skipped), _MOST_SKIPPED), candidates.chunks
            near = self._vectors.search(encoded, fetch, allowed, (), Highlighter(()), self._catalog, stop)
            near = self._fitting(near, candidates)
        least = encoded.encoder.description.close
        found = [each for each in near if each.chunk not in skipped and each.best >= least]
        return [
            RankedChunk(each.chunk, each.score, MatchReason(semantic_rank=rank), each.ordinal)
            for rank, each in enumerate(found[:limit], start=1)
        ]

    def _semantic(self, query: Query, limit: int, candidates: Candidates, stop: Stop) -> RankedChunks:
        self._load_ahead()
        matches = self._matches(query, max(SEEDS, limit), candidates, stop)
        try:
            encoded, nearest = self._nearest(query, max(POOL, limit), candidates, matches, stop)
        except EncoderError as error:
            return _keyword_fallback(matches, f"{error} These were found by their words instead.", limit)
        if encoded.note == STRANGE:
            return _keyword_fallback(matches, encoded.note, limit)
        if self._published:
            nearest = [match._replace(whole=match.best) for match in sorted(nearest, key=lambda match: -match.best)]
        keyword_ranks = {chunk: rank for rank, (chunk, _) in enumerate(matches.best, start=1)}
        foreign = in_another_language(self._catalog, query, encoded, {match.chunk for match in nearest})
        ranked = []
        for rank, match in enumerate(nearest, start=1):
            across = match.score if match.chunk in foreign else 0.0
            why = MatchReason(keyword_ranks.get(match.chunk), rank, across=across)
            ranked.append(RankedChunk(match.chunk, match.score, why, match.ordinal))
        complete = len(nearest) < limit
        if matches.every is not None:  # those without vectors follow
            near = {match.chunk for match in nearest}
            others = [(rank, chunk) for rank, (chunk, _) in enumerate(matches.every, start=1) if chunk not in near]
            ranked += [RankedChunk(chunk, 0.0, MatchReason(rank)) for rank, chunk in others] if complete else []
        return RankedChunks(ranked, matches.note, complete, encoder_note=encoded.note)

    def _hybrid(
        self, query: Query, mode: Mode, limit: int, candidates: Candidates, stop: Stop, *, far: bool = False
    ) -> RankedChunks:
        """Return the best by words and meaning; `far`: also what is hardly near to a query of few words."""
        pool = max(POOL, limit)
        self._load_ahead()
        found = self._matches(query, pool, candidates, stop)
        matches, truncated = found.best, found.truncated
        try:
            also = [chunk for chunk, _ in matches]
            encoded, nearest = self._nearest(query, pool, candidates, found, stop, also)
        except EncoderError as error:
            return _keyword_fallback(found, f"{error} These were found by their words only.", limit)
        if encoded.note == STRANGE:
            return _keyword_fallback(found, encoded.note, limit)
        if not (self._published or far):
            nearest = self._near_enough(nearest, query, encoded, set(also))
        fused = HybridPool(
            self._catalog,
            self._vectors,
            query,
            encoded,
            matches,
            nearest,
            stop,
            truncated=truncated,
            published=self._published,
        )
        complete = not truncated and len(nearest) < pool
        return RankedChunks(fused.ranked(mode), found.note, complete, encoder_note=encoded.note)

    def _load_ahead(self) -> None:
        """Load the encoder while the words are searched for; the index is opened first, as its imports need."""
        with suppress(LibraryError):  # the search for words says so
            self._keywords()
        self._vectors.begin_loading()

    def _matches(self, query: Query, limit: int, candidates: Candidates, stop: Stop) -> _Matches:
        bound = binds(query.words)
        try:
            found = self._keyword_matches(query, _EVERYTHING if bound else limit, candidates, stop)
        except LibraryError as error:
            return _Matches([], truncated=False, every=[] if bound else None, note=str(error))
        if bound:
            return _Matches(found[:limit], len(found) > limit, found)
        return _Matches(found, len(found) == limit)

    def _nearest(
        self,
        query: Query,
        limit: int,
        candidates: Candidates,
        matches: _Matches,
        stop: Stop,
        also: Sequence[ChunkId] = (),
    ) -> tuple[EncodedQuery, list[VectorMatch]]:
        """Return the encoded query and the nearest chunks, among the matches if the query has operators."""
        every = matches.every
        chunks = candidates.chunks if every is None else frozenset(chunk for chunk, _ in every)
        seeds = [chunk for chunk, _ in matches.best[:SEEDS]]
        marker = Highlighter(wanted(query.words))
        encoded = self._encoded(query, stop)
        fetch = limit
        while True:
            nearest = self._vectors.search(
                encoded, fetch, chunks, seeds, marker, self._catalog, stop, also, with_titles=not self._published
            )
            if every is not None or not candidates.checked:
                return encoded, nearest
            found = self._fitting(nearest, candidates)
            if len(found) >= limit or len(nearest) < fetch:
                return encoded, found
            fetch *= _GROWTH

    def _fitting(self, found: list[VectorMatch], candidates: Candidates) -> list[VectorMatch]:
        """Return the chunks that fulfil the conditions on files, if the search was not restricted to these."""
        if not candidates.checked:
            return found
        fitting = candidates.fitting(self._catalog.chunks.contents_of(match.chunk for match in found))
        return [match for match in found if match.chunk in fitting]

    def _near_enough(
        self, nearest: list[VectorMatch], query: Query, encoded: EncodedQuery, matches: Set[ChunkId]
    ) -> list[VectorMatch]:
        """Return the keyword matches and what is near enough to be found without a word of the query.

        Few words need more: a longer query is often a sentence, whose answer has a lower score, as has a passage that
        an encoder of several languages finds in another one.
        """
        words, described = len(plain_text(query).split()), encoded.encoder.description
        if words > _FEW_WORDS or len(described.languages) > 1:
            if matches or any(each.best >= described.close for each in nearest):
                return nearest
            close = {each.chunk for each in nearest if each.best >= _ACROSS * described.close}
            return nearest if in_another_language(self._catalog, query, encoded, close) else []
        least = described.close_to_word if words == 1 else described.close_to_few
        return [each for each in nearest if each.chunk in matches or each.best >= least]

    def _encoded(self, query: Query, stop: Stop) -> EncodedQuery:
        encoded = self._vectors.encode_query(plain_text(query), self._catalog, stop)
        return replace(encoded, stored=self._stored) if self._stored is not None else encoded


def _numbered(matches: ScoredChunks, limit: int) -> RankedChunks:
    found = [RankedChunk(chunk, score, MatchReason(rank)) for rank, (chunk, score) in enumerate(matches, start=1)]
    return RankedChunks(found, complete=len(matches) < limit)


def _keyword_fallback(matches: _Matches, note: str, limit: int) -> RankedChunks:
    return replace(_numbered(matches.best, limit), note=note, encoder_missing=True)
