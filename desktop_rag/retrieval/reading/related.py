"""Related passages: those linked from a passage, those that link to its document, and semantic neighbours.

They are ordered by cosine (0 to 1) plus link strength (0 to 1), so a link outweighs much similarity.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from desktop_rag.documents.document import page_of
from desktop_rag.errors import EncoderError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.neighbours import Neighbours, naming, neighbours
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.retrieval.api import ChunkText, MatchReason
from desktop_rag.retrieval.query.highlights import Highlighter
from desktop_rag.retrieval.ranking.ranked_chunks import RankedChunk
from desktop_rag.retrieval.retrievers.vector import VectorRetriever
from desktop_rag.stop import Stop

NEAREST = 200  # semantic neighbours
_MAX_BACKLINKS = 100


def related(catalog: CatalogReader, vectors: VectorRetriever, chunk: Chunk, stop: Stop) -> list[RankedChunk]:
    """Return the best chunk of each related document, best first; of its own mail thread every mail.

    The mails of a thread may be in the same mailbox file. Without an encoder only links count.
    """
    try:
        query = vectors.encode_query(chunk.text, catalog, stop)
        near = vectors.search(query, NEAREST, None, (), Highlighter(()), catalog, stop)
    except EncoderError:
        near = []
    similarity = {match.chunk: max(0.0, match.score) for match in near}
    scores = defaultdict(float, similarity)
    linked = neighbours(catalog.links, {chunk.id: chunk.text}).get(chunk.id, Neighbours({}, {}, {}))
    for other, weight in _links(catalog, chunk, linked, similarity).items():
        scores[other] += weight
    contents = catalog.chunks.contents_of(scores)
    sentences = {match.chunk: match.ordinal for match in near}
    ranked = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))
    shown = {chunk.content}
    found: list[RankedChunk] = []
    for other, score in ranked:
        content = contents.get(other, chunk.content)
        if other in linked.thread or content not in shown:
            shown.add(content)
            found.append(RankedChunk(other, score, MatchReason(), sentences.get(other, -1)))
    return found


def _links(catalog: CatalogReader, chunk: Chunk, linked: Neighbours, known: Iterable[ChunkId]) -> dict[ChunkId, float]:
    """Return the strength of links from and to `chunk`; a document is represented by its best known chunk."""
    strength: dict[ChunkId, float] = dict(naming(catalog.links, chunk.content, _MAX_BACKLINKS))
    best: dict[ContentId, ChunkId] = {}
    for other, content in catalog.chunks.contents_of(known).items():
        best.setdefault(content, other)
    targets: list[tuple[ChunkId, float]] = [*linked.chunks.items(), *linked.thread.items()]
    for content, weight in linked.documents.items():
        first = best.get(content) or next(iter(catalog.chunks.ids_of_content(content)), None)
        targets += [(first, weight)] if first is not None else []
    for other, weight in targets:
        strength[other] = max(strength.get(other, 0.0), weight)
    return strength


# Whole chunks by their ids.


def chunk_texts(catalog: CatalogReader, chunks: Sequence[ChunkId]) -> tuple[ChunkText, ...]:
    """Return chunks in the given order, without unknown ids and chunks that no visible file contains."""
    found = catalog.chunks.by_id(chunks)
    visible = catalog.files.every_place({chunk.content for chunk in found.values()})
    pages = catalog.contents.pages(visible)
    counts = {content: len(catalog.chunks.ids_of_content(content)) for content in visible}
    return tuple(
        ChunkText(
            chunk.id,
            chunk.content,
            chunk.ordinal,
            counts[chunk.content],
            chunk.span,
            chunk.heading,
            page_of(pages.get(chunk.content, ()), chunk.span.first_line),
            tuple(chunk.text.split("\n")),
            catalog.contents.section_at(chunk.content, chunk.span.first_line),
        )
        for chunk in (found[chunk] for chunk in chunks if chunk in found)
        if chunk.content in visible
    )
