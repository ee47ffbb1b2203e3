"""A columnar index as Whoosh sees it: opened, read, searched and written like any other."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from whoosh.fields import Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.reading import IndexReader

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.codec import ColumnarSegment
from desktop_rag.index.keywords.columnar.segments.segment import Segment
from desktop_rag.index.keywords.columnar.segments.segment_file import SegmentSeal, mapped
from desktop_rag.index.keywords.columnar.segments.segment_table import (
    SegmentEntry,
    SegmentTable,
    current_version,
    empty,
    publish,
    read,
    sweep,
)
from desktop_rag.index.keywords.columnar.segments.token_batches import specs_of
from desktop_rag.index.records import Watermark
from desktop_rag.paths import private_folder

# What an analysis may treat in its own way: when it changes what it makes of this, an index is of no use any more.
_PROBE = "The tenants' Straße, naïve—co-operation's 3.14 running! İstanbul ﬁnd 東京タワー ไทย e\u0301té x_y"
_TRIES = 10
"""How often a reader looks again when a writer replaces what it is just opening."""


class Commit(NamedTuple):
    """What Whoosh wants to know of a table of contents."""

    schema: Schema
    segments: list[ColumnarSegment]
    generation: int


def fingerprint(schema: Schema) -> str:
    """Return what tells this schema and its analysis from any other."""
    said = [repr(specs_of(schema))]
    for name in sorted(schema.names()):
        field = schema[name]
        terms = [(term, frequency) for term, frequency, *_ in field.index(_PROBE)] if field.scorable else []
        said.append(f"{name} {type(field).__name__} {type(field.column_type).__name__} {sorted(terms)}")
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


class ColumnarIndex(FileIndex):
    """An index in a folder; its schema is the program's, and must be the one that the folder was written with."""

    def __init__(self, folder: Path, schema: Schema) -> None:
        self.folder = folder
        self.storage = FileStorage(str(folder))
        self.indexname = "MAIN"
        self._schema = self._fixed_schema = schema
        self._fields = fingerprint(schema)
        self._opened: dict[tuple[str, SegmentSeal], Segment] = {}
        self.growing: set[str] = set()  # files of a merge that is not finished

    @classmethod
    def begin(cls, folder: Path, schema: Schema, watermark: Watermark) -> "ColumnarIndex":
        """Put an empty index in the place of whatever is in a folder."""
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            folder.unlink()
        private_folder(folder)
        index = cls(folder, schema)
        contents = empty(index._fields, watermark)
        publish(folder, contents)
        sweep(folder, contents)
        return index

    def contents(self) -> SegmentTable:
        """Return the last commit; raise `LibraryError` if it is damaged or was written for other fields."""
        contents = read(self.folder)
        if contents.fields != self._fields:
            raise LibraryError("The keyword index is that of another version of this program; it will be built anew.")
        return contents

    def segments(self, contents: SegmentTable) -> list[ColumnarSegment]:
        """Return the segments of a commit, those known from before as they are mapped already."""
        found = []
        opened = {}
        for entry in contents.segments:
            arrays = self._opened.get((entry.name, entry.seal)) or self._mapped(entry)
            opened[entry.name, entry.seal] = arrays
            found.append(ColumnarSegment(entry, arrays.with_deleted(entry.deleted_mask())))
        self._opened = opened
        return found

    def _mapped(self, entry: SegmentEntry) -> Segment:
        return mapped(self.folder / entry.filename, entry.seal)

    def current(self) -> tuple[SegmentTable, list[ColumnarSegment]]:
        """Return the last commit with its segments, also while a writer replaces them."""
        for _ in range(_TRIES):
            contents = self.contents()
            try:
                return contents, self.segments(contents)
            except FileNotFoundError as error:
                missing = error
                if current_version(self.folder) == contents.version:
                    break
        raise LibraryError("The keyword index is damaged (a file is missing); it will be built anew.") from missing

    # What Whoosh asks an index for.

    def latest_generation(self) -> int:
        """Return the number of the last commit."""
        return self.contents().version.generation

    def reader(self, reuse: IndexReader | None = None) -> IndexReader:
        """Return a reader of the last commit."""
        commit = self._read_toc()
        return self._reader(self.storage, commit.schema, commit.segments, commit.generation)

    def _read_toc(self) -> Commit:
        contents, segments = self.current()
        return Commit(self._fixed_schema, segments, contents.version.generation)
