"""Writes a columnar index through Whoosh's own writer: a commit costs milliseconds, whatever the index holds."""

import secrets
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress

import numpy as np
from whoosh.codec.base import Segment
from whoosh.writing import IndexingError, SegmentWriter

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.codec import ColumnarCodec, ColumnarSegment
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.segments.segment_file import SUFFIX, SegmentFile
from desktop_rag.index.keywords.columnar.segments.segment_table import (
    SegmentEntry,
    SegmentTable,
    Version,
    publish,
    sweep,
)
from desktop_rag.index.keywords.columnar.segments.token_batches import DocumentBatch

LOCK_SECONDS = 5.0
FULL = 1_500_000  # tokens of one segment that is gathered: about 150 MB of memory while it is sorted


def fresh_name() -> str:
    """Return a name that no segment has."""
    return secrets.token_hex(8)


class ColumnarWriter(SegmentWriter):
    """Adds and deletes documents of an index; everything is visible, and on the disk, after `commit`.

    `watermark` and `highest` are kept beside the documents, in the same commit.
    """

    def __init__(self, index: ColumnarIndex) -> None:
        try:
            super().__init__(index, codec=ColumnarCodec(), timeout=LOCK_SECONDS, compound=False)
            self._contents = index.contents()
        except BaseException:
            if self.writelock is not None and self.writelock.fd is not None:
                self.writelock.release()
            raise
        self._index = index
        self._gathering = DocumentBatch(self.schema)
        self._written: list[SegmentEntry] = []
        self.watermark = self._contents.watermark
        self.highest = self._contents.highest

    def add_document(self, **fields: object) -> None:
        """Add a document; it is written when enough of them have gathered, or with the commit."""
        self._check_state()
        self._gathering.add(fields)
        self._added = True
        self.docnum += 1
        if self._gathering.token_count >= FULL:
            self._write()

    def delete_numbers(self, column: str, numbers: Iterable[int]) -> None:
        """Delete every committed document whose column holds one of some numbers."""
        wanted = np.fromiter(numbers, np.uint64)
        if len(wanted):
            for segment in self.columnar_segments():
                found = np.isin(segment.arrays.columns[column], wanted)
                if found.any():
                    segment.delete(found)

    def columnar_segments(self) -> Sequence[ColumnarSegment]:
        """Return the segments of the last commit, with what this writer has deleted in them."""
        return [segment for segment in self.segments if isinstance(segment, ColumnarSegment)]

    def replace(self, gone: Collection[str], merged: SegmentEntry) -> None:
        """Let one segment, already on the disk, stand for those named `gone`."""
        self.segments = [segment for segment in self.columnar_segments() if segment.entry.name not in gone]
        self._written.append(merged)

    def commit(
        self,
        mergetype: Callable[[SegmentWriter, list[Segment]], list[Segment]] | None = None,
        optimize: bool | None = None,  # noqa: FBT001 - Whoosh's signature
        merge: bool | None = None,  # noqa: FBT001
    ) -> None:
        """Write everything to the disk and make it the index; segments are merged elsewhere (see `merging`)."""
        self._check_state()
        if mergetype is not None or optimize:
            raise IndexingError("A commit of a columnar index merges no segments.")
        self._write()
        kept = [segment.committed() for segment in self.columnar_segments() if segment.arrays.live]
        before = self._contents.version
        contents = SegmentTable(
            Version(before.birth, before.generation + 1),
            self._contents.fields,
            self.watermark,
            self.highest,
            (*kept, *self._written),
        )
        publish(self._index.folder, contents)
        self._contents = contents
        self._finish()
        sweep(self._index.folder, contents, self._index.growing)

    def cancel(self) -> None:
        """Forget everything since the last commit."""
        if not self.is_closed:
            # A commit that failed at its very end may stand all the same: only what it does not name is leftover.
            with suppress(LibraryError, OSError):
                sweep(self._index.folder, self._index.contents(), self._index.growing)
            self._finish()

    def _write(self) -> None:
        """Write what was gathered as a segment."""
        gathering = self._gathering
        if not gathering.size:
            return
        self._gathering = DocumentBatch(self.schema)
        name = fresh_name()
        file = SegmentFile(self._index.folder / (name + SUFFIX))
        try:
            arrays, totals = gathering.arrays()
            file.put_all(arrays)
            seal = file.seal(gathering.size, totals)
        except BaseException:
            file.abandon()
            raise
        self._written.append(SegmentEntry(name, gathering.size, seal))


@contextmanager
def writing(index: ColumnarIndex) -> Generator[ColumnarWriter]:
    """Hand out a writer and undo everything unless it was committed."""
    writer = ColumnarWriter(index)
    try:
        yield writer
    finally:
        writer.cancel()
