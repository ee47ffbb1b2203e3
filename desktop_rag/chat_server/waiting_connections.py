"""Connections that have not sent the head of a request yet: they hold no thread, and keep nobody out."""

import queue
import re
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing

MOST_WAITING = 256  # connections; then the one that waits longest is closed
HEAD_SECONDS = 10.0  # to send the head of the first request
MOST_HEAD = 65_536  # bytes; what reads a longer one refuses it
_LOOK_SECONDS, _REST_SECONDS = 1.0, 0.05  # between two looks for late ones, and for the rest of a head
_END = re.compile(rb"\r?\n\r?\n")

Ready = Callable[[socket.socket, object, bytes], None]


class WaitingConnections:
    """Watches new connections in one thread, and passes each on with its head, which can still be read from it."""

    def __init__(self, ready: Ready) -> None:
        self._ready = ready
        self._new = queue.SimpleQueue[tuple[socket.socket, object] | None]()
        self._wake, self._woken = socket.socketpair()
        self._waiting: dict[socket.socket, tuple[object, float]] = {}  # with its address and since when, oldest first
        self._begun = set[socket.socket]()  # those of which a part can be read: a selector would not wait for the rest
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="waiting connections", daemon=True)
        self._thread.start()

    def add(self, connection: socket.socket, address: object) -> None:
        """Take a new connection, from any thread."""
        self._new.put((connection, address))
        self._wake.send(b"\0")

    def close(self) -> None:
        """Close the connections that still wait."""
        self._new.put(None)
        self._wake.send(b"\0")
        self._thread.join()

    def _run(self) -> None:
        with self._selector, closing(self._wake), closing(self._woken):
            while self._look():
                late = time.monotonic() - HEAD_SECONDS
                for connection, (_, since) in tuple(self._waiting.items()):
                    if since > late:
                        break
                    self._drop(connection)
            for connection in tuple(self._waiting):
                self._drop(connection)

    def _look(self) -> bool:
        """Wait for connections and what they send; return whether to go on."""
        readable = [key.fileobj for key, _ in self._selector.select(_REST_SECONDS if self._begun else _LOOK_SECONDS)]
        for connection in (*self._begun, *readable):
            if connection is not self._woken:
                assert isinstance(connection, socket.socket)
                self._peek(connection)
        if self._woken not in readable:
            return True
        for _ in self._woken.recv(4_096):  # a byte for each
            new = self._new.get()
            if new is None:
                return False
            connection, address = new
            if len(self._waiting) == MOST_WAITING:
                self._drop(next(iter(self._waiting)))
            self._waiting[connection] = address, time.monotonic()
            self._selector.register(connection, selectors.EVENT_READ)
        return True

    def _peek(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(0)
            head = connection.recv(MOST_HEAD, socket.MSG_PEEK)
        except OSError:  # it has gone
            head = b""
        if not head:
            self._drop(connection)
        elif _END.search(head) or len(head) == MOST_HEAD:
            address, _ = self._forget(connection)
            self._ready(connection, address, head)
        elif connection not in self._begun:
            self._begun.add(connection)
            self._selector.unregister(connection)

    def _forget(self, connection: socket.socket) -> tuple[object, float]:
        if connection in self._begun:
            self._begun.remove(connection)
        else:
            self._selector.unregister(connection)
        return self._waiting.pop(connection)

    def _drop(self, connection: socket.socket) -> None:
        self._forget(connection)
        connection.close()
