"""The Protocol of the search page: a `Retriever` that also explains results and finds related passages."""

from pathlib import Path
from typing import Protocol

from desktop_rag.index.file_rows import FileQuery, FileWindow, FolderContents, LibraryOverview
from desktop_rag.index.records import ChunkId, FolderId
from desktop_rag.retrieval.api import Retriever, SearchRequest, SearchResult
from desktop_rag.retrieval.explain.explanation import Explanation
from desktop_rag.stop import Stop


class Explorer(Retriever, Protocol):
    """A retriever for the user to explore; `explain` raises `QueryError` like `search`."""

    def explain(self, path: Path, request: SearchRequest | None, stop: Stop) -> Explanation:
        """Explain why a file is found or not, in the library and by `request` if given."""

    def related(self, chunk: ChunkId, limit: int, stop: Stop) -> SearchResult:
        """Return passages of other documents linked from or to a passage, and its semantic neighbours."""


# The Protocol of the list of all files.


class FileBrowser(Protocol):
    """Read access to the list of files; every method may raise `LibraryError`, `ProcessError` or `Stopped`."""

    def list_files(self, query: FileQuery, first: int, count: int, stop: Stop) -> FileWindow:
        """Return `count` rows of a query from position `first` (from 0), fewer at the end."""

    def file_paths(self, query: FileQuery, limit: int, stop: Stop) -> tuple[tuple[FolderId, bytes], ...]:
        """Return root folder and absolute path of the first `limit` files of a query."""

    def folder_contents(self, folder: FolderId, inside: bytes, most: int, stop: Stop) -> FolderContents:
        """Return at most `most` subfolders and files of a root folder, or of its subfolder at this relative path."""

    def overview(self, folder: FolderId | None, stop: Stop) -> LibraryOverview:
        """Return the statistics of a root folder, or of all with None, and the disk use of the whole library."""


class SearcherRequests(Explorer, FileBrowser, Protocol):
    """Everything the searcher process answers."""
