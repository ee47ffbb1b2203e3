"""The documents that fulfil filters, as a scope."""

import sys

from desktop_rag.retrieval.api import DocumentQuery, Filter, Order, Retriever, Scope
from desktop_rag.stop import Stop


def scope_within(retriever: Retriever, filters: tuple[Filter, ...], stop: Stop) -> Scope:
    """Return the documents that fulfil all filters, so that a report counts only these; without filters everything."""
    if not filters:
        return Scope()
    every = DocumentQuery(filters=filters, order=Order.NAME, limit=sys.maxsize)
    return Scope(contents=tuple(card.content for card in retriever.documents(every, stop).cards))
