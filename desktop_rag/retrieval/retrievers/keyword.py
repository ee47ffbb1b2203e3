"""Searches the keyword index (BM25) and verifies `=Spelled` words of the query in the texts."""

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import AllOfQuery, of_chunks
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.query.term_expansion import TermExpansion
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import Node, Spelled, leaves
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.spelled import chunks_with, required_spellings
from desktop_rag.stop import Stop

_FIRST_POOL, _GROWTH = 100, 8  # chunks that are verified first, and the factor for each further round

ScoredChunks = list[tuple[ChunkId, float]]


def keyword_search(
    catalog: CatalogReader, index: KeywordReader, words: Node, limit: int, candidates: Candidates, stop: Stop
) -> ScoredChunks:
    """Return the best `limit` chunks for a query's words with their scores, best first.

    If all `=Spelled` words are required, texts are read from the best chunk down until `limit` of them are verified,
    instead of reading every chunk that may contain one. So are conditions that many files fulfil.
    """
    required = required_spellings(words)
    spelled = [leaf for leaf in leaves(words) if isinstance(leaf, Spelled)]
    verify_later = len(required) == len(spelled) > 0
    restriction = candidates.restriction
    expansion = TermExpansion(catalog, index, candidates.holders, words, stop, restriction, verify_later=verify_later)
    query = keyword_query(words, expansion)
    if query is None:
        return []
    if candidates.excluded:
        query = AllOfQuery((query,), (of_chunks(candidates.excluded),))
    if not (verify_later or candidates.checked):
        return index.search(query, limit, restriction, stop)
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
