"""Nodes of terms, of several scored as one, and of several in one document. The evidence of a term is its frequency."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as option

from desktop_rag.index.keywords.columnar.execution.nodes import Evidence, Matches, Probed, ScoredNode
from desktop_rag.index.keywords.columnar.execution.scoring import most
from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader, TermPlace
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_DOCUMENTS,
    NO_HITS,
    NO_PLACES,
    NO_SCORES,
    Documents,
    Hits,
    Scores,
    lookup,
)
from desktop_rag.index.keywords.columnar.segments.segment import NO_POSTINGS, Postings, Unsigned
from desktop_rag.stop import Stop


class CountedNode:
    """A node whose evidence is a term frequency."""

    __slots__ = ()

    field: str
    weight: float

    def max_count(self, segment: SegmentReader) -> int:
        """Return the highest frequency in any document."""
        raise NotImplementedError

    def with_count(self, segment: SegmentReader, least: int) -> Matches:
        """Return the documents with a frequency of at least `least` (≥ 1), and the frequency of each."""
        raise NotImplementedError

    def max_score(self, segment: SegmentReader) -> float:
        """Return the score of the highest frequency in the shortest document."""
        count, least = self.max_count(segment), segment.least_norm(self.field) if self.size(segment) else None
        return self.weight * count if least is None else most(self.weight, count, least)

    def size(self, segment: SegmentReader) -> int:
        """Return the document frequency."""
        raise NotImplementedError

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return all documents that hold it."""
        raise NotImplementedError

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` hold it."""
        raise NotImplementedError

    def score(self, segment: SegmentReader, documents: Documents, evidence: Evidence) -> Scores:
        """Return BM25 of the frequencies."""
        return segment.scores(self.field, documents, evidence, self.weight) if len(documents) else NO_SCORES


@dataclass(frozen=True, slots=True)
class TermNode(CountedNode):
    """A term; `weight` is its idf times its boost, `places` where the segments have it."""

    field: str
    term: bytes
    weight: float
    places: Mapping[SegmentReader, TermPlace] = option(compare=False, repr=False)

    def size(self, segment: SegmentReader) -> int:
        """Return the document frequency."""
        place = self.places.get(segment)
        return 0 if place is None else place.size

    def max_count(self, segment: SegmentReader) -> int:
        """Return the highest frequency in any document."""
        return int(self._postings(segment).evidence.max(initial=0))

    def with_count(self, segment: SegmentReader, least: int) -> Matches:
        """Return the documents with a frequency of at least `least`."""
        documents, counts = self._postings(segment)
        kept = (counts >= least).nonzero()[0]
        return Matches(documents.take(kept), counts.take(kept))

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return the postings."""
        stop.check()
        return self._postings(segment)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up in the postings."""
        stop.check()
        place = self.places.get(segment)
        if place is None:
            return Probed(NO_PLACES, NO_SCORES)
        kept, places = segment.lookup(place, documents)
        return Probed(kept, place.postings.counts.take(places))

    def _postings(self, segment: SegmentReader) -> Matches:
        place = self.places.get(segment)
        return Matches(NO_DOCUMENTS, NO_SCORES) if place is None else Matches(*place.postings)


@dataclass(frozen=True, slots=True)
class WordsNode(ScoredNode):
    """Documents that hold all `words`, which are of one field; the scores add up."""

    words: tuple[TermNode, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the rarest word."""
        return min([word.size(segment) for word in self.words])

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the words' bounds."""
        return sum(word.max_score(segment) for word in self.words)

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Look the documents of the rarest word up among those of the others."""
        return Matches(*self._scored(segment, None, stop))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up among those of the words."""
        found, scores = self._scored(segment, documents, stop)
        return Probed(documents.searchsorted(found), scores)

    def _scored(self, segment: SegmentReader, documents: Documents | None, stop: Stop) -> Hits:
        """Return which of `documents` (None: all) hold the words, with their scores."""
        counts: list[Unsigned] = []
        words = sorted(self.words, key=lambda word: word.size(segment))
        for word in words:
            stop.check()
            place = word.places.get(segment)
            if place is None:
                return NO_HITS
            if documents is None:
                documents, held = place.postings
            else:
                kept, at = segment.lookup(place, documents)
                if len(kept) < len(documents):
                    documents, counts = documents.take(kept), [some.take(kept) for some in counts]
                held = place.postings.counts.take(at)
            counts.append(held)
        if documents is None or not len(documents):
            return NO_HITS
        weights = [word.weight for word in words]
        return Hits(documents, segment.summed_scores(words[0].field, documents, zip(counts, weights, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class TermSetNode(CountedNode):
    """Several terms (the expansion of a pattern, fuzzy word or inflected word), scored as one.

    `found` has for each segment the documents that hold any of them, with their total frequency.
    """

    field: str
    found: Mapping[SegmentReader, Postings]
    weight: float

    def size(self, segment: SegmentReader) -> int:
        """Return how many documents hold any of the terms."""
        return len(self._postings(segment).documents)

    def max_count(self, segment: SegmentReader) -> int:
        """Return the highest total frequency in any document."""
        return int(self._postings(segment).counts.max(initial=0))

    def with_count(self, segment: SegmentReader, least: int) -> Matches:
        """Return the documents with a total frequency of at least `least`."""
        documents, counts = self._postings(segment)
        kept = (counts >= least).nonzero()[0]
        return Matches(documents.take(kept), counts.take(kept))

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return all documents that hold any of the terms."""
        stop.check()
        return Matches(*self._postings(segment))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up among those."""
        stop.check()
        held, counts = self._postings(segment)
        kept, places = lookup(held, documents, segment.size)
        return Probed(kept, counts.take(places))

    def _postings(self, segment: SegmentReader) -> Postings:
        return self.found.get(segment, NO_POSTINGS)
