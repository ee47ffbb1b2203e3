"""A team's server cannot fill the memory of a searcher, also not by an answer that is packed small."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from desktop_rag.errors import TeamError
from desktop_rag.team import team_connection
from desktop_rag.team.team_connection import TeamConnection


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        packed = gzip.compress(b'{"a": 1' + b" " * 8_000_000 + b"}")
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/team"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_answer_that_is_too_large_is_not_read_on(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = TeamConnection(url)
    assert connection.ask("GET", "/") == {"a": 1}
    monkeypatch.setattr(team_connection, "MOST_REPLY", 1_000_000)
    with pytest.raises(TeamError, match="more than any answer"):
        connection.ask("GET", "/")
    connection.close()
