"""Proximity: phrases (words side by side) and words near each other in any order.

A position is one number, its key: the document in the high bits, the position in the document in the low ones. So all
documents are compared at once: the keys of a phrase's rarest word, moved to the next word's place, are looked up among
the keys of that word. The keys of frequent words are cached.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.nodes import Probed
from desktop_rag.index.keywords.columnar.execution.segment_readers import LEAST_BYTES, SegmentReader, TermPlace
from desktop_rag.index.keywords.columnar.execution.term_nodes import TermNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    Documents,
    Hits,
    common,
    document_type,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.segment import PostedField
from desktop_rag.stop import Stop

Keys = npt.NDArray[np.unsignedinteger]


@dataclass(frozen=True, slots=True)
class PositionNode:
    """Documents that hold all `words` at fitting positions; they score as all words together."""

    words: tuple[TermNode, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the rarest word."""
        return min([word.size(segment) for word in self.words])

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the words' bounds."""
        return sum(word.max_score(segment) for word in self.words)

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return all matching documents."""
        return self._scored(segment, None, stop)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""
        found, scores = self._scored(segment, documents, stop)
        return Probed(documents.searchsorted(found), scores)

    def fitting(
        self, positions: "_Positions", places: Sequence[TermPlace], documents: Documents | None, stop: Stop
    ) -> Keys:
        """Return the keys of fitting positions in `documents` (None: all), ascending; `places` by word."""
        raise NotImplementedError

    def _scored(self, segment: SegmentReader, documents: Documents | None, stop: Stop) -> Hits:
        places = [word.places[segment] for word in self.words if segment in word.places]
        if len(places) < len(self.words) or (documents is not None and not len(documents)):
            return NO_HITS
        positions = _Positions(segment, places[0])
        found = positions.documents_of(self.fitting(positions, places, documents, stop))
        if not len(found):
            return NO_HITS
        scores = self.words[0].scores_of(segment, found)
        for word in self.words[1:]:
            scores = scores + word.scores_of(segment, found)
        return Hits(found, scores)


@dataclass(frozen=True, slots=True)
class AdjacentNode(PositionNode):
    """The words are side by side, in this order."""

    def fitting(
        self, positions: "_Positions", places: Sequence[TermPlace], documents: Documents | None, stop: Stop
    ) -> Keys:
        """Return the keys at which phrases begin."""
        rarest, *others = sorted(range(len(places)), key=lambda number: places[number].size)
        place = places[rarest]
        begins = _moved(positions.of(place) if documents is None else positions.within(place, documents), -rarest)
        for number in others:
            stop.check()
            wanted = _moved(begins, number)
            begins = _moved(common(positions.of(places[number], wanted), wanted), -number)
        # A phrase that does not fit there began in one document and ended in the next.
        return begins[begins & positions.last <= positions.last - (len(places) - 1)]


@dataclass(frozen=True, slots=True)
class NearNode(PositionNode):
    """Some run of positions holds each word `needed` times, and at most `slop` positions of other words."""

    slop: int
    needed: tuple[int, ...]

    def fitting(
        self, positions: "_Positions", places: Sequence[TermPlace], documents: Documents | None, stop: Stop
    ) -> Keys:
        """Return the keys of the last positions of such runs."""
        ascending = sorted(places, key=lambda place: place.size)
        held = ascending[0].postings.documents if documents is None else documents
        for place in ascending:
            stop.check()
            held = held.take(positions.segment.lookup(place, held)[0])
        keys = [positions.within(place, held) for place in places]
        lasts = np.sort(np.concatenate(keys), kind="stable")
        firsts = lasts
        fits = np.ones(len(lasts), np.bool_)
        for of_word, needed in zip(keys, self.needed, strict=True):
            # The run that ends here must reach back to the `needed`-th position of this word.
            back = of_word.searchsorted(lasts, side="right") - needed
            fits &= back >= 0
            firsts = np.minimum(firsts, of_word.take(np.maximum(back, 0), mode="clip"))
        fits &= lasts - firsts < sum(self.needed) + self.slop
        fits &= lasts & positions.last >= lasts - firsts  # in one document
        return lasts[fits]


def _moved(keys: Keys, by: int) -> Keys:
    """Return keys of positions `by` further; those before the first wrap around, and wrap back."""
    if not by:
        return keys
    return keys + by if by > 0 else keys - -by


class _Positions:
    """The positions of the words of one field in a segment, as keys; `last` is the highest possible position."""

    __slots__ = ("_bits", "_field", "_type", "last", "segment")

    def __init__(self, segment: SegmentReader, place: TermPlace) -> None:
        if not isinstance(place.field, PostedField):
            raise ValueError(f"The field “{place.field.spec.name}” has no positions.")
        self.segment = segment
        self._field = place.field
        narrow = segment.size <= 1 << 16 and place.field.all_positions.dtype.itemsize <= 2
        self._bits = 16 if narrow else 32
        self._type: np.dtype[np.unsignedinteger] = np.dtype(np.uint32 if narrow else np.uint64)
        self.last = (1 << self._bits) - 1

    def of(self, place: TermPlace, wanted: Keys | None = None) -> Keys:
        """Return the keys of a word, ascending; of a word with too many, those in the documents of keys `wanted`."""
        cache, name = self.segment.cache.keys, (self._field.spec.name, place.number)
        keys = cache.find(name)
        if keys is None:
            starts = self._field.position_starts
            run = starts.item(place.number), starts.item(place.number + 1)
            if wanted is not None and (run[1] - run[0]) * self._type.itemsize > cache.capacity:
                return self.within(place, self.documents_of(np.sort(wanted)))
            keys = self._shifted(place.postings.documents).repeat(place.postings.counts)
            self._field.all_positions.add_run(keys, *run)
            cache.keep(name, keys, LEAST_BYTES + keys.nbytes)
        return keys

    def within(self, place: TermPlace, documents: Documents) -> Keys:
        """Return the keys of a word in `documents`, ascending."""
        kept, at = self.segment.lookup(place, documents)
        ends = self.segment.position_ends(place).take(at)
        counts = place.postings.counts.take(at).astype(np.int64)
        keys = self._shifted(documents.take(kept)).repeat(counts)
        begin = self._field.position_starts.item(place.number)
        keys += self._field.all_positions.take(run_indices(ends - counts + begin, counts))
        return keys

    def documents_of(self, keys: Keys) -> Documents:
        """Return the documents of ascending keys, each once."""
        documents = np.asarray(keys >> self._bits, document_type(self.segment.size))
        if len(documents) < 2:
            return documents
        firsts = np.ones(len(documents), np.bool_)
        np.not_equal(documents[1:], documents[:-1], out=firsts[1:])
        return documents[firsts]

    def _shifted(self, documents: Documents) -> Keys:
        shifted: Keys = np.left_shift(documents, self._bits, dtype=self._type)
        return shifted
