"""Encodes sentences on demand during a search, within a budget, and caches their vectors in memory.

First the sentences with the most words of the query, a few of each promising chunk; then, while there is time, the
remaining sentences of the nearest chunks. Sentences whose vectors the catalog has are not encoded again, and new
vectors are handed to the indexer, which stores them.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.sentence_vectors import sentence_hash, sentence_hashes, sentence_texts
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.index.vectors.vector_codes import pack_rows, unpack_rows
from desktop_rag.retrieval.query.highlights import Highlighter, marks_value
from desktop_rag.stop import Stop

BUDGET_SENTENCES = 400
BUDGET_SECONDS = 0.5
FIRST_PASS = 2  # sentences of each chunk that are encoded before any chunk is encoded whole
_BATCH = 16  # sentences between two checks of the budget
_CACHED_SENTENCES = 20_000  # 30 MB

Floats = NDArray[np.float32]
Keep = Callable[[ChunkId, str, bytes], None]


class VectorMatch(NamedTuple):
    """A chunk, the number of its best sentence, and the scores of that sentence and of the whole chunk.

    Scores are cosines until `EncodedQuery.scaled` subtracts the floor of the encoder.
    """

    chunk: ChunkId
    ordinal: int
    best: float
    whole: float

    @property
    def score(self) -> float:
        """Return the mean of both: a good sentence in a text on the subject ranks before one elsewhere."""
        return (self.best + self.whole) / 2

    @classmethod
    def of(
        cls, chunk: ChunkId, ordinals: Sequence[int], vectors: Floats, direction: Floats, length: float
    ) -> "VectorMatch":
        """Compare the query with the vectors of a chunk's sentences (one row each), whose sum has a length."""
        scores = vectors @ direction
        best = int(scores.argmax())
        whole = float(np.add.reduce(scores)) / length if length > 0 else 0.0  # in half the time of `sum`
        return cls(chunk, ordinals[best], scores.item(best), whole)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The vectors of some sentences of a chunk, one row each."""

    ordinals: tuple[int, ...]
    vectors: Floats
    length: float


class OnDemandEncoder:
    """A cache of vectors made for searches; `keep` gets (chunk, encoder id, rows for the catalog) of new ones."""

    def __init__(self, keep: Keep | None = None) -> None:
        self._keep = keep
        self._rows: OrderedDict[ChunkId, _Rows] = OrderedDict()
        self._whole: set[ChunkId] = set()
        self._encoder = ""

    def clear(self) -> None:
        """Empty the cache."""
        self._rows.clear()
        self._whole.clear()

    def nearest(self, direction: Floats, allowed: frozenset[ChunkId] | None) -> Iterator[VectorMatch]:
        """Compare the query with every allowed chunk, by those of its sentences that are cached."""
        for chunk, rows in self._rows.items():
            if allowed is None or chunk in allowed:
                yield VectorMatch.of(chunk, rows.ordinals, rows.vectors, direction, rows.length)

    def encode(
        self,
        seeds: Sequence[ChunkId],
        marker: Highlighter,
        direction: Floats,
        encoder: Encoder,
        catalog: CatalogReader,
        stop: Stop,
    ) -> None:
        """Encode the sentences that help most to rank `seeds`, which come the most promising first."""
        if encoder.id != self._encoder:
            self.clear()
            self._encoder = encoder.id
        waiting = catalog.chunks.not_encoded_among(seed for seed in seeds if seed not in self._whole)
        if not waiting:
            return
        chunks = catalog.chunks.by_id(waiting)
        ordered = [chunks[seed] for seed in seeds if seed in chunks and chunks[seed].sentences]
        self._load_stored([chunk for chunk in ordered if chunk.id not in self._rows], encoder, catalog)
        left, ends = BUDGET_SENTENCES, time.monotonic() + BUDGET_SECONDS
        picked = [
            (chunk, ordinal)
            for chunk in ordered
            for ordinal in sorted(set(_most_promising(chunk, marker)).intersection(self._missing(chunk)))
        ]
        for first in range(0, len(picked), _BATCH):
            if left <= 0 or time.monotonic() >= ends:
                break
            some = picked[first : first + _BATCH]
            self._encode(some, encoder, stop)
            left -= len(some)
        known = {match.chunk: match.score for match in self.nearest(direction, waiting)}
        for chunk in sorted(ordered, key=lambda chunk: -known.get(chunk.id, 0.0)):
            missing = self._missing(chunk)
            if left <= 0 or time.monotonic() >= ends or len(missing) > left:
                break
            if missing:
                self._encode([(chunk, ordinal) for ordinal in missing], encoder, stop)
            left -= len(missing)

    def _load_stored(self, chunks: Sequence[Chunk], encoder: Encoder, catalog: CatalogReader) -> None:
        """Load the vectors that the catalog has of sentences of these chunks, or of equal sentences elsewhere."""
        made_by = catalog.encoders.by_name(encoder.id)
        if made_by is None:
            return
        hashes = {chunk.id: sentence_hashes(chunk) for chunk in chunks}
        rows = catalog.vectors.rows_by_hash(made_by, (digest for some in hashes.values() for digest in some))
        for chunk in chunks:
            ordinals = [ordinal for ordinal, digest in enumerate(hashes[chunk.id]) if digest in rows]
            if ordinals:
                data = b"".join(rows[hashes[chunk.id][ordinal]] for ordinal in ordinals)
                self._put(chunk, ordinals, unpack_rows(data, made_by.dimensions))

    def _encode(self, picked: Sequence[tuple[Chunk, int]], encoder: Encoder, stop: Stop) -> None:
        """Encode sentences, cache their vectors and pass them to `keep`; sentences of one chunk must be consecutive."""
        of_chunk = {chunk.id: sentence_texts(chunk) for chunk, _ in picked}
        texts = [of_chunk[chunk.id][ordinal] for chunk, ordinal in picked]
        made = zip(picked, texts, encoder.encode(texts, stop), strict=True)
        for chunk, group in groupby(made, key=lambda one: one[0][0]):
            some = list(group)
            vectors = np.stack(list(map(itemgetter(2), some)))
            self._put(chunk, [ordinal for (_, ordinal), _, _ in some], vectors)
            if self._keep is not None:
                rows = pack_rows([sentence_hash(text) for _, text, _ in some], vectors)
                self._keep(chunk.id, encoder.id, b"".join(rows.values()))

    def _missing(self, chunk: Chunk) -> list[int]:
        """Return the numbers of the sentences of a chunk that are not cached."""
        known = self._rows.get(chunk.id)
        return sorted(set(range(len(chunk.sentences))).difference(known.ordinals if known else ()))

    def _put(self, chunk: Chunk, ordinals: Sequence[int], vectors: Floats) -> None:
        known = self._rows.get(chunk.id)
        if known is not None:
            ordinals, vectors = (*known.ordinals, *ordinals), np.vstack([known.vectors, vectors])
        self._rows[chunk.id] = _Rows(tuple(ordinals), vectors, length_of_sum(vectors))
        if len(ordinals) == len(chunk.sentences):
            self._whole.add(chunk.id)
        while sum(len(kept.ordinals) for kept in self._rows.values()) > _CACHED_SENTENCES:
            oldest, _ = self._rows.popitem(last=False)
            self._whole.discard(oldest)


def length_of_sum(vectors: Floats) -> float:
    """Return the length of the sum of some vectors, one in each row."""
    total = vectors.sum(axis=0)
    return float(np.sqrt(total @ total))


def _most_promising(chunk: Chunk, marker: Highlighter) -> list[int]:
    """Return the numbers of the sentences with the most words of the query; the first sentence if none has any."""
    marks, base = marker.marks(chunk.text), chunk.span.start
    shown = [marks_value(marks, start - base, end - base) for start, end in chunk.sentences]
    best = sorted(range(len(shown)), key=lambda ordinal: (-shown[ordinal], ordinal))[:FIRST_PASS]
    return [ordinal for ordinal in best if shown[ordinal]] or best[:1]
