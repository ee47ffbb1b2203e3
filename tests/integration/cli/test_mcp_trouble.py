"""`desktop-rag mcp` with clients that cancel, vanish or flood, and with a library that cannot be used."""

import json
import os
import sqlite3
import subprocess
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import anyio
import anyio.to_thread
import psutil
import pytest
from mcp import Client, MCPError

from desktop_rag.cli.output import BROKEN_PIPE
from desktop_rag.cli.scope_options import lasting_filters
from desktop_rag.cli.verb_parsers import verb_parser
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from tests.child_processes import child_processes
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven, plain_server, text_of
from tests.integration.cli.test_ask_command import with_profile

pytestmark = pytest.mark.processes

ASKED = {"question": "How long is the notice period?"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
PATIENCE = 120  # seconds; a busy machine needs some
PENDING = 400


def called(number: int, name: str, arguments: Mapping[str, object]) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def lines(*messages: Mapping[str, object]) -> bytes:
    return "".join(f"{json.dumps(message)}\n" for message in messages).encode()


def test_a_cancelled_question_hangs_up_on_the_model_and_the_next_is_answered(copied: Program) -> None:
    with ScriptedEndpoint([Turn(text=["Half an ", "answer"], hold_text=threading.Event())]) as endpoint:

        async def session(client: Client) -> None:
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(client.call_tool, "ask", ASKED)
                    while not endpoint.requests:
                        await anyio.sleep(0.05)
                    scope.cancel()
            assert await anyio.to_thread.run_sync(endpoint.disconnected.wait, 20)
            again = await client.call_tool("ask", {**ASKED, "model": "built-in"})
            assert "six months" in text_of(again)

        driven(with_profile(copied, endpoint.base_url), session)


@pytest.mark.slow
def test_an_endpoint_that_fails_is_a_sentence(copied: Program) -> None:
    async def session(client: Client) -> None:
        answered = await client.call_tool("ask", ASKED)
        assert answered.is_error
        assert "The model cannot be reached" in text_of(answered)

    driven(with_profile(copied, "http://127.0.0.1:9/v1"), session)


@pytest.mark.slow
def test_a_client_that_vanishes_during_a_question_leaves_no_process(copied: Program) -> None:
    with ScriptedEndpoint([Turn(text=["Half an ", "answer"], hold_text=threading.Event())]) as endpoint:
        program = with_profile(copied, endpoint.base_url)
        with plain_server(program) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(lines(HELLO, READY, called(1, "ask", ASKED)))
            server.stdin.flush()
            assert endpoint.arrived.wait(60)
            process = psutil.Process(server.pid)
            indexers = child_processes("_indexer", process)  # they outlive their clients
            family = set(process.children(recursive=True)).difference(indexers)
            server.stdout.close()
            server.stdin.close()
            assert server.wait(timeout=PATIENCE) in (0, BROKEN_PIPE)
        _, alive = psutil.wait_procs(family, timeout=PATIENCE)
        assert not alive


def test_an_answer_that_nobody_reads_ends_the_server_quietly(copied: Program) -> None:
    server = subprocess.Popen(
        copied.command("mcp"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=copied.environment,
    )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(lines(HELLO))
        server.stdin.flush()
        server.stdout.readline()
        server.stdout.close()
        server.stdin.write(lines({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        server.stdin.close()
        assert server.wait(timeout=PATIENCE) in (0, BROKEN_PIPE)
        assert server.stderr.read() == b""


@pytest.mark.slow
def test_a_client_that_reads_late_gets_every_answer(copied: Program) -> None:
    with plain_server(copied) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        searches = (called(n, "search", {"queries": ["rent"], "limit": 50}) for n in range(1, PENDING + 1))
        writing = threading.Thread(target=server.stdin.write, args=(lines(HELLO, READY, *searches),))
        writing.start()
        writing.join(timeout=60)
        assert not writing.is_alive()  # the server goes on reading while nobody reads its answers
        server.stdin.flush()
        seen: set[int] = set()
        while len(seen) <= PENDING:
            message = json.loads(server.stdout.readline())
            assert "error" not in message
            seen |= {message["id"]} if "id" in message else set()
        server.stdin.close()
        assert server.wait(timeout=PATIENCE) == 0


def test_a_library_of_a_newer_version_is_a_sentence(copied: Program) -> None:
    async def session(client: Client) -> None:
        assert not (await client.call_tool("search", {"queries": ["rent"]})).is_error
        with closing(sqlite3.connect(copied.library.catalog)) as catalog:  # it is updated while the server runs
            catalog.execute("PRAGMA user_version = 99")
        searched = await client.call_tool("search", {"queries": ["rent"]})
        asked = await client.call_tool("ask", {**ASKED, "model": "built-in"})
        for answered in (searched, asked):
            assert answered.is_error
            assert "newer version of this program" in text_of(answered)
        with pytest.raises(MCPError, match="newer version of this program"):
            await client.list_resources()

    driven(copied, session)


def test_without_a_library_the_log_says_once_how_to_make_one(copied: Program) -> None:
    copied.library.folder.rename(copied.library.folder.with_name("away"))
    environment = {**copied.environment, "PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(
        copied.command("mcp"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(lines(HELLO, READY, called(1, "search", {"queries": ["rent"]})))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        assert "There is no library" in answers[1]["result"]["content"][0]["text"]
        assert b"There is no library" in (first := server.stderr.readline())
        assert b"Make one: desktop-rag index FOLDER" in first
        server.stdin.close()
        assert server.wait(timeout=PATIENCE) == 0
        assert server.stderr.read() == b""


def test_a_library_made_meanwhile_is_found(copied: Program) -> None:
    away = copied.library.folder.with_name("away")
    copied.library.folder.rename(away)

    async def session(client: Client) -> None:
        assert (await client.call_tool("search", {"queries": ["rent"]})).is_error
        away.rename(copied.library.folder)
        found = await client.call_tool("search", {"queries": ["rent"]})
        assert "1,200 euros" in text_of(found)

    driven(copied, session)


@pytest.mark.parametrize("verb", [("mcp",), ("mcp", "--http"), ("serve", "--port", "0")])
def test_a_server_is_not_started_for_a_place_that_does_not_exist(
    indexed: Program, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    for option in ("--folder", "--file"):
        ran = indexed.run(*verb, option, tmp_path / "nowhere")
        assert (ran.code, ran.out) == (1, "")
        assert "nowhere does not exist, and the library does not know it" in ran.err


def test_a_server_is_started_for_a_folder_that_is_away(indexed: Program) -> None:
    with closing(CatalogReader.open(indexed.library.catalog)) as catalog:
        [root, *_] = [Path(os.fsdecode(path)) for path, _ in catalog.folders.paths()]
    options = verb_parser().parse_args(["mcp", "--folder", str(root / "on a drive that is away")])
    assert len(lasting_filters(options, indexed.library)) == 1


@pytest.mark.parametrize("bad", [1.5, None, True, [1], {}])
def test_a_request_with_an_id_that_cannot_be_used_is_answered(indexed: Program, bad: object) -> None:
    with plain_server(indexed) as server:
        out, _ = server.communicate(lines(HELLO, READY, {"jsonrpc": "2.0", "id": bad, "method": "tools/list"}), 60)
    [refused] = [json.loads(line) for line in out.splitlines() if json.loads(line).get("id") is None]
    assert "“id” (a text or a whole number)" in refused["error"]["message"]


WRONG_PARAMS: list[tuple[str, object, str]] = [
    ("tools/call", {"name": 5}, "tools/call: “name” must be a text."),
    ("tools/call", {"name": "search", "arguments": [1]}, "tools/call: “arguments” must be an object."),
    ("tools/call", None, "tools/call: “params” is missing."),
    ("tools/list", {"cursor": [1]}, "tools/list: “cursor” must be a text."),
    ("resources/read", {}, "resources/read: “uri” is missing."),
    ("logging/setLevel", {"level": "loud"}, "logging/setLevel: “level” must be one of 'alert', "),
    ("completion/complete", {"ref": 1}, "completion/complete: “argument” is missing."),
    ("no/such", {}, "There is no method “no/such”."),
]


def test_wrong_parameters_are_told_in_a_sentence(indexed: Program) -> None:
    early = {"jsonrpc": "2.0", "id": 99, "method": "tools/list"}
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})}
        for number, (method, params, _) in enumerate(WRONG_PARAMS, start=1)
    ]
    with plain_server(indexed) as server:
        out, _ = server.communicate(lines(early, HELLO, READY, *calls), 60)
    answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
    assert answers[99]["error"]["message"] == "Send the request initialize first."
    for number, (_, _, says) in enumerate(WRONG_PARAMS, start=1):
        assert answers[number]["error"]["message"].startswith(says)
