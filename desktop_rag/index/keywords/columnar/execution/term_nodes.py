"""Nodes of single terms and of several terms scored as one; evidence is the frequency, the score BM25."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from desktop_rag.index.keywords.columnar.execution.nodes import Drawn, Evidence, Probed
from desktop_rag.index.keywords.columnar.execution.scoring import most
from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.segments.posting_arrays import NO_DOCUMENTS, NO_SCORES, Documents, Scores
from desktop_rag.index.keywords.columnar.segments.segment import Unsigned
from desktop_rag.stop import Stop


class CountedNode:
    """A node whose evidence is a term frequency."""

    __slots__ = ()

    field: str
    weight: float

    def greatest(self, part: SegmentReader) -> int:
        """Return the highest frequency in any document."""
        raise NotImplementedError

    def often(self, part: SegmentReader, least: int) -> Drawn:
        """Return the documents with a frequency of at least `least` (≥ 1), and the frequency of each."""
        raise NotImplementedError

    def bound(self, part: SegmentReader) -> float:
        """Return the score of the highest frequency in the shortest document."""
        count, least = self.greatest(part), part.least_norm(self.field) if self.size(part) else None
        return self.weight * count if least is None else most(self.weight, count, least)

    def size(self, part: SegmentReader) -> int:
        """Return the document frequency."""
        raise NotImplementedError

    def draw(self, part: SegmentReader, stop: Stop) -> Drawn:
        """Return all documents that hold it."""
        raise NotImplementedError

    def probe(self, part: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` hold it."""
        raise NotImplementedError

    def score(self, part: SegmentReader, documents: Documents, evidence: Evidence) -> Scores:
        """Return BM25 of the frequencies."""
        return part.scores(self.field, documents, evidence, self.weight) if len(documents) else NO_SCORES


@dataclass(frozen=True, slots=True)
class TermNode(CountedNode):
    """A term; `weight` is its idf times its boost."""

    field: str
    term: bytes
    weight: float

    def size(self, part: SegmentReader) -> int:
        """Return the document frequency."""
        found = part.find(self.field, self.term)
        return 0 if found is None else found[0].document_frequency(found[1])

    def greatest(self, part: SegmentReader) -> int:
        """Return the highest frequency in any document."""
        return int(self._postings(part).evidence.max(initial=0))

    def often(self, part: SegmentReader, least: int) -> Drawn:
        """Return the documents with a frequency of at least `least`."""
        documents, counts = self._postings(part)
        kept = (counts >= least).nonzero()[0]
        return Drawn(documents.take(kept), counts.take(kept))

    def draw(self, part: SegmentReader, stop: Stop) -> Drawn:
        """Return the postings."""
        stop.check()
        return self._postings(part)

    def probe(self, part: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up in the postings."""
        stop.check()
        found = part.find(self.field, self.term)
        if found is None:
            return Probed(np.empty(0, np.intp), np.empty(0, np.uint8))
        held, counts = found[0].postings(found[1])
        kept, places = part.located(*found, held, documents)
        return Probed(kept, counts.take(places))

    def _postings(self, part: SegmentReader) -> Drawn:
        found = part.find(self.field, self.term)
        return Drawn(NO_DOCUMENTS, NO_SCORES) if found is None else Drawn(*found[0].postings(found[1]))


@dataclass(frozen=True, slots=True, eq=False)
class TermSetNode(CountedNode):
    """Several terms (the expansion of a pattern, fuzzy word or inflected word), scored as one.

    `sums` has for each document of a segment their total frequency, `holding` the number of documents with any.
    """

    field: str
    text: str
    sums: Mapping[SegmentReader, Unsigned]
    holding: Mapping[SegmentReader, int]
    weight: float

    def size(self, part: SegmentReader) -> int:
        """Return how many documents hold any of the terms."""
        return self.holding.get(part, 0)

    def greatest(self, part: SegmentReader) -> int:
        """Return the highest total frequency in any document."""
        return int(self.sums[part].max(initial=0)) if part in self.sums else 0

    def often(self, part: SegmentReader, least: int) -> Drawn:
        """Return the documents with a total frequency of at least `least`."""
        if part not in self.sums:
            return Drawn(NO_DOCUMENTS, NO_SCORES)
        held = (self.sums[part] >= least).nonzero()[0]
        return Drawn(held.astype(np.uint32), self.sums[part].take(held))

    def draw(self, part: SegmentReader, stop: Stop) -> Drawn:
        """Return all documents that hold any of the terms."""
        stop.check()
        return self.often(part, 1)

    def probe(self, part: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look `documents` up in the sums."""
        stop.check()
        if part not in self.sums:
            return Probed(np.empty(0, np.intp), np.empty(0, np.uint8))
        counts = self.sums[part].take(documents)
        kept = counts.nonzero()[0]
        return Probed(kept, counts.take(kept))
