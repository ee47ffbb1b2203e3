"""Checksums of what readers made of a file: a bit that flips on the disk must not become a citation.

SQLite notices pages that are malformed, not a letter that is another one. Each piece of text has its CRC-32, which is
compared whenever the piece is read. All that is not text (places, headings, sentences, pages) has one for the whole
content, which `check` and the look after an unclean end compare.
"""

import zlib

import msgspec

from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.database import Database

_encode = msgspec.msgpack.Encoder().encode


def text_sum(first_line: int, start: int, body: str) -> int:
    """Return the checksum of a piece of text and its place."""
    return zlib.crc32(body.encode("utf-8", "surrogatepass"), zlib.crc32(b"%d %d" % (first_line, start)))


def checked(body: str, first_line: int, start: int, expected: int) -> str:
    """Return a piece of text that is as it was stored; raises `LibraryDamaged`."""
    if text_sum(first_line, start, body) != expected:
        raise LibraryDamaged("A text in the catalog is damaged. Run `desktop-rag check --repair`.")
    return body


# What has to be as it was stored, in this order.
_ROWS = (
    "SELECT first_line, start, sum FROM segment WHERE content = ? ORDER BY first_line",
    "SELECT format, title, author, created, modified, language, line_count, page_count, partial "
    "FROM content WHERE id = ?",
    "SELECT number, first_line, width, height FROM page WHERE content = ? ORDER BY number",
    "SELECT kinds, boxes, structure FROM layout WHERE content = ?",
    "SELECT first_line, label FROM section WHERE content = ? ORDER BY first_line",
    "SELECT ordinal, first_line, last_line, start, end, heading, sentences, sentence_count "
    "FROM chunk WHERE content = ? ORDER BY ordinal",
)


def content_sum(database: Database, content: int) -> int:
    """Return the checksum of what is stored of a content: of its texts their own checksums."""
    total = 0
    for sql in _ROWS:
        for row in database.plain_rows(sql, (content,)):
            total = zlib.crc32(_encode(row), total)
    return total
