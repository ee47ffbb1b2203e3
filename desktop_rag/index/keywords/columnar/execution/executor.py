"""Runs a query over all segments and keeps the top-k; documents that cannot reach it are not scored.

Words joined by OR are processed from the highest score bound to the lowest (MaxScore: Turtle and Flood 1995, a whole
array at a time). Once the remaining ones together cannot lift a new document into the top-k, they are only looked up
for the documents found so far. A phrase scores as its words do, so positions are compared only in documents that may
reach the top-k, from the highest score down.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np

from desktop_rag.index.keywords.columnar.execution.nodes import AllOfNode, AnyOfNode, Node, not_among
from desktop_rag.index.keywords.columnar.execution.positions import PositionNode
from desktop_rag.index.keywords.columnar.execution.scoring import least_count
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import CountedNode, TermNode, both
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    NO_HITS,
    Documents,
    Hits,
    Mask,
    Ranked,
    document_type,
    threshold,
    top_k,
)
from desktop_rag.stop import Stop

_DENSE = 16  # a union is accumulated in an array over all documents if it may hold one in this many
_NARROW = 8  # looking up this many times fewer documents than match is cheaper than finding all
_SMALL, _FREQUENT = 1024, 16_384  # up to this many documents are simply all scored: of any query, and of a single term
_MANY = 1 << 12  # with more documents, positions are compared from the highest score down
_CHECKED, _MORE = 256, 8  # documents compared first, and the factor for each next round
_SLACK = 1e-5  # relative error of sums in another order


def search(
    reader: IndexReader, node: Node, limit: int, keys: str, masks: Mapping[SegmentReader, Mask | None], stop: Stop
) -> list[tuple[int, float]]:
    """Return the `limit` best documents as (number in the column `keys`, score), best first, then by number.

    `masks` says for each segment which documents may be found; None allows all, a segment without a mask none.
    """
    found: Ranked = []
    floor = 0.0
    for segment in reader.segments:
        stop.check()
        if segment not in masks:
            continue
        ranked = top_k(
            _candidates(node, segment, masks[segment], limit, floor, stop), segment.arrays.columns[keys], limit
        )
        found = sorted(found + ranked)[:limit] if found else ranked
        if len(found) >= limit:
            floor = -found[-1][0]
    return [(number, -negated) for negated, number in found]


def matching(
    reader: IndexReader, node: Node, masks: Mapping[SegmentReader, Mask | None], stop: Stop
) -> Iterator[tuple[SegmentReader, Documents]]:
    """Yield for each segment all documents that match and may be found (see `search`)."""
    for segment in reader.segments:
        stop.check()
        if segment in masks:
            yield segment, _masked(node.matches(segment, stop), masks[segment]).documents


def _candidates(node: Node, segment: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop) -> Hits:
    """Return documents with their scores, including all of the best `limit` that reach `floor`."""
    match node:
        case AllOfNode((TermNode() as one, TermNode() as other), (), ()) if mask is None:  # an eighth less time
            return both(one, other, segment)
    size = node.size(segment)
    if not size:
        return NO_HITS
    if mask is not None and np.count_nonzero(mask) * _NARROW < size:
        return _looked_up(node, segment, np.flatnonzero(mask).astype(document_type(segment.size)), stop)
    if size < _SMALL:
        return _masked(node.matches(segment, stop), mask)
    match node:
        case CountedNode():
            return _top_of_term(node, segment, mask, limit, floor, stop)
        case AllOfNode((CountedNode() as wanted,), forbidden, ()) if forbidden:
            return _without_forbidden(wanted, forbidden, segment, mask, limit, floor, stop)
        case AnyOfNode(nodes) if size * _DENSE > segment.size and all(map(_is_positive, nodes)):
            return _max_score(nodes, segment, mask, limit, floor, stop)
    relaxed = _relaxed(node) if size > _MANY else node
    if relaxed != node:
        return _with_positions(node, _masked(relaxed.matches(segment, stop), mask), segment, limit, floor, stop)
    return _masked(node.matches(segment, stop), mask)


def _top_of_term(
    node: CountedNode, segment: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop
) -> Hits:
    """Return documents of a term; those with too low a frequency to reach the top-k are left out unscored."""
    stop.check()
    least = segment.least_norm(node.field)
    if least is None or node.weight <= 0 or node.size(segment) <= _FREQUENT:
        return _masked(node.matches(segment, stop), mask)
    level = node.max_count(segment)
    while level > 1:
        likely = node.with_count(segment, level, mask)
        if len(likely.documents) >= limit:
            floor = max(floor, threshold(likely.scores, limit) * (1 - _SLACK))
            break
        level //= 2
    return node.with_count(segment, least_count(node.weight, floor, least), mask)


def _without_forbidden(
    wanted: CountedNode,
    forbidden: Sequence[Node],
    segment: SegmentReader,
    mask: Mask | None,
    limit: int,
    floor: float,
    stop: Stop,
) -> Hits:
    """Return documents of a term that match no `forbidden` node, checking only the best until there are enough."""
    step = limit
    while True:
        step *= _MORE
        documents, scores = _top_of_term(wanted, segment, mask, step, floor, stop)
        complete = len(documents) < step
        if not complete:
            kept = np.flatnonzero(scores >= threshold(scores, step))
            documents, scores = documents.take(kept), scores.take(kept)
        for unwanted in forbidden:
            kept = not_among(documents, unwanted.probe(segment, documents, stop).kept)
            documents, scores = documents.take(kept), scores.take(kept)
        if complete or len(documents) >= limit:
            return Hits(documents, scores)


def _masked(hits: Hits, mask: Mask | None) -> Hits:
    if mask is None:
        return hits
    kept = np.flatnonzero(mask.take(hits.documents))
    return Hits(hits.documents.take(kept), hits.scores.take(kept))


def _looked_up(node: Node, segment: SegmentReader, documents: Documents, stop: Stop) -> Hits:
    kept, scores = node.probe(segment, documents, stop)
    return Hits(documents.take(kept), scores)


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


def _with_positions(node: Node, likely: Hits, segment: SegmentReader, limit: int, floor: float, stop: Stop) -> Hits:
    """Return the documents of `likely` that match, including all of the best `limit` that reach `floor`."""
    documents, scores = likely
    found: list[Hits] = []
    step = _CHECKED
    while len(documents):
        now = scores >= threshold(scores, step)
        found.append(_looked_up(node, segment, documents[now], stop))
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


def _max_score(
    nodes: tuple[Node, ...], segment: SegmentReader, mask: Mask | None, limit: int, floor: float, stop: Stop
) -> Hits:
    """Return the union of `nodes` by MaxScore, without documents that cannot reach the best `limit`."""
    waiting = sorted(((node.max_score(segment), node) for node in nodes), key=itemgetter(0))
    rest = sum(bound for bound, _ in waiting)
    sums = np.zeros(segment.size, np.float32)
    while waiting and rest >= floor:
        bound, heaviest = waiting.pop()
        documents, scores = heaviest.matches(segment, stop)
        np.add.at(sums, documents, scores)
        if mask is not None:
            sums *= mask
        rest -= bound
        if waiting:
            floor = max(floor, threshold(sums, limit) * (1 - _SLACK))
    documents = np.flatnonzero(sums > max(0.0, floor - rest - _SLACK)).astype(document_type(segment.size))
    scores = sums.take(documents)
    while waiting and len(documents):
        bound, heaviest = waiting.pop()
        kept, more = heaviest.probe(segment, documents, stop)
        scores[kept] += more
        rest -= bound
        kept = np.flatnonzero(scores >= floor - rest - _SLACK)
        documents, scores = documents.take(kept), scores.take(kept)
    return Hits(documents, scores)
