"""`desktop-rag mcp --http`: on loopback, for clients with the key only."""

import http.client
import json
from collections.abc import MutableMapping
from contextlib import closing
from typing import Any, Literal
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest
from mcp import Client

from desktop_rag.mcp_server.transports import with_key
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Object, Program
from tests.integration.cli.mcp_sessions import connected_http, driven_http, names_in, serving

pytestmark = pytest.mark.processes

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def status(address: object, headers: dict[str, str], body: bytes = json.dumps(PING).encode()) -> int:
    parts = urlsplit(str(address))
    plain = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with closing(http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)) as connection:
        connection.request("POST", parts.path, body, {**plain, **headers})
        return connection.getresponse().status


def test_a_client_with_the_key_searches(copied: Program) -> None:
    async def session(client: Client) -> None:
        found = await client.call_tool("search", {"queries": ["rent"]})
        assert found.structured_content is not None
        reference = found.structured_content["results"][0]["reference"]
        opened = await client.call_tool("open", {"reference": reference})
        assert not opened.is_error
        hosted = await anyio.to_thread.run_sync(hosted_search, copied.library, SearchRequest("rent"), Stop())
        assert hosted is not None

    with serving(copied) as told:
        assert str(told["address"]).startswith("http://127.0.0.1:")
        driven_http(told, session)


def test_without_the_key_or_from_another_site_nothing_is_answered(copied: Program) -> None:
    with serving(copied, DESKTOP_RAG_MCP_KEY="k" * 20) as told:
        assert told["key"] == ""  # known already: not printed
        address, right = told["address"], {"Authorization": f"Bearer {'k' * 20}"}
        assert status(address, {}) == 401
        assert status(address, {"Authorization": "Bearer wrong"}) == 401
        assert status(address, {"Authorization": "Bearer " + "k" * 19}) == 401
        assert status(address, {**right, "Host": "evil.example"}) == 421
        assert status(address, {**right, "Host": "127.0.0.1:47391@evil.example"}) == 421
        assert status(address, {**right, "Origin": "https://evil.example"}) == 403
        assert status(address, {**right, "Origin": "http://127.0.0.1:80.evil.example"}) == 403
        assert status(address, right, b"x" * 1_100_000) == 413
        assert status(address, right, b"no json") == 400


BODIES: list[tuple[bytes, int, object, str]] = [
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, None, "This is no request of JSON-RPC 2.0"),
    (b'{"jsonrpc":"2.0","id":1}', 400, 1, "This is no request of JSON-RPC 2.0"),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, None, "This is no request of JSON-RPC 2.0"),
    (b'{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}', 400, "a", "This is no request of JSON-RPC 2.0"),
    (b"no json", 400, None, "This is no JSON that can be read"),
    (b"[" * 5_000, 400, None, "This is no JSON that can be read"),
    (b"x" * 3_000_000, 413, None, "A request may have 1,000,000 bytes"),
]


def test_what_is_no_message_is_told_in_a_sentence_without_its_text(copied: Program) -> None:
    with serving(copied) as told:
        parts = urlsplit(str(told["address"]))
        right = {"Authorization": f"Bearer {told['key']}", "Accept": "application/json, text/event-stream"}
        for body, status, known, says in BODIES:
            with closing(http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)) as connection:
                connection.request("POST", parts.path, body, {**right, "Content-Type": "application/json"})
                reply = connection.getresponse()
                answer = json.loads(reply.read())
            assert (reply.status, answer["id"]) == (status, known), body[:60]
            assert answer["error"]["message"].startswith(says)
            assert "input_value" not in answer["error"]["message"]
        with closing(http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)) as connection:
            connection.request("POST", parts.path, json.dumps(PING), {**right, "Content-Type": "text/plain"})
            reply = connection.getresponse()
            assert (reply.status, "Content-Type: application/json" in reply.read().decode()) == (415, True)


def test_no_other_kind_of_connection_goes_past_the_key() -> None:
    reached: list[object] = []

    async def app(scope: MutableMapping[str, Any], *_: object) -> None:
        reached.append(scope["type"])

    async def receive() -> MutableMapping[str, Any]:
        return {}

    async def send(message: MutableMapping[str, Any]) -> None:
        reached.append(message)

    for kind in ("websocket", "lifespan"):
        scope: MutableMapping[str, Any] = {"type": kind, "headers": []}
        anyio.run(with_key(app, "k" * 20), scope, receive, send)
    assert reached == ["lifespan"]
    twice = [
        (b"host", b"localhost"),
        (b"authorization", b"Bearer " + b"k" * 20),
        *[(b"origin", b"http://localhost")] * 2,
    ]
    for headers in (twice, twice[:-1]):
        reached.clear()
        anyio.run(with_key(app, "k" * 20), {"type": "http", "headers": headers}, receive, send)
        assert ("http" in reached) is (headers is not twice)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_many_clients_at_once_are_served(copied: Program, mode: Literal["legacy", "auto"]) -> None:
    outcomes: list[set[str]] = []

    async def client(told: Object, number: int) -> None:
        async with connected_http(told, mode=mode) as client:
            lists = number % 3 == 2
            arguments = {"query": "lease"} if lists else {"queries": ["rent"], "limit": 1}
            outcomes.append(names_in(await client.call_tool("list_documents" if lists else "search", arguments)))

    async def run(told: Object) -> None:
        with anyio.fail_after(90):
            async with anyio.create_task_group() as group:
                for number in range(60):
                    group.start_soon(client, told, number)

    with serving(copied) as told:
        anyio.run(run, told)
    assert outcomes == [{"lease.md"}] * 60


@pytest.mark.parametrize("key", ["short", "x"])
def test_a_short_key_is_refused(copied: Program, key: str) -> None:
    ran = copied.run("mcp", "--http", DESKTOP_RAG_MCP_KEY=key)
    assert (ran.code, "at least 16 plain characters" in ran.err) == (1, True)


@pytest.mark.slow
def test_a_port_in_use_ends_in_a_sentence(copied: Program) -> None:
    with serving(copied) as told:
        ran = copied.run("mcp", "--http", str(urlsplit(str(told["address"])).port))
        assert ran.code == 1
        assert "is in use by another program. Choose another one" in ran.err
