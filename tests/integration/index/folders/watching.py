"""What the tests of watching share: collected reports, and folders that are watched."""

import os
import queue
import sys
from pathlib import Path

import pytest

from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.watch import Watcher
from desktop_rag.index.records import FolderId

ONE, TWO = FolderId(1), FolderId(2)
PATIENCE = 20.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs inotify")


class Reports:
    """Collects reports; waits for them instead of for time."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[FolderId, frozenset[Hint]]] = queue.SimpleQueue()

    def __call__(self, folder: FolderId, hints: frozenset[Hint]) -> None:
        self._queue.put((folder, hints))

    def next(self) -> tuple[FolderId, frozenset[Hint]]:
        return self._queue.get(timeout=PATIENCE)

    def until(self, folder: FolderId) -> list[FolderId]:
        """Return what is reported before `folder` is."""
        before: list[FolderId] = []
        while (reported := self.next()[0]) != folder:
            before.append(reported)
        return before

    def until_hint(self, hint: Hint) -> None:
        """Wait for a report that includes this hint: what is told late is told with the folder above it."""
        while not any(told == hint or (told.deep and is_at_or_below(hint.path, told.path)) for told in self.next()[1]):
            pass

    def empty(self) -> bool:
        return self._queue.empty()


def is_at_or_below(path: bytes, above: bytes) -> bool:
    return above in (b"", path) or path.startswith(above + b"/")


def begin(watcher: Watcher, folder: FolderId, path: Path) -> Path:
    (path / "sub").mkdir(parents=True)
    (path / "old.txt").write_text("old", encoding="utf-8")
    watcher.watch(folder, os.fsencode(path))
    visit(watcher, folder, path)
    return path


def visit(watcher: Watcher, folder: FolderId, root: Path) -> None:
    """Do what a scan does."""
    for place, _, _ in os.walk(root):
        path = b"" if place == str(root) else os.fsencode(Path(place).relative_to(root))
        watcher.visit(folder, path, Path(place).stat().st_dev)
