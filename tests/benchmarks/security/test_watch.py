"""The watch of the canary suite sees what it is there for: a connection elsewhere, a look-up, a file outside."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.security.canaries import Watch, watch
from benchmarks.security.payloads import OUTSIDE


@pytest.fixture
def watched() -> Iterator[tuple[Watch, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as endpoint:
        seen = watch(endpoint.getsockname()[1])
        seen.on = True
        yield seen, endpoint
        seen.on = False


def test_the_endpoint_itself_is_no_finding(watched: tuple[Watch, socket.socket], tmp_path: Path) -> None:
    seen, endpoint = watched
    socket.create_connection(endpoint.getsockname()).close()
    (tmp_path / "note.md").write_text("inside")
    assert (seen.connections, seen.files) == ([], [])


def test_connections_look_ups_and_files_outside_are_seen(watched: tuple[Watch, socket.socket]) -> None:
    seen, _ = watched
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        socket.create_connection(elsewhere.getsockname()).close()
    with suppress(OSError):
        socket.getaddrinfo("elsewhere.invalid", 443)
    with suppress(OSError):
        Path(OUTSIDE).read_bytes()
    seen.on = False
    assert len(seen.connections) == 2
    assert seen.files == [OUTSIDE]
