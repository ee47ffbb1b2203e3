"""Encodes values that the catalog stores as one blob, and checksums what it stores.

A flipped bit on the disk must not become a citation, and SQLite detects malformed pages, but not a changed letter. Each
segment of text has a CRC-32, which is verified whenever the segment is read. Everything else (offsets, headings,
sentences, pages) has one CRC-32 per content, which `check` and the integrity scan after an unclean shutdown verify.
"""

import zlib
from collections.abc import Iterable
from dataclasses import replace

import msgspec

from desktop_rag.documents.document import Structure
from desktop_rag.documents.picture_notes import NOTHING_FOUND, PART_WAITING, WAITING
from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.database import Database, Value
from desktop_rag.index.records import FileState
from desktop_rag.processes.wire import Wire

BOX_BYTES = 16
_FAST = 1  # level of compression: less than half of the bytes of level 0, and no more than a few of level 9
_ZIPPED = b"x"  # first byte of what zlib compressed; a structure begins with its number in the wire
_SHORT = 200  # bytes
_STRUCTURE = Wire(Structure)
_DAMAGED = "in the catalog are damaged. Run `desktop-rag check --repair`."


def unpack_sentences(data: bytes) -> tuple[tuple[int, int], ...]:
    """Return the sentence offsets packed in a `DraftChunk`."""
    try:
        flat = memoryview(data).cast("i").tolist()
        return tuple(zip(flat[::2], flat[1::2], strict=True))
    except (TypeError, ValueError) as error:  # not a whole number of pairs
        raise LibraryDamaged(f"Sentences {_DAMAGED}") from error


def pack_boxes(boxes: bytes) -> bytes:
    """Compress the rectangles of lines; those stored as they are have whole lines, compressed ones never."""
    packed = zlib.compress(boxes, _FAST)
    return boxes if len(packed) >= len(boxes) else packed + bytes(not len(packed) % BOX_BYTES)


def unpack_boxes(data: bytes) -> bytes:
    """Return the rectangles of lines; raises `LibraryDamaged`."""
    return _unzipped(data, "Places of lines") if len(data) % BOX_BYTES else data


def pack_structure(structure: Structure) -> bytes:
    """Encode a structure without its sections and mails, which have their own tables; a long one is compressed."""
    data = _STRUCTURE.encode(replace(structure, sections=(), mails=()))
    return zlib.compress(data, _FAST) if len(data) > _SHORT else data


def unpack_structure(data: bytes) -> Structure:
    """Decode a structure; raises `LibraryDamaged`."""
    if data.startswith(_ZIPPED):
        data = _unzipped(data, "Outlines and links")
    try:
        structure = _STRUCTURE.decode(data)
    except ValueError as error:
        raise LibraryDamaged(f"Outlines and links {_DAMAGED}") from error
    if not isinstance(structure, Structure):
        raise LibraryDamaged(f"Outlines and links {_DAMAGED}")
    return structure


def _unzipped(data: bytes, what: str) -> bytes:
    try:
        stream = zlib.decompressobj()  # ignores a byte that was added
        unpacked = stream.decompress(data)
    except zlib.error as error:
        raise LibraryDamaged(f"{what} {_DAMAGED}") from error
    if not stream.eof:
        raise LibraryDamaged(f"{what} {_DAMAGED}")
    return unpacked


_encode = msgspec.msgpack.Encoder().encode


def text_sum(first_line: int, start: int, body: str) -> int:
    """Return the checksum of a segment of text with its position."""
    return zlib.crc32(body.encode("utf-8", "surrogatepass"), zlib.crc32(b"%d %d" % (first_line, start)))


def checked(body: str, first_line: int, start: int, expected: int) -> str:
    """Return a segment of text if its checksum matches; raises `LibraryDamaged`."""
    if text_sum(first_line, start, body) != expected:
        raise LibraryDamaged("A text in the catalog is damaged. Run `desktop-rag check --repair`.")
    return body


# The order is part of the checksum; `ContentWriter` adds the rows to a `RowSum` in the same one.
_ROWS = (
    "SELECT first_line, start, sum FROM segment WHERE content = ? ORDER BY start",
    "SELECT format, title, author, created, modified, language, line_count, page_count, partial "
    "FROM content WHERE id = ?",
    "SELECT number, first_line, width, height FROM page WHERE content = ? ORDER BY number",
    "SELECT kinds, boxes, structure FROM layout WHERE content = ?",
    "SELECT first_line, label FROM section WHERE content = ? ORDER BY first_line",
    "SELECT ordinal, first_line, last_line, start, end, heading, sentences, sentence_count "
    "FROM chunk WHERE content = ? ORDER BY ordinal",
)

_LATER_ROWS = {  # in tables that older catalogs lack
    "mail": "SELECT first_line, last_line, sender, receivers, copies, subject, sent FROM mail "
    "WHERE content = ? ORDER BY first_line",
    "tag": "SELECT ordinal, name FROM tag WHERE content = ? ORDER BY ordinal",
}


class RowSum:
    """The checksum of rows, in the order in which they are added."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, rows: Iterable[tuple[Value, ...]]) -> None:
        """Add rows as SQLite returns them: a REAL column holds floats only."""
        for row in rows:
            self.value = zlib.crc32(_encode(row), self.value)


def content_sum(database: Database, content: int) -> int:
    """Return the checksum of everything stored of a content; for texts, of their own checksums."""
    total = RowSum()
    for sql in (*_ROWS, *(sql for table, sql in _LATER_ROWS.items() if database.has_table(table))):
        total.add(database.plain_rows(sql, (content,)))
    return total.value


# The state of a file as SQL over the tables `file` and `content`; nothing else decides it.
#
# Pictures of text are a state of their own: a content whose pages all wait for OCR, with at most a few words beside the
# pictures (a stamp, a page number, the size of a photograph), or in whose pages OCR found no word.

FEW_WORDS = 20  # a page

IS_PICTURES = (
    "(content.page_count > 0 AND (content.word_count = 0 OR content.unread_pages >= content.page_count "
    f"AND content.word_count <= {FEW_WORDS} * content.page_count))"
)
# A `FileState`; a file that waits to be read again is queued.
STATE = (
    "CASE WHEN pending = 1 OR content.state IN ('arriving', 'stored', 'leaving') THEN 'queued' "
    "WHEN content.id IS NULL THEN CASE outcome WHEN '' THEN 'queued' ELSE outcome END "
    f"WHEN {IS_PICTURES} THEN '{FileState.PICTURES}' ELSE content.state END"
)
# Why not all of a content can be found; "" if it can.
MISSING = (
    f"CASE WHEN content.id IS NULL THEN '' WHEN {IS_PICTURES} "
    f"THEN CASE WHEN content.unread_pages > 0 THEN '{WAITING}' ELSE '{NOTHING_FOUND}' END "
    "WHEN content.partial != '' THEN content.partial "
    f"WHEN content.unread_pages > 0 THEN '{PART_WAITING}' ELSE '' END"
)
