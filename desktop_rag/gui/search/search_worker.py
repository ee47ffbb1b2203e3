"""Runs the newest search in the background; older ones are cancelled and their results dropped."""

from collections.abc import Generator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.errors import QueryError
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.search.search_events import (
    DocumentSearched,
    FacetsCounted,
    HitsFound,
    NotUnderstood,
    Related,
    SearchEvent,
)
from desktop_rag.gui.search.without_words import set_apart
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Hit, SearchRequest
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.stop import Stop

_MOST = 200  # passages of one document
PAUSE_MS = 90  # debounce of typing, in milliseconds


class SearchWorker(QObject):
    """Debounces typing, then requests hits first and facets second."""

    found = Signal(object)  # HitsFound
    counted = Signal(object)  # FacetsCounted
    related = Signal(object)  # Related
    searched = Signal(object)  # DocumentSearched
    failed = Signal(object)  # the error of the newest request

    def __init__(self, retriever: Explorer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._wanted: SearchRequest | Hit | None = None
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._ask)
        self._worker = LatestOnlyWorker("search", self._on_answered, self)
        self._worker.failed.connect(self._on_failed)
        self._inside = LatestOnlyWorker("document", self._on_searched, self)

    def show_library(self, retriever: Explorer) -> None:
        """Use another library's searcher."""
        self.forget()
        self._retriever = retriever

    def ask(self, request: SearchRequest, *, at_once: bool) -> None:
        """Run `request` instead of any earlier one, `at_once` or debounced."""
        self._wanted = request
        self._worker.stop()
        if at_once:
            self._ask()
        else:
            self._pause.start()

    def relate(self, hit: Hit, limit: int) -> None:
        """Request passages related to a hit, instead of any earlier request."""
        self.forget()
        self._wanted = hit
        self._worker.ask(partial(_relate, hit, limit, self._retriever))

    def search_document(self, request: SearchRequest, content: ContentId) -> None:
        """Search one document, too, for what `request` has found."""
        self._inside.ask(partial(_search_document, request, content, self._retriever))

    def forget(self) -> None:
        """Cancel the current request."""
        self._inside.stop()
        self._wanted = None
        self._pause.stop()
        self._worker.stop()

    def close(self) -> None:
        """Stop the worker and wait for it."""
        self.forget()
        self._worker.close()
        self._inside.close()

    @Slot()
    def _ask(self) -> None:
        self._pause.stop()
        if isinstance(self._wanted, SearchRequest):
            self._worker.ask(partial(_look, self._wanted, self._retriever))

    @Slot(object)
    def _on_answered(self, event: SearchEvent) -> None:
        if isinstance(event, HitsFound) and event.request is self._wanted:
            self.found.emit(event)
        elif isinstance(event, FacetsCounted) and event.request is self._wanted:
            self.counted.emit(event)
        elif isinstance(event, Related) and event.hit is self._wanted:
            self.related.emit(event)
        elif isinstance(event, NotUnderstood) and event.request is self._wanted:
            self.failed.emit(event.error)

    @Slot(object)
    def _on_searched(self, event: DocumentSearched) -> None:
        self.searched.emit(event)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self._wanted is not None:
            self.failed.emit(error)


def _look(
    request: SearchRequest, retriever: Explorer, stop: Stop
) -> Generator[HitsFound | FacetsCounted | NotUnderstood]:
    try:
        if request.mode.first is not request.mode:  # shown until the re-ranked hits arrive
            yield HitsFound(request, retriever.search(replace(request, mode=request.mode.first), stop))
        found = HitsFound(request, retriever.search(request, stop))
        yield found
        shown = set_apart(found)
        listed = frozenset(hit.content for hit in shown.hits or shown.similar)
        yield FacetsCounted(request, retriever.facets(replace(request, listed=tuple(listed)), stop))
    except QueryError as error:  # not logged: the query is still being typed
        yield NotUnderstood(request, error)


def _relate(hit: Hit, limit: int, retriever: Explorer, stop: Stop) -> Generator[Related]:
    yield Related(hit, retriever.related(hit.chunk, limit, stop))


def _search_document(
    request: SearchRequest, content: ContentId, retriever: Explorer, stop: Stop
) -> Generator[DocumentSearched]:
    """Find the passages of a document that have the words, or all by meaning where none has."""
    inside = replace(request, scope=replace(request.scope, contents=(content,)), limit=_MOST, per_file=0)
    found = retriever.search(inside, stop)
    with_words = tuple(hit for hit in found.hits if hit.why.by_words)
    yield DocumentSearched(request, content, with_words or found.hits, found.more)
