"""Turns a tree of Whoosh queries into nodes; what none of them stands for is asked of Whoosh's own matchers.

Only the exact classes of Whoosh are translated: a subclass may mean something else. Where Whoosh is inconsistent, ours
is what its documentation says: a boost also counts on a group of one; `constantscore` is always the boost itself; and
the greatest score of a `DisjunctionMax` is that of the document.
"""

import fnmatch
import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
from whoosh import query as wq
from whoosh.fields import Schema

from desktop_rag.index.keywords import keyword_schema as fields
from desktop_rag.index.keywords.columnar.execution import term_matching
from desktop_rag.index.keywords.columnar.execution.nodes import (
    NOTHING,
    AllOfNode,
    AnyOfNode,
    ConstantNode,
    DocumentSetNode,
    MaxOfNode,
    Node,
    NotNode,
)
from desktop_rag.index.keywords.columnar.execution.positions import OrderedNode, ProximityNode
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import TermNode, TermSetNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Hits, Places
from desktop_rag.index.keywords.columnar.segments.segment import Unsigned
from desktop_rag.index.keywords.whoosh_queries import Adjacent, Inflected, Listed, Near
from desktop_rag.index.records import ContentId
from desktop_rag.stop import Stop

Foreign = Callable[[wq.Query, Stop], Sequence[Hits]]
"""What runs a query by Whoosh's own matchers: the hits of each segment, in the order of the segments."""


class Translation:
    """Translates queries over the segments of one commit."""

    def __init__(self, whole: IndexReader, schema: Schema, foreign: Foreign, stop: Stop) -> None:
        self._whole = whole
        self._schema = schema
        self._foreign = foreign
        self._stop = stop
        self._spoken: dict[tuple[SegmentReader, int], Places] = {}

    def node(self, query: wq.Query, factor: float = 1.0) -> Node:
        """Return the node for `query`, its scores multiplied by `factor`."""
        self._stop.check()
        if type(query) is wq.Term and query.minquality is None:
            return self._word(query.fieldname, query.text, factor * query.boost) or NOTHING
        found = None
        if type(query) in _KNOWN:
            found = self._group(query, factor) or self._leaf(query, factor) or self._expanding(query, factor)
        return found or self._by_whoosh(query, factor)

    def _group(self, query: wq.Query, factor: float) -> Node | None:
        match query:
            case Inflected():
                return self._inflected(query, factor)
            case wq.And():
                return self._and(query, factor * query.boost)
            case wq.Or(scale=None):
                return _any([self.node(part, factor * query.boost) for part in query.subqueries])
            case wq.DisjunctionMax():
                nodes = tuple(self.node(part, factor * query.boost) for part in query.subqueries)
                return MaxOfNode(nodes) if nodes else NOTHING
            case wq.AndNot():
                return AllOfNode((self.node(query.a, factor),), (self.node(query.b),))
            case wq.AndMaybe():
                return AllOfNode((self.node(query.a, factor),), (), (self.node(query.b, factor),))
            case wq.Require():
                return AllOfNode((self.node(query.a, factor), ConstantNode(self.node(query.b), 0.0)))
            case wq.Not():
                return NotNode(self.node(query.query), factor * self._whole.weighting.negation)
            case wq.ConstantScoreQuery():
                return ConstantNode(self.node(query.child), factor * query.score)
        return None

    def _leaf(self, query: wq.Query, factor: float) -> Node | None:
        match query:
            case wq.Phrase():
                weight = factor * query.boost
                return _in_order([self._word(query.fieldname, word, weight) for word in query.words], query.slop)
            case Adjacent():
                return _in_order(self._words(query.qs, factor), 1)
            case Near():
                words = _all_known(self._words(query.qs, factor))
                return ProximityNode(words, query.slop, query.needed) if words else NOTHING
            case wq.SpanNear2(ordered=True, mindist=1) if all(type(part) is wq.Term for part in query.qs):
                return _in_order(self._words(query.qs, factor), query.slop)
            case Listed():
                return self._listed(query, factor)
            case wq.Every(fieldname=None):
                return NotNode(NOTHING, factor * query.boost)
            case wq.Every(fieldname=str() as name) if name in self._schema:
                every = term_matching.prefixed(b"")
                return self._expanded(name, repr(query), every, factor * query.boost, constant=True)
            case wq.NumericRange() if query.fieldname in self._schema:
                return self.node(query._compile_query(SimpleNamespace(schema=self._schema)), factor)
        return NOTHING if query is wq.NullQuery else None

    def _expanding(self, query: wq.Query, factor: float) -> Node | None:
        """Return the node of a query for several terms."""
        if not isinstance(query, wq.MultiTerm):
            return None
        if query.fieldname not in self._schema:
            return NOTHING
        try:
            terms = self._terms(query)
        except ValueError:  # the text cannot be a term of this field
            return NOTHING
        if terms is None:
            return None
        constant = query.constantscore
        return self._expanded(query.fieldname, repr(query), terms, factor * query.boost, constant=constant)

    def _terms(self, query: wq.MultiTerm) -> term_matching.Terms | None:
        match query:
            case wq.Prefix():
                return term_matching.prefixed(self._bytes(query.fieldname, query.text))
            case wq.Wildcard():
                head = re.split(r"[*?\[]", query.text, maxsplit=1)[0]
                if query.text == head + "*":
                    return term_matching.prefixed(self._bytes(query.fieldname, head))
                return term_matching.matching(re.compile(fnmatch.translate(query.text)), head.encode())
            case wq.Regex():
                head = query._find_prefix(query.text)
                return term_matching.matching(re.compile(query.text), head.encode())
            case wq.FuzzyTerm():
                return term_matching.near(query.text, int(query.maxdist), min(query.prefixlength, len(query.text)))
            case wq.TermRange():
                first = None if query.start is None else self._bytes(query.fieldname, query.start)
                last = None if query.end is None else self._bytes(query.fieldname, query.end)
                return term_matching.between(first, last, without_first=query.startexcl, without_last=query.endexcl)
        return None

    def _and(self, query: wq.And, factor: float) -> Node:
        required: list[Node] = []
        forbidden: list[Node] = []
        for part in query.subqueries:
            if type(part) is wq.Not and not self._whole.weighting.negation:
                forbidden.append(self.node(part.query))
            else:
                required.append(self.node(part, factor))
        if forbidden and not required:
            required.append(NotNode(NOTHING, 0.0))
        if len(required) < 2 and not forbidden:
            return required[0] if required else NOTHING
        return AllOfNode(tuple(required), tuple(forbidden))

    def _listed(self, query: Listed, factor: float) -> Node:
        numbers = np.fromiter(sorted(query.scores), np.uint64, len(query.scores))
        scores = np.fromiter(map(query.scores.__getitem__, numbers.tolist()), np.float32, len(numbers))
        scores *= np.float32(factor)

        def hits(part: SegmentReader) -> Hits:
            column = part.segment.columns[query.column]
            held = np.flatnonzero(np.isin(column, numbers))
            return Hits(held.astype(np.uint32), scores.take(np.searchsorted(numbers, column[held])))

        return DocumentSetNode({part: hits(part) for part in self._whole.parts}, f"one of {len(numbers)}")

    def _inflected(self, query: Inflected, factor: float) -> Node:
        """Return one word of which each text counts the forms of its own language."""
        usual, term = query.usual.fieldname, self._bytes(query.usual.fieldname, query.usual.text)
        sums: dict[SegmentReader, Unsigned] = {}
        for part in self._whole.parts:
            found = part.find(usual, term)
            places = np.array([found[1]] if found else [], np.intp)
            field = part.field(usual)
            if field is None:
                continue
            sums[part] = term_matching.summed(part, field, places, self._stop)
            for contents, words in query.forms:
                spoken = self._documents_of(part, contents)
                if len(spoken):
                    sums[part][spoken] = self._counts(part, query.spelled, words)[spoken]
        text = f"{usual}:{term.decode()} in its forms"
        holding = {part: int(np.count_nonzero(counts)) for part, counts in sums.items()}
        weight = self._whole.weighting.idf(max(1, self._whole.documents), sum(holding.values()))
        return TermSetNode(usual, text, sums, holding, factor * query.boost * weight)

    def _documents_of(self, part: SegmentReader, contents: frozenset[ContentId]) -> Places:
        """Return the documents of some contents; asked for again with every word of a query."""
        key = part, id(contents)
        if key not in self._spoken:
            numbers = np.fromiter(contents, np.uint64, len(contents))
            self._spoken[key] = np.flatnonzero(np.isin(part.segment.columns[fields.CONTENT], numbers))
        return self._spoken[key]

    def _counts(self, part: SegmentReader, name: str, words: Sequence[str]) -> Unsigned:
        field = part.field(name)
        if field is None:
            return np.zeros(part.size, np.uint8)
        found = (part.find(name, self._bytes(name, word)) for word in words)
        places = sorted(place for place in (each and each[1] for each in found) if place is not None)
        return term_matching.summed(part, field, np.array(places, np.intp), self._stop)

    def _by_whoosh(self, query: wq.Query, factor: float) -> Node:
        found = zip(self._whole.parts, self._foreign(query, self._stop), strict=True)
        return DocumentSetNode(
            {part: Hits(hits.documents, hits.scores * np.float32(factor)) for part, hits in found}, repr(query)
        )

    def _word(self, field: str, text: str | bytes | int, factor: float) -> TermNode | None:
        """Return the node of a term; None if it cannot be one."""
        try:
            term = self._bytes(field, text)
        except (KeyError, ValueError):  # no such field, or a text that cannot be a term of it
            return None
        return TermNode(field, term, factor * self._whole.weight(field, term))

    def _words(self, queries: Sequence[wq.Query], factor: float) -> list[TermNode | None]:
        return [
            self._word(part.fieldname, part.text, factor * part.boost) for part in queries if isinstance(part, wq.Term)
        ]

    def _bytes(self, field: str, text: str | bytes | int) -> bytes:
        return self._schema[field].to_bytes(text)

    def _expanded(self, name: str, text: str, terms: term_matching.Terms, factor: float, *, constant: bool) -> Node:
        found = {}
        for part in self._whole.parts:
            field = part.field(name)
            if field is not None:
                found[part] = (field, terms(part, field, self._stop))
        if not (constant or self._whole.weighting.pooled):
            known = {field.vocabulary[term] for field, numbers in found.values() for term in numbers.tolist()}
            words = (TermNode(name, term, factor * self._whole.weight(name, term)) for term in sorted(known))
            return _any([word for word in words if word.term])
        sums = {part: term_matching.summed(part, field, of, self._stop) for part, (field, of) in found.items()}
        if constant:
            held = {part: np.flatnonzero(counts).astype(np.uint32) for part, counts in sums.items()}
            return DocumentSetNode(
                {part: Hits(each, np.full(len(each), factor, np.float32)) for part, each in held.items()}, text
            )
        holding = {part: int(np.count_nonzero(counts > 0)) for part, counts in sums.items()}
        documents = max(1, self._whole.documents)
        weight = self._whole.weighting.idf(documents, sum(holding.values())) if self._whole.scored(name) else 1.0
        return TermSetNode(name, text, sums, holding, factor * weight)


_KNOWN = frozenset(
    (
        *(wq.And, wq.Or, wq.DisjunctionMax, wq.AndNot, wq.AndMaybe, wq.Require, wq.Not, wq.ConstantScoreQuery),
        *(wq.Term, wq.Phrase, wq.SpanNear2, wq.Every, wq.NumericRange, wq.DateRange, type(wq.NullQuery)),
        *(wq.Prefix, wq.Wildcard, wq.Regex, wq.FuzzyTerm, wq.TermRange, Adjacent, Near, Listed, Inflected),
    )
)


def _any(nodes: Sequence[Node]) -> Node:
    if len(nodes) < 2:
        return nodes[0] if nodes else NOTHING
    return AnyOfNode(tuple(nodes))


def _in_order(words: Sequence[TermNode | None], slop: int) -> Node:
    known = _all_known(words)
    return OrderedNode(known, slop) if known else NOTHING


def _all_known(words: Sequence[TermNode | None]) -> tuple[TermNode, ...]:
    """Return the words, nothing if one of them cannot be a term."""
    known = tuple(word for word in words if word is not None)
    return known if len(known) == len(words) else ()
