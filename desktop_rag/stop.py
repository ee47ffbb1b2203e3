"""Cancellation of long jobs: a flag that any thread may set, which also interrupts what the job waits for.

Jobs are generators of events; `Job` keeps what one returns.
"""

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from desktop_rag.errors import Stopped

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.05  # between checks of the flag while waiting for a lock
_LOOK_SECONDS = 1.0  # at most between two looks at the time that is left


class _Interrupt:
    """One registered callback: it runs at most once, and never after its block was left."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.over = False  # it has run, or its block was left
        self.thread: int | None = None  # in which it is running


class Stop:
    """A cancellation flag: set once, from any thread; the job checks it and registers what to interrupt."""

    def __init__(self) -> None:
        self._set = False
        self._changed = threading.Condition()  # reentrant: a signal handler may interrupt its holder
        self._interrupts: list[_Interrupt] = []

    def set(self) -> None:
        """Cancel the job and interrupt everything it waits for; safe to call twice."""
        with self._changed:
            self._set = True
            self._changed.notify_all()
            interrupts = tuple(self._interrupts)
        for interrupt in interrupts:
            self._run(interrupt)

    def is_set(self) -> bool:
        """Return whether the job was cancelled."""
        return self._set

    def check(self) -> None:
        """Raise `Stopped` if the job was cancelled."""
        if self._set:
            raise Stopped

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; return whether the job was cancelled."""
        with self._changed:
            return self._changed.wait_for(self.is_set, seconds)

    @contextmanager
    def holding(self, lock: threading.Lock) -> Generator[None]:
        """Hold `lock` in the block; raises `Stopped` if cancelled while waiting for it."""
        while not lock.acquire(timeout=POLL_SECONDS):
            self.check()
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Generator[None]:
        """Call `interrupt` once, from the thread that sets the stop, while the block runs (at once if already set).

        Leaving the block waits for a running `interrupt`: do not hold a lock that `interrupt` needs.
        """
        registered = _Interrupt(interrupt)
        with self._changed:
            self._interrupts.append(registered)
            already = self._set
        try:
            if already:
                self._run(registered)
            yield
        finally:
            with self._changed:
                self._interrupts.remove(registered)
                registered.over = True
                # Its own thread must not wait for itself: the interrupt may be what leaves the block.
                while registered.thread not in (None, threading.get_ident()):
                    self._changed.wait()

    @contextmanager
    def within(self, left: Callable[[], float]) -> Generator["Stop"]:
        """Yield a stop that is set with this one, or when `left` tells that no seconds are left."""
        inner, over = Stop(), threading.Event()

        def watch() -> None:
            while not over.is_set():
                if (seconds := left()) <= 0:
                    inner.set()
                    return
                over.wait(min(seconds, _LOOK_SECONDS))

        with self.interrupting(inner.set):
            if left() <= 0:
                inner.set()
            else:
                threading.Thread(target=watch, name="deadline", daemon=True).start()
            try:
                yield inner
            finally:
                over.set()

    def _run(self, interrupt: _Interrupt) -> None:
        with self._changed:
            if interrupt.over:
                return
            interrupt.over = True
            interrupt.thread = threading.get_ident()
        try:
            interrupt.call()  # without the lock: it may take others, or use this stop
        except Exception:  # the other interrupts must run, and the caller of `set` cannot handle it
            logger.exception("an interrupt failed")
        finally:
            with self._changed:
                interrupt.thread = None
                self._changed.notify_all()


class Nudge:
    """Ends a wait of a job early without cancelling the job; from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def give(self) -> None:
        """End the present wait, else the next one."""
        self._event.set()

    def wait(self, seconds: float, stop: Stop) -> None:
        """Wait up to `seconds`, or until nudged; raises `Stopped`."""
        with stop.interrupting(self._event.set):
            self._event.wait(seconds)
        self._event.clear()
        stop.check()


Event = TypeVar("Event", covariant=True)
Result = TypeVar("Result")


class Job(Generic[Event, Result]):
    """The events of a job to iterate over, then its `result`."""

    result: Result

    def __init__(self, events: Generator[Event, None, Result]) -> None:
        self._events = events

    def __iter__(self) -> Iterator[Event]:
        self.result = yield from self._events


def result_of(job: Generator[object, None, Result]) -> Result:
    """Run a job to its end and return its result."""
    running = Job(job)
    for _ in running:
        pass
    return running.result
