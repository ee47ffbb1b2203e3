"""Operations on postings: ascending arrays of document numbers, unions, and top-k selection of scores."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.number)
Documents = npt.NDArray[np.unsignedinteger]
Scores = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]
Numbers = npt.NDArray[np.unsignedinteger]

NO_DOCUMENTS: Documents = np.empty(0, np.uint16)
NO_SCORES: Scores = np.empty(0, np.float32)
NO_PLACES: Indices = np.empty(0, np.intp)

_COLUMNS, _PER_BEST = 64, 4  # columns for bounding the top-k: at least this many, and this many for each of the k
_ROWS = 128  # of such columns, at most
_SORTED = 32  # so few hits are sorted faster than their threshold is found
_LISTED = 64  # so few hits are sorted faster by Python than by numpy
SEARCHES = 8  # a binary search costs about as much as filling this many entries of a table
_FEW_HELD = 500  # a search among so few is cheaper than a table
_FEW_MERGED = 512  # a search for so few is cheaper than merging two arrays
_TABLED = 1 << 24  # numbers below this are looked up in a table of bytes
_NARROW = 1 << 16  # documents that 16 bits can number
_SPARSE = 16  # a union of fewer than one in this many documents is sorted instead of summed in a dense array


class Hits(NamedTuple):
    """Documents (ascending, each once) and the score of each."""

    documents: Documents
    scores: Scores


NO_HITS = Hits(NO_DOCUMENTS, NO_SCORES)
Ranked = list[tuple[float, int]]  # (negated score, number in some column): ascending order is best first


def document_type(size: int) -> np.dtype[np.unsignedinteger]:
    """Return the type of the document numbers in a segment of `size` documents."""
    return np.dtype(np.uint16 if size <= _NARROW else np.uint32)


def are_among(column: Numbers, wanted: Numbers) -> Mask:
    """Return which numbers of a column are among the wanted ones, which have no duplicates.

    `np.isin` sorts short columns, and imports numpy.ma for it: 30 ms of the start of a search.
    """
    top = int(column.max(initial=0))
    if top >= _TABLED:
        return np.isin(column, wanted)
    table = np.zeros(top + 1, np.bool_)
    table[wanted[wanted <= top]] = True
    return table[column]


def lookup(held: Documents, wanted: Documents, size: int) -> tuple[Indices, Indices]:
    """Return which of `wanted` are in `held`, and the index there of each; both ascend and are below `size`."""
    if len(held) == len(wanted) and (held == wanted).all():
        every = np.arange(len(held))
        return every, every
    if not len(held):
        return NO_PLACES, NO_PLACES
    places = places_of(held, wanted, size)
    kept = (held.take(places, mode="clip") == wanted).nonzero()[0]
    return kept, places.take(kept)


def places_of(held: Documents, wanted: Documents, size: int) -> Indices:
    """Return the index in `held` of each of `wanted` that is there; those of others mean nothing."""
    if not len(wanted) * SEARCHES > len(held) > _FEW_HELD:
        return held.searchsorted(wanted)
    table = np.empty(size, np.uint32)  # entries that are not written are garbage
    table[held.astype(np.intp)] = np.arange(len(held), dtype=np.uint32)  # numpy is twice as fast with intp
    return table.take(wanted).astype(np.intp)


def common(held: Numbers, wanted: Numbers) -> Numbers:
    """Return those of `wanted` that are in `held`, which ascends; in neither is one twice."""
    if len(wanted) * SEARCHES < len(held) or len(wanted) < _FEW_MERGED:
        found: Numbers = wanted[held.take(held.searchsorted(wanted), mode="clip") == wanted]
    else:
        both = np.concatenate((held, wanted))
        both.sort(kind="stable")  # two ascending runs are merged
        found = both[1:][both[1:] == both[:-1]]
    return found


def union_hits(parts: Sequence[Hits], size: int) -> Hits:
    """Return the documents in any of `parts` (below `size`) with the sums of their scores."""
    parts = [part for part in parts if len(part.documents)]
    if len(parts) < 2:
        return parts[0] if parts else NO_HITS
    total = sum(len(part.documents) for part in parts)
    if total * _SPARSE > size:
        sums = np.zeros(size, np.float32)
        held = np.zeros(size, np.bool_)
        for part in parts:
            places = part.documents.astype(np.intp)
            np.add.at(sums, places, part.scores)
            held[places] = True
        documents = np.flatnonzero(held).astype(document_type(size))
        return Hits(documents, sums.take(documents))
    documents = np.concatenate([part.documents for part in parts])
    order = np.argsort(documents, kind="stable")
    documents = documents.take(order)
    first = np.flatnonzero(np.concatenate(([True], documents[1:] != documents[:-1])))
    scores = np.concatenate([part.scores for part in parts]).take(order)
    return Hits(documents.take(first), np.add.reduceat(scores, first))


def run_indices(starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Indices:
    """Return the indices `starts[i]`, `starts[i] + 1`, … of all runs of `lengths[i]`, concatenated."""
    ends = np.cumsum(lengths)
    if not len(ends):
        return np.empty(0, np.intp)
    places: Indices = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
    return places


def joined_ranges(
    begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the ranges, which ascend, with those that adjoin as one."""
    first = np.concatenate(([True], begins[1:] != ends[:-1]))
    return begins[first], ends[np.concatenate((first[1:], [True]))]


def threshold(scores: Scores, count: int) -> float:
    """Return a score that at least `count` of `scores` reach, and few more; -inf if there are fewer scores."""
    if len(scores) < count:
        return -np.inf
    columns = max(_COLUMNS, _PER_BEST * count, len(scores) // _ROWS)
    if len(scores) > 4 * columns:
        # The maximum of each column is the score of some document, so the best maxima bound the best scores.
        scores = scores[: len(scores) // columns * columns].reshape(-1, columns).max(axis=0)
    else:
        scores = scores.copy()
    scores.partition(len(scores) - count)
    return scores.item(len(scores) - count)


def top_k(hits: Hits, keys: npt.NDArray[np.uint64], count: int) -> Ranked:
    """Return the top `count` hits, best first; equal scores are ordered by `keys` (by document)."""
    documents, scores = hits
    if len(scores) > max(count, _SORTED):
        reaching = (scores >= threshold(scores, count)).nonzero()[0]
        documents, scores = documents.take(reaching), scores.take(reaching)
    numbers = keys.take(documents)
    if len(scores) > _LISTED:
        order = np.lexsort((numbers, -scores))[:count]
        numbers, scores = numbers.take(order), scores.take(order)
    return sorted(zip((-scores).tolist(), numbers.tolist(), strict=True))[:count]
