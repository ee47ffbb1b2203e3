"""The algebra of postings: ascending arrays of document numbers, and the best of many scores."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.number)
Documents = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

NO_DOCUMENTS: Documents = np.empty(0, np.uint32)
NO_SCORES: Scores = np.empty(0, np.float32)

_COLUMNS, _PER_BEST = 256, 16  # what scores are laid out in to bound the best: so many, or so many for each of them
_LISTED = 64  # hits that Python sorts sooner than numpy
_SEARCHES = 16  # a binary search costs about as much as so many entries of a table
_FEW_HELD = 1000  # a search among so few is cheaper than any table
_SPARSE = 16  # a union of less than one in so many documents is sorted instead of laid out


class Hits(NamedTuple):
    """Documents (ascending, each once) and the score of each."""

    documents: Documents
    scores: Scores


NO_HITS = Hits(NO_DOCUMENTS, NO_SCORES)
Ranked = list[tuple[float, int]]  # the score, negated, and the number in some column: sorted as it is, best first


def locate(held: Documents, wanted: Documents, size: int) -> tuple[Places, Mask]:
    """Return for each of `wanted` its place in `held`, and whether it is there at all; both ascend below `size`.

    Places of what is not there are some number below `len(held)`, or 0.
    """
    if not len(held) or not len(wanted):
        return np.zeros(len(wanted), np.intp), np.zeros(len(wanted), np.bool_)
    if len(held) == len(wanted) and np.array_equal(held, wanted):
        return np.arange(len(held)), np.ones(len(held), np.bool_)
    if len(wanted) * _SEARCHES > len(held) > _FEW_HELD:
        table = np.empty(size, np.uint32)  # what is not written is checked below, whatever it is
        table[held.astype(np.intp)] = np.arange(len(held), dtype=np.uint32)  # numpy is twice as fast with these
        places = table.take(wanted).astype(np.intp)
        np.minimum(places, len(held) - 1, out=places)
    else:
        places = np.searchsorted(held, wanted)
        places[places == len(held)] = 0
    return places, held.take(places) == wanted


def united(parts: Sequence[Hits], size: int) -> Hits:
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
        documents = np.flatnonzero(held).astype(np.uint32)
        return Hits(documents, sums.take(documents))
    documents = np.concatenate([part.documents for part in parts])
    order = np.argsort(documents, kind="stable")
    documents = documents.take(order)
    first = np.flatnonzero(np.concatenate(([True], documents[1:] != documents[:-1])))
    scores = np.concatenate([part.scores for part in parts]).take(order)
    return Hits(documents.take(first), np.add.reduceat(scores, first))


def slices(starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Places:
    """Return the places `starts[i]`, `starts[i] + 1`, … of all runs, one run of `lengths[i]` after another."""
    ends = np.cumsum(lengths)
    if not len(ends):
        return np.empty(0, np.intp)
    places: Places = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
    return places


def threshold(scores: Scores, count: int) -> float:
    """Return a score that at least `count` of `scores` reach, and few more; -inf when there are not so many."""
    if len(scores) < count:
        return -np.inf
    columns = max(_COLUMNS, _PER_BEST * count)
    if len(scores) > 16 * columns:
        # Each column's greatest score is somebody's: the best columns bound what the best scores are.
        scores = scores[: len(scores) // columns * columns].reshape(-1, columns).max(axis=0)
    return np.partition(scores, len(scores) - count).item(len(scores) - count)


def best(hits: Hits, keys: npt.NDArray[np.uint64], count: int) -> Ranked:
    """Return the `count` best, best first; equal scores in the order of `keys` (by document)."""
    documents, scores = hits
    if len(scores) > count:
        reaching = (scores >= threshold(scores, count)).nonzero()[0]
        documents, scores = documents.take(reaching), scores.take(reaching)
    numbers = keys.take(documents)
    if len(scores) > max(count, _LISTED):
        order = np.lexsort((numbers, -scores))[:count]
        numbers, scores = numbers.take(order), scores.take(order)
    return sorted(zip((-scores).tolist(), numbers.tolist(), strict=True))[:count]
