"""Several processes that answer the same requests: one at rest, more while calls wait, given back when idle.

Each process has one call at a time. Waiting calls are served in turn by asker, so that a hundred calls of one do not
delay the single call of another; urgent askers come before all others, and have one more process.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from desktop_rag.errors import DesktopRagError, ProcessError
from desktop_rag.processes.remote import CLOSING, Endpoint, Remote
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many processes a pool has: `most` for all askers, and one more for urgent ones.

    Another one is started after a call has waited `patience` seconds, if `may_start` (there is memory for it), and
    ended after `idle_seconds` without a call; the last one stays.
    """

    most: int
    may_start: Callable[[], bool] = lambda: True
    patience: float = 0.05
    idle_seconds: float = 60.0


@dataclass(eq=False, slots=True)
class _Ticket:
    """A waiting call; `remote` is its process as soon as it has one."""

    asker: "Asker"
    ready: threading.Event = field(default_factory=threading.Event)
    remote: Remote | None = None


@dataclass(eq=False, frozen=True, slots=True)
class Asker:
    """One of those who share a pool. It calls like a `Remote`; closing it closes the pool."""

    pool: "RemotePool"
    urgent: bool

    def call(self, request: bytes, stop: Stop) -> bytes:
        """Return the first reply to `request`; raises as `Remote.call`."""
        with self.pool.process_for(self, stop) as remote:
            return remote.call(request, stop)

    def stream(self, request: bytes, stop: Stop) -> Generator[bytes]:
        """Yield the replies to `request`; the process is taken until the generator is closed."""
        with self.pool.process_for(self, stop) as remote, closing(remote.stream(request, stop)) as replies:
            yield from replies

    def close(self) -> None:
        """End all processes; later requests of all askers fail."""
        self.pool.close()


class RemotePool:
    """The processes that its askers share; `prepare` makes the first call to one that was started while calls wait."""

    def __init__(
        self, connect: Callable[[Stop], Endpoint], limits: PoolLimits, prepare: Callable[[Remote], None]
    ) -> None:
        self._connect = connect
        self.limits = limits
        self._prepare = prepare
        self._lock = threading.Lock()
        self._idle: list[tuple[Remote, float]] = [
            (Remote(connect), 0.0)
        ]  # and since when; the last used one at the end
        self._busy: dict[Remote, Asker] = {}
        self._starting: Remote | None = None
        self._queues: tuple[OrderedDict[Asker, deque[_Ticket]], ...] = (OrderedDict(), OrderedDict())  # urgent, others
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def is_running(self) -> bool:
        """Whether a process has been started and was not lost since."""
        with self._lock:
            return any(remote.is_connected for remote in (*self._busy, *(remote for remote, _ in self._idle)))

    def asker(self, *, urgent: bool = False) -> Asker:
        """Return a new asker; its calls take turns with those of all others."""
        return Asker(self, urgent)

    @contextmanager
    def process_for(self, asker: Asker, stop: Stop) -> Generator[Remote]:
        """Wait for a process and hold it in the block; raises `Stopped`, or `ProcessError` when closed."""
        stop.check()
        ticket = _Ticket(asker)
        with self._lock:
            if self._closed:
                raise ProcessError(CLOSING)
            self._queues[not asker.urgent].setdefault(asker, deque()).append(ticket)
            self._serve()
        try:
            self._wait(ticket, stop)
            if ticket.remote is None:
                stop.check()
                raise ProcessError(CLOSING)
            yield ticket.remote
        finally:
            self._release(ticket)

    def close(self) -> None:
        """End all processes; waiting and later calls fail."""
        with self._lock:
            self._closed = True
            remotes = [remote for remote, _ in self._idle] + list(self._busy)
            remotes += [self._starting] if self._starting else []
            tickets = [ticket for queue in self._queues for some in queue.values() for ticket in some]
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        for ticket in tickets:
            ticket.ready.set()
        for remote in remotes:
            remote.close()

    def _wait(self, ticket: _Ticket, stop: Stop) -> None:
        with stop.interrupting(ticket.ready.set):
            if not ticket.ready.wait(self.limits.patience):
                with self._lock:
                    self._start_another()
                ticket.ready.wait()

    def _release(self, ticket: _Ticket) -> None:
        """Return the process of a call, or take the call out of its queue."""
        with self._lock:
            if ticket.remote is None:
                queue = self._queues[not ticket.asker.urgent]
                queue[ticket.asker].remove(ticket)
                if not queue[ticket.asker]:
                    del queue[ticket.asker]
                return
            del self._busy[ticket.remote]
            self._idle.append((ticket.remote, time.monotonic()))
            self._serve()
            self._watch_idle()

    def _serve(self) -> None:
        """Give idle processes to waiting calls; the lock is held."""
        while self._idle and not self._closed and (ticket := self._next()) is not None:
            remote, _ = self._idle.pop()
            ticket.remote = remote
            self._busy[remote] = ticket.asker
            ticket.ready.set()

    def _next(self) -> _Ticket | None:
        """Take the next waiting call: of the asker that has waited longest for its turn."""
        urgent, others = self._queues
        if not urgent and sum(not asker.urgent for asker in self._busy.values()) >= self.limits.most:
            return None  # what is left is for an urgent call
        queue = urgent or others
        if not queue:
            return None
        asker, tickets = queue.popitem(last=False)
        ticket = tickets.popleft()
        if tickets:
            queue[asker] = tickets  # at the end: the others come first
        return ticket

    def _start_another(self) -> None:
        """Start another process if calls wait and the limits allow it; the lock is held."""
        urgent, others = self._queues
        most = self.limits.most + bool(urgent)
        is_enough = len(self._idle) + len(self._busy) >= most or not (urgent or others)
        if self._closed or self._starting is not None or is_enough:
            return
        self._starting = Remote(self._connect)
        threading.Thread(target=self._start, args=(self._starting,), name="another process", daemon=True).start()

    def _start(self, remote: Remote) -> None:
        """Start and prepare a process, so that no call waits for it, and let it work."""
        started = False
        try:
            if self.limits.may_start():
                self._prepare(remote)
                started = True
        except DesktopRagError as error:
            logger.debug("another process cannot be started: %s", error)
        with self._lock:
            self._starting = None
            if started and not self._closed:
                self._idle.append((remote, time.monotonic()))
                self._serve()
                self._start_another()
                self._watch_idle()
                return
        remote.close()

    def _watch_idle(self) -> None:
        """Look again when a process may have been idle long enough; the lock is held."""
        if self._timer is None and not self._closed and len(self._idle) + len(self._busy) > 1:
            self._timer = threading.Timer(self.limits.idle_seconds, self._end_idle)
            self._timer.daemon = True
            self._timer.start()

    def _end_idle(self) -> None:
        """End the processes that have been idle for long, but never the last one."""
        latest = time.monotonic() - self.limits.idle_seconds
        with self._lock:
            self._timer = None
            spare = len(self._idle) + len(self._busy) - 1
            ended = [idle for idle in self._idle if idle[1] <= latest][:spare]
            self._idle = [idle for idle in self._idle if idle not in ended]
            self._watch_idle()
        for remote, _ in ended:
            remote.close()
