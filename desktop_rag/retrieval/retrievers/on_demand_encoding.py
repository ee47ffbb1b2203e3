"""Encodes sentences while somebody waits for a search, within a budget, and keeps their vectors in memory.

First the sentences that hold the most words of the query, a few of each promising chunk; then, while there is time,
the rest of the chunks that came nearest. What the catalog knows of a sentence is not encoded again, and what was
encoded is handed to the keeper of the catalog.
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

from desktop_rag.index.catalog import encoders, sentence_vectors
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.sentence_vectors import sentence_hash, sentence_hashes, sentence_texts
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.index.vectors.vector_codes import packed, unpacked
from desktop_rag.retrieval.reading.highlights import Highlighter
from desktop_rag.retrieval.reading.snippets import worth
from desktop_rag.stop import Stop

BUDGET_SENTENCES = 400
BUDGET_SECONDS = 0.5
FIRST_LOOK = 2  # sentences of each chunk before any chunk is encoded whole
_AT_ONCE = 16  # sentences between two looks at the clock
_KEPT_SENTENCES = 20_000  # 30 MB

Floats = NDArray[np.float32]
Keep = Callable[[ChunkId, str, bytes], None]


class VectorMatch(NamedTuple):
    """A chunk, the number of its best sentence, and how near that and the whole chunk are to the query (cosines)."""

    chunk: ChunkId
    ordinal: int
    best: float
    whole: float

    @property
    def score(self) -> float:
        """Return how near the chunk is: a sentence that says it, in a text that is about it."""
        return (self.best + self.whole) / 2

    @classmethod
    def of(cls, chunk: ChunkId, ordinals: Sequence[int], vectors: Floats, direction: Floats) -> "VectorMatch":
        """Compare the vectors of a chunk's sentences, and their mean, with the query's."""
        scores = vectors @ direction
        best = int(scores.argmax())
        length = float(np.linalg.norm(vectors.sum(axis=0)))
        whole = float(scores.sum()) / length if length > 0 else 0.0
        return cls(chunk, ordinals[best], float(scores[best]), whole)


@dataclass(frozen=True, slots=True)
class EncodingBudget:
    """What may still be spent on one search; `ends` is a moment of the monotonic clock."""

    sentences: int
    ends: float

    @classmethod
    def full(cls) -> "EncodingBudget":
        """Return the whole budget, counted from now."""
        return cls(BUDGET_SENTENCES, time.monotonic() + BUDGET_SECONDS)

    def is_empty(self) -> bool:
        """Return whether nothing more may be encoded."""
        return self.sentences <= 0 or time.monotonic() >= self.ends

    def without(self, count: int) -> "EncodingBudget":
        """Return what is left after encoding so many sentences."""
        return EncodingBudget(self.sentences - count, self.ends)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The vectors of some sentences of a chunk, one row each."""

    ordinals: tuple[int, ...]
    vectors: Floats


class OnDemandEncoder:
    """Vectors made for searches; `keep` gets (chunk, encoder id, rows as the catalog keeps them) of the new ones."""

    def __init__(self, keep: Keep | None = None) -> None:
        self._keep = keep
        self._rows: OrderedDict[ChunkId, _Rows] = OrderedDict()
        self._whole: set[ChunkId] = set()
        self._encoder = ""

    def clear(self) -> None:
        """Forget everything."""
        self._rows.clear()
        self._whole.clear()

    def nearest(self, direction: Floats, allowed: frozenset[ChunkId] | None) -> Iterator[VectorMatch]:
        """Yield how near every chunk that is allowed is, by its known sentences."""
        for chunk, rows in self._rows.items():
            if allowed is None or chunk in allowed:
                yield VectorMatch.of(chunk, rows.ordinals, rows.vectors, direction)

    def encode(
        self,
        seeds: Sequence[ChunkId],
        marker: Highlighter,
        direction: Floats,
        encoder: Encoder,
        catalog: CatalogReader,
        stop: Stop,
    ) -> None:
        """Encode what helps most to rank `seeds`, the most promising first."""
        if encoder.id != self._encoder:
            self.clear()
            self._encoder = encoder.id
        waiting = catalog.unencoded(seed for seed in seeds if seed not in self._whole)
        if not waiting:
            return
        chunks = catalog.chunks(waiting)
        ordered = [chunks[seed] for seed in seeds if seed in chunks and chunks[seed].sentences]
        self._recall([chunk for chunk in ordered if chunk.id not in self._rows], encoder, catalog)
        purse = self._look_first(ordered, marker, encoder, EncodingBudget.full(), stop)
        known = {meant.chunk: meant.score for meant in self.nearest(direction, waiting)}
        for chunk in sorted(ordered, key=lambda chunk: -known.get(chunk.id, 0.0)):
            missing = self._missing(chunk)
            if purse.is_empty() or len(missing) > purse.sentences:
                break
            if missing:
                self._encode([(chunk, ordinal) for ordinal in missing], encoder, stop)
            purse = purse.without(len(missing))

    def _recall(self, chunks: Sequence[Chunk], encoder: Encoder, catalog: CatalogReader) -> None:
        """Take the vectors that the catalog has of some sentences of these chunks, or of equal ones elsewhere."""
        made_by = encoders.named(catalog.database, encoder.id)
        if made_by is None:
            return
        hashes = {chunk.id: sentence_hashes(chunk) for chunk in chunks}
        rows = sentence_vectors.known(
            catalog.database, made_by, (digest for some in hashes.values() for digest in some)
        )
        for chunk in chunks:
            ordinals = [ordinal for ordinal, digest in enumerate(hashes[chunk.id]) if digest in rows]
            if ordinals:
                data = b"".join(rows[hashes[chunk.id][ordinal]] for ordinal in ordinals)
                self._put(chunk, ordinals, unpacked(data, made_by.dimensions))

    def _look_first(
        self, chunks: Sequence[Chunk], marker: Highlighter, encoder: Encoder, purse: EncodingBudget, stop: Stop
    ) -> EncodingBudget:
        """Encode the best-looking sentences of each chunk as far as they are unknown; return what is left."""
        picked = [
            (chunk, ordinal)
            for chunk in chunks
            for ordinal in sorted(set(_best_looking(chunk, marker)).intersection(self._missing(chunk)))
        ]
        for first in range(0, len(picked), _AT_ONCE):
            if purse.is_empty():
                break
            some = picked[first : first + _AT_ONCE]
            self._encode(some, encoder, stop)
            purse = purse.without(len(some))
        return purse

    def _encode(self, picked: Sequence[tuple[Chunk, int]], encoder: Encoder, stop: Stop) -> None:
        """Encode sentences of chunks, those of one chunk one behind the other, and hand them over."""
        of_chunk = {chunk.id: sentence_texts(chunk) for chunk, _ in picked}
        texts = [of_chunk[chunk.id][ordinal] for chunk, ordinal in picked]
        made = zip(picked, texts, encoder.encode(texts, stop), strict=True)
        for chunk, group in groupby(made, key=lambda one: one[0][0]):
            some = list(group)
            vectors = np.stack(list(map(itemgetter(2), some)))
            self._put(chunk, [ordinal for (_, ordinal), _, _ in some], vectors)
            if self._keep is not None:
                rows = packed([sentence_hash(text) for _, text, _ in some], vectors)
                self._keep(chunk.id, encoder.id, b"".join(rows.values()))

    def _missing(self, chunk: Chunk) -> list[int]:
        """Return the numbers of the sentences of a chunk that have no vector here."""
        known = self._rows.get(chunk.id)
        return sorted(set(range(len(chunk.sentences))).difference(known.ordinals if known else ()))

    def _put(self, chunk: Chunk, ordinals: Sequence[int], vectors: Floats) -> None:
        known = self._rows.get(chunk.id)
        if known is not None:
            ordinals, vectors = (*known.ordinals, *ordinals), np.vstack([known.vectors, vectors])
        self._rows[chunk.id] = _Rows(tuple(ordinals), vectors)
        if len(ordinals) == len(chunk.sentences):
            self._whole.add(chunk.id)
        while sum(len(kept.ordinals) for kept in self._rows.values()) > _KEPT_SENTENCES:
            oldest, _ = self._rows.popitem(last=False)
            self._whole.discard(oldest)


def _best_looking(chunk: Chunk, marker: Highlighter) -> list[int]:
    """Return the numbers of the sentences that show the most of the query, the first one where none shows any."""
    marks, base = marker.marks(chunk.text), chunk.span.start
    shown = [worth(marks, start - base, end - base) for start, end in chunk.sentences]
    best = sorted(range(len(shown)), key=lambda ordinal: (-shown[ordinal], ordinal))[:FIRST_LOOK]
    return [ordinal for ordinal in best if shown[ordinal]] or best[:1]
