"""Runs a query over all segments and keeps the top-k; documents that cannot reach it are not scored.

Words joined by OR are processed from the highest score bound to the lowest (MaxScore: Turtle and Flood 1995, a whole
array at a time). Once the remaining ones together cannot lift a new document into the top-k, they are only looked up
for the documents found so far. A phrase scores as its words do, so positions are compared only in documents that may
reach the top-k, from the highest score down.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy as np

from desktop_rag.index.keywords.columnar.execution.nodes import AllOfNode, AnyOfNode, Node, gather, others
from desktop_rag.index.keywords.columnar.execution.positions import PositionNode
from desktop_rag.index.keywords.columnar.execution.scoring import least_count
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import CountedNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    Documents,
    Hits,
    Mask,
    Ranked,
    best,
    threshold,
)
from desktop_rag.stop import Stop

_DENSE = 16  # a union is accumulated in an array over all documents if it may hold one in this many
_NARROW = 8  # looking up this many times fewer documents than match is cheaper than finding all
_SMALL, _FREQUENT = 1024, 8192  # up to this many documents are simply all scored: of any query, and of a single term
_MANY = 1 << 14  # with more documents, positions are compared from the highest score down
_CHECKED, _MORE = 2048, 8  # documents compared first, and the factor for each next round
_SLACK = 1e-5  # relative error of sums in another order


def search(
    whole: IndexReader, node: Node, limit: int, keys: str, masks: Mapping[SegmentReader, Mask | None], stop: Stop
) -> list[tuple[int, float]]:
    """Return the `limit` best documents as (number in the column `keys`, score), best first, then by number.

    `masks` says for each segment which documents may be found; None allows all, a segment without a mask none.
    """
    found: Ranked = []
    floor = 0.0
    for part in whole.parts:
        stop.check()
        if part not in masks:
            continue
        ranked = best(_candidates(node, part, masks[part], limit, floor, stop), part.segment.columns[keys], limit)
        found = sorted(found + ranked)[:limit] if found else ranked
        if len(found) >= limit:
            floor = -found[-1][0]
    return [(number, -negated) for negated, number in found]


def _candidates(node: Node, part: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop) -> Hits:
    """Return documents with their scores, including all of the best `limit` that reach `floor`."""
    size = node.size(part)
    if not size:
        return NO_HITS
    if mask is not None and np.count_nonzero(mask) * _NARROW < size:
        return _probed(node, part, np.flatnonzero(mask).astype(np.uint32), stop)
    if size < _SMALL:
        return _masked(gather(node, part, stop), mask)
    match node:
        case CountedNode():
            return _frequent(node, part, mask, limit, floor, stop)
        case AllOfNode((CountedNode() as wanted,), forbidden, ()) if forbidden:
            return _permitted(wanted, forbidden, part, mask, limit, floor, stop)
        case AnyOfNode(nodes) if size * _DENSE > part.size and all(map(_is_positive, nodes)):
            return _worth_it(nodes, part, mask, limit, floor, stop)
    relaxed = _relaxed(node) if size > _MANY else node
    if relaxed != node:
        return _checked(node, _masked(gather(relaxed, part, stop), mask), part, limit, floor, stop)
    return _masked(gather(node, part, stop), mask)


def _frequent(node: CountedNode, part: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop) -> Hits:
    """Return documents of a term; those with too low a frequency to reach the top-k are left out unscored."""
    stop.check()
    least = part.least_norm(node.field)
    if least is None or node.weight <= 0 or node.size(part) <= _FREQUENT:
        return _masked(gather(node, part, stop), mask)
    level = node.greatest(part)
    while level > 1:
        likely = _held_often(node, part, level, mask)
        if len(likely.documents) >= limit:
            floor = max(floor, threshold(likely.scores, limit) * (1 - _SLACK))
            break
        level //= 2
    return _held_often(node, part, least_count(node.weight, floor, least), mask)


def _held_often(node: CountedNode, part: SegmentReader, least: int, mask: Mask | None) -> Hits:
    documents, counts = node.often(part, least)
    if mask is not None:
        kept = mask.take(documents).nonzero()[0]
        documents, counts = documents.take(kept), counts.take(kept)
    return Hits(documents, node.score(part, documents, counts))


def _permitted(
    wanted: CountedNode,
    forbidden: Sequence[Node],
    part: SegmentReader,
    mask: Mask | None,
    limit: int,
    floor: float,
    stop: Stop,
) -> Hits:
    """Return documents of a term that match no `forbidden` node, checking only the best until there are enough."""
    step = limit
    while True:
        step *= _MORE
        documents, scores = _frequent(wanted, part, mask, step, floor, stop)
        complete = len(documents) < step
        if not complete:
            kept = np.flatnonzero(scores >= threshold(scores, step))
            documents, scores = documents.take(kept), scores.take(kept)
        for unwanted in forbidden:
            kept = others(documents, unwanted.probe(part, documents, stop).kept)
            documents, scores = documents.take(kept), scores.take(kept)
        if complete or len(documents) >= limit:
            return Hits(documents, scores)


def _masked(hits: Hits, mask: Mask | None) -> Hits:
    if mask is None:
        return hits
    kept = np.flatnonzero(mask.take(hits.documents))
    return Hits(hits.documents.take(kept), hits.scores.take(kept))


def _probed(node: Node, part: SegmentReader, documents: Documents, stop: Stop) -> Hits:
    kept, evidence = node.probe(part, documents, stop)
    documents = documents.take(kept)
    return Hits(documents, node.score(part, documents, evidence))


def _relaxed(node: Node) -> Node:
    """Return a node that ignores positions, with the same scores."""
    match node:
        case PositionNode(words=words):
            return AllOfNode(words)
        case AllOfNode(required, forbidden, optional):
            return AllOfNode(tuple(map(_relaxed, required)), forbidden, tuple(map(_relaxed, optional)))
        case AnyOfNode(nodes):
            return AnyOfNode(tuple(map(_relaxed, nodes)))
        case _:
            return node


def _checked(node: Node, likely: Hits, part: SegmentReader, limit: int, floor: float, stop: Stop) -> Hits:
    """Return the documents of `likely` that match, including all of the best `limit` that reach `floor`."""
    documents, scores = likely
    found: list[Hits] = []
    step = _CHECKED
    while len(documents):
        now = scores >= threshold(scores, step)
        found.append(_probed(node, part, documents[now], stop))
        documents, scores, step = documents[~now], scores[~now], step * _MORE
        floor = max(floor, threshold(np.concatenate([hits.scores for hits in found]), limit) * (1 - _SLACK))
        documents, scores = documents[scores >= floor], scores[scores >= floor]
    if not found:
        return NO_HITS
    return Hits(np.concatenate([h.documents for h in found]), np.concatenate([h.scores for h in found]))


def _is_positive(node: Node) -> bool:
    """Return whether every matching document has a score above 0."""
    if isinstance(node, CountedNode):
        return node.weight > 0
    return isinstance(node, PositionNode) and all(word.weight > 0 for word in node.words)


def _worth_it(
    nodes: tuple[Node, ...], part: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop
) -> Hits:
    """Return the union of `nodes` by MaxScore, without documents that cannot reach the best `limit`."""
    waiting = sorted(((node.bound(part), node) for node in nodes), key=itemgetter(0))
    rest = sum(bound for bound, _ in waiting)
    sums = np.zeros(part.size, np.float32)
    while waiting and rest >= floor:
        bound, heaviest = waiting.pop()
        documents, scores = gather(heaviest, part, stop)
        np.add.at(sums, documents, scores)
        if mask is not None:
            sums *= mask
        rest -= bound
        if waiting:
            floor = max(floor, threshold(sums, limit) * (1 - _SLACK))
    documents = np.flatnonzero(sums > max(0.0, floor - rest - _SLACK)).astype(np.uint32)
    scores = sums.take(documents)
    while waiting and len(documents):
        bound, heaviest = waiting.pop()
        kept, evidence = heaviest.probe(part, documents, stop)
        scores[kept] += heaviest.score(part, documents.take(kept), evidence)
        rest -= bound
        kept = np.flatnonzero(scores >= floor - rest - _SLACK)
        documents, scores = documents.take(kept), scores.take(kept)
    return Hits(documents, scores)
