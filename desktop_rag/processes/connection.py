"""A two-way stream of byte messages, over a child's standard streams or a socket."""

import contextlib
import os
import signal
import struct
import sys
import threading
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import multiprocessing.connection

_LENGTH = struct.Struct("!Q")
MAX_MESSAGE_BYTES = 512 << 20  # a longer one is garbage or an attack; replies of readers have limits of their own


class MessageTooLong(EOFError):
    """The announced length exceeds the limit; the message was not read."""


class Connection(Protocol):
    """A connection that sends and receives byte messages."""

    def send_bytes(self, buf: bytes, /) -> None:
        """Send one message; raises `OSError` if the connection is closed."""

    def recv_bytes(self) -> bytes:
        """Return the next message; raises `EOFError` if the connection is closed."""

    def close(self) -> None:
        """Close both directions, which also ends a waiting `recv_bytes` of the other side."""


class PipeConnection:
    """Length-prefixed messages over two binary streams; sending is safe from several threads."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = threading.Lock()

    def send_bytes(self, buf: bytes, /, *, follows: bool = False) -> None:
        """Send one message, perhaps with the next if that `follows`; raises `OSError` if the connection is closed."""
        with self._sending:
            self._writer.write(_LENGTH.pack(len(buf)))
            self._writer.write(buf)
            if not follows:
                self._writer.flush()

    def recv_bytes(self, longest: int = MAX_MESSAGE_BYTES) -> bytes:
        """Return the next message; raises `EOFError` if the connection is closed, `MessageTooLong`."""
        (length,) = _LENGTH.unpack(self._read_exactly(_LENGTH.size))
        if length > longest:
            raise MessageTooLong
        return self._read_exactly(length)

    def fileno(self) -> int:
        """Return the descriptor that messages are read from."""
        return self._reader.fileno()

    def close_sending(self) -> None:
        """Close the sending direction; the other side may still answer."""
        # OSError: the other side has closed and nothing can be flushed; ValueError: two threads close at once.
        with contextlib.suppress(OSError, ValueError):
            self._writer.close()

    def close(self) -> None:
        """Close both directions; only when no thread waits in `recv_bytes`, or the other side has ended."""
        self.close_sending()
        with contextlib.suppress(OSError):
            self._reader.close()

    def _read_exactly(self, count: int) -> bytes:
        try:
            data = self._reader.read(count)
        except (OSError, ValueError) as error:  # ValueError: closed by another thread
            raise EOFError from error
        if len(data) < count:
            raise EOFError
        return data


class SocketConnection:
    """A `multiprocessing` connection; several threads may send, one may close."""

    def __init__(self, connection: "multiprocessing.connection.Connection[bytes, bytes]") -> None:
        self._connection = connection
        self._sending = threading.Lock()

    def send_bytes(self, buf: bytes, /) -> None:
        """Send one message; raises `OSError` if the connection is closed."""
        with self._sending:
            self._connection.send_bytes(buf)

    def recv_bytes(self) -> bytes:
        """Return the next message; raises `EOFError` if the connection is closed, `OSError` if it is too long."""
        return self._connection.recv_bytes(MAX_MESSAGE_BYTES)

    def close(self) -> None:
        """Close both directions; a thread waiting in `recv_bytes` gets `EOFError`."""
        import socket  # not in a process with pipes only

        with contextlib.suppress(OSError):
            if hasattr(socket, "AF_UNIX"):
                with socket.socket(fileno=os.dup(self._connection.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)  # closing alone does not wake a waiting thread
            else:
                self._connection.close()


def parent_connection() -> PipeConnection:
    """Return a connection to the parent over the standard streams; from now on prints go to stderr.

    Children ignore Ctrl+C, which a terminal sends to them as well: the parent handles it, and they end with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming = os.dup(0)
    outgoing = os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return PipeConnection(os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb"))
