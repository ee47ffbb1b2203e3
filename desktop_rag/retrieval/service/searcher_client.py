"""A `Retriever` that asks searcher processes: one at rest, more while calls wait, and a new one after a crash."""

import os
from pathlib import Path

from desktop_rag.index.library import Library
from desktop_rag.index.team_status import STORE_SECRET, TEAM_PASSWORD, TEAM_TOKEN
from desktop_rag.processes.child import Child, plain_environment, session_environment
from desktop_rag.processes.pool import PoolLimits, RemotePool
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.service import Call, ServiceClient, remote_method
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.explorer import Explorer, FileBrowser
from desktop_rag.stop import Stop

MOST = 4  # searchers: each further one needs memory, and the window and the indexer need cores as well
FREE_BYTES = 1 << 30  # of memory, below which no further searcher is started

_FIRST = SearchRequest("first search", limit=1)  # loads what searches by words and by meaning need


class SearcherClient(ServiceClient):
    """`Explorer` and `FileBrowser` in child processes; any thread may ask.

    Callers that should take turns get a client each by `asker`.
    """

    def __init__(self, library: Path, pool: RemotePool | None = None, *, urgent: bool = False) -> None:
        self._library = library
        self._pool = pool or RemotePool(self._start, _limits(), _prepare)
        super().__init__(self._pool.asker(urgent=urgent))

    def asker(self, *, urgent: bool = False) -> "SearcherClient":
        """Return a client with its own queue on the same processes; closing one closes all.

        Calls of an `urgent` client, for which the user waits, precede those of all others.
        """
        return SearcherClient(self._library, self._pool, urgent=urgent)

    @property
    def parallel(self) -> int:
        """The number of calls that may be answered at a time."""
        return self._pool.limits.most

    @property
    def is_running(self) -> bool:
        """Whether a searcher answers already, without being started first."""
        return self._pool.is_running

    def prepare(self, stop: Stop) -> None:
        """Start a searcher that is ready for any search."""
        self.search(_FIRST, stop)

    search = remote_method(Explorer.search)
    facets = remote_method(Explorer.facets)
    clauses = remote_method(Explorer.clauses)
    explain = remote_method(Explorer.explain)
    related = remote_method(Explorer.related)
    find = remote_method(Explorer.find)
    read_lines = remote_method(Explorer.read_lines)
    read_windows = remote_method(Explorer.read_windows)
    read_chunks = remote_method(Explorer.read_chunks)
    describe = remote_method(Explorer.describe)
    lookup = remote_method(Explorer.lookup)
    layout = remote_method(Explorer.layout)
    documents = remote_method(Explorer.documents)
    difference = remote_method(Explorer.difference)
    guide = remote_method(Explorer.guide)
    attachments = remote_method(Explorer.attachments)
    attached_contents = remote_method(Explorer.attached_contents)
    file_copy = remote_method(Explorer.file_copy)
    facts = remote_method(Explorer.facts)
    list_files = remote_method(FileBrowser.list_files)
    file_paths = remote_method(FileBrowser.file_paths)
    folder_contents = remote_method(FileBrowser.folder_contents)
    overview = remote_method(FileBrowser.overview)

    def _start(self, stop: Stop) -> Endpoint:
        signs_in = Library(self._library).is_team()
        environment = session_environment(TEAM_PASSWORD, TEAM_TOKEN, STORE_SECRET) if signs_in else plain_environment()
        child = Child.start("_searcher", "--library", str(self._library.absolute()), environment=environment)
        return Endpoint(child.connection, child.kill)


def _limits() -> PoolLimits:
    return PoolLimits(min(os.cpu_count() or 1, MOST), _has_memory)


def _has_memory() -> bool:
    import psutil

    return psutil.virtual_memory().available >= FREE_BYTES


def _prepare(remote: Remote) -> None:
    Call(Explorer.search).ask(remote, _FIRST, Stop())
