"""How contents come into the catalog and leave it: in short steps, so that a huge document holds nobody up.

A content that is `arriving` or `leaving` is not whole: nobody recognises or links it. One that was
arriving when the process ended leaves again.
"""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.sandbox.reader_messages import READER_VERSION
from desktop_rag.index.catalog.blob_codec import pack_structure
from desktop_rag.index.catalog.checksums import content_sum, text_sum
from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.catalog.sentence_vectors import adopt, forget, has_any, sentence_hash
from desktop_rag.index.records import ChunkId, ContentId

SEGMENT_CHARACTERS = 16_384
STEP = 64  # chunks or segments written or erased at a time

# Its bytes may arrive again before the last of it is gone.
_LEAVING = "state = 'leaving', sha256 = CAST('leaving ' || id AS BLOB)"
_HELD = "EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"
# The newest reading is what a citation opens.
_CITED = (
    "sha256 IN (SELECT sha256 FROM cited) AND NOT EXISTS "
    "(SELECT 1 FROM content AS newer WHERE newer.sha256 = content.sha256 AND newer.reader > content.reader)"
)


def storing(
    database: Database,
    sha256: bytes,
    document: Document,
    chunks: Sequence[DraftChunk],
    unread_pages: int | None = None,
) -> Generator[None, None, ContentId]:
    """Store what a reader made of these bytes, a few milliseconds a step; return the content at the last one.

    Each step belongs in a transaction, the last one in that of the link to its first file. The copies
    hear of the chunks by `announce`.
    """
    content = ContentId(
        database.insert(
            "INSERT INTO content (sha256, reader, state, format, title, author, created, modified, language, "
            "line_count, word_count, page_count, partial, unread_pages) "
            "VALUES (?, ?, 'arriving', ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)",
            (
                sha256,
                READER_VERSION,
                document.format,
                document.title,
                document.author,
                document.created,
                document.modified,
                document.language,
                document.line_count,
                len(document.pages),
                document.partial,
                len(document.structure.textless) if unread_pages is None else unread_pages,
            ),
        )
    )
    _store_layout(database, content, document)
    words = 0
    pieces = segments(document)
    while some := list(islice(pieces, STEP)):
        words += sum(len(body.split()) for _, _, body in some)
        database.execute_many(
            "INSERT INTO segment (content, first_line, start, body, sum) VALUES (?, ?, ?, ?, ?)",
            ((content, *segment, text_sum(*segment)) for segment in some),
        )
        if len(some) == STEP:
            yield
    for first in range(0, len(chunks), STEP):
        if first:
            yield
        drafts = chunks[first : first + STEP]
        ids = [_store_chunk(database, content, first + index, draft) for index, draft in enumerate(drafts)]
        if has_any(database):
            hashes = ([sentence_hash(document.text[start:end]) for start, end in draft.sentences] for draft in drafts)
            # Now, while the content from which this one was made by an edit is still there.
            adopt(database, list(zip(ids, hashes, strict=True)))
    database.execute(
        "UPDATE content SET state = ?, word_count = ?, sum = ? WHERE id = ?",
        ("stored" if chunks else "ready", words, content_sum(database, content), content),
    )
    return content


def announce(database: Database, content: ContentId, limit: int) -> int:
    """Tell the copies of the next `limit` chunks of a whole content; return how many there were."""
    chunks = database.values(
        int,
        "SELECT id FROM chunk WHERE content = ?1 AND ordinal >= (SELECT announced FROM content WHERE id = ?1) "
        "ORDER BY ordinal LIMIT ?2",
        (content, limit),
    )
    database.execute_many("INSERT INTO change (kind, chunk) VALUES ('added', ?)", ((chunk,) for chunk in chunks))
    database.execute("UPDATE content SET announced = announced + ? WHERE id = ?", (len(chunks), content))
    if len(chunks) < limit:
        database.execute("UPDATE content SET sequence = (SELECT max(sequence) FROM change) WHERE id = ?", (content,))
    return len(chunks)


def segments(document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, offset, text) pieces of about `SEGMENT_CHARACTERS` that end at line ends."""
    starts = document.line_starts
    first = 0
    for index in range(1, document.line_count + 1):
        end = starts[index] if index < document.line_count else len(document.text)
        if end - starts[first] >= SEGMENT_CHARACTERS or index == document.line_count:
            yield first + 1, starts[first], document.text[starts[first] : end]
            first = index


def _store_layout(database: Database, content: ContentId, document: Document) -> None:
    database.execute_many(
        "INSERT INTO page (content, number, first_line, width, height) VALUES (?, ?, ?, ?, ?)",
        ((content, page.number, page.first_line, page.width, page.height) for page in document.pages),
    )
    database.execute(
        "INSERT INTO layout (content, kinds, boxes, structure) VALUES (?, ?, ?, ?)",
        (content, document.kinds, document.boxes, pack_structure(document.structure)),
    )
    database.execute_many(
        "INSERT INTO section (content, first_line, label) VALUES (?, ?, ?)",
        ((content, section.first_line, section.label) for section in document.structure.sections),
    )


def _store_chunk(database: Database, content: ContentId, ordinal: int, draft: DraftChunk) -> ChunkId:
    span = draft.span
    return ChunkId(
        database.insert(
            "INSERT INTO chunk (content, ordinal, first_line, last_line, start, end, heading, sentences, "
            "sentence_count, encoded, waits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                content,
                ordinal,
                span.first_line,
                span.last_line,
                span.start,
                span.end,
                draft.heading,
                draft.packed,
                draft.sentence_count,
                not draft.packed,
                bool(draft.packed),
            ),
        )
    )


def dismiss_unfinished(database: Database) -> None:
    """Let contents leave that were arriving and never will."""
    database.execute(f"UPDATE content SET {_LEAVING} WHERE state = 'arriving'")


def dismiss_orphans(database: Database, before_ns: int) -> None:
    """Mark contents that no file holds; those marked before that time leave, but for what answers cite."""
    with database.transaction():
        database.execute(f"UPDATE content SET orphaned_ns = 0 WHERE orphaned_ns > 0 AND {_HELD}")
        database.execute(
            f"UPDATE content SET orphaned_ns = ? WHERE orphaned_ns = 0 AND state != 'arriving' AND NOT {_HELD}",
            (time.time_ns(),),
        )
        database.execute(
            f"UPDATE content SET {_LEAVING} "
            f"WHERE state != 'leaving' AND orphaned_ns BETWEEN 1 AND ? AND NOT ({_CITED})",
            (before_ns,),
        )
        forget_recognised(database)


def forget_recognised(database: Database) -> None:
    """Forget what was read in pictures of which no content is left."""
    database.execute("DELETE FROM recognised WHERE sha256 NOT IN (SELECT sha256 FROM content)")


def replace(
    database: Database,
    old: ContentId,
    sha256: bytes,
    document: Document,
    chunks: Sequence[DraftChunk],
    unread_pages: int,
) -> None:
    """Put another document in the place of the one that was made of these bytes; belongs in one transaction."""
    steps = storing(database, b"replacing " + sha256, document, chunks, unread_pages)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            content: ContentId = end.value
            break
    dismiss(database, (old,))
    database.execute("UPDATE content SET sha256 = ? WHERE id = ?", (sha256, content))
    database.execute("UPDATE file SET content = ? WHERE content = ?", (content, old))


def dismiss(database: Database, ids: Iterable[ContentId]) -> None:
    """Let these contents leave now, whoever cites them."""
    database.execute_many(f"UPDATE content SET {_LEAVING} WHERE id = ?", ((content,) for content in ids))


def erase_some(database: Database) -> bool:
    """Erase a piece of what is leaving; return whether there was any."""
    leaving = database.values(int, "SELECT id FROM content WHERE state = 'leaving' LIMIT ?", (STEP,))
    if not leaving:
        return False
    with database.transaction():
        for content in leaving:
            if _erase_chunks(database, content) or _erase_segments(database, content):
                break
            database.execute("DELETE FROM content WHERE id = ?", (content,))
    return True


def _erase_chunks(database: Database, content: int) -> bool:
    """Erase some chunks; return whether there may be more."""
    chunks = database.values(int, "SELECT id FROM chunk WHERE content = ? LIMIT ?", (content, STEP))
    forget(database, chunks)
    database.execute_many("INSERT INTO change (kind, chunk) VALUES ('removed', ?)", ((chunk,) for chunk in chunks))
    database.execute(f"DELETE FROM chunk WHERE id IN ({marks(len(chunks))})", chunks)
    return len(chunks) == STEP


def _erase_segments(database: Database, content: int) -> bool:
    """Erase some of the text; return whether there may be more."""
    lines = database.values(int, "SELECT first_line FROM segment WHERE content = ? LIMIT ?", (content, STEP))
    database.execute(
        f"DELETE FROM segment WHERE content = ? AND first_line IN ({marks(len(lines))})", (content, *lines)
    )
    return len(lines) == STEP
