"""Stores and deletes contents in short steps, so that a huge document does not delay other work.

A content in state `arriving` or `leaving` is incomplete: it is never matched by hash or linked. One that was arriving
when the process ended is deleted.
"""

import time
from bisect import bisect_left
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import READER_VERSION
from desktop_rag.index.catalog.content_table import ContentTable
from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.catalog.mail_table import MailWriter, TagWriter
from desktop_rag.index.catalog.sentence_vectors import SentenceVectorWriter, sentence_hash
from desktop_rag.index.catalog.stored_values import RowSum, pack_boxes, pack_structure, text_sum
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.stop import result_of

if TYPE_CHECKING:
    from desktop_rag.documents.chunking import DraftChunk  # a search reads the change log without it

SEGMENT_CHARACTERS = 16_384
LONG_LINE = 65_536  # characters; a longer line is stored in pieces of its own
STEP = 64  # chunks or segments written or erased at a time

# The same bytes may be stored again before the last of it is deleted.
_LEAVING = "state = 'leaving', sha256 = CAST('leaving ' || id AS BLOB)"
_HELD = "EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"
# The newest reading is what a citation opens.
_CITED = (
    "sha256 IN (SELECT sha256 FROM cited) AND NOT EXISTS "
    "(SELECT 1 FROM content AS newer WHERE newer.sha256 = content.sha256 AND newer.reader > content.reader)"
)


class ContentWriter(ContentTable):
    """Stores and deletes contents."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._vectors = SentenceVectorWriter(database)
        self._mails = MailWriter(database)
        self._stored_tags = TagWriter(database)
        self._one_piece_per_line: bool | None = None  # unknown

    def store_in_steps(
        self,
        sha256: bytes,
        document: Document,
        chunks: "Sequence[DraftChunk]",
        unread_pages: int | None = None,
    ) -> Generator[None, None, ContentId]:
        """Store a document read from these bytes in steps of a few milliseconds; return the content.

        Each step belongs in a transaction, the last one in that which links the first file. `announce` adds the chunks
        to the change log.
        """
        described = (
            document.format,
            document.title,
            document.author,
            document.created,
            document.modified,
            document.language,
            document.line_count,
            len(document.pages),
            document.partial,
        )
        unread = len(document.structure.textless) if unread_pages is None else unread_pages
        kind = document.partial_kind.value if document.partial else ""
        content = self._insert((sha256, READER_VERSION, unread, kind, *described))
        words, total = 0, RowSum()
        pieces = segments(document, within_lines=self._splits_lines())
        while some := [(*piece, text_sum(*piece)) for piece in islice(pieces, STEP)]:
            words += sum(len(body.split()) for _, _, body, _ in some)
            self._database.execute_many(
                "INSERT INTO segment (content, first_line, start, body, sum) VALUES (?, ?, ?, ?, ?)",
                ((content, *piece) for piece in some),
            )
            total.add((first_line, start, checksum) for first_line, start, _, checksum in some)
            if len(some) == STEP:
                yield
        total.add((described,))
        self._store_layout(content, document, total)
        for first in range(0, len(chunks), STEP):
            if first:
                yield
            drafts = chunks[first : first + STEP]
            ids = [self._store_chunk(content, first + index, draft, total) for index, draft in enumerate(drafts)]
            if self._vectors.has_any():
                hashes = (
                    [sentence_hash(document.text[start:end]) for start, end in draft.sentences] for draft in drafts
                )
                # Now, while the content from which this one was made by an edit is still there.
                self._vectors.reuse(list(zip(ids, hashes, strict=True)))
        total.add(self._mails.store(content, document.structure.mails))
        total.add(self._stored_tags.store(content, document.tags))
        self._database.execute(
            "UPDATE content SET state = ?, word_count = ?, sum = ? WHERE id = ?",
            ("stored" if chunks else "ready", words, total.value, content),
        )
        return content

    def _insert(self, described: tuple[bytes | int | str | float | None, ...]) -> ContentId:
        return ContentId(
            self._database.insert(
                "INSERT INTO content (sha256, reader, state, word_count, unread_pages, partial_kind, format, title, "
                "author, created, modified, language, line_count, page_count, partial) "
                "VALUES (?, ?, 'arriving', 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                described,
            )
        )

    def store(self, sha256: bytes, document: Document, chunks: "Sequence[DraftChunk]") -> ContentId:
        """Store a document read from these bytes in one transaction, and add its chunks to the change log."""
        with self._database.transaction():
            content = result_of(self.store_in_steps(sha256, document, chunks))
            self.announce(content, len(chunks) + 1)
        return content

    def announce(self, content: ContentId, limit: int) -> int:
        """Add the next `limit` chunks of a content to the change log; return how many there were."""
        self._database.execute(
            "INSERT INTO change (kind, chunk) SELECT 'added', id FROM chunk WHERE content = ?1 "
            "AND ordinal >= (SELECT announced FROM content WHERE id = ?1) ORDER BY ordinal LIMIT ?2",
            (content, limit),
        )
        announced = self._database.changed()
        last = "(SELECT max(sequence) FROM change)" if announced < limit else "sequence"
        self._database.execute(
            f"UPDATE content SET announced = announced + ?, sequence = {last} WHERE id = ?", (announced, content)
        )
        return announced

    def _store_layout(self, content: ContentId, document: Document, total: RowSum) -> None:
        pages = [(page.number, page.first_line, float(page.width), float(page.height)) for page in document.pages]
        layout = (document.kinds, pack_boxes(document.boxes), pack_structure(document.structure))
        sections = [(section.first_line, section.label) for section in document.structure.sections]
        for table, columns, rows in (
            ("page", "number, first_line, width, height", pages),
            ("layout", "kinds, boxes, structure", [layout]),
            ("section", "first_line, label", sections),
        ):
            if rows:
                sql = f"INSERT INTO {table} (content, {columns}) VALUES (?, {marks(len(rows[0]))})"
                self._database.execute_many(sql, ((content, *row) for row in rows))
            total.add(sorted(rows))

    def _store_chunk(self, content: ContentId, ordinal: int, draft: "DraftChunk", total: RowSum) -> ChunkId:
        span = draft.span
        row = (
            ordinal,
            span.first_line,
            span.last_line,
            span.start,
            span.end,
            draft.heading,
            draft.packed,
            draft.sentence_count,
        )
        total.add((row,))
        return ChunkId(
            self._database.insert(
                "INSERT INTO chunk (content, ordinal, first_line, last_line, start, end, heading, sentences, "
                "sentence_count, encoded, waits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (content, *row, not draft.packed, bool(draft.packed)),
            )
        )

    def _splits_lines(self) -> bool:
        """Return whether a piece of text may end within a line: not in a catalog whose key is the first line."""
        if self._one_piece_per_line is None:
            sql = "SELECT count(*) FROM pragma_index_list('segment') WHERE origin = 'pk'"
            self._one_piece_per_line = self._database.number(sql) > 0
        return not self._one_piece_per_line

    def discard_unfinished(self) -> None:
        """Mark contents whose storing was interrupted for deletion."""
        self._database.execute(f"UPDATE content SET {_LEAVING} WHERE state = 'arriving'")

    def discard_orphans(self, before_ns: int) -> None:
        """Mark orphans with the time; mark those orphaned before `before_ns` for deletion, except cited ones."""
        with self._database.transaction():
            self._database.execute(f"UPDATE content SET orphaned_ns = 0 WHERE orphaned_ns > 0 AND {_HELD}")
            self._database.execute(
                f"UPDATE content SET orphaned_ns = ? WHERE orphaned_ns = 0 AND state != 'arriving' AND NOT {_HELD}",
                (time.time_ns(),),
            )
            self._database.execute(
                f"UPDATE content SET {_LEAVING} "
                f"WHERE state != 'leaving' AND orphaned_ns BETWEEN 1 AND ? AND NOT ({_CITED})",
                (before_ns,),
            )
            self.delete_unused_ocr()

    def delete_unused_ocr(self) -> None:
        """Delete OCR results of contents that do not exist any more."""
        self._database.execute("DELETE FROM recognised WHERE sha256 NOT IN (SELECT sha256 FROM content)")

    def replace(
        self,
        old: ContentId,
        sha256: bytes,
        document: Document,
        chunks: "Sequence[DraftChunk]",
        unread_pages: int,
    ) -> None:
        """Replace the document read from these bytes by another one; belongs in one transaction."""
        content = result_of(self.store_in_steps(b"replacing " + sha256, document, chunks, unread_pages))
        self.discard((old,))
        self._database.execute("UPDATE content SET sha256 = ? WHERE id = ?", (sha256, content))
        self._database.execute("UPDATE file SET content = ? WHERE content = ?", (content, old))

    def discard(self, ids: Iterable[ContentId]) -> None:
        """Mark contents for deletion, also cited ones."""
        self._database.execute_many(f"UPDATE content SET {_LEAVING} WHERE id = ?", ((content,) for content in ids))

    def read_again(self, broken: Iterable[ContentId]) -> None:
        """Delete damaged contents and requeue their files; contents whose folders are all unavailable are kept."""
        with self._database.transaction():
            for content in broken:
                self._database.execute(
                    "UPDATE file SET content = NULL, pending = 1 WHERE content = ? AND folder IN "
                    "(SELECT id FROM folder WHERE removed_ns <= 0 AND state != 'offline')",
                    (content,),
                )
                if self._database.changed():
                    self._database.execute("UPDATE file SET content = NULL, pending = 1 WHERE content = ?", (content,))
                    self.discard((content,))

    def delete_now(self, ids: Iterable[ContentId]) -> None:
        """Delete contents in one step and requeue their files, for a repair: the change log is to be restarted."""
        for content in ids:
            self._database.execute("UPDATE file SET content = NULL, pending = 1 WHERE content = ?", (content,))
            self._database.execute("DELETE FROM content WHERE id = ?", (content,))

    def erase_some(self) -> bool:
        """Delete a part of the contents marked for deletion; return whether there were any."""
        leaving = self._database.values(int, "SELECT id FROM content WHERE state = 'leaving' LIMIT ?", (STEP,))
        if not leaving:
            return False
        with self._database.transaction():
            for content in leaving:
                if self._erase_chunks(content) or self._erase_segments(content):
                    break
                self._database.execute("DELETE FROM content WHERE id = ?", (content,))
        return True

    def _erase_chunks(self, content: int) -> bool:
        """Delete some chunks; return whether there may be more."""
        chunks = self._database.values(int, "SELECT id FROM chunk WHERE content = ? LIMIT ?", (content, STEP))
        self._vectors.unlist(chunks)
        self._database.execute_many(
            "INSERT INTO change (kind, chunk) VALUES ('removed', ?)", ((chunk,) for chunk in chunks)
        )
        self._database.execute(f"DELETE FROM chunk WHERE id IN ({marks(len(chunks))})", chunks)
        return len(chunks) == STEP

    def _erase_segments(self, content: int) -> bool:
        """Delete some of the text; return whether there may be more."""
        starts = self._database.values(int, "SELECT start FROM segment WHERE content = ? LIMIT ?", (content, STEP))
        self._database.execute(
            f"DELETE FROM segment WHERE content = ? AND start IN ({marks(len(starts))})", (content, *starts)
        )
        return len(starts) == STEP


def segments(document: Document, *, within_lines: bool = True) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, offset, text) pieces of about `SEGMENT_CHARACTERS` that end at line ends.

    A line longer than `LONG_LINE` has pieces of its own, unless `within_lines` is false; all have its number.
    """
    starts, text, count = document.line_starts, document.text, document.line_count
    first = 0
    while first < count:
        last = min(bisect_left(starts, starts[first] + SEGMENT_CHARACTERS, first + 1, count), count) - 1
        end = starts[last + 1] if last + 1 < count else len(text)
        if within_lines and end - starts[last] > LONG_LINE:
            if first < last:
                yield first + 1, starts[first], text[starts[first] : starts[last]]
            for start in range(starts[last], end, SEGMENT_CHARACTERS):
                yield last + 1, start, text[start : min(end, start + SEGMENT_CHARACTERS)]
        else:
            yield first + 1, starts[first], text[starts[first] : end]
        first = last + 1
