"""Notices a node that keeps a connection open and says nothing: its process stands still, and TCP does not show it."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

SILENT_SECONDS = 2.0  # without an answer: then the node is asked whether it lives
PROBE_SECONDS = 1.5  # for the answer to that; a busy node has it at once


@contextmanager
def watching(lives: Callable[[], bool], give_up: Callable[[], None]) -> Generator[None]:
    """Call `give_up` if the block lasts longer than `SILENT_SECONDS` and the node no longer `lives`.

    A node that is only busy is waited for, and asked again. `give_up` never runs after the block.
    """
    over, ending = threading.Event(), threading.Lock()

    def watch() -> None:
        while not over.wait(SILENT_SECONDS):
            if lives():
                continue
            with ending:
                if not over.is_set():
                    give_up()
            return

    threading.Thread(target=watch, name="node watch", daemon=True).start()
    try:
        yield
    finally:
        with ending:
            over.set()
