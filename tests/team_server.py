"""A small HTTP server that answers what is asked of OpenSearch when a team's library is added."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from desktop_rag.team.format.team_indexes import FORMAT
from tests.loopback import QuietHandler, served

FILES = 4_218


class TeamServer(ThreadingHTTPServer):
    """Has the library `team`, readable by `password` of the user ada or as a token, if there is one, at `url`.

    `asked` is set by each request; while `may_answer` is cleared no request is answered. `format` is that of the
    library, `status` with `reason` another answer to everything, `busy` the seconds that all take but one for the
    node itself.
    """

    daemon_threads = True

    def __init__(self, password: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.password = password
        self.url = f"http://127.0.0.1:{self.server_port}/team"
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self.may_answer.set()
        self.format, self.status, self.reason, self.busy = FORMAT, 200, "no", 0.0
        self.paths: list[str] = []


class _Handler(QuietHandler, BaseHTTPRequestHandler):
    server: TeamServer

    def do_GET(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        self.body()
        self._answer()

    def _answer(self) -> None:
        server = self.server
        server.paths.append(self.path)
        server.asked.set()
        server.may_answer.wait(30)
        time.sleep(server.busy if self.path != "/" else 0.0)
        status, body = self._reply()
        self.reply(status, json.dumps(body).encode())

    def _reply(self) -> tuple[int, object]:
        server = self.server
        if server.status != 200:
            return server.status, {"error": {"reason": server.reason}}
        basic = "Basic " + base64.b64encode(f"ada:{server.password}".encode()).decode()
        if server.password and self.headers.get("Authorization") not in (basic, f"Bearer {server.password}"):
            return 401, "Unauthorized"
        if self.path == "/team-documents/_mapping":
            return 200, {"team-documents": {"mappings": {"_meta": {"format": server.format, "dimensions": 384}}}}
        if self.path == "/team-documents/_search":
            hits = {"total": {"value": 2, "relation": "eq"}, "hits": []}
            return 200, {"_shards": {"failed": 0}, "hits": hits, "aggregations": {"files": {"value": float(FILES)}}}
        return 404, {"error": {"reason": "no such index"}}


@contextmanager
def team_server(password: str = "") -> Iterator[TeamServer]:
    """Serve a team's library on this computer."""
    with served(TeamServer(password)) as server:
        try:
            yield server
        finally:
            server.may_answer.set()
