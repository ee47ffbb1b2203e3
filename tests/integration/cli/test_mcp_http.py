"""`desktop-rag mcp --http`: on loopback, for clients with the key only."""

import http.client
import json
import signal
import subprocess
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Object, Program

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@contextmanager
def serving(program: Program, **environment: str) -> Generator[Object]:
    """A running server; yields what it printed of its address and key."""
    server = subprocess.Popen(
        program.command("mcp", "--http", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**program.environment, **environment},
    )
    with server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(timeout=20) in (0, 130)


def status(address: object, headers: dict[str, str], body: bytes = json.dumps(PING).encode()) -> int:
    parts = urlsplit(str(address))
    plain = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with closing(http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)) as connection:
        connection.request("POST", parts.path, body, {**plain, **headers})
        return connection.getresponse().status


def test_a_client_with_the_key_searches(copied: Program) -> None:
    async def run(address: str, key: str) -> None:
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as sender,
                Client(streamable_http_client(address, http_client=sender)) as client,
            ):
                found = await client.call_tool("search", {"queries": ["rent"]})
                assert found.structured_content is not None
                reference = found.structured_content["results"][0]["reference"]
                opened = await client.call_tool("open", {"reference": reference})
                assert not opened.is_error
                hosted = await anyio.to_thread.run_sync(hosted_search, copied.library, SearchRequest("rent"), Stop())
                assert hosted is not None

    with serving(copied) as told:
        assert str(told["address"]).startswith("http://127.0.0.1:")
        anyio.run(run, str(told["address"]), str(told["key"]))


def test_without_the_key_or_from_another_site_nothing_is_answered(copied: Program) -> None:
    with serving(copied, DESKTOP_RAG_MCP_KEY="k" * 20) as told:
        assert told["key"] == ""  # known already: not printed
        address, right = told["address"], {"Authorization": f"Bearer {'k' * 20}"}
        assert status(address, {}) == 401
        assert status(address, {"Authorization": "Bearer wrong"}) == 401
        assert status(address, {"Authorization": "Bearer " + "k" * 19}) == 401
        assert status(address, {**right, "Host": "evil.example"}) == 421
        assert status(address, {**right, "Origin": "https://evil.example"}) == 403
        assert status(address, right, b"x" * 1_100_000) == 413
        assert status(address, right, b"no json") == 400


def test_many_clients_at_once_are_served(copied: Program) -> None:
    statuses: list[int] = []

    with serving(copied) as told:
        key = {"Authorization": f"Bearer {told['key']}"}
        threads = [
            threading.Thread(target=lambda: statuses.append(status(told["address"], key, b"{}"))) for _ in range(60)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(statuses) == {400}


@pytest.mark.parametrize("key", ["short", "x"])
def test_a_short_key_is_refused(copied: Program, key: str) -> None:
    ran = copied.run("mcp", "--http", DESKTOP_RAG_MCP_KEY=key)
    assert (ran.code, "at least 16 plain characters" in ran.err) == (1, True)


def test_a_port_in_use_ends_in_a_sentence(copied: Program) -> None:
    with serving(copied) as told:
        ran = copied.run("mcp", "--http", str(urlsplit(str(told["address"])).port))
        assert ran.code == 1
        assert "in use" in ran.err
