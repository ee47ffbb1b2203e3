"""Ctrl+C as a `Stop`: the first one lets the job end in order, the second one ends the program."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

from desktop_rag.stop import Stop


@contextmanager
def stopped_by_keyboard() -> Generator[Stop]:
    """Yield a stop that the keyboard sets; only for the main thread, which alone hears of signals."""
    stop = Stop()

    def interrupted(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Not here: this runs in the middle of the very code that may hold the stop's lock.
        threading.Thread(target=stop.set, name="interrupt", daemon=True).start()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
