"""Whoosh's own queries and readers over our segments: what they find there is compared with a stock index."""

from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt
from whoosh.codec import base
from whoosh.columns import Column, ColumnReader
from whoosh.fields import FieldType
from whoosh.filedb.filestore import Storage
from whoosh.formats import Format
from whoosh.index import FileIndex
from whoosh.matching import LeafMatcher, ReadTooFar
from whoosh.reading import IndexReader, TermInfo, TermNotFound
from whoosh.scoring import BaseScorer

from desktop_rag.index.keywords.columnar.codec import ColumnarCodec, ColumnarSegment
from desktop_rag.index.keywords.columnar.columnar_index import ColumnarIndex
from desktop_rag.index.keywords.columnar.segments.segment import Field, FieldKind, Segment, Unsigned

Term = tuple[str, bytes]

_VALUES = {
    FieldKind.PRESENCE: ("weight", "frequency"),
    FieldKind.COUNTS: ("weight", "frequency"),
    FieldKind.POSITIONS: ("weight", "frequency", "positions", "position_boosts"),
}


def whoosh_reader(index: ColumnarIndex) -> IndexReader:
    """Return Whoosh's reader of the last commit."""
    contents, segments = index.current()
    read = [_ReadSegment(segment.entry, segment.arrays) for segment in segments]
    return FileIndex._reader(index.storage, index.schema, read, contents.version.generation)


class _ReadSegment(ColumnarSegment):
    def codec(self) -> "ReadingCodec":
        return ReadingCodec()


class ReadingCodec(ColumnarCodec):
    """Reads segments."""

    def terms_reader(self, storage: Storage, segment: base.Segment) -> "ColumnarTerms":
        """Return the reader of the terms and postings of a segment."""
        return ColumnarTerms(_arrays(segment))

    def per_document_reader(self, storage: Storage, segment: base.Segment) -> "ColumnarDocuments":
        """Return the reader of the lengths and columns of a segment."""
        return ColumnarDocuments(_arrays(segment))


def _arrays(segment: base.Segment) -> Segment:
    if not isinstance(segment, ColumnarSegment):
        raise TypeError("not a columnar segment")
    return segment.arrays


class ColumnarTerms(base.TermsReader):
    """The terms and postings of a segment."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment

    def __contains__(self, term: Term) -> bool:
        """Return whether any document holds a term."""
        name, text = term
        field = self._segment.fields.get(name)
        return field is not None and field.vocabulary.find(text) >= 0

    def indexed_field_names(self) -> list[str]:
        """Return the fields that have terms."""
        return [name for name, field in self._segment.fields.items() if len(field.vocabulary)]

    def cursor(self, fieldname: str, fieldobj: FieldType) -> base.FieldCursor:
        """Return a cursor over the terms of a field."""
        field = self._segment.fields.get(fieldname)
        return base.EmptyCursor() if field is None else _Cursor(field, fieldobj)

    def terms(self) -> Iterator[Term]:
        """Yield all terms, by field."""
        for name in sorted(self._segment.fields):
            yield from self.terms_from(name, b"")

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[Term]:
        """Yield the terms of a field that are not smaller than `prefix`."""
        field = self._segment.fields.get(fieldname)
        if field is not None:
            for place in range(field.vocabulary.at_least(prefix), len(field.vocabulary)):
                yield fieldname, field.vocabulary[place]

    def items(self) -> Iterator[tuple[Term, TermInfo]]:
        """Yield all terms with their statistics."""
        for name in sorted(self._segment.fields):
            yield from self.items_from(name, b"")

    def items_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[Term, TermInfo]]:
        """Yield the terms of a field that are not smaller than `prefix`, with their statistics."""
        for term in self.terms_from(fieldname, prefix):
            yield term, self.term_info(*term)

    def term_info(self, fieldname: str, text: bytes) -> TermInfo:
        """Return the statistics of a term."""
        field, place = self._found(fieldname, text)
        documents, counts = field.postings(place)
        lengths = field.lengths[documents] if len(field.lengths) else np.zeros(1, np.uint32)
        return TermInfo(
            weight=float(counts.sum(dtype=np.int64)),
            df=len(documents),
            minlength=int(lengths.min()),
            maxlength=int(lengths.max()),
            maxweight=float(counts.max()),
            minid=int(documents[0]),
            maxid=int(documents[-1]),
        )

    def frequency(self, fieldname: str, text: bytes) -> float:
        """Return how often a term occurs."""
        field, place = self._found(fieldname, text)
        return float(field.postings(place).counts.sum(dtype=np.int64))

    def doc_frequency(self, fieldname: str, text: bytes) -> int:
        """Return how many documents hold a term."""
        field, place = self._found(fieldname, text)
        return field.document_frequency(place)

    def matcher(self, fieldname: str, text: bytes, format_: Format, scorer: BaseScorer | None = None) -> LeafMatcher:
        """Return a matcher for the documents of a term."""
        try:
            field, place = self._found(fieldname, text)
        except KeyError as error:
            raise TermNotFound(str(error)) from error
        return ColumnarMatcher(field, place, (fieldname, text), format_, scorer)

    def _found(self, name: str, text: bytes) -> tuple[Field, int]:
        """Return a field and the number of a term in it; raise `KeyError`, as Whoosh's readers expect."""
        field = self._segment.fields.get(name)
        place = -1 if field is None else field.vocabulary.find(text)
        if field is None or place < 0:
            raise KeyError(f"{name}:{text!r}")
        return field, place


class _Cursor(base.FieldCursor):
    def __init__(self, field: Field, type_: FieldType) -> None:
        self._field = field
        self._type = type_
        self._place = 0

    def first(self) -> str | int | None:
        self._place = 0
        return self.text()

    def find(self, string: str | bytes) -> str | int | None:
        term = string if isinstance(string, bytes) else self._type.to_bytes(string)
        self._place = self._field.vocabulary.at_least(term)
        return self.text()

    def next(self) -> str | int | None:
        self._place += 1
        return self.text()

    def text(self) -> str | int | None:
        return self._type.from_bytes(self._field.vocabulary[self._place]) if self.is_valid() else None

    def is_valid(self) -> bool:
        return self._place < len(self._field.vocabulary)


class ColumnarDocuments(base.PerDocumentReader):
    """The lengths and columns of a segment."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment

    def doc_count(self) -> int:
        """Return the number of documents that are not deleted."""
        return self._segment.live

    def doc_count_all(self) -> int:
        """Return the number of all documents."""
        return self._segment.size

    def has_deletions(self) -> bool:
        """Return whether any document is deleted."""
        return self._segment.live < self._segment.size

    def is_deleted(self, docnum: int) -> bool:
        """Return whether a document is deleted."""
        return self._segment.deleted is not None and bool(self._segment.deleted[docnum])

    def deleted_docs(self) -> list[int]:
        """Return the deleted documents."""
        mask = self._segment.deleted
        return [] if mask is None else np.flatnonzero(mask).tolist()

    def supports_columns(self) -> bool:
        """Return True."""
        return True

    def has_column(self, fieldname: str) -> bool:
        """Return whether a field has a column."""
        return fieldname in self._segment.columns

    def list_columns(self) -> list[str]:
        """Return the fields with columns."""
        return list(self._segment.columns)

    def column_reader(self, fieldname: str, column: Column) -> ColumnReader:
        """Return the column of a field."""
        return _Numbers(self._segment.columns[fieldname])

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        """Return how many terms a document has in a field; exact, unlike Whoosh's one-byte lengths."""
        lengths = self._lengths(fieldname)
        return lengths.item(docnum) if len(lengths) else default

    def field_length(self, fieldname: str) -> int:
        """Return how many terms all documents have in a field."""
        field = self._segment.fields.get(fieldname)
        return 0 if field is None else field.total_length

    def min_field_length(self, fieldname: str) -> int:
        """Return the least length."""
        lengths = self._lengths(fieldname)
        return int(lengths.min()) if len(lengths) else 0

    def max_field_length(self, fieldname: str) -> int:
        """Return the greatest length."""
        return int(self._lengths(fieldname).max(initial=0))

    def stored_fields(self, docnum: int) -> dict[str, object]:
        """Return an empty dict: no field is stored."""
        return {}

    def _lengths(self, fieldname: str) -> Unsigned:
        field = self._segment.fields.get(fieldname)
        return np.empty(0, np.uint32) if field is None else field.lengths


class _Numbers(ColumnReader):
    def __init__(self, values: npt.NDArray[np.uint64]) -> None:
        self._values = values
        self._sign = 1

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.load())

    def __getitem__(self, docnum: int) -> int:
        return self._values.item(docnum)

    def sort_key(self, docnum: int) -> int:
        return self._sign * self[docnum]

    def load(self) -> list[int]:
        values: list[int] = self._values.tolist()
        return values

    def set_reverse(self) -> None:
        self._sign = -1


class ColumnarMatcher(LeafMatcher):
    """Iterates over the postings of one term."""

    def __init__(
        self, field: Field, place: int, term: tuple[str, bytes], format_: Format, scorer: BaseScorer | None, at: int = 0
    ) -> None:
        self._field = field
        self._place = place
        self._term = term
        self.format = format_
        self.scorer = scorer
        self._postings = field.postings(place)
        self._documents: Sequence[int] = self._postings.documents.tolist()
        self._counts: Sequence[int] = self._postings.counts.tolist()
        self._ends: npt.NDArray[np.int64] | None = None
        self._at = at

    def is_active(self) -> bool:
        """Return whether there is a current document."""
        return self._at < len(self._documents)

    def reset(self) -> None:
        """Go to the first document."""
        self._at = 0

    def copy(self) -> "ColumnarMatcher":
        """Return the same matcher at the same document."""
        return ColumnarMatcher(self._field, self._place, self._term, self.format, self.scorer, self._at)

    def id(self) -> int:
        """Return the current document."""
        return self._documents[self._at]

    def weight(self) -> float:
        """Return how often the current document holds the term."""
        return float(self._counts[self._at])

    def next(self) -> bool:
        """Go to the next document."""
        if not self.is_active():
            raise ReadTooFar
        self._at += 1
        return False

    def skip_to(self, id: int) -> None:  # noqa: A002 - Whoosh's name
        """Go to the first document that is not smaller."""
        if not self.is_active():
            raise ReadTooFar
        left = self._postings.documents[self._at :]
        self._at += int(np.searchsorted(left, id))

    def all_ids(self) -> Iterator[int]:
        """Return all documents."""
        return iter(self._documents)

    def positions(self) -> list[int]:
        """Return the positions of the term in the current document."""
        if self._ends is None:
            self._ends = np.cumsum(self._postings.counts, dtype=np.int64)
        end = self._ends.item(self._at)
        found: list[int] = self._field.positions(self._place)[end - self._counts[self._at] : end].tolist()
        return found

    def supports(self, astype: str) -> bool:
        """Return whether a posting has a value of this kind."""
        return astype in _VALUES[self._field.spec.kind]

    def value_as(self, astype: str) -> float | list[int] | list[tuple[int, float]]:
        """Return the value of the current posting."""
        match astype:
            case "weight":
                return self.weight()
            case "frequency":
                return self._counts[self._at]
            case "positions":
                return self.positions()
            case "position_boosts":
                return [(position, 1.0) for position in self.positions()]
        raise ValueError(f"The field {self._term[0]} has no {astype}.")

    def value(self) -> NoReturn:
        """Raise `NotImplementedError`: our postings have no encoded values."""
        raise NotImplementedError

    # Whoosh skips blocks of postings that cannot reach the top-k; here all postings of a term are one block.

    def block_min_length(self) -> int:
        """Return the least length of the documents."""
        return int(self._lengths().min())

    def block_max_length(self) -> int:
        """Return the greatest length of the documents."""
        return int(self._lengths().max())

    def block_max_weight(self) -> float:
        """Return the greatest count."""
        return float(max(self._counts))

    def skip_to_quality(self, minquality: float) -> int:
        """Skip the block if nothing in it can score more."""
        if self.block_quality() > minquality:
            return 0
        self._at = len(self._documents)
        return 1

    def _lengths(self) -> Unsigned:
        lengths = self._field.lengths
        return lengths[self._postings.documents] if len(lengths) else np.zeros(1, np.uint32)
