"""A worker whose older questions are forgotten: only what the newest job says is heard."""

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.background.stream_worker import Job, StreamWorker


class LatestOnlyWorker(QObject):
    """Runs the newest job; what an older one still says is dropped."""

    answered = Signal(object)  # an event of the newest job
    failed = Signal(object)  # the error that ended the newest job
    finished = Signal()  # the newest job is over, also after `failed` and after `stop`

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pending = 0  # jobs are pumped one after the other: with one pending, it is the newest that speaks
        self._closing = False
        self._worker = StreamWorker(name, self)
        self._worker.yielded.connect(self._on_yielded)
        self._worker.failed.connect(self._on_failed)
        self._worker.finished.connect(self._on_finished)

    def ask(self, job: Job) -> None:
        """Run `job` in place of whatever runs."""
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
        """Say nothing more, and go when the running job has ended; returns at once."""
        self._closing = True
        self._worker.stop()
        if not self._pending:
            self.close()
            self.deleteLater()

    def close(self) -> None:
        """Stop the job and wait for its end."""
        self._closing = True
        self._worker.close()

    @Slot(object)
    def _on_yielded(self, event: object) -> None:
        if self._pending == 1 and not self._closing:
            self.answered.emit(event)

    @Slot(object)
    def _on_failed(self, error: object) -> None:
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
