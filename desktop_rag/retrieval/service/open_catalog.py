"""The catalog of a library, opened when first needed and again when it was replaced."""

import os
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.paths import stat_of
from desktop_rag.stop import Stop


class OpenCatalog:
    """Base of what reads a library: one thread uses it at a time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._open_catalog: CatalogReader | None = None
        self._opened: tuple[int, int] | None = None

    def close(self) -> None:
        """Close the catalog, and everything opened with it."""
        if self._open_catalog is not None:
            self._open_catalog.close()
        self._open_catalog = None

    def _catalog(self) -> CatalogReader | None:
        """Return the current catalog, or None if there is none; raises `LibraryError` if a newer program wrote it."""
        stat = stat_of(self._library.catalog)
        if stat is None:
            return None
        seen = (stat.st_dev, stat.st_ino)
        if self._open_catalog is not None and seen != self._opened:
            self.close()  # the catalog was replaced
        if self._open_catalog is None:
            catalog = CatalogReader.open(self._library.catalog)
            try:
                catalog.require_known_format()
            except LibraryError:
                catalog.close()
                raise
            if not catalog.is_current():
                catalog.close()  # being created, or about to be replaced by the indexer
                return None
            self._open_catalog, self._opened = catalog, seen
        return self._open_catalog


class ReadableLibrary:
    """Checks before each request that there is a library; the catalog is opened only if its files have changed."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._wal = library.catalog.with_name(library.catalog.name + "-wal")
        self._known: object = None
        self._names: tuple[object, tuple[int, ...] | None] = None, None

    def require(self) -> None:
        """Raise `LibraryError` if there is no library, or one of a newer program, whose lines might be others."""
        require_catalog(self._library)
        if self._library.is_team():  # its searcher asks the server
            return
        state = [_state(file) for file in (self._library.catalog, self._wal)]
        if state != self._known:
            with closing(CatalogReader.open(self._library.catalog)) as catalog:
                catalog.require_known_format()
            self._known = state

    def names(self) -> tuple[int, ...] | None:
        """Return figures that differ when a file came, went or was renamed; None if there is no library."""
        state = [_state(file) for file in (self._library.catalog, self._wal)]
        if state != self._names[0]:
            try:
                with closing(CatalogReader.open(self._library.catalog)) as catalog:
                    self._names = state, catalog.files.names_check()
            except LibraryError:
                self._names = state, None
        return self._names[1]

    def folders(self) -> tuple[str, ...]:
        """Return the paths of the library's folders and single files; raises `LibraryError`."""
        if self._library.is_team():
            return ()
        with closing(CatalogReader.open(self._library.catalog)) as catalog:
            return tuple(os.fsdecode(path) for path, _ in catalog.folders.paths())


def _state(file: Path) -> tuple[int, ...]:
    """Return what changes with the content of a file; empty if there is none."""
    stat = stat_of(file)
    return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns) if stat else ()


@contextmanager
def interruptible(catalog: CatalogReader, stop: Stop) -> Generator[None]:
    """Interrupt the queries of the block on `stop`, and raise `Stopped` instead of their error."""
    with stop.interrupting(catalog.interrupt):
        stop.check()
        try:
            yield
        except LibraryError:
            stop.check()
            raise
