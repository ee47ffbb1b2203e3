"""Servers of `desktop-rag mcp` with the protocol's own clients, over real standard input and output and over HTTP."""

import json
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import anyio
import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.session import ListRootsFnT, LoggingFnT, MessageHandlerFnT
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, TextContent

from tests.integration.cli.conftest import Object, Program

Session = Callable[[Client], Awaitable[None]]


class Host(TypedDict, total=False):
    """What a client tells and does beside its requests; `legacy` is the protocol before 2026-07-28, with sessions."""

    mode: Literal["legacy", "auto"]
    list_roots_callback: ListRootsFnT
    logging_callback: LoggingFnT
    message_handler: MessageHandlerFnT
    client_info: Implementation


@asynccontextmanager
async def connected(program: Program, *options: str, **host: Unpack[Host]) -> AsyncGenerator[Client]:
    """A client of a server of its own."""
    command, *arguments = program.command("mcp", *options)
    server = StdioServerParameters(command=command, args=arguments, env=program.environment)
    with Path(os.devnull).open("w", encoding="utf-8") as errors:
        async with Client(stdio_client(server, errlog=errors), **host) as client:
            yield client


def driven(program: Program, session: Session, *options: str, **host: Unpack[Host]) -> None:
    """Run the session of one client over standard input and output."""

    async def run() -> None:
        with anyio.fail_after(90):
            async with connected(program, *options, **host) as client:
                await session(client)

    anyio.run(run)


@asynccontextmanager
async def connected_http(told: Object, **host: Unpack[Host]) -> AsyncGenerator[Client]:
    """A client of a server that `serving` has started."""
    headers = {"Authorization": f"Bearer {told['key']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as sender,
        Client(streamable_http_client(str(told["address"]), http_client=sender), **host) as client,
    ):
        yield client


def driven_http(told: Object, session: Session, **host: Unpack[Host]) -> None:
    """Run the session of one client over HTTP."""

    async def run() -> None:
        with anyio.fail_after(90):
            async with connected_http(told, **host) as client:
                await session(client)

    anyio.run(run)


@contextmanager
def serving(program: Program, *options: str, **environment: str) -> Generator[Object]:
    """A running server over HTTP; yields what it printed of its address and key."""
    server = subprocess.Popen(
        program.command("mcp", "--http", "--json", *options),
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
            assert server.wait(timeout=60) in (0, 130)


def plain_server(program: Program) -> "subprocess.Popen[bytes]":
    """A server whose bytes the test writes and reads itself."""
    return subprocess.Popen(
        program.command("mcp"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=program.environment,
    )


def text_of(result: CallToolResult) -> str:
    """Return the text of a result that has one."""
    [only] = result.content
    assert isinstance(only, TextContent)
    return only.text


def names_in(result: CallToolResult) -> set[str]:
    """Return the names of the documents of a result."""
    assert result.structured_content is not None, text_of(result)
    return {Path(each["path"]).name for each in result.structured_content["results"]}
