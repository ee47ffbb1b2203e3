"""The contents of a library: metadata, layout and state of each, and its text."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from desktop_rag.documents.document import Page, Section, Span, Structure
from desktop_rag.documents.ocr.ocr_engine import with_remedy
from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.database import BATCH, Database, batches, marks
from desktop_rag.index.catalog.mail_table import MailTable, TagTable
from desktop_rag.index.catalog.stored_values import (
    MISSING,
    checked,
    content_sum,
    pack_structure,
    unpack_boxes,
    unpack_structure,
)
from desktop_rag.index.records import ChunkId, Content, ContentId, DocumentLayout

# The stored text of contents: whole, by offsets, by lines and by chunks, each piece compared with its checksum.


class _Piece(NamedTuple):
    first_line: int
    start: int
    body: str
    sum: int


class _PieceOfRange(NamedTuple):
    range: int
    first_line: int
    start: int
    body: str
    sum: int


class _KeyOfRange(NamedTuple):
    range: int
    row: int


class _PieceOfRow(NamedTuple):
    row: int
    first_line: int
    start: int
    body: str
    sum: int


class _PlaceOfChunk(NamedTuple):
    chunk: ChunkId
    content: ContentId
    start: int
    end: int


_PIECES = "SELECT first_line, start, body, sum FROM segment WHERE content = ?"


def pieces_between(count: int, columns: str = "first_line, segment.start, segment.body, segment.sum") -> str:
    """Return the SQL for the pieces of `count` ranges (number, content, start, end)."""
    wanted = ",".join(["(?,?,?,?)"] * count)
    return (
        f"WITH wanted (range, content, start, end) AS (VALUES {wanted}) "
        f"SELECT wanted.range, segment.{columns} FROM wanted "
        "CROSS JOIN segment ON segment.content = wanted.content AND segment.start < wanted.end AND segment.start >= "
        "(SELECT max(before.start) FROM segment AS before WHERE before.content = wanted.content "
        "AND before.start <= wanted.start) ORDER BY wanted.range, segment.start"
    )


class ContentTexts:
    """Reads the stored text; every method raises `LibraryDamaged` when a checksum does not match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def whole(self, content: ContentId) -> str:
        """Return the whole text of a content; raises `LibraryDamaged`, as do the others."""
        return _joined(self._database.rows(_Piece, f"{_PIECES} ORDER BY start", (content,)))

    def pieces(self, content: ContentId) -> list[tuple[int, int, str]]:
        """Return (first line, offset, text) of each piece of whole lines in which a content is stored."""
        found = self._database.rows(_Piece, f"{_PIECES} ORDER BY start", (content,))
        lines = (list(pieces) for _, pieces in groupby(found, attrgetter("first_line")))
        return [(pieces[0].first_line, pieces[0].start, _joined(pieces)) for pieces in lines]

    def piece_lines(self, content: ContentId) -> tuple[int, ...]:
        """Return the first line of each of `pieces`."""
        sql = "SELECT DISTINCT first_line FROM segment WHERE content = ? ORDER BY first_line"
        return tuple(self._database.values(int, sql, (content,)))

    def between(self, content: ContentId, start: int, end: int) -> str:
        """Return the characters from offset `start` to `end`, the end excluded."""
        return self.all_between(((content, start, end),))[0]

    def all_between(self, ranges: Sequence[tuple[ContentId, int, int]]) -> list[str]:
        """Return the characters of each range (content, start, end), the ends excluded."""
        pieces: list[list[_Piece]] = [[] for _ in ranges]
        shared = len({content for content, _, _ in ranges}) < len(ranges)
        for first in range(0, len(ranges), BATCH):
            some = ranges[first : first + BATCH]
            values = [value for number, wanted in enumerate(some, first) for value in (number, *wanted)]
            if shared:
                self._read_once(pieces, len(some), values)
                continue
            for row in self._database.rows(_PieceOfRange, pieces_between(len(some)), values):
                pieces[row.range].append(_checked(_Piece(*row[1:])))
        return [
            "".join(piece.body for piece in found)[start - found[0].start : end - found[0].start] if found else ""
            for found, (_, start, end) in zip(pieces, ranges, strict=True)
        ]

    def _read_once(self, pieces: list[list[_Piece]], count: int, values: Sequence[int]) -> None:
        """Add the pieces of `count` ranges, each read once: a line of 50 MB is one piece, in which thousands end."""
        keys = self._database.rows(_KeyOfRange, pieces_between(count, "rowid"), values)
        sql = "SELECT rowid, first_line, start, body, sum FROM segment WHERE rowid IN ({})"
        rows = self._database.rows_of(_PieceOfRow, sql, dict.fromkeys(key.row for key in keys))
        found = {each.row: _checked(_Piece(*each[1:])) for each in rows}
        for key in keys:
            pieces[key.range].append(found[key.row])

    def lines(self, content: ContentId, first: int, count: int) -> list[str]:
        """Return `count` lines from line `first` (from 1), fewer at the end."""
        return self.lines_with_offset(content, first, count)[1]

    def lines_with_offset(self, content: ContentId, first: int, count: int) -> tuple[int, list[str]]:
        """Return the offset of line `first` in the text, and what `lines` returns."""
        pieces = self._database.rows(
            _Piece,
            f"{_PIECES} AND first_line < ? AND first_line >= "
            "(SELECT max(first_line) FROM segment WHERE content = ? AND first_line <= ?) ORDER BY start",
            (content, first + count, content, first),
        )
        if not pieces:
            return 0, []
        skipped = first - pieces[0].first_line
        found = _joined(pieces).split("\n")
        total = self._database.number("SELECT line_count FROM content WHERE id = ?", (content,))
        start = pieces[0].start + sum(len(line) + 1 for line in found[:skipped])
        return start, found[skipped : skipped + count][: max(0, total - first + 1)]

    def of_chunks(self, ids: Sequence[ChunkId]) -> dict[ChunkId, tuple[ContentId, str]]:
        """Return the content and the text of chunks; unknown ids are missing."""
        found: dict[ChunkId, tuple[ContentId, str]] = {}
        for some in batches(ids):
            sql = f"SELECT id, content, start, end FROM chunk WHERE id IN ({marks(len(some))}) ORDER BY id"
            rows = self._database.rows(_PlaceOfChunk, sql, some)
            texts = self.all_between([(row.content, row.start, row.end) for row in rows])
            found |= {row.chunk: (row.content, text) for row, text in zip(rows, texts, strict=True)}
        return found


def _joined(pieces: Iterable[_Piece]) -> str:
    return "".join(_checked(piece).body for piece in pieces)


def _checked(piece: _Piece) -> _Piece:
    checked(piece.body, piece.first_line, piece.start, piece.sum)
    return piece


WHOLE = "state NOT IN ('arriving', 'leaving')"  # completely stored, and not being deleted


class _ContentRow(NamedTuple):
    id: ContentId
    sha256: bytes
    format: str
    title: str
    author: str
    created: str
    modified: str
    language: str
    line_count: int
    word_count: int
    page_count: int
    partial: str
    unread_pages: int
    missing: str


class ContentTable:
    """Reads the contents and their layout."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tags = TagTable(database)

    def by_id(self, ids: Iterable[ContentId]) -> dict[ContentId, Content]:
        """Return the metadata of these contents; unknown ids are missing."""
        sql = (
            "SELECT id, sha256, format, title, author, created, modified, language, line_count, word_count, "
            f"page_count, partial, unread_pages, {MISSING} AS missing FROM content WHERE id IN ({{}})"
        )
        wanted = tuple(ids)
        tags, found = self._tags.of(wanted), dict[ContentId, Content]()
        for row in self._database.rows_of(_ContentRow, sql, wanted):
            missing = with_remedy(row.missing) if row.missing and row.unread_pages else row.missing
            found[row.id] = Content(*row[:-2], tags.get(row.id, ()), missing)
        return found

    def tagged(self, tags: tuple[str, ...]) -> frozenset[ContentId]:
        """Return the contents with one of these tags or one below it, and those whose tags are not known yet."""
        return self._tags.having(tags)

    def languages_of(self, ids: Iterable[ContentId]) -> dict[ContentId, str]:
        """Return the languages of these contents, without their regions (`en`); unknown ids are missing."""
        return {id_: known.language.partition("-")[0].lower() for id_, known in self.by_id(ids).items()}

    def by_hash(self, sha256: bytes) -> ContentId | None:
        """Return the content of these bytes, as the newest reader version read them."""
        sql = f"SELECT id FROM content WHERE sha256 = ? AND {WHOLE} ORDER BY reader DESC LIMIT 1"
        return next(iter(self._database.values(ContentId, sql, (sha256,))), None)

    def by_hash_and_reader(self, sha256: bytes, reader: int) -> ContentId | None:
        """Return the content of these bytes if this reader version has read them."""
        sql = f"SELECT id FROM content WHERE sha256 = ? AND reader = ? AND {WHOLE}"
        return next(iter(self._database.values(ContentId, sql, (sha256, reader))), None)

    def all_ids(self) -> list[ContentId]:
        """Return every content that is completely stored."""
        return self._database.values(ContentId, f"SELECT id FROM content WHERE {WHOLE}")

    def with_title_or_author(self, like: str, accented: str) -> list[ContentId]:
        """Return the contents whose title or author matches a pattern of LIKE or, if not all ASCII, one of GLOB."""
        return self._database.values(
            ContentId,
            "SELECT id FROM content WHERE title LIKE ?1 OR author LIKE ?1 OR "
            "(length(title) < length(CAST(title AS BLOB)) AND title GLOB ?2) OR "
            "(length(author) < length(CAST(author AS BLOB)) AND author GLOB ?2)",
            (like, accented),
        )

    def not_announced(self, sequence: int) -> frozenset[ContentId]:
        """Return the contents that may have chunks missing from an index synchronised up to change `sequence`."""
        sql = "SELECT id FROM content WHERE sequence IS NULL UNION ALL SELECT id FROM content WHERE sequence > ?"
        return frozenset(self._database.values(ContentId, sql, (sequence,)))

    def is_intact(self, content: ContentId) -> bool:
        """Return whether everything stored of a content matches its checksums; reads all of it."""
        expected = self._database.number("SELECT sum FROM content WHERE id = ?", (content,))
        try:
            ContentTexts(self._database).whole(content)
        except LibraryDamaged:
            return False
        return content_sum(self._database, content) == expected

    def layout(self, content: ContentId) -> DocumentLayout:
        """Return line kinds, pages, boxes and the rest of the structure of a content."""
        pages = self._database.rows(
            tuple[int, int, float, float],
            "SELECT number, first_line, width, height FROM page WHERE content = ? ORDER BY number",
            (content,),
        )
        found = self._database.row(
            tuple[bytes, bytes, bytes], "SELECT kinds, boxes, structure FROM layout WHERE content = ?", (content,)
        ) or (b"", b"", pack_structure(Structure()))
        mails = MailTable(self._database).of((content,)).get(content, ())
        structure = replace(unpack_structure(found[2]), sections=self.sections(content), mails=mails)
        return DocumentLayout(found[0], tuple(Page(*page) for page in pages), unpack_boxes(found[1]), structure)

    def kinds(self, content: ContentId, span: Span) -> bytes:
        """Return the kind and level of each line of a span, see `Document.kinds`."""
        count = span.last_line - span.first_line + 1
        sql = "SELECT substr(kinds, ?, ?) FROM layout WHERE content = ?"
        found = self._database.values(bytes, sql, (span.first_line, count, content))
        return found[0] if found else b""

    def structure(self, content: ContentId) -> Structure:
        """Return the structure of a content without its sections."""
        packed = self._database.values(bytes, "SELECT structure FROM layout WHERE content = ?", (content,))
        return unpack_structure(packed[0]) if packed else Structure()

    def sections(self, content: ContentId) -> tuple[Section, ...]:
        """Return the labelled sections of a content in order."""
        rows = self._database.rows(
            tuple[int, str], "SELECT first_line, label FROM section WHERE content = ? ORDER BY first_line", (content,)
        )
        return tuple(Section(*row) for row in rows)

    def with_sections(self, ids: Iterable[ContentId]) -> frozenset[ContentId]:
        """Return the contents that may have sections."""
        sql = "SELECT DISTINCT content FROM section WHERE content IN ({})"
        return frozenset(self._database.values_of(ContentId, sql, ids))

    def section_at(self, content: ContentId, line: int) -> str:
        """Return the label of the section that contains `line`, or an empty text."""
        found = self._database.values(
            str,
            "SELECT label FROM section WHERE content = ? AND first_line <= ? ORDER BY first_line DESC LIMIT 1",
            (content, line),
        )
        return found[0] if found else ""

    def pages(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[Page, ...]]:
        """Return the pages of contents; those without pages are missing."""
        sql = (
            "SELECT content, number, first_line, width, height FROM page WHERE content IN ({}) ORDER BY content, number"
        )
        found: dict[ContentId, list[Page]] = {}
        for row in self._database.rows_of(tuple[ContentId, int, int, float, float], sql, ids):
            found.setdefault(row[0], []).append(Page(*row[1:]))
        return {content: tuple(pages) for content, pages in found.items()}


_READ_FACTOR = 200.0  # all contents are read again after this multiple of the time it takes


class ContentLanguages:
    """A cache of the contents in each language except English.

    New contents are added at once; one whose language has changed, as a scan's after OCR, with the next full reading.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._last = 0  # the newest content known
        self._read_again_at = 0.0
        self._contents: dict[str, frozenset[ContentId]] = {}

    def among(self, languages: Collection[str]) -> dict[str, frozenset[ContentId]]:
        """Return the contents in each of these languages (ISO 639-1); languages without any are missing.

        A set without new contents stays the same object.
        """
        version = self._database.number("PRAGMA data_version")
        if version != self._version:
            self._read(time.monotonic())
            self._version = version
        return {language: contents for language, contents in self._contents.items() if language in languages}

    def counts(self) -> Counter[str]:
        """Return the number of contents in each language (ISO 639-1)."""
        counts: Counter[str] = Counter()
        for language, count in self._database.rows(
            tuple[str, int], "SELECT language, count(*) FROM content WHERE language <> '' GROUP BY language"
        ):
            counts[language.partition("-")[0].lower()] += count
        return counts

    def _read(self, now: float) -> None:
        if now >= self._read_again_at:
            self._contents, self._last = {}, 0
        last = self._database.number("SELECT max(id) FROM content")
        found: defaultdict[str, set[ContentId]] = defaultdict(set)
        for language, content in self._database.rows(
            tuple[str, ContentId],
            "SELECT language, id FROM content WHERE id > ? AND id <= ? AND language NOT IN ('', 'en')",
            (self._last, last),
        ):
            found[language.partition("-")[0].lower()].add(content)
        self._contents |= {each: self._contents.get(each, frozenset()) | ids for each, ids in found.items()}
        if not self._last:
            self._read_again_at = now + _READ_FACTOR * (time.monotonic() - now)
        self._last = last
