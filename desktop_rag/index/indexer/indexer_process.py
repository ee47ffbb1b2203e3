"""The indexer process: the only writer of a library, serving any number of clients through a private socket.

It belongs to the library, not to a window: the first client starts it, it holds the library's lock,
and it ends a moment after its last client is gone. What it works with is imported when the kernel confines it:
numpy starts threads, which would not be confined.
"""

import argparse
import contextlib
import gc
import hashlib
import logging
import os
import secrets
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import NoReturn

import msgspec
from filelock import FileLock, Timeout

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryDamaged, LibraryError, LibraryMissing, OutOfMemory
from desktop_rag.index.indexer.priority import lower_priority
from desktop_rag.index.indexer_api import IndexerCommands
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.keywords.open_index import import_whoosh
from desktop_rag.index.library import Library
from desktop_rag.log_format import LogFormatter
from desktop_rag.processes.confinement.confine import confine_indexer
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import serve
from desktop_rag.processes.shortage import is_memory_short, is_shortage, watch_thread_starts
from desktop_rag.processes.wire import pack_error
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

# The private socket of the indexer: where it listens, and the handshake that authenticates clients.

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


logger = logging.getLogger(__name__)

GRACE_SECONDS = 3.0  # between the last disconnect and the end, so that a restarted window finds it running
FIRST_CLIENT_SECONDS = 10.0  # after the address is published; the process that started the indexer polls for it
COLLECTIONS = (20_000, 20, 20)  # … nor so often: read documents are many objects, and none of them is a cycle
STOP_SECONDS = 2.0  # for the current step when the system asks the process to end
_NO_MEMORY = "There is not enough memory to open the library now. Close other programs."
_NEEDED = 1 << 28  # bytes, for the stacks of threads, the encoder and the first work
FAILED = 1  # exit code: the library cannot be opened
LOCKED = 3  # exit code: another indexer serves this library
DAMAGED = 4  # exit code: the next indexer has to repair the catalog first


class ClientCounter:
    """Counts the connected clients, to end the process after the last one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._end_at = float("inf")

    def expect(self) -> None:
        """Start the time limit for the first client."""
        with self._lock:
            self._end_at = min(self._end_at, time.monotonic() + FIRST_CLIENT_SECONDS)

    @contextlib.contextmanager
    def connected(self) -> Generator[None]:
        """Count one client while the block runs."""
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                self._end_at = time.monotonic() + GRACE_SECONDS

    def all_gone(self) -> bool:
        """Return whether no client has been connected for the grace time."""
        with self._lock:
            return self._count == 0 and time.monotonic() > self._end_at


def run(library: Library, listener: Listener, no_memory: Callable[[], None]) -> int:
    """Index `library` until its last client is gone; return the exit code.

    `no_memory` ends the process when it has none for the threads of a client.
    """
    import_whoosh()
    from desktop_rag.index.indexer.command_executor import CommandExecutor
    from desktop_rag.index.indexer.indexer_loop import IndexerLoop
    from desktop_rag.index.indexer.status_board import StatusBoard
    from desktop_rag.index.recovery import recover, seal

    if is_memory_short(_NEEDED):  # a thread that cannot begin would be waited for without end
        raise OutOfMemory(_NO_MEMORY)
    stop = Stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end_on_signal(stop, library))
    board = StatusBoard()
    worker = IndexerLoop(library, chosen_encoder(), board, stop, recover(library))
    clients = ClientCounter()
    secret = secrets.token_bytes(32)
    handle = Service[IndexerCommands](IndexerCommands).handler(CommandExecutor(library, board, worker))
    gc.freeze()  # what was imported stays: a collection need not go through it …
    gc.set_threshold(*COLLECTIONS)

    def serve_client(connection: SocketConnection) -> None:
        with clients.connected():
            serve(connection, handle)

    watch_thread_starts(no_memory)
    client_listener = ClientListener(listener, secret, serve_client, no_memory)
    publish_address(library.address, Address(os.fsencode(listener.address), secret.hex(), os.getpid()))
    client_listener.open()
    clients.expect()
    try:
        worker.run(until=clients.all_gone)
        seal(library)
    finally:
        client_listener.close()
        withdraw_address(library.address)
    return 0


def end_on_signal(stop: Stop, library: Library) -> None:
    """End on another thread, as the interrupted one may hold locks that `stop.set` needs; at once if none can start."""
    if hasattr(signal, "setitimer"):  # without memory, the start of a thread may never return
        signal.signal(signal.SIGALRM, lambda *_: leave(library))
        signal.setitimer(signal.ITIMER_REAL, STOP_SECONDS + 1)
    try:
        threading.Thread(target=end_soon, args=(stop, library), daemon=True).start()
    except (RuntimeError, MemoryError):
        leave(library)


def end_soon(stop: Stop, library: Library) -> None:
    """Stop, and exit during the current step if it takes too long: every step may be interrupted."""
    stop.set()
    time.sleep(STOP_SECONDS)
    leave(library)


def leave(library: Library) -> NoReturn:
    """Exit at once; the next indexer continues."""
    withdraw_address(library.address)
    os._exit(0)


def main(arguments: list[str]) -> int:
    """Run the indexer of one library; return `LOCKED` if another indexer holds the lock.

    With the exit code `FAILED` the reason is written to the standard output, encoded by `pack_error`.
    """
    parser = argparse.ArgumentParser(prog="_indexer")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--foreground", action="store_true")  # somebody waits for it: ordinary priority
    options = parser.parse_args(arguments)
    library = Library(options.library)
    handler = logging.StreamHandler()
    handler.setFormatter(LogFormatter("%(asctime)s %(levelname)s %(name)s:%(lineno)d: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    answer = os.dup(1)
    os.dup2(2, 1)  # the process that started us may end first: only an error is written there
    os.umask(0o077)  # only the owner may read the files
    if not options.foreground:
        lower_priority()
    try:
        return _serve(library, answer)
    except Timeout:
        return LOCKED
    except LibraryDamaged as error:
        from desktop_rag.index.recovery import request_repair

        request_repair(library, error)
        return DAMAGED
    except LibraryError as error:
        logger.exception("the library cannot be opened")
        return _failed(error, answer)
    except OSError as error:
        logger.exception("the library cannot be opened")
        return _failed(LibraryError(f"The system reported an error: {error}"), answer)
    except Exception as error:
        logger.exception("the indexer failed")
        short = is_shortage(error)
        return _failed(OutOfMemory(_NO_MEMORY) if short else LibraryError(f"Internal error: {error!r}"), answer)


def _serve(library: Library, answer: int) -> int:
    """Run the indexer with the lock held; raise `LibraryMissing` if the library was deleted since it was started."""
    if library.exists():
        with FileLock(library.lock).acquire(timeout=0):
            if library.exists():
                with listen(library) as listener:
                    library.make_private()  # from here on no mode of any file can be changed
                    confine_indexer(library.folder, *_folder_outside(library, listener))
                    return run(library, listener, partial(_end_without_memory, library, answer))
        library.remove_folder()  # the lock made it again
    raise LibraryMissing(f"The library in {library.folder} was deleted.")


def _folder_outside(library: Library, listener: Listener) -> tuple[Path, ...]:
    """Return the folder of the socket if it is not in the library."""
    inside = listener.address == str(library.socket) or not hasattr(socket, "AF_UNIX")
    return () if inside else (Path(listener.address).parent,)


def _end_without_memory(library: Library, answer: int) -> None:
    withdraw_address(library.address)
    os._exit(_failed(OutOfMemory(_NO_MEMORY), answer))


def _failed(error: LibraryError, answer: int) -> int:
    with contextlib.suppress(OSError):  # the process that started us has ended
        os.write(answer, pack_error(error))
    return FAILED
