"""Whole chunks by their ids."""

from collections.abc import Sequence

from desktop_rag.documents.document import page_of
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import ChunkText


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
