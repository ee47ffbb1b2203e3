"""The searches of a team library: by words and by sentence vectors, under the conditions of one request."""

import base64
from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.keyword_engine import IndexedChunks
from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats
from desktop_rag.stop import Stop
from desktop_rag.team.team_catalog import LINEAGE, Shared, hits
from desktop_rag.team.team_connection import Json, as_int, as_list
from desktop_rag.team.team_indexes import PASSAGES, RESULT_WINDOW, of_contents
from desktop_rag.team.team_query import request_of

_CACHED_VECTORS = 2_000  # passages, about 30 MB
_VECTOR_BATCH = 200
_NONE: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)


class TeamKeywords:
    """A `KeywordReader` over the passages; `conditions` restrict all searches until they are set again."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.conditions: list[Json] = []

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
        body |= {"size": min(limit, RESULT_WINDOW), "_source": False, "sort": ["_score", {"chunk": "asc"}]}
        body |= {"track_total_hits": False, "track_scores": True}
        if stop is not None:
            stop.check()
        return [(ChunkId(as_int(hit["_id"])), _score(hit)) for hit in hits(self._shared.search(PASSAGES, body))]

    def restricted(self, query: Json, allowed: frozenset[ContentId] | None = None) -> Json:
        """Return a search for passages that match `query` under the conditions, of the `allowed` contents."""
        filters = [*self.conditions, *([of_contents(allowed)] if allowed is not None else [])]
        return {"query": {"bool": {"must": [query], "filter": filters}}}

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
    """The `SentenceVectors` of the passages; a score of the server is converted to a cosine."""

    def __init__(self, shared: Shared, keywords: TeamKeywords) -> None:
        self._shared = shared
        self._keywords = keywords
        self._encoder = ""
        self._cached: OrderedDict[ChunkId, Floats] = OrderedDict()

    @property
    def encoder_id(self) -> str:
        """See `SentenceVectors`."""
        return self._encoder

    @property
    def watermark(self) -> Watermark:
        """See `SentenceVectors`."""
        return Watermark(0, LINEAGE)

    def refresh(self) -> bool:
        """Ask which encoder has made the vectors, once."""
        if not self._encoder:
            self._encoder = max((str(entry.get("encoder") or "") for entry in self._shared.sources()), default="")
        return False

    def close(self) -> None:
        """See `SentenceVectors`."""
        self._cached.clear()

    def search(
        self, query: Floats, limit: int, allowed: frozenset[ChunkId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, int, float]]:
        """See `SentenceVectors`."""
        if allowed is not None and not allowed:
            return []
        if stop is not None:
            stop.check()
        codes = np.rint(query / max(float(np.abs(query).max()), 1e-9) * 127).astype(np.int8)
        filters = [*self._shared.allowed(), *self._keywords.conditions]
        filters += [{"ids": {"values": sorted(map(str, allowed))}}] if allowed is not None else []
        nearest: Json = {"vector": codes.tolist(), "k": limit}
        if filters:
            nearest["filter"] = {"bool": {"filter": filters}}
        body: Json = {
            "query": {"nested": {"path": "sentences", "score_mode": "max", "query": {"knn": {"sentences.v": nearest}}}},
            "size": limit,
            "_source": False,
        }
        found = hits(self._shared.connection.msearch(PASSAGES, [body])[0])
        return [(ChunkId(as_int(hit["_id"])), 0, 2 * _score(hit) - 1) for hit in found]

    def vectors_of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, Floats]:
        """See `SentenceVectors`."""
        wanted = list(dict.fromkeys(chunks))
        missing = [chunk for chunk in wanted if chunk not in self._cached]
        for first in range(0, len(missing), _VECTOR_BATCH):
            ids = list(map(str, missing[first : first + _VECTOR_BATCH]))
            for id_, source in self._shared.connection.mget(PASSAGES, ids, ("vectors",)).items():
                if rows := source.get("vectors"):
                    self._cached[ChunkId(int(id_))] = self._unpacked(str(rows))
        found = {chunk: self._cached[chunk] for chunk in wanted if chunk in self._cached}
        while len(self._cached) > _CACHED_VECTORS:
            self._cached.popitem(last=False)
        return found

    @staticmethod
    def _unpacked(rows: str) -> Floats:
        data = base64.b64decode(rows)
        dimensions = int.from_bytes(data[:2], "little")
        codes = np.frombuffer(data, np.int8, offset=2).reshape(-1, dimensions).astype(np.float32)
        lengths = np.linalg.norm(codes, axis=1, keepdims=True)
        return np.asarray(codes / np.where(lengths > 0, lengths, 1), np.float32)


def _score(hit: Json) -> float:
    score = hit.get("_score")
    if isinstance(score, int | float):
        return float(score)
    sort = as_list(hit.get("sort"))
    return float(sort[0]) if sort and isinstance(sort[0], int | float) else 0.0
