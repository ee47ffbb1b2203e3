"""A schedule is obeyed by the indexer's loop: nothing is read while it waits, and deletions are still noticed."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.folders.root_folders import add_root_folders
from desktop_rag.index.indexer.indexer_loop import IndexerLoop, WorkGate
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.indexer_api import Hold, IndexingPhase, LibraryStatus, Schedule, WorkTime
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.running import Condition, add, only_folder, ready, settled, wait_until

pytestmark = pytest.mark.processes


class OnBattery:
    """The loop of a library that works on mains power only, in a thread, with the plug in the hands of the test."""

    def __init__(self, library: Library) -> None:
        library.create()
        self.catalog = library.catalog
        with closing(Catalog.open(library.catalog)) as catalog:
            catalog.folders.set_schedule(Schedule(WorkTime.MAINS))
        self.battery = True
        self.board, self.stop = StatusBoard(), Stop()
        self.loop: IndexerLoop | None = None
        self.library = library
        self.started = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        assert self.started.wait(60)

    def _run(self) -> None:
        self.loop = loop = IndexerLoop(self.library, encoder_folder(), self.board, self.stop)
        assert loop.gate.schedule == Schedule(WorkTime.MAINS)
        loop.gate = WorkGate(loop.gate.schedule, lambda: self.battery, lambda: float("inf"))
        self.started.set()
        loop.run(until=lambda: False)

    def add(self, folder: Path) -> None:
        assert self.loop is not None
        with closing(Catalog.open(self.catalog)) as catalog:
            for known in add_root_folders(catalog, [bytes(folder)]).folders:
                self.loop.request_scan(known)

    def wait(self, condition: Condition) -> LibraryStatus:
        with closing(self.board.follow(self.catalog, Stop())) as statuses:
            return next(status for status in statuses if condition(status))

    def close(self) -> None:
        self.stop.set()
        self.thread.join(60)


@pytest.fixture
def laptop(library: Library) -> Iterator[OnBattery]:
    laptop = OnBattery(library)
    yield laptop
    laptop.close()


def _held(status: LibraryStatus) -> bool:
    return status.hold is Hold.MAINS and status.phase is IndexingPhase.PAUSED and status.folders != ()


def test_on_battery_files_wait_and_deleted_ones_still_disappear(laptop: OnBattery, documents: Path) -> None:
    laptop.add(documents)
    status = laptop.wait(lambda status: _held(status) and only_folder(status).found == 5)
    assert (only_folder(status).searchable, status.waiting_files) == (0, 5)
    (documents / "audit.pdf").unlink()
    status = laptop.wait(lambda status: _held(status) and only_folder(status).found == 4)
    assert only_folder(status).searchable == 0
    laptop.battery = False
    laptop.wait(ready(2))
    status = laptop.wait(settled)
    assert (status.hold, status.waiting_files) == (Hold.NONE, 0)
    laptop.battery = True
    (documents / "later.md").write_text("Later.")
    status = laptop.wait(_held)
    assert (only_folder(status).searchable, status.waiting_files) == (2, 1)


def test_a_library_with_nothing_to_do_waits_for_nothing(laptop: OnBattery, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    laptop.add(empty)
    status = laptop.wait(lambda status: status.folders != () and settled(status))
    assert status.hold is Hold.NONE


def test_a_pause_with_an_end_is_kept_and_ended_by_going_on(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    until = time.time() + 3_600
    client.set_schedule(Schedule(WorkTime.ALWAYS, until), Stop())
    add(client, documents)
    status = wait_until(client, lambda status: status.hold is Hold.PAUSED or not status.folders)
    assert (status.phase, status.schedule.paused_until) == (IndexingPhase.PAUSED, until)
    assert only_folder(status).searchable == 0
    with closing(Catalog.open(library.catalog)) as catalog:
        assert catalog.folders.schedule() == Schedule(WorkTime.ALWAYS, until)
    client.resume(None, Stop())
    after = wait_until(client, lambda status: status.schedule == Schedule())
    assert after.hold is Hold.NONE  # at once
    wait_until(client, ready(3))


def test_a_schedule_that_cannot_be_read_is_the_usual_one(catalog: Catalog) -> None:
    catalog.folders.set_schedule(Schedule(WorkTime.IDLE))
    catalog.database.execute("UPDATE meta SET value = '{\"when\": 7' WHERE key = 'schedule'")
    assert catalog.folders.schedule() == Schedule()


def test_an_offline_folder_says_since_when(client: LibraryClient, documents: Path, tmp_path: Path) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    before = int(time.time())
    documents.rename(tmp_path / "away")
    status = wait_until(client, lambda status: only_folder(status).offline_since > 0)
    assert before <= only_folder(status).offline_since <= time.time()
    (tmp_path / "away").rename(documents)
    wait_until(client, lambda status: only_folder(status).offline_since == 0)
