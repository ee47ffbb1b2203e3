"""Pumps a generator of events on a background thread and delivers them on the GUI thread."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from desktop_rag.errors import Stopped
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

T = TypeVar("T")
Job = Callable[[Stop], Generator[T]]

_EVENTS_AFTER_STOP = 64  # a stopped job that yields more than this is closed
_MOST_WAITING = 16  # events that the window has not taken: a job is no faster than what is seen of it
_TURN_SECONDS = 0.008  # of the window's event loop for the events of one worker, then input and painting come first


class _Runner(QObject):
    """The part that lives on the background thread; what happens there waits in `happened` for the other part."""

    noted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.happened: deque[tuple[str, object]] = deque()  # the name of a signal of `StreamWorker`, and its value
        self.taken = threading.Event()  # set when the other part has taken some

    @Slot(object, object)
    def run(self, job: Job[object], stop: Stop) -> None:
        try:
            if not stop.is_set():
                self._pump(job, stop)
        except Stopped:
            logger.debug("job stopped")
        except Exception as error:
            logger.exception("job failed")
            self._note("failed", error)
        finally:
            self._note("finished")

    def _note(self, name: str, value: object = None) -> None:
        self.happened.append((name, value))
        self.noted.emit()

    def _pump(self, job: Job[object], stop: Stop) -> None:
        events_left = _EVENTS_AFTER_STOP
        with closing(job(stop)) as events:
            for event in events:
                self._note("yielded", event)
                if stop.is_set():
                    events_left -= 1
                    if not events_left:
                        break
                self._await_room(stop)

    def _await_room(self, stop: Stop) -> None:
        """Wait until few events wait: a long queue would still be drawn after `stop`."""
        self.taken.clear()
        if len(self.happened) > _MOST_WAITING:
            with stop.interrupting(self.taken.set):
                self.taken.wait()


class StreamWorker(QObject, Generic[T]):
    """Runs one job at a time on its own thread; events and signals arrive on the GUI thread.

    `receive` gets each event of the job, in order, including those it yields after `stop`. A burst of events is spread
    over several turns of the event loop: Qt alone would deliver them in one, and those that come meanwhile, too. A job
    that is far ahead of what was delivered waits.
    """

    failed = Signal(Exception)  # what ended the job; `Stopped` is not a failure
    finished = Signal()  # once per job, always last, also after `failed` and after `stop`
    _yielded = Signal(object)
    _submitted = Signal(object, object)

    def __init__(self, name: str, receive: Callable[[T], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._yielded.connect(receive)
        self._stop = Stop()
        self._jobs = 0
        self._closed = False
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._deliver)
        self._thread = QThread(self)
        self._thread.setObjectName(name)
        self._runner = _Runner()
        self._runner.moveToThread(self._thread)
        self._submitted.connect(self._runner.run)
        self._runner.noted.connect(self._on_noted)

    def start(self, job: Job[T]) -> None:
        """Run `job`; a running job is stopped first and finishes before this one yields its first event.

        After `close` nothing is run: a thread that is not joined would abort the program at its end.
        """
        self.stop()
        if self._closed:
            return
        self._stop = Stop()  # one per job, or a late `stop` would be lost
        self._jobs += 1
        if not self._thread.isRunning():
            self._thread.start()
        self._submitted.emit(job, self._stop)

    def stop(self) -> None:
        """Ask the running job to end, interrupting what it waits for; return at once."""
        self._stop.set()

    def is_running(self) -> bool:
        """Return whether a started job has not delivered `finished` yet."""
        return self._jobs > 0

    def close(self) -> None:
        """Stop the job, then the thread, and wait for both; for good."""
        self._closed = True
        self.stop()
        self._thread.quit()
        self._thread.wait()

    @Slot()
    def _on_noted(self) -> None:
        self._turns.start()

    @Slot()
    def _deliver(self) -> None:
        happened, until = self._runner.happened, time.monotonic() + _TURN_SECONDS
        while happened and time.monotonic() < until:
            match happened.popleft():
                case "yielded", event:
                    self._yielded.emit(event)
                case "failed", error:
                    self.failed.emit(error)
                case _:
                    self._jobs -= 1
                    self.finished.emit()
        self._runner.taken.set()
        if not happened:
            self._turns.stop()
