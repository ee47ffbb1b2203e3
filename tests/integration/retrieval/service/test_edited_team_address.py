"""The searcher of a team library asks the server of an edited address, though its process may use the ports of one."""

import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.libraries import Libraries
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress, change_team_library, join_team_library
from tests.team_server import TeamServer, team_server

pytestmark = pytest.mark.processes


def ask_until(client: SearcherClient, server: TeamServer, seconds: float = 60.0) -> None:
    """Ask until the server is asked by the searcher; what it answers is no library that can be searched."""
    server.paths.clear()
    ends = time.monotonic() + seconds
    while not server.paths and time.monotonic() < ends:
        with suppress(DesktopRagError):
            client.facts(Scope(), Stop())
        time.sleep(0.2)
    assert server.paths


def test_a_running_searcher_follows_an_edited_address(tmp_path: Path) -> None:
    known = Libraries(tmp_path)
    with team_server() as first, team_server() as second:
        library = join_team_library(known, "Office", TeamAddress(first.url), "", Credentials(), Stop())
        with closing(SearcherClient(library.folder)) as client:
            ask_until(client, first)
            change_team_library(library, TeamAddress(second.url), "", Credentials(), Stop())
            ask_until(client, second)
