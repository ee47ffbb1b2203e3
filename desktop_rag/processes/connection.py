"""A two-way stream of byte messages, over a child's standard streams or a socket."""

import contextlib
import multiprocessing.connection
import os
import signal
import socket
import struct
import sys
import threading
from typing import IO, Protocol

_LENGTH = struct.Struct("!Q")
LONGEST_MESSAGE = 4 << 30  # bytes; nobody sends more, unless it is garbage or bad will


class MessageTooLong(EOFError):
    """The other side announced more than may come; nothing of it was taken."""


class Connection(Protocol):
    """What `multiprocessing.connection.Connection` and `PipeConnection` have in common."""

    def send_bytes(self, buf: bytes, /) -> None:
        """Send one message; raises `OSError` when the other side is gone."""
        ...

    def recv_bytes(self) -> bytes:
        """Return the next message; raises `EOFError` when the other side is gone."""
        ...

    def close(self) -> None:
        """Close both directions; a waiting `recv_bytes` of the other side ends."""
        ...


class PipeConnection:
    """Length-prefixed messages over two binary streams; sending is safe from several threads."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = threading.Lock()

    def send_bytes(self, buf: bytes, /) -> None:
        """Send one message; raises `OSError` when the other side is gone."""
        with self._sending:
            self._writer.write(_LENGTH.pack(len(buf)))
            self._writer.write(buf)
            self._writer.flush()

    def recv_bytes(self, longest: int = LONGEST_MESSAGE) -> bytes:
        """Return the next message; raises `EOFError` when the other side is gone, `MessageTooLong`."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if length > longest:
            raise MessageTooLong
        return self._exactly(length)

    def close_sending(self) -> None:
        """Tell the other side that no more messages come; it may still answer."""
        # OSError: the other side is gone, nothing is left to flush; ValueError: two threads close at once.
        with contextlib.suppress(OSError, ValueError):
            self._writer.close()

    def close(self) -> None:
        """Close both directions; call it only when no thread waits in `recv_bytes` or the other side has ended."""
        self.close_sending()
        with contextlib.suppress(OSError):
            self._reader.close()

    def _exactly(self, count: int) -> bytes:
        try:
            data = self._reader.read(count)
        except (OSError, ValueError) as error:  # ValueError: closed by another thread
            raise EOFError from error
        if len(data) < count:
            raise EOFError
        return data


class SocketConnection:
    """A `multiprocessing` connection that several threads may send through and one may close."""

    def __init__(self, connection: "multiprocessing.connection.Connection[bytes, bytes]") -> None:
        self._connection = connection
        self._sending = threading.Lock()

    def send_bytes(self, buf: bytes, /) -> None:
        """Send one message; raises `OSError` when the other side is gone."""
        with self._sending:
            self._connection.send_bytes(buf)

    def recv_bytes(self) -> bytes:
        """Return the next message; raises `EOFError` when the other side is gone."""
        return self._connection.recv_bytes()

    def close(self) -> None:
        """Close both directions; a thread that waits in `recv_bytes` ends with `EOFError`."""
        with contextlib.suppress(OSError):
            if hasattr(socket, "AF_UNIX"):
                with socket.socket(fileno=os.dup(self._connection.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)  # closing alone would not wake a waiting thread
            else:
                self._connection.close()


def parent_connection() -> PipeConnection:
    """Take over this child's standard streams to speak with its parent; stray prints go to stderr.

    Ctrl+C in a terminal reaches children too; they leave it to the parent, and end with it.
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
