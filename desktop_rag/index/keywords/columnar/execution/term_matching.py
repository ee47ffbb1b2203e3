"""Expands patterns and fuzzy words into terms, and sums the postings of several terms."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    Indices,
    Number,
    Scores,
    document_type,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.segment import (
    NO_POSTINGS,
    Field,
    PostedField,
    Postings,
    Unsigned,
    union_postings,
)
from desktop_rag.stop import Stop

Terms = Callable[[SegmentReader, Field, Stop], Indices]
"""Finds the numbers of the matching terms in one segment, ascending."""

_BLOCK = 4096  # terms compared with a pattern in one step
_POSTINGS = 1 << 17  # postings summed in one step; larger arrays are slower
_UNKNOWN = (1 << 32) - 1
_LISTED = 16  # so few terms are read one by one
_SLICED = 64  # postings of a term; so many are copied faster as a slice than one by one


def prefixed(prefix: bytes) -> Terms:
    """Return a finder of the terms that begin with `prefix`."""

    def terms(segment: SegmentReader, field: Field, stop: Stop) -> Indices:
        del segment, stop
        return np.arange(*field.vocabulary.prefixed(prefix))

    return terms


def matching(pattern: re.Pattern[str], prefix: bytes) -> Terms:
    """Return a finder of the terms that begin with `prefix` and match `pattern`."""

    def terms(segment: SegmentReader, field: Field, stop: Stop) -> Indices:
        del segment
        first, last = field.vocabulary.prefixed(prefix)
        found: list[int] = []
        for begin in range(first, last, _BLOCK):
            stop.check()
            texts = field.vocabulary[begin : min(begin + _BLOCK, last)]
            found += [n for n, text in enumerate(texts, begin) if pattern.match(text.decode("utf-8", "replace"))]
        return np.array(found, np.intp)

    return terms


def near(word: str, distance: int) -> Terms:
    """Return a finder of the terms within `distance` edits; two letters swapped are one (OSA)."""

    def terms(segment: SegmentReader, field: Field, stop: Stop) -> Indices:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import cdist

        stop.check()
        likely = segment.signatures(field).near(word, distance)
        texts = [term.decode("utf-8", "replace") for term in field.vocabulary.some(likely)]
        if not texts:
            return likely
        far = cdist([word], texts, scorer=OSA.distance, score_cutoff=distance, dtype=np.int32)[0]
        return likely[np.flatnonzero(far <= distance)]

    return terms


def united(segment: SegmentReader, field: Field, terms: Indices, stop: Stop) -> Postings:
    """Return the documents that hold any of `terms`, and their total frequency in each."""
    if len(terms) <= _LISTED:
        stop.check()
        parts = [field.postings(term) for term in terms.tolist()]
        return union_postings(parts, segment.size) if len(parts) > 1 else parts[0] if parts else NO_POSTINGS
    # No sum exceeds the number of words of a document.
    most = segment.longest(field) if field.spec.scored else _UNKNOWN
    sums = _added(field, terms, None, np.zeros(segment.size, np.min_scalar_type(most)), stop)
    documents = (sums > 0).nonzero()[0]  # of truth values, which numpy does faster
    return Postings(documents.astype(document_type(segment.size)), sums.take(documents))


def occurrences(segment: SegmentReader, field: Field, terms: Indices, times: Scores, stop: Stop) -> Scores:
    """Return for each document the total frequency of `terms`, each weighted by its entry in `times`."""
    return _added(field, terms, times, np.zeros(segment.size, np.float32), stop)


def _added(
    field: Field, terms: Indices, times: Scores | None, sums: npt.NDArray[Number], stop: Stop
) -> npt.NDArray[Number]:
    """Add to `sums` the frequencies of `terms` in each document, weighted by `times` (None: 1)."""
    if not len(terms):
        return sums
    if len(terms) == 1 and times is None:
        documents, counts = field.postings(int(terms[0]))
        sums[documents] += counts.astype(sums.dtype)
        return sums
    first, last = int(terms[0]), int(terms[-1]) + 1
    if last - first > len(terms) or times is not None:
        _add_scattered(field, terms, times, sums, stop)
        return sums
    for begin, end in _stretches(field.document_frequencies(first, last).astype(np.int64)):
        stop.check()
        documents, counts = field.run(first + begin, first + end)
        np.add.at(sums, documents.astype(np.intp), counts.astype(sums.dtype))
    return sums


def _add_scattered(field: Field, terms: Indices, times: Scores | None, sums: npt.NDArray[Number], stop: Stop) -> None:
    """Add the frequencies of terms that are scattered over the vocabulary."""
    if not isinstance(field, PostedField):
        for number, term in enumerate(terms.tolist()):
            stop.check()
            documents, counts = field.postings(term)
            weights = counts.astype(sums.dtype)
            np.add.at(sums, documents.astype(np.intp), weights if times is None else weights * times[number])
        return
    for places, documents, counts in postings_of(field, terms, stop):
        weights = counts.astype(sums.dtype)
        if times is not None and (factors := times.take(places)).max() > 1:
            weights *= np.repeat(factors, extents(field.starts, terms.take(places))[1])
        np.add.at(sums, documents.astype(np.intp), weights)


def postings_of(field: PostedField, terms: Indices, stop: Stop) -> Iterator[tuple[Indices, Unsigned, Unsigned]]:
    """Yield the concatenated documents and counts of some of `terms` (ascending), with the places of these in it."""
    begins, sizes = extents(field.starts, terms)
    frequent = sizes >= (0 if _adjoin(terms) else _SLICED)
    for some, read in ((frequent, field.runs), (~frequent, field.gathered)):
        places = some.nonzero()[0]
        for first, last in _stretches(sizes.take(places)) if len(places) else ():
            stop.check()
            held = places[first:last]
            yield held, *read(begins.take(held), sizes.take(held))


def positions_of(field: PostedField, terms: Indices) -> Unsigned:
    """Return the concatenated positions of some terms (ascending)."""
    begins, sizes = extents(field.position_starts, terms)
    if _adjoin(terms) or int(sizes.sum()) > _SLICED * len(terms):
        return field.all_positions.runs(begins, begins + sizes)
    return field.all_positions.take(run_indices(begins, sizes))


def _adjoin(terms: Indices) -> bool:
    """Return whether some terms are a range of the vocabulary, whose postings are one slice."""
    return len(terms) > 0 and int(terms[-1]) - int(terms[0]) < len(terms)


def extents(starts: Unsigned, terms: Indices) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the start and the length of each term's run in an array with the given `starts`."""
    begins = starts.take(terms).astype(np.int64)
    return begins, starts.take(terms + 1).astype(np.int64) - begins


def _stretches(frequencies: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Split terms into ranges of about `_POSTINGS` postings."""
    ends = np.cumsum(frequencies)
    edges = np.searchsorted(ends, np.arange(_POSTINGS, ends[-1], _POSTINGS)) + 1
    return pairwise(sorted({0, *edges.tolist(), len(ends)}))
