"""Query nodes: find and score the documents of one segment, a whole array at a time.

A node first returns evidence (for a term its frequency), which is turned into scores only for the documents that are
left. Nodes ignore deletions and the allowed contents: the executor masks these documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    Documents,
    Hits,
    Indices,
    Scores,
    lookup,
    union_hits,
)
from desktop_rag.stop import Stop

Evidence = npt.NDArray[np.number]


class Matches(NamedTuple):
    """The matching documents, ascending, and the evidence of each."""

    documents: Documents
    evidence: Evidence


class Probed(NamedTuple):
    """Which of the given documents match, as ascending indices into them, and the evidence of each."""

    kept: Indices
    evidence: Evidence


class Node(Protocol):
    """A part of a query; `score` turns its evidence into scores."""

    def size(self, segment: SegmentReader) -> int:
        """Return an upper bound of how many documents match."""

    def max_score(self, segment: SegmentReader) -> float:
        """Return an upper bound of the scores."""

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return all matching documents."""

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Return which of `documents` match."""

    def score(self, segment: SegmentReader, documents: Documents, evidence: Evidence) -> Scores:
        """Return the scores of matching documents."""


class ScoredNode:
    """A node whose evidence is its scores."""

    __slots__ = ()

    def score(self, segment: SegmentReader, documents: Documents, evidence: Evidence) -> Scores:
        """Return the evidence."""
        del segment, documents
        return np.asarray(evidence, np.float32)


def scored_matches(node: Node, segment: SegmentReader, stop: Stop) -> Hits:
    """Return all matching documents with their scores."""
    documents, evidence = node.matches(segment, stop)
    return Hits(documents, node.score(segment, documents, evidence))


@dataclass(frozen=True, slots=True)
class AllOfNode(ScoredNode):
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

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Find the documents of the smallest node and probe the others."""
        first, *others = sorted(self.required, key=lambda node: node.size(segment))
        documents, evidence = first.matches(segment, stop)
        documents, drawn = _holding_too(segment, documents, [(first, evidence)], others, stop)
        documents, drawn = self._permitted(segment, documents, drawn, stop)
        return Matches(documents, self._scored(segment, documents, drawn, stop))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        left, drawn = _holding_too(segment, documents, [], self.required, stop)
        left, drawn = self._permitted(segment, left, drawn, stop)
        return Probed(np.searchsorted(documents, left), self._scored(segment, left, drawn, stop))

    def _permitted(
        self, segment: SegmentReader, documents: Documents, drawn: "_Evidences", stop: Stop
    ) -> tuple[Documents, "_Evidences"]:
        for node in self.forbidden:
            kept = others(documents, node.probe(segment, documents, stop).kept)
            documents, drawn = documents.take(kept), _taken(drawn, kept)
        return documents, drawn

    def _scored(self, segment: SegmentReader, documents: Documents, drawn: "_Evidences", stop: Stop) -> Scores:
        scores = np.zeros(len(documents), np.float32)
        if not len(documents):
            return scores
        for node, evidence in drawn:
            scores += node.score(segment, documents, evidence)
        for node in self.optional:
            _add(node, segment, documents, scores, stop)
        return scores


_Evidences = list[tuple[Node, Evidence]]


def _taken(drawn: _Evidences, kept: Indices) -> _Evidences:
    return [(node, evidence.take(kept)) for node, evidence in drawn]


def _holding_too(
    segment: SegmentReader, documents: Documents, drawn: _Evidences, others: Sequence[Node], stop: Stop
) -> tuple[Documents, _Evidences]:
    """Return those of `documents` that match the `others` too, with the evidence of all nodes."""
    for node in others:
        if not len(documents):
            break
        kept, evidence = node.probe(segment, documents, stop)
        documents, drawn = documents.take(kept), [*_taken(drawn, kept), (node, evidence)]
    return documents, drawn


@dataclass(frozen=True, slots=True)
class AnyOfNode(ScoredNode):
    """Documents that match any node; the scores add up."""

    nodes: tuple[Node, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the sum of the sizes."""
        return min(segment.size, sum(node.size(segment) for node in self.nodes))

    def max_score(self, segment: SegmentReader) -> float:
        """Return the sum of the bounds."""
        return sum(node.max_score(segment) for node in self.nodes)

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return the union of all nodes."""
        return Matches(*union_hits([scored_matches(node, segment, stop) for node in self.nodes], segment.size))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        found = np.zeros(len(documents), np.bool_)
        scores = np.zeros(len(documents), np.float32)
        for node in self.nodes:
            found[_add(node, segment, documents, scores, stop)] = True
        kept = found.nonzero()[0]
        return Probed(kept, scores.take(kept))


@dataclass(frozen=True, slots=True)
class MaxOfNode(ScoredNode):
    """Documents that match any node; the highest score counts."""

    nodes: tuple[Node, ...]

    def size(self, segment: SegmentReader) -> int:
        """Return the sum of the sizes."""
        return min(segment.size, sum(node.size(segment) for node in self.nodes))

    def max_score(self, segment: SegmentReader) -> float:
        """Return the highest bound."""
        return max(node.max_score(segment) for node in self.nodes)

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return the union of all nodes."""
        every = union_hits([scored_matches(node, segment, stop) for node in self.nodes], segment.size).documents
        return Matches(every, self.probe(segment, every, stop).evidence)

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe all nodes."""
        found = np.zeros(len(documents), np.bool_)
        scores = np.zeros(len(documents), np.float32)
        for node in self.nodes:
            each = np.zeros(len(documents), np.float32)
            found[_add(node, segment, documents, each, stop)] = True
            np.maximum(scores, each, out=scores)
        kept = found.nonzero()[0]
        return Probed(kept, scores.take(kept))


@dataclass(frozen=True, slots=True)
class ConstantNode(ScoredNode):
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

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return the documents of the node."""
        documents = self.node.matches(segment, stop).documents
        return Matches(documents, np.full(len(documents), self.value, np.float32))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe the node."""
        kept = self.node.probe(segment, documents, stop).kept
        return Probed(kept, np.full(len(kept), self.value, np.float32))


@dataclass(frozen=True, slots=True)
class NotNode(ScoredNode):
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

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return all other documents."""
        outside = np.ones(segment.size, np.bool_)
        outside[self.node.matches(segment, stop).documents] = False
        documents = np.flatnonzero(outside).astype(np.uint32)
        return Matches(documents, np.full(len(documents), self.value, np.float32))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Probe the node."""
        kept = others(documents, self.node.probe(segment, documents, stop).kept)
        return Probed(kept, np.full(len(kept), self.value, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class DocumentSetNode(ScoredNode):
    """Documents found in advance, by segment."""

    hits: Mapping[SegmentReader, Hits]

    def size(self, segment: SegmentReader) -> int:
        """Return their number."""
        return len(self._of(segment).documents)

    def max_score(self, segment: SegmentReader) -> float:
        """Return the highest score."""
        return float(self._of(segment).scores.max(initial=0.0))

    def matches(self, segment: SegmentReader, stop: Stop) -> Matches:
        """Return them."""
        stop.check()
        return Matches(*self._of(segment))

    def probe(self, segment: SegmentReader, documents: Documents, stop: Stop) -> Probed:
        """Look up `documents` among them."""
        stop.check()
        held, scores = self._of(segment)
        kept, places = lookup(held, documents, segment.size)
        return Probed(kept, scores.take(places))

    def _of(self, segment: SegmentReader) -> Hits:
        return self.hits.get(segment, NO_HITS)


NOTHING = DocumentSetNode({})


def others(documents: Documents, kept: Indices) -> Indices:
    """Return the indices into `documents` that are not `kept`."""
    left = np.ones(len(documents), np.bool_)
    left[kept] = False
    return left.nonzero()[0]


def _add(node: Node, segment: SegmentReader, documents: Documents, scores: Scores, stop: Stop) -> Indices:
    """Add the scores of `node` to `scores`; return which documents match it."""
    kept, evidence = node.probe(segment, documents, stop)
    scores[kept] += node.score(segment, documents.take(kept), evidence)
    return kept
