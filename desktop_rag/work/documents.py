"""The documents of a table: those that fulfil conditions, those that were chosen, or those of search hits."""

import os
from collections.abc import Iterable

from desktop_rag.llm.chat import Evidence, document_label
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Hit, Mode, Order, Retriever, Scope, SearchRequest
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.stop import Stop
from desktop_rag.work.row_reading import DocumentReading, label_of_document
from desktop_rag.work.table import MOST_ROWS, Row
from desktop_rag.work.work_store import check_rows

MOST_HITS = 200  # documents that a search gives for a table
SAMPLE = 30  # documents in which common labels are looked for
SAMPLE_CHARACTERS = 60_000  # of each


def rows_of(
    retriever: Retriever, filters: tuple[Filter, ...], stop: Stop, scope: Scope | None = None
) -> tuple[Row, ...]:
    """Return the documents that fulfil all filters, by name; raises `LibraryRefused` for too many or none."""
    found = retriever.documents(
        DocumentQuery(scope=scope or Scope(), filters=filters, order=Order.NAME, limit=MOST_ROWS), stop
    )
    check_rows(found.total)
    return rows_of_cards(found.cards)


def documents_of(
    retriever: Retriever, filters: tuple[Filter, ...], query: str | None, stop: Stop, scope: Scope | None = None
) -> tuple[Row, ...]:
    """Return the documents that fulfil the filters; with a query those that it finds, the best first."""
    if query is None:
        return rows_of(retriever, filters, stop, scope)
    request = SearchRequest(query, Mode.HYBRID, MOST_HITS, scope or Scope(), per_file=1, filters=filters)
    return rows_of_hits(retriever.search(request, stop).hits)


def rows_of_cards(cards: Iterable[DocumentCard]) -> tuple[Row, ...]:
    """Return documents as rows, each content once; without those that have no file any more."""
    rows = {
        card.sha256: Row(0, card.sha256, os.fspath(card.path), label_of_document(card))
        for card in cards
        if card.path is not None
    }
    return tuple(rows.values())


def rows_of_hits(hits: Iterable[Hit]) -> tuple[Row, ...]:
    """Return the documents of search hits, the best first; raises `LibraryRefused` for too many or none."""
    rows = {
        hit.sha256: Row(0, hit.sha256, os.fspath(hit.path), document_label(hit.path.name, hit.title)) for hit in hits
    }
    check_rows(len(rows))
    return tuple(rows.values())


def sample_of(retriever: Retriever, rows: Iterable[Row], stop: Stop) -> tuple[tuple[Evidence, ...], ...]:
    """Return the lines of some documents, in which labels that they share can be looked for."""
    every = tuple(rows)
    step = max(1, len(every) // SAMPLE)
    found: list[tuple[Evidence, ...]] = []
    for row in every[::step][:SAMPLE]:
        card = retriever.lookup(row.sha256, None, stop)
        if card is not None:
            reading = DocumentReading(card, "turn1search1", retriever, stop)
            found.append(reading.lines_for("", SAMPLE_CHARACTERS).evidence(reading.reference, card))
    return tuple(found)
