"""Short blocking commands (to the indexer, the disk, the keychain), one after the other on one background thread."""

import contextlib
import queue
from collections.abc import Callable, Generator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.gui.worker import StreamWorker
from desktop_rag.stop import Stop

Work = Callable[[Stop], object]
Then = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class _Done:
    then: Then
    result: object


@dataclass(frozen=True, slots=True)
class _Failed:
    error: DesktopRagError


class Commands(QObject):
    """A queue of commands that keep their order; what follows a command runs on the GUI thread."""

    failed = Signal(object)  # the DesktopRagError of a command; the next ones go on

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: queue.SimpleQueue[tuple[Work, Then] | None] = queue.SimpleQueue()
        self._worker = StreamWorker(name, self)
        self._worker.yielded.connect(self._on_yielded)
        self._worker.start(self._work_off)

    def run(self, work: Work, then: Then = lambda _: None) -> None:
        """Do `work` in the background, then call `then` with its result on the GUI thread."""
        self._waiting.put((work, then))

    def close(self) -> None:
        """Finish the commands given so far, within reason, and end the thread."""
        self._waiting.put(None)
        self._worker.close()

    def _work_off(self, stop: Stop) -> Generator[object]:
        with stop.interrupting(lambda: self._waiting.put(None)):
            while (command := self._waiting.get()) is not None:
                work, then = command
                with contextlib.suppress(Stopped):
                    try:
                        yield _Done(then, work(stop))
                    except DesktopRagError as error:
                        if isinstance(error, Stopped):
                            raise
                        yield _Failed(error)

    @Slot(object)
    def _on_yielded(self, outcome: object) -> None:
        match outcome:
            case _Done(then, result):
                then(result)
            case _Failed(error):
                self.failed.emit(error)
