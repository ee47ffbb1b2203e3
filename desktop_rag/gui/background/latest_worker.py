"""A worker that delivers only the events of its newest job, for requests that make earlier ones obsolete."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.background.stream_worker import Job, StreamWorker

T = TypeVar("T")


class LatestOnlyWorker(QObject, Generic[T]):
    """Runs the newest job and passes its events to `receive`; events of older jobs are dropped."""

    failed = Signal(Exception)  # what ended the newest job
    finished = Signal()  # the newest job is over, also after `failed` and after `stop`
    _received = Signal(object)

    def __init__(self, name: str, receive: Callable[[T], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._received.connect(receive)
        self._pending = 0  # jobs run one after the other: with one pending, events are those of the newest
        self._closing = False
        self._worker: StreamWorker[T] = StreamWorker(name, self._on_yielded, self)
        self._worker.failed.connect(self._on_failed)
        self._worker.finished.connect(self._on_finished)

    def ask(self, job: Job[T]) -> None:
        """Run `job` instead of the running one."""
        if not self._closing:
            self._pending += 1
            self._worker.start(job)

    def stop(self) -> None:
        """Ask the running job to end."""
        self._worker.stop()

    def is_busy(self) -> bool:
        """Return whether a job has not ended yet."""
        return self._pending > 0

    def leave(self) -> None:
        """Deliver nothing more, and delete itself when the running job has ended; return at once."""
        self._closing = True
        self._worker.stop()
        if not self._pending:
            self.close()
            self.deleteLater()

    def close(self) -> None:
        """Stop the job and wait until it has ended."""
        self._closing = True
        self._worker.close()

    def _on_yielded(self, event: T) -> None:
        if self._pending == 1 and not self._closing:
            self._received.emit(event)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if self._pending == 1 and not self._closing:
            self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._pending -= 1
        if self._pending:
            return
        if self._closing:
            self.close()
            self.deleteLater()
        else:
            self.finished.emit()
