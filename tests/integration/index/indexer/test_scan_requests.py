"""Hints reach the scans at any moment: a hint for one folder never causes a full scan."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import MethodType

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.folders.file_changes import Hint
from desktop_rag.index.folders.root_folders import add_root_folders
from desktop_rag.index.indexer import indexer_loop
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderId
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop


class ManualLoop:
    """An indexer loop whose scans the test steps, recording the visited folders."""

    def __init__(self, library: Library, root: Path) -> None:
        self.board = StatusBoard()
        with closing(Catalog.open(library.catalog)) as catalog:
            (self.folder,) = add_root_folders(catalog, (os.fsencode(root),)).folders
        self.loop = IndexerLoop(library, encoder_folder(), self.board, Stop())
        self.visited: list[bytes] = []
        scans = self.loop._pipeline.scans
        scans._visiting = lambda folder, path, device: self.visited.append(path)
        self.pauses = scans._not_before

    def settle(self) -> list[bytes]:
        """Scan until no request is left; return the visited folders."""
        self.visited.clear()
        scans = self.loop._pipeline.scans
        while self.board.scan_requests() or scans._queued or scans._running:
            self.loop._start_scans()
            self.pauses.clear()
            scans.step()
        return list(self.visited)

    def close(self) -> None:
        self.loop._watcher.close()
        self.loop._pipeline.close()


@pytest.fixture
def manual(library: Library, tmp_path: Path) -> Iterator[ManualLoop]:
    root = tmp_path / "root"
    for number in range(20):
        (root / f"sub{number}").mkdir(parents=True)
    manual = ManualLoop(library, root)
    manual.loop._start_scans()  # the first scan is full
    manual.settle()
    yield manual
    manual.close()


def after(board: StatusBoard, name: str, then: Callable[[], None]) -> None:
    """Call `then` once, when the next call of a method of the board is about to return."""
    method = getattr(board, name)

    def once(self: StatusBoard, *arguments: object) -> object:
        setattr(self, name, method)
        found = method(*arguments)
        then()
        return found

    setattr(board, name, MethodType(once, board))


def hint(manual: ManualLoop, name: bytes) -> None:
    manual.loop.request_scan(manual.folder, frozenset({Hint(name, deep=False)}))


def test_only_the_hinted_folder_is_scanned(manual: ManualLoop) -> None:
    hint(manual, b"sub3")
    assert manual.settle() == [b"sub3"]


def test_a_hint_during_the_start_of_scans_is_scanned_alone(manual: ManualLoop) -> None:
    """The hint comes after the requests are read and before the hints are taken."""
    manual.loop._offline_at = 0.0  # scans start without a request
    after(manual.board, "scan_requests", lambda: hint(manual, b"sub3"))
    manual.loop._start_scans()
    assert manual.settle() == [b"sub3"]


def test_a_second_hint_during_the_start_of_scans_is_scanned_alone(manual: ManualLoop) -> None:
    hint(manual, b"sub3")
    after(manual.board, "scan_requests", lambda: hint(manual, b"sub5"))
    manual.loop._start_scans()
    assert sorted(manual.settle()) == [b"sub3", b"sub5"]


def test_a_hint_taken_before_its_request_is_scanned_once(manual: ManualLoop) -> None:
    hint(manual, b"sub3")

    def late(self: StatusBoard, folder: FolderId) -> None:
        manual.loop._start_scans()  # the hint is noted before the scan is requested
        ask(folder)

    ask = manual.board.request_scan
    manual.board.request_scan = MethodType(late, manual.board)  # type: ignore[method-assign]
    hint(manual, b"sub5")
    manual.board.request_scan = ask  # type: ignore[method-assign]
    assert sorted(manual.settle()) == [b"sub3", b"sub5"]


def test_a_request_without_hints_scans_the_whole_root(manual: ManualLoop) -> None:
    hint(manual, b"sub3")
    manual.loop.request_scan(manual.folder)
    assert len(manual.settle()) == 21


@pytest.mark.parametrize(("missing", "looks"), [("", 3), ("root", 1), ("inside", 1)])
def test_at_rest_drives_are_looked_for_only_while_some_are_missing(
    manual: ManualLoop, monkeypatch: pytest.MonkeyPatch, missing: str, looks: int
) -> None:
    monkeypatch.setattr(indexer_loop, "IDLE_SECONDS", 0.0)
    loop, folders = manual.loop, manual.loop._pipeline.catalog.folders
    monkeypatch.setattr(loop._pipeline, "wait_seconds", lambda: 60.0)
    loop._offline_at = 0.0
    loop._wake.clear()
    if missing == "root":
        folders.set_offline(manual.folder)
    elif missing:
        folders.set_away(manual.folder, {b"drive"})
    asked: list[int] = []

    def is_third() -> bool:
        asked.append(1)
        return len(asked) == 3

    loop._wait_for_work(is_third)
    assert len(asked) == looks


def test_encoding_makes_way_for_changed_files_but_not_each_time(
    manual: ManualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline, cancelled = manual.loop._pipeline, list[bool]()

    def encode(stop: Stop, threads: int) -> int:
        manual.loop.request_scan(manual.folder)
        cancelled.append(stop.is_set())
        return 1

    monkeypatch.setattr(pipeline._vectors, "encode_some", encode)
    manual.loop.request_scan(manual.folder)  # while nothing is encoded
    assert pipeline.encode_some()
    assert pipeline.encode_some()
    pipeline._make_way_at = 0.0  # as some seconds later
    assert pipeline.encode_some()
    assert cancelled == [True, False, True]
