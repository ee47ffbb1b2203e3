"""Upper bounds of how often documents contain a literal string, from the terms they hold: no text is read."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_matching import extents, occurrences
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_PLACES,
    Documents,
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
_SPARSE = 16  # fewer than one in this many words are sorted instead of marked in a table of all
_MOST_POSTINGS, _AT_ONCE = 4_000_000, 200_000  # of terms whose positions are still compared, and in one step


def occurrence_bounds(segment: SegmentReader, name: str, keyword: str, stop: Stop, few: int = FEW) -> Scores:
    """Return for each document an upper bound of how often its text contains `keyword` (in lower case).

    It is infinite where nothing is known: for strings without letters, and in texts with truncated terms.
    While more than `few` documents are left, positions are compared too.
    """
    bounds = np.full(segment.size, np.inf, np.float32)
    field = segment.field(name)
    if field is None:
        return np.zeros(segment.size, np.float32)
    asked = required_terms(keyword)
    held = [_holding(segment, field, piece) for piece in asked]
    for terms, times in held:
        np.minimum(bounds, occurrences(segment, field, terms, times, stop), out=bounds)
    for (before, _), (after, _), piece in zip(held, held[1:], asked[1:], strict=False):
        if piece.follows and np.count_nonzero(bounds) > few:
            np.minimum(bounds, _side_by_side(segment, field, before, after, stop), out=bounds)
    bounds[segment.cut_off(field)] = np.inf
    return bounds


def _side_by_side(segment: SegmentReader, field: Field, before: Indices, after: Indices, stop: Stop) -> Scores:
    """Return how often a term of `after` directly follows one of `before`; infinite if that would take too long."""
    if not isinstance(field, PostedField) or max(_size(field, before), _size(field, after)) > _MOST_POSTINGS:
        return np.full(segment.size, np.inf, np.float32)
    words = int(field.lengths.sum(dtype=np.int64))
    places = [places for _, places in _occurrences(segment, field, before, stop)]
    follows = _are_among(np.concatenate(places) + 1 if places else NO_PLACES, words)
    sums = np.zeros(segment.size, np.float32)
    for documents, of_after in _occurrences(segment, field, after, stop):
        np.add.at(sums, documents, follows(of_after).astype(np.float32))
    return sums


def _are_among(known: Indices, size: int) -> Callable[[Indices], Mask]:
    """Return a function that says which of some numbers are `known`; these are at least 0, and at most `size` count."""
    if 0 < len(known) * _SPARSE < size:
        ordered = np.sort(known)
        return lambda wanted: ordered.take(ordered.searchsorted(wanted), mode="clip") == wanted
    table = np.zeros(size + 1, np.bool_)
    table[known[known <= size]] = True
    return lambda wanted: table.take(wanted, mode="clip")


def _size(field: PostedField, terms: Indices) -> int:
    """Return how many postings some terms have."""
    return int(extents(field.starts, terms)[1].sum())


def _occurrences(
    segment: SegmentReader, field: PostedField, terms: Indices, stop: Stop
) -> Iterator[tuple[Documents, Indices]]:
    """Yield the document and the number among all words of each occurrence of some terms."""
    starts = segment.text_starts(field)
    sizes = extents(field.starts, terms)[1]
    for some in np.split(terms, np.flatnonzero(np.diff(np.cumsum(sizes) // _AT_ONCE)) + 1):
        stop.check()
        held = run_indices(*extents(field.starts, some))
        documents = np.repeat(field.documents.take(held), field.counts_at(held))
        yield (
            documents,
            starts.take(documents) + field.all_positions.take(run_indices(*extents(field.position_starts, some))),
        )


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
