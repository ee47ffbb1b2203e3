"""Proximity: phrases (words side by side) and words near each other in any order.

A position is one number, the rank of its document among those compared (high bits) and the position in the document
(low bits), so that all documents are compared in one step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.nodes import Matches, Probed, ScoredNode
from desktop_rag.index.keywords.columnar.execution.segment_readers import LAID_OUT, POSITION_BITS, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import TermNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_DOCUMENTS,
    NO_SCORES,
    Documents,
    Indices,
    Mask,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.segment import Field, Unsigned
from desktop_rag.stop import Stop

Keys = npt.NDArray[np.int64]

_POSITION = (1 << POSITION_BITS) - 1
_BLOCK = 1 << 14  # documents compared in one step
_COMPARED = 1 << 14  # up to this many positions are compared one by one instead of bisected


class TermPostings(NamedTuple):
    """The postings of a word, and the indices of those that belong to the documents being compared."""

    field: Field
    term: int
    counts: Unsigned
    places: Indices


@dataclass(frozen=True, slots=True)
class PositionNode(ScoredNode):
    """Documents that hold all `words` at fitting positions; they score as all words together."""

    words: tuple[TermNode, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the rarest word."""
        return min(word.size(segment) for word in self.words)

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the words' bounds."""
        return sum(word.max_score(segment) for word in self.words)

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return all matching documents."""
        rarest = min(self.words, key=lambda word: word.size(segment))
        return self._among(segment, rarest.matches(segment, stop).documents, stop)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""
        held, evidence = self._among(segment, documents, stop)
        return Probed(np.searchsorted(documents, held), evidence)

    def fitting(self, segment: SegmentReader, held: Sequence[TermPostings]) -> Keys:
        """Return fitting positions, ascending, one or more for each matching document; `held` by word."""
        raise NotImplementedError

    def _among(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Matches:
        found = [self._of_block(segment, some, stop) for some in _blocks(documents)]
        if not found:
            return Matches(NO_DOCUMENTS, NO_SCORES)
        return Matches(np.concatenate([f.documents for f in found]), np.concatenate([f.evidence for f in found]))

    def _of_block(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Matches:
        documents, held = _holding_all(self.words, segment, documents, stop)
        if not len(documents):
            return Matches(NO_DOCUMENTS, NO_SCORES)
        fitting = self.fitting(segment, held)
        ranks = fitting >> POSITION_BITS
        ranks = ranks[_firsts(ranks)]
        documents = documents.take(ranks)
        scores = np.zeros(len(documents), np.float32)
        for word, (_, _, counts, places) in zip(self.words, held, strict=True):
            scores += word.score(segment, documents, counts.take(places.take(ranks)))
        return Matches(documents, scores)


@dataclass(frozen=True, slots=True)
class AdjacentNode(PositionNode):
    """The words are side by side, in this order."""

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return the documents that match, found by positions alone where the rarest word has few."""
        if self.size(segment) > LAID_OUT:
            return PositionNode.matches(self, segment, stop)
        documents = _holding_side_by_side(self.words, segment, stop)
        scores = np.zeros(len(documents), np.float32)
        for word in self.words if len(documents) else ():
            scores += word.score(segment, documents, word.probe(segment, documents, stop).evidence)
        return Matches(documents, scores)

    def fitting(self, segment: SegmentReader, held: Sequence[TermPostings]) -> Keys:
        """Return the positions of the rarest word that have the others at their sides."""
        return _side_by_side(segment, held)


@dataclass(frozen=True, slots=True)
class NearNode(PositionNode):
    """Some run of positions holds each word `needed` times, and at most `slop` positions of other words."""

    slop: int
    needed: tuple[int, ...]

    def fitting(self, segment: SegmentReader, held: Sequence[TermPostings]) -> Keys:
        """Return the last positions of such runs."""
        keys = [_keys(segment, word) for word in held]
        lasts = np.sort(np.concatenate(keys), kind="stable")
        firsts = lasts
        reader = np.ones(len(lasts), np.bool_)
        for places, needed in zip(keys, self.needed, strict=True):
            # The run that ends here must reach back to the `needed`-th position of this word.
            back = np.searchsorted(places, lasts, side="right") - needed
            reader &= back >= 0
            firsts = np.minimum(firsts, places.take(np.maximum(back, 0)))
        widest = sum(self.needed) + self.slop
        return lasts[reader & (lasts - firsts < widest)]


def _holding_side_by_side(words: Sequence[TermNode], segment: SegmentReader, stop: Stop) -> Documents:
    """Return the documents that hold the words side by side: looks up the others beside each position of the rarest."""
    terms = [segment.find(word.field, word.term) for word in words]
    rarest, *others = sorted(range(len(words)), key=lambda number: words[number].size(segment))
    begins: Keys | None = None  # of the first word
    for number in (rarest, *others):
        stop.check()
        found = terms[number]
        if found is None:
            return NO_DOCUMENTS
        if begins is None:
            places = segment.occurrences(*found)
            begins = places[(places & _POSITION) >= number] - number
        else:
            begins = begins[_occurs(segment, *found, begins + number)]
    documents = NO_DOCUMENTS if begins is None else (begins >> POSITION_BITS).astype(np.uint32)
    return documents[_firsts(documents)]


def _occurs(segment: SegmentReader, field: Field, term: int, wanted: Keys) -> Mask:
    """Return whether a term occurs at each of the positions `wanted` (ascending, of the whole segment)."""
    if field.document_frequency(term) <= LAID_OUT:
        occurrences = segment.occurrences(field, term)
        at = np.searchsorted(occurrences, wanted)
        return np.equal(occurrences.take(at, mode="clip"), wanted)
    posted, counts = field.postings(term)
    kept, places = segment.lookup(field, term, posted, (wanted >> POSITION_BITS).astype(np.uint32))
    there = np.zeros(len(wanted), np.bool_)
    word = TermPostings(field, term, counts, places)
    there[kept] = _is_at(segment, word, np.arange(len(kept)), wanted.take(kept) & _POSITION)
    return there


def _side_by_side(segment: SegmentReader, held: Sequence[TermPostings]) -> Keys:
    """Return the positions of the rarest word that have the others at their sides.

    Common words are only looked up beside the rare one.
    """
    rarest = min(range(len(held)), key=lambda number: int(held[number].counts.take(held[number].places).sum()))
    keys = _keys(segment, held[rarest])
    for number, word in enumerate(held):
        if number != rarest:
            ranks = keys >> POSITION_BITS
            keys = keys[_is_at(segment, word, ranks, (keys & _POSITION) + (number - rarest))]
    return keys


def _is_at(segment: SegmentReader, word: TermPostings, ranks: Keys, wanted: Keys) -> Mask:
    """Return whether a word is at the position `wanted` in the document of each rank."""
    positions = word.field.positions(word.term)
    places = word.places.take(ranks)
    low = segment.position_starts(word.field, word.term, word.counts).take(places).astype(np.int64)
    counts = word.counts.take(places).astype(np.int64)
    if int(counts.sum(dtype=np.int64)) > _COMPARED or not len(counts):
        return _bisected(positions, low, counts, wanted)
    same = positions.take(run_indices(low, counts)) == np.repeat(wanted, counts)
    found: Mask = np.logical_or.reduceat(same, np.cumsum(counts) - counts)
    return found


def _bisected(positions: Unsigned, low: Keys, counts: Keys, wanted: Keys) -> Mask:
    """Return whether each position is among the `counts` ascending ones from `low` on; bisects all at once."""
    end = low + counts
    high = end
    for _ in range(int(counts.max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        before = positions.take(middle, mode="clip") < wanted
        before &= low < high
        low, high = np.where(before, middle + 1, low), np.where(before, high, middle)
    found: Mask = (low < end) & (positions.take(low, mode="clip") == wanted)
    return found


def _holding_all(
    words: Sequence[TermNode], segment: SegmentReader, documents: Documents, stop: Stop
) -> tuple[Documents, tuple[TermPostings, ...]]:
    """Return those of `documents` that hold all words, and each word's postings of them."""
    held: list[tuple[int, TermPostings]] = []
    for number in sorted(range(len(words)), key=lambda n: words[n].size(segment)):
        stop.check()
        found = segment.find(words[number].field, words[number].term)
        if found is None:
            return NO_DOCUMENTS, ()
        posted, counts = found[0].postings(found[1])
        kept, places = segment.lookup(*found, posted, documents)
        if len(kept) < len(documents):
            documents = documents.take(kept)
            held = [(of, TermPostings(word.field, word.term, word.counts, word.places.take(kept))) for of, word in held]
        held.append((number, TermPostings(*found, counts, places)))
    return documents, tuple(word for _, word in sorted(held, key=lambda pair: pair[0]))


def _keys(segment: SegmentReader, word: TermPostings) -> Keys:
    """Return the positions of a word, ascending."""
    starts = segment.position_starts(word.field, word.term, word.counts).take(word.places).astype(np.int64)
    counts = word.counts.take(word.places).astype(np.int64)
    positions = word.field.positions(word.term).take(run_indices(starts, counts)).astype(np.int64)
    positions += np.repeat(np.arange(len(counts), dtype=np.int64) << POSITION_BITS, counts)
    return positions


def _firsts(values: npt.NDArray[np.integer]) -> Mask:
    """Return which of ascending values differ from the one before."""
    firsts = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=firsts[1:])
    return firsts


def _blocks(documents: Documents) -> Sequence[Documents]:
    return [documents[first : first + _BLOCK] for first in range(0, len(documents), _BLOCK)]
