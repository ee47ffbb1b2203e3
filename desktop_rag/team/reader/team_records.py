"""What the parts of one team catalog share: records fetched from the server by their ids, and what hits say of them."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from desktop_rag.index.records import Chunk, ChunkId, Content, ContentId
from desktop_rag.llm.json_value import as_object
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import CHUNK_PACKING, DOCUMENT_PACKING, DocumentRecord, Packing, Record
from desktop_rag.team.format.team_indexes import DOCUMENTS, LATER, LINES, PASSAGES, SOURCES, in_spaces
from desktop_rag.team.server.json_answers import Json, ServerHit, hits
from desktop_rag.team.server.team_connection import NEAR, TeamConnection

_KNOWN_DOCUMENTS = 4_000
_CACHED_CHUNKS = 4_000
_CACHED_PIECES = 500
_KNOWN_HITS = 20_000  # 12 MB
_AT_ONCE = 500  # documents of one request
_MOST_MEANS = 2_000  # hits of a search that bring the means of their sentence vectors
ASK_SECONDS = 20.0  # between two looks at what seldom changes

Count = Callable[[], object]


class FoundPassage(NamedTuple):
    """A passage that a search with `passage_fields` has found; `ordinal` as in `ServerHit`."""

    chunk: ChunkId
    score: float
    ordinal: int = -1


class Shared:
    """The connection, the reader's spaces, and the caches of one team catalog.

    `documents` are those that were looked up in this request: it begins with `start`, and what was removed or changed
    since the last one is found out; those that are `expected` to be wanted soon are looked up with the next ones.
    `textless` are contents without text that this request has found by their names.
    `owners` (documents), `languages` of documents and `means` (see `document_cards`) are what hits said of passages; a
    passage never changes under its id.
    """

    def __init__(self, connection: TeamConnection, spaces: Sequence[str]) -> None:
        self.connection = connection
        self.spaces = frozenset(spaces)
        self.documents: dict[ContentId, DocumentRecord | None] = {}
        self.textless: dict[ContentId, Content] = {}
        self.expected: set[ContentId] = set()
        self.chunks: OrderedDict[ChunkId, Chunk] = OrderedDict()
        self.pieces: OrderedDict[str, object] = OrderedDict()
        self.owners: OrderedDict[ChunkId, ContentId] = OrderedDict()
        self.means: OrderedDict[ChunkId, str] = OrderedDict()
        self.languages: OrderedDict[ContentId, str] = OrderedDict()
        self.spaces_of: OrderedDict[ContentId, str] = OrderedDict()
        self.title_vectors: OrderedDict[ContentId, str] = OrderedDict()  # packed, of documents that have one
        self._known: OrderedDict[ContentId, tuple[int, DocumentRecord | None]] = OrderedDict()
        self._seldom: dict[object, tuple[float, object]] = {}

    def start(self) -> None:
        """Begin a request, in which every document is looked up again."""
        self.documents.clear()
        self.textless.clear()
        self.expected.clear()
        for cache, most in (
            (self._known, _KNOWN_DOCUMENTS),
            (self.owners, _KNOWN_HITS),
            (self.means, _KNOWN_HITS),
            (self.languages, _KNOWN_HITS),
            (self.spaces_of, _KNOWN_HITS),
            (self.title_vectors, _KNOWN_HITS),
        ):
            while len(cache) > most:
                cache.popitem(last=False)

    def allowed(self) -> list[Json]:
        """Return the filter for the reader's spaces; the server's roles apply besides."""
        return in_spaces(self.spaces)

    def sources(self, stop: Stop | None = None) -> list[Json]:
        """Return the writers of the reader's spaces as they registered themselves not long ago."""
        body: Json = {"query": {"bool": {"filter": self.allowed()}}, "size": 1000}
        path = f"/{self.connection.index(SOURCES)}/_search?preference={NEAR}"
        answer = self.seldom("sources", lambda: self.connection.ask("POST", path, body, stop))
        found = [as_object(hit.get("_source")) for hit in hits(as_object(answer))]
        if not all(entry.get("encoder") for entry in found):
            self._seldom.pop("sources", None)  # still being written for the first time
        return found

    def seldom(self, key: object, ask: Count) -> object:
        """Return what `ask` returned less than `ASK_SECONDS` ago, else ask again."""
        known = self._seldom.get(key)
        now = time.monotonic()
        if known is None or now >= known[0]:
            if len(self._seldom) > _KNOWN_DOCUMENTS:
                self._seldom.clear()
            known = self._seldom[key] = (now + ASK_SECONDS, ask())
        return known[1]

    def note_seldom(self, found: Mapping[object, object]) -> None:
        """Remember what was asked for several keys at once."""
        until = time.monotonic() + ASK_SECONDS
        self._seldom |= {key: (until, value) for key, value in found.items()}

    def unknown(self, keys: Iterable[object]) -> list[object]:
        """Return those keys that `seldom` would ask for."""
        now = time.monotonic()
        return [key for key in keys if self._seldom.get(key, (0.0, None))[0] <= now]

    def fetch_documents(self, contents: Iterable[ContentId]) -> dict[ContentId, DocumentRecord]:
        """Return those of these documents that exist now and are in a space of the reader."""
        wanted = list(dict.fromkeys(contents))
        missing = [content for content in wanted if content not in self.documents]
        if missing:
            missing += (content for content in self.expected.difference(wanted) if content not in self.documents)
            self.expected.clear()
        for first in range(0, len(missing), _AT_ONCE):
            some = missing[first : first + _AT_ONCE]
            changed = self._look_up(some, {content for content in some if content not in self._known})
            self._look_up(changed, set(changed))
        found_now = ((content, self.documents.get(content)) for content in wanted)
        return {content: record for content, record in found_now if record is not None}

    def _look_up(self, some: Sequence[ContentId], whole: set[ContentId]) -> list[ContentId]:
        """Look documents up, `whole` ones with their cards; return those of the others that are not as known."""
        asked = {str(content): ("card", "space", "title_vector") if content in whole else () for content in some}
        found = self.connection.mget_versions(DOCUMENTS, asked)
        changed: list[ContentId] = []
        for content in some:
            version, source = found.get(str(content), (0, None))
            if source is None:
                self._known.pop(content, None)
                self.documents[content] = None
            elif content in whole:
                visible = not self.spaces or source.get("space") in self.spaces
                self.documents[content] = DOCUMENT_PACKING.unpack(source.get("card")) if visible else None
                self.spaces_of[content] = str(source.get("space"))
                self.title_vectors.pop(content, None)
                if visible and (vector := source.get("title_vector")):
                    self.title_vectors[content] = str(vector)
                self._known[content] = version, self.documents[content]
            elif self._known[content][0] == version:
                self.documents[content] = self._known[content][1]
            else:
                changed.append(content)
        return changed

    def fetch_chunks(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Return these chunks, of documents that exist now."""
        wanted = list(dict.fromkeys(ids))
        missing = [chunk for chunk in wanted if chunk not in self.chunks]
        for first in range(0, len(missing), _AT_ONCE):
            some = list(map(str, missing[first : first + _AT_ONCE]))
            stored = self.connection.mget_stored(PASSAGES, some, "card")
            cards = [card[0] for card in stored.values()]
            unseen = [id_ for id_ in some if id_ not in stored]  # by searches, yet
            cards += [source.get("card") for source in self.connection.mget(PASSAGES, unseen, ("card",)).values()]
            self.chunks |= {chunk.id: chunk for chunk in map(CHUNK_PACKING.unpack, cards)}
        known = {chunk: self.chunks[chunk] for chunk in wanted if chunk in self.chunks}
        while len(self.chunks) > _CACHED_CHUNKS:
            self.chunks.popitem(last=False)
        live = self.fetch_documents(chunk.content for chunk in known.values())
        return {id_: chunk for id_, chunk in known.items() if chunk.content in live}

    def with_cards(self, chunks: Sequence[ChunkId]) -> Json:
        """Return the search by which `search_passages` fetches these chunks."""
        wanted = [{"ids": {"values": list(map(str, chunks))}}, *self.allowed()]
        fields: Json = {"stored_fields": ["card"], "docvalue_fields": ["chunk"]}
        return {"query": {"bool": {"filter": wanted}}, "size": len(chunks), "track_total_hits": False, **fields}

    def owners_of(self, ids: Iterable[ChunkId]) -> dict[ChunkId, ContentId]:
        """Return the documents of these chunks as hits have named them; they may be removed by now."""
        wanted = list(dict.fromkeys(ids))
        missing = [chunk for chunk in wanted if chunk not in self.owners]
        for first in range(0, len(missing), _AT_ONCE):
            some = missing[first : first + _AT_ONCE]
            query: Json = {"bool": {"filter": [{"ids": {"values": list(map(str, some))}}, *self.allowed()]}}
            self.search_passages([{"query": query, "size": len(some), **passage_fields(len(some))}])
        unseen = [chunk for chunk in missing if chunk not in self.owners]  # by searches, yet
        others = {id_: chunk.content for id_, chunk in self.fetch_chunks(unseen).items()} if unseen else {}
        found = {chunk: self.owners.get(chunk) or others.get(chunk) for chunk in wanted}
        return {chunk: content for chunk, content in found.items() if content is not None}

    def fetch_stored(self, ids: Sequence[str], packing: Packing[Record]) -> list[Record]:
        """Return the bodies of these entries of the index of lines, in order; missing ones are left out."""
        missing = [id_ for id_ in ids if id_ not in self.pieces]
        for first in range(0, len(missing), _AT_ONCE):
            for id_, source in self.connection.mget(LINES, missing[first : first + _AT_ONCE], ("body",)).items():
                self.pieces[id_] = packing.unpack(source.get("body"))
        found = [cast("Record", self.pieces[id_]) for id_ in ids if id_ in self.pieces]
        while len(self.pieces) > _CACHED_PIECES:
            self.pieces.popitem(last=False)
        return found

    def search(self, kind: str, body: Json) -> Json:
        """Return the answer to one search under the reader's spaces; `body` has a query."""
        return self.connection.msearch(kind, [self.restricted(body)], may_be_missing=kind in LATER)[0]

    def restricted(self, body: Json) -> Json:
        """Return a search under the reader's spaces."""
        query = {"bool": {"must": [body.get("query", {"match_all": {}})], "filter": self.allowed()}}
        return {"timeout": "10s", **body, "query": query}

    def search_passages(self, bodies: Sequence[Json], *, scored: int = 0) -> list[list[FoundPassage]]:
        """Return the hits of searches that name the reader's spaces themselves, and note what they say."""
        timed: list[Json] = [{"timeout": "10s", **body} for body in bodies]
        answers = self.connection.find_passages(PASSAGES, timed, scored=scored)
        return [list(map(self._noted, found)) for found in answers]

    def _noted(self, hit: ServerHit) -> FoundPassage:
        fields = hit.fields
        chunk = ChunkId(fields.chunk[0])
        if fields.content and chunk not in self.owners:
            content = ContentId(fields.content[0])
            self.owners[chunk] = content
            self.languages[content] = min(fields.language, key=len, default="")
        if fields.mean and chunk not in self.means:
            self.means[chunk] = fields.mean[0]
        if fields.card:
            self.chunks[chunk] = CHUNK_PACKING.unpack(fields.card[0])
        return FoundPassage(chunk, hit.score or 0.0, hit.ordinal)


def passage_fields(limit: int, *, with_means: bool = True, with_owners: bool = True) -> Json:
    """Return the part of a search for `limit` passages that says what its hits bring.

    `with_means` those of vectors, `with_owners` the documents and their languages. An `_id` is stored with the source,
    which the server would unpack for each hit.
    """
    told = [*(["content", "language"] if with_owners else []), *(["mean"] if with_means else [])]
    return {"stored_fields": "_none_", "docvalue_fields": ["chunk", *(told if limit <= _MOST_MEANS else ())]}
