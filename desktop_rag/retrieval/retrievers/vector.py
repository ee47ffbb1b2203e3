"""Search by meaning: how near the best sentence of a chunk and the chunk as a whole are to the query, by cosines.

A title counts as one more sentence. The vector of the whole is the mean of those of its sentences, which costs nothing.

Sentences that have no vector yet are encoded on the spot if the words of the query lead to them, so that search by
meaning works while the library is still being encoded.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.available_encoders import folder_of
from desktop_rag.retrieval.reading.highlights import Highlighter
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats, Keep, OnDemandEncoder, VectorMatch
from desktop_rag.stop import Stop

TITLE_SHARE = 0.5  # how far a title nearer to the query than any sentence lifts a chunk towards itself
EARLIER = "The sentence encoder was renewed; until its vectors are ready, those of the earlier one answer."
RENEWED = "The sentence encoder was renewed; search by meaning begins anew."
STRANGE = "The sentence encoder does not know this language; meaning says little, and hybrid search goes by the words."
# Letters a token: in 95 % of XQuAD's Arabic and Chinese questions below 1.15, in none of the English or German ones.
_SPELT, _KNOWN = 1.3, 1.8
_LEAST_TRUST = 0.1
_TITLED = 40  # chunks whose title is looked at
_KEPT_TITLES = 10_000  # 15 MB


class SentenceVectors(Protocol):
    """The vectors of sentences, by chunk; what a `VectorReader` does for search."""

    @property
    def encoder_id(self) -> str:
        """Return which encoder made them; empty without any."""

    @property
    def watermark(self) -> Watermark:
        """Return how far they follow which catalog."""

    def refresh(self) -> bool:
        """Look for new ones; return whether anything changed."""

    def close(self) -> None:
        """Let go of the files."""

    def search(
        self, query: Floats, limit: int, allowed: frozenset[ChunkId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, int, float]]:
        """Return the `limit` chunks, of those `allowed`, with the nearest sentence: its number and its cosine."""

    def vectors_of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, Floats]:
        """Return the vectors of the sentences of each of these chunks that has them."""


class VectorRetriever:
    """The sentence encoder, the vectors on disk, and those made on demand; loads the encoder at the first search.

    `trust` is how far the encoder knows the words of the last query, from 0 to 1.
    `keep` is called with (chunk, encoder id, rows as the catalog keeps them) for sentences that were encoded on demand.
    After an upgrade of the encoder, vectors of the one before answer as long as it is at hand; `note` says so.
    """

    def __init__(self, vectors: SentenceVectors, encoder: Path, keep: Keep | None = None, threads: int = 2) -> None:
        self._encoder_folder = encoder
        self._reader = vectors
        self._threads = threads
        self._encoder: Encoder | None = None
        self._earlier: Encoder | None = None
        self._on_demand = OnDemandEncoder(keep)
        self.note = ""
        self.trust = 1.0
        self._titles: OrderedDict[str, Floats] = OrderedDict()
        self._titles_by = ""
        self._asked: Floats | None = None
        self._direction: Floats | None = None
        self._asking: Encoder | None = None

    def close(self) -> None:
        """Let go of the files and of what was kept in memory."""
        self._reader.close()
        self._asked = self._direction = None
        self._on_demand.clear()
        self._titles.clear()

    def search(
        self,
        query: str,
        limit: int,
        allowed: frozenset[ChunkId] | None,
        seeds: Sequence[ChunkId],
        marker: Highlighter,
        catalog: CatalogReader,
        stop: Stop,
        also: Sequence[ChunkId] = (),
        *,
        titled: bool = True,
    ) -> list[VectorMatch]:
        """Return the `limit` chunks with the nearest sentence, and of `also` those that are known; best first.

        Unless `titled`, titles have no say.

        `seeds` are the chunks to encode on demand if they have no vectors yet, the most promising first; `marker`
        finds the words of the query in them. Raises `EncoderError`.
        """
        encoder, reader = self._ready()
        self._asking = encoder
        if encoder.id != self._titles_by:
            self._titles.clear()
            self._titles_by = encoder.id
        stop.check()
        direction = encoder.encode([query], stop)[0]
        self._direction = direction
        self._judge(query, encoder)
        stop.check()
        found: dict[ChunkId, VectorMatch] = {}
        self._asked = None
        if reader.encoder_id == encoder.id and reader.watermark.lineage == catalog.lineage():
            self._asked = direction
            nearest = {chunk for chunk, _, _ in reader.search(direction, limit, allowed, stop)}
            found = {meant.chunk: meant for meant in self.compared(nearest.union(also))}
        self._on_demand.encode(seeds, marker, direction, encoder, catalog, stop)
        for meant in self._on_demand.nearest(direction, allowed):
            found.setdefault(meant.chunk, meant)
        ranked = sorted(found.values(), key=_nearness)
        return self._with_titles(ranked, direction, encoder, catalog, stop) if titled else ranked

    def nearness(self, texts: Sequence[str], stop: Stop) -> list[float]:
        """Encode texts and return how near each is to the query of the last search; raises `EncoderError`."""
        if self._direction is None or self._asking is None or not texts:
            return [0.0] * len(texts)
        found: list[float] = (self._asking.encode(texts, stop) @ self._direction).tolist()
        return found

    def compared(self, chunks: Iterable[ChunkId]) -> list[VectorMatch]:
        """Return how near those of these chunks that have vectors are to the query of the last search."""
        if self._asked is None:
            return []
        direction = self._asked
        vectors = self._reader.vectors_of(chunks)
        return [VectorMatch.of(chunk, range(len(rows)), rows, direction) for chunk, rows in vectors.items()]

    def _ready(self) -> tuple[Encoder, SentenceVectors]:
        """Return the vectors as they are now, and the encoder that made them if it is at hand, else the usual one."""
        self._reader.refresh()
        if self._encoder is None:
            self._encoder = Encoder.load(self._encoder_folder, self._threads)
        if self._reader.encoder_id in ("", self._encoder.id):
            self.note = ""
            return self._encoder, self._reader
        if self._earlier is None or self._earlier.id != self._reader.encoder_id:
            folder = folder_of(self._reader.encoder_id, self._encoder_folder)
            self._earlier = Encoder.load(folder, self._threads) if folder is not None else None
        self.note = EARLIER if self._earlier is not None else RENEWED
        return self._earlier or self._encoder, self._reader

    def _judge(self, query: str, encoder: Encoder) -> None:
        """Say how far meaning is to be trusted: an encoder that has no words of a language spells it."""
        known = (encoder.letters_per_token(query) - _SPELT) / (_KNOWN - _SPELT)
        self.trust = min(1.0, max(_LEAST_TRUST, known))
        letters = list(filter(str.isalpha, query))
        foreign = sum(not letter.isascii() for letter in letters) > len(letters) / 2
        if foreign and known < 1 / 2:  # numbers and abbreviations are spelt, too
            self.note = self.note or STRANGE

    def _with_titles(
        self, ranked: list[VectorMatch], direction: Floats, encoder: Encoder, catalog: CatalogReader, stop: Stop
    ) -> list[VectorMatch]:
        contents = catalog.contents_of(meant.chunk for meant in ranked[:_TITLED])
        titles = {content.id: content.title for content in catalog.contents(set(contents.values())).values()}
        self._learn_titles({title for title in titles.values() if title}, encoder, stop)
        lifted: list[VectorMatch] = []
        for meant in ranked:
            content = contents.get(meant.chunk)
            title = self._titles.get(titles.get(content, "")) if content is not None else None
            lead = float(title @ direction) - meant.best if title is not None else 0.0
            lifted.append(meant._replace(best=meant.best + TITLE_SHARE * lead) if lead > 0 else meant)
        return sorted(lifted, key=_nearness)

    def _learn_titles(self, titles: Iterable[str], encoder: Encoder, stop: Stop) -> None:
        unknown = sorted(title for title in titles if title not in self._titles)
        for title, vector in zip(unknown, encoder.encode(unknown, stop) if unknown else (), strict=True):
            self._titles[title] = vector
        while len(self._titles) > _KEPT_TITLES:
            self._titles.popitem(last=False)


def _nearness(meant: VectorMatch) -> tuple[float, ChunkId]:
    return -meant.score, meant.chunk
