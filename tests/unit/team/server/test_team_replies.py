"""A team's server that sends too much fills no memory, and one that has lost the others is passed over."""

import errno
import gzip
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from desktop_rag.errors import TeamBusy, TeamError, TeamNotSecure, TeamRefused, TeamUnreachable
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import readable_files
from desktop_rag.team.server import node_http, team_connection
from desktop_rag.team.server.silences import silence_of
from desktop_rag.team.server.team_connection import TeamConnection, is_blocked
from tests.team_server import FILES, TeamServer, team_server


class _Handler(BaseHTTPRequestHandler):
    """Answers more than it seems; `/short` in ten parts, of which the connection is kept, `/cut` half."""

    protocol_version = "HTTP/1.1"
    timeout = 1.5  # seconds; then a connection that is not used is closed
    connections = 0

    def setup(self) -> None:
        type(self).connections += 1
        super().setup()

    def do_DELETE(self) -> None:
        self.send_response(204)
        self.end_headers()

    def do_GET(self) -> None:
        packed = gzip.compress(b'{"a": 1' + b" " * 8_000_000 + b"}")
        self.send_response(200)
        if self.path == "/short":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for part in (b'{"b"', b": 2", b"}", b""):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            return
        if self.path == "/cut-head":
            self.wfile.write(b"X-More: " + b"x" * 70_000)
            self.close_connection = True
            return
        if self.path == "/cut":
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b'{"c": 3}')
            self.close_connection = True
            return
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/team"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_answer_that_is_too_large_is_not_read_on(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = TeamConnection(url)
    assert connection.ask("GET", "/") == {"a": 1}
    monkeypatch.setattr(node_http, "MOST_REPLY", 1_000_000)
    with pytest.raises(TeamError, match="more than any answer"):
        connection.ask("GET", "/")
    connection.close()


def test_a_connection_is_kept_until_the_server_ends_it(url: str) -> None:
    before = _Handler.connections
    with closing(TeamConnection(url)) as connection:
        for _ in range(3):
            assert connection.ask("GET", "/short") == {"b": 2}
        assert _Handler.connections == before + 1
        time.sleep(2 * _Handler.timeout)
        assert connection.ask("GET", "/short") == {"b": 2}
        assert _Handler.connections == before + 2


def test_an_answer_without_a_body_is_not_waited_for(url: str) -> None:
    before = _Handler.connections
    with closing(TeamConnection(url)) as connection:
        assert connection.ask("DELETE", "/") == {}
        assert connection.ask("GET", "/short") == {"b": 2}
    assert _Handler.connections == before + 1


@pytest.mark.parametrize("path", ["/cut", "/cut-head"])
def test_half_an_answer_is_none(url: str, path: str) -> None:
    with closing(TeamConnection(url)) as connection:
        with pytest.raises(TeamUnreachable, match=r"does not answer \(it gave no answer\)"):
            connection.ask("GET", path)
        assert connection.ask("GET", "/short") == {"b": 2}


def test_another_node_is_asked_when_one_has_lost_the_others() -> None:
    with team_server() as lost, team_server() as well:
        lost.status = 503
        both = f"{lost.url.removesuffix('/team')},{well.url.removeprefix('http://')}"
        for _ in range(4):  # each client begins with any of them
            with closing(TeamConnection(both)) as connection:
                assert readable_files(connection, Stop()) == FILES
        assert len(lost.paths) <= 4


def test_why_a_server_gives_no_answer_is_told_in_words() -> None:
    connection = TeamConnection("http://127.0.0.1:9,127.0.0.1:9/team")
    with pytest.raises(TeamUnreachable, match=r"do not answer \(the last: it refused the connection\)"):
        connection.ask("GET", "/")
    timeout, lost = httpx2.ReadTimeout("late"), http.client.IncompleteRead(b"")
    timeout.__cause__ = TimeoutError()
    assert silence_of(timeout) == "it gave no answer in time"
    assert silence_of(ConnectionResetError()) == "it ended the connection"
    assert silence_of(socket.gaierror()) == "no address is known for its name"
    assert silence_of(OSError(errno.EHOSTUNREACH, "no route")) == "no network leads to it"
    assert silence_of(lost) == silence_of(None) == "it gave no answer"


def test_a_certificate_of_an_unknown_authority_is_told_with_the_remedy() -> None:
    with team_server() as server:
        connection = TeamConnection(server.url.replace("http:", "https:"))
        with pytest.raises(TeamNotSecure, match="`--ca-file FILE`"):
            connection.ask("GET", "/")


def _beginning_with(first: TeamServer, second: TeamServer) -> TeamConnection:
    """Return a connection to both that asks `first` first."""
    both = f"{first.url.removesuffix('/team')},{second.url.removeprefix('http://')}"
    while f"{(connection := TeamConnection(both)).node}/team" != first.url:
        pass
    return connection


def test_another_node_is_asked_when_one_says_nothing() -> None:
    with team_server() as silent, team_server() as well:
        silent.may_answer.clear()
        with closing(_beginning_with(silent, well)) as connection:
            began = time.monotonic()
            assert readable_files(connection, Stop()) == FILES
            assert time.monotonic() - began < 5
        assert "/" in silent.paths


def test_a_busy_node_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_http, "SILENT_SECONDS", 0.2)
    with team_server() as busy, team_server() as other:
        busy.busy = 1.0
        with closing(_beginning_with(busy, other)) as connection:
            assert readable_files(connection, Stop()) == FILES
        assert busy.paths.count("/") >= 2
        assert not other.paths


class _Electing(BaseHTTPRequestHandler):
    """A node that has no cluster manager when it is asked for the first two times."""

    asked = 0

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        type(self).asked += 1
        reason = "blocked by: [SERVICE_UNAVAILABLE/2/no cluster manager];"
        blocked = {"type": "cluster_block_exception", "reason": reason}
        found: dict[str, object] = {"_shards": {"total": 1, "successful": 1}, "hits": {"hits": []}}
        answer = {"error": blocked, "status": 503} if type(self).asked <= 2 else found
        away = {"type": "no_shard_available_action_exception", "reason": "No shard available"}
        docs = [{"_id": "1", "error": away} if type(self).asked <= 2 else {"_id": "1", "found": True, "_source": {}}]
        data = json.dumps({"responses": [answer], "docs": docs}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


def test_an_election_of_a_cluster_manager_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Electing)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    with closing(TeamConnection(f"http://127.0.0.1:{server.server_port}/team")) as connection:
        questions: tuple[tuple[Callable[[], object], object], ...] = (
            (lambda: connection.msearch("documents", [{}])[0]["hits"], {"hits": []}),
            (lambda: connection.find_passages("passages", [{}]), [[]]),
            (lambda: connection.mget("documents", ["1"], ("card",)), {"1": {}}),
        )
        for ask, empty in questions:
            monkeypatch.setattr(_Electing, "asked", 0)
            assert ask() == empty
            assert _Electing.asked == 3
        monkeypatch.setattr(team_connection, "_ELECTION_WAITS", ())
        monkeypatch.setattr(_Electing, "asked", 0)
        with pytest.raises(TeamBusy, match="no cluster manager"):
            connection.find_passages("passages", [{}])
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_query_that_every_part_refuses_is_not_waited_for() -> None:
    def failed(*types: str) -> dict[str, object]:
        shards = [{"reason": {"type": each}} for each in types]
        return {"type": "search_phase_execution_exception", "reason": "all shards failed", "failed_shards": shards}

    assert is_blocked(failed())
    assert is_blocked(failed("node_disconnected_exception", "no_shard_available_action_exception"))
    assert not is_blocked(failed("node_disconnected_exception", "query_shard_exception"))
    assert not is_blocked("no")


def test_a_full_disk_is_not_a_right_that_is_missing() -> None:
    with team_server() as server, closing(TeamConnection(server.url)) as connection:
        server.status, server.reason = 403, "blocked by: [FORBIDDEN/10/cluster create-index blocked (api)];"
        with pytest.raises(TeamBusy, match="disk"):
            connection.ask("PUT", "/team-passages", {})
        server.reason = "no permissions for [indices:admin/create]"
        with pytest.raises(TeamRefused, match="role"):
            connection.ask("PUT", "/team-passages", {})
