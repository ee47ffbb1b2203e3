"""The indexer's socket while no thread can start for a client: the client is turned away, and later ones are served."""

import os
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from desktop_rag.index.indexer.indexer_process import MOST_REFUSED, ClientListener, listen, publish_address
from desktop_rag.index.indexer_client import Address, connect
from desktop_rag.index.library import Library
from desktop_rag.processes.connection import SocketConnection

NO_THREAD = "can't start new thread"
SECRET = b"s" * 32


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library(tmp_path / "library")
    library.create()
    return library


@pytest.fixture
def failures() -> list[str]:
    """The clients for which no thread starts in the meantime, one for each entry."""
    return []


@pytest.fixture
def short() -> list[bool]:
    """One entry for each time that the process is told to end."""
    return []


@pytest.fixture(autouse=True)
def listener(library: Library, failures: list[str], short: list[bool]) -> Iterator[ClientListener]:
    def serve_client(connection: SocketConnection) -> None:
        if failures:
            failures.pop()
            raise RuntimeError(NO_THREAD)
        connection.send_bytes(b"served")

    with listen(library) as socket:
        publish_address(library.address, Address(os.fsencode(str(socket.address)), SECRET.hex(), os.getpid()))
        clients = ClientListener(socket, SECRET, serve_client, lambda: short.append(True))
        clients.open()
        yield clients
        clients.close()


def test_a_client_that_cannot_be_served_is_told_and_the_next_one_is_served(
    library: Library, failures: list[str], short: list[bool]
) -> None:
    failures.append("no receiver")
    turned_away = connect(library.address)
    assert turned_away is not None
    with pytest.raises((EOFError, OSError)):
        turned_away.recv_bytes()
    assert short == [True]
    served = connect(library.address)
    assert served is not None
    assert served.recv_bytes() == b"served"


def test_a_client_without_a_thread_for_it_is_turned_away(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    start: Callable[[threading.Thread], None] = threading.Thread.start
    refused: list[str] = []

    def start_or_fail(thread: threading.Thread) -> None:
        if thread.name == "client" and not refused:
            refused.append(thread.name)
            raise RuntimeError(NO_THREAD)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    with Client(os.fspath(library.socket)) as connection, pytest.raises((EOFError, OSError)):
        connection.recv_bytes()  # nothing was sent, and the connection has ended
    assert refused == ["client"]
    served = connect(library.address)
    assert served is not None
    assert served.recv_bytes() == b"served"


def test_a_process_without_threads_for_its_clients_ends(
    library: Library, short: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    start: Callable[[threading.Thread], None] = threading.Thread.start

    def start_or_fail(thread: threading.Thread) -> None:
        if thread.name == "client":
            raise RuntimeError(NO_THREAD)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    turned_away = 0
    while not short:
        with Client(os.fspath(library.socket)) as connection, pytest.raises((EOFError, OSError)):
            connection.recv_bytes()
        turned_away += 1
    assert turned_away >= MOST_REFUSED
