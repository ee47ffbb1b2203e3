"""The clients of the server: their names, limits on what each does at a time, and the folders they work in."""

import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

# The scope of a client: the folders and files it works in (its roots), as far as they are in the library.

MOST_ROOTS = 20  # of those in the library; further ones do not widen the scope


def root_filters(roots: Iterable[str], folders: Sequence[str]) -> tuple[Filter, ...]:
    """Return the filters for roots (`file://` URIs) in one of the `folders` of the library, or around one.

    None means everything: a client that works elsewhere has not chosen among the documents. A root inside of a folder
    restricts the client even if it holds no documents yet. Links are followed; a file is a scope of its own.
    """
    known = [(folder, _real(folder)) for folder in folders]
    paths = {place: None for root in roots if (path := _path(root)) for place in _places(_real(path), known)}
    chosen = list(paths)[:MOST_ROOTS]
    if not any(Path(each).is_file() for each in chosen):
        return tuple(Filter(FileField.FOLDER, each) for each in chosen)
    # All of one field, since filters of different fields must all be met.
    return tuple(
        Filter(FileField.PATH, each if Path(each).is_file() else f"{each.rstrip(os.sep)}{os.sep}") for each in chosen
    )


def _places(real: str, folders: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the place of a root in the folders of the library, under the names that these have there."""
    for folder, real_folder in folders:
        if _holds(real_folder, real):
            yield str(Path(folder, os.path.relpath(real, real_folder)))
        elif _holds(real, real_folder):
            yield folder


def _holds(folder: str, path: str) -> bool:
    inside, outside = os.path.normcase(path), os.path.normcase(folder)
    return inside == outside or inside.startswith(outside.rstrip(os.sep) + os.sep)


def _real(path: str) -> str:
    real = os.path.realpath(path)
    return f"/{real.lstrip('/')}" if os.sep == "/" else real  # POSIX keeps two slashes at the beginning


def _path(root: str) -> str:
    """Return the path of a root, "" if it is none of this computer."""
    try:
        parts = urlsplit(root)
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = url2pathname(parts.path)
    return path if len(path) > 1 and "\0" not in path else ""


Context = ServerRequestContext[Any, Any]
ROOTS_SECONDS = 10.0  # for a client to tell its folders
NO_ROOTS = (
    "Nothing was searched: your program works in certain folders (its “roots”), but did not tell which. Ask again. If "
    "this comes again, start `desktop-rag mcp --folder FOLDER`, which does not ask for them."
)
_ROOTS = "roots"  # the name of the question for folders in a result that asks for more
NO_ROOTS_OF_LISTS = (
    "Nothing was listed: your program works in certain folders (its “roots”), and this version of the protocol has no "
    "way to ask for them here. Call list_documents, or start `desktop-rag mcp --folder FOLDER`."
)
MOST_SESSIONS = 500  # over HTTP; those of programs that were killed stay for half an hour
MOST_NAMES = 3  # of programs: further ones share the limits of one, so that no new name evades them
WANTED = types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})


@dataclass(slots=True)
class ProtocolClient:
    """A client: its last request, the name of its program, and its share of the searchers.

    `roots` are the client's workspace folders, None until it has sent them; `filters` restrict searches to them.
    """

    last: Context
    program: str
    retriever: Retriever
    level: str = "info"
    roots: list[str] | None = None
    filters: tuple[Filter, ...] | None = None
    roots_told: int = 0  # how often it told that they changed

    def forget_roots(self) -> None:
        """Forget its folders: it told that they have changed."""
        self.roots, self.filters = None, None
        self.roots_told += 1


class RootsWanted(Exception):
    """The client is to send its request again, with the folders it works in."""


class ProtocolClients:
    """The clients of a server; `filters` restrict them all. `answered` runs work in a thread.

    `folders` returns the folders of the library.
    """

    def __init__(
        self,
        retriever: SearcherClient,
        filters: tuple[Filter, ...],
        answered: Callable[[Callable[[Stop], tuple[Filter, ...]]], Awaitable[tuple[Filter, ...]]],
        folders: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._retriever = retriever
        self._filters = filters
        self._answered = answered
        self._folders = folders
        self._sessions: OrderedDict[str, ProtocolClient] = OrderedDict()
        self._programs: set[str] = set()

    def known(self) -> list[ProtocolClient]:
        """Return the clients, that of the last request last."""
        return list(self._sessions.values())

    def forget(self, client: ProtocolClient) -> None:
        """Forget a client that has gone."""
        self._sessions.pop(self._name(client.last), None)

    def remember(self, context: Context) -> "ProtocolClient":
        """Remember the client, to tell it of changes and to let it take turns with others."""
        name = self._name(context)
        client = self._sessions.pop(name, None) or ProtocolClient(
            context, self._program(context), self._retriever.asker()
        )
        client.last = context
        self._sessions[name] = client
        while len(self._sessions) > MOST_SESSIONS + MOST_NAMES + 1:
            self._sessions.popitem(last=False)
        return client

    def _name(self, context: Context) -> str:
        """Return what a client is called in all its requests: its session, else its program."""
        if context.request is None:
            return "standard input"
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:  # which knows no sessions: any may be sent
            return f"session {context.request.headers.get(MCP_SESSION_ID_HEADER)}"
        return self._program(context)

    def _program(self, context: Context) -> str:
        """Return what the program of a client calls itself, with a name for all after the first few."""
        params = context.session.client_params
        name = params.client_info.name if params else ""
        if name not in self._programs:
            if len(self._programs) == MOST_NAMES:
                return "others"
            self._programs.add(name)
        return f"named {name}"

    async def scope(
        self, context: Context, answers: Mapping[str, object] | None = None, *, can_ask: bool = False
    ) -> tuple[Filter, ...]:
        """Return the filters of a client: those of the command line, else the folders it works in.

        `answers` came with a request of the protocol since 2026-07-28. Raises `RootsWanted` if it `can_ask` for them.
        """
        capabilities = context.session.client_capabilities
        if self._filters or capabilities is None or capabilities.roots is None:
            return self._filters
        client = self.remember(context)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return await (self._scope_of_request(client, answers) if can_ask else self._scope_told(context, client))
        while client.filters is None:
            told = client.roots_told
            roots = await _roots_of(context) if client.roots is None else client.roots
            filters = await self._root_filters(roots)
            if told == client.roots_told:
                client.roots, client.filters = roots, filters
        return client.filters

    async def _scope_of_request(
        self, client: ProtocolClient, answers: Mapping[str, object] | None
    ) -> tuple[Filter, ...]:
        if not answers:
            raise RootsWanted
        given = answers.get(_ROOTS)
        if not isinstance(given, types.ListRootsResult):
            raise MCPError(types.INVALID_PARAMS, NO_ROOTS)
        client.roots = [str(root.uri) for root in given.roots]
        return await self._root_filters(client.roots)

    async def _scope_told(self, context: Context, client: ProtocolClient) -> tuple[Filter, ...]:
        if client.roots is None or context.request is not None:  # over HTTP others may have the same name
            raise MCPError(types.INVALID_PARAMS, NO_ROOTS_OF_LISTS)
        return await self._root_filters(client.roots)

    async def _root_filters(self, roots: list[str]) -> tuple[Filter, ...]:
        return await self._answered(lambda stop: root_filters(roots, self._folders()))


async def _roots_of(context: Context) -> list[str]:
    """Return the folders that a client works in; raises `MCPError` if it does not tell them."""
    try:
        with anyio.fail_after(ROOTS_SECONDS):
            listed = await context.session.list_roots()
    except Exception as error:  # it cannot be asked, no answer in time, an error, or what is no list
        raise MCPError(types.INTERNAL_ERROR, NO_ROOTS) from error
    return [str(root.uri) for root in listed.roots]
