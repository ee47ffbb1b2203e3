"""The links of a team library: names in passages and names of documents share their keys, see `links.mentions`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from desktop_rag.index.catalog.database import Database
from desktop_rag.index.catalog.link_tables import LinkTables
from desktop_rag.index.links.neighbours import COMMONEST
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.team.format.team_indexes import DOCUMENTS, PASSAGES
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.server.json_answers import Json, as_dict, as_int, as_list, hits

_MOST_DOCUMENTS = 2_000  # that carry any of the names

Id = TypeVar("Id")


class TeamLinks(LinkTables):
    """Reads the links from the server."""

    def __init__(self, database: Database, shared: Shared) -> None:
        super().__init__(database)
        self._shared = shared

    def exist(self) -> bool:
        """See the base class."""
        return True

    def keys_in(self, chunks: Sequence[ChunkId]) -> dict[ChunkId, set[int]]:
        """See the base class."""
        found = self._shared.connection.mget_stored(PASSAGES, list(map(str, chunks)), "keys")
        return {chunk: set(map(as_int, found.get(str(chunk), ()))) for chunk in chunks}

    def documents_named(self, keys: Sequence[int]) -> dict[int, list[ContentId]]:
        """See the base class; of names that very many documents have, some are enough."""
        return self._holders(DOCUMENTS, "called", keys, _MOST_DOCUMENTS, ContentId)

    def chunk_counts(self, keys: Sequence[int], most: int) -> dict[int, int]:
        """See the base class."""
        found = {key: min(most, as_int(bucket.get("doc_count"))) for key, bucket in self._buckets(keys).items()}
        return {key: found.get(key, 0) for key in keys}

    def chunks_with(self, keys: Iterable[int]) -> dict[int, list[ChunkId]]:
        """See the base class; of names that more than `COMMONEST` chunks share, some are enough."""
        of: Json = {"aggs": {"of": {"terms": {"field": "chunk", "size": COMMONEST}}}}
        return {
            key: [ChunkId(as_int(each.get("key"))) for each in _buckets(bucket, "of")]
            for key, bucket in self._buckets(list(keys), of).items()
        }

    def chunks_naming(self, content: ContentId, limit: int) -> list[ChunkId]:
        """See the base class."""
        found = self._shared.connection.mget(DOCUMENTS, [str(content)], ("called",))
        names = [as_int(key) for source in found.values() for key in as_list(source.get("called"))]
        holders = self._holders(PASSAGES, "keys", names, limit, ChunkId)
        return list(dict.fromkeys(chunk for chunks in holders.values() for chunk in chunks))[:limit]

    def _buckets(self, keys: Sequence[int], inside: Json | None = None) -> dict[int, Json]:
        """Return what the passages with each of these keys aggregate to."""
        if not keys:
            return {}
        names = list(map(str, keys))
        wanted: Json = {"field": "keys", "include": names, "size": len(names)}
        aggregation: Json = {"keys": {"terms": wanted, **(inside or {})}}
        answer = self._shared.search(PASSAGES, {"query": {"terms": {"keys": names}}, "size": 0, "aggs": aggregation})
        return {as_int(each.get("key")): each for each in _buckets(as_dict(answer.get("aggregations")), "keys")}

    def _holders(
        self, kind: str, field: str, keys: Sequence[int], size: int, of: Callable[[int], Id]
    ) -> dict[int, list[Id]]:
        """Return the entries with each of these keys in a field, of all keys together at most `size`."""
        found: dict[int, list[Id]] = defaultdict(list)
        if keys:
            id_ = "chunk" if kind == PASSAGES else "content"
            body: Json = {"query": {"terms": {field: list(map(str, keys))}}, "size": size, "track_total_hits": False}
            answer = self._shared.search(kind, body | {"stored_fields": "_none_", "docvalue_fields": [field, id_]})
            asked = set(keys)
            for fields in (as_dict(hit["fields"]) for hit in hits(answer)):
                for key in asked.intersection(map(as_int, as_list(fields[field]))):
                    found[key].append(of(as_int(as_list(fields[id_])[0])))
        return found


def _buckets(aggregations: Json, name: str) -> list[Json]:
    return [as_dict(each) for each in as_list(as_dict(aggregations.get(name)).get("buckets"))]
