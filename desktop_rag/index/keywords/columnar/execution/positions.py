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
from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader, TermPlace
from desktop_rag.index.keywords.columnar.execution.term_nodes import TermNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import NO_PLACES, NO_SCORES, Documents, Indices, Mask
from desktop_rag.index.keywords.columnar.segments.segment import PostedField, Unsigned
from desktop_rag.stop import Stop

Keys = npt.NDArray[np.int64]

_POSITION_BITS = 32
_BLOCK = 1 << 14  # documents compared in one step


@dataclass(frozen=True, slots=True)
class PositionNode(ScoredNode):
    """Documents that hold all `words`, all of one field, at fitting positions; they score as all words together."""

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
        documents = rarest.matches(segment, stop).documents
        kept, scores = self.probe(segment, documents, stop)
        return Matches(documents.take(kept), scores)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""
        if len(documents) <= _BLOCK:
            return self._among(segment, documents, stop)
        firsts = range(0, len(documents), _BLOCK)
        found = [self._among(segment, documents[first : first + _BLOCK], stop) for first in firsts]
        kept = [first + some.kept for first, some in zip(firsts, found, strict=True)]
        return Probed(np.concatenate(kept), np.concatenate([some.evidence for some in found]))

    def fitting(self, keys: Sequence[Keys]) -> Keys:
        """Return fitting positions, ascending, one or more for each matching document; `keys` by word."""
        raise NotImplementedError

    def _among(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        kept, held = _holding_all(self.words, segment, documents, stop)
        if not len(kept):
            return Probed(NO_PLACES, NO_SCORES)
        counts, keys = _positions(segment, held)
        ranks = self.fitting(keys) >> _POSITION_BITS
        ranks = ranks[_firsts(ranks)]
        kept, counts = kept.take(ranks), counts.take(ranks, axis=1)
        weights = np.array([[word.weight] for word in self.words])
        return Probed(kept, segment.scores(self.words[0].field, documents.take(kept), counts, weights).sum(axis=0))


@dataclass(frozen=True, slots=True)
class AdjacentNode(PositionNode):
    """The words are side by side, in this order."""

    def fitting(self, keys: Sequence[Keys]) -> Keys:
        """Return the positions of the first word that have the others at their side."""
        rarest, *others = sorted(range(len(keys)), key=lambda number: len(keys[number]))
        begins = keys[rarest] - rarest
        for number in others:
            wanted = begins + number
            at = keys[number].searchsorted(wanted)
            begins = begins[keys[number].take(at, mode="clip") == wanted]
        return begins


@dataclass(frozen=True, slots=True)
class NearNode(PositionNode):
    """Some run of positions holds each word `needed` times, and at most `slop` positions of other words."""

    slop: int
    needed: tuple[int, ...]

    def fitting(self, keys: Sequence[Keys]) -> Keys:
        """Return the last positions of such runs."""
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


class _Held(NamedTuple):
    """A word, and which of its postings belong to the documents that are compared."""

    place: TermPlace
    counts: Unsigned  # of all its postings
    places: Indices


def _holding_all(
    words: Sequence[TermNode], segment: SegmentReader, documents: Documents, stop: Stop
) -> tuple[Indices, list[_Held]]:
    """Return which of `documents` hold all words, and each word in them."""
    kept: Indices | None = None
    found: dict[int, _Held] = {}
    for number in sorted(range(len(words)), key=lambda number: words[number].size(segment)):
        stop.check()
        place = words[number].places.get(segment)
        if place is None:
            return NO_PLACES, []
        posted, counts = place.field.postings(place.number)
        these, places = segment.lookup(place, posted, documents)
        if len(these) < len(documents):
            documents, kept = documents.take(these), these if kept is None else kept.take(these)
            found = {of: _Held(word.place, word.counts, word.places.take(these)) for of, word in found.items()}
        found[number] = _Held(place, counts, places)
    return np.arange(len(documents)) if kept is None else kept, [found[number] for number in range(len(words))]


def _positions(segment: SegmentReader, held: Sequence[_Held]) -> tuple[Unsigned, list[Keys]]:
    """Return the frequency of each word (row) in each document (column), and the positions of each word, ascending."""
    field = held[0].place.field
    if not isinstance(field, PostedField):
        raise ValueError(f"The field “{field.spec.name}” has no positions.")
    documents = len(held[0].places)
    counts = np.concatenate([word.counts.take(word.places) for word in held])
    ends = counts.cumsum(dtype=np.int64)
    keys = np.arange(len(counts)).repeat(counts)  # the posting of each position
    places = np.concatenate([_ends(segment, field, word) for word in held])
    places -= ends
    places = places.take(keys)
    places += np.arange(len(keys))
    keys <<= _POSITION_BITS
    keys += field.position_run(0, len(field.vocabulary)).take(places)
    of_words: list[Keys] = []
    begin = 0
    for number, end in enumerate(ends[documents - 1 :: documents].tolist()):
        of_words.append(keys[begin:end])
        of_words[number] -= number * documents << _POSITION_BITS
        begin = end
    return counts.reshape(-1, documents), of_words


def _ends(segment: SegmentReader, field: PostedField, word: _Held) -> npt.NDArray[np.int64]:
    """Return where the positions of these postings end among those of all terms."""
    ends = segment.position_ends(word.place, word.counts).take(word.places)
    ends += field.position_starts.item(word.place.number)
    return ends


def _firsts(values: npt.NDArray[np.integer]) -> Mask:
    """Return which of ascending values differ from the one before."""
    firsts = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=firsts[1:])
    return firsts
