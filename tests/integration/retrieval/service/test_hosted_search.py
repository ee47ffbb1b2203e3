"""A program that has a library open answers searches of the command line, and of nobody else."""

import hashlib
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from desktop_rag.cli import search_command
from desktop_rag.cli.output import Output
from desktop_rag.cli.verb_parsers import verb_parser
from desktop_rag.errors import QueryError, Stopped
from desktop_rag.index.library import Library
from desktop_rag.processes.wire import FrameKind
from desktop_rag.retrieval.api import Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service import hosted_search as client_side
from desktop_rag.retrieval.service import search_host
from desktop_rag.retrieval.service.hosted_search import PROTOCOL, address_of, hosted_search, receive, send_message
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.retrieval.conftest import FILES, SmallLibrary

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs sockets of the file system")

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="others search by themselves there")
RENT = SearchRequest("rent of the tenant", Mode.HYBRID)


@pytest.fixture(scope="module", params=["short", pytest.param("long", marks=LINUX)])
def library(request: pytest.FixtureRequest) -> Iterator[SmallLibrary]:
    """A library at a short path, and at one that is too long for the address of a socket."""
    folder = Path(tempfile.mkdtemp(prefix="drag"))
    library = SmallLibrary(folder if request.param == "short" else folder / ("long" * 30))
    library.add(FILES)
    library.encode()
    yield library
    library.close()
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def searcher(library: SmallLibrary) -> Iterator[SearcherClient]:
    with closing(SearcherClient(library.layout.folder)) as searcher:
        searcher.prepare(Stop())
        yield searcher


@pytest.fixture
def host(library: SmallLibrary, searcher: SearcherClient) -> Iterator[SearchHost]:
    with closing(SearchHost(library.layout, searcher)) as host:
        path_of(library.layout)
        yield host


def wait_until(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def path_of(library: Library) -> Path:
    """Return the socket of the host as soon as it listens."""
    wait_until(lambda: any(_listens(path) for path in library.search_sockets()))
    return next(path for path in library.search_sockets() if _listens(path))


def _listens(path: Path) -> bool:
    with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        with address_of(path) as address:
            probe.connect(address)
        return True
    return False


def connected(library: Library) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    with address_of(path_of(library)) as address:
        connection.connect(address)
    return connection


def listen(listener: socket.socket, path: Path) -> None:
    with address_of(path) as address:
        listener.bind(address)
    listener.listen()


@contextmanager
def frozen_searchers() -> Generator[None]:
    """Let no searcher answer during the block."""
    children = child_processes("_searcher")
    for child in children:
        child.suspend()
    try:
        yield
    finally:
        for child in children:
            child.resume()


@pytest.mark.processes
@pytest.mark.usefixtures("host")
def test_what_is_served_is_what_the_command_line_finds_by_itself(library: SmallLibrary) -> None:
    with closing(SearchEngine(library.layout.folder)) as engine:
        for mode in Mode:
            request = replace(RENT, mode=mode, filters=(Filter(FileField.EXT, "md"),))
            ours, hosted = engine.search(request, Stop()), hosted_search(library.layout, request, Stop())
            assert hosted is not None
            assert [(hit.path, hit.span, hit.snippet) for hit in hosted.hits] == [
                (hit.path, hit.span, hit.snippet) for hit in ours.hits
            ]
            assert {hit.path.suffix for hit in hosted.hits} == {".md"}
    with pytest.raises(QueryError) as caught:
        hosted_search(library.layout, SearchRequest("titel:rent"), Stop())
    assert (caught.value.position, caught.value.suggestion) == (0, "title:rent")


@pytest.mark.usefixtures("host")
def test_the_command_line_asks_and_needs_no_engine(
    library: SmallLibrary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_engine(_: Library) -> SearchEngine:
        raise AssertionError("it searched in its own process")

    monkeypatch.setattr(search_command, "open_engine", no_engine)
    options = verb_parser().parse_args(["search", "rent"])
    assert search_command.search(library.layout, options, Output(as_json=False), Stop()) == 0
    assert "lease.md" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.usefixtures("host")
def test_the_asking_command_loads_nothing_that_searches(library: SmallLibrary) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "desktop_rag", "search", "rent", "--library"]
    ran = subprocess.run([*command, str(library.layout.folder)], capture_output=True, text=True, check=True)
    assert "lease.md" in ran.stdout
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines() if line.startswith("import time:")}
    assert "desktop_rag.retrieval.service.hosted_search" in loaded
    assert not loaded & {"numpy", "onnxruntime", "whoosh", "apsw", "multiprocessing.connection"}


def test_the_folder_and_the_socket_are_closed_to_others(library: SmallLibrary, host: SearchHost) -> None:
    path = path_of(library.layout)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path in library.layout.files()
    host.close()
    assert library.layout.search_sockets() == ()


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("side", [client_side, search_host])
def test_nobody_else_is_answered_nor_asked(
    side: object, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hosted_search(library.layout, RENT, Stop()) is not None
    monkeypatch.setattr(side, "is_same_user", lambda _: False)
    assert hosted_search(library.layout, RENT, Stop()) is None


@pytest.mark.usefixtures("host")
def test_the_kernel_says_who_is_at_the_other_end(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(library.layout) as connection:
        assert client_side.is_same_user(connection)
        monkeypatch.setattr(os, "getuid", lambda: 54321)
        assert not client_side.is_same_user(connection)


@pytest.mark.usefixtures("host")
def test_another_program_version_or_encoder_searches_by_itself(
    library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    for other in ("0 0.1 /encoder", client_side.handshake() + "x", ""):
        monkeypatch.setattr(client_side, "handshake", lambda other=other: other)
        assert hosted_search(library.layout, RENT, Stop()) is None


def test_a_killed_program_leaves_a_socket_that_troubles_nobody(library: SmallLibrary, searcher: SearcherClient) -> None:
    dead = library.layout.new_search_socket("0123456789abcdef")
    with socket.socket(socket.AF_UNIX) as killed:
        listen(killed, dead)
    assert hosted_search(library.layout, RENT, Stop()) is None
    with closing(SearchHost(library.layout, searcher)):
        path_of(library.layout)
        wait_until(lambda: not dead.exists())
        assert hosted_search(library.layout, RENT, Stop()) is not None


def test_a_frozen_program_is_not_waited_for(library: SmallLibrary) -> None:
    with socket.socket(socket.AF_UNIX) as frozen:
        listen(frozen, library.layout.new_search_socket("0123456789abcdef"))  # the kernel connects; nobody accepts
        began = time.monotonic()
        assert hosted_search(library.layout, RENT, Stop()) is None
        assert time.monotonic() - began < 5


@pytest.mark.processes
def test_a_searcher_that_was_not_needed_yet_is_started_for_the_next(library: SmallLibrary) -> None:
    before = len(child_processes("_searcher"))
    with (
        closing(SearcherClient(library.layout.folder)) as unused,
        closing(SearchHost(library.layout, unused)),
    ):
        path_of(library.layout)
        assert len(child_processes("_searcher")) == before
        assert hosted_search(library.layout, RENT, Stop()) is None
        wait_until(lambda: hosted_search(library.layout, RENT, Stop()) is not None)
        assert len(child_processes("_searcher")) == before + 1


def test_a_library_that_is_made_later_is_served_then(searcher: SearcherClient, library: SmallLibrary) -> None:
    later = Library(library.layout.folder.parent / "later")
    with closing(SearchHost(later, searcher)):
        assert later.search_sockets() == ()
        later.create()
        path_of(later)


@pytest.mark.usefixtures("host")
def test_only_searches_are_served(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = client_side._encoder.encode
    with connected(library.layout) as connection:
        opening = (client_side.handshake(), ("list_files", (None, "", 0)))
        send_message(connection, encode(opening), 5)
        assert receive(connection, 1, 5) == bytes((FrameKind.END,))


HOSTILE = {
    "nothing": b"",
    "noise": os.urandom(4_000),
    "a huge length": struct.pack("!I", 0xFFFFFFFF) + b"x" * 1_000,
    "no length": struct.pack("!I", 0),
    "a cut message": struct.pack("!I", 1_000) + b"x",
    "no MessagePack": struct.pack("!I", 4) + b"\xc1\xc1\xc1\xc1",
    "another shape": struct.pack("!I", 1) + b"\x90",
    "deeply nested": struct.pack("!I", 900_000) + b"\x91" * 900_000,
}


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("sent", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_cost_their_sender_alone(sent: bytes, library: SmallLibrary) -> None:
    for _ in range(20):
        with connected(library.layout) as connection, suppress(OSError):
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(20)
            assert connection.recv(1_000) in (b"", b"\0\0\0\1" + bytes((FrameKind.END,)))
    wait_until(lambda: hosted_search(library.layout, RENT, Stop()) is not None)


@pytest.mark.usefixtures("host")
def test_wrong_arguments_are_refused_by_the_searcher(library: SmallLibrary) -> None:
    encode = client_side._encoder.encode
    for arguments in ((), (1,), ({"query": 7},), (RENT, RENT), "search", {"query": "rent"}):
        with connected(library.layout) as connection:
            send_message(connection, encode((client_side.handshake(), ("search", arguments))), 5)
            assert receive(connection, 1, 5) == bytes((FrameKind.HEARTBEAT,))
            assert receive(connection, 10_000, 20)[0] == FrameKind.FAILURE
    assert hosted_search(library.layout, RENT, Stop()) is not None


@pytest.mark.usefixtures("host")
def test_clients_that_are_slow_do_not_keep_others_out_for_long(
    library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_host, "REQUEST_SECONDS", 1.0)
    slow = [connected(library.layout) for _ in range(200)]
    try:
        for connection in slow:
            with suppress(OSError):
                connection.send(b"\0")
        wait_until(lambda: hosted_search(library.layout, RENT, Stop()) is not None)
    finally:
        for connection in slow:
            connection.close()


@pytest.mark.processes
@pytest.mark.usefixtures("host")
def test_two_hundred_at_once_are_answered_or_search_by_themselves(library: SmallLibrary) -> None:
    found: list[SearchResult | None] = []

    def ask() -> None:
        found.append(hosted_search(library.layout, RENT, Stop()))

    threads = [threading.Thread(target=ask) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(found) == 200
    assert {result.hits[0].path.name for result in found if result is not None} <= {"lease.md"}
    wait_until(lambda: hosted_search(library.layout, RENT, Stop()) is not None)
    assert (
        len([thread for thread in threading.enumerate() if thread.name == "hosted search"]) <= search_host.MOST_CLIENTS
    )


@pytest.mark.usefixtures("host")
def test_stop_ends_the_wait_and_the_search(library: SmallLibrary) -> None:
    with frozen_searchers():
        stop = Stop()
        threading.Timer(0.5, stop.set).start()
        with pytest.raises(Stopped):
            hosted_search(library.layout, RENT, stop)
        wait_until(lambda: not [each for each in threading.enumerate() if each.name == "hosted search"])
    assert hosted_search(library.layout, RENT, Stop()) is not None


def test_the_end_of_the_program_ends_waiting_searches(library: SmallLibrary, host: SearchHost) -> None:
    with frozen_searchers():
        found: list[object] = []
        waiting = threading.Thread(target=lambda: found.append(_asked(library.layout)))
        waiting.start()
        wait_until(lambda: [each for each in threading.enumerate() if each.name == "client watch"])
        host.close()
        waiting.join(60)
        assert found == [None]


def _asked(library: Library) -> SearchResult | None:
    with suppress(Stopped):
        return hosted_search(library, RENT, Stop())
    return None


def test_a_change_of_the_messages_is_another_protocol() -> None:
    """Older programs drop fields that they do not know: a scope that they do not know must not be ignored."""
    described = " ".join(sorted(_described(SearchRequest) | _described(SearchResult))).replace(
        "pathlib._local", "pathlib"
    )
    digest = hashlib.sha256(described.encode()).hexdigest()[:12]
    assert (PROTOCOL, digest) == (13, "6e80c4cf8674"), (
        "the messages have changed: raise PROTOCOL, then note the new digest"
    )


def _described(kind: object) -> set[str]:
    """Return the fields of a class and of all classes in them."""
    parts = set[str]().union(*map(_described, get_args(kind)))
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return parts
    hints = get_type_hints(kind)
    parts |= {f"{kind.__name__}.{each.name}: {hints[each.name]}" for each in fields(kind)}
    return parts.union(*(_described(hints[each.name]) for each in fields(kind)))
