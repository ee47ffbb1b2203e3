"""What belongs to a passage: what it names, what names its document, and what is near to it in meaning.

The order is by the nearness (0 to 1) and the strength of the link (0 to 1) together, so a link outweighs much nearness.
"""

from collections import defaultdict
from collections.abc import Iterable

from desktop_rag.errors import EncoderError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.neighbours import Neighbours, naming, neighbours
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.retrieval.api import MatchReason
from desktop_rag.retrieval.ranking.ranker import RankedChunk
from desktop_rag.retrieval.reading.highlights import Highlighter
from desktop_rag.retrieval.retrievers.vector import VectorRetriever
from desktop_rag.stop import Stop

NEAREST = 200  # chunks that are near in meaning
_MOST_NAMING = 100


def related(catalog: CatalogReader, meaning: VectorRetriever, chunk: Chunk, stop: Stop) -> list[RankedChunk]:
    """Return what belongs to `chunk`, best first: of each other document its best chunk, of a thread every mail.

    Mails may lie in one mailbox with it. Without an encoder links alone decide.
    """
    try:
        near = meaning.search(chunk.text, NEAREST, None, (), Highlighter(()), catalog, stop)
    except EncoderError:
        near = []
    nearness = {meant.chunk: max(0.0, meant.score) for meant in near}
    scores = defaultdict(float, nearness)
    led = neighbours(catalog.database, {chunk.id: chunk.text}).get(chunk.id, Neighbours({}, {}, {}))
    for other, weight in _links(catalog, chunk, led, nearness).items():
        scores[other] += weight
    contents = catalog.contents_of(scores)
    sentences = {meant.chunk: meant.ordinal for meant in near}
    ranked = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
    shown = {chunk.content}
    found: list[RankedChunk] = []
    for other, score in ranked:
        content = contents.get(other, chunk.content)
        if other in led.thread or content not in shown:
            shown.add(content)
            found.append(RankedChunk(other, score, MatchReason(), sentences.get(other, -1)))
    return found


def _links(catalog: CatalogReader, chunk: Chunk, led: Neighbours, known: Iterable[ChunkId]) -> dict[ChunkId, float]:
    """Return the chunks that are linked with `chunk`, in either direction; a document by its best known chunk."""
    strength: dict[ChunkId, float] = dict(naming(catalog.database, chunk.content, _MOST_NAMING))
    best: dict[ContentId, ChunkId] = {}
    for other, content in catalog.contents_of(known).items():
        best.setdefault(content, other)
    targets: list[tuple[ChunkId, float]] = [*led.chunks.items(), *led.thread.items()]
    for content, weight in led.documents.items():
        first = best.get(content) or next(iter(catalog.chunk_ids_of(content)), None)
        targets += [(first, weight)] if first is not None else []
    for other, weight in targets:
        strength[other] = max(strength.get(other, 0.0), weight)
    return strength
