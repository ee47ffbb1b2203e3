"""How contents come into the catalog and leave it: in short steps, so that a huge document holds nobody up.

A content that is `arriving` or `leaving` is not whole: nobody recognises or links it. One that was
arriving when the process ended leaves again.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from itertools import islice

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document
from desktop_rag.documents.requests import READER_VERSION
from desktop_rag.index.catalog_reader import pack_sentences
from desktop_rag.index.database import Database, marks
from desktop_rag.index.records import ContentId

SEGMENT_CHARACTERS = 16_384
STEP = 64  # chunks or segments written or erased at a time

# Its bytes may arrive again before the last of it is gone.
_LEAVING = "state = 'leaving', sha256 = CAST('leaving ' || id AS BLOB)"
_HELD = "EXISTS (SELECT 1 FROM file WHERE file.content = content.id)"


def storing(
    database: Database, sha256: bytes, document: Document, chunks: Sequence[DraftChunk]
) -> Generator[None, None, ContentId]:
    """Store what a reader made of these bytes, a few milliseconds a step; return the content at the last one.

    Each step belongs in a transaction, the last one in that of the link to its first file. The copies
    hear of the chunks by `announce`.
    """
    content = ContentId(
        database.insert(
            "INSERT INTO content (sha256, reader, state, format, title, author, created, language, line_count, "
            "word_count, page_count, partial) VALUES (?, ?, 'arriving', ?, ?, ?, ?, ?, ?, 0, ?, ?)",
            (
                sha256,
                READER_VERSION,
                document.format,
                document.title,
                document.author,
                document.created,
                document.language,
                document.line_count,
                len(document.pages),
                document.partial,
            ),
        )
    )
    _store_layout(database, content, document)
    words = 0
    pieces = segments(document)
    while some := list(islice(pieces, STEP)):
        words += sum(len(body.split()) for _, _, body in some)
        database.execute_many(
            "INSERT INTO segment (content, first_line, start, body) VALUES (?, ?, ?, ?)",
            ((content, *segment) for segment in some),
        )
        if len(some) == STEP:
            yield
    for ordinal, draft in enumerate(chunks):
        _store_chunk(database, content, ordinal, draft)
        if ordinal % STEP == STEP - 1 and ordinal + 1 < len(chunks):
            yield
    database.execute(
        "UPDATE content SET state = ?, word_count = ? WHERE id = ?",
        ("stored" if chunks else "ready", words, content),
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
        "INSERT INTO layout (content, kinds, boxes) VALUES (?, ?, ?)", (content, document.kinds, document.boxes)
    )


def _store_chunk(database: Database, content: ContentId, ordinal: int, draft: DraftChunk) -> None:
    span = draft.span
    database.execute(
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


def dismiss_unfinished(database: Database) -> None:
    """Let contents leave that were arriving and never will."""
    database.execute(f"UPDATE content SET {_LEAVING} WHERE state = 'arriving'")


def dismiss_orphans(database: Database, before_ns: int) -> None:
    """Mark contents that no file holds, and let those leave that were marked before that time."""
    with database.transaction():
        database.execute(f"UPDATE content SET orphaned_ns = 0 WHERE orphaned_ns > 0 AND {_HELD}")
        database.execute(
            f"UPDATE content SET orphaned_ns = ? WHERE orphaned_ns = 0 AND state != 'arriving' AND NOT {_HELD}",
            (time.time_ns(),),
        )
        database.execute(
            f"UPDATE content SET {_LEAVING} WHERE state != 'leaving' AND orphaned_ns BETWEEN 1 AND ?", (before_ns,)
        )


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
