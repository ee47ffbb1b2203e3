"""How a long job is told to end: a flag any thread may set, which also wakes what the job waits for."""

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from desktop_rag.errors import Stopped

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.05  # how often one looks up who waits for what cannot be interrupted


class _Interrupt:
    """One registered call: it happens at most once, and never after it was called off."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.over = False  # it was called, or its block was left
        self.thread: int | None = None  # in which it runs just now


class Stop:
    """Set once, from any thread; a job checks it between steps and registers what must be interrupted."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._changed = threading.Condition()  # reentrant: a signal handler may come in between
        self._interrupts: list[_Interrupt] = []

    def set(self) -> None:
        """Ask the job to end and interrupt everything it is waiting for; safe to call twice."""
        with self._changed:
            self._event.set()
            interrupts = tuple(self._interrupts)
        for interrupt in interrupts:
            self._run(interrupt)

    def is_set(self) -> bool:
        """Return whether the job has been asked to end."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Stopped` if the job has been asked to end."""
        if self._event.is_set():
            raise Stopped

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds` for the request to end; return whether it came."""
        return self._event.wait(seconds)

    @contextmanager
    def holding(self, lock: threading.Lock) -> Generator[None]:
        """Hold `lock` in the block; raises `Stopped` instead of waiting for it any longer."""
        while not lock.acquire(timeout=LOOK_SECONDS):
            self.check()
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Generator[None]:
        """Call `interrupt` once, from the thread that sets the stop, while the block runs (at once if already set).

        The block is left when `interrupt` has returned: leave it without a lock that `interrupt` waits for.
        """
        registered = _Interrupt(interrupt)
        with self._changed:
            self._interrupts.append(registered)
            already = self._event.is_set()
        try:
            if already:
                self._run(registered)
            yield
        finally:
            with self._changed:
                self._interrupts.remove(registered)
                registered.over = True
                # Its own thread cannot wait for itself: the interrupt is what leaves the block.
                while registered.thread not in (None, threading.get_ident()):
                    self._changed.wait()

    def _run(self, interrupt: _Interrupt) -> None:
        with self._changed:
            if interrupt.over:
                return
            interrupt.over = True
            interrupt.thread = threading.get_ident()
        try:
            interrupt.call()  # without the lock: it may take others, or use this stop
        except Exception:  # the others have to be called all the same, and whoever sets a stop can do nothing about it
            logger.exception("an interrupt failed")
        finally:
            with self._changed:
                interrupt.thread = None
                self._changed.notify_all()
