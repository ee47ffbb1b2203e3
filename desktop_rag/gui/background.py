"""Pumps a generator of events on a background thread and delivers them on the GUI thread."""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.paths import log_folder
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


# Short blocking commands (to the indexer, the disk, the keychain), run in order on one background thread.

_Callback = Callable[[], None]
_Command = Callable[[Stop], _Callback]  # does the work and returns its callback for the GUI thread


@dataclass(frozen=True, slots=True)
class _Done:
    callback: _Callback


@dataclass(frozen=True, slots=True)
class _Failed:
    error: DesktopRagError


class CommandQueue(QObject):
    """Runs commands in the order they were given and passes each result to a callback on the GUI thread."""

    failed = Signal(DesktopRagError)  # of one command; the next ones still run

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: queue.SimpleQueue[_Command | None] = queue.SimpleQueue()
        self._worker = StreamWorker(name, self._on_outcome, self)
        self._worker.start(self._run_queue)

    def run(self, work: Callable[[Stop], T], then: Callable[[T], None] = lambda _: None) -> None:
        """Run `work` in the background, then call `then` with its result on the GUI thread."""
        self._waiting.put(lambda stop: partial(then, work(stop)))

    def close(self) -> None:
        """Finish the commands given so far, within reason, and end the thread."""
        self._waiting.put(None)
        self._worker.close()

    def _run_queue(self, stop: Stop) -> Generator[_Done | _Failed]:
        with stop.interrupting(lambda: self._waiting.put(None)):
            while (command := self._waiting.get()) is not None:
                outcome = self._outcome(command, stop)
                if outcome is not None:
                    yield outcome

    def _outcome(self, command: _Command, stop: Stop) -> _Done | _Failed | None:
        try:
            return _Done(command(stop))
        except Stopped:
            return None
        except DesktopRagError as error:
            return _Failed(error)
        except Exception as error:  # an unforeseen error must not end the queue
            logger.exception("a command failed unexpectedly")
            return _Failed(_unexpected(error))

    def _on_outcome(self, outcome: _Done | _Failed) -> None:
        match outcome:
            case _Done(callback):
                callback()
            case _Failed(error):
                self.failed.emit(error)


def _unexpected(error: Exception) -> DesktopRagError:
    reason = str(error) or type(error).__name__
    wrapped = DesktopRagError(
        f"An unexpected error occurred ({reason}). Try again; if it happens again, the log in {log_folder()} says more."
    )
    wrapped.__cause__ = error
    return wrapped


# A worker that delivers only the events of its newest job, for requests that make earlier ones obsolete.


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
