"""Nodes of single terms and of several terms scored as one by BM25."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as option

from desktop_rag.index.keywords.columnar.execution.nodes import Probed
from desktop_rag.index.keywords.columnar.execution.scoring import most
from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader, TermPlace
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    NO_PLACES,
    NO_SCORES,
    Documents,
    Hits,
    Mask,
    Scores,
    lookup,
    places_of,
)
from desktop_rag.index.keywords.columnar.segments.segment import NO_POSTINGS, Postings
from desktop_rag.stop import Stop


class CountedNode:
    """A node with a frequency in each document, which its score depends on."""

    __slots__ = ()

    field: str
    weight: float

    def postings(self, segment: SegmentReader) -> Postings:
        """Return the documents that match, and the frequency in each."""
        raise NotImplementedError

    def max_count(self, segment: SegmentReader) -> int:
        """Return the highest frequency in any document."""
        return int(self.postings(segment).counts.max(initial=0))

    def max_score(self, segment: SegmentReader) -> float:
        """Return the score of the highest frequency in the shortest document."""
        count, least = self.max_count(segment), segment.least_norm(self.field) if self.size(segment) else None
        return self.weight * count if least is None else most(self.weight, count, least)

    def with_count(self, segment: SegmentReader, least: int, mask: Mask | None) -> Hits:
        """Return the documents with a frequency of at least `least` (≥ 1) that `mask` allows (None: all)."""
        documents, counts = self.postings(segment)
        kept = (counts >= least).nonzero()[0]
        documents, counts = documents.take(kept), counts.take(kept)
        if mask is not None:
            kept = mask.take(documents).nonzero()[0]
            documents, counts = documents.take(kept), counts.take(kept)
        if not len(documents):
            return NO_HITS
        return Hits(documents, segment.scores(self.field, documents, counts, self.weight))

    def size(self, segment: SegmentReader) -> int:
        """Return how many documents match."""
        raise NotImplementedError

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return all documents that match."""
        raise NotImplementedError

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""
        raise NotImplementedError


@dataclass(slots=True)  # not frozen: several are made for each query, in a third of the time
class TermNode(CountedNode):
    """A term; `weight` is its idf times its boost, `places` where the segments have it."""

    field: str
    term: bytes
    weight: float
    places: Mapping[SegmentReader, TermPlace] = option(compare=False, repr=False)

    def postings(self, segment: SegmentReader) -> Postings:
        """Return the postings of the term."""
        place = self.places.get(segment)
        return NO_POSTINGS if place is None else place.postings

    def size(self, segment: SegmentReader) -> int:
        """Return the document frequency."""
        place = self.places.get(segment)
        return 0 if place is None else place.size

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return the documents that hold it."""
        stop.check()
        place = self.places.get(segment)
        return NO_HITS if place is None else Hits(place.postings.documents, segment.term_scores(place, self.weight))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up in the postings."""
        stop.check()
        place = self.places.get(segment)
        if place is None:
            return Probed(NO_PLACES, NO_SCORES)
        kept, at = segment.lookup(place, documents)
        return Probed(kept, segment.term_scores(place, self.weight, at))

    def scores_of(self, segment: SegmentReader, documents: Documents) -> Scores:
        """Return the scores of `documents`, which all contain it."""
        place = self.places[segment]
        return segment.term_scores(place, self.weight, places_of(place.postings.documents, documents, segment.size))


@dataclass(frozen=True, slots=True, eq=False)
class TermSetNode(CountedNode):
    """Several terms (the expansion of a pattern, fuzzy word or inflected word), scored as one.

    `found` has for each segment the documents that hold any of them, with their total frequency.
    """

    field: str
    found: Mapping[SegmentReader, Postings]
    weight: float

    def postings(self, segment: SegmentReader) -> Postings:
        """Return the documents that hold any of the terms."""
        return self.found.get(segment, NO_POSTINGS)

    def size(self, segment: SegmentReader) -> int:
        """Return how many documents hold any of the terms."""
        return len(self.postings(segment).documents)

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return all documents that hold any of the terms."""
        stop.check()
        documents, counts = self.postings(segment)
        if not len(documents):
            return NO_HITS
        return Hits(documents, segment.scores(self.field, documents, counts, self.weight))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up among those."""
        stop.check()
        held, counts = self.postings(segment)
        kept, places = lookup(held, documents, segment.size)
        if not len(kept):
            return Probed(NO_PLACES, NO_SCORES)
        return Probed(kept, segment.scores(self.field, documents.take(kept), counts.take(places), self.weight))


def both(one: TermNode, other: TermNode, segment: SegmentReader) -> Hits:
    """Return the documents that hold two terms: what `AllOfNode` finds, in fewer steps."""
    rarer, second = one.places.get(segment), other.places.get(segment)
    if rarer is None or second is None:
        return NO_HITS
    if rarer.size > second.size:
        one, other, rarer, second = other, one, second, rarer
    documents = rarer.postings.documents
    kept, at = segment.lookup(second, documents)
    scores = segment.term_scores(rarer, one.weight, kept)
    scores += segment.term_scores(second, other.weight, at)
    return Hits(documents.take(kept), scores)
