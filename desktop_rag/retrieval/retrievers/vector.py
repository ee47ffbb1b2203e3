"""Search by meaning: scores of the best sentence of each chunk and of the chunk as a whole, from their cosines.

A title counts as one more sentence. The vector of a whole chunk is the mean of those of its sentences.

Sentences that have no vector yet are encoded on demand in the best keyword hits, so that search by meaning works
while the library is still being encoded.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.index.vectors.available_encoders import folder_of
from desktop_rag.retrieval.query.highlights import Highlighter
from desktop_rag.retrieval.retrievers.on_demand_encoding import (
    Floats,
    Keep,
    OnDemandEncoder,
    VectorMatch,
    length_of_sum,
)
from desktop_rag.stop import Stop

TITLE_SHARE = 0.5  # of the lead that a title has over the best sentence is added to the score of the sentence
EARLIER = "The sentence encoder was renewed; until its vectors are ready, those of the earlier one answer."
RENEWED = "The sentence encoder was renewed; search by meaning starts over."
UNREADY = "Search by meaning is incomplete until indexing has made the vector files anew."
STRANGE = "The encoder does not know this language, so only words are searched for."
_LEAST_TRUST = 0.1
_TITLED = 10  # best chunks whose titles are compared; 40 cost a quarter of a search and change no measure
_CACHED_LENGTHS = 50_000
_CACHED_TITLES = 10_000  # 15 MB
_CACHED_WINDOWS = 1_000  # 1.5 MB
_CACHED_QUERIES = 256  # 0.4 MB


class TextVectors:
    """The vectors of the `most` texts used last, or of `queries`, of one encoder."""

    def __init__(self, most: int, *, queries: bool = False) -> None:
        self._most = most
        self._queries = queries
        self._encoder = ""
        self._known: OrderedDict[str, Floats] = OrderedDict()

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    def of(self, texts: Iterable[str], encoder: Encoder, stop: Stop) -> dict[str, Floats]:
        """Return the unit vector of each text, encoding those that are not known; raises `EncoderError`."""
        if encoder.id != self._encoder:
            self.clear()
            self._encoder = encoder.id
        found = {text: self._known.pop(text, None) for text in texts}
        unknown = [text for text, vector in found.items() if vector is None]
        if self._queries:
            made = {text: encoder.encode_query(text, stop) for text in unknown}
        else:
            made = dict(zip(unknown, encoder.encode(unknown, stop) if unknown else (), strict=True))
        vectors = {text: made[text] if vector is None else vector for text, vector in found.items()}
        self._known |= vectors
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return vectors


class SentenceVectors(Protocol):
    """The stored sentence vectors, by chunk; in production a `VectorReader`."""

    @property
    def encoder_id(self) -> str:
        """Return the id of the encoder that made them; empty if there are none."""

    @property
    def watermark(self) -> Watermark:
        """Return the catalog and the change they are synchronised with."""

    def refresh(self) -> bool:
        """Load new vectors; return whether anything changed."""

    def close(self) -> None:
        """Close the files."""

    def search(
        self, query: Floats, limit: int, allowed: frozenset[ChunkId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, int, float]]:
        """Return the top `limit` of the `allowed` chunks by nearest sentence: (chunk, sentence number, cosine)."""

    def vectors_of(self, chunks: Iterable[ChunkId]) -> Iterator[tuple[ChunkId, Floats]]:
        """Yield the sentence vectors (one row each) of those chunks that have them."""


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A query as one encoder sees it; `direction` is its unit vector.

    `trust` (0 to 1) says how well the encoder knows the query's words; `note`, if any, what limits the answer.
    `comparable`: the `stored` vectors are by the same encoder, from the same catalog. `windows` are of all queries.
    """

    encoder: Encoder
    direction: Floats
    trust: float
    note: str
    comparable: bool
    windows: TextVectors
    stored: SentenceVectors

    def similarities(self, texts: Sequence[str], stop: Stop) -> list[float]:
        """Return the score of each text for the query; raises `EncoderError`."""
        vectors = self.windows.of(texts, self.encoder, stop)
        return [self.encoder.description.scaled(float(vectors[text] @ self.direction)) for text in texts]

    def scaled(self, match: VectorMatch) -> VectorMatch:
        """Return a match with scores for its cosines."""
        scaled = self.encoder.description.scaled
        return VectorMatch(match.chunk, match.ordinal, scaled(match.best), scaled(match.whole))


class VectorRetriever:
    """The sentence encoder, the stored vectors, and those made on demand; loads the encoder at the first search.

    `keep` gets (chunk, encoder id, rows as the catalog stores them) of sentences that were encoded on demand.
    After an upgrade of the encoder, the vectors of the previous one are searched until the new ones are ready, if that
    encoder is still installed.
    """

    def __init__(self, vectors: SentenceVectors, encoder: Path, keep: Keep | None = None, threads: int = 2) -> None:
        self._encoder_folder = encoder
        self._stored = vectors
        self._threads = threads
        self._encoder: Encoder | None = None
        self._previous: Encoder | None = None
        self._loading: Future[Encoder] | None = None
        self._on_demand = OnDemandEncoder(keep)
        self._titles, self._windows = TextVectors(_CACHED_TITLES), TextVectors(_CACHED_WINDOWS)
        self._lengths: dict[tuple[str, ChunkId, int], float] = {}
        # The facets of a search, its clauses and its next page need the vector of its query, too.
        self._queries = TextVectors(_CACHED_QUERIES, queries=True)

    def close(self) -> None:
        """Close the files and drop the caches."""
        self._stored.close()
        self._on_demand.clear()
        self._titles.clear()
        self._windows.clear()
        self._queries.clear()
        self._lengths.clear()

    def begin_loading(self) -> None:
        """Load the encoder in a thread if it is not loaded; its errors are raised when a query is encoded."""
        if self._encoder is None and self._loading is None:
            pool = ThreadPoolExecutor(1, "encoder-loading")
            self._loading = pool.submit(Encoder.load, self._encoder_folder, self._threads)
            pool.shutdown(wait=False)

    def encode_query(self, text: str, catalog: CatalogReader, stop: Stop) -> EncodedQuery:
        """Encode a query with the encoder that made the stored vectors, if installed; raises `EncoderError`."""
        encoder, note = self._current_encoder()
        if not self._stored.encoder_id and catalog.vectors.has_any():
            note = UNREADY
        stop.check()
        direction = self._queries.of((text,), encoder, stop)[text]
        known = encoder.knowledge(text)
        letters = list(filter(str.isalpha, text))
        foreign = sum(not letter.isascii() for letter in letters) > len(letters) / 2
        if foreign and known < 1 / 2:  # numbers and abbreviations are spelled out too
            note = note or STRANGE
        comparable = self._stored.encoder_id == encoder.id and self._stored.watermark.lineage == catalog.lineage()
        trust = min(1.0, max(_LEAST_TRUST, known))
        return EncodedQuery(encoder, direction, trust, note, comparable, self._windows, self._stored)

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
        """Return the top `limit` chunks by their nearest sentence, and those of `also` with vectors; best first.

        `seeds` are the chunks to encode on demand if they have no vectors yet, the most promising first; `marker`
        finds the words of the query in them. Raises `EncoderError`.
        """
        stop.check()
        found: dict[ChunkId, VectorMatch] = {}
        if query.comparable:
            nearest = {chunk for chunk, _, _ in query.stored.search(query.direction, limit, allowed, stop)}
            found = {match.chunk: match for match in self._cosines(query, nearest.union(also))}
        self._on_demand.encode(seeds, marker, query.direction, query.encoder, catalog, stop)
        for match in self._on_demand.nearest(query.direction, allowed):
            found.setdefault(match.chunk, match)
        ranked = sorted(found.values(), key=_rank)
        ranked = self._with_titles(ranked, query, catalog, stop) if with_titles else ranked
        return list(map(query.scaled, ranked))

    def compare(self, query: EncodedQuery, chunks: Iterable[ChunkId]) -> list[VectorMatch]:
        """Compare the query with those of these chunks that have stored vectors."""
        return list(map(query.scaled, self._cosines(query, chunks)))

    def release(self) -> None:
        """Give back the memory of large encoders, which are loaded again when needed."""
        if self._encoder is not None and self._encoder.is_heavy:
            self._encoder = None
        if self._previous is not None and self._previous.is_heavy:
            self._previous = None

    def _cosines(self, query: EncodedQuery, chunks: Iterable[ChunkId]) -> list[VectorMatch]:
        if not query.comparable:
            return []
        found = []
        for chunk, rows in query.stored.vectors_of(chunks):  # one at a time: fresh memory for all takes longer
            key = query.encoder.id, chunk, len(rows)
            length = self._lengths.get(key)
            if length is None:
                length = self._lengths[key] = length_of_sum(rows)
            found.append(VectorMatch.of(chunk, range(len(rows)), rows, query.direction, length))
        return found

    def _current_encoder(self) -> tuple[Encoder, str]:
        """Return the encoder that made the stored vectors if it is installed, else the configured one, and a note."""
        if self._stored.refresh() or len(self._lengths) > _CACHED_LENGTHS:
            self._lengths.clear()
        if self._encoder is None:
            self.begin_loading()
            loading, self._loading = self._loading, None
            assert loading is not None
            self._encoder = loading.result()
        if self._stored.encoder_id in ("", self._encoder.id):
            return self._encoder, ""
        if self._previous is None or self._previous.id != self._stored.encoder_id:
            folder = folder_of(self._stored.encoder_id, self._encoder_folder)
            self._previous = Encoder.load(folder, self._threads) if folder is not None else None
        if self._previous is None:
            return self._encoder, RENEWED
        return self._previous, EARLIER

    def _with_titles(
        self, ranked: list[VectorMatch], query: EncodedQuery, catalog: CatalogReader, stop: Stop
    ) -> list[VectorMatch]:
        """Raise the score of chunks whose title is nearer to the query than their best sentence."""
        contents = catalog.chunks.contents_of(match.chunk for match in ranked[:_TITLED])
        titles = {content.id: content.title for content in catalog.contents.by_id(set(contents.values())).values()}
        vectors = self._vectors_of_titles(titles, query, stop)
        raised: list[VectorMatch] = []
        for match in ranked:
            content = contents.get(match.chunk)
            title = vectors.get(titles.get(content, "")) if content is not None else None
            lead = float(title @ query.direction) - match.best if title is not None else 0.0
            raised.append(match._replace(best=match.best + TITLE_SHARE * lead) if lead > 0 else match)
        return sorted(raised, key=_rank)

    def _vectors_of_titles(
        self, titles: Mapping[ContentId, str], query: EncodedQuery, stop: Stop
    ) -> Mapping[str, Floats]:
        """Return the vector of each title that is not empty."""
        return self._titles.of(sorted(set(filter(None, titles.values()))), query.encoder, stop)


def _rank(match: VectorMatch) -> tuple[float, ChunkId]:
    return -match.score, match.chunk
