"""The second hop: what the best passages name comes forward (mode `linked`).

score + 0.4 · the greatest of (score of one of the best three · how strongly it leads there). Measured on multi-hop
questions, see docs/evaluation.md.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.neighbours import neighbours
from desktop_rag.index.records import ChunkId, ContentId

LEADING = 3  # passages that lead on
LIFT = 0.4

Scored = Sequence[tuple[ChunkId, float]]


def lifts(catalog: CatalogReader, scored: Scored) -> dict[ChunkId, float]:
    """Return what is added to the score of each chunk that the best of `scored` lead to.

    A document is represented by its best chunk in `scored`, else by its first one.
    """
    leading = dict(scored[:LEADING])
    texts = {each.chunk: each.text for each in catalog.passages(leading)}
    led = neighbours(catalog.database, texts)
    named = {content for found in led.values() for content in found.documents}
    sharing = {chunk for found in led.values() for chunk in (*found.chunks, *found.thread)}
    contents = catalog.contents_of((*(chunk for chunk, _ in scored), *sharing))
    of_document = _representatives(catalog, scored, contents, named)
    added: dict[ChunkId, float] = defaultdict(float)
    for source, found in led.items():
        own = contents.get(source)
        targets: list[tuple[ChunkId | None, ContentId | None, float]] = [
            (of_document.get(content), content, weight) for content, weight in found.documents.items()
        ]
        chunks = (*found.chunks.items(), *found.thread.items())
        targets += [(chunk, contents.get(chunk), weight) for chunk, weight in chunks]
        for chunk, content, weight in targets:
            if chunk is not None and content is not None and (content != own or chunk in found.thread):
                added[chunk] = max(added[chunk], LIFT * leading[source] * weight)
    return added


def _representatives(
    catalog: CatalogReader, scored: Scored, contents: Mapping[ChunkId, ContentId], named: set[ContentId]
) -> dict[ContentId, ChunkId]:
    found: dict[ContentId, ChunkId] = {}
    for chunk, _ in scored:
        content = contents.get(chunk)
        if content in named and content is not None:
            found.setdefault(content, chunk)
    for content in named - found.keys():
        for chunk in catalog.chunk_ids_of(content)[:1]:
            found[content] = chunk
    return found
