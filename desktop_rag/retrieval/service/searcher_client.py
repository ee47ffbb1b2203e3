"""A `Retriever` that asks the searcher child; it starts the child at the first request and again after a crash."""

from pathlib import Path

from desktop_rag.processes.child import Child
from desktop_rag.processes.remote import Endpoint
from desktop_rag.processes.service import ServiceClient, remote_method
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.retrieval.file_browser import FileBrowser
from desktop_rag.stop import Stop


class SearcherClient(ServiceClient):
    """`Explorer` and `FileBrowser` in a child process; requests from several threads are answered one at a time."""

    def __init__(self, library: Path) -> None:
        super().__init__(self._start)
        self._library = library

    search = remote_method(Explorer.search)
    facets = remote_method(Explorer.facets)
    clauses = remote_method(Explorer.clauses)
    explain = remote_method(Explorer.explain)
    related = remote_method(Explorer.related)
    find = remote_method(Explorer.find)
    read_lines = remote_method(Explorer.read_lines)
    read_chunks = remote_method(Explorer.read_chunks)
    describe = remote_method(Explorer.describe)
    lookup = remote_method(Explorer.lookup)
    layout = remote_method(Explorer.layout)
    documents = remote_method(Explorer.documents)
    difference = remote_method(Explorer.difference)
    attachments = remote_method(Explorer.attachments)
    attached_contents = remote_method(Explorer.attached_contents)
    facts = remote_method(Explorer.facts)
    list_files = remote_method(FileBrowser.list_files)
    file_paths = remote_method(FileBrowser.file_paths)
    overview = remote_method(FileBrowser.overview)

    def _start(self, stop: Stop) -> Endpoint:
        child = Child.start("_searcher", "--library", str(self._library.absolute()))
        return Endpoint(child.connection, child.kill)
