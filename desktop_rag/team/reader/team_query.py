"""Keyword queries as requests to OpenSearch, with the same matches and nearly the same scores as the embedded index.

Scores differ in the third digit: Lucene stores the length of a field in one byte.
"""

import re
from typing import assert_never

from desktop_rag.index.keywords.bm25 import K1
from desktop_rag.index.keywords.keyword_fields import CHUNK, CONTENT, HEADINGS, TEXT_EXACT, TEXT_STEM, TITLE
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
from desktop_rag.team.format.file_facts import EVERYTHING, any_of
from desktop_rag.team.server.json_answers import Json

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
