"""The keys of the names in chunks and of the names of documents; where both share one there is a link."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.documents.document import Structure
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.mentions import (
    NAME_RUN,
    file_name,
    keys_of,
    message_keys,
    names_in,
    normal_name,
    target_name,
    title_name,
)
from desktop_rag.index.records import Chunk, ChunkId, Content, FilePlace

_OPENING = 600  # characters of a text that are looked through
_INTRODUCED = re.compile(
    r"\b(?:(?:also|better|best|formerly|commonly|popularly|professionally|simply|now)\s+)+"
    r"(?:known\s+(?:simply\s+|professionally\s+)?as|called|named|abbreviated(?:\s+(?:as|to))?|titled)\s+(?:the\s+)?|"
    r"\b(?:known\s+professionally\s+as|abbreviated\s+(?:as|to)|nicknamed|a\.?k\.?a\.?|alias|or\s+simply|short\s+for|"
    r"auch\s+bekannt\s+als|auch|kurz|abgekürzt|aussi\s+appelée?|dit|también\s+(?:conocid[oa]\s+como|llamad[oa]))[:,]?\s+"
)
_QUOTED = re.compile(r"[\"“„«]\s?([^\"“”„«»\n]{3,60}?)\s?[\"”“»]")
_BRACKETS = re.compile(r"\(([^()\n]{2,80})\)")
_ABBREVIATION = re.compile(r"(?:[A-Z][a-z]{0,2}[.&-]?){2,7}")
_SHORTEST_TITLE = 4  # letters before a comma


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
    opening = catalog.texts.between(content.id, 0, _OPENING) if content.title else ""
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


def aliases(title: str, opening: str) -> set[str]:
    """Return the other names that a document's opening introduces, normalised: “World Health Organization (WHO)”.

    Such names are in brackets after the title or follow words such as “also known as”. The title's part before a comma
    (“Jacksonville, Florida”) counts, too.
    """
    own = title_name(title)
    found = {normal_name(name) for name in (*_introduced(opening), *_abbreviations(own, opening))}
    head, comma, _ = title.partition(",")
    if comma and len(head) >= _SHORTEST_TITLE:
        found.add(normal_name(head))
    return found - {own, ""}


def _introduced(opening: str) -> Iterator[str]:
    for words in _INTRODUCED.finditer(opening):
        name = _QUOTED.match(opening, words.end())
        run = NAME_RUN.match(opening, words.end())
        if name is not None:
            yield name[1]
        elif run is not None:
            yield run[0]


def _abbreviations(title: str, opening: str) -> Iterator[str]:
    """Yield the text in brackets directly after the title."""
    for brackets in _BRACKETS.finditer(opening):
        before = normal_name(opening[: brackets.start()][-120:].rpartition("\n")[2])
        if title and before.endswith(title):
            yield from (part for part in re.split(r"[;,:\s]+", brackets[1]) if _ABBREVIATION.fullmatch(part))
