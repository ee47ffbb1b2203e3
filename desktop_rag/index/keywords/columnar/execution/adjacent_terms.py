"""Finds where one of some terms directly follows one of others, in all documents at once."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.term_matching import extents, positions_of, postings_of
from desktop_rag.index.keywords.columnar.segments.posting_arrays import NO_PLACES, Indices, Mask, Scores, run_indices
from desktop_rag.index.keywords.columnar.segments.segment import Field, PostedField, Unsigned
from desktop_rag.stop import Stop

_TABLE, _SPARSE = 1 << 26, 16  # of more words, fewer than one in this many are sorted instead of marked in a table
_MOST_POSTINGS = 4_000_000  # of terms whose positions are still compared
_SHARE = 3  # the postings of fewer than one in this many are picked before their positions are read


class Occurrences(NamedTuple):
    """Words of documents: the document and the position of each, in no order."""

    documents: Indices
    places: Indices

    def counts(self, size: int) -> Scores:
        """Return how many there are in each of `size` documents."""
        return np.bincount(self.documents, minlength=size).astype(np.float32)

    def after(self, others: "Occurrences") -> "Occurrences":
        """Return those directly after one of the others."""
        bits = int(max(self.places.max(initial=0), others.places.max(initial=0)) + 1).bit_length()
        before = _sorted_lookup((others.documents << bits | others.places) + 1)
        kept = before(self.documents << bits | self.places)
        return Occurrences(self.documents[kept], self.places[kept])


class _PlacedPostings(NamedTuple):
    """Postings of some terms: the document of each, the number of its positions, and these, concatenated."""

    documents: Indices
    ends: Indices
    counts: Unsigned
    positions: Unsigned


def size_of(field: PostedField, terms: Indices) -> int:
    """Return how many postings some terms have."""
    return int(extents(field.starts, terms)[1].sum())


def following(field: Field, before: Indices, after: Indices, wanted: Mask, stop: Stop) -> Occurrences | None:
    """Return the occurrences of `after` that directly follow one of `before`, at least those in `wanted` documents.

    It is None if that would take too long.
    """
    if not isinstance(field, PostedField) or max(size_of(field, before), size_of(field, after)) > _MOST_POSTINGS:
        return None
    held = list(_postings(field, before, wanted, stop))
    room = np.zeros(len(wanted), np.intp)  # of each document, so that its last word is followed by none of the next
    for some in held:
        np.maximum.at(room, some.documents, some.positions.take(some.ends - 1).astype(np.intp) + 2)
    room_ends = np.cumsum(room)
    starts = room_ends - room
    follows = _are_among([_places(some, starts + 1) for some in held], int(room_ends[-1]))
    documents, places = [NO_PLACES], [NO_PLACES]
    for some in _postings(field, after, wanted, stop):
        at = follows(_places(some, starts))
        of, words = some.documents.take(some.ends.searchsorted(at, side="right")), some.positions.take(at)
        within = words < room.take(of)
        documents.append(of[within])
        places.append(words[within].astype(np.intp))
    return Occurrences(np.concatenate(documents), np.concatenate(places))


def _places(some: _PlacedPostings, starts: Indices) -> Indices:
    """Return the number of each word among the words of all documents, those of each from its entry in `starts`."""
    places: Indices = np.repeat(starts.take(some.documents), some.counts)
    places += some.positions
    return places


def _are_among(known: list[Indices], size: int) -> Callable[[Indices], Indices]:
    """Return a function that finds the places of numbers that are `known`, of which none occurs twice, below `size`."""
    if size > _TABLE and sum(map(len, known)) * _SPARSE < size:
        held = _sorted_lookup(np.concatenate(known))
        return lambda wanted: held(wanted).nonzero()[0]
    table = np.zeros((size >> 3) + 2, np.uint8)  # a bit for each number; the last byte is of all beyond
    for some in known:
        np.add.at(table, some >> 3, np.left_shift(np.uint8(1), (some & 7).astype(np.uint8)))
    return lambda wanted: _with_bit(table, wanted)


def _with_bit(table: npt.NDArray[np.uint8], numbers: Indices) -> Indices:
    """Return the places of the numbers whose bit is set."""
    cells = table.take(numbers >> 3, mode="clip")
    at = (cells != 0).nonzero()[0]
    bits = cells.take(at) >> (numbers.take(at) & 7).astype(np.uint8)
    found: Indices = at[(bits & 1).astype(np.bool_)]
    return found


def _sorted_lookup(known: Indices) -> Callable[[Indices], Mask]:
    """Return a function that says which numbers are `known`; none is negative."""
    ordered = np.sort(np.append(known, -1))
    return lambda wanted: ordered.take(ordered.searchsorted(wanted), mode="clip") == wanted


def _postings(field: PostedField, terms: Indices, wanted: Mask, stop: Stop) -> Iterator[_PlacedPostings]:
    """Yield the postings of some terms in `wanted` documents; others too where these are many."""
    for some, documents, counts in postings_of(field, terms, stop):
        of = documents.astype(np.intp)  # indices of this type are faster
        positions = positions_of(field, terms.take(some))
        ends = np.cumsum(counts, dtype=np.intp)
        held = wanted.take(of)
        if np.count_nonzero(held) * _SHARE < len(held):
            kept = held.nonzero()[0]
            of, counts, ends = of.take(kept), counts.take(kept), ends.take(kept)
            sizes = counts.astype(np.int64)
            positions = positions.take(run_indices(ends - sizes, sizes))
            ends = np.cumsum(sizes)
        yield _PlacedPostings(of, ends, counts, positions)
