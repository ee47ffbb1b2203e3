"""Query nodes: find and score the documents of one segment, a whole array at a time.

Nodes ignore deletions and the allowed contents: the executor masks these documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    Documents,
    Hits,
    Indices,
    Scores,
    document_type,
    lookup,
    union_hits,
)
from desktop_rag.stop import Stop


class Probed(NamedTuple):
    """Which of the given documents match, as ascending indices into them, and the score of each."""

    kept: Indices
    scores: Scores


class Node(Protocol):
    """A part of a query."""

    def size(self, segment: SegmentReader) -> int:
        """Return an upper bound of how many documents match."""

    def max_score(self, segment: SegmentReader) -> float:
        """Return an upper bound of the scores."""

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return all matching documents."""

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""


@dataclass(frozen=True, slots=True)
class AllOfNode:
    """Documents that match all `required` and none of the `forbidden` nodes; `optional` ones add to the score."""

    required: tuple[Node, ...]
    forbidden: tuple[Node, ...] = ()
    optional: tuple[Node, ...] = ()

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the smallest required node."""
        return min(node.size(segment) for node in self.required)

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the bounds."""
        return sum(node.max_score(segment) for node in (*self.required, *self.optional))

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Find the documents of the smallest node and probe the others."""
        first, *others = sorted(self.required, key=lambda node: node.size(segment))
        return self._holding_too(segment, first.matches(segment, stop), others, stop)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        hits = Hits(documents, np.zeros(len(documents), np.float32))
        left, scores = self._holding_too(segment, hits, self.required, stop)
        return Probed(documents.searchsorted(left), scores)

    def _holding_too(self, segment: SegmentReader, hits: Hits, others: Sequence[Node], stop: Stop) -> Hits:
        """Return those of `hits` that match the `others` too and no forbidden node, with all scores added."""
        documents, scores = hits
        for node in others:
            if not len(documents):
                return NO_HITS
            kept, more = node.probe(segment, documents, stop)
            documents, scores = documents.take(kept), scores.take(kept) + more
        for node in self.forbidden:
            kept = not_among(documents, node.probe(segment, documents, stop).kept)
            documents, scores = documents.take(kept), scores.take(kept)
        for node in self.optional:
            kept, more = node.probe(segment, documents, stop)
            scores = scores.copy()
            scores[kept] += more
        return Hits(documents, scores)


@dataclass(frozen=True, slots=True)
class AnyOfNode:
    """Documents that match any node; the scores add up."""

    nodes: tuple[Node, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the sum of the sizes."""
        return min(segment.size, sum(node.size(segment) for node in self.nodes))

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the bounds."""
        return sum(node.max_score(segment) for node in self.nodes)

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return the union of all nodes."""
        return union_hits([node.matches(segment, stop) for node in self.nodes], segment.size)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        found = np.zeros(len(documents), np.bool_)
        scores = np.zeros(len(documents), np.float32)
        for node in self.nodes:
            kept, more = node.probe(segment, documents, stop)
            found[kept] = True
            scores[kept] += more
        kept = found.nonzero()[0]
        return Probed(kept, scores.take(kept))


@dataclass(frozen=True, slots=True)
class MaxOfNode:
    """Documents that match any node; the highest score counts."""

    nodes: tuple[Node, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the sum of the sizes."""
        return min(segment.size, sum(node.size(segment) for node in self.nodes))

    def max_score(self, segment: SegmentReader) -> float:
        """Return the highest bound."""
        return max(node.max_score(segment) for node in self.nodes)

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return the union of all nodes."""
        every = union_hits([node.matches(segment, stop) for node in self.nodes], segment.size).documents
        return Hits(every, self.probe(segment, every, stop).scores)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        found = np.zeros(len(documents), np.bool_)
        scores = np.zeros(len(documents), np.float32)
        for node in self.nodes:
            kept, each = node.probe(segment, documents, stop)
            found[kept] = True
            scores[kept] = np.maximum(scores.take(kept), each)
        kept = found.nonzero()[0]
        return Probed(kept, scores.take(kept))


@dataclass(frozen=True, slots=True)
class ConstantNode:
    """The documents of a node, all with the same score."""

    node: Node
    value: float

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the node."""
        return self.node.size(segment)

    def max_score(self, segment: SegmentReader) -> float:
        """Return the score."""
        del segment
        return self.value

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return the documents of the node."""
        documents = self.node.matches(segment, stop).documents
        return Hits(documents, np.full(len(documents), self.value, np.float32))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe the node."""
        kept = self.node.probe(segment, documents, stop).kept
        return Probed(kept, np.full(len(kept), self.value, np.float32))


@dataclass(frozen=True, slots=True)
class NotNode:
    """The documents that do not match a node, all with the same score."""

    node: Node
    value: float

    def size(self, segment: SegmentReader) -> int:
        """Return the size of the segment."""
        return segment.size

    def max_score(self, segment: SegmentReader) -> float:
        """Return the score."""
        del segment
        return self.value

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return all other documents."""
        outside = np.ones(segment.size, np.bool_)
        outside[self.node.matches(segment, stop).documents] = False
        documents = np.flatnonzero(outside).astype(document_type(segment.size))
        return Hits(documents, np.full(len(documents), self.value, np.float32))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe the node."""
        kept = not_among(documents, self.node.probe(segment, documents, stop).kept)
        return Probed(kept, np.full(len(kept), self.value, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class DocumentSetNode:
    """Documents found in advance, by segment."""

    hits: Mapping[SegmentReader, Hits]

    def size(self, segment: SegmentReader) -> int:
        """Return their number."""
        return len(self._of(segment).documents)

    def max_score(self, segment: SegmentReader) -> float:
        """Return the highest score."""
        return float(self._of(segment).scores.max(initial=0.0))

    def matches(self, segment: SegmentReader, stop: Stop) -> Hits:
        """Return them."""
        stop.check()
        return self._of(segment)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look up `documents` among them."""
        stop.check()
        held, scores = self._of(segment)
        kept, places = lookup(held, documents, segment.size)
        return Probed(kept, scores.take(places))

    def _of(self, segment: SegmentReader) -> Hits:
        return self.hits.get(segment, NO_HITS)


NOTHING = DocumentSetNode({})


def not_among(documents: Documents, kept: Indices) -> Indices:
    """Return the indices into `documents` that are not `kept`."""
    left = np.ones(len(documents), np.bool_)
    left[kept] = False
    return left.nonzero()[0]
