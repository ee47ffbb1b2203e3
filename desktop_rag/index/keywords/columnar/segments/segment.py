"""A segment: an immutable part of the keyword index, read from memory-mapped arrays without loading anything ahead.

A segment numbers its documents from 0 and has columns (a number for each document) and fields. A field has a sorted
vocabulary; each term has postings: the documents that hold it, ascending, with its frequency in each. The positions of
a term are one run, split by the frequencies. A grouped field has no postings of its own: each of its terms groups
several terms of another field (a stem all forms of a word), and its postings are their union.

All statistics of a segment, including lengths and document frequencies, count deleted documents, as Whoosh's do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    Indices,
    document_type,
    joined_ranges,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.split_numbers import SplitNumbers
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary

Unsigned = npt.NDArray[np.unsignedinteger]
Arrays = Mapping[str, npt.NDArray[np.unsignedinteger]]

_REMEMBERED = 32  # cached unions of a grouped field


class FieldKind(StrEnum):
    """What postings contain: documents only, also frequencies, or also positions."""

    PRESENCE = "presence"
    COUNTS = "counts"
    POSITIONS = "positions"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """Definition of a field: `scored` fields have document lengths; `groups` names the field whose terms it groups."""

    name: str
    kind: FieldKind
    scored: bool
    groups: str = ""


class Postings(NamedTuple):
    """The documents that hold a term (of `document_type`, ascending) and its frequency in each (any width, ≥ 1)."""

    documents: Unsigned
    counts: Unsigned


_NOTHING: Unsigned = np.empty(0, np.uint16)
NO_POSTINGS = Postings(_NOTHING, _NOTHING)


class Field(Protocol):
    """A field of one segment; a term is a number in its vocabulary."""

    @property
    def spec(self) -> FieldSpec:
        """Return the definition of the field."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the sorted terms."""

    @property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """Return the number of terms of each document, with repetitions; empty for fields that are not scored."""

    @property
    def total_length(self) -> int:
        """Return the sum of all lengths."""

    def document_frequency(self, term: int) -> int:
        """Return how many documents hold a term."""

    def document_frequencies(self, first: int, last: int) -> npt.NDArray[np.uint32]:
        """Return the document frequency of each term in `range(first, last)`."""

    def postings(self, term: int) -> Postings:
        """Return the postings of a term; the arrays may be views of the file and must not be written to."""

    def run(self, first: int, last: int) -> Postings:
        """Return the concatenated postings of the terms in `range(first, last)`.

        A view of the file if the field has postings of its own, so that a prefix costs one slice.
        """

    def positions(self, term: int) -> Unsigned:
        """Return the positions of a term in all its documents, ascending in each.

        Those of posting i are `positions[counts[:i].sum():][:counts[i]]`. Only for fields with positions.
        """

    def position_run(self, first: int, last: int) -> Unsigned:
        """Return the concatenated positions of the terms in `range(first, last)`."""


class PostedField:
    """A field with postings of its own."""

    def __init__(self, spec: FieldSpec, arrays: Arrays, total_length: int) -> None:
        self.spec = spec
        self.total_length = total_length
        self.starts = arrays[f"{spec.name}/starts"]
        self.documents = arrays[f"{spec.name}/documents"]
        self.counts = SplitNumbers(f"{spec.name}/counts", arrays) if spec.kind is not FieldKind.PRESENCE else None
        self._positions = SplitNumbers(f"{spec.name}/positions", arrays) if spec.kind is FieldKind.POSITIONS else None
        self.position_starts = arrays.get(f"{spec.name}/position_starts", _NOTHING)
        self.vocabulary = vocabulary_of(spec.name, arrays)
        self.lengths = _uint32(arrays.get(f"{spec.name}/lengths", _NOTHING))

    def document_frequency(self, term: int) -> int:
        """Return how many documents hold a term."""
        return self.starts.item(term + 1) - self.starts.item(term)

    def document_frequencies(self, first: int, last: int) -> npt.NDArray[np.uint32]:
        """Return the document frequency of each term in `range(first, last)`."""
        return _uint32(self.starts[first + 1 : last + 1] - self.starts[first:last])

    def postings(self, term: int) -> Postings:
        """Return the postings of a term."""
        return self.run(term, term + 1)

    def run(self, first: int, last: int) -> Postings:
        """Return the postings of some neighbouring terms; the documents are a view of the file."""
        begin, end = self.starts.item(first), self.starts.item(last)
        documents = self.documents[begin:end]
        if self.counts is None:
            return Postings(documents, np.ones(len(documents), np.uint8))
        return Postings(documents, self.counts.run(begin, end))

    def runs(self, begins: Indices, sizes: Indices) -> Postings:
        """Return the postings in several ranges, which ascend, concatenated."""
        begins, ends = joined_ranges(begins, begins + sizes)
        documents = [self.documents[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
        if self.counts is None:
            return Postings(np.concatenate(documents), np.ones(int(sizes.sum()), np.uint8))
        return Postings(np.concatenate(documents), self.counts.runs(begins, ends))

    def gathered(self, begins: Indices, sizes: Indices) -> Postings:
        """Return the same as `runs`, faster for short ranges."""
        held = run_indices(begins, sizes)
        return Postings(self.documents.take(held), self.counts_at(held))

    def counts_at(self, indices: npt.NDArray[np.intp]) -> Unsigned:
        """Return the frequencies of some postings; `indices` count through all terms, as `documents`."""
        return np.ones(len(indices), np.uint8) if self.counts is None else self.counts.take(indices)

    def positions(self, term: int) -> Unsigned:
        """Return the positions of a term in all its documents."""
        return self.position_run(term, term + 1)

    def position_run(self, first: int, last: int) -> Unsigned:
        """Return the positions of some neighbouring terms."""
        return self.all_positions.run(self.position_starts.item(first), self.position_starts.item(last))

    @property
    def all_positions(self) -> SplitNumbers:
        """Return the positions of all terms; raise `ValueError` if the field has none."""
        if self._positions is None:
            raise ValueError(f"The field “{self.spec.name}” has no positions.")
        return self._positions


class GroupedField:
    """A field whose terms each group several terms of `source`."""

    def __init__(self, spec: FieldSpec, arrays: Arrays, source: Field, documents: int) -> None:
        self.spec = spec
        self.source = source
        self._size = documents
        self._member_starts = arrays[f"{spec.name}/member_starts"]
        self._members = arrays[f"{spec.name}/members"]
        self._frequencies = _uint32(arrays[f"{spec.name}/document_frequencies"])
        self.vocabulary = vocabulary_of(spec.name, arrays)
        self._unions: dict[int, Postings] = {}

    @property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """Return the lengths of the source: each of its terms belongs to one group."""
        return self.source.lengths

    @property
    def total_length(self) -> int:
        """Return the sum of all lengths."""
        return self.source.total_length

    def document_frequency(self, term: int) -> int:
        """Return how many documents hold a term."""
        return self._frequencies.item(term)

    def document_frequencies(self, first: int, last: int) -> npt.NDArray[np.uint32]:
        """Return the document frequency of each term in `range(first, last)`."""
        return self._frequencies[first:last]

    def group_of_terms(self) -> npt.NDArray[np.uint32]:
        """Return for each term of the source the term of this field that groups it."""
        groups = np.empty(len(self._members), np.uint32)
        groups[self._members] = np.repeat(np.arange(len(self.vocabulary)), np.diff(self._member_starts))
        return groups

    def members(self, term: int) -> npt.NDArray[np.uint32]:
        """Return the terms of the source that a term groups."""
        return _uint32(self._members[self._member_starts.item(term) : self._member_starts.item(term + 1)])

    def postings(self, term: int) -> Postings:
        """Return the union of the members' postings; those of a single member are views of the file."""
        found = self._unions.get(term)
        if found is None:
            parts = [self.source.postings(member) for member in self.members(term).tolist()]
            if len(parts) == 1:
                return parts[0]
            found = union_postings(parts, self._size)
            if len(self._unions) >= _REMEMBERED:
                self._unions.pop(next(iter(self._unions)))
            self._unions[term] = found
        return found

    def run(self, first: int, last: int) -> Postings:
        """Return the concatenated postings of some neighbouring terms."""
        parts = [self.postings(term) for term in range(first, last)]
        if not parts:
            return NO_POSTINGS
        return Postings(np.concatenate([part.documents for part in parts]), np.concatenate([p.counts for p in parts]))

    def positions(self, term: int) -> Unsigned:
        """Raise `ValueError`: groups have no positions."""
        return self.position_run(term, term + 1)

    def position_run(self, first: int, last: int) -> Unsigned:
        """Raise `ValueError`: groups have no positions."""
        raise ValueError(f"The field “{self.spec.name}” has no positions.")


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Documents numbered from 0; `deleted` is a mask over them (None: no deletions)."""

    name: str
    size: int
    columns: Mapping[str, npt.NDArray[np.uint64]]
    fields: Mapping[str, Field]
    deleted: npt.NDArray[np.bool_] | None = None

    @property
    def live(self) -> int:
        """Return how many documents are not deleted."""
        return self.size - (0 if self.deleted is None else int(np.count_nonzero(self.deleted)))

    def with_deleted(self, deleted: npt.NDArray[np.bool_] | None) -> "Segment":
        """Return the same segment with another mask of deleted documents."""
        return replace(self, deleted=deleted)


def segment_of(
    name: str, size: int, specs: Mapping[FieldSpec, int], arrays: Arrays, deleted: npt.NDArray[np.bool_] | None = None
) -> Segment:
    """Return the segment made of `arrays`, mapped or in memory.

    `specs` gives the total length of each field; a grouped one comes after its source. Arrays are named
    "field/what" and "column/name".
    """
    fields: dict[str, Field] = {}
    for spec, total in specs.items():
        if spec.groups:
            fields[spec.name] = GroupedField(spec, arrays, fields[spec.groups], size)
        else:
            fields[spec.name] = PostedField(spec, arrays, total)
    prefix = "column/"
    columns = {
        key.removeprefix(prefix): np.asarray(values, np.uint64)
        for key, values in arrays.items()
        if key.startswith(prefix)
    }
    return Segment(name, size, columns, fields, deleted)


def union_postings(parts: list[Postings], size: int) -> Postings:
    """Return the union of `parts`, with the counts summed; `size` is the number of documents."""
    documents = np.concatenate([part.documents for part in parts])
    counts = np.concatenate([part.counts.astype(np.uint32, copy=False) for part in parts])
    if len(documents) * 8 > size:
        sums = np.zeros(size, np.uint32)
        np.add.at(sums, documents, counts)
        held = (sums > 0).nonzero()[0]
        return Postings(held.astype(document_type(size)), sums.take(held))
    order = np.argsort(documents, kind="stable")
    documents = documents[order]
    first = np.flatnonzero(np.concatenate(([True], documents[1:] != documents[:-1])))
    return Postings(documents[first], np.add.reduceat(counts[order], first))


def disjoint_postings(parts: list[Postings]) -> Postings:
    """Return the union of `parts` that have no document in common."""
    parts = [part for part in parts if len(part.documents)]
    if len(parts) < 2:
        return parts[0] if parts else NO_POSTINGS
    documents = np.concatenate([part.documents for part in parts])
    order = documents.argsort(kind="stable")
    return Postings(documents.take(order), np.concatenate([part.counts for part in parts]).take(order))


def _uint32(values: Unsigned) -> npt.NDArray[np.uint32]:
    return np.asarray(values, np.uint32)


def vocabulary_of(field: str, arrays: Arrays) -> Vocabulary:
    """Return the terms of a field from the arrays that hold them."""
    return Vocabulary(np.asarray(arrays[f"{field}/terms"], np.uint8), _uint32(arrays[f"{field}/term_starts"]))
