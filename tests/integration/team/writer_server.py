"""A small HTTP server that keeps the sources of a team's library, and takes but does not keep what else is written."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.loopback import QuietHandler, served


class WriterServer(ThreadingHTTPServer):
    """Has the library `team` at `url`; `sources` are its entries by number."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/team"
        self.sources: dict[str, dict[str, object]] = {}


class _Handler(QuietHandler, BaseHTTPRequestHandler):
    server: WriterServer

    def do_GET(self) -> None:
        if number := self._source():
            self._reply({"_seq_no": 1, "_primary_term": 1, "_source": self.server.sources[number]})
        else:
            self._reply({"error": {"reason": "no such index"}}, 404)

    def do_PUT(self) -> None:
        data = self.body()
        if number := self._source():
            self.server.sources[number] = json.loads(data)
        self._reply({})

    def do_POST(self) -> None:
        data = self.body()
        if self.path.startswith("/_bulk"):
            written = data.count(b'"version_type"')
            self._reply({"items": [{"index": {"status": 201}}] * written})
            return
        known = self.server.sources.values() if "-sources" in self.path else ()
        self._reply({"hits": {"hits": [{"_source": each} for each in known]}})

    def _source(self) -> str:
        found = re.match(r"/team-sources[^/]*/_doc/(\d+)", self.path)
        return found[1] if found else ""

    def _reply(self, body: object, status: int = 200) -> None:
        self.reply(status, json.dumps(body).encode())


@contextmanager
def writer_server() -> Iterator[WriterServer]:
    """Serve the sources of a team's library on this computer."""
    with served(WriterServer()) as server:
        yield server
