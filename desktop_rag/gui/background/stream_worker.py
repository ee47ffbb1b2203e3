"""Pumps a generator of events on a background thread and delivers them on the GUI thread."""

import logging
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from desktop_rag.errors import Stopped
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

T = TypeVar("T")
Job = Callable[[Stop], Generator[T]]

_EVENTS_AFTER_STOP = 64  # a stopped job that yields more than this is closed


class _Runner(QObject):
    """The part that lives on the background thread."""

    yielded = Signal(object)
    failed = Signal(object)
    finished = Signal()

    @Slot(object, object)
    def run(self, job: Job[object], stop: Stop) -> None:
        try:
            if not stop.is_set():
                self._pump(job, stop)
        except Stopped:
            logger.debug("job stopped")
        except Exception as error:
            logger.exception("job failed")
            self.failed.emit(error)
        finally:
            self.finished.emit()

    def _pump(self, job: Job[object], stop: Stop) -> None:
        events_left = _EVENTS_AFTER_STOP
        with closing(job(stop)) as events:
            for event in events:
                self.yielded.emit(event)
                if stop.is_set():
                    events_left -= 1
                    if not events_left:
                        break


class StreamWorker(QObject, Generic[T]):
    """Runs one job at a time on its own thread; events and signals arrive on the GUI thread.

    `receive` gets each event of the job, in order, including those it yields after `stop`.
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
        self._thread = QThread(self)
        self._thread.setObjectName(name)
        self._runner = _Runner()
        self._runner.moveToThread(self._thread)
        self._submitted.connect(self._runner.run)
        # Signal to signal: the hop to this thread makes every receiver safe, even a lambda.
        self._runner.yielded.connect(self._yielded)
        self._runner.failed.connect(self.failed)
        self._runner.finished.connect(self._on_job_finished)

    def start(self, job: Job[T]) -> None:
        """Run `job`; a running job is stopped first and finishes before this one yields its first event."""
        self.stop()
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
        """Stop the job, then the thread, and wait for both."""
        self.stop()
        self._thread.quit()
        self._thread.wait()

    @Slot()
    def _on_job_finished(self) -> None:
        self._jobs -= 1
        self.finished.emit()
