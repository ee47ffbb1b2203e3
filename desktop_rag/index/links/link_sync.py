"""Extracts links from new chunks: follows the change log, a batch at a time.

Names in chunks and names of documents are stored under the same keys, so that a link exists as soon as both are stored,
in either order. Keys are hashes: one batch touches pages all over their table, so a transaction has many chunks.
"""

import os
import re
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.documents.document import Structure
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.links.neighbours import (
    NAME_RUN,
    file_name,
    further_names,
    keys_of,
    message_keys,
    names_in,
    normal_name,
    short_name,
    target_name,
    title_name,
)
from desktop_rag.index.records import Chunk, ChunkId, Content, ContentId, FilePlace

# The keys of the names in chunks and of the names of documents; where both share one there is a link.

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
    found = {short_name(name) for name in (*_introduced(opening), *_abbreviations(own, opening))}
    found.update(further_names(title))
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


STEP = 64  # chunks or contents at a time: some hundredths of a second
MOST_KEYS, LONGEST_WAIT = 800_000, 60.0  # keys, and seconds since the first, before they are stored
NAMED_AT_ONCE = 1024  # contents whose names are stored in one transaction
VERSION = 6  # of what `neighbours` extracts; after a change all links are extracted again


class LinkSync:
    """Brings the link tables in line with the change log; used by the indexer's loop only."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._links = catalog.links
        self._links.prepare()
        self._sequence = self._start_sequence()
        self._extracted = self._sequence  # the last change whose keys are extracted, though not stored yet
        self._keys: dict[ChunkId, array[int]] = {}  # of chunks added by these changes …
        self._removed: set[ChunkId] = set()  # … and the chunks removed by them
        self._key_count = 0
        self._store_at = 0.0

    def sync(self, *, eager: bool = True) -> bool:
        """Process one batch of changes; return whether there were any.

        Stores what was extracted once it is much or old, or, if `eager`, when there are no further changes.
        """
        changes = self._catalog.change_log.changes(self._extracted, STEP, "added")
        if changes.sequence > self._extracted:
            if self._extracted == self._sequence:
                self._store_at = time.monotonic() + LONGEST_WAIT
            self._extract(list(self._catalog.chunks.by_id(changes.added).values()))
            for chunk in changes.removed:
                self._keys.pop(chunk, None)
            self._removed.update(changes.removed)
            self._extracted = changes.sequence
            if self._key_count < MOST_KEYS and time.monotonic() < self._store_at:
                return True
        elif not eager and (self._extracted == self._sequence or time.monotonic() < self._store_at):
            return False
        return self._store()

    def _store(self) -> bool:
        """Store the extracted keys, and the names of some contents; return whether there were any."""
        links = self._links
        unnamed = links.unnamed(NAMED_AT_ONCE)
        if self._extracted == self._sequence and not unnamed:
            return False
        with self._catalog.transaction():
            ids = [*self._removed, *self._keys]
            for first in range(0, len(ids), STEP):
                links.delete_mentions(ids[first : first + STEP])
            links.add_mentions(self._keys)
            for first in range(0, len(unnamed), STEP):
                links.set_names(self._names_of(unnamed[first : first + STEP]))
            links.set_watermark(f"{VERSION}:{self._extracted}")
        self._sequence = self._extracted
        self._keys, self._removed, self._key_count = {}, set(), 0
        return True

    @property
    def extracted(self) -> int:
        """Return the last change whose links are extracted, though maybe not stored yet."""
        return self._extracted

    def left(self) -> int:
        """Return about how many changes are not extracted yet."""
        return max(0, self._catalog.change_log.last_keyword_change() - self._extracted)

    def has_reached(self, sequence: int) -> bool:
        """Return whether the tables contain every change up to `sequence`."""
        return self._sequence >= sequence

    def _start_sequence(self) -> int:
        """Return the last change the tables contain; clear tables of another version."""
        version, _, sequence = self._links.watermark().partition(":")
        last = self._catalog.change_log.last_sequence()
        if version == str(VERSION) and sequence.isdecimal() and int(sequence) <= last:
            return int(sequence)
        self._links.clear()
        return 0

    def _extract(self, chunks: Sequence[Chunk]) -> None:
        keys = keys_of_chunks(self._catalog, chunks)
        self._keys |= {chunk: array("q", held) for chunk, held in keys.items()}
        self._key_count += sum(map(len, keys.values()))

    def _names_of(self, contents: Sequence[ContentId]) -> dict[ContentId, list[int]]:
        """Return the keys of the titles, aliases and file names of contents; none for those that no longer exist."""
        known = self._catalog.contents.by_id(contents)
        places = self._catalog.files.places(known)
        named = {content: keys_of_document(self._catalog, known[content], places.get(content, ())) for content in known}
        return {content: named.get(content, []) for content in contents}
