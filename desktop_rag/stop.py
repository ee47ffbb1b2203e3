"""How a long job is told to end: a flag any thread may set, which also wakes what the job waits for."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from desktop_rag.errors import Stopped

LOOK_SECONDS = 0.05  # how often one looks up who waits for what cannot be interrupted


class Stop:
    """Set once, from any thread; a job checks it between steps and registers what must be interrupted."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._interrupts: list[Callable[[], None]] = []

    def set(self) -> None:
        """Ask the job to end and interrupt everything it is waiting for; safe to call twice."""
        with self._lock:
            self._event.set()
            interrupts = tuple(self._interrupts)
        for interrupt in interrupts:
            interrupt()

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
        """Call `interrupt` from the thread that sets the stop, while the block runs (or at once if already set)."""
        with self._lock:
            self._interrupts.append(interrupt)
            already = self._event.is_set()
        try:
            if already:
                interrupt()
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)
