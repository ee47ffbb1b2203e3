"""Looks open documents up again when their folder or their file has changed in the library."""

import os
from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.records import ContentId, FolderState
from desktop_rag.retrieval.api import Retriever
from desktop_rag.stop import Stop

if TYPE_CHECKING:  # it is loaded with the first document
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab

CHECK_MS = 1_000  # while files are read, the status changes several times a second


class _Version(NamedTuple):
    """What a file contains; None if it is not in the library."""

    path: str
    content: ContentId | None


class Freshness(QObject):
    """Compares the open documents with their files after each change of the library."""

    def __init__(self, tabs: "Callable[[], Sequence[DocumentTab]]", retriever: Retriever, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs, self.retriever = tabs, retriever
        self._folders: tuple[FolderStatus, ...] = ()
        self._looked_up: set[tuple[ContentId | None, _Version]] = set()  # what a look-up cannot show is not tried twice
        self._timer = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._timer.timeout.connect(self._check)
        self._worker: LatestOnlyWorker[_Version] = LatestOnlyWorker("freshness", self._on_version, self)

    def update(self, status: LibraryStatus) -> None:
        """Look up the documents whose folder was removed, restored, lost or connected; check the files of all."""
        before, self._folders = self._folders, status.folders
        changed = _states(before).items() ^ _states(status.folders).items()
        known = {folder.path for folder in before} & {folder.path for folder in status.folders}
        roots = [os.fsdecode(path) for path in {path for path, _ in changed} & known]
        for tab in self._tabs():
            if is_inside(tab.path(), roots):
                tab.look_up_again()
        if before != status.folders and not self._timer.isActive():
            self._timer.start()

    def _check(self) -> None:
        paths = tuple(dict.fromkeys(tab.path() for tab in self._tabs() if tab.path()))
        if paths:
            self._worker.ask(partial(_versions, paths, self.retriever))

    def _on_version(self, version: _Version) -> None:
        changes = set[tuple[ContentId | None, _Version]]()
        for tab in self._tabs():
            card = tab.found.card if tab.found else None
            change = (card.content if card and card.path else None, version)
            if tab.found and tab.path() == version.path and change[0] != version.content:
                changes.add(change)
                if change not in self._looked_up:
                    tab.look_up_again()
        self._looked_up |= changes


def is_inside(path: str, roots: Sequence[str]) -> bool:
    """Return whether a path is one of the folders or in one."""
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _states(folders: tuple[FolderStatus, ...]) -> dict[bytes, FolderState]:
    return {folder.path: folder.state for folder in folders}


def _versions(paths: tuple[str, ...], retriever: Retriever, stop: Stop) -> Generator[_Version]:
    for path in paths:
        stop.check()
        card = retriever.lookup("", Path(path), stop)
        yield _Version(path, card.content if card and card.path else None)
