"""Searches the keyword index (BM25) and verifies `=Spelled` words of the query in the texts."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import AllOfQuery, KeywordQuery, of_chunks
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.query.term_expansion import TermExpansion, chunks_with, required_spellings
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import Node, Spelled, leaves
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

_EVERYTHING = 100_000
_FIRST_POOL, _GROWTH = 100, 8  # chunks that are verified first, and the factor for each further round

ScoredChunks = list[tuple[ChunkId, float]]
Contents = npt.NDArray[np.int64]


def keyword_search(
    catalog: CatalogReader, index: KeywordReader, words: Node, limit: int, candidates: Candidates, stop: Stop
) -> ScoredChunks:
    """Return the best `limit` chunks for a query's words with their scores, best first.

    If all `=Spelled` words are required, texts are read from the best chunk down until `limit` of them are verified,
    instead of reading every chunk that may contain one. So are conditions that many files fulfil.
    """
    query, verify_later = _planned(catalog, index, words, candidates, stop)
    restriction = candidates.restriction
    if query is None:
        return []
    if not (verify_later or candidates.checked):
        return index.search(query, limit, restriction, stop)
    required = required_spellings(words)
    fetch = max(limit, _FIRST_POOL)
    while True:
        found = index.search(query, fetch, restriction, stop)
        matching = frozenset(chunk for chunk, _ in found)
        matching = candidates.fitting(catalog.chunks.contents_of(matching)) if candidates.checked else matching
        for leaf in required if verify_later else ():
            matching = chunks_with(catalog, matching, leaf, stop)
        verified = [(chunk, score) for chunk, score in found if chunk in matching]
        if len(verified) >= limit or len(found) < fetch:
            return verified[:limit]
        fetch *= _GROWTH


def matching_contents(
    catalog: CatalogReader, index: KeywordReader, words: Node, candidates: Candidates, stop: Stop
) -> Contents:
    """Return the contents with a chunk that matches a query's words, each once: no score is compared."""
    query, verify_later = _planned(catalog, index, words, candidates, stop)
    if query is None:
        return contents_array(())
    if not (verify_later or candidates.checked):
        return index.contents(query, candidates.restriction, stop)
    found = keyword_search(catalog, index, words, _EVERYTHING, candidates, stop)
    return contents_array(catalog.chunks.contents_of(chunk for chunk, _ in found).values())


def contents_array(contents: Iterable[ContentId]) -> Contents:
    """Return some contents, each once."""
    known = set(contents)
    return np.fromiter(known, np.int64, len(known))


def _planned(
    catalog: CatalogReader, index: KeywordReader, words: Node, candidates: Candidates, stop: Stop
) -> tuple[KeywordQuery | None, bool]:
    """Return the query for the index, None if it can find nothing, and whether what it finds has to be verified."""
    spelled = [leaf for leaf in leaves(words) if isinstance(leaf, Spelled)]
    verify_later = len(required_spellings(words)) == len(spelled) > 0
    held, restriction = candidates.holders, candidates.restriction
    expansion = TermExpansion(catalog, index, held, words, stop, restriction, verify_later=verify_later)
    query = keyword_query(words, expansion)
    if query is not None and candidates.excluded:
        query = AllOfQuery((query,), (of_chunks(candidates.excluded),))
    return query, verify_later
