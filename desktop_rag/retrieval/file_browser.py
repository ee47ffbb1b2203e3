"""The Protocol of the list of all files."""

from typing import Protocol

from desktop_rag.index.file_rows import FileQuery, FileWindow, FolderContents, LibraryOverview
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.stop import Stop


class FileBrowser(Protocol):
    """Read access to the list of files; every method may raise `LibraryError`, `ProcessError` or `Stopped`."""

    def list_files(self, query: FileQuery, first: int, count: int, stop: Stop) -> FileWindow:
        """Return `count` rows of a query from position `first` (from 0), fewer at the end."""
        ...

    def file_paths(self, query: FileQuery, limit: int, stop: Stop) -> tuple[tuple[FolderId, bytes], ...]:
        """Return root folder and absolute path of the first `limit` files of a query."""
        ...

    def folder_contents(self, folder: FolderId, inside: bytes, most: int, stop: Stop) -> FolderContents:
        """Return at most `most` subfolders and files of a root folder, or of its subfolder at this relative path."""
        ...

    def overview(self, folder: FolderId | None, stop: Stop) -> LibraryOverview:
        """Return the statistics of a root folder, or of all with None, and the disk use of the whole library."""
        ...


class SearcherRequests(Explorer, FileBrowser, Protocol):
    """Everything the searcher process answers."""
