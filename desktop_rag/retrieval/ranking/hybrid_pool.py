"""What a hybrid search has found by words and by meaning, in the order of one of the modes.

`hybrid` orders by the fused scores, `linked` adds the link boost, `hybrid+rerank` re-ranks the best, `linked+rerank`
re-ranks first and then boosts what the new top results link to. Both linked modes put the best of similar titles first.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import MatchReason, Mode
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import Phrase, TextField, Wildcard, Word, binds, leaves, wanted
from desktop_rag.retrieval.ranking.link_boost import asks_by_name, link_boosts, stems
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk
from desktop_rag.retrieval.ranking.reranking import (
    RerankCandidate,
    Reranker,
    fuse,
    reciprocal_rank_fusion,
    rerank_score,
    score_parts,
)
from desktop_rag.retrieval.retrievers.keyword import ScoredChunks
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch
from desktop_rag.retrieval.retrievers.vector import EncodedQuery, VectorRetriever
from desktop_rag.stop import Stop
from desktop_rag.text.language_detection import language_of_query

PENALTY = 0.1  # of the score, times the similarity of the titles


class DocumentTitle(NamedTuple):
    """The document of a chunk, and the stems of its title."""

    content: ContentId
    stems: frozenset[str]


def diversified(
    ranked: Sequence[RankedChunk], titles: Mapping[ChunkId, DocumentTitle], asked: frozenset[str]
) -> list[RankedChunk]:
    """Return the chunks, each with its score less the penalty for the most similar title before it, best first.

    A title of the same document does not count, nor an equal one (several files are called “Minutes”), nor one that
    has further words of the question (`asked`, stems).
    """
    left = {each.chunk: each.score for each in ranked}
    penalties = dict.fromkeys(left, 0.0)
    found: list[RankedChunk] = []
    by_chunk = {each.chunk: each for each in ranked}
    while left:
        best = max(left, key=lambda chunk: left[chunk] - penalties[chunk])
        found.append(by_chunk[best]._replace(score=left.pop(best) - penalties[best]))
        for chunk in left:
            penalties[chunk] = max(penalties[chunk], PENALTY * _similarity(titles[chunk], titles[best], asked))
    return found


def _similarity(one: DocumentTitle, before: DocumentTitle, asked: frozenset[str]) -> float:
    """Return the shared part of the words of two titles (Jaccard)."""
    if one.content == before.content or one.stems == before.stems or (one.stems - before.stems) & asked:
        return 0.0
    return len(one.stems & before.stems) / max(1, len(one.stems | before.stems))


DEPTH = 15  # chunks that are re-ranked; 30 take twice as long and gain nothing
MOST_LINKED = 10  # chunks re-ranked beside them because the best link to them; more change no measure
NAMED_DEPTH, NAMED_LINKED = 12, 5  # the same in `linked+rerank` for questions with names: as good, and less to encode
KEPT, LONG = 0.6, 8  # share of the fused score in that of re-ranking for subjects: questions of so many words, no names


class HybridPool:
    """The best keyword matches and the nearest chunks of one search, with those that links add.

    `truncated`: there are more keyword matches. `published`: fuse by the formula of the papers, see `SearchRequest`.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        vectors: VectorRetriever,
        query: Query,
        encoded: EncodedQuery,
        matches: ScoredChunks,
        nearest: Sequence[VectorMatch],
        stop: Stop,
        *,
        truncated: bool,
        published: bool,
    ) -> None:
        self._catalog = catalog
        self._vectors = vectors
        self._query = query
        self._encoded = encoded
        self._matches = matches
        self._nearest = list(nearest)
        self._stop = stop
        self._truncated = truncated
        self._published = published
        self._foreign = in_another_language(catalog, query, encoded, self._chunks())
        self._named = asks_by_name(query.text, ())
        self._reranker = Reranker(plain_text(query), lambda texts: encoded.similarities(texts, stop))

    def ranked(self, mode: Mode) -> list[RankedChunk]:
        """Return the chunks, best first."""
        match mode:
            case Mode.LINKED:
                return self._linked()
            case Mode.RERANKED:
                return self._best_reranked(self._top())
            case Mode.BEST:
                return self._reranked_and_linked()
            case _:
                return self._fused()

    def _linked(self) -> list[RankedChunk]:
        """Boost what the top results link to."""
        self._stop.check()
        boosts = link_boosts(self._catalog, self._query.text, self._scored())
        self._add(boosts)
        found = _boosted(self._fused(), boosts)
        leading = DEPTH + MOST_LINKED  # as many as mode `linked+rerank` compares
        return _by_score([*self._diversified(found[:leading]), *found[leading:]])

    def _reranked_and_linked(self) -> list[RankedChunk]:
        """Re-rank, and boost what the new top results link to; the most linked of the others are re-ranked, too."""
        depth, most = (NAMED_DEPTH, NAMED_LINKED) if self._named else (DEPTH, MOST_LINKED)
        top = self._top(depth)
        best = [(each.chunk, each.score) for each in self._best_reranked(top)]
        boosts = link_boosts(self._catalog, self._query.text, best)
        linked = sorted(boosts.keys() - top, key=lambda chunk: -boosts[chunk])
        self._add(linked[:most])
        present = self._chunks()
        others = [chunk for chunk in linked if chunk in present][:most]
        return self._best_reranked(top.union(others), boosts, diverse=True)

    def _top(self, depth: int = DEPTH) -> frozenset[ChunkId]:
        return frozenset(chunk for chunk, _ in self._scored()[:depth])

    def _best_reranked(
        self, best: Set[ChunkId], boosts: Mapping[ChunkId, float] | None = None, *, diverse: bool = False
    ) -> list[RankedChunk]:
        """Return `best` by their re-ranking scores and boosts, then the others with scores scaled to stay below."""
        found = self._fused()
        first = _boosted(self._reranked([each for each in found if each.chunk in best]), boosts or {})
        first = self._diversified(first) if diverse else first
        others = [each for each in found if each.chunk not in best]
        if first and others:
            lower = min(1.0, first[-1].score / max(others[0].score, 1e-9))
            others = [each._replace(score=each.score * lower) for each in others]
        return [*first, *others]

    def _reranked(self, found: Sequence[RankedChunk]) -> list[RankedChunk]:
        """Score chunks by their features, without those that were removed from the library meanwhile."""
        chunks = self._catalog.chunks.by_id(each.chunk for each in found)
        contents = self._catalog.contents.by_id({chunk.content for chunk in chunks.values()})
        present = [each for each in found if each.chunk in chunks and chunks[each.chunk].content in contents]
        parts = score_parts(self._matches, self._nearest, truncated=self._truncated, foreign=self._foreign)
        candidates = [
            RerankCandidate(
                chunks[each.chunk], contents[chunks[each.chunk].content].title, each.sentence, parts[each.chunk]
            )
            for each in present
        ]
        self._stop.check()
        features = self._reranker.features(candidates)
        kept = KEPT if not self._named and len(self._query.text.split()) >= LONG else 0.0
        return [
            each._replace(score=kept * each.score + (1 - kept) * rerank_score(one, self._encoded.trust), features=one)
            for each, one in zip(present, features, strict=True)
        ]

    def _diversified(self, ranked: Sequence[RankedChunk]) -> list[RankedChunk]:
        """Put the best of documents with similar titles first if the question has names."""
        if not self._named:
            return list(ranked)
        contents = self._catalog.chunks.contents_of(each.chunk for each in ranked)
        titles = {each.id: stems(each.title) for each in self._catalog.contents.by_id(set(contents.values())).values()}
        of_chunks = {
            chunk: DocumentTitle(content, titles[content]) for chunk, content in contents.items() if content in titles
        }
        present = [each for each in ranked if each.chunk in of_chunks]  # the others were removed meanwhile
        return diversified(present, of_chunks, stems(self._query.text))

    def _add(self, chunks: Iterable[ChunkId]) -> None:
        """Add the chunks that are missing, unless the query has operators: then nothing else may be found."""
        new = set(chunks) - self._chunks()
        if new and not binds(self._query.words):
            self._nearest += self._vectors.compare(self._encoded, new)
            self._foreign |= in_another_language(self._catalog, self._query, self._encoded, new)

    def _chunks(self) -> Set[ChunkId]:
        return {*(chunk for chunk, _ in self._matches), *(match.chunk for match in self._nearest)}

    def _fused(self) -> list[RankedChunk]:
        """Return every chunk by its fused score, with its ranks by words and by meaning."""
        by_words = {chunk: rank for rank, (chunk, _) in enumerate(self._matches, start=1)}
        near = {match.chunk: (rank, match.ordinal) for rank, match in enumerate(self._nearest, start=1)}
        across = {match.chunk: match.score for match in self._nearest if match.chunk in self._foreign}
        ranked = []
        for chunk, score in self._scored():
            rank, sentence = near.get(chunk, (None, -1))
            why = MatchReason(by_words.get(chunk), rank, across=across.get(chunk, 0.0))
            ranked.append(RankedChunk(chunk, score, why, sentence))
        return ranked

    def _scored(self) -> Sequence[tuple[ChunkId, float]]:
        if self._published:
            return reciprocal_rank_fusion(self._matches, self._nearest)
        weight = self._encoded.encoder.description.semantic_weight * self._encoded.trust
        return fuse(
            self._matches, self._nearest, truncated=self._truncated, semantic_weight=weight, foreign=self._foreign
        )


def in_another_language(
    catalog: CatalogReader, query: Query, encoded: EncodedQuery, chunks: Set[ChunkId]
) -> frozenset[ChunkId]:
    """Return the chunks in another language than the query, if the encoder compares both."""
    asked, description = language_of_query(query.text), encoded.encoder.description
    if asked not in description.languages or len(description.languages) == 1:
        return frozenset()
    contents = catalog.chunks.contents_of(chunks)
    languages = catalog.contents.languages_of(set(contents.values()))
    return frozenset(
        chunk for chunk, content in contents.items() if description.crosses(asked, languages.get(content, ""))
    )


def plain_text(query: Query) -> str:
    """Return the text to encode for a query: as typed if it has no operators, else its positive words."""
    plain = query.files is None and not binds(query.words)
    if plain and all(_is_plain(leaf) for leaf in leaves(query.words)):
        return query.text
    positive = wanted(query.words)
    return " ".join(leaf.pattern.strip("*?") if isinstance(leaf, Wildcard) else leaf.text for leaf in positive)


def _is_plain(leaf: object) -> bool:
    match leaf:
        case Word(field=TextField.ANY, boost=1.0) | Phrase(lifts=True):
            return True
        case _:
            return False


def _boosted(found: Sequence[RankedChunk], boosts: Mapping[ChunkId, float]) -> list[RankedChunk]:
    return _by_score([each._replace(score=each.score + boosts.get(each.chunk, 0.0)) for each in found])


def _by_score(found: Sequence[RankedChunk]) -> list[RankedChunk]:
    return sorted(found, key=lambda each: -each.score)
