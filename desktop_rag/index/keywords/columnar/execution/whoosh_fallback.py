"""Runs a query by Whoosh's own matchers over our codec, for what the executor has no node for."""

from collections.abc import Sequence

import numpy as np
from whoosh.query import Query
from whoosh.searching import Searcher

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Hits
from desktop_rag.index.keywords.stoppable_query import Stoppable
from desktop_rag.stop import Stop


def by_whoosh(searcher: Searcher, query: Query, stop: Stop) -> Sequence[Hits]:
    """Return the documents that match and their scores, by segment."""
    return [_hits(leaf, Stoppable(query, stop)) for leaf, _ in searcher.leaf_searchers()]


def _hits(searcher: Searcher, query: Query) -> Hits:
    matcher = query.matcher(searcher, searcher.context())
    documents: list[int] = []
    scores: list[float] = []
    while matcher.is_active():
        documents.append(matcher.id())
        scores.append(matcher.score())
        matcher.next()
    return Hits(np.array(documents, np.uint32), np.array(scores, np.float32))
