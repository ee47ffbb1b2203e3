"""Hints reach the scans as they came, whenever they come: no look at one folder becomes one at all of them."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import MethodType

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.root_folders import add_roots
from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderId
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop


class Turned:
    """A loop that is turned by hand, and counts the folders its scans visit."""

    def __init__(self, library: Library, root: Path) -> None:
        self.board = StatusBoard()
        with closing(Catalog.open(library.catalog)) as catalog:
            (self.folder,) = add_roots(catalog, (os.fsencode(root),)).folders
        self.loop = IndexerLoop(library, encoder_folder(), self.board, Stop())
        self.visited: list[bytes] = []
        scans = self.loop._pipeline.scans
        scans._visiting = lambda folder, path, device: self.visited.append(path)
        self.pauses = scans._not_before

    def settle(self) -> list[bytes]:
        """Scan until nothing is wanted any more; return the folders that were visited."""
        self.visited.clear()
        scans = self.loop._pipeline.scans
        while self.board.asked() or scans._wanted or scans._running:
            self.loop._begin_scans()
            self.pauses.clear()
            scans.step()
        return list(self.visited)

    def close(self) -> None:
        self.loop._watcher.close()
        self.loop._pipeline.close()


@pytest.fixture
def turned(library: Library, tmp_path: Path) -> Iterator[Turned]:
    root = tmp_path / "root"
    for number in range(20):
        (root / f"sub{number}").mkdir(parents=True)
    turned = Turned(library, root)
    turned.loop._begin_scans()  # the first look is at everything
    turned.settle()
    yield turned
    turned.close()


def after(board: StatusBoard, name: str, then: Callable[[], None]) -> None:
    """Call `then` once, when the next call of a method of the board is about to return."""
    method = getattr(board, name)

    def once(self: StatusBoard, *arguments: object) -> object:
        setattr(self, name, method)
        found = method(*arguments)
        then()
        return found

    setattr(board, name, MethodType(once, board))


def hint(turned: Turned, name: bytes) -> None:
    turned.loop.look_at(turned.folder, frozenset({Hint(name, deep=False)}))


def test_a_hint_is_looked_at_alone(turned: Turned) -> None:
    hint(turned, b"sub3")
    assert turned.settle() == [b"sub3"]


def test_a_hint_that_comes_while_scans_begin_is_looked_at_alone(turned: Turned) -> None:
    """Between the question what is asked for and the moment in which the hints are taken."""
    turned.loop._offline_at = 0.0  # scans begin, though nothing is asked for
    after(turned.board, "asked", lambda: hint(turned, b"sub3"))
    turned.loop._begin_scans()
    assert turned.settle() == [b"sub3"]


def test_a_second_hint_that_comes_while_scans_begin_is_looked_at_alone(turned: Turned) -> None:
    hint(turned, b"sub3")
    after(turned.board, "asked", lambda: hint(turned, b"sub5"))
    turned.loop._begin_scans()
    assert sorted(turned.settle()) == [b"sub3", b"sub5"]


def test_a_hint_is_looked_at_once_when_it_is_taken_before_it_is_asked_for(turned: Turned) -> None:
    hint(turned, b"sub3")

    def late(self: StatusBoard, folder: FolderId) -> None:
        turned.loop._begin_scans()  # it is asked for a moment after its hints were noted
        ask(folder)

    ask = turned.board.ask_for_scan
    turned.board.ask_for_scan = MethodType(late, turned.board)  # type: ignore[method-assign]
    hint(turned, b"sub5")
    turned.board.ask_for_scan = ask  # type: ignore[method-assign]
    assert sorted(turned.settle()) == [b"sub3", b"sub5"]


def test_the_whole_root_is_looked_at_when_that_is_asked_for(turned: Turned) -> None:
    hint(turned, b"sub3")
    turned.loop.look_at(turned.folder)
    assert len(turned.settle()) == 21
