"""Searches the keyword index for a query and verifies what it asks for letter by letter."""

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.query.term_expansion import LibraryResolver
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import Node, Spelled, leaves
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.spelled import chunks_with, must_hold
from desktop_rag.stop import Stop

_LEAST, _MORE = 100, 8  # chunks that are looked at first, and how many times as many next

Scored = list[tuple[ChunkId, float]]


def search_words(
    catalog: CatalogReader, index: KeywordReader, words: Node, limit: int, candidates: Candidates, stop: Stop
) -> Scored:
    """Return the best `limit` chunks for a query's words with their scores, best first.

    Where nothing can match without the spellings asked for, only the best are read until enough of them hold these.
    """
    demanded = must_hold(words)
    spelled = [leaf for leaf in leaves(words) if isinstance(leaf, Spelled)]
    later = len(demanded) == len(spelled) > 0
    limiting = candidates.limiting
    resolver = LibraryResolver(catalog, index, candidates.holders, words, stop, limiting, trusting=later)
    query = keyword_query(words, resolver)
    if query is None:
        return []
    if not later:
        return index.search(query, limit, limiting, stop)
    fetch = max(limit, _LEAST)
    while True:
        found = index.search(query, fetch, limiting, stop)
        holding = frozenset(chunk for chunk, _ in found)
        for leaf in demanded:
            holding = chunks_with(catalog, holding, leaf, stop)
        verified = [(chunk, score) for chunk, score in found if chunk in holding]
        if len(verified) >= limit or len(found) < fetch:
            return verified[:limit]
        fetch *= _MORE
