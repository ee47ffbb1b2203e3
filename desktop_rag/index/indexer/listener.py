"""The private socket of the indexer: where it listens, and the handshake that authenticates clients."""

import contextlib
import hashlib
import logging
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryError
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.library import Library
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.shortage import is_shortage

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2  # between two attempts when the system refuses to accept
MOST_REFUSED = 5  # clients in a row that are turned away for want of a thread
REPLACE_ATTEMPTS = 10
BACKLOG = 16
MAX_ADDRESS_BYTES = 100  # bytes; the systems' limits are 104 and 108


class ClientListener:
    """Accepts clients until it is closed; each is served on its own thread, or `no_memory` is called."""

    def __init__(
        self,
        listener: Listener,
        secret: bytes,
        serve_client: Callable[[SocketConnection], None],
        no_memory: Callable[[], None],
    ) -> None:
        self._no_memory = no_memory
        self._listener = listener
        self._secret = secret
        self._serve_client = serve_client
        self._closed = threading.Event()

    def open(self) -> None:
        """Start to accept clients."""
        threading.Thread(target=self._accept, name="listener", daemon=True).start()

    def close(self) -> None:
        """Accept no more clients; connected ones stay until the process ends."""
        self._closed.set()

    def _accept(self) -> None:
        refused = 0  # clients in a row for which the system has no thread
        while not self._closed.is_set():
            with contextlib.ExitStack() as unserved:
                try:
                    connection = unserved.enter_context(self._listener.accept())
                    # The handshake runs there as well: a frozen client must not block the others.
                    threading.Thread(target=self._serve, args=(connection,), name="client", daemon=True).start()
                    unserved.pop_all()
                    refused = 0
                except (OSError, RuntimeError, MemoryError) as error:  # too many files or threads, perhaps not for long
                    refused += not isinstance(error, OSError)
                    if refused == MOST_REFUSED:  # the lock must not stay with a process that serves nobody
                        self._no_memory()
                    if not self._closed.wait(RETRY_SECONDS):
                        logger.warning("a client could not be accepted: %s", error)

    def _serve(self, connection: "Connection[bytes, bytes]") -> None:
        try:
            deliver_challenge(connection, self._secret)
            answer_challenge(connection, self._secret)
        except (AuthenticationError, EOFError, OSError):
            logger.warning("a client without the secret was rejected")
            connection.close()
            return
        client = SocketConnection(connection)
        try:
            self._serve_client(client)
        except (RuntimeError, MemoryError) as error:
            if not is_shortage(error):
                raise
            logger.warning("a client could not be served: %s", error)  # its threads could not start
            self._no_memory()
        finally:
            client.close()  # it would wait for ever


@contextlib.contextmanager
def listen(library: Library) -> Generator[Listener]:
    """Listen where only the owner can connect, and remove the socket afterwards; requires the library's lock."""
    if not hasattr(socket, "AF_UNIX"):
        with Listener(family="AF_PIPE") as listener:
            yield listener
        return
    with contextlib.ExitStack() as stack:
        yield stack.enter_context(_listener(library, stack))


def _listener(library: Library, stack: contextlib.ExitStack) -> Listener:
    failure: OSError | None = None
    for path in _socket_paths(library, stack):
        if len(os.fsencode(path)) > MAX_ADDRESS_BYTES:
            continue
        try:
            path.unlink(missing_ok=True)  # left by a killed indexer: we hold the lock
            return Listener(str(path), family="AF_UNIX", backlog=BACKLOG)
        except OSError as error:  # some file systems know no sockets
            failure = error
    raise LibraryError(f"No path was found at which the indexer can listen ({failure}).") from failure


def _socket_paths(library: Library, stack: contextlib.ExitStack) -> Iterator[Path]:
    """Yield paths for the socket: inside the library, else in a temporary folder whose name is always the same."""
    yield library.socket
    name = hashlib.sha256(os.fsencode(library.folder.absolute())).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"desktop-rag-{name}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:  # another user created it first
        folder = Path(tempfile.mkdtemp(prefix="desktop-rag-"))
    stack.callback(_remove_folder, folder)
    yield folder / "indexer.sock"


def _remove_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def publish_address(file: Path, address: Address) -> None:
    """Write the address file atomically, readable by its owner only."""
    temporary = file.with_name(file.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(msgspec.json.encode(address))
    for _ in range(REPLACE_ATTEMPTS):
        with contextlib.suppress(PermissionError):  # on Windows, while a client reads the old file
            temporary.replace(file)
            return
        time.sleep(RETRY_SECONDS)
    temporary.replace(file)


def withdraw_address(file: Path) -> None:
    """Remove the address file, unless it belongs to another indexer."""
    with contextlib.suppress(OSError, ValueError, msgspec.DecodeError):
        if decode_json(file.read_bytes(), Address).pid == os.getpid():
            file.unlink()
