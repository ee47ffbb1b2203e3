"""A TCP proxy on loopback that makes a network slow, cuts its connections, or lets nothing through."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_PIECE = 16_384


class TcpProxy:
    """Forwards to `target`; `delay` is that of each piece in seconds.

    `cut_after` is the number of bytes from the client after which a connection is cut: the server has a part of the
    request, or all of it and cannot answer. While `partitioned` nothing gets through and nobody is told.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.delay, self.cut_after, self.partitioned, self.cuts = 0.0, 0, False, 0
        self._open: list[socket.socket] = [self._server]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Close all connections."""
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._open += [client, server]
                for source, sink, is_client in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._forward, args=(source, sink, is_client), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket, is_client: bool) -> None:
        passed = 0
        with contextlib.suppress(OSError):
            while data := source.recv(_PIECE):
                while self.partitioned:
                    time.sleep(0.02)
                time.sleep(self.delay)
                sink.sendall(data)
                passed += len(data)
                if is_client and 0 < self.cut_after <= passed:
                    self.cuts += 1
                    break
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def tcp_proxy(url: str) -> Iterator[TcpProxy]:
    """Run a proxy in front of the server of a URL."""
    found = TcpProxy(int(url.rpartition(":")[2]))
    try:
        yield found
    finally:
        found.close()
