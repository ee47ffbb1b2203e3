"""Explains a document's score: the tree of nodes with the score of each."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from desktop_rag.index.keywords.columnar.execution.nodes import (
    AllOfNode,
    AnyOfNode,
    ConstantNode,
    DocumentSetNode,
    MaxOfNode,
    Node,
    NotNode,
)
from desktop_rag.index.keywords.columnar.execution.positions import AdjacentNode, NearNode, PositionNode
from desktop_rag.index.keywords.columnar.execution.segment_readers import SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import CountedNode, TermNode, TermSetNode
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """The score of one node, None if it does not match.

    Terms also have their frequency, their weight (idf times boost) and the length of the field in words.
    """

    what: str
    score: float | None
    count: float | None = None
    weight: float | None = None
    length: int | None = None
    parts: tuple["ScoreExplanation", ...] = ()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the explanation as indented lines."""
        score = "does not match" if self.score is None else f"{self.score:.4f}"
        facts = ""
        if self.count is not None and self.weight is not None:
            facts = f" (occurs {self.count:g} times, weight {self.weight:.4f}, {self.length} words)"
        yield f"{'  ' * depth}{score}: {self.what}{facts}"
        for part in self.parts:
            yield from part.lines(depth + 1)


def explain(node: Node, segment: SegmentReader, document: int, stop: Stop) -> ScoreExplanation:
    """Return the explanation of one document's score in one segment."""
    documents = np.array([document], np.uint32)
    kept, evidence = node.probe(segment, documents, stop)
    score = float(node.score(segment, documents, evidence)[0]) if len(kept) else None
    if isinstance(node, CountedNode):
        count = float(evidence[0]) if len(kept) else 0.0
        field = segment.field(node.field)
        lengths = field.lengths if field is not None else ()
        return ScoreExplanation(
            _name(node), score, count, node.weight, int(lengths[document]) if len(lengths) else None
        )
    return ScoreExplanation(
        _name(node), score, parts=tuple(explain(below, segment, document, stop) for below in _below(node))
    )


def _below(node: Node) -> tuple[Node, ...]:
    match node:
        case AllOfNode(required, forbidden, optional):
            return (*required, *forbidden, *optional)
        case AnyOfNode(nodes) | MaxOfNode(nodes):
            return nodes
        case ConstantNode(below, _) | NotNode(below, _):
            return (below,)
        case PositionNode(words=words):
            return words
        case _:
            return ()


def _name(node: Node) -> str:
    match node:
        case TermNode(field, term, _):
            return f"{field}:{term.decode('utf-8', 'replace')}"
        case TermSetNode(text=text) | DocumentSetNode(text=text):
            return text
        case AllOfNode(required, forbidden, optional):
            facts = (f"all of {len(required)}", f"none of {len(forbidden)}", f"{len(optional)} optional")
            return ", ".join(fact for fact, of in zip(facts, (required, forbidden, optional), strict=True) if of)
        case AnyOfNode(nodes):
            return f"any of {len(nodes)}"
        case MaxOfNode(nodes):
            return f"the best of {len(nodes)}"
        case ConstantNode():
            return "matches"
        case NotNode():
            return "does not match"
        case AdjacentNode(words):
            return f"{len(words)} words side by side"
        case NearNode(words, slop, _):
            return f"{len(words)} words with at most {slop} others between"
        case _:
            return type(node).__name__
