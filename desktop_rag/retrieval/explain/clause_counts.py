"""Counts the documents that match each clause of a query by itself: what made a search find nothing."""

from datetime import date

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.retrieval.api import ClauseCount, Mode, SearchRequest
from desktop_rag.retrieval.explain.clauses import file_clauses, query_text, text_clauses
from desktop_rag.retrieval.explain.explanation import QueryPart
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All
from desktop_rag.retrieval.ranking.ranker import Ranker
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

MAX_CLAUSES = 40  # of a query


def clause_counts(
    catalog: CatalogReader, ranker: Ranker, query: Query, request: SearchRequest, stop: Stop
) -> tuple[ClauseCount, ...]:
    """Return the words, phrases and conditions of a query from left to right, each once."""
    filtered = filter_condition(request.filters, date.today())
    searched = Candidates(catalog, request.scope, filtered, stop)
    counts: dict[str, ClauseCount] = {}
    for leaf, part in text_clauses(query.words)[:MAX_CLAUSES]:
        stop.check()
        alone = Query(request.query, leaf, None)
        documents = len(searched.contents.intersection(ranker.contents(alone, Mode.KEYWORD, searched, stop).tolist()))
        text = query_text(leaf)
        counts.setdefault(text, ClauseCount(text, documents, part is QueryPart.EXCLUDED))
    for node in file_clauses(query.files):
        both = node if filtered is None else All((node, filtered))
        fulfilling = Candidates(catalog, request.scope, both, stop).contents
        text = query_text(node)
        counts.setdefault(text, ClauseCount(text, len(fulfilling)))
    return tuple(counts.values())
