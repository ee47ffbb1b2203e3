"""The reading half of the catalog: what the searcher, the command line and the viewer ask of it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.documents.document import Page, Section, Span, Structure
from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog import content_texts
from desktop_rag.index.catalog.blob_codec import pack_structure, unpack_sentences, unpack_structure
from desktop_rag.index.catalog.catalog_schema import FORMAT
from desktop_rag.index.catalog.checksums import content_sum
from desktop_rag.index.catalog.content_languages import ContentLanguages
from desktop_rag.index.catalog.database import Database, Value, batches, marks
from desktop_rag.index.catalog.file_names import FileNames
from desktop_rag.index.records import (
    Chunk,
    ChunkId,
    Content,
    ContentId,
    DocumentLayout,
    FilePlace,
    Folder,
    FolderId,
    FolderRules,
    FolderState,
)


class _FolderRow(NamedTuple):
    id: int
    path: bytes
    is_file: int
    state: FolderState
    rules: str


class _ContentRow(NamedTuple):
    id: int
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


class _PlaceRow(NamedTuple):
    content: int
    folder: int
    root: bytes
    path: bytes
    size: int
    mtime_ns: int


class CatalogPassage(NamedTuple):
    """What is written in a chunk, and below which headings."""

    chunk: ChunkId
    content: ContentId
    heading: str
    text: str


_RUN = 64  # chunks that are read together


class _ChunkRow(NamedTuple):
    id: int
    content: int
    ordinal: int
    first_line: int
    last_line: int
    start: int
    end: int
    heading: str
    sentences: bytes


WHOLE = "state NOT IN ('arriving', 'leaving')"
_VISIBLE = "file JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0"


class CatalogReader:
    """Read-only access to a catalog; every method is one short query, so no read transaction lasts."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.names = FileNames(database)
        self.spoken = ContentLanguages(database)
        self.remembered: dict[object, dict[ChunkId, bool]] = {}  # by searches; a chunk's text never changes

    @classmethod
    def open(cls, path: Path) -> "CatalogReader":
        """Open the catalog at `path` for reading; raises `LibraryError` when there is none."""
        return cls(Database(path, read_only=True))

    def close(self) -> None:
        """Close the connection."""
        self.database.close()

    def is_current(self) -> bool:
        """Return whether the catalog is of today's format: not while it is being made, or before it is renewed."""
        return self.database.number("PRAGMA user_version") >= FORMAT

    def data_version(self) -> int:
        """Return a number that changes when another process has written."""
        return self.database.number("PRAGMA data_version")

    def lineage(self) -> str:
        """Return the random name this catalog got when it was created."""
        found = self.database.values(str, "SELECT value FROM meta WHERE key = 'lineage'")
        if not found:
            raise LibraryDamaged(f"{self.database.path} has lost its name. Run `desktop-rag check --repair`.")
        return found[0]

    def folders(self) -> tuple[Folder, ...]:
        """Return the roots in the order they were added, without removed ones."""
        rows = self.database.rows(
            _FolderRow, "SELECT id, path, is_file, state, rules FROM folder WHERE removed_ns = 0 ORDER BY id"
        )
        return tuple(
            Folder(FolderId(r.id), r.path, bool(r.is_file), r.state, _rules(r.rules, self.database.path)) for r in rows
        )

    def contents(self, ids: Iterable[ContentId]) -> dict[ContentId, Content]:
        """Return what is known of these contents; unknown ids are missing."""
        columns = (
            "id, sha256, format, title, author, created, modified, language, line_count, word_count, page_count, "
            "partial"
        )
        found: dict[ContentId, Content] = {}
        for some in batches(ids):
            for row in self.database.rows(
                _ContentRow, f"SELECT {columns} FROM content WHERE id IN ({marks(len(some))})", some
            ):
                identity = ContentId(row.id)
                found[identity] = Content(identity, *row[1:])
        return found

    def places(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return where these contents lie now, absolute paths, in folder order, then shortest path first."""
        found: dict[ContentId, list[FilePlace]] = {}
        for some in batches(ids):
            for row in self.database.rows(
                _PlaceRow,
                "SELECT file.content, folder.id, folder.path, file.path, file.size, file.mtime_ns "
                f"FROM {_VISIBLE} WHERE file.content IN ({marks(len(some))}) "
                "ORDER BY folder.id, length(file.path), file.path",
                some,
            ):
                place = FilePlace(FolderId(row.folder), absolute(row.root, row.path), row.size, row.mtime_ns)
                found.setdefault(ContentId(row.content), []).append(place)
        return {content: tuple(places) for content, places in found.items()}

    def is_offline(self, content: ContentId) -> bool:
        """Return whether every place of `content` lies in a folder that is away just now."""
        states = self.database.values(
            FolderState, f"SELECT folder.state FROM {_VISIBLE} WHERE file.content = ?", (content,)
        )
        return bool(states) and all(state is FolderState.OFFLINE for state in states)

    def visible_contents(self, folders: Sequence[FolderId] = ()) -> frozenset[ContentId]:
        """Return the contents that lie in these folders (in any folder when empty)."""
        where = f" AND folder.id IN ({marks(len(folders))})" if folders else ""
        ids = self.database.values(
            int, f"SELECT DISTINCT content FROM {_VISIBLE} WHERE content IS NOT NULL{where}", folders
        )
        return frozenset(map(ContentId, ids))

    def content_by_hash(self, sha256: bytes) -> ContentId | None:
        """Return the newest reading of these bytes."""
        found = self.database.values(
            int, f"SELECT id FROM content WHERE sha256 = ? AND {WHOLE} ORDER BY reader DESC LIMIT 1", (sha256,)
        )
        return ContentId(found[0]) if found else None

    def known_content(self, sha256: bytes, reader: int) -> ContentId | None:
        """Return the content of these bytes if this version of the readers has read them."""
        found = self.database.values(
            int, f"SELECT id FROM content WHERE sha256 = ? AND reader = ? AND {WHOLE}", (sha256, reader)
        )
        return ContentId(found[0]) if found else None

    def content_at(self, path: bytes) -> ContentId | None:
        """Return the content that lies at an absolute path now."""
        for folder in self.folders():
            relative = relative_to(folder.path, path)
            if relative is None:
                continue
            found = self.database.values(
                int, "SELECT content FROM file WHERE folder = ? AND path = ? AND content IS NOT NULL",
                (folder.id, relative),
            )  # fmt: skip
            if found:
                return ContentId(found[0])
        return None

    def chunks(self, ids: Iterable[ChunkId]) -> dict[ChunkId, Chunk]:
        """Return chunks with their text; unknown ids are missing."""
        found: dict[ChunkId, Chunk] = {}
        for some in batches(ids):
            for chunk in self._chunks(f"id IN ({marks(len(some))})", some):
                found[chunk.id] = chunk
        return found

    def passages(self, ids: Iterable[ChunkId]) -> Iterator[CatalogPassage]:
        """Yield what is written in chunks, without their sentences; unknown ids are missing."""
        for some in batches(ids):
            for row, text in self._with_texts(f"id IN ({marks(len(some))})", some):
                yield CatalogPassage(ChunkId(row.id), ContentId(row.content), row.heading, text)

    def chunks_of(self, content: ContentId) -> tuple[Chunk, ...]:
        """Return all chunks of a content in order, with their text."""
        return tuple(self._chunks("content = ?", (content,)))

    def chunk_ids_of(self, content: ContentId) -> tuple[ChunkId, ...]:
        """Return the ids of a content's chunks in order."""
        ids = self.database.values(int, "SELECT id FROM chunk WHERE content = ? ORDER BY ordinal", (content,))
        return tuple(map(ChunkId, ids))

    def contents_of(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, ContentId]:
        """Return the content each chunk belongs to; unknown ids are missing."""
        found: dict[ChunkId, ContentId] = {}
        for some in batches(chunks):
            rows = self.database.rows(
                tuple[int, int], f"SELECT id, content FROM chunk WHERE id IN ({marks(len(some))})", some
            )
            found.update((ChunkId(chunk), ContentId(content)) for chunk, content in rows)
        return found

    def chunk_ids_in(self, contents: Iterable[ContentId]) -> frozenset[ChunkId]:
        """Return the ids of the chunks of several contents."""
        found: set[ChunkId] = set()
        for some in batches(contents):
            rows = self.database.values(int, f"SELECT id FROM chunk WHERE content IN ({marks(len(some))})", some)
            found.update(map(ChunkId, rows))
        return frozenset(found)

    def chunk_offsets(self, content: ContentId) -> list[tuple[ChunkId, int, int]]:
        """Return (chunk, start, end) of a content's chunks in order, the offsets in its text."""
        rows = self.database.rows(
            tuple[int, int, int], "SELECT id, start, end FROM chunk WHERE content = ? ORDER BY ordinal", (content,)
        )
        return [(ChunkId(chunk), start, end) for chunk, start, end in rows]

    def chunk_texts(self, ids: Sequence[ChunkId]) -> dict[ChunkId, tuple[ContentId, str]]:
        """Return the content and the text of chunks; unknown ids are missing."""
        return content_texts.of_chunks(self.database, ids)

    def untold_contents(self, sequence: int) -> frozenset[ContentId]:
        """Return the contents of which a copy that has come to this change may not hold every chunk."""
        if self.database.number("SELECT max(sequence) FROM change") > sequence:
            ids = self.database.values(
                int, "SELECT id FROM content WHERE sequence IS NULL OR sequence > ?", (sequence,)
            )
        else:  # an index leads straight to those that have not told all their chunks yet
            ids = self.database.values(int, "SELECT id FROM content WHERE state = 'stored' AND sequence IS NULL")
        return frozenset(map(ContentId, ids))

    def chunk_ids(self) -> frozenset[ChunkId]:
        """Return every chunk's id."""
        return frozenset(map(ChunkId, self.database.values(int, "SELECT id FROM chunk")))

    def unencoded(self, ids: Iterable[ChunkId]) -> frozenset[ChunkId]:
        """Return those of `ids` whose sentences have no vector yet."""
        found: set[ChunkId] = set()
        for some in batches(ids):
            rows = self.database.values(
                int, f"SELECT id FROM chunk WHERE encoded = 0 AND id IN ({marks(len(some))})", some
            )
            found.update(map(ChunkId, rows))
        return frozenset(found)

    def is_as_stored(self, content: ContentId) -> bool:
        """Return whether all that is stored of a content is what was written; reads all of it."""
        expected = self.database.number("SELECT sum FROM content WHERE id = ?", (content,))
        try:
            self.text(content)
        except LibraryDamaged:
            return False
        return content_sum(self.database, content) == expected

    def text(self, content: ContentId) -> str:
        """Return the whole text of a content; like all that read text, raises `LibraryDamaged`."""
        return content_texts.whole(self.database, content)

    def text_between(self, content: ContentId, start: int, end: int) -> str:
        """Return the characters from offset `start` to `end`, the end excluded."""
        return content_texts.between(self.database, content, start, end)

    def lines(self, content: ContentId, first: int, count: int) -> list[str]:
        """Return `count` lines from line `first` (from 1), fewer at the end."""
        return self.placed_lines(content, first, count)[1]

    def placed_lines(self, content: ContentId, first: int, count: int) -> tuple[int, list[str]]:
        """Return what `lines` does, after the offset of the first one in the text."""
        return content_texts.lines(self.database, content, first, count)

    def layout(self, content: ContentId) -> DocumentLayout:
        """Return line kinds, pages, boxes and the rest of the structure of a content."""
        pages = self.database.rows(
            tuple[int, int, float, float],
            "SELECT number, first_line, width, height FROM page WHERE content = ? ORDER BY number",
            (content,),
        )
        found = self.database.row(
            tuple[bytes, bytes, bytes], "SELECT kinds, boxes, structure FROM layout WHERE content = ?", (content,)
        ) or (b"", b"", pack_structure(Structure()))
        structure = replace(unpack_structure(found[2]), sections=self.sections(content))
        return DocumentLayout(found[0], tuple(Page(*page) for page in pages), found[1], structure)

    def sections(self, content: ContentId) -> tuple[Section, ...]:
        """Return the named parts of a content in order."""
        rows = self.database.rows(
            tuple[int, str], "SELECT first_line, label FROM section WHERE content = ? ORDER BY first_line", (content,)
        )
        return tuple(Section(*row) for row in rows)

    def section_of(self, content: ContentId, line: int) -> str:
        """Return the name of the part of a content in which `line` stands, or an empty text."""
        found = self.database.values(
            str,
            "SELECT label FROM section WHERE content = ? AND first_line <= ? ORDER BY first_line DESC LIMIT 1",
            (content, line),
        )
        return found[0] if found else ""

    def pages(self, content: ContentId) -> tuple[Page, ...]:
        """Return the pages of a content."""
        return self.layout_pages((content,)).get(content, ())

    def layout_pages(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[Page, ...]]:
        """Return the pages of several contents; those without pages are missing."""
        found: dict[ContentId, list[Page]] = {}
        for some in batches(ids):
            for content, number, first_line, width, height in self.database.rows(
                tuple[int, int, int, float, float],
                "SELECT content, number, first_line, width, height FROM page "
                f"WHERE content IN ({marks(len(some))}) ORDER BY content, number",
                some,
            ):
                found.setdefault(ContentId(content), []).append(Page(number, first_line, width, height))
        return {content: tuple(pages) for content, pages in found.items()}

    def sentence_counts(self) -> tuple[int, int]:
        """Return how many sentences have a vector, and how many there are, of all that can be found."""
        found = self.database.row(
            tuple[int | None, int | None],
            "SELECT sum(sentence_count * encoded), sum(sentence_count) FROM chunk "
            f"WHERE content IN (SELECT content FROM {_VISIBLE} WHERE content IS NOT NULL)",
        )
        ready, total = found or (0, 0)
        return ready or 0, total or 0

    def chunk_and_sentence_counts(self, contents: Iterable[ContentId]) -> tuple[int, int, int]:
        """Return how many chunks these contents have, how many sentences with a vector, and how many sentences."""
        chunks = ready = total = 0
        for some in batches(contents):
            counts = self.database.row(
                tuple[int, int | None, int | None],
                "SELECT count(*), sum(sentence_count * encoded), sum(sentence_count) FROM chunk "
                f"WHERE content IN ({marks(len(some))})",
                some,
            ) or (0, 0, 0)
            chunks, ready, total = chunks + counts[0], ready + (counts[1] or 0), total + (counts[2] or 0)
        return chunks, ready, total

    def file_count(self, folders: Sequence[FolderId] = ()) -> int:
        """Return how many files with searchable content lie in these folders (in all when empty)."""
        where = f" AND folder.id IN ({marks(len(folders))})" if folders else ""
        return self.database.number(f"SELECT count(*) FROM {_VISIBLE} WHERE content IS NOT NULL{where}", folders)

    def _chunks(self, where: str, values: Sequence[Value]) -> Iterator[Chunk]:
        for row, text in self._with_texts(where, values):
            yield Chunk(
                ChunkId(row.id),
                ContentId(row.content),
                row.ordinal,
                Span(row.first_line, row.last_line, row.start, row.end),
                row.heading,
                text,
                unpack_sentences(row.sentences),
            )

    def _with_texts(self, where: str, values: Sequence[Value]) -> Iterator[tuple[_ChunkRow, str]]:
        rows = self.database.rows(
            _ChunkRow,
            "SELECT id, content, ordinal, first_line, last_line, start, end, heading, sentences "
            f"FROM chunk WHERE {where} ORDER BY content, ordinal",
            values,
        )
        for run in _runs(rows):
            start = run[0].start
            text = self.text_between(ContentId(run[0].content), start, run[-1].end)
            for row in run:
                yield row, text[row.start - start : row.end - start]


def _runs(rows: Iterable[_ChunkRow]) -> Iterator[list[_ChunkRow]]:
    """Yield neighbouring chunks together: a piece of text holds several, and is read and compared once for all."""
    run: list[_ChunkRow] = []
    for row in rows:
        if run and (len(run) == _RUN or (row.content, row.ordinal) != (run[-1].content, run[-1].ordinal + 1)):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _rules(text: str, catalog: Path) -> FolderRules:
    try:
        return msgspec.json.decode(text, type=FolderRules)
    except msgspec.DecodeError as error:
        raise LibraryDamaged(
            f"{catalog} is damaged ({error}). `desktop-rag index`, or opening the window, mends it."
        ) from error


def absolute(root: bytes, path: bytes) -> bytes:
    """Return the absolute path of a file from its root's path and its own (empty for a single-file root)."""
    return os.path.join(root, path) if path else root  # noqa: PTH118 (names need not be valid text)


def relative_to(root: bytes, path: bytes) -> bytes | None:
    """Return `path` relative to `root` (empty when they are equal), or None when it lies elsewhere."""
    if path == root:
        return b""
    prefix = root.rstrip(os.fsencode(os.sep)) + os.fsencode(os.sep)
    return path[len(prefix) :] if path.startswith(prefix) else None
