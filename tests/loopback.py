"""What the small HTTP servers of the tests share: a handler that says nothing, and a thread that serves."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

Server = TypeVar("Server", bound=ThreadingHTTPServer)


class QuietHandler(BaseHTTPRequestHandler):
    """Reads bodies and sends replies of known lengths."""

    def body(self) -> bytes:
        """Return the body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def reply(self, status: int, data: bytes) -> None:
        """Send a reply; the program may have hung up."""
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@contextmanager
def served(server: Server) -> Iterator[Server]:
    """Let a server answer on this computer until the end."""
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
