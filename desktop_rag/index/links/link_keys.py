"""The keys of the names in chunks and of the names of documents; where both share one there is a link."""

import os
from collections.abc import Iterable, Sequence

from desktop_rag.documents.document import Structure
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.aliases import OPENING, aliases
from desktop_rag.index.links.mentions import file_name, keys_of, message_keys, names_in, target_name, title_name
from desktop_rag.index.records import Chunk, ChunkId, Content, FilePlace


def keys_of_chunks(catalog: CatalogReader, chunks: Sequence[Chunk]) -> dict[ChunkId, list[int]]:
    """Return the keys of the names, of the targets of links and of the mails in each chunk."""
    contents = catalog.contents
    structures = {content: contents.structure(content) for content in {chunk.content for chunk in chunks}}
    targets = {content: _targets(structure) for content, structure in structures.items()}
    titles = {content.id: content.title for content in contents.by_id(targets).values()}
    found: dict[ChunkId, list[int]] = {}
    for chunk in chunks:
        names = names_in(f"{chunk.heading}\n\n{chunk.text}")
        linked = (name for start, name in targets[chunk.content] if chunk.span.start <= start < chunk.span.end)
        keys = keys_of((*names, *linked, title_name(titles.get(chunk.content, ""))))
        found[chunk.id] = keys + message_keys(_thread(structures[chunk.content], chunk))
    return found


def keys_of_document(catalog: CatalogReader, content: Content, places: Iterable[FilePlace]) -> list[int]:
    """Return the keys of a document's title, of its aliases and of the names of its files."""
    paths = (os.fsdecode(place.path) for place in places)
    file_names = (file_name(os.path.basename(path)) for path in paths)  # noqa: PTH119
    opening = catalog.texts.between(content.id, 0, OPENING) if content.title else ""
    return keys_of((title_name(content.title), *file_names, *aliases(content.title, opening)))


def _targets(structure: Structure) -> list[tuple[int, str]]:
    """Return the offsets of links and the names of the files they point to."""
    linking = structure.each_mark() if structure.links else ()
    return [(mark.start, target_name(mark.target)) for mark in linking if mark.target]


def _thread(structure: Structure, chunk: Chunk) -> set[str]:
    """Return the ids of the mails that start in a chunk, and of those they reply to."""
    lines = range(chunk.span.first_line, chunk.span.last_line + 1)
    started = [mail for mail in structure.messages if mail.first_line in lines]
    return {named for mail in started for named in (mail.id, *mail.answers) if named}
