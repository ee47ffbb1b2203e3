"""Encodes sentences while somebody waits for a search, within a budget, and keeps their vectors in memory.

First the sentences that hold the most words of the query, a few of each promising chunk; then, while there is time,
the whole of the chunks that came nearest, which are worth keeping.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.index.encoder import Encoder
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.retrieval.marking import Marker
from desktop_rag.retrieval.snippets import worth
from desktop_rag.stop import Stop

BUDGET_SENTENCES = 400
BUDGET_SECONDS = 0.5
FIRST_LOOK = 2  # sentences of each chunk before any chunk is encoded whole
_AT_ONCE = 16  # sentences between two looks at the clock
_KEPT_SENTENCES = 20_000  # 30 MB

Floats = NDArray[np.float32]
Keep = Callable[[ChunkId, str, bytes], None]


class Meant(NamedTuple):
    """A chunk, the number of its best sentence, and how near its meaning is to the query's."""

    chunk: ChunkId
    ordinal: int
    score: float


@dataclass(frozen=True, slots=True)
class Purse:
    """What may still be spent on one search; `ends` is a moment of the monotonic clock."""

    sentences: int
    ends: float

    @classmethod
    def full(cls) -> "Purse":
        """Return the whole budget, counted from now."""
        return cls(BUDGET_SENTENCES, time.monotonic() + BUDGET_SECONDS)

    def is_empty(self) -> bool:
        """Return whether nothing more may be encoded."""
        return self.sentences <= 0 or time.monotonic() >= self.ends


@dataclass(frozen=True, slots=True)
class _Rows:
    """The vectors of some sentences of a chunk, one row each."""

    ordinals: tuple[int, ...]
    vectors: Floats


class OnDemand:
    """Vectors made for searches; `keep` gets (chunk, encoder id, float32 rows) of each chunk encoded whole."""

    def __init__(self, keep: Keep | None = None) -> None:
        self._keep = keep
        self._rows: OrderedDict[ChunkId, _Rows] = OrderedDict()
        self._whole: set[ChunkId] = set()

    def clear(self) -> None:
        """Forget everything."""
        self._rows.clear()
        self._whole.clear()

    def nearest(self, direction: Floats, allowed: frozenset[ChunkId] | None) -> Iterator[Meant]:
        """Yield the best known sentence of every chunk that is allowed."""
        for chunk, rows in self._rows.items():
            if allowed is None or chunk in allowed:
                scores = rows.vectors @ direction
                best = int(scores.argmax())
                yield Meant(chunk, rows.ordinals[best], float(scores[best]))

    def encode(
        self,
        seeds: Sequence[ChunkId],
        marker: Marker,
        direction: Floats,
        encoder: Encoder,
        catalog: CatalogReader,
        stop: Stop,
    ) -> None:
        """Encode what helps most to rank `seeds`, the most promising first."""
        waiting = catalog.unencoded(seed for seed in seeds if seed not in self._whole)
        if not waiting:
            return
        purse = Purse.full()
        chunks = catalog.chunks(waiting)
        ordered = [chunks[seed] for seed in seeds if seed in chunks and chunks[seed].sentences]
        purse = self._look_first(ordered, marker, encoder, purse, stop)
        known = {meant.chunk: meant.score for meant in self.nearest(direction, waiting)}
        for chunk in sorted(ordered, key=lambda chunk: -known.get(chunk.id, 0.0)):
            if purse.is_empty() or len(chunk.sentences) > purse.sentences:
                break
            self._encode_whole(chunk, encoder, stop)
            purse = Purse(purse.sentences - len(chunk.sentences), purse.ends)

    def _look_first(self, chunks: Sequence[Chunk], marker: Marker, encoder: Encoder, purse: Purse, stop: Stop) -> Purse:
        """Encode the best-looking sentences of each chunk that is still unknown; return what is left."""
        picked = [
            (chunk, ordinal)
            for chunk in chunks
            if chunk.id not in self._rows
            for ordinal in _best_looking(chunk, marker)
        ]
        for first in range(0, len(picked), _AT_ONCE):
            if purse.is_empty():
                break
            some = picked[first : first + _AT_ONCE]
            vectors = encoder.encode([_sentence(chunk, ordinal) for chunk, ordinal in some], stop)
            for (chunk, ordinal), vector in zip(some, vectors, strict=True):
                known = self._rows.get(chunk.id)
                ordinals = (*known.ordinals, ordinal) if known else (ordinal,)
                self._put(chunk.id, _Rows(ordinals, np.vstack([known.vectors, vector]) if known else vector[None]))
            purse = Purse(purse.sentences - len(some), purse.ends)
        return purse

    def _encode_whole(self, chunk: Chunk, encoder: Encoder, stop: Stop) -> None:
        ordinals = tuple(range(len(chunk.sentences)))
        vectors = encoder.encode([_sentence(chunk, ordinal) for ordinal in ordinals], stop)
        self._put(chunk.id, _Rows(ordinals, vectors))
        self._whole.add(chunk.id)
        if self._keep is not None:
            self._keep(chunk.id, encoder.id, np.ascontiguousarray(vectors, "<f4").tobytes())

    def _put(self, chunk: ChunkId, rows: _Rows) -> None:
        self._rows[chunk] = rows
        while sum(len(kept.ordinals) for kept in self._rows.values()) > _KEPT_SENTENCES:
            oldest, _ = self._rows.popitem(last=False)
            self._whole.discard(oldest)


def _sentence(chunk: Chunk, ordinal: int) -> str:
    start, end = chunk.sentences[ordinal]
    return chunk.text[start - chunk.span.start : end - chunk.span.start]


def _best_looking(chunk: Chunk, marker: Marker) -> list[int]:
    """Return the numbers of the sentences that show the most of the query, the first one where none shows any."""
    marks, base = marker.marks(chunk.text), chunk.span.start
    shown = [worth(marks, start - base, end - base) for start, end in chunk.sentences]
    best = sorted(range(len(shown)), key=lambda ordinal: (-shown[ordinal], ordinal))[:FIRST_LOOK]
    return [ordinal for ordinal in best if shown[ordinal]] or best[:1]
