"""The published status is correct at every moment."""

import queue
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer import status_board
from desktop_rag.index.indexer.status_board import IndexingActivity, Rate, StatusBoard, eta, status
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.stop import Stop

ONE, OTHER = FolderId(1), FolderId(2)


def test_nothing_is_complete_before_the_first_idle_state() -> None:
    assert not StatusBoard().is_idle()


def test_a_scan_requested_again_during_its_start_stays_requested() -> None:
    board = StatusBoard()
    board.update(phase=IndexingPhase.IDLE)
    board.request_scan(ONE)
    board.request_scan(OTHER)
    asked = board.scan_requests()
    board.request_scan(ONE)
    board.scans_started(asked)
    assert set(board.scan_requests()) == {ONE}
    assert not board.is_idle()
    board.scans_started(board.scan_requests())
    assert board.is_idle()


def test_trouble_is_cleared_by_the_next_progress() -> None:
    board = StatusBoard()
    board.update(trouble="The disk is full.")
    board.update(phase=IndexingPhase.READING)
    assert board.activity.trouble == "The disk is full."
    board.report_progress()
    assert board.activity.trouble == ""


def test_the_rate_covers_the_last_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rate = Rate()
    assert rate.per_second() == 0.0
    for _ in range(4):
        rate.add(10)
        now[0] += 1
    assert rate.per_second() == pytest.approx(10)
    now[0] += 7
    assert rate.per_second() == pytest.approx(3)
    now[0] += 60
    assert rate.per_second() == 0.0


def test_units_of_an_unknown_time_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first batch that took a minute made a job of half an hour one of a few seconds, then of minutes."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rate = Rate()
    rate.add(5_000)
    now[0] += 1
    assert rate.per_second() == 0.0
    rate.add(20)
    assert rate.per_second() == 0.0  # two marks within a second do not tell a rate either
    for _ in range(10):
        now[0] += 1
        rate.add(20)
    assert rate.per_second() == pytest.approx(20)


def test_a_pause_is_no_part_of_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    board = StatusBoard()
    board.files.add(10)
    now[0] += 30
    board.update(phase=IndexingPhase.IDLE)
    board.update(phase=IndexingPhase.READING)
    for _ in range(3):
        board.files.add(10)
        now[0] += 1
    assert board.files.per_second() == pytest.approx(10)


def test_the_eta_is_none_while_unknown() -> None:
    assert eta(IndexingPhase.ENCODING, 0, 0.0, 100, 20.0) == 5.0
    assert eta(IndexingPhase.READING, 30, 10.0, 100, 20.0) == 8.0
    assert eta(IndexingPhase.READING, 30, 10.0, 100, 0.0) is None
    assert eta(IndexingPhase.READING, 30, 0.0, 0, 0.0) is None
    assert eta(IndexingPhase.IDLE, 0, 0.0, 0, 0.0) is None
    assert eta(IndexingPhase.ENCODING, 0, 0.0, 0, 0.0) == 0.0


def test_an_offline_folder_has_no_watch_note(tmp_path: Path) -> None:
    with closing(Catalog.open(tmp_path / "catalog.sqlite")) as catalog:
        here, away = (catalog.folders.add(path, is_file=False) for path in (b"/here", b"/away"))
        catalog.folders.set_state(away, FolderState.OFFLINE)
        polled = IndexingActivity(notes=((here, "It is polled."), (away, "It is polled.")))
        notes = {folder.folder: folder.note for folder in status(catalog, polled, 0.0, 0.0).folders}
    assert notes == {here: "It is polled.", away: ""}


def test_a_rate_is_counted_and_asked_by_two_threads() -> None:
    rate, failures = Rate(), []

    def ask() -> None:
        try:
            for _ in range(3000):
                rate.per_second()
        except RuntimeError as error:
            failures.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        asker = threading.Thread(target=ask)
        asker.start()
        while asker.is_alive():
            rate.add(1)
            if len(rate._marks) > 500:
                rate.reset()
        asker.join()
    finally:
        sys.setswitchinterval(before)
    assert failures == []


def test_a_status_that_costs_much_is_published_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    stop = Stop()
    Catalog.open(tmp_path / "catalog.sqlite").close()

    def costly(*_: object) -> str:
        until = time.thread_time() + 0.03
        while time.thread_time() < until:
            pass
        return "status"

    def rest(seconds: float) -> bool:
        rests.append(seconds)
        stop.set()
        return True

    monkeypatch.setattr(status_board, "status", costly)
    monkeypatch.setattr(stop, "wait", rest)
    assert len(list(StatusBoard().follow(tmp_path / "catalog.sqlite", stop))) == 1
    assert rests[0] >= 20 * 0.03


def test_followers_are_told_of_searchable_files_without_the_usual_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Catalog.open(tmp_path / "catalog.sqlite").close()
    monkeypatch.setattr(status_board, "MIN_INTERVAL_SECONDS", 1000.0)
    board, stop = StatusBoard(), Stop()
    board.update(phase=IndexingPhase.READING)
    told: queue.SimpleQueue[object] = queue.SimpleQueue()

    def follow() -> None:
        for each in board.follow(tmp_path / "catalog.sqlite", stop):
            told.put(each)

    threading.Thread(target=follow, daemon=True).start()
    try:
        told.get(timeout=60)
        board.notify()
        board.report_searchable()
        told.get(timeout=60)
    finally:
        stop.set()


@pytest.mark.skipif(sys.platform != "linux", reason="counts what the process writes")
def test_counting_a_large_library_writes_no_file(tmp_path: Path) -> None:
    with closing(Catalog.open(tmp_path / "catalog.sqlite")) as catalog:
        catalog.folders.add(b"/a", is_file=False)
        catalog.database.execute(
            "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000) "
            "INSERT INTO file (folder, path, size, mtime_ns, inode, device, ctime_ns, pending) "
            "SELECT 1, CAST(n AS BLOB), 1, 1, n, 1, 1, 1 FROM number"
        )
    with closing(CatalogReader.open(tmp_path / "catalog.sqlite")) as reader:
        before = _written()
        (folder,) = status(reader, StatusBoard().activity, 0.0, 0.0).folders
        assert _written() - before < 100_000
    assert folder.found == 100_000


def test_a_look_for_scans_that_finds_none_wakes_no_follower() -> None:
    board = StatusBoard()
    board.request_scan(FolderId(1))
    before = board._current()[0]
    board.scans_started({})
    assert board._current()[0] == before
    board.scans_started({FolderId(1): 1})
    assert board._current()[0] > before


def _written() -> int:
    """Return the bytes that this thread has written; others of the process write, too."""
    lines = Path("/proc/thread-self/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["wchar"])
