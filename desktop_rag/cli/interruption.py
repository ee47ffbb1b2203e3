"""Ctrl+C as a `Stop`."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

from desktop_rag.stop import Stop


@contextmanager
def stop_on_interrupt() -> Generator[Stop]:
    """Yield a stop set by the first Ctrl+C; the second one ends the program. Main thread only."""
    stop = Stop()

    def interrupt(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # On another thread: the interrupted code may hold the lock of the stop.
        threading.Thread(target=stop.set, name="interrupt", daemon=True).start()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
