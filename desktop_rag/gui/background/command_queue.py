"""Short blocking commands (to the indexer, the disk, the keychain), run in order on one background thread."""

import logging
import queue
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.paths import log_folder
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

T = TypeVar("T")

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
