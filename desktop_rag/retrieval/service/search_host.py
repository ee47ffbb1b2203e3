"""Serves searches of the command line by the searcher of a program that has the library open.

Only the same user reaches it: the folder and the socket are theirs, the kernel names the user behind each connection,
and the socket's name, which is to be read in the folder alone, cannot be guessed by a confined process. A client is
refused when its program or encoder is another, or when no searcher is running yet; it then searches by itself.
"""

import logging
import secrets
import selectors
import socket
import threading
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from desktop_rag.decoding import msgpack_decoder
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.library import Library
from desktop_rag.processes.wire import FrameKind, decoded, pack_error
from desktop_rag.retrieval.service.hosted_search import (
    MOST_REPLY,
    MOST_REQUEST,
    address_of,
    handshake,
    is_same_user,
    receive,
    send,
)
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

MOST_CLIENTS = 32  # at once; others search by themselves
REQUEST_SECONDS = 2.0  # for a client to send its request
REPLY_SECONDS = 5.0  # for a client to take the reply
CLOSE_SECONDS = 1.0
RETRY_SECONDS = 2.0  # between attempts while there is no library yet
_opening = msgpack_decoder(tuple[str, msgspec.Raw])
_request = msgpack_decoder(tuple[str, msgspec.Raw])


class SearchHost:
    """Answers `search` by the processes of `searcher` until closed, in threads; does nothing where it cannot listen."""

    def __init__(self, library: Library, searcher: SearcherClient) -> None:
        self._library = library
        self._searcher = searcher.asker()
        self._handshake = handshake()
        self._free = threading.BoundedSemaphore(MOST_CLIENTS)
        self._stop = Stop()
        self._warming = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="search host", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Accept no more clients and stop their pending searches; the searcher keeps running."""
        self._stop.set()
        self._thread.join(CLOSE_SECONDS)  # so that it removes its socket

    def _run(self) -> None:
        path = self._library.new_search_socket(secrets.token_hex(8))
        listener = self._listener(path)
        if listener is None:
            return
        try:
            with listener, self._stop.interrupting(lambda: _wake(path)):
                while not self._stop.is_set():
                    self._accept(listener)
        finally:
            with suppress(OSError):
                path.unlink()

    def _listener(self, path: Path) -> socket.socket | None:
        """Listen as soon as there is a library; return None if it cannot be here, or was closed before."""
        while hasattr(socket, "AF_UNIX"):
            try:
                return _listening(path, self._library)
            except FileNotFoundError:
                if self._stop.wait(RETRY_SECONDS):
                    break
            except OSError as error:  # some file systems know no sockets, and a path may be too long
                logger.debug("searches cannot be served: %s", error)
                break
        return None

    def _accept(self, listener: socket.socket) -> None:
        try:
            client, _ = listener.accept()
        except OSError as error:  # closed, or too many open files, which may be temporary
            if not self._stop.wait(REQUEST_SECONDS / 10):
                logger.debug("a client could not be accepted: %s", error)
            return
        if not self._free.acquire(blocking=False):
            client.close()
            return
        threading.Thread(target=self._serve, args=(client,), name="hosted search", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            with closing(client):
                self._answer(client)
        except (OSError, EOFError, ValueError) as error:
            logger.debug("a client of the search host failed: %s", error)
        finally:
            self._free.release()

    def _answer(self, client: socket.socket) -> None:
        if not is_same_user(client):
            return
        said, request = decoded(_opening, receive(client, MOST_REQUEST, REQUEST_SECONDS))
        if said != self._handshake or decoded(_request, request)[0] != "search" or not self._is_warm():
            send(client, FrameKind.END)
            return
        send(client, FrameKind.HEARTBEAT)
        stop = Stop()
        with self._stop.interrupting(stop.set):
            threading.Thread(target=_watch, args=(client, stop), name="client watch", daemon=True).start()
            try:
                reply = self._searcher.remote.call(bytes(request), stop)
            except DesktopRagError as error:
                send(client, FrameKind.FAILURE, pack_error(error), REPLY_SECONDS)
            else:
                kind = FrameKind.REPLY if len(reply) <= MOST_REPLY else FrameKind.END
                send(client, kind, reply if kind is FrameKind.REPLY else b"", REPLY_SECONDS)
            finally:
                with suppress(OSError):  # which ends the watch
                    client.shutdown(socket.SHUT_RDWR)

    def _is_warm(self) -> bool:
        """Return whether a searcher runs; if not, start one for the next client: this one is faster by itself."""
        if self._searcher.is_running and not self._warming.locked():
            return True
        if self._warming.acquire(blocking=False):
            threading.Thread(target=self._warm, name="searcher start", daemon=True).start()
        return False

    def _warm(self) -> None:
        try:
            self._searcher.prepare(self._stop)
        except DesktopRagError as error:
            logger.debug("no searcher was started: %s", error)
        finally:
            self._warming.release()


def _listening(path: Path, library: Library) -> socket.socket:
    """Listen at `path`, and remove what killed programs left."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        with address_of(path) as address:
            listener.bind(address)
        path.chmod(0o600)
        listener.listen(MOST_CLIENTS)
    except OSError:
        listener.close()
        raise
    for other in library.search_sockets():
        if other != path and _is_abandoned(other):
            with suppress(OSError):
                other.unlink()
    return listener


def _is_abandoned(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(0)
        try:
            with address_of(path) as address:
                probe.connect(address)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def _wake(path: Path) -> None:
    """Connect, which wakes the thread that waits for clients."""
    _is_abandoned(path)


def _watch(client: socket.socket, stop: Stop) -> None:
    """Stop the search when its client has gone; it sends nothing more."""
    with suppress(OSError, ValueError), selectors.DefaultSelector() as selector:  # ValueError: it is closed already
        selector.register(client, selectors.EVENT_READ)
        selector.select()
    stop.set()
