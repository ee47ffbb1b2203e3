"""Runs a stream of events on a background thread and re-emits it on the GUI thread."""

import logging
from collections.abc import Callable, Generator
from contextlib import closing

from PySide6.QtCore import QObject, QThread, Signal, Slot

from desktop_rag.errors import Stopped
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

Job = Callable[[Stop], Generator[object]]

_LAST_WORDS = 64  # events a stopped job may still say; one that goes on regardless is closed


class _Runner(QObject):
    """The half that lives on the background thread."""

    yielded = Signal(object)
    failed = Signal(object)
    finished = Signal()

    @Slot(object, object)
    def run(self, job: Job, stop: Stop) -> None:
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

    def _pump(self, job: Job, stop: Stop) -> None:
        words_left = _LAST_WORDS
        with closing(job(stop)) as events:
            for event in events:
                self.yielded.emit(event)
                if stop.is_set():
                    words_left -= 1
                    if not words_left:
                        break


class StreamWorker(QObject):
    """Runs one job at a time on its own thread; all its signals arrive on the GUI thread."""

    yielded = Signal(object)  # each event of the job, in order; also what it says after `stop`
    failed = Signal(object)  # the exception that ended the job; `Stopped` is no failure
    finished = Signal()  # once a job, always last, also after `failed` and after `stop`
    _submitted = Signal(object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = Stop()
        self._jobs = 0
        self._thread = QThread(self)
        self._thread.setObjectName(name)
        self._runner = _Runner()
        self._runner.moveToThread(self._thread)
        self._submitted.connect(self._runner.run)
        # Signal to signal: the hop makes every receiver safe, even a lambda.
        self._runner.yielded.connect(self.yielded)
        self._runner.failed.connect(self.failed)
        self._runner.finished.connect(self._on_job_finished)

    def start(self, job: Job) -> None:
        """Run `job`; a job that is still running is stopped first and finishes before this one says a word."""
        self.stop()
        self._stop = Stop()  # one a job, or a late `stop` would be forgotten
        self._jobs += 1
        if not self._thread.isRunning():
            self._thread.start()
        self._submitted.emit(job, self._stop)

    def stop(self) -> None:
        """Ask the running job to end and wake it from what it waits for; returns at once."""
        self._stop.set()

    def is_running(self) -> bool:
        """Return whether a job has been started whose `finished` has not arrived yet."""
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
