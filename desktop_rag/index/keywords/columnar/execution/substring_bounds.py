"""Upper bounds of how often documents contain a literal string, from the terms they hold: no text is read."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.few_bounds import FewBounds
from desktop_rag.index.keywords.columnar.execution.segment_readers import LEAST_BYTES, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_matching import extents, occurrences, positions_of, postings_of
from desktop_rag.index.keywords.columnar.segments.posting_arrays import NO_PLACES, Indices, Mask, Scores, run_indices
from desktop_rag.index.keywords.columnar.segments.segment import Field, PostedField, Unsigned
from desktop_rag.index.keywords.literal_terms import RequiredTerm, required_terms
from desktop_rag.stop import Stop

# Finds where one of some terms directly follows one of others, in all documents at once.

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


_SHORT = 2  # bytes; so short a string is in this many terms that all are compared at once
_SMALL = 1 << 15  # bytes of terms that are searched as fast without an index of their letters
APART = -1.0  # where all words are, surely not in a row
FEW = 256  # documents; so few texts are read faster than the positions of their words
_READ = 32  # texts that are read sooner than the positions of a few documents are compared
_SLOW = 2  # postings for each document; bounds from fewer are not cached


def occurrence_bounds(segment: SegmentReader, name: str, keyword: str, stop: Stop, few: int = FEW) -> Scores:
    """Return for each document an upper bound of how often its text contains `keyword` (in lower case).

    It is infinite where nothing is known: for strings without letters, and in texts with truncated terms. It is
    `APART` in documents that have the words and count for the rarity of the keyword, but not for its occurrences.
    Slow ones are cached.
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
    _limit_to_rows(field, [terms for terms, _ in held], asked, bounds, few, stop)
    bounds[segment.cut_off(field)] = np.inf
    if isinstance(field, PostedField) and sum(size_of(field, terms) for terms, _ in held) > _SLOW * segment.size:
        kept = FewBounds.made(bounds)
        segment.cache.occurrences.keep((keyword, few), kept, LEAST_BYTES + kept.bytes)
    return bounds


def _limit_to_rows(
    field: Field, held: Sequence[Indices], asked: Sequence[RequiredTerm], bounds: Scores, few: int, stop: Stop
) -> None:
    """Lower the bounds of documents in which the terms of the pieces do not follow one another as often.

    While more than `few` are left, a bound is 0 where two neighbours never do; it is `APART` where only all do not.
    """
    if not any(piece.follows for piece in asked):
        return
    in_row = np.full(len(bounds), np.inf, np.float32)
    chain: Occurrences | None = None
    for number, piece in enumerate(asked[1:], start=1):
        many = np.count_nonzero(bounds) > few
        wanted = bounds > 0 if many else (bounds > 0) & (in_row > 0)
        pairs = None
        if piece.follows and (many or np.count_nonzero(wanted) > _READ):
            pairs = following(field, held[number - 1], held[number], wanted, stop)
        chain = pairs if chain is None or pairs is None else pairs.after(chain)
        if pairs is not None and chain is not None:
            if many:
                np.minimum(bounds, pairs.counts(len(bounds)), out=bounds)
            np.minimum(in_row, chain.counts(len(bounds)), out=in_row)
    apart = (in_row == 0) & (bounds > 0)
    np.minimum(bounds, in_row, out=bounds)
    bounds[apart] = APART


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
