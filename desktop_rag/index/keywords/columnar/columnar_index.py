"""A columnar index in a folder, as a Whoosh writer expects one."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from whoosh.fields import Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.codec import ColumnarSegment
from desktop_rag.index.keywords.columnar.segments.segment import Segment
from desktop_rag.index.keywords.columnar.segments.segment_file import SegmentSeal, open_segment
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
from desktop_rag.paths import durable_folder

# Text whose analysis is part of the fingerprint: an index of another analysis must be rebuilt.
_PROBE = (
    "The tenants' Straße, naïve—co-operation's 3.14 running! İstanbul ﬁnd 東京タ\nワー ไทย e\u0301té x_y"
    " على AB-1234/5 inter-\nnational"
)
_TRIES = 10
"""Retries of a reader when a writer replaces the files it is opening."""


class Commit(NamedTuple):
    """The table of contents in the form Whoosh expects."""

    schema: Schema
    segments: list[ColumnarSegment]
    generation: int


def fingerprint(schema: Schema) -> str:
    """Return a hash of the schema and of its analysis."""
    said = [repr(specs_of(schema))]
    for name in sorted(schema.names()):
        field = schema[name]
        terms = [(term, frequency) for term, frequency, *_ in field.index(_PROBE)] if field.scorable else []
        said.append(f"{name} {type(field).__name__} {type(field.column_type).__name__} {sorted(terms)}")
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


class ColumnarIndex(FileIndex):
    """An index in a folder; `schema` must be the one the index was written with."""

    def __init__(self, folder: Path, schema: Schema) -> None:
        self.folder = folder
        self.storage = FileStorage(str(folder))
        self.indexname = "MAIN"
        self._written_schema = schema
        self._fields = fingerprint(schema)
        self._opened: dict[tuple[str, SegmentSeal], Segment] = {}
        self.growing: set[str] = set()  # files of a merge that is not finished

    @classmethod
    def begin(cls, folder: Path, schema: Schema, watermark: Watermark) -> "ColumnarIndex":
        """Create an empty index in a folder, replacing its contents."""
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            folder.unlink()
        durable_folder(folder)
        index = cls(folder, schema)
        contents = empty(index._fields, watermark)
        publish(folder, contents)
        sweep(folder, contents)
        return index

    def contents(self) -> SegmentTable:
        """Return the last commit; raise `LibraryError` if it is damaged or has another fingerprint."""
        contents = read(self.folder)
        if contents.fields != self._fields:
            raise LibraryError("The keyword index was written by another version of this program; it will be rebuilt.")
        return contents

    def segments(self, contents: SegmentTable) -> list[ColumnarSegment]:
        """Return the segments of a commit; those already mapped are reused."""
        found = []
        opened = {}
        for entry in contents.segments:
            arrays = self._opened.get((entry.name, entry.seal)) or self._mapped(entry)
            opened[entry.name, entry.seal] = arrays
            found.append(ColumnarSegment(entry, arrays.with_deleted(entry.deleted_mask())))
        self._opened = opened
        return found

    def _mapped(self, entry: SegmentEntry) -> Segment:
        return open_segment(self.folder / entry.filename, entry.seal)

    def current(self) -> tuple[SegmentTable, list[ColumnarSegment]]:
        """Return the last commit with its segments; retries while a writer replaces them."""
        for _ in range(_TRIES):
            contents = self.contents()
            try:
                return contents, self.segments(contents)
            except FileNotFoundError as error:
                missing = error
                if current_version(self.folder) == contents.version:
                    break
        raise LibraryError("The keyword index is damaged (a file is missing); it will be rebuilt.") from missing

    def _read_toc(self) -> Commit:  # what Whoosh's writer asks an index for
        contents, segments = self.current()
        return Commit(self._written_schema, segments, contents.version.generation)
