"""Clients of `desktop-rag mcp` are told that the list of documents has changed, on every way to connect."""

import subprocess
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal

import anyio
import psutil
import pytest
from mcp import Client

from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import Host, connected, connected_http, driven, names_in, serving

pytestmark = pytest.mark.processes

Mode = Literal["legacy", "auto"]


@pytest.fixture
def more(copied: Program, tmp_path: Path) -> Path:
    """A folder of the library that may be changed."""
    more = tmp_path / "more"
    more.mkdir()
    (more / "one.txt").write_text("The first note.\n", encoding="utf-8")
    assert copied.run("index", more).code == 0
    return more


async def names(client: Client) -> set[str]:
    return {each.name for each in (await client.list_resources(cache_mode="refresh")).resources}


async def told_of_a_file(opened: Callable[..., AbstractAsyncContextManager[Client]], mode: Mode, more: Path) -> None:
    """Connect, add a file, and wait until the client was told and its list has the file."""
    changed = anyio.Event()

    async def noted(message: object) -> None:
        if "list_changed" in str(getattr(message, "method", "")):
            changed.set()

    async def listened(client: Client) -> None:
        async with client.listen(resources_list_changed=True) as events:
            async for _ in events:
                changed.set()

    host: Host = {"mode": mode, "message_handler": noted}
    with anyio.fail_after(80):
        async with opened(**host) as client, anyio.create_task_group() as group:
            if mode == "auto":
                group.start_soon(listened, client)
            assert "two.txt" not in await names(client)
            await anyio.sleep(2)  # the indexer that the server starts looks through the folders first
            changed = anyio.Event()
            (more / "two.txt").write_text("The second note.\n", encoding="utf-8")
            await changed.wait()
            while "two.txt" not in await names(client):
                await anyio.sleep(0.2)
            await anyio.sleep(5)  # all that came with it is told
            changed = anyio.Event()
            (more / "two.txt").rename(more / "six.txt")
            await changed.wait()
            assert "six.txt" in await names(client)
            if mode == "legacy":
                resources = client.server_capabilities.resources
                assert resources is not None
                assert resources.list_changed
            group.cancel_scope.cancel()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_changed_library_is_told(copied: Program, more: Path, mode: Mode) -> None:
    anyio.run(told_of_a_file, lambda **host: connected(copied, **host), mode, more)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_changed_library_is_told_over_http(copied: Program, more: Path, mode: Mode) -> None:
    with serving(copied) as told:
        anyio.run(told_of_a_file, lambda **host: connected_http(told, **host), mode, more)


def processes(program: Program, verb: str = "_indexer") -> list[int]:
    """Return the processes that write the library, or search it."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        command = " ".join(process.info["cmdline"] or ())
        if f" {verb} " in command and str(program.library.folder) in command:
            found.append(process.pid)
    return found


@pytest.mark.slow
def test_beside_an_open_window_one_process_writes(copied: Program, more: Path) -> None:
    environment = {**copied.environment, "QT_QPA_PLATFORM": "offscreen"}
    quiet = subprocess.DEVNULL

    async def session(client: Client) -> None:
        await client.call_tool("search", {"queries": ["note"]})
        while not processes(copied):
            await anyio.sleep(0.1)
        (writer,) = processes(copied)
        with subprocess.Popen(copied.command(), env=environment, stdin=quiet, stdout=quiet, stderr=quiet) as window:
            try:
                while len(processes(copied, "_searcher")) < 2:  # that of the server and that of the window
                    assert window.poll() is None
                    await anyio.sleep(0.1)
                (more / "two.txt").write_text("The second note is of the archive.\n", encoding="utf-8")
                while "two.txt" not in names_in(await client.call_tool("search", {"queries": ["archive"]})):
                    await anyio.sleep(0.2)
                assert processes(copied) == [writer]
            finally:
                window.terminate()
        assert "two.txt" in names_in(await client.call_tool("search", {"queries": ["archive"]}))
        assert processes(copied) == [writer]

    driven(copied, session)
