"""The chunks of a library, with their text, and how many of their sentences have a vector."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from desktop_rag.documents.document import Span
from desktop_rag.index.catalog.content_table import ContentTexts
from desktop_rag.index.catalog.database import Database, Value, batches, marks
from desktop_rag.index.catalog.file_table import VISIBLE
from desktop_rag.index.catalog.stored_values import unpack_sentences
from desktop_rag.index.records import Chunk, ChunkId, ContentId

_MOST_NEIGHBOURS = 64  # chunks whose text is read together
_MOST_RECENT = 256  # chunks, of some kilobytes each


class CatalogPassage(NamedTuple):
    """The text of a chunk and the headings above it."""

    chunk: ChunkId
    content: ContentId
    heading: str
    text: str


class StoredSpan(NamedTuple):
    """The offsets of a chunk as stored, with the length of the text they should be in; for the integrity check."""

    chunk: ChunkId
    content: ContentId
    start: int
    end: int
    sentences: bytes  # see `stored_values.unpack_sentences`
    text_length: int


class _ChunkRow(NamedTuple):
    id: ChunkId
    content: ContentId
    ordinal: int
    first_line: int
    last_line: int
    start: int
    end: int
    heading: str
    sentences: bytes


class ChunkTable:
    """Reads the chunks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = ContentTexts(database)

    def by_id(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Return chunks with their text; unknown ids are missing."""
        found: dict[ChunkId, Chunk] = {}
        for some in batches(ids):
            for chunk in self._chunks(f"id IN ({marks(len(some))})", some):
                found[chunk.id] = chunk
        return found

    def passages(self, ids: Iterable[ChunkId]) -> Iterator[CatalogPassage]:
        """Yield the text of chunks without their sentences; unknown ids are missing."""
        for some in batches(ids):
            for row, text in self._with_texts(f"id IN ({marks(len(some))})", some):
                yield CatalogPassage(row.id, row.content, row.heading, text)

    def characters(self, ids: Iterable[ChunkId]) -> int:
        """Return how long the texts of chunks are together; unknown ids count nothing."""
        return sum(
            self._database.values_of(int, "SELECT coalesce(sum(end - start), 0) FROM chunk WHERE id IN ({})", ids)
        )

    def of_content(self, content: ContentId) -> tuple[Chunk, ...]:
        """Return all chunks of a content in order, with their text."""
        return tuple(self._chunks("content = ?", (content,)))

    def ids_of_content(self, content: ContentId) -> tuple[ChunkId, ...]:
        """Return the ids of a content's chunks in order."""
        sql = "SELECT id FROM chunk WHERE content = ? ORDER BY ordinal"
        return tuple(self._database.values(ChunkId, sql, (content,)))

    def ids_of_contents(self, contents: Iterable[ContentId]) -> frozenset[ChunkId]:
        """Return the ids of the chunks of several contents."""
        return frozenset(self._database.values_of(ChunkId, "SELECT id FROM chunk WHERE content IN ({})", contents))

    def at_line(self, content: ContentId, line: int) -> ChunkId | None:
        """Return the chunk of a content that contains a line, else the next one."""
        sql = "SELECT id FROM chunk WHERE content = ? AND last_line >= ? ORDER BY ordinal LIMIT 1"
        return next(iter(self._database.values(ChunkId, sql, (content, line))), None)

    def first_lines(self, content: ContentId) -> list[tuple[ChunkId, int]]:
        """Return each chunk of a content with its first line, in order."""
        sql = "SELECT id, first_line FROM chunk WHERE content = ? ORDER BY ordinal"
        return self._database.rows(tuple[ChunkId, int], sql, (content,))

    def first_and_last_lines(self, content: ContentId) -> list[tuple[ChunkId, int, int]]:
        """Return each chunk of a content with its first and last line, in order."""
        sql = "SELECT id, first_line, last_line FROM chunk WHERE content = ? ORDER BY ordinal"
        return self._database.rows(tuple[ChunkId, int, int], sql, (content,))

    def all_ids(self) -> frozenset[ChunkId]:
        """Return every chunk's id."""
        return frozenset(self._database.values(ChunkId, "SELECT id FROM chunk"))

    def contents_of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, ContentId]:
        """Return the content each chunk belongs to; unknown ids are missing."""
        sql = "SELECT id, content FROM chunk WHERE id IN ({})"
        return dict(self._database.rows_of(tuple[ChunkId, ContentId], sql, chunks))

    def offsets(self, content: ContentId) -> list[tuple[ChunkId, int, int]]:
        """Return (chunk, start, end) of a content's chunks in order, the offsets in its text."""
        sql = "SELECT id, start, end FROM chunk WHERE content = ? ORDER BY ordinal"
        return self._database.rows(tuple[ChunkId, int, int], sql, (content,))

    def stored_spans(self) -> list[StoredSpan]:
        """Return the offsets of every chunk without checking them."""
        return self._database.rows(
            StoredSpan,
            "SELECT chunk.id, chunk.content, chunk.start, chunk.end, chunk.sentences, coalesce(text.length, 0) "
            "FROM chunk LEFT JOIN (SELECT content, max(start + length(body)) AS length FROM segment GROUP BY content) "
            "AS text ON text.content = chunk.content",  # in one pass: per chunk, a long text would cost minutes
        )

    def searchable(self) -> frozenset[ChunkId]:
        """Return the chunks that the keyword index should hold, by the state of their contents."""
        sql = "SELECT chunk.id FROM chunk JOIN content ON content.id = content WHERE state IN ('searchable', 'ready')"
        return frozenset(self._database.values(ChunkId, sql))

    def encoded(self) -> frozenset[ChunkId]:
        """Return the chunks whose sentences all have a vector; those without sentences are missing."""
        return frozenset(
            self._database.values(ChunkId, "SELECT id FROM chunk WHERE encoded = 1 AND sentence_count > 0")
        )

    def encoded_before(self, sequence: int) -> dict[ChunkId, int]:
        """Return the sentence counts of the encoded chunks that no change after `sequence` concerns."""
        sql = (
            "SELECT id, sentence_count FROM chunk WHERE encoded = 1 AND sentence_count > 0 AND NOT EXISTS "
            "(SELECT 1 FROM change WHERE change.chunk = chunk.id AND change.sequence > ?)"
        )
        return dict(self._database.rows(tuple[ChunkId, int], sql, (sequence,)))

    def not_encoded(self) -> list[ChunkId]:
        """Return the chunks with a sentence that has no vector yet."""
        return self._database.values(ChunkId, "SELECT id FROM chunk WHERE encoded = 0")

    def not_encoded_among(self, ids: Iterable[ChunkId]) -> frozenset[ChunkId]:
        """Return those of `ids` with a sentence that has no vector yet."""
        sql = "SELECT id FROM chunk WHERE encoded = 0 AND id IN ({})"
        return frozenset(self._database.values_of(ChunkId, sql, ids))

    def waiting_for_vectors(self, limit: int) -> list[Chunk]:
        """Return searchable chunks without vectors of the current encoder, newest first."""
        ids = self._database.values(
            ChunkId,
            "SELECT chunk.id FROM chunk JOIN content ON content.id = chunk.content "
            "AND content.state IN ('searchable', 'ready') "
            "WHERE waits = 1 AND EXISTS (SELECT 1 FROM file JOIN folder ON folder.id = file.folder "
            "WHERE file.content = content.id AND folder.removed_ns <= 0 AND folder.state != 'paused') "
            "ORDER BY chunk.id DESC LIMIT ?",
            (limit,),
        )
        found = self.by_id(ids)
        return [found[id_] for id_ in ids]

    def are_all_encoded(self) -> bool:
        """Return whether no sentence lacks a vector; False also if only counting the sentences could tell."""
        sql = (
            "SELECT NOT EXISTS (SELECT 1 FROM chunk WHERE waits = 1) AND EXISTS (SELECT 1 FROM encoder "
            "WHERE role = 'serving') AND NOT EXISTS (SELECT 1 FROM encoder WHERE role = 'coming')"
        )
        return self._database.number(sql) == 1

    def encoded_share(self, contents: Iterable[ContentId] | None = None) -> float:
        """Return the share of sentences with a vector, of these contents or of all visible ones."""
        counts = self.sentence_counts() if contents is None else self.chunk_and_sentence_counts(contents)[1:]
        return counts[0] / counts[1] if counts[1] else 1.0

    def sentence_counts(self) -> tuple[int, int]:
        """Return (sentences with a vector, all sentences) of the visible contents."""
        found = self._database.row(
            tuple[int | None, int | None],
            "SELECT sum(sentence_count * encoded), sum(sentence_count) FROM chunk "
            f"WHERE content IN (SELECT content FROM {VISIBLE} WHERE content IS NOT NULL)",
        )
        ready, total = found or (0, 0)
        return ready or 0, total or 0

    def chunk_and_sentence_counts(self, contents: Iterable[ContentId]) -> tuple[int, int, int]:
        """Return (chunks, sentences with a vector, all sentences) of these contents."""
        sql = (
            "SELECT count(*), coalesce(sum(sentence_count * encoded), 0), coalesce(sum(sentence_count), 0) FROM chunk "
            "WHERE content IN ({})"
        )
        chunks = ready = total = 0
        for some in self._database.rows_of(tuple[int, int, int], sql, contents):
            chunks, ready, total = chunks + some[0], ready + some[1], total + some[2]
        return chunks, ready, total

    def _chunks(self, where: str, values: Sequence[Value]) -> Iterator[Chunk]:
        for row, text in self._with_texts(where, values):
            yield Chunk(
                row.id,
                row.content,
                row.ordinal,
                Span(row.first_line, row.last_line, row.start, row.end),
                row.heading,
                text,
                unpack_sentences(row.sentences),
            )

    def _with_texts(self, where: str, values: Sequence[Value]) -> Iterator[tuple[_ChunkRow, str]]:
        rows = self._database.rows(
            _ChunkRow,
            "SELECT id, content, ordinal, first_line, last_line, start, end, heading, sentences "
            f"FROM chunk WHERE {where} ORDER BY content, ordinal",
            values,
        )
        groups = list(_neighbours(rows))
        texts = self._texts.all_between([(group[0].content, group[0].start, group[-1].end) for group in groups])
        for group, text in zip(groups, texts, strict=True):
            for row in group:
                yield row, text[row.start - group[0].start : row.end - group[0].start]


class RecentChunks:
    """The chunks that searches have read last: as the user types, mostly the same ones are found for each letter.

    They are forgotten when another process has written to the catalog.
    """

    def __init__(self, database: Database, chunks: ChunkTable) -> None:
        self._database = database
        self._chunks = chunks
        self._kept: OrderedDict[ChunkId, Chunk] = OrderedDict()
        self._version = -1

    def by_id(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Return chunks with their text; unknown ids are missing."""
        version = self._database.number("PRAGMA data_version")
        if version != self._version:
            self._kept.clear()
            self._version = version
        wanted = tuple(ids)
        found = {chunk: self._kept[chunk] for chunk in wanted if chunk in self._kept}
        if missing := [chunk for chunk in wanted if chunk not in found]:
            found |= self._chunks.by_id(missing)
        for chunk, known in found.items():
            self._kept[chunk] = known
            self._kept.move_to_end(chunk)
        while len(self._kept) > _MOST_RECENT:
            self._kept.popitem(last=False)
        return found


def _neighbours(rows: Iterable[_ChunkRow]) -> Iterator[list[_ChunkRow]]:
    """Group consecutive chunks of a content: a segment of text holds several, and is read and verified once for all."""
    group: list[_ChunkRow] = []
    for row in rows:
        is_next = bool(group) and (row.content, row.ordinal) == (group[-1].content, group[-1].ordinal + 1)
        if group and (not is_next or len(group) == _MOST_NEIGHBOURS):
            yield group
            group = []
        group.append(row)
    if group:
        yield group
