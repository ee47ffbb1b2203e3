"""The folders that a client of `desktop-rag mcp` works in (its roots) are its scope, or it gets nothing."""

from pathlib import Path
from typing import Literal

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.context import ClientRequestContext
from mcp.client.session import ListRootsFnT
from mcp_types import ErrorData, ListRootsResult, Root
from pydantic import FileUrl

from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import connected_http, driven, driven_http, names_in, serving

SEARCH = {"queries": ["rent lease audit", "mast"]}
DEEP = {"boat.txt", "audit.txt"}
MODES: tuple[Literal["legacy", "auto"], ...] = ("legacy", "auto")
Mode = Literal["legacy", "auto"]
pytestmark = [pytest.mark.processes, pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")]


def working_in(*folders: Path) -> ListRootsFnT:
    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(folder.as_uri())) for folder in folders])

    return roots


async def found_in_deep(client: Client) -> None:
    assert names_in(await client.call_tool("search", SEARCH)) == DEEP


@pytest.mark.parametrize("mode", MODES)
def test_the_folders_of_a_client_are_its_scope(copied: Program, documents: Path, mode: Mode) -> None:
    async def session(client: Client) -> None:
        await found_in_deep(client)
        listed = (await client.list_resources()).resources
        assert {each.name for each in listed} == DEEP
        assert "spruce" in str(await client.read_resource(next(each.uri for each in listed if each.name == "boat.txt")))

    driven(copied, session, mode=mode, list_roots_callback=working_in(documents / "deep"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_folders_of_a_client_over_http_are_its_scope(copied: Program, documents: Path, mode: Mode) -> None:
    async def others(client: Client) -> None:
        assert "lease.md" in names_in(await client.call_tool("search", SEARCH))

    with serving(copied) as told:
        driven_http(told, found_in_deep, mode=mode, list_roots_callback=working_in(documents / "deep"))
        driven_http(told, others, mode=mode)  # the folders of one client restrict no other


@pytest.mark.slow
def test_a_list_for_a_client_that_cannot_be_asked_says_what_to_do(copied: Program, documents: Path) -> None:
    async def session(client: Client) -> None:
        for _ in range(2):  # its folders of a call before are perhaps those of another client of this name
            with pytest.raises(MCPError, match="Call list_documents, or start"):
                await client.list_resources()
            assert names_in(await client.call_tool("list_documents", {})) == DEEP

    with serving(copied) as told:
        driven_http(told, session, list_roots_callback=working_in(documents / "deep"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_does_not_tell_its_folders_gets_nothing_until_it_does(
    copied: Program, documents: Path, mode: Mode
) -> None:
    calls = 0

    async def roots(context: ClientRequestContext) -> ListRootsResult | ErrorData:
        nonlocal calls
        calls += 1
        if calls == 1:
            return ErrorData(code=-32603, message="did not tell which: not now")
        return ListRootsResult(roots=[Root(uri=FileUrl((documents / "deep").as_uri()))])

    async def session(client: Client) -> None:
        with pytest.raises(MCPError, match="did not tell which"):
            await client.call_tool("search", SEARCH)
        await found_in_deep(client)

    driven(copied, session, mode=mode, list_roots_callback=roots)


@pytest.mark.slow
def test_folders_that_come_too_late_give_nothing(copied: Program, documents: Path) -> None:
    told = anyio.Event()

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        await told.wait()
        return ListRootsResult(roots=[Root(uri=FileUrl((documents / "deep").as_uri()))])

    async def session(client: Client) -> None:
        with pytest.raises(MCPError, match="did not tell which"):
            await client.call_tool("search", SEARCH)
        told.set()
        await found_in_deep(client)

    driven(copied, session, mode="legacy", list_roots_callback=roots)


@pytest.mark.slow
def test_changed_folders_are_asked_for_again(copied: Program, documents: Path) -> None:
    folders = [documents / "deep"]

    async def session(client: Client) -> None:
        await found_in_deep(client)
        folders[:] = [documents]
        await found_in_deep(client)  # it has not told yet
        await client.send_roots_list_changed()
        with anyio.fail_after(20):
            while "lease.md" not in names_in(await client.call_tool("search", SEARCH)):
                await anyio.sleep(0.1)

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(folder.as_uri())) for folder in folders])

    driven(copied, session, mode="legacy", list_roots_callback=roots)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_folders_of_the_command_line_restrict_whoever_asks(copied: Program, documents: Path, mode: Mode) -> None:
    async def session(client: Client) -> None:
        await found_in_deep(client)
        assert {each.name for each in (await client.list_resources()).resources} == DEEP

    with serving(copied, "--folder", str(documents / "deep")) as told:
        driven_http(told, session, mode=mode)
        driven_http(told, session, mode=mode, list_roots_callback=working_in(documents))


@pytest.mark.slow
def test_answers_to_another_question_are_refused(copied: Program, documents: Path) -> None:
    async def run() -> None:
        async with connected_http(told, list_roots_callback=working_in(documents)) as client:
            with anyio.fail_after(60), pytest.raises(MCPError, match="did not tell which"):
                await client.call_tool("search", SEARCH, input_responses={"other": ListRootsResult(roots=[])})

    with serving(copied) as told:
        anyio.run(run)
