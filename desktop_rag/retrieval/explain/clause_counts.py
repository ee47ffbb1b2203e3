"""Counts how many documents hold each part of a query by itself: what a search that finds nothing failed at."""

from datetime import date

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.retrieval.api import ClauseCount, Mode, SearchRequest
from desktop_rag.retrieval.explain.clauses import demands, says_nothing, spelled
from desktop_rag.retrieval.explain.explanation import QueryPart
from desktop_rag.retrieval.query.filters import condition
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All, Node
from desktop_rag.retrieval.ranking.ranker import Ranker
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

MOST = 40  # parts of a query


def clause_counts(
    catalog: CatalogReader, ranking: Ranker, query: Query, request: SearchRequest, stop: Stop
) -> tuple[ClauseCount, ...]:
    """Return the words, phrases and conditions of a query from left to right, each but once."""
    beside = condition(request.filters, date.today())
    searched = Candidates(catalog, request.scope, beside, stop)
    leaves = demands(query.words)
    telling = [each for each in leaves if not says_nothing(each[0])] or leaves
    counts: dict[str, ClauseCount] = {}
    for leaf, part in telling[:MOST]:
        stop.check()
        alone = Query(request.query, leaf, None)
        documents = len(ranking.contents(alone, Mode.KEYWORD, searched, stop))
        counts.setdefault(spelled(leaf), ClauseCount(spelled(leaf), documents, part is QueryPart.FORBIDDEN))
    for node in _conditions(query.files):
        both = node if beside is None else All((node, beside))
        fulfilling = Candidates(catalog, request.scope, both, stop).contents
        counts.setdefault(spelled(node), ClauseCount(spelled(node), len(fulfilling)))
    return tuple(counts.values())


def _conditions(node: Node | None) -> tuple[Node, ...]:
    """Return the conditions on files that all have to hold."""
    return node.parts if isinstance(node, All) else (node,) if node is not None else ()
