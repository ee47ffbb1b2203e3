"""A service over an in-memory pipe: client methods, dispatch and checks derived from the protocol."""

import queue
import sys
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from typing import Protocol

import msgspec
import pytest

from desktop_rag.errors import LibraryError, OutOfMemory, ProcessError
from desktop_rag.processes import serving
from desktop_rag.processes.connection import SocketConnection
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.service import Service, ServiceClient, remote_method
from desktop_rag.processes.serving import Handler, serve
from desktop_rag.stop import Stop

HUGE = sys.maxsize // 2  # bytes, more than any computer has


@dataclass(frozen=True, slots=True)
class Size:
    path: Path
    count: int


class Ledger(Protocol):
    def size(self, path: Path, count: int, stop: Stop) -> Size: ...

    def find(self, path: Path | None, stop: Stop) -> Size | None: ...

    def forget(self, stop: Stop) -> None: ...

    def count_to(self, last: int, stop: Stop) -> Generator[int]: ...


class LedgerInMemory:
    def __init__(self) -> None:
        self.closed = threading.Event()

    def size(self, path: Path, count: int, stop: Stop) -> Size:
        return Size(path, count)

    def find(self, path: Path | None, stop: Stop) -> Size | None:
        return None if path is None else Size(path, 1)

    def forget(self, stop: Stop) -> None:
        raise LibraryError("There is nothing to forget.")

    def count_to(self, last: int, stop: Stop) -> Generator[int]:
        if last == HUGE:
            bytearray(last)
        try:
            for number in range(last):
                yield number
                stop.check()
        finally:
            self.closed.set()

    def not_declared(self, stop: Stop) -> None:
        raise AssertionError("only declared methods are dispatched")


class LedgerClient(ServiceClient):
    size = remote_method(Ledger.size)
    find = remote_method(Ledger.find)
    forget = remote_method(Ledger.forget)
    count_to = remote_method(Ledger.count_to)


class OtherLedger(Protocol):
    """A protocol of another version: same names, other types."""

    def size(self, path: Path, count: str, stop: Stop) -> Size: ...

    def find(self, path: Path | None, stop: Stop) -> int: ...

    def not_declared(self, stop: Stop) -> None: ...


class OtherClient(ServiceClient):
    size = remote_method(OtherLedger.size)
    find = remote_method(OtherLedger.find)
    not_declared = remote_method(OtherLedger.not_declared)


class Server:
    """Serves each new connection on a thread of its own."""

    def __init__(self, handle: Handler) -> None:
        self._handle = handle
        self._threads: list[threading.Thread] = []

    def connect(self, stop: Stop) -> Endpoint:
        ours, theirs = (SocketConnection(end) for end in Pipe())
        thread = threading.Thread(target=serve, args=(theirs, self._handle), daemon=True)
        thread.start()
        self._threads.append(thread)
        return Endpoint(ours, ours.close)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(60)


LEDGER = Service[Ledger](Ledger)


@pytest.fixture
def ledger() -> LedgerInMemory:
    return LedgerInMemory()


@pytest.fixture
def client(ledger: LedgerInMemory) -> Iterator[LedgerClient]:
    server = Server(LEDGER.handler(ledger))
    client = LedgerClient(Remote(server.connect))
    yield client
    client.close()
    server.join()


@pytest.fixture
def other(ledger: LedgerInMemory) -> Iterator[OtherClient]:
    server = Server(LEDGER.handler(ledger))
    client = OtherClient(Remote(server.connect))
    yield client
    client.close()
    server.join()


def test_a_call_returns_the_typed_reply(client: LedgerClient) -> None:
    declared: Ledger = client
    assert declared.size(Path("/a"), 3, Stop()) == Size(Path("/a"), 3)
    assert client.size(count=4, path=Path("/b"), stop=Stop()) == Size(Path("/b"), 4)


def test_an_optional_reply_may_be_missing(client: LedgerClient) -> None:
    assert client.find(None, Stop()) is None
    assert client.find(Path("/a"), Stop()) == Size(Path("/a"), 1)


def test_a_generator_method_streams_its_replies(client: LedgerClient, ledger: LedgerInMemory) -> None:
    assert list(client.count_to(3, Stop())) == [0, 1, 2]
    assert ledger.closed.is_set()


def test_closing_a_stream_closes_the_generator_of_the_server(client: LedgerClient, ledger: LedgerInMemory) -> None:
    stream = client.count_to(1_000_000_000, Stop())
    assert next(stream) == 0
    stream.close()
    assert ledger.closed.wait(60)


def test_an_error_of_the_server_is_raised_by_the_client(client: LedgerClient) -> None:
    with pytest.raises(LibraryError, match="nothing to forget"):
        client.forget(Stop())


def test_a_lack_of_memory_is_told_as_such(client: LedgerClient) -> None:
    with pytest.raises(OutOfMemory, match="not enough memory"):
        next(client.count_to(HUGE, Stop()))
    assert next(client.count_to(1, Stop())) == 0


def test_an_argument_of_the_wrong_type_is_refused_by_the_server(other: OtherClient) -> None:
    with pytest.raises(ProcessError, match="size has wrong arguments"):
        other.size(Path("/a"), "three", Stop())


def test_a_reply_of_the_wrong_type_is_refused_by_the_client(other: OtherClient) -> None:
    with pytest.raises(ProcessError, match="invalid answer"):
        other.find(Path("/a"), Stop())


def test_only_declared_methods_are_dispatched(other: OtherClient) -> None:
    with pytest.raises(ProcessError, match="no request 'not_declared'"):
        other.not_declared(Stop())


@pytest.mark.parametrize("payload", [b"", b"\xc1", msgspec.msgpack.encode(7), msgspec.msgpack.encode(["size"])])
def test_bytes_that_are_not_a_request_are_refused(ledger: LedgerInMemory, payload: bytes) -> None:
    with pytest.raises(ProcessError, match="cannot be decoded"):
        next(LEDGER.handler(ledger)(payload, Stop()))


def test_a_method_without_stop_is_not_a_request() -> None:
    class Broken(Protocol):
        def size(self, path: Path) -> Size: ...

    with pytest.raises(TypeError, match="is no `Stop`"):
        Service[Broken](Broken)


def test_memory_is_released_once_after_each_busy_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "RELEASE_SECONDS", 0.05)
    releases: queue.SimpleQueue[int] = queue.SimpleQueue()
    released = partial(serve, release=lambda: releases.put(1))
    monkeypatch.setattr(sys.modules[__name__], "serve", released)
    server = Server(LEDGER.handler(LedgerInMemory()))
    client = LedgerClient(Remote(server.connect))
    for _ in range(2):
        assert client.size(Path("a"), 1, Stop()).count == 1
        releases.get(timeout=60)
        with pytest.raises(queue.Empty):
            releases.get(timeout=0.3)
    client.close()
    server.join()


def test_preparation_goes_on_while_it_has_more_to_do_and_requests_come_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.02)
    steps: queue.SimpleQueue[int] = queue.SimpleQueue()
    left = iter((True, True, False))

    def prepare() -> bool:
        steps.put(1)
        return next(left)

    monkeypatch.setattr(sys.modules[__name__], "serve", partial(serve, prepare=prepare))
    server = Server(LEDGER.handler(LedgerInMemory()))
    client = LedgerClient(Remote(server.connect))
    assert client.size(Path("a"), 1, Stop()).count == 1
    for _ in range(3):
        steps.get(timeout=60)
    assert client.size(Path("a"), 1, Stop()).count == 1
    with pytest.raises(queue.Empty):
        steps.get(timeout=0.3)
    client.close()
    server.join()


def test_full_collections_are_made_in_the_pauses_between_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.02)
    pauses: queue.SimpleQueue[int] = queue.SimpleQueue()
    monkeypatch.setattr(serving, "collect_if_due", lambda: pauses.put(1))
    server = Server(LEDGER.handler(LedgerInMemory()))
    client = LedgerClient(Remote(server.connect))
    for _ in range(2):
        assert client.size(Path("a"), 1, Stop()).count == 1
        pauses.get(timeout=60)
    client.close()
    server.join()
