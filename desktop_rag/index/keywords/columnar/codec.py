"""Our segments as a Whoosh writer handles them."""

import numpy as np
import numpy.typing as npt
from whoosh.codec import base
from whoosh.filedb.filestore import Storage

from desktop_rag.index.keywords.columnar.segments.segment import Segment
from desktop_rag.index.keywords.columnar.segments.segment_table import SegmentEntry, bitmap


class ColumnarSegment(base.Segment):
    """A segment as Whoosh handles it, with the deletions since it was opened."""

    def __init__(self, entry: SegmentEntry, arrays: Segment) -> None:
        super().__init__("MAIN")
        self.segid = entry.name
        self.entry = entry
        self.arrays = arrays

    def doc_count_all(self) -> int:
        """Return the number of documents, deleted ones included."""
        return self.arrays.size

    def delete(self, wanted: npt.NDArray[np.bool_]) -> None:
        """Delete the documents of a mask."""
        before = self.arrays.deleted
        self.arrays = self.arrays.with_deleted(wanted if before is None else before | wanted)

    def committed(self) -> SegmentEntry:
        """Return its entry for the next table of contents."""
        return SegmentEntry(self.entry.name, self.entry.size, self.entry.seal, bitmap(self.arrays.deleted))


class ColumnarCodec(base.Codec):
    """Writes nothing: `ColumnarWriter` does that itself, because Whoosh's codecs take one posting at a time."""

    def new_segment(self, storage: Storage, indexname: str) -> base.Segment:
        """Return a placeholder: `ColumnarWriter` makes its segments itself."""
        return base.Segment(indexname)

    def per_document_writer(self, storage: Storage, segment: base.Segment) -> base.PerDocumentWriter:
        """Return a writer that is already closed."""
        return _NoDocuments()

    def field_writer(self, storage: Storage, segment: base.Segment) -> base.FieldWriter:
        """Return a writer that is already closed."""
        return _NoPostings()


class _NoDocuments(base.PerDocumentWriter):
    is_closed = True


class _NoPostings(base.FieldWriter):
    is_closed = True
