"""The documents that fulfil filters, as a scope, and whether one of them does."""

import sys

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Order, Retriever, Scope
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.stop import Stop


def scope_within(retriever: Retriever, filters: tuple[Filter, ...], stop: Stop) -> Scope:
    """Return the documents that fulfil all filters, so that a report counts only these; without filters everything."""
    if not filters:
        return Scope()
    every = DocumentQuery(filters=filters, order=Order.NAME, limit=sys.maxsize)
    return Scope(contents=tuple(card.content for card in retriever.documents(every, stop).cards))


def is_within(
    retriever: Retriever,
    content: ContentId,
    filters: tuple[Filter, ...],
    stop: Stop,
    withheld: Withheld = NOTHING_WITHHELD,
) -> bool:
    """Return whether a document fulfils all filters and is not withheld; what is attached is not of the library."""
    asked = DocumentQuery(scope=Scope(contents=(content,), withheld=withheld), filters=filters, limit=1)
    return bool(retriever.documents(asked, stop).cards)
