"""The catalog: the only truth about folders, files, their contents, chunks and vectors.

The keyword index and the vector files are copies; they follow the change log and can be thrown away.
Only the indexer opens a `Catalog`; everyone else uses its reading half.
"""

import os
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.requests import READER_VERSION
from desktop_rag.index.catalog_reader import CatalogReader, absolute, pack_sentences
from desktop_rag.index.database import Database
from desktop_rag.index.records import (
    ContentId,
    File,
    FileId,
    FileStat,
    FileState,
    FolderId,
    FolderRules,
    FolderState,
)
from desktop_rag.index.schema import prepare
from desktop_rag.paths import private_folder

SEGMENT_CHARACTERS = 16_384


class _FileRow(NamedTuple):
    id: int
    path: bytes
    size: int
    mtime_ns: int
    inode: int
    device: int
    pending: int
    outcome: str
    reason: str
    content: int | None
    content_state: str | None


class QueuedFile(NamedTuple):
    """A file that waits to be read; `path` is absolute."""

    id: FileId
    folder: FolderId
    path: bytes
    size: int


class Catalog(CatalogReader):
    """Read and write access; one process, one thread."""

    @classmethod
    def open(cls, path: Path) -> "Catalog":
        """Open or create the catalog at `path`; raises `LibraryError`."""
        private_folder(path.parent)
        database = Database(path)
        prepare(database)
        return cls(database)

    def transaction(self) -> AbstractContextManager[None]:
        """Return a block in which everything happens or nothing."""
        return self.database.transaction()

    # Folders

    def add_folder(self, path: bytes, *, is_file: bool) -> FolderId:
        """Add a root, or bring a removed one back as it was."""
        known = self.database.values(int, "SELECT id FROM folder WHERE path = ?", (path,))
        if known:
            self.restore_folder(FolderId(known[0]))
            return FolderId(known[0])
        rules = msgspec.json.encode(FolderRules()).decode()
        return FolderId(
            self.database.insert(
                "INSERT INTO folder (path, is_file, state, rules) VALUES (?, ?, ?, ?)",
                (path, is_file, FolderState.ACTIVE, rules),
            )
        )

    def set_folder_state(self, folder: FolderId, state: FolderState) -> None:
        """Say what a root is doing."""
        self.database.execute("UPDATE folder SET state = ? WHERE id = ?", (state, folder))

    def set_back_online(self, folder: FolderId) -> None:
        """Say that a root that was away is there again."""
        self.database.execute(
            "UPDATE folder SET state = ? WHERE id = ? AND state = ?",
            (FolderState.ACTIVE, folder, FolderState.OFFLINE),
        )

    def set_rules(self, folder: FolderId, rules: FolderRules) -> None:
        """Use other rules from the next scan on."""
        self.database.execute("UPDATE folder SET rules = ? WHERE id = ?", (msgspec.json.encode(rules).decode(), folder))

    def remove_folder(self, folder: FolderId) -> None:
        """Hide a root and everything in it from the next query on; `forget_removed` erases it later."""
        self.database.execute("UPDATE folder SET removed_ns = ? WHERE id = ?", (time.time_ns(), folder))

    def restore_folder(self, folder: FolderId) -> None:
        """Undo `remove_folder`."""
        self.database.execute("UPDATE folder SET removed_ns = 0, state = ? WHERE id = ?", (FolderState.ACTIVE, folder))

    def adopt_files(self, parent: FolderId, child: FolderId, prefix: bytes) -> None:
        """Move the files of a root that lies inside another into that one; nothing is read again."""
        inside = os.path.join(prefix, b"")  # noqa: PTH118 (bytes)
        with self.transaction():
            self.database.execute(
                "UPDATE OR IGNORE file SET folder = ?, path = CASE WHEN path = x'' THEN ? "
                "ELSE CAST(? || path AS BLOB) END WHERE folder = ?",
                (parent, prefix, inside, child),
            )
            self.database.execute("DELETE FROM folder WHERE id = ?", (child,))

    def forget_removed(self, before_ns: int) -> bool:
        """Erase roots removed before that time; their contents become orphans. Return whether there were any."""
        self.database.execute("DELETE FROM folder WHERE removed_ns BETWEEN 1 AND ?", (before_ns,))
        return self.database.changed() > 0

    # Files

    def files(self, folder: FolderId) -> dict[bytes, File]:
        """Return every known file of a root by its relative path."""
        rows = self.database.rows(
            _FileRow,
            "SELECT file.id, path, size, mtime_ns, inode, device, pending, outcome, reason, content, content.state "
            "FROM file LEFT JOIN content ON content.id = file.content WHERE folder = ?",
            (folder,),
        )
        return {row.path: _file(folder, row) for row in rows}

    def queue_file(self, folder: FolderId, path: bytes, stat: FileStat) -> None:
        """Note a file that is to be read; if it is known, its old content serves until then."""
        self.database.execute(
            "INSERT INTO file (folder, path, size, mtime_ns, inode, device, pending) VALUES (?, ?, ?, ?, ?, ?, 1) "
            "ON CONFLICT (folder, path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, "
            "inode = excluded.inode, device = excluded.device, pending = 1",
            (folder, path, stat.size, stat.mtime_ns, stat.inode, stat.device),
        )

    def leave_out(self, folder: FolderId, path: bytes, stat: FileStat, reason: str) -> None:
        """Note a file that is not read, with the reason a person sees."""
        self.database.execute(
            "INSERT INTO file (folder, path, size, mtime_ns, inode, device, pending, outcome, reason) "
            "VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (folder, path) DO UPDATE SET size = excluded.size, "
            "mtime_ns = excluded.mtime_ns, inode = excluded.inode, device = excluded.device, pending = 0, "
            "outcome = excluded.outcome, reason = excluded.reason, content = NULL",
            (folder, path, stat.size, stat.mtime_ns, stat.inode, stat.device, FileState.SKIPPED, reason),
        )

    def move_file(self, file: FileId, path: bytes, stat: FileStat) -> None:
        """Give a file its new relative path inside the same root."""
        with self.transaction():
            self.database.execute(
                "DELETE FROM file WHERE path = ? AND id != ? AND folder = (SELECT folder FROM file WHERE id = ?)",
                (path, file, file),
            )
            self.database.execute(
                "UPDATE file SET path = ?, size = ?, mtime_ns = ?, inode = ?, device = ? WHERE id = ?",
                (path, stat.size, stat.mtime_ns, stat.inode, stat.device, file),
            )

    def remove_file(self, file: FileId) -> None:
        """Forget a place; its content becomes an orphan if no other place holds it."""
        self.database.execute("DELETE FROM file WHERE id = ?", (file,))

    def next_queued(self, limit: int) -> list[QueuedFile]:
        """Return files to read: small ones before big ones, recent ones first, only from active roots."""
        rows = self.database.rows(
            tuple[int, int, bytes, bytes, int],
            "SELECT file.id, folder.id, folder.path, file.path, file.size "
            "FROM file JOIN folder ON folder.id = file.folder "
            "WHERE file.pending = 1 AND folder.removed_ns = 0 AND folder.state = 'active' "
            "ORDER BY file.size / 1000000, file.mtime_ns DESC LIMIT ?",
            (limit,),
        )
        return [QueuedFile(FileId(id_), FolderId(f), absolute(root, path), size) for id_, f, root, path, size in rows]

    def link_file(self, file: FileId, content: ContentId) -> None:
        """Say that a file holds this content now."""
        self.database.execute(
            "UPDATE file SET content = ?, pending = 0, outcome = '', reason = '' WHERE id = ?", (content, file)
        )

    def end_file(self, file: FileId, state: FileState, reason: str) -> None:
        """Say that a file was skipped or failed, and why; what it held before is not cited any more."""
        self.database.execute(
            "UPDATE file SET content = NULL, pending = 0, outcome = ?, reason = ? WHERE id = ?", (state, reason, file)
        )

    # Contents

    def store(self, sha256: bytes, document: Document, chunks: Sequence[DraftChunk]) -> ContentId:
        """Store what a reader made of these bytes; call it inside a transaction."""
        content = ContentId(
            self.database.insert(
                "INSERT INTO content (sha256, reader, state, format, title, author, created, language, line_count, "
                "word_count, page_count, partial) VALUES (?, ?, 'stored', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    sha256,
                    READER_VERSION,
                    document.format,
                    document.title,
                    document.author,
                    document.created,
                    document.language,
                    document.line_count,
                    len(document.text.split()),
                    len(document.pages),
                    document.partial,
                ),
            )
        )
        self._store_text(content, document)
        for ordinal, draft in enumerate(chunks):
            self._store_chunk(content, ordinal, draft)
        self.database.execute(
            "UPDATE content SET state = ?, sequence = (SELECT max(sequence) FROM change) WHERE id = ?",
            ("stored" if chunks else "ready", content),
        )
        return content

    def _store_text(self, content: ContentId, document: Document) -> None:
        self.database.execute_many(
            "INSERT INTO segment (content, first_line, start, body) VALUES (?, ?, ?, ?)",
            ((content, *segment) for segment in segments(document)),
        )
        self.database.execute_many(
            "INSERT INTO page (content, number, first_line, width, height) VALUES (?, ?, ?, ?, ?)",
            ((content, page.number, page.first_line, page.width, page.height) for page in document.pages),
        )
        self.database.execute(
            "INSERT INTO layout (content, kinds, boxes) VALUES (?, ?, ?)", (content, document.kinds, document.boxes)
        )

    def _store_chunk(self, content: ContentId, ordinal: int, draft: DraftChunk) -> None:
        span = draft.span
        chunk = self.database.insert(
            "INSERT INTO chunk (content, ordinal, first_line, last_line, start, end, heading, sentences, "
            "sentence_count, encoded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                content,
                ordinal,
                span.first_line,
                span.last_line,
                span.start,
                span.end,
                draft.heading,
                pack_sentences(draft.sentences),
                len(draft.sentences),
                not draft.sentences,
            ),
        )
        self.database.execute("INSERT INTO change (kind, chunk) VALUES ('added', ?)", (chunk,))

    def remove_orphans(self, before_ns: int) -> int:
        """Mark contents that no place holds and erase those marked before that time; return how many went."""
        with self.transaction():
            held = "EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"
            self.database.execute(f"UPDATE content SET orphaned_ns = 0 WHERE orphaned_ns > 0 AND {held}")
            self.database.execute(
                f"UPDATE content SET orphaned_ns = ? WHERE orphaned_ns = 0 AND NOT {held}", (time.time_ns(),)
            )
            self.database.execute(
                "INSERT INTO change (kind, chunk) SELECT 'removed', chunk.id FROM chunk "
                "JOIN content ON content.id = chunk.content WHERE content.orphaned_ns BETWEEN 1 AND ?",
                (before_ns,),
            )
            self.database.execute("DELETE FROM content WHERE orphaned_ns BETWEEN 1 AND ?", (before_ns,))
            return self.database.changed()


def segments(document: Document) -> list[tuple[int, int, str]]:
    """Return (first line, offset, text) pieces of about `SEGMENT_CHARACTERS` that end at line ends."""
    pieces: list[tuple[int, int, str]] = []
    starts = document.line_starts
    first = 0
    for index in range(1, document.line_count + 1):
        end = starts[index] if index < document.line_count else len(document.text)
        if end - starts[first] >= SEGMENT_CHARACTERS or index == document.line_count:
            pieces.append((first + 1, starts[first], document.text[starts[first] : end]))
            first = index
    return pieces


def _file(folder: FolderId, row: _FileRow) -> File:
    if row.pending or row.content_state == "stored":
        state = FileState.QUEUED
    elif row.content_state is not None:
        state = FileState(row.content_state)
    else:
        state = FileState(row.outcome)
    return File(
        FileId(row.id),
        folder,
        row.path,
        FileStat(row.size, row.mtime_ns, row.inode, row.device),
        state,
        row.reason,
        None if row.content is None else ContentId(row.content),
    )
