"""Notices a node that is away: its system acknowledges nothing, or its process stands still, which TCP hides."""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

SILENT_SECONDS = 2.0  # without an answer: then the node is asked whether it lives
_LOOKS, _IDLE_LOOKS = 8, 40  # at a request that waits; without a request
PROBE_SECONDS = 1.5  # for the answer to that; a busy node has it at once
# A node whose system acknowledges nothing for three seconds is away; that of a busy one does.
_UNHEARD = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1, "TCP_USER_TIMEOUT": 3_000}


class NodeWatch:
    """Calls `give_up` if a request waits longer than `SILENT_SECONDS` for a node that no longer `lives`.

    A node that is only busy is waited for, and asked again. `give_up` never runs after its request. The thread that
    looks after requests ends when there were none for a while; to begin one for each would cost more than to send it.
    """

    def __init__(self, lives: Callable[[str], bool], give_up: Callable[[], None]) -> None:
        self._lives, self._give_up = lives, give_up
        self._lock = threading.Lock()
        self._waiting: tuple[str, float] | None = None  # the node, and since when it is waited for
        self._running = False

    @contextmanager
    def watching(self, node: str) -> Generator[None]:
        """Watch a node that is waited for in the block."""
        with self._lock:
            self._waiting = node, time.monotonic()
            if not self._running:
                self._running = True
                threading.Thread(target=self._watch, name="node watch", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting = None

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(SILENT_SECONDS / _LOOKS)
            with self._lock:
                waiting = self._waiting
                idle = idle + 1 if waiting is None else 0
                if idle > _IDLE_LOOKS:
                    self._running = False
                    return
            if waiting is None or time.monotonic() - waiting[1] < SILENT_SECONDS:
                continue
            lives = self._lives(waiting[0])
            with self._lock:
                if self._waiting is not waiting:
                    continue
                self._waiting = waiting[0], time.monotonic()
                if not lives:
                    self._give_up()


def socket_options() -> list[tuple[int, int, int]]:
    """Return the options by which the system gives up a connection whose other end is away."""
    known = ((getattr(socket, name, None), value) for name, value in _UNHEARD.items())  # systems differ
    options = [(socket.IPPROTO_TCP, option, value) for option, value in known if option is not None]
    return [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), *options]
