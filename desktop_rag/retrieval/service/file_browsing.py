"""The list of all files, their problems and statistics, and what is attached, over the catalog of a library."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId, FolderId
from desktop_rag.retrieval.api import Attachment
from desktop_rag.retrieval.reading.attached_documents import find_attachments
from desktop_rag.retrieval.service.open_catalog import OpenCatalog, interruptible
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.index.catalog.file_listing import FileListing
    from desktop_rag.index.file_rows import DiskUse, FileQuery, FileWindow, FolderContents, LibraryOverview


class FileBrowsing(OpenCatalog):
    """A `FileBrowser`; a library that does not exist has no files."""

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._listing: FileListing | None = None

    def close(self) -> None:
        """Close the catalog and forget the order of the files."""
        super().close()
        self._listing = None

    def list_files(self, query: "FileQuery", first: int, count: int, stop: Stop) -> "FileWindow":
        """Return `count` rows of a query from position `first` (from 0), fewer at the end."""
        from desktop_rag.index.file_rows import FileWindow

        catalog = self._catalog()
        if catalog is None:
            return FileWindow(0, first, ())
        with interruptible(catalog, stop):
            return self._list_of(catalog).window(query, first, count)

    def file_paths(self, query: "FileQuery", limit: int, stop: Stop) -> tuple[tuple[FolderId, bytes], ...]:
        """Return root folder and absolute path of the first `limit` files of a query."""
        catalog = self._catalog()
        if catalog is None:
            return ()
        with interruptible(catalog, stop):
            return self._list_of(catalog).paths(query, limit)

    def folder_contents(self, folder: FolderId, inside: bytes, most: int, stop: Stop) -> "FolderContents":
        """Return at most `most` subfolders and files of a root folder, or of its subfolder at this relative path."""
        from desktop_rag.index.file_rows import FolderContents

        catalog = self._catalog()
        if catalog is None:
            return FolderContents()
        with interruptible(catalog, stop):
            return self._list_of(catalog).contents(folder, inside, most)

    def overview(self, folder: FolderId | None, stop: Stop) -> "LibraryOverview":
        """Return the statistics of a root folder, or of all with None, and the disk use of the whole library."""
        from desktop_rag.index.file_rows import LibraryOverview

        catalog = self._catalog()
        if catalog is None:
            return LibraryOverview(disk=_disk_use(self._library))
        with interruptible(catalog, stop):
            return replace(self._list_of(catalog).overview(folder), disk=_disk_use(self._library))

    def attachments(self, paths: tuple[bytes, ...], stop: Stop) -> tuple[Attachment, ...]:
        """Return what conversations have attached at these paths, in their order."""
        stop.check()
        catalog = self._catalog()
        return (
            tuple(Attachment(path, waiting=1) for path in paths)
            if catalog is None
            else find_attachments(catalog, paths)
        )

    def attached_contents(self, attached: tuple[FolderId, ...], stop: Stop) -> tuple[ContentId, ...]:
        """Return the contents of attached files and folders."""
        stop.check()
        catalog = self._catalog()
        return () if catalog is None else tuple(sorted(catalog.files.attached_contents(attached)))

    def file_copy(self, sha256: str, stop: Stop) -> Path | None:
        """Return nothing: the files of this library are on this computer."""
        del sha256, stop
        return None

    def _list_of(self, catalog: CatalogReader) -> "FileListing":
        from desktop_rag.index.catalog.file_listing import FileListing  # no search needs it

        self._listing = self._listing or FileListing(catalog)
        return self._listing


def _disk_use(library: Library) -> "DiskUse":
    from desktop_rag.index.file_rows import DiskUse

    own: list[Path] = []
    with suppress(OSError):
        own = list(library.files())
    backups = [path for path in own if ".backup" in path.name or ".damaged-" in path.name]
    rest = [path for path in own if path not in backups]
    catalog = [path for path in rest if path.name.startswith(library.catalog.name)]
    user = [path for path in rest if path.name.startswith((library.conversations.name, library.bookmarks.name))]
    *keywords, vectors = library.index_folders()
    return DiskUse(
        catalog=_size(catalog),
        keywords=sum(map(_folder_size, keywords)),
        vectors=_folder_size(vectors),
        conversations=_size(user),
        backups=_size(backups),
    )


def _folder_size(folder: Path) -> int:
    return _size(Path(place) / name for place, _, names in os.walk(folder) for name in names)


def _size(paths: Iterable[Path]) -> int:
    total = 0
    for path in paths:
        with suppress(OSError):  # the indexer may have replaced it by now
            total += path.stat().st_size
    return total
