"""Keeps the links of a library in step with its catalog: follows the change log, a batch of chunks at a time.

Nothing is compared with anything: a chunk's names and a document's titles are filed under the same keys, so that a link
is there as soon as both are, whichever came first.
"""

import os
from array import array
from collections.abc import Iterable, Sequence

from desktop_rag.documents.document import Structure
from desktop_rag.index.catalog.blob_codec import unpack_structure
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.change_log import ChangeLog
from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.links.link_tables import prepare
from desktop_rag.index.links.mentions import file_name, keys_of, message_keys, names_in, target_name, title_name
from desktop_rag.index.records import Chunk, ChunkId, ContentId

STEP = 64  # chunks or contents at a time: some hundredths of a second
VERSION = 3  # of what `names` finds; another one gathers everything anew


class LinkSync:
    """The one writer of the tables of links; used by the indexer's loop only."""

    def __init__(self, database: Database, ledger: ChangeLog) -> None:
        self._database = database
        self._ledger = ledger
        self._reader = CatalogReader(database)
        prepare(database)
        self._sequence = self._begin()

    def follow(self) -> bool:
        """Come a step nearer to the catalog; return whether it was behind."""
        changes = self._ledger.changes(self._sequence, STEP, "added")
        unnamed = self._database.values(int, "SELECT content FROM unnamed LIMIT ?", (STEP,))
        if changes.sequence == self._sequence and not unnamed:
            return False
        chunks = list(self._reader.chunks(changes.added).values())
        with self._database.transaction():
            self._forget((*changes.removed, *changes.added))
            self._note(chunks)
            self._call(list(map(ContentId, unnamed)))
            self._mark(changes.sequence)
        return True

    def has_come_to(self, sequence: int) -> bool:
        """Return whether everything up to a change is in the tables, and out of them."""
        return self._sequence >= sequence

    def _begin(self) -> int:
        """Return how far the tables follow the catalog; tables of another version are emptied."""
        found = self._database.values(str, "SELECT value FROM meta WHERE key = 'linked'")
        version, _, sequence = (found[0] if found else "").partition(":")
        if version == str(VERSION) and sequence.isdecimal() and int(sequence) <= self._ledger.last_sequence():
            return int(sequence)
        with self._database.transaction():
            for table in ("mention", "mentioning", "called"):
                self._database.execute(f"DELETE FROM {table}")
            self._database.execute("INSERT OR IGNORE INTO unnamed SELECT content FROM file WHERE content IS NOT NULL")
        return 0

    def _mark(self, sequence: int) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES ('linked', ?)", (f"{VERSION}:{sequence}",))
        self._sequence = sequence

    def _note(self, chunks: Sequence[Chunk]) -> None:
        structures = self._structures({chunk.content for chunk in chunks})
        targets = {content: _targets(structure) for content, structure in structures.items()}
        titles = {content.id: content.title for content in self._reader.contents(targets).values()}
        for chunk in chunks:
            said = names_in(f"{chunk.heading}\n\n{chunk.text}")
            leading = (name for start, name in targets[chunk.content] if chunk.span.start <= start < chunk.span.end)
            keys = keys_of((*said, *leading, title_name(titles.get(chunk.content, ""))))
            keys += message_keys(_thread(structures[chunk.content], chunk))
            self._database.execute(
                "INSERT INTO mentioning (chunk, keys) VALUES (?, ?)", (chunk.id, array("q", keys).tobytes())
            )
            self._database.execute_many(
                "INSERT OR IGNORE INTO mention (key, chunk) VALUES (?, ?)", ((key, chunk.id) for key in keys)
            )

    def _structures(self, contents: Iterable[ContentId]) -> dict[ContentId, Structure]:
        found: dict[ContentId, Structure] = {}
        for content in contents:
            packed = self._database.values(bytes, "SELECT structure FROM layout WHERE content = ?", (content,))
            found[content] = unpack_structure(packed[0]) if packed else Structure()
        return found

    def _call(self, contents: Sequence[ContentId]) -> None:
        """File contents under their titles and the names of their files."""
        known = self._reader.contents(contents)
        places = self._reader.places(known)
        for content in contents:
            self._database.execute("DELETE FROM called WHERE content = ?", (content,))
            if content in known:
                paths = (os.fsdecode(place.path) for place in places.get(content, ()))
                keys = keys_of((title_name(known[content].title), *(file_name(os.path.basename(p)) for p in paths)))  # noqa: PTH119
                self._database.execute_many(
                    "INSERT INTO called (content, key) VALUES (?, ?)", ((content, key) for key in keys)
                )
        self._database.execute(f"DELETE FROM unnamed WHERE content IN ({marks(len(contents))})", contents)

    def _forget(self, chunks: Sequence[ChunkId]) -> None:
        rows = self._database.rows(
            tuple[int, bytes], f"SELECT chunk, keys FROM mentioning WHERE chunk IN ({marks(len(chunks))})", chunks
        )
        for chunk, keys in rows:
            self._database.execute_many(
                "DELETE FROM mention WHERE key = ? AND chunk = ?", ((key, chunk) for key in array("q", keys))
            )
            self._database.execute("DELETE FROM mentioning WHERE chunk = ?", (chunk,))


def _targets(structure: Structure) -> list[tuple[int, str]]:
    """Return where links stand, and the names of the files they lead to."""
    linking = structure.each_mark() if structure.links else ()
    return [(mark.start, target_name(mark.target)) for mark in linking if mark.target]


def _thread(structure: Structure, chunk: Chunk) -> set[str]:
    """Return the ids of the mails that begin in a chunk, and of those they answer."""
    lines = range(chunk.span.first_line, chunk.span.last_line + 1)
    begun = [mail for mail in structure.messages if mail.first_line in lines]
    return {named for mail in begun for named in (mail.id, *mail.answers) if named}
