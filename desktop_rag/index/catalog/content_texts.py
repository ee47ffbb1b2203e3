"""The stored text of contents: whole, by offsets, by lines and by chunks, each piece compared with its checksum."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database, batches, marks
from desktop_rag.index.catalog.stored_values import checked
from desktop_rag.index.records import ChunkId, ContentId


class _Piece(NamedTuple):
    first_line: int
    start: int
    body: str
    sum: int


class _PieceOfChunk(NamedTuple):
    chunk: int
    content: int
    start: int
    end: int
    piece_line: int
    piece_start: int
    body: str
    sum: int


_PIECES = "SELECT first_line, start, body, sum FROM segment WHERE content = ?"
PIECES_BETWEEN = (
    f"{_PIECES} AND start < ? AND start >= "
    "(SELECT max(start) FROM segment WHERE content = ? AND start <= ?) ORDER BY start"
)


class ContentTexts:
    """Reads the stored text; every method raises `LibraryDamaged` when a checksum does not match."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def whole(self, content: ContentId) -> str:
        """Return the whole text of a content; raises `LibraryDamaged`, as do the others."""
        return _joined(self._database.rows(_Piece, f"{_PIECES} ORDER BY first_line", (content,)))

    def between(self, content: ContentId, start: int, end: int) -> str:
        """Return the characters from offset `start` to `end`, the end excluded."""
        pieces = self._database.rows(_Piece, PIECES_BETWEEN, (content, end, content, start))
        if not pieces:
            return ""
        offset = pieces[0].start
        return _joined(pieces)[start - offset : end - offset]

    def lines(self, content: ContentId, first: int, count: int) -> list[str]:
        """Return `count` lines from line `first` (from 1), fewer at the end."""
        return self.lines_with_offset(content, first, count)[1]

    def lines_with_offset(self, content: ContentId, first: int, count: int) -> tuple[int, list[str]]:
        """Return the offset of line `first` in the text, and what `lines` returns."""
        pieces = self._database.rows(
            _Piece,
            f"{_PIECES} AND first_line < ? AND first_line >= "
            "(SELECT max(first_line) FROM segment WHERE content = ? AND first_line <= ?) ORDER BY first_line",
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
            rows = self._database.rows(
                _PieceOfChunk,
                "SELECT chunk.id, chunk.content, chunk.start, chunk.end, segment.first_line, segment.start, "
                "segment.body, segment.sum "
                "FROM chunk JOIN segment ON segment.content = chunk.content AND segment.first_line <= chunk.last_line "
                "AND segment.first_line >= (SELECT max(first_line) FROM segment "
                "WHERE content = chunk.content AND first_line <= chunk.first_line) "
                f"WHERE chunk.id IN ({marks(len(some))}) ORDER BY chunk.id, segment.first_line",
                some,
            )
            for row in rows:
                body = checked(row.body, row.piece_line, row.piece_start, row.sum)
                text = body[max(0, row.start - row.piece_start) : max(0, row.end - row.piece_start)]
                before = found.get(ChunkId(row.chunk), (0, ""))[1]
                found[ChunkId(row.chunk)] = (ContentId(row.content), before + text)
        return found


def _joined(pieces: Iterable[_Piece]) -> str:
    return "".join(checked(piece.body, piece.first_line, piece.start, piece.sum) for piece in pieces)
