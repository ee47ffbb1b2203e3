"""Where the indexer listens, and how clients prove that they are its owner's before they are served."""

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

from desktop_rag.errors import LibraryError
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.library import Library
from desktop_rag.processes.connection import SocketConnection

logger = logging.getLogger(__name__)

REFUSAL_SECONDS = 0.2  # between two tries when the system lets nobody in
REPLACING_TRIES = 10
WAITING_CLIENTS = 16
LONGEST_ADDRESS = 100  # bytes; the systems' limits are 104 and 108


class ClientListener:
    """Lets clients in until it is closed; each is attended on a thread of its own."""

    def __init__(self, listener: Listener, secret: bytes, attend: Callable[[SocketConnection], None]) -> None:
        self._listener = listener
        self._secret = secret
        self._attend = attend
        self._closed = threading.Event()

    def open(self) -> None:
        """Begin to let clients in."""
        threading.Thread(target=self._accept, name="listener", daemon=True).start()

    def close(self) -> None:
        """Let nobody in any more; those who are in stay until the process ends."""
        self._closed.set()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection = self._listener.accept()
            except OSError as error:  # too many open files, say: that may pass
                if not self._closed.wait(REFUSAL_SECONDS):
                    logger.warning("a client could not be let in: %s", error)
            else:
                # The proof, too, is asked for over there: a client that is frozen must keep nobody waiting.
                threading.Thread(target=self._serve, args=(connection,), name="client", daemon=True).start()

    def _serve(self, connection: "Connection[bytes, bytes]") -> None:
        try:
            deliver_challenge(connection, self._secret)
            answer_challenge(connection, self._secret)
        except (AuthenticationError, EOFError, OSError):
            logger.warning("a stranger was turned away")
            connection.close()
            return
        line = SocketConnection(connection)
        self._attend(line)
        line.close()


@contextlib.contextmanager
def listening(library: Library) -> Generator[Listener]:
    """Listen where only the owner gets in, and leave nothing behind; call it with the library's lock held."""
    if not hasattr(socket, "AF_UNIX"):
        with Listener(family="AF_PIPE") as listener:
            yield listener
        return
    with contextlib.ExitStack() as stack:
        yield stack.enter_context(_listener(library, stack))


def _listener(library: Library, stack: contextlib.ExitStack) -> Listener:
    refusal: OSError | None = None
    for place in _places(library, stack):
        if len(os.fsencode(place)) > LONGEST_ADDRESS:
            continue
        try:
            place.unlink(missing_ok=True)  # of one that was killed: we hold the lock
            return Listener(str(place), family="AF_UNIX", backlog=WAITING_CLIENTS)
        except OSError as error:  # some file systems know no sockets
            refusal = error
    raise LibraryError(f"No place for the indexer to listen at was found ({refusal}).") from refusal


def _places(library: Library, stack: contextlib.ExitStack) -> Iterator[Path]:
    """Yield the places to listen at: inside the library, else in a temporary folder that is always the same one."""
    yield library.socket
    name = hashlib.sha256(os.fsencode(library.folder.absolute())).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"desktop-rag-{name}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    facts = folder.lstat()
    if facts.st_uid != os.getuid() or facts.st_mode & 0o077:  # somebody else was here first
        folder = Path(tempfile.mkdtemp(prefix="desktop-rag-"))
    stack.callback(_remove_folder, folder)
    yield folder / "indexer.sock"


def _remove_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def publish_address(file: Path, address: Address) -> None:
    """Write the address so that only its owner can read it and nobody sees half of it."""
    temporary = file.with_name(file.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(msgspec.json.encode(address))
    for _ in range(REPLACING_TRIES):
        with contextlib.suppress(PermissionError):  # Windows, while a client reads the old one
            temporary.replace(file)
            return
        time.sleep(REFUSAL_SECONDS)
    temporary.replace(file)


def withdraw_address(file: Path) -> None:
    """Take the address away, unless it is that of another indexer."""
    with contextlib.suppress(OSError, ValueError, msgspec.DecodeError):
        if msgspec.json.decode(file.read_bytes(), type=Address).pid == os.getpid():
            file.unlink()
