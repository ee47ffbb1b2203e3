"""Plans a keyword query for one commit: a node for each part, with the idf and the expansions of its terms."""

import fnmatch
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Hits, Mask, document_type
from desktop_rag.index.keywords.columnar.segments.segment import (
    NO_POSTINGS,
    Postings,
    disjoint_postings,
    union_postings,
)
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
            case AllOfQuery():
                return self._all_of(query)
            case AnyOfQuery(parts):
                return _any_of(self._nodes(parts))
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
            case MaxOfQuery(parts):
                return MaxOfNode(self._nodes(parts)) if parts else NOTHING
            case FilteredQuery(wanted, condition):
                return AllOfNode((self.node(wanted), ConstantNode(self.node(condition), 0.0)))
        assert_never(query)

    def _nodes(self, queries: Sequence[KeywordQuery]) -> tuple[Node, ...]:
        return tuple(map(self.node, queries))

    def _all_of(self, query: AllOfQuery) -> Node:
        required = self._nodes(query.required) or (NotNode(NOTHING, _EVERYTHING),)
        if query.forbidden or query.optional:
            return AllOfNode(required, self._nodes(query.forbidden), self._nodes(query.optional))
        return AllOfNode(required) if len(required) > 1 else required[0]

    def _with_ids(self, query: IdQuery) -> Node:
        numbers = np.fromiter(sorted(query.scores), np.uint64, len(query.scores))
        scores = np.fromiter(map(query.scores.__getitem__, numbers.tolist()), np.float32, len(numbers))

        def hits(segment: SegmentReader) -> Hits:
            held = segment.with_ids(query.column, numbers)
            places = numbers.searchsorted(segment.arrays.columns[query.column].take(held))
            return Hits(held.astype(document_type(segment.size)), scores.take(places))

        return DocumentSetNode({segment: hits(segment) for segment in self._reader.segments})

    def _inflected(self, query: InflectedQuery) -> Node:
        """Return one node for a word; each text counts the forms in its own language."""
        alike = defaultdict[tuple[str, ...], list[int]](list)  # many languages have the same: often the word alone
        for number, (_, words) in enumerate(query.forms, start=1):
            alike[words].append(number)
        found = {segment: self._of_languages(segment, query, alike) for segment in self._reader.segments}
        return self._as_one_term(query.field, found, query.boost)

    def _of_languages(
        self, segment: SegmentReader, query: InflectedQuery, alike: Mapping[tuple[str, ...], Sequence[int]]
    ) -> Postings:
        """Return the documents with the forms of their language, or with the word itself where there are none."""
        word = next(iter(_postings(segment, query.field, (query.text,))), NO_POSTINGS)
        groups = segment.groups_of(tuple(contents for contents, _ in query.forms))
        parts, spoken = [], []
        for words, numbers in alike.items():
            if languages := [number for number in numbers if number in groups.present]:
                found = _postings(segment, query.forms_field, words)
                taken = [_taken(each, groups.are_in(languages, each.documents)) for each in found]
                forms = [each for each in taken if len(each.documents)]  # few, so that uniting them is little work
                parts += forms if len(forms) < 2 else [union_postings(forms, segment.size)]
            spoken += languages
        if not len(word.documents):
            return disjoint_postings(parts)
        parts.append(_taken(word, ~groups.are_in(spoken, word.documents)) if spoken else word)
        return disjoint_postings(parts)

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
        united = {seg: term_matching.united(seg, field, of, self._stop) for seg, (field, of) in found.items()}
        return self._as_one_term(name, united, boost)

    def _as_one_term(self, name: str, found: Mapping[SegmentReader, Postings], boost: float) -> Node:
        holding = sum(len(postings.documents) for postings in found.values())
        documents = max(1, self._reader.documents)
        idf = self._reader.weighting.idf(documents, holding) if self._reader.scored(name) else 1.0
        return TermSetNode(name, found, boost * idf)


def _postings(segment: SegmentReader, field: str, words: Sequence[str]) -> list[Postings]:
    found = (segment.find(field, _bytes(word)) for word in words)
    return [place[0].postings(place[1]) for place in found if place is not None]


def _taken(postings: Postings, mask: Mask) -> Postings:
    kept = mask.nonzero()[0]
    if len(kept) == len(mask):
        return postings
    return Postings(postings.documents.take(kept), postings.counts.take(kept))


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
