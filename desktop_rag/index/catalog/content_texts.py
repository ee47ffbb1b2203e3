"""The stored text of contents: whole, by offsets, by lines and by chunks, each piece compared with its checksum."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from desktop_rag.index.catalog.database import BATCH, Database, batches, marks
from desktop_rag.index.catalog.stored_values import checked
from desktop_rag.index.records import ChunkId, ContentId


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
    chunk: int
    content: int
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
        found: dict[int, _Piece] = {}
        for rows in batches(dict.fromkeys(key.row for key in keys)):
            sql = f"SELECT rowid, first_line, start, body, sum FROM segment WHERE rowid IN ({marks(len(rows))})"
            found |= {each.row: _checked(_Piece(*each[1:])) for each in self._database.rows(_PieceOfRow, sql, rows)}
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
            texts = self.all_between([(ContentId(row.content), row.start, row.end) for row in rows])
            found |= {ChunkId(row.chunk): (ContentId(row.content), text) for row, text in zip(rows, texts, strict=True)}
        return found


def _joined(pieces: Iterable[_Piece]) -> str:
    return "".join(_checked(piece).body for piece in pieces)


def _checked(piece: _Piece) -> _Piece:
    checked(piece.body, piece.first_line, piece.start, piece.sum)
    return piece
