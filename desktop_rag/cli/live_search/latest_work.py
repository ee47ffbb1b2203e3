"""A thread that does the last thing asked of it; what was asked before is stopped."""

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from desktop_rag.errors import DesktopRagError, Stopped
from desktop_rag.stop import Stop

Done = TypeVar("Done")


class LatestWork(Generic[Done]):
    """`done` holds what was returned, or the error raised; `wake` is called from the thread when there is something."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.done: queue.SimpleQueue[Done | DesktopRagError] = queue.SimpleQueue()
        self._wake = wake
        self._changed = threading.Condition()
        self._wanted: Callable[[Stop], Done] | None = None
        self._stop = Stop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="live search", daemon=True)
        self._thread.start()

    def ask(self, work: Callable[[Stop], Done]) -> None:
        """Do this next; work in progress is stopped, and its result not told."""
        with self._changed:
            self._wanted = work
            self._stop.set()
            self._changed.notify()

    def close(self) -> None:
        """Stop the work and end the thread."""
        with self._changed:
            self._closed = True
            self._stop.set()
            self._changed.notify()
        self._thread.join(5)

    def _run(self) -> None:
        while (work := self._next()) is not None:
            try:
                found: Done | DesktopRagError = work(self._stop)
            except Stopped:
                continue
            except DesktopRagError as error:
                found = error
            with self._changed:
                if self._stop.is_set():  # something newer was asked for meanwhile
                    continue
                self.done.put(found)
            self._wake()

    def _next(self) -> Callable[[Stop], Done] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._wanted is not None or self._closed)
            work, self._wanted, self._stop = self._wanted, None, Stop()
            return None if self._closed else work
