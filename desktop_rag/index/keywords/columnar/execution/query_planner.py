"""Plans a keyword query for one commit: a node for each part, with the idf and the expansions of its terms."""

import fnmatch
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import assert_never

import numpy as np

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
from desktop_rag.index.keywords.columnar.execution.positions import AdjacentNode, NearNode
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_nodes import TermNode, TermSetNode
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Hits, Indices
from desktop_rag.index.keywords.columnar.segments.segment import Unsigned
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FilteredQuery,
    FuzzyQuery,
    IdQuery,
    InflectedQuery,
    KeywordQuery,
    MaxOfQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
)
from desktop_rag.stop import Stop

_EVERYTHING = 1.0  # the score of a document where only forbidden parts are named


class QueryPlanner:
    """Plans queries over the segments of one commit."""

    def __init__(self, reader: IndexReader, stop: Stop) -> None:
        self._reader = reader
        self._stop = stop

    def node(self, query: KeywordQuery) -> Node:
        """Return the node that finds and scores the documents of `query`."""
        self._stop.check()
        match query:
            case TermQuery(field, text, boost):
                return self._term(field, _bytes(text), boost)
            case AdjacentQuery(field, words, boost):
                return AdjacentNode(tuple(self._term(field, _bytes(word), boost) for word in words))
            case NearQuery(field, words, slop, boost):
                counts = Counter(words)
                terms = tuple(self._term(field, _bytes(word), boost) for word in counts)
                return NearNode(terms, slop, tuple(counts.values()))
            case PatternQuery(field, pattern, boost):
                return self._expanded(field, _terms_like(pattern), boost)
            case FuzzyQuery(field, text, distance, boost):
                return self._expanded(field, term_matching.near(text, distance), boost)
            case InflectedQuery():
                return self._inflected(query)
            case IdQuery():
                return self._with_ids(query)
            case AllOfQuery():
                return self._all_of(query)
            case AnyOfQuery(parts):
                return _any_of(self._nodes(parts))
            case MaxOfQuery(parts):
                return MaxOfNode(self._nodes(parts)) if parts else NOTHING
            case FilteredQuery(wanted, condition):
                return AllOfNode((self.node(wanted), ConstantNode(self.node(condition), 0.0)))
        assert_never(query)

    def _nodes(self, queries: Sequence[KeywordQuery]) -> tuple[Node, ...]:
        return tuple(map(self.node, queries))

    def _all_of(self, query: AllOfQuery) -> Node:
        required = self._nodes(query.required) or (NotNode(NOTHING, _EVERYTHING),)
        forbidden = self._nodes(query.forbidden)
        optional = self._nodes(query.optional)
        return AllOfNode(required, forbidden, optional) if len(required) > 1 or forbidden or optional else required[0]

    def _with_ids(self, query: IdQuery) -> Node:
        numbers = np.fromiter(sorted(query.scores), np.uint64, len(query.scores))
        scores = np.fromiter(map(query.scores.__getitem__, numbers.tolist()), np.float32, len(numbers))

        def hits(segment: SegmentReader) -> Hits:
            column = segment.arrays.columns[query.column]
            held = np.flatnonzero(np.isin(column, numbers))
            return Hits(held.astype(np.uint32), scores.take(np.searchsorted(numbers, column[held])))

        return DocumentSetNode({segment: hits(segment) for segment in self._reader.segments})

    def _inflected(self, query: InflectedQuery) -> Node:
        """Return one node for a word; each text counts the forms in its own language."""
        term = _bytes(query.text)
        sums: dict[SegmentReader, Unsigned] = {}
        alike = defaultdict(list)  # many languages have the same forms: often the word alone
        for contents, words in query.forms:
            alike[words].append(contents)
        for segment in self._reader.segments:
            found = segment.find(query.field, term)
            places = np.array([found[1]] if found else [], np.intp)
            field = segment.field(query.field)
            if field is None:
                continue
            sums[segment] = term_matching.summed(segment, field, places, self._stop)
            for words, languages in alike.items():
                held = [documents for contents in languages if len(documents := segment.documents_of(contents))]
                if held:
                    documents = held[0] if len(held) == 1 else np.sort(np.concatenate(held))
                    sums[segment][documents] = self._counts(segment, query.forms_field, words, documents)
        return self._as_one_term(query.field, sums, query.boost)

    def _counts(self, segment: SegmentReader, name: str, words: Sequence[str], documents: Indices) -> Unsigned:
        field = segment.field(name)
        if field is None:
            return np.zeros(len(documents), np.uint8)
        places = sorted(found[1] for word in words if (found := segment.find(name, _bytes(word))) is not None)
        return term_matching.summed_in(segment, field, np.array(places, np.intp), documents, self._stop)

    def _term(self, field: str, term: bytes, boost: float) -> TermNode:
        weight, places = self._reader.term(field, term)
        return TermNode(field, term, boost * weight, places)

    def _expanded(self, name: str, terms: term_matching.Terms, boost: float) -> Node:
        found = {}
        for segment in self._reader.segments:
            field = segment.field(name)
            if field is not None:
                found[segment] = (field, terms(segment, field, self._stop))
        if not self._reader.weighting.pooled:
            known = {field.vocabulary[term] for field, numbers in found.values() for term in numbers.tolist()}
            return _any_of(tuple(self._term(name, term, boost) for term in sorted(known) if term))
        sums = {segment: term_matching.summed(segment, field, of, self._stop) for segment, (field, of) in found.items()}
        return self._as_one_term(name, sums, boost)

    def _as_one_term(self, name: str, sums: dict[SegmentReader, Unsigned], boost: float) -> Node:
        holding = {segment: int(np.count_nonzero(counts)) for segment, counts in sums.items()}
        documents = max(1, self._reader.documents)
        idf = self._reader.weighting.idf(documents, sum(holding.values())) if self._reader.scored(name) else 1.0
        return TermSetNode(name, sums, holding, boost * idf)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # a lone surrogate is in no index, and finds nothing


def _terms_like(pattern: str) -> term_matching.Terms:
    head = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    if pattern == head + "*":
        return term_matching.prefixed(_bytes(head))
    return term_matching.matching(re.compile(fnmatch.translate(pattern)), _bytes(head))


def _any_of(nodes: tuple[Node, ...]) -> Node:
    if len(nodes) < 2:
        return nodes[0] if nodes else NOTHING
    return AnyOfNode(nodes)
