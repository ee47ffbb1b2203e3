"""One program that floods `desktop-rag mcp --http` delays no other, with one session, with several, or without."""

import threading
from contextlib import AsyncExitStack
from typing import Literal

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import Implementation

from desktop_rag.mcp_server.library_server import ASKING_OF_A_PROGRAM, OF_A_PROGRAM
from desktop_rag.mcp_server.protocol_clients import MOST_NAMES
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Object, Program
from tests.integration.cli.mcp_sessions import Host, connected_http, names_in, serving
from tests.integration.cli.test_ask_command import with_profile

pytestmark = pytest.mark.slow

FLOOD, ROUNDS = 60, 5
Mode = Literal["legacy", "auto"]


def named(name: str, mode: Mode) -> Host:
    return {"mode": mode, "client_info": Implementation(name=name, version="1")}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_flood_of_questions_leaves_a_model_to_others(copied: Program, mode: Mode) -> None:
    """Old and new protocol: two clients of a flooding program hold two runs, the other's question comes through."""
    hold = threading.Event()
    with ScriptedEndpoint([Turn(text=["Half an ", "answer"], hold_text=hold)] * 9) as endpoint:

        async def run(told: Object) -> None:
            async with (
                connected_http(told, **named("flood", mode)) as flood,
                connected_http(told, **named("flood", mode)) as second,
                connected_http(told, **named("other", mode)) as other,
                anyio.create_task_group() as group,
            ):
                for number in range(6):
                    client = (flood, second)[number % 2]
                    group.start_soon(client.call_tool, "ask", {"question": f"Flood {number}?", "toolkit": "direct"})
                with anyio.fail_after(60):
                    while len(endpoint.requests) < ASKING_OF_A_PROGRAM:
                        await anyio.sleep(0.05)
                    group.start_soon(other.call_tool, "ask", {"question": "The other's?", "toolkit": "direct"})
                    while len(endpoint.requests) <= ASKING_OF_A_PROGRAM:
                        await anyio.sleep(0.05)
                assert "The other's?" in endpoint.requests[ASKING_OF_A_PROGRAM].last_text
                group.cancel_scope.cancel()

        with serving(with_profile(copied, endpoint.base_url)) as told:
            anyio.run(run, told)
        hold.set()


async def _delays(clients: list[Client], other: Client, most: int) -> list[int]:
    """Return how many searches of an endless flood were answered during each search of another client.

    A busy machine can hold up the other's request before it is sent, so there are further ones until one waits for at
    most `most` searches of the flood.
    """
    done = 0
    found: list[int] = []

    def is_over() -> bool:
        return len(found) == ROUNDS or any(delay <= most for delay in found)

    async def search(client: Client, number: int) -> None:
        nonlocal done
        while not is_over():
            answer = await client.call_tool("search", {"queries": [f"rent {number}"], "limit": 5})
            assert "lease.md" in names_in(answer)
            done += 1

    await other.call_tool("search", {"queries": ["mast"]})  # everything is loaded
    async with anyio.create_task_group() as group:
        for number in range(FLOOD):
            group.start_soon(search, clients[number % len(clients)], number)
        while not done:
            await anyio.sleep(0.001)
        while not is_over():
            before = done
            assert "boat.txt" in names_in(await other.call_tool("search", {"queries": ["mast"]}))
            found.append(done - before)
    return found


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_flood_of_searches_lets_another_client_through(copied: Program, mode: Mode) -> None:
    async def run(told: Object) -> None:
        async with (
            connected_http(told, **named("flood", mode)) as flood,
            connected_http(told, **named("other", mode)) as other,
        ):
            with anyio.fail_after(80):
                assert min(await _delays([flood], other, 3 * OF_A_PROGRAM)) <= 3 * OF_A_PROGRAM

    with serving(copied) as told:
        anyio.run(run, told)


def test_a_new_name_for_each_request_evades_no_limit(copied: Program) -> None:
    async def run(told: Object) -> None:
        async with AsyncExitStack() as opened:
            other = await opened.enter_async_context(connected_http(told, **named("other", "auto")))
            await other.call_tool("search", {"queries": ["mast"]})
            clients = [
                await opened.enter_async_context(connected_http(told, **named(f"name {number}", "auto")))
                for number in range(FLOOD // 3)
            ]
            with anyio.fail_after(80):
                most = (MOST_NAMES + 2) * OF_A_PROGRAM
                assert min(await _delays(clients, other, most)) <= most

    with serving(copied) as told:
        anyio.run(run, told)


def test_sessions_that_clients_left_open_shut_no_other_out(copied: Program) -> None:
    """A program that is killed ends no session: each stays for half an hour."""
    info = {"name": "left", "version": "1"}
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
    with serving(copied) as told:
        headers = {"Authorization": f"Bearer {told['key']}", "Accept": "application/json, text/event-stream"}
        with httpx2.Client(headers=headers, timeout=60) as sender:
            answers = [sender.post(str(told["address"]), json=body).status_code for _ in range(150)]
    assert set(answers) == {200}
