import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import LibraryError, QueryError, Stopped
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Mode, Scope, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.retrieval.conftest import SmallLibrary


@pytest.fixture
def client(library: SmallLibrary) -> Iterator[SearcherClient]:
    client = SearcherClient(library.layout.folder)
    yield client
    client.close()


def test_the_searcher_process_answers_like_the_engine(
    client: SearcherClient, engine: SearchEngine, library: SmallLibrary
) -> None:
    library.encode()
    for mode in Mode:
        request = SearchRequest("rent of the tenant", mode)
        ours, theirs = engine.search(request, Stop()), client.search(request, Stop())
        assert [replace(hit, score=0.0) for hit in theirs.hits] == [replace(hit, score=0.0) for hit in ours.hits]
        assert [hit.score for hit in theirs.hits] == pytest.approx([hit.score for hit in ours.hits])
        assert (theirs.query, theirs.mode, theirs.coverage) == (ours.query, ours.mode, 1.0)
    content, stop = library.content("papers/lease.md"), Stop()
    chunks = library.catalog.chunks.ids_of_content(content)
    card = client.describe(content, stop)
    assert card is not None
    assert card == engine.describe(content, stop) == client.lookup(card.sha256, card.path, stop)
    assert client.describe(ContentId(99), stop) is None
    assert client.lookup("", None, stop) is None
    assert client.find(content, ("rent",), 2, stop) == engine.find(content, ("rent",), 2, stop)
    assert client.read_lines(content, 2, 3, stop) == engine.read_lines(content, 2, 3, stop)
    assert client.read_chunks(chunks, stop) == engine.read_chunks(chunks, stop)
    assert client.layout(content, stop) == engine.layout(content, stop)
    assert client.facts(Scope(), stop) == engine.facts(Scope(), stop)


def test_errors_keep_their_type_across_the_pipe(client: SearcherClient) -> None:
    with pytest.raises(QueryError) as caught:
        client.search(SearchRequest("titel:rent"), Stop())
    assert (caught.value.position, caught.value.suggestion) == (0, "title:rent")
    with pytest.raises(LibraryError, match="no longer"):
        client.read_lines(ContentId(99), 1, 1, Stop())


def test_a_killed_searcher_is_restarted(client: SearcherClient) -> None:
    request = SearchRequest("deposit", Mode.KEYWORD)
    before = client.search(request, Stop())
    (child,) = child_processes("_searcher")
    child.kill()
    after = client.search(request, Stop())
    assert after.hits == before.hits
    assert [other.pid for other in child_processes("_searcher")] != [child.pid]


def test_a_request_is_retried_when_the_searcher_dies(client: SearcherClient, library: SmallLibrary) -> None:
    request = SearchRequest("deposit", Mode.KEYWORD)
    expected = client.search(request, Stop()).hits
    (child,) = child_processes("_searcher")
    child.suspend()  # it cannot answer, so the question is surely under way when it dies
    answers: list[object] = []
    asking = threading.Thread(target=lambda: answers.append(client.search(request, Stop()).hits))
    asking.start()
    while not asking.is_alive():
        pass
    child.kill()
    asking.join(60)
    assert answers == [expected]


class StopOnceWaiting(Stop):
    """Is set by another thread as soon as a caller waits for a reply."""

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Generator[None]:
        with super().interrupting(interrupt):
            threading.Thread(target=self.set).start()
            yield


def test_stop_interrupts_the_wait_for_a_busy_searcher(client: SearcherClient) -> None:
    request = SearchRequest("deposit", Mode.KEYWORD)
    client.search(request, Stop())
    (child,) = child_processes("_searcher")
    child.suspend()
    with pytest.raises(Stopped):
        client.search(request, StopOnceWaiting())
    child.resume()
    assert client.search(request, Stop()).hits


def test_the_searcher_ends_with_its_client(client: SearcherClient, library: SmallLibrary) -> None:
    client.facts(Scope(), Stop())
    (child,) = child_processes("_searcher")
    client.close()
    psutil.wait_procs([child], timeout=60)
    assert not child.is_running()


def test_a_library_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    client = SearcherClient(tmp_path / "none")
    assert client.facts(Scope(), Stop()).files == 0
    assert client.search(SearchRequest("rent"), Stop()).hits == ()
    client.close()


class StopInQuery(Stop):
    """Is set during the first SQLite query that it can interrupt."""

    def __init__(self, engine: SearchEngine) -> None:
        super().__init__()
        self._armed = False
        catalog = engine._catalog()
        assert catalog is not None
        self._interrupt = catalog.interrupt
        catalog.database._connection.set_progress_handler(self._step, 1)

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Generator[None]:
        with super().interrupting(interrupt):
            self._armed = self._armed or interrupt == self._interrupt
            yield

    def _step(self) -> bool:
        if self._armed:
            self.set()
        return False


@pytest.mark.parametrize("name", ["search", "rerank_features", "facets", "clauses", "explain", "related", "documents"])
def test_an_interrupted_query_raises_stopped(engine: SearchEngine, library: SmallLibrary, name: str) -> None:
    request = SearchRequest("rent", Mode.KEYWORD)
    (chunk, *_) = library.catalog.chunks.ids_of_content(library.content("papers/lease.md"))
    ask: dict[str, Callable[[Stop], object]] = {
        "search": lambda stop: engine.search(request, stop),
        "rerank_features": lambda stop: engine.rerank_features("rent", stop),
        "facets": lambda stop: engine.facets(request, stop),
        "clauses": lambda stop: engine.clauses(request, stop),
        "explain": lambda stop: engine.explain(library.files / "home" / "cats.md", request, stop),
        "related": lambda stop: engine.related(chunk, 3, stop),
        "documents": lambda stop: engine.documents(DocumentQuery(), stop),
    }
    engine.search(request, Stop())
    stop = StopInQuery(engine)
    with pytest.raises(Stopped):
        ask[name](stop)
    assert stop.is_set()


def test_a_closed_catalog_can_be_interrupted(library: SmallLibrary) -> None:
    reader = CatalogReader.open(library.layout.catalog)
    reader.close()
    reader.interrupt()
