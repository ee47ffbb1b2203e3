"""Upper bounds of how often documents contain a literal string, from the terms they hold: no text is read."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.few_bounds import FewBounds
from desktop_rag.index.keywords.columnar.execution.segment_readers import LEAST_BYTES, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_matching import extents, occurrences, postings_of
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_PLACES,
    Indices,
    Mask,
    Scores,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.segment import Field, PostedField
from desktop_rag.index.keywords.literal_terms import RequiredTerm, required_terms
from desktop_rag.stop import Stop

_SHORT = 2  # bytes; so short a string is in this many terms that all are compared at once
_SMALL = 1 << 15  # bytes of terms that are searched as fast without an index of their letters
FEW = 256  # documents; so few texts are read faster than the positions of their words
_SLOW = 2  # postings for each document; bounds from fewer are not cached
_TABLE, _SPARSE = 1 << 26, 16  # of more words, fewer than one in this many are sorted instead of marked in a table
_MOST_POSTINGS = 4_000_000  # of terms whose positions are still compared


def occurrence_bounds(segment: SegmentReader, name: str, keyword: str, stop: Stop, few: int = FEW) -> Scores:
    """Return for each document an upper bound of how often its text contains `keyword` (in lower case).

    It is infinite where nothing is known: for strings without letters, and in texts with truncated terms.
    While more than `few` documents are left, positions are compared too. Slow ones are cached.
    """
    field = segment.field(name)
    if field is None:
        return np.zeros(segment.size, np.float32)
    known = segment.cache.occurrences.find((keyword, few))
    if known is not None:
        return known.of_all(segment.size)
    bounds = np.full(segment.size, np.inf, np.float32)
    asked = required_terms(keyword)
    held = [_holding(segment, field, piece) for piece in asked]
    for terms, times in held:
        np.minimum(bounds, occurrences(segment, field, terms, times, stop), out=bounds)
    for (before, _), (after, _), piece in zip(held, held[1:], asked[1:], strict=False):
        if piece.follows and np.count_nonzero(bounds) > few:
            np.minimum(bounds, _side_by_side(segment, field, before, after, bounds > 0, stop), out=bounds)
    bounds[segment.cut_off(field)] = np.inf
    if isinstance(field, PostedField) and sum(_size(field, terms) for terms, _ in held) > _SLOW * segment.size:
        kept = FewBounds.made(bounds)
        segment.cache.occurrences.keep((keyword, few), kept, LEAST_BYTES + kept.bytes)
    return bounds


def _side_by_side(
    segment: SegmentReader, field: Field, before: Indices, after: Indices, wanted: Mask, stop: Stop
) -> Scores:
    """Return how often a term of `after` directly follows one of `before` in each of the `wanted` documents.

    It is infinite if that would take too long.
    """
    if not isinstance(field, PostedField) or max(_size(field, before), _size(field, after)) > _MOST_POSTINGS:
        return np.full(segment.size, np.inf, np.float32)
    held = list(_occurrences(field, before, wanted, stop))
    documents = np.concatenate([some for some, _ in held]) if held else NO_PLACES
    places = np.concatenate([some for _, some in held]) if held else NO_PLACES
    room = np.zeros(segment.size, np.intp)  # of each document, so that its last word is followed by none of the next
    np.maximum.at(room, documents, places + 2)
    ends = np.cumsum(room)
    starts = ends - room
    follows = _are_among(starts.take(documents) + places + 1, int(ends[-1]))
    sums = np.zeros(segment.size, np.float32)
    for documents, places in _occurrences(field, after, wanted, stop):
        within = (places < room.take(documents)).nonzero()[0]
        documents = documents.take(within)
        np.add.at(sums, documents, follows(starts.take(documents) + places.take(within)).astype(np.float32))
    return sums


def _are_among(known: Indices, size: int) -> Callable[[Indices], Mask]:
    """Return a function that says which of some numbers below `size` are `known`."""
    if size > _TABLE and 0 < len(known) * _SPARSE < size:
        ordered = np.sort(known)
        return lambda wanted: ordered.take(ordered.searchsorted(wanted), mode="clip") == wanted
    table = np.zeros(size, np.bool_)
    table[known] = True
    return table.take


def _occurrences(field: PostedField, terms: Indices, wanted: Mask, stop: Stop) -> Iterator[tuple[Indices, Indices]]:
    """Yield the document and the position of each occurrence of some terms in `wanted` documents."""
    for some, documents, counts in postings_of(field, terms, stop):
        documents = documents.astype(np.intp)  # indices of this type are faster
        kept = wanted.take(documents).nonzero()[0]
        # The positions of a term stand one after the other, those of each document together.
        begins, lengths = extents(field.position_starts, terms.take(some))
        sizes = extents(field.starts, terms.take(some))[1]
        shifts = np.repeat(begins - (np.cumsum(lengths) - lengths), sizes).take(kept)
        ends, repeats = np.cumsum(counts, dtype=np.int64).take(kept), counts.take(kept).astype(np.int64)
        places = field.all_positions.take(run_indices(ends - repeats + shifts, repeats))
        yield np.repeat(documents.take(kept), repeats), places.astype(np.intp)


def _size(field: PostedField, terms: Indices) -> int:
    """Return how many postings some terms have."""
    return int(extents(field.starts, terms)[1].sum())


def _holding(segment: SegmentReader, field: Field, piece: RequiredTerm) -> tuple[Indices, Scores]:
    """Return the terms that may contain a required piece, and how often each may contain it."""
    known, text = field.vocabulary, piece.text.encode("utf-8", "surrogatepass")
    if piece.first and piece.last:
        place = known.find(text)
        return np.array([place] if place >= 0 else [], np.intp), np.ones(int(place >= 0), np.float32)
    if piece.first:
        terms = np.arange(*known.prefixed(text))
        return terms, np.ones(len(terms), np.float32)
    found = _found(segment, field, text)
    terms = known.offsets.searchsorted(found.astype(np.uint32), side="right") - 1  # another type copies all offsets
    ends = known.offsets.take(terms + 1)
    inside = found + len(text) == ends if piece.last else found + len(text) <= ends
    terms, times = np.unique(terms[inside], return_counts=True)
    return terms, times.astype(np.float32)


def _found(segment: SegmentReader, field: Field, text: bytes) -> npt.NDArray[np.int64]:
    """Return all offsets of `text` in the concatenated terms."""
    if len(text) <= _SHORT:
        letters = field.vocabulary.blob
        last = max(0, len(letters) - len(text) + 1)
        same = np.ones(last, np.bool_)
        for place, code in enumerate(text):
            same &= letters[place : last + place] == code
        return np.flatnonzero(same)
    if len(field.vocabulary.blob) > _SMALL:
        return segment.letter_groups(field).find(text)
    blob = field.vocabulary.blob.tobytes()
    found: list[int] = []
    at = blob.find(text)
    while at >= 0:
        found.append(at)
        at = blob.find(text, at + 1)
    return np.array(found, np.int64)
