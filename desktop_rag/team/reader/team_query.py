"""Keyword queries as requests to OpenSearch, with the same matches and nearly the same scores as the embedded index.

Scores differ in the third digit: Lucene stores the length of a field in one byte.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import assert_never

from desktop_rag.index.keywords.keyword_query import (
    CHUNK,
    CONTENT,
    HEADINGS,
    K1,
    TEXT_EXACT,
    TEXT_STEM,
    TITLE,
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
from desktop_rag.index.records import ChunkId, ContentId, FilePlace
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.tree import FileLeaf, Node
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates, DatedUnit
from desktop_rag.stop import Stop
from desktop_rag.team.format.file_facts import EVERYTHING, any_of, condition, withheld_facts
from desktop_rag.team.format.team_indexes import DOCUMENTS, of_contents
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.server.json_answers import Json, as_int, hits, total

FIELDS = {
    TITLE: "title",
    HEADINGS: "headings",
    TEXT_EXACT: "text",
    TEXT_STEM: "stem",
    CHUNK: "chunk",
    CONTENT: "content",
}
_SCORED = "top_terms_blended_freqs_100"
_FACTOR = K1 + 1  # Lucene leaves out this factor of BM25


def request_of(query: KeywordQuery) -> Json:
    """Return the request that finds the same passages."""
    match query:
        case TermQuery(field, text, boost):
            return _term(field, text, boost)
        case AdjacentQuery(field, words, boost):
            return _together(field, words, boost, {"match_phrase": {FIELDS[field]: _phrase(words)}})
        case NearQuery(field, words, slop, boost):
            parts = [{"match": {"query": word, "analyzer": "whitespace"}} for word in words]
            window: Json = {"all_of": {"intervals": parts, "max_gaps": slop, "ordered": False}}
            return _together(field, words, boost, {"intervals": {FIELDS[field]: window}})
        case PatternQuery(field, pattern, boost):
            return _pattern(FIELDS[field], pattern, boost)
        case FuzzyQuery(field, text, distance, boost):
            near: Json = {"value": text, "fuzziness": distance, "transpositions": True}
            return _expanded("fuzzy", FIELDS[field], near, boost)
        case InflectedQuery(field, text, _, _, boost):
            return _term(field, text, boost)
        case IdQuery(column, scores):
            return _with_ids(FIELDS[column], dict(scores))
        case AllOfQuery():
            return _all_of(query)
        case AnyOfQuery(parts):
            return any_of(list(map(request_of, parts)))
        case MaxOfQuery(parts):
            return {"dis_max": {"queries": list(map(request_of, parts))}}
        case FilteredQuery(wanted, condition):
            return {"bool": {"must": [request_of(wanted)], "filter": [request_of(condition)]}}
    assert_never(query)


def _term(field: str, text: str, boost: float) -> Json:
    return {"term": {FIELDS[field]: {"value": text.encode("utf-8", "replace").decode(), "boost": boost * _FACTOR}}}


def _together(field: str, words: tuple[str, ...], boost: float, condition: Json) -> Json:
    """Return the request for all words under a condition on their places; they score as words."""
    return {"bool": {"must": [_term(field, word, boost) for word in dict.fromkeys(words)], "filter": [condition]}}


def _phrase(words: tuple[str, ...]) -> Json:
    return {"query": " ".join(words), "analyzer": "whitespace"}


def _pattern(field: str, pattern: str, boost: float) -> Json:
    if re.fullmatch(r"[^*?\[]+\*", pattern):
        return _expanded("prefix", field, {"value": pattern[:-1]}, boost)
    return _expanded("wildcard", field, {"value": pattern}, boost)


def _expanded(kind: str, field: str, wanted: Json, boost: float) -> Json:
    """Return the request for all words like `wanted`; it scores by the most frequent of them, as if by one word."""
    every: Json = {kind: {field: {**wanted, "rewrite": "constant_score"}}}
    scored: Json = {kind: {field: {**wanted, "rewrite": _SCORED, "boost": boost * _FACTOR}}}
    return {"bool": {"filter": [every], "should": [scored]}}


def _with_ids(field: str, scores: dict[int, float]) -> Json:
    by_score: dict[float, list[int]] = {}
    for number, score in scores.items():
        by_score.setdefault(round(score, 6), []).append(number)
    return any_of(
        [
            {"constant_score": {"filter": {"terms": {field: sorted(numbers)}}, "boost": max(score, 0.0)}}
            for score, numbers in by_score.items()
        ]
    )


def _all_of(query: AllOfQuery) -> Json:
    found: Json = {"must": [request_of(part) for part in query.required] or [EVERYTHING]}
    if query.forbidden:
        found["must_not"] = [request_of(part) for part in query.forbidden]
    if query.optional:
        found["should"] = [request_of(part) for part in query.optional]
    return {"bool": found}


# The documents of a team's library that a query may find: conditions that each request carries.

_HOLDERS = 10_000  # documents that fulfil a condition inside an OR of words
_LISTED = 1_000  # documents of a search without words


class TeamCandidates(Candidates):
    """The documents a query may find; its conditions are part of each request to the server."""

    def __init__(self, team: TeamCatalog, scope: Scope, node: Node | None, stop: Stop) -> None:
        super().__init__(team, scope, node, stop)
        self.team, self.scope, self.node, self.stop = team, scope, node, stop
        self.conditions = conditions_of(scope, node)

    checked = False  # the server does

    @cached_property
    def contents(self) -> frozenset[ContentId]:
        """The newest documents that may be found, at most `_HOLDERS`."""
        return self._matching(self.conditions, _HOLDERS)

    @property
    def restriction(self) -> frozenset[ContentId] | None:
        """Return no restriction: it is part of the request."""
        return None

    @cached_property
    def excluded(self) -> frozenset[ChunkId]:
        """Nothing: a passage has the facts of its own mail."""
        return frozenset()

    @cached_property
    def chunks(self) -> frozenset[ChunkId] | None:
        """No restriction, see `restriction`."""
        return None

    def allow(self, content: ContentId) -> bool:
        """Return whether a document may be found."""
        return bool(self._matching([*self.conditions, of_contents((content,))], 1))

    def count_up_to(self, most: int) -> int:
        """Return how many documents may be found, at most `most`."""
        if not self.conditions:
            return self.team.files.count_contents_up_to(most)
        body: Json = {"query": {"bool": {"filter": self.conditions}}, "size": 0, "track_total_hits": most}
        return min(most, total(self.team.shared.search(DOCUMENTS, body)))

    def places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents, those that fulfil the conditions first, see `Candidates`."""
        return self._fitting_first(self.node, self._places(contents))

    def units(self) -> Iterator[DatedUnit]:
        """Yield the newest documents that may be found, at most `_LISTED`."""
        for content, found in self.places(self._matching(self.conditions, _LISTED)).items():
            known = self._contents((content,))[content]
            mail = next(iter(self.team.mails.of((content,)).get(content, ())), None)
            yield DatedUnit(content, 1, found[0], own_date_ns(known, found[0], mail))

    def holders(self, leaf: FileLeaf, among: frozenset[ContentId] | None = None) -> frozenset[ContentId]:
        """Return the contents with a file that fulfils one condition, at most `_HOLDERS`."""
        some = [] if among is None else [of_contents(tuple(among))]
        return self._matching([condition(leaf), *some], _HOLDERS)

    def _matching(self, conditions: list[Json], limit: int) -> frozenset[ContentId]:
        order = [{"date": {"order": "desc", "mode": "max"}}, {"content": "asc"}]
        body: Json = {"query": {"bool": {"filter": conditions}}, "size": limit, "sort": order, "_source": False}
        return frozenset(ContentId(as_int(hit["_id"])) for hit in hits(self.team.shared.search(DOCUMENTS, body)))


class Among(TeamCandidates):
    """Candidates whose documents are known."""

    def __init__(self, candidates: TeamCandidates, contents: frozenset[ContentId]) -> None:
        super().__init__(candidates.team, candidates.scope, candidates.node, candidates.stop)
        self.contents = contents


def conditions_of(scope: Scope, node: Node | None) -> list[Json]:
    """Return the conditions on documents of a scope and of a query."""
    found = [condition(node)] if node is not None else []
    if scope.folders:
        found.append({"terms": {"root": [str(folder) for folder in scope.folders]}})
    if scope.contents:
        found.append(of_contents(scope.contents))
    if scope.withheld:
        found.append({"bool": {"must_not": withheld_facts(scope.withheld)}})
    return found
