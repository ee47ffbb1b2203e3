"""The protocol's own conformance suite and inspector against `desktop-rag mcp --http`, where they are installed.

With Node 22: `npm install -g @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector`. The results are
in `docs/mcp.md`.
"""

import re
import shutil
import socketserver
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from socket import SHUT_WR, create_connection, socket
from urllib.parse import urlsplit

import pytest

from tests.integration.cli.conftest import Object, Program
from tests.integration.cli.mcp_sessions import serving

PASSING = (
    "server-initialize",
    "ping",
    "logging-set-level",
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)


def installed(name: str) -> str:
    found = shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not installed")
    return found


def _pass(source: socket, target: socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(SHUT_WR)


@contextmanager
def with_key(told: Object) -> Generator[str]:
    """An address that adds the key to each request: the suite can send none."""
    parts = urlsplit(str(told["address"]))

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            head = b""
            while b"\r\n\r\n" not in head and (data := self.request.recv(65_536)):
                head += data
            line, _, rest = head.partition(b"\r\n")
            rest = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", b"\r\n" + rest, count=1)[2:]
            added = f"Authorization: Bearer {told['key']}\r\nConnection: close\r\n".encode()
            with create_connection((str(parts.hostname), parts.port)) as server:
                server.sendall(line + b"\r\n" + added + rest)
                threading.Thread(target=_pass, args=(self.request, server), daemon=True).start()
                _pass(server, self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_address[1]}{parts.path}"
        finally:
            proxy.shutdown()


@pytest.fixture(scope="module")
def address(indexed: Program) -> Generator[str]:
    installed("conformance")
    with serving(indexed) as told, with_key(told) as address:
        yield address


@pytest.mark.parametrize("scenario", PASSING)
def test_a_scenario_of_the_suite_passes(address: str, scenario: str) -> None:
    command = [installed("conformance"), "server", "--url", address, "--scenario", scenario]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_inspector_lists_and_calls_tools(indexed: Program) -> None:
    inspector = [installed("mcp-inspector"), "--cli", *indexed.command("mcp")]
    for arguments, told in (
        (["tools/list"], "verify_citations"),
        (["tools/call", "--tool-name", "list_documents", "--tool-arg", "query=lease"], "documents/lease.md"),
    ):
        ran = subprocess.run(
            [*inspector, "--method", *arguments],
            capture_output=True,
            text=True,
            env=indexed.environment,
            timeout=60,
            check=False,
        )
        assert told in ran.stdout, ran.stdout + ran.stderr
