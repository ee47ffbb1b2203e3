"""The worker is tested with plain generators: no agent, no widgets."""

import threading
import time
from collections.abc import Generator, Iterator
from itertools import count, groupby

import pytest
from PySide6.QtCore import QObject, QThread, QTimer, Signal
from pytestqt.qtbot import QtBot

from desktop_rag.errors import LibraryError
from desktop_rag.gui.background import StreamWorker
from desktop_rag.stop import Stop


class Received(QObject):
    """Records the delivered events and the threads they were delivered on."""

    delivered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.events: list[object] = []
        self.threads: set[int] = set()

    def __call__(self, event: object) -> None:
        self.threads.add(threading.get_ident())
        self.events.append(event)
        self.delivered.emit(event)


@pytest.fixture
def received(qapp: QObject) -> Received:
    return Received()


@pytest.fixture
def worker(received: Received) -> Iterator[StreamWorker[object]]:
    worker: StreamWorker[object] = StreamWorker("test", received)
    yield worker
    worker.close()


def test_events_arrive_in_order_on_the_gui_thread(
    worker: StreamWorker[object], received: Received, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(worker.finished):
        worker.start(lambda stop: (n for n in range(3)))
    assert received.events == [0, 1, 2]
    assert received.threads == {threading.get_ident()}


def test_nothing_is_run_after_close(worker: StreamWorker[object], received: Received, qtbot: QtBot) -> None:
    with qtbot.waitSignal(worker.finished):
        worker.start(lambda stop: (n for n in range(1)))
    worker.close()
    worker.start(lambda stop: (n for n in range(9)))
    assert not worker.is_running()
    assert not any(thread.isRunning() for thread in worker.findChildren(QThread))
    assert received.events == [0]


def test_stop_wakes_a_waiting_job_and_delivers_its_last_words(
    worker: StreamWorker[object], received: Received, qtbot: QtBot
) -> None:
    closed_on: list[int] = []

    def job(stop: Stop) -> Generator[str]:
        try:
            yield "working"
            assert stop.wait(30)
            yield "stopped"
        finally:
            closed_on.append(threading.get_ident())

    with qtbot.waitSignal(received.delivered):
        worker.start(job)
    with qtbot.waitSignal(worker.finished):
        worker.stop()
    assert received.events == ["working", "stopped"]
    assert len(closed_on) == 1
    assert closed_on != [threading.get_ident()]


def test_a_job_that_ignores_stop_is_closed(worker: StreamWorker[object], received: Received, qtbot: QtBot) -> None:

    def endless(stop: Stop) -> Generator[int]:
        yield 0
        assert stop.wait(30)
        yield from count(1)

    with qtbot.waitSignal(received.delivered):
        worker.start(endless)
    with qtbot.waitSignal(worker.finished):
        worker.stop()
    assert 1 < len(received.events) < 100


def test_a_job_that_raises_stopped_has_not_failed(
    worker: StreamWorker[object], received: Received, qtbot: QtBot
) -> None:
    said: list[object] = []

    def job(stop: Stop) -> Generator[int]:
        yield 0
        stop.wait(30)
        stop.check()

    worker.failed.connect(said.append)
    with qtbot.waitSignal(received.delivered):
        worker.start(job)
    with qtbot.waitSignal(worker.finished):
        worker.stop()
    assert said == []


def test_a_failing_job_reports_and_finishes(worker: StreamWorker[object], qtbot: QtBot) -> None:
    def job(stop: Stop) -> Generator[int]:
        yield 0
        raise LibraryError("bad page")

    said: list[str] = []
    worker.failed.connect(lambda error: said.append(str(error)))
    worker.finished.connect(lambda: said.append("finished"))
    with qtbot.waitSignal(worker.finished):
        worker.start(job)
    assert said == ["bad page", "finished"]


def test_a_job_that_cannot_even_start_reports_and_finishes(worker: StreamWorker[object], qtbot: QtBot) -> None:
    def job(stop: Stop) -> Generator[int]:
        raise LibraryError("no library")

    with qtbot.waitSignals([worker.failed, worker.finished], order="strict"):
        worker.start(job)


def test_a_new_job_replaces_the_running_one(worker: StreamWorker[object], received: Received, qtbot: QtBot) -> None:
    def slow(stop: Stop) -> Generator[str]:
        yield "old"
        stop.wait(30)
        stop.check()
        yield "never"

    worker.finished.connect(lambda: received.events.append("finished"))
    with qtbot.waitSignal(received.delivered):
        worker.start(slow)
    worker.start(lambda stop: (word for word in ["new"]))
    qtbot.waitUntil(lambda: not worker.is_running())
    assert received.events == ["old", "finished", "new", "finished"]


def test_a_job_stopped_before_it_began_never_runs(
    worker: StreamWorker[object], received: Received, qtbot: QtBot
) -> None:
    ran: list[str] = []

    def job(stop: Stop) -> Generator[int]:
        ran.append("job")
        yield 0

    release = threading.Event()

    def holding(stop: Stop) -> Generator[int]:
        yield 0
        release.wait(60)

    with qtbot.waitSignal(received.delivered):
        worker.start(holding)
    worker.start(job)
    worker.stop()
    release.set()
    qtbot.waitUntil(lambda: not worker.is_running())
    assert ran == []


def test_close_waits_for_a_running_job(worker: StreamWorker[object], received: Received, qtbot: QtBot) -> None:
    done: list[bool] = []

    def job(stop: Stop) -> Generator[int]:
        try:
            yield 0
            stop.wait(30)
        finally:
            done.append(True)

    with qtbot.waitSignal(received.delivered):
        worker.start(job)
    worker.close()
    assert done == [True]


def test_closing_a_worker_that_never_ran_is_quiet(worker: StreamWorker[object]) -> None:
    assert not worker.is_running()
    worker.close()


def test_a_burst_leaves_turns_to_the_window(qtbot: QtBot) -> None:
    """Qt would deliver all of it in one turn of the event loop."""
    received: list[object] = []

    def receive(event: int) -> None:
        received.append(event)
        time.sleep(0.001)

    worker = StreamWorker("burst", receive)
    beat = QTimer()
    beat.timeout.connect(lambda: received.append(None))
    with qtbot.waitSignal(worker.finished):
        worker.start(lambda _: (number for number in range(200)))
        beat.start(0)
    beat.stop()
    worker.close()
    assert [event for event in received if event is not None] == list(range(200))
    turns = [len(list(group)) for is_beat, group in groupby(received, lambda event: event is None) if not is_beat]
    assert max(turns) < 20


def test_a_job_is_not_far_ahead_of_the_window(worker: StreamWorker[object], received: Received, qtbot: QtBot) -> None:
    made = count()
    worker.start(lambda stop: (number for number in made))
    qtbot.waitUntil(lambda: len(received.events) > 200)
    assert next(made) < len(received.events) + 40
    with qtbot.waitSignal(worker.finished):
        worker.stop()
    assert len(received.events) < next(made)
