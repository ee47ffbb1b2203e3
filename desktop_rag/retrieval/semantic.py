"""Search by meaning: the cosine of the query with the best sentence of a chunk, the title lending its context.

Sentences that have no vector yet are encoded on the spot if the words of the query lead to them, within a budget,
and kept in memory, so that search by meaning works while the library is still being encoded.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.index.encoder import Encoder
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.index.vectors import VectorReader
from desktop_rag.stop import Stop

BUDGET_SENTENCES = 400
BUDGET_SECONDS = 0.5
TITLE_SHARE = 0.5  # how far a title nearer to the query than any sentence lifts a chunk towards itself
_TITLED = 40  # chunks whose title is looked at
_KEPT_SENTENCES = 20_000  # 30 MB
_KEPT_TITLES = 10_000  # 15 MB

Floats = NDArray[np.float32]
Keep = Callable[[ChunkId, str, bytes], None]


class Meant(NamedTuple):
    """A chunk, the number of its best sentence, and how near its meaning is to the query's."""

    chunk: ChunkId
    ordinal: int
    score: float


class Meaning:
    """The sentence encoder, the vectors on disk, and those made on demand; loads the encoder at the first search.

    `keep` is called with (chunk, encoder id, float32 rows) for each chunk that was encoded on demand.
    """

    def __init__(self, vectors: Path, encoder: Path, keep: Keep | None = None, threads: int = 2) -> None:
        self._encoder_folder = encoder
        self._vectors_folder = vectors
        self._keep = keep
        self._threads = threads
        self._encoder: Encoder | None = None
        self._reader: VectorReader | None = None
        self._fresh: OrderedDict[ChunkId, Floats] = OrderedDict()
        self._titles: OrderedDict[str, Floats] = OrderedDict()

    def close(self) -> None:
        """Let go of the files and of what was kept in memory."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None
        self._fresh.clear()
        self._titles.clear()

    def search(
        self,
        query: str,
        limit: int,
        allowed: frozenset[ChunkId] | None,
        seeds: Sequence[ChunkId],
        catalog: CatalogReader,
        stop: Stop,
    ) -> list[Meant]:
        """Return the `limit` nearest chunks; raises `EncoderError`.

        `seeds` are the chunks to encode on demand if they have no vectors yet, the most promising first.
        """
        encoder, reader = self._ready()
        stop.check()
        direction = encoder.encode([query], stop)[0]
        stop.check()
        found: dict[ChunkId, Meant] = {}
        if reader.watermark.lineage == catalog.lineage():
            found = {
                chunk: Meant(chunk, ordinal, score)
                for chunk, ordinal, score in reader.search(direction, limit, allowed)
            }
        deadline = time.monotonic() + BUDGET_SECONDS
        self._encode_seeds(seeds, encoder, catalog, deadline, stop)
        for chunk, vectors in self._fresh.items():
            if chunk not in found and (allowed is None or chunk in allowed):
                scores = vectors @ direction
                best = int(scores.argmax())
                found[chunk] = Meant(chunk, best, float(scores[best]))
        ranked = sorted(found.values(), key=lambda meant: (-meant.score, meant.chunk))[:limit]
        return self._with_titles(ranked, direction, catalog, deadline, stop)

    def _ready(self) -> tuple[Encoder, VectorReader]:
        if self._encoder is None:
            self._encoder = Encoder.load(self._encoder_folder, self._threads)
        if self._reader is None:
            self._reader = VectorReader(self._vectors_folder, self._encoder.id)
        self._reader.refresh()
        return self._encoder, self._reader

    def _encode_seeds(
        self, seeds: Sequence[ChunkId], encoder: Encoder, catalog: CatalogReader, deadline: float, stop: Stop
    ) -> None:
        waiting = catalog.unencoded(chunk for chunk in seeds if chunk not in self._fresh)
        budget = BUDGET_SENTENCES
        for seed in seeds:
            if seed not in waiting or time.monotonic() > deadline:
                continue
            for chunk in catalog.chunks((seed,)).values():
                budget -= len(chunk.sentences)
                if budget >= 0:
                    self._encode(chunk, encoder, stop)

    def _encode(self, chunk: Chunk, encoder: Encoder, stop: Stop) -> None:
        base = chunk.span.start
        texts = [chunk.text[start - base : end - base] for start, end in chunk.sentences]
        if not texts:
            return
        vectors = encoder.encode(texts, stop)
        stop.check()
        self._fresh[chunk.id] = vectors
        while sum(map(len, self._fresh.values())) > _KEPT_SENTENCES:
            self._fresh.popitem(last=False)
        if self._keep is not None:
            self._keep(chunk.id, encoder.id, np.ascontiguousarray(vectors, "<f4").tobytes())

    def _with_titles(
        self, ranked: list[Meant], direction: Floats, catalog: CatalogReader, deadline: float, stop: Stop
    ) -> list[Meant]:
        contents = catalog.contents_of(meant.chunk for meant in ranked[:_TITLED])
        titles = {content.id: content.title for content in catalog.contents(set(contents.values())).values()}
        self._learn_titles({title for title in titles.values() if title}, deadline, stop)
        lifted: list[Meant] = []
        for meant in ranked:
            content = contents.get(meant.chunk)
            title = self._titles.get(titles.get(content, "")) if content is not None else None
            lead = float(title @ direction) - meant.score if title is not None else 0.0
            lifted.append(meant._replace(score=meant.score + TITLE_SHARE * lead) if lead > 0 else meant)
        return sorted(lifted, key=lambda meant: (-meant.score, meant.chunk))

    def _learn_titles(self, titles: Iterable[str], deadline: float, stop: Stop) -> None:
        unknown = sorted(title for title in titles if title not in self._titles)
        if not unknown or self._encoder is None or time.monotonic() > deadline:
            return
        for title, vector in zip(unknown, self._encoder.encode(unknown, stop), strict=True):
            self._titles[title] = vector
        while len(self._titles) > _KEPT_TITLES:
            self._titles.popitem(last=False)
