"""Writes a columnar index behind Whoosh's writer interface; a commit takes milliseconds however large the index is."""

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
FULL = 1_500_000  # tokens collected for one segment; sorting them takes about 150 MB


def fresh_name() -> str:
    """Return a new, random segment name."""
    return secrets.token_hex(8)


class ColumnarWriter(SegmentWriter):
    """Adds and deletes documents of an index; everything is visible and durable after `commit`.

    `watermark` and `highest` are stored in the same commit.
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
        self._batch = DocumentBatch(self.schema)
        self._written: list[SegmentEntry] = []
        self.watermark = self._contents.watermark
        self.highest = self._contents.highest

    def add_document(self, **fields: object) -> None:
        """Add a document; it is written once enough of them are collected, or with the commit."""
        self._check_state()
        self._batch.add(fields)
        self._added = True
        self.docnum += 1
        if self._batch.token_count >= FULL:
            self._write()

    def delete_numbers(self, column: str, numbers: Iterable[int]) -> None:
        """Delete every committed document whose value in `column` is among `numbers`."""
        wanted = np.fromiter(numbers, np.uint64)
        if len(wanted):
            for segment in self.columnar_segments():
                found = np.isin(segment.arrays.columns[column], wanted)
                if found.any():
                    segment.delete(found)

    def columnar_segments(self) -> Sequence[ColumnarSegment]:
        """Return the segments of the last commit, with the deletions of this writer."""
        return [segment for segment in self.segments if isinstance(segment, ColumnarSegment)]

    def replace(self, gone: Collection[str], merged: SegmentEntry | None) -> None:
        """Replace the segments named `gone` by one that is on the disk already, or by nothing."""
        self.segments = [segment for segment in self.columnar_segments() if segment.entry.name not in gone]
        self._written += [merged] if merged else []

    def commit(
        self,
        mergetype: Callable[[SegmentWriter, list[Segment]], list[Segment]] | None = None,
        optimize: bool | None = None,  # noqa: FBT001 - Whoosh's signature
        merge: bool | None = None,  # noqa: FBT001
    ) -> None:
        """Write everything durably and publish it; merging is left to `SegmentMerger`."""
        self._check_state()
        if mergetype is not None or optimize:
            raise IndexingError("A commit of a columnar index does not merge segments.")
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
        """Roll back everything since the last commit."""
        if not self.is_closed:
            # A commit that failed at its very end may be published all the same: delete only files it does not name.
            with suppress(LibraryError, OSError):
                sweep(self._index.folder, self._index.contents(), self._index.growing)
            self._finish()

    def _write(self) -> None:
        """Write the collected documents as a segment."""
        batch = self._batch
        if not batch.size:
            return
        self._batch = DocumentBatch(self.schema)
        name = fresh_name()
        file = SegmentFile(self._index.folder / (name + SUFFIX))
        try:
            arrays, totals = batch.arrays()
            file.put_all(arrays)
            seal = file.seal(batch.size, totals)
        except BaseException:
            file.abandon()
            raise
        self._written.append(SegmentEntry(name, batch.size, seal))


@contextmanager
def writing(index: ColumnarIndex) -> Generator[ColumnarWriter]:
    """Yield a writer; roll back unless it was committed."""
    writer = ColumnarWriter(index)
    try:
        yield writer
    finally:
        writer.cancel()
