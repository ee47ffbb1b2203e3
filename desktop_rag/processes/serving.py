"""The server side of a connection: receives requests, answers them one at a time, streams the replies."""

import gc
import logging
import queue
import struct
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from desktop_rag.errors import DesktopRagError, OutOfMemory, ProcessError, Stopped
from desktop_rag.processes.connection import Connection
from desktop_rag.processes.shortage import is_shortage
from desktop_rag.processes.wire import Frame, FrameKind, pack, pack_error, unpack
from desktop_rag.stop import Stop

# Makes Python's full garbage collections while nobody waits: they take 30 to 70 ms at any allocation.

DUE = 10  # collections of the middle generation after which Python makes a full one …
LATEST = 100  # … and after which it still does if there never is a pause


def postpone_full_collections() -> None:
    """Leave full collections to `collect_if_due`, which is called in every pause."""
    gc.set_threshold(*gc.get_threshold()[:2], LATEST)


def collect_if_due() -> None:
    """Make a full collection if one is due."""
    if gc.isenabled() and gc.get_count()[2] > DUE:
        gc.collect()


logger = logging.getLogger(__name__)

Handler = Callable[[bytes, Stop], Generator[bytes]]  # an encoded request to its encoded replies

HEARTBEAT_SECONDS = 4.0  # each wakes two processes, also at rest
IDLE_SECONDS = 0.5  # without a request, before `prepare` does what later ones would wait for
RELEASE_SECONDS = 120.0  # without a request, before `release` gives memory back
_NO_MEMORY = "There is not enough memory for this now. Close other programs."
_HEARTBEAT = pack(Frame(0, FrameKind.HEARTBEAT))


class _Inbox:
    """The queue of requests, and the `Stop` of each, waiting or running."""

    def __init__(self) -> None:
        self.waiting: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._stops: dict[int, Stop] = {}
        self._lock = threading.Lock()

    def add(self, frame: Frame) -> None:
        """Queue a request; raises `ValueError` for the number of one that waits or runs, as of a replayed message."""
        with self._lock:
            if frame.request in self._stops:
                raise ValueError("a request number was used twice")
            self._stops[frame.request] = Stop()
        self.waiting.put(frame)

    def frames(self, prepare: Callable[[], object] | None, release: Callable[[], None] | None) -> Iterator[Frame]:
        """Yield requests until the connection closes.

        Call `prepare` when the queue is idle, again while it returns true, and `release` when the queue has been idle
        for long after a request. In the first pause after requests, full garbage collections are made.
        """
        pending = release
        idle, collected = IDLE_SECONDS, False
        while True:
            is_soon = prepare or not collected
            try:
                frame = self.waiting.get(timeout=idle if is_soon else RELEASE_SECONDS if pending else None)
            except queue.Empty:
                if prepare:
                    idle = 0.0  # the next step follows at once, unless a request has come
                    prepare = prepare if prepare() else None
                elif not collected:
                    collect_if_due()
                    collected = True
                elif pending:
                    pending()
                    pending = None
                continue
            if frame is None:
                return
            pending, idle, collected = release, IDLE_SECONDS, False
            yield frame

    def stop_of(self, request: int) -> Stop:
        with self._lock:
            return self._stops[request]

    def cancel(self, request: int) -> None:
        with self._lock:
            stop = self._stops.get(request)
        if stop is not None:
            stop.set()

    def forget(self, request: int) -> None:
        with self._lock:
            self._stops.pop(request, None)

    def close(self) -> None:
        with self._lock:
            stops = tuple(self._stops.values())
        for stop in stops:
            stop.set()
        self.waiting.put(None)


def serve(
    connection: Connection,
    handle: Handler,
    on_disconnect: Callable[[], None] | None = None,
    prepare: Callable[[], object] | None = None,
    release: Callable[[], None] | None = None,
) -> None:
    """Answer requests one at a time on the calling thread until the client disconnects.

    `prepare` is called when no request has come for a moment, and again while it returns true, `release` when none has
    come for `RELEASE_SECONDS`. `on_disconnect` runs on the receiving thread as soon as the client is gone, even during
    a request; a child passes `os._exit` so that no work outlives its parent.
    """
    inbox = _Inbox()
    receiver = threading.Thread(target=_receive, args=(connection, inbox, on_disconnect), name="receiver", daemon=True)
    receiver.start()
    done = threading.Event()
    threading.Thread(target=_send_heartbeats, args=(connection, done), name="heartbeat", daemon=True).start()
    try:
        connection.send_bytes(_HEARTBEAT)  # from now on, silence means that this process hangs
        for frame in inbox.frames(prepare, release):
            _answer(connection, frame, inbox.stop_of(frame.request), handle)
            inbox.forget(frame.request)
    except (OSError, ValueError):  # ValueError: closed by another thread
        logger.debug("the client has disconnected")
    finally:
        done.set()
        inbox.close()


def _receive(connection: Connection, inbox: _Inbox, on_disconnect: Callable[[], None] | None) -> None:
    try:
        while True:
            frame = unpack(connection.recv_bytes())
            if frame.kind is FrameKind.REQUEST:
                inbox.add(frame)
            elif frame.kind is FrameKind.CANCEL:
                inbox.cancel(frame.request)
    except (EOFError, OSError):
        logger.debug("connection closed")
    except (ValueError, struct.error):
        logger.warning("received bytes that are not a frame; closing the connection")
    finally:
        inbox.close()
        if on_disconnect is not None:
            on_disconnect()


def _send_heartbeats(connection: Connection, done: threading.Event) -> None:
    while not done.wait(HEARTBEAT_SECONDS):
        try:
            connection.send_bytes(_HEARTBEAT)
        except (OSError, ValueError):  # ValueError: closed by another thread
            return


def _answer(connection: Connection, frame: Frame, stop: Stop, handle: Handler) -> None:
    def send(kind: FrameKind, payload: bytes = b"") -> None:
        connection.send_bytes(pack(Frame(frame.request, kind, payload)))

    try:
        stop.check()
        with closing(handle(frame.payload, stop)) as answer:
            for reply in answer:
                send(FrameKind.REPLY, reply)
                stop.check()
    except Stopped as stopped:
        send(FrameKind.FAILURE, pack_error(stopped))
    except DesktopRagError as error:
        send(FrameKind.FAILURE, pack_error(error))
    except OSError as error:
        if isinstance(error, (BrokenPipeError, ConnectionError)):
            raise
        send(FrameKind.FAILURE, pack_error(ProcessError(f"The system reported an error: {error}")))
    except Exception as error:
        logger.exception("a request failed")
        internal = ProcessError(f"Internal error: {error!r}")
        send(FrameKind.FAILURE, pack_error(OutOfMemory(_NO_MEMORY) if is_shortage(error) else internal))
    else:
        send(FrameKind.END)
