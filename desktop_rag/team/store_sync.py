"""Keeps the files with pages of one source in a store of files: no fewer, and none that was removed."""

import logging
import os
import time
from pathlib import Path

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.stop import Stop
from desktop_rag.team.file_store import FileStore, place_in_store
from desktop_rag.team.source_files import SourceFiles, TeamSource

logger = logging.getLogger(__name__)

_FACTOR, _LEAST_SECONDS = 20.0, 5.0  # files are compared again after this multiple of the time it takes, not before


class StoreSync:
    """Stores and deletes what has changed; what a killed writer has left is found out by listing the store."""

    def __init__(self, catalog: CatalogReader, source: TeamSource, number: int, store: FileStore) -> None:
        self._catalog = catalog
        self._files = SourceFiles(catalog, source)
        self._store = store
        self._place = place_in_store(source.space, number)
        self._stored: set[str] | None = None
        self._version, self._next = -1, 0.0

    def follow(self, stop: Stop, *, now: bool = False) -> None:
        """Compare the store with the library if that has changed, not too often unless `now`; raises `TeamError`."""
        version, began = self._catalog.data_version(), time.monotonic()
        if version == self._version or (began < self._next and not now):
            return
        self._next = began + _LEAST_SECONDS  # also after a failure
        if self._stored is None:
            self._stored = set(self._store.hashes(self._place, stop))
        wanted: set[str] = set()
        for sha256, paths in self._files.with_pages():
            wanted.add(sha256)
            if sha256 not in self._stored and any(self._put(sha256, path, stop) for path in paths):
                self._stored.add(sha256)
        for sha256 in self._stored - wanted:
            self._store.delete(self._place, sha256, stop)
            self._stored.discard(sha256)
        self._version, self._next = version, began + max(_LEAST_SECONDS, _FACTOR * (time.monotonic() - began))

    def _put(self, sha256: str, path: bytes, stop: Stop) -> bool:
        try:
            return self._store.put(self._place, sha256, Path(os.fsdecode(path)), stop)
        except OSError as error:  # it is gone or cannot be read now; the text page is shown
            logger.info("a file was not stored: %s", error.strerror)
            return False
