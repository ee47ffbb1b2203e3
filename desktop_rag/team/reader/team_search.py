"""The searches of a team library: by words and by sentence vectors, under the conditions of one request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import IndexedChunks
from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.query.highlights import Highlighter
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats, VectorMatch
from desktop_rag.retrieval.retrievers.vector import EncodedQuery, VectorRetriever
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import codes_of, cosine_of, unit_rows
from desktop_rag.team.format.team_indexes import RESULT_WINDOW, of_contents
from desktop_rag.team.reader.team_catalog import LINEAGE
from desktop_rag.team.reader.team_query import request_of
from desktop_rag.team.reader.team_records import FoundPassage, Shared, passage_fields
from desktop_rag.team.server.json_answers import Json

_SENTENCES = "sentences"
_EXACTLY = 10_000  # nearest sentences among those of fewer: all are compared
_NONE: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)


class TeamKeywords:
    """A `KeywordReader` over the passages that fulfil `conditions`.

    The first search also asks for the passages nearest to `ahead`, in the same request; `found_ahead` has that search
    and its answer.
    """

    def __init__(self, shared: Shared, conditions: Sequence[Json] = (), ahead: Floats | None = None) -> None:
        self._shared = shared
        self._conditions = conditions
        self._ahead = ahead
        self.found_ahead: tuple[Json, list[FoundPassage]] | None = None

    @property
    def watermark(self) -> Watermark:
        """See `KeywordReader`."""
        return Watermark(0, LINEAGE)

    def refresh(self) -> bool:
        """See `KeywordReader`."""
        return False

    def close(self) -> None:
        """See `KeywordReader`."""

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        """See `KeywordReader`."""
        if allowed is not None and not allowed:
            return []
        body = self.restricted(request_of(query), allowed)
        body |= {"size": min(limit, RESULT_WINDOW), "sort": ["_score", {"chunk": "asc"}], "track_total_hits": False}
        body |= passage_fields(limit, with_means=False)
        if stop is not None:
            stop.check()
        ahead, self._ahead = self._ahead, None
        bodies = [body, *([self.nearest(ahead, limit, limit)] if ahead is not None else [])]
        answers = self._shared.search_passages(bodies, scored=1)
        self.found_ahead = (bodies[1], answers[1]) if ahead is not None else None
        return [(hit.chunk, hit.score) for hit in answers[0]]

    def nearest(
        self, query: Floats, k: int, limit: int, allowed: frozenset[ChunkId] | None = None, *, located: bool = False
    ) -> Json:
        """Return a search for the passages of the `k` nearest sentences of each shard, under the conditions.

        `located`: each hit names its nearest sentence, for which the server searches once more.
        """
        filters = list(self._conditions)
        filters += [{"ids": {"values": sorted(map(str, allowed))}}] if allowed is not None else []
        known = allowed is not None and all(chunk in self._shared.owners for chunk in allowed)
        nearest: Json = {"vector": codes_of(query).tolist(), "k": min(k, RESULT_WINDOW)}
        if filters := [*self._shared.allowed(), *filters]:
            nearest["filter"] = {"bool": {"filter": filters}}
        wanted: Json = {"path": _SENTENCES, "score_mode": "max", "query": {"knn": {f"{_SENTENCES}.v": nearest}}}
        if located:
            wanted["inner_hits"] = {"size": 1, "stored_fields": "_none_"}
        fields = passage_fields(limit, with_means=not located, with_owners=not known)
        return {"query": {"nested": wanted}, "size": limit, "track_total_hits": False, **fields}

    def restricted(self, query: Json, allowed: frozenset[ContentId] | None = None) -> Json:
        """Return a search for passages that match `query` under the conditions, of the `allowed` contents."""
        filters = [*self._shared.allowed(), *self._conditions]
        filters += [of_contents(allowed)] if allowed is not None else []
        return {"query": {"bool": {"must": [query], "filter": filters}}}

    def contents(
        self, query: KeywordQuery, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> npt.NDArray[np.int64]:
        """Return nothing: the server counts them."""
        del query, allowed, stop
        return np.zeros(0, np.int64)

    def matched(self, queries: Sequence[KeywordQuery], stop: Stop) -> Iterator[bool]:
        """See `KeywordReader`; all are asked for in one request."""
        stop.check()
        if not queries:
            return iter(())
        few: Json = {"size": 1, "track_total_hits": False, **passage_fields(1, with_means=False)}
        found = self._shared.search_passages([self.restricted(request_of(query)) | few for query in queries])
        return map(bool, found)

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return nothing: the words of a team library are not listed."""
        del prefix, limit
        return []

    def chunks(self) -> frozenset[ChunkId]:
        """See `KeywordReader`."""
        return frozenset()

    def indexed_chunks(self) -> IndexedChunks:
        """See `KeywordReader`."""
        return IndexedChunks(_NONE, _NONE)

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """See `KeywordReader`."""
        del keyword, stop
        return np.zeros(0, np.float32)


class TeamVectors:
    """The `SentenceVectors` of the passages; a score of the server is converted to a cosine.

    The vectors stay on the server: it compares the sentences, and each hit brings the mean of its passage. The nearest
    sentence is looked up for the best passages alone. For re-ranking that is done for the `located` nearest ones, else
    for those of the `shown` hits that are nearer by meaning than by their words: the others show their words.
    """

    def __init__(self, shared: Shared, keywords: TeamKeywords, shown: int = 0, located: int = 0) -> None:
        self._shared = shared
        self._keywords = keywords
        self._shown, self._located = shown, located
        self._encoder = ""
        self._asked: Floats | None = None  # by the last search, with what it found
        self._best: dict[ChunkId, float] = {}

    @property
    def encoder_id(self) -> str:
        """See `SentenceVectors`."""
        return self._encoder

    @property
    def watermark(self) -> Watermark:
        """See `SentenceVectors`."""
        return Watermark(0, LINEAGE)

    def refresh(self) -> bool:
        """Find out which encoder has made the vectors, which may change while this runs."""
        self._encoder = max((str(entry.get("encoder") or "") for entry in self._shared.sources()), default="")
        return False

    def close(self) -> None:
        """See `SentenceVectors`."""

    def search(
        self, query: Floats, limit: int, allowed: frozenset[ChunkId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, int, float]]:
        """See `SentenceVectors`; the number of the nearest sentence is not known."""
        if allowed is not None and not allowed:
            return []
        if stop is not None:
            stop.check()
        body = self._keywords.nearest(query, limit, limit, allowed)
        ahead, self._keywords.found_ahead = self._keywords.found_ahead, None
        nearest = ahead[1] if ahead is not None and ahead[0] == body else self._shared.search_passages([body])[0]
        found = self._cosines(nearest)
        self._asked, self._best = query, dict(found)
        return [(chunk, -1, cosine) for chunk, cosine in found]

    def compare(self, query: Floats, chunks: Iterable[ChunkId]) -> list[VectorMatch]:
        """Compare a query with the nearest sentence and the mean of each passage; without vectors it is left out."""
        wanted = frozenset(chunks)
        best = dict(self._best) if self._asked is not None and np.array_equal(self._asked, query) else {}
        if missing := wanted - best.keys():
            body = self._keywords.nearest(query, _EXACTLY, len(missing), missing)
            best |= self._cosines(self._shared.search_passages([body])[0])
        found = [chunk for chunk in best if chunk in wanted and chunk in self._shared.means]
        wholes: list[float] = (
            (unit_rows([self._shared.means[chunk] for chunk in found]) @ query).tolist() if found else []
        )
        return [VectorMatch(chunk, -1, best[chunk], whole) for chunk, whole in zip(found, wholes, strict=True)]

    def expect(self, chunks: Iterable[ChunkId]) -> None:
        """Look the documents of the shown ones of these passages up together with others that are wanted sooner."""
        owners = self._shared.owners
        self._shared.expected = {owners[chunk] for chunk in islice(chunks, self._shown) if chunk in owners}

    def titles(self, titles: Mapping[ContentId, str]) -> dict[str, Floats]:
        """Return the vectors of those titles of documents that came with them."""
        known = {title: self._shared.title_vectors.get(content, "") for content, title in titles.items()}
        packed = {title: vector for title, vector in known.items() if vector}
        return dict(zip(packed, unit_rows(list(packed.values())), strict=True)) if packed else {}

    def vectors_of(self, chunks: Iterable[ChunkId]) -> Iterator[tuple[ChunkId, Floats]]:
        """Yield nothing: the vectors stay on the server."""
        del chunks
        return iter(())

    def with_ordinals(self, query: Floats, found: list[VectorMatch]) -> list[VectorMatch]:
        """Return the matches of a search, those that are located with their nearest sentence."""
        best = [match.chunk for match in found[: self._located] if match.ordinal < 0]
        ordinals = self._ordinals(query, best) if best else {}
        return [match._replace(ordinal=ordinals.get(match.chunk, match.ordinal)) for match in found]

    def with_sentences(self, ranked: Sequence[RankedChunk], mode: Mode) -> Sequence[RankedChunk]:
        """Return the passages of the last search with the nearest sentence of those that show it; fetch their texts."""
        best, others = ranked[: self._shown], ranked[self._shown :]
        if self._asked is None or not mode.by_meaning or not best:
            return ranked
        located = [each.chunk for each in best if each.sentence < 0 and each.is_nearer(mode)]
        ordinals = self._ordinals(self._asked, located, [each.chunk for each in best])
        return [*(each._replace(sentence=ordinals.get(each.chunk, each.sentence)) for each in best), *others]

    def _ordinals(self, query: Floats, chunks: Sequence[ChunkId], shown: Sequence[ChunkId] = ()) -> dict[ChunkId, int]:
        """Return the number of the sentence of each passage that is nearest to a query; fetch those that are `shown`.

        Both are asked for in one request.
        """
        missing = [chunk for chunk in shown if chunk not in self._shared.chunks]
        bodies = (
            [self._keywords.nearest(query, _EXACTLY, len(chunks), frozenset(chunks), located=True)] if chunks else []
        )
        bodies += [self._shared.with_cards(missing)] if missing else []
        answers = self._shared.search_passages(bodies) if bodies else []
        found = answers[0] if chunks else []
        return {hit.chunk: hit.ordinal for hit in found if hit.ordinal >= 0}

    @staticmethod
    def _cosines(found: Sequence[FoundPassage]) -> list[tuple[ChunkId, float]]:
        return [(hit.chunk, cosine_of(hit.score)) for hit in found]


class TeamRetriever(VectorRetriever):
    """Search by meaning without the vectors: a query is compared by the `TeamVectors` of its request."""

    def search(
        self,
        query: EncodedQuery,
        limit: int,
        allowed: frozenset[ChunkId] | None,
        seeds: Sequence[ChunkId],
        marker: Highlighter,
        catalog: CatalogReader,
        stop: Stop,
        also: Sequence[ChunkId] = (),
        *,
        with_titles: bool = True,
    ) -> list[VectorMatch]:
        """See `VectorRetriever`."""
        stored = _stored(query)
        stored.expect(also)
        found = super().search(query, limit, allowed, seeds, marker, catalog, stop, also, with_titles=with_titles)
        return stored.with_ordinals(query.direction, found)

    def _vectors_of_titles(
        self, titles: Mapping[ContentId, str], query: EncodedQuery, stop: Stop
    ) -> Mapping[str, Floats]:
        """Return the vectors of titles; encode those that came without one."""
        stored = _stored(query).titles(titles) if query.comparable else {}
        others = {content: title for content, title in titles.items() if title not in stored}
        return {**stored, **super()._vectors_of_titles(others, query, stop)}

    def _cosines(self, query: EncodedQuery, chunks: Iterable[ChunkId]) -> list[VectorMatch]:
        return _stored(query).compare(query.direction, chunks) if query.comparable else []


def _stored(query: EncodedQuery) -> TeamVectors:
    assert isinstance(query.stored, TeamVectors)
    return query.stored
