"""Connects the search page with the searcher of the open library; remembers searches."""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.errors import QueryError
from desktop_rag.gui.background import CommandQueue, LatestOnlyWorker
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.search.search_events import (
    DocumentSearched,
    FacetsCounted,
    HitsFound,
    NotUnderstood,
    RecentSearch,
    Related,
    SavedSearches,
    SearchEvent,
    load,
    set_apart,
    store,
)
from desktop_rag.gui.search.search_page import SearchPage
from desktop_rag.gui.viewer.viewer_events import target_of_hit
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Hit, SearchRequest
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.stop import Stop

# Runs the newest search in the background; older ones are cancelled and their results dropped.

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


LIMIT = 60  # first page of hits, and the increment of "show more"
RELATED = 30
PER_FILE = 12  # hits of one file in the window; other searches have `api.MAX_PER_FILE`
_ENCODED_MS = 1_500  # milliseconds after which the searcher has seen the last vectors
_ENCODED_TRIES = 3
_SLOW_MS = 400  # milliseconds after which the page says that it searches
_REMEMBER_MS = 2_500  # milliseconds a result must be looked at before its query is remembered


class SearchControl(QObject):
    """One page for all libraries; each library has its own saved searches."""

    why_requested = Signal(object, object)  # the Path of a file, or None, and the SearchRequest to explain it for

    def __init__(
        self,
        page: SearchPage,
        retriever: Explorer,
        library: Path,
        viewer: ViewerRequests,
        status: ShownStatus,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._viewer = viewer
        self._library = library
        self._kept = SavedSearches()
        self._asked = SearchRequest("", limit=LIMIT, per_file=PER_FILE)
        self._searching = SearchWorker(retriever, self)
        self._commands = CommandQueue("searches", self)
        self._remember = QTimer(self, interval=_REMEMBER_MS, singleShot=True)
        self._remember.timeout.connect(self._on_remember)
        self._encoded = QTimer(self, interval=_ENCODED_MS, singleShot=True)
        self._encoded.timeout.connect(self._on_encoded)
        self._slow = QTimer(self, interval=_SLOW_MS, singleShot=True)
        self._slow.timeout.connect(self._on_slow)
        self._is_first = True  # no search of this library has been answered yet
        self._tries = 0  # to search again, once all sentences have a vector
        self._status = status
        status.changed.connect(self._follow)
        self._searching.found.connect(self._on_found)
        self._searching.counted.connect(page.show_counted)
        self._searching.failed.connect(self._on_failed)
        self._searching.related.connect(lambda related: page.show_related(related.hit, related.result))
        page.asked.connect(self._on_asked)
        page.results.looked_at.connect(lambda hit: viewer.target_requested.emit(target_of_hit(hit)))
        page.results.opened.connect(self._on_opened)
        page.results.more_requested.connect(self._on_more_requested)
        page.results.rest_requested.connect(self._on_rest_requested)
        self._searching.searched.connect(self._on_searched)
        page.results.related_requested.connect(lambda hit: self._searching.relate(hit, RELATED))
        page.why_requested.connect(self._on_why_requested)
        page.row.save_requested.connect(self._on_save)
        page.row.drop_requested.connect(self._on_drop)

    def show_library(self, retriever: Explorer, library: Path) -> None:
        """Search another library."""
        self._remember.stop()
        self._library = library
        self._keep_in_memory(SavedSearches())
        self._searching.show_library(retriever)
        self._slow.stop()
        self._is_first = True
        self._page.clear()

        def show(found: SavedSearches) -> None:
            if library == self._library:
                self._keep_in_memory(found)

        self._commands.run(lambda _: load(library), show)

    def leave(self) -> None:
        """Cancel requests while another page is shown."""
        self._slow.stop()
        self._searching.forget()

    def close(self) -> None:
        """Stop the worker and wait for it."""
        self._searching.close()
        self._commands.close()

    @Slot(object, bool)
    def _on_asked(self, search: RecentSearch, at_once: bool) -> None:  # noqa: FBT001 - a slot
        self._remember.stop()
        if not search.query and not search.filters:
            self._slow.stop()
            self._searching.forget()
            return
        self._asked = SearchRequest(
            search.query,
            search.mode,
            LIMIT,
            per_file=PER_FILE,
            filters=search.filters,
            unfinished=True,  # also after Enter, so that the list that was read while typing stays
            sort=search.sort,
        )
        self._searching.ask(self._asked, at_once=at_once)
        self._slow.start()

    @Slot()
    def _on_slow(self) -> None:
        self._page.show_searching(first=self._is_first)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._slow.stop()
        self._page.show_error(error)

    @Slot()
    def _on_more_requested(self) -> None:
        self._asked = replace(self._asked, limit=self._asked.limit + LIMIT, per_file=4 * self._asked.per_file)
        self._searching.ask(self._asked, at_once=True)

    @Slot(object)
    def _on_rest_requested(self, content: ContentId) -> None:
        self._searching.search_document(self._asked, content)

    @Slot(object)
    def _on_searched(self, found: DocumentSearched) -> None:
        if replace(found.request, limit=0, per_file=0) == replace(self._asked, limit=0, per_file=0):
            self._page.results.results.show_rest(found.content, found.hits, more=found.more)

    @Slot(object)
    def _on_why_requested(self, hit: Hit | None) -> None:
        asked = self._asked if hit is not None else replace(self._asked, unfinished=False)
        self.why_requested.emit(hit.path if hit is not None else None, asked)

    def asked(self) -> SearchRequest:
        """Return the last request."""
        return self._asked

    @Slot()
    def _follow(self) -> None:
        """Search again when search by meaning has become complete: the hits shown were found without it."""
        status, lacks = self._status.current, self._page.lacks_meaning()
        encoded = 0 < status.sentences_total == status.sentences_ready
        if encoded and lacks and self._tries < _ENCODED_TRIES and not self._encoded.isActive():
            self._encoded.start()
        elif not encoded:
            self._tries = 0

    @Slot()
    def _on_encoded(self) -> None:
        if self._page.lacks_meaning():
            self._tries += 1
            self._searching.ask(self._asked, at_once=True)

    @Slot(object)
    def _on_found(self, found: HitsFound) -> None:
        self._slow.stop()
        self._is_first = False
        self._page.show_found(found)
        self._follow()
        if found.result.hits and found.request.query:
            self._remember.start()

    @Slot(object)
    def _on_opened(self, hit: Hit) -> None:
        self._on_remember()
        self._viewer.target_focus_requested.emit(target_of_hit(hit))

    @Slot()
    def _on_remember(self) -> None:
        self._remember.stop()
        search = self._page.search()
        if search.query:
            self._keep(self._kept.with_recent(search))

    @Slot(str)
    def _on_save(self, name: str) -> None:
        self._keep(self._kept.with_saved(name, self._page.search()))

    @Slot(str)
    def _on_drop(self, name: str) -> None:
        self._keep(self._kept.without_saved(name))

    def recent_searches(self) -> int:
        """Return how many recent searches are remembered."""
        return len(self._kept.recent)

    def clear_recent(self) -> Callable[[], None]:
        """Forget the recent searches; return how to bring them back."""
        before = self._kept.recent
        self._keep(replace(self._kept, recent=()))
        return lambda: self._keep(replace(self._kept, recent=before))

    def _keep(self, kept: SavedSearches) -> None:
        library = self._library
        self._keep_in_memory(kept)
        self._commands.run(lambda _: store(library, kept))

    def _keep_in_memory(self, kept: SavedSearches) -> None:
        self._kept = kept
        self._page.show_kept(kept)
