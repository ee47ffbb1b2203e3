"""Notices a node that is away: its system acknowledges nothing, or its process stands still, which TCP hides."""

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

SILENT_SECONDS = 2.0  # without an answer: then the node is asked whether it lives
PROBE_SECONDS = 1.5  # for the answer to that; a busy node has it at once
# A node whose system acknowledges nothing for three seconds is away; that of a busy one does.
_UNHEARD = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1, "TCP_USER_TIMEOUT": 3_000}


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


def socket_options() -> list[tuple[int, int, int]]:
    """Return the options by which the system gives up a connection whose other end is away."""
    known = ((getattr(socket, name, None), value) for name, value in _UNHEARD.items())  # systems differ
    options = [(socket.IPPROTO_TCP, option, value) for option, value in known if option is not None]
    return [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), *options]
