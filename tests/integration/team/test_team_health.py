"""What is wrong with the server is told with each result: in the answer, on the command line, and for the window."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.credentials import Credentials
from desktop_rag.errors import TeamError
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.index.team_status import TeamStatus, note_team_status, team_library_status
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress, join_team_library
from desktop_rag.team.format import team_indexes
from desktop_rag.team.format.team_indexes import DOCUMENTS, FORMAT, PASSAGES
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from tests.integration.retrieval.conftest import FILES, SmallLibrary
from tests.integration.team.conftest import DIMENSIONS, Copy, Nodes, copy_of

pytestmark = pytest.mark.slow

REQUEST = SearchRequest("rent", Mode.KEYWORD)


@pytest.fixture(scope="module")
def copy(nodes: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    library = SmallLibrary(tmp_path_factory.mktemp("health"))
    library.add(FILES)
    found = copy_of(library, nodes, "health")
    yield found
    for each in (found.local, found.team, found.connection, library):
        each.close()


@pytest.fixture
def ill(copy: Copy) -> Iterator[Copy]:
    """A library with a copy for a third node, which is away, and indexes that are blocked as for a full disk."""
    change(copy.connection, replicas=2, blocked=True)
    yield copy
    change(copy.connection, replicas=1, blocked=False)


def change(connection: TeamConnection, *, replicas: int, blocked: bool) -> None:
    settings = {"index": {"blocks": {"read_only_allow_delete": blocked}}}
    connection.ask("PUT", f"/{connection.index(DOCUMENTS)}/_settings", settings)
    connection.ask("PUT", f"/{connection.index(PASSAGES)}/_settings", {"index": {"number_of_replicas": replicas}})


def joined(nodes: Nodes, home: Path) -> Library:
    address = TeamAddress(nodes.place("health"), ca_file=nodes.ca, certificate=nodes.administrator)
    return join_team_library(Libraries(home), "Office", address, "", Credentials(), Stop()).library


def test_a_healthy_server_says_nothing(copy: Copy, nodes: Nodes) -> None:
    with closing(TeamEngine(nodes.connect("health"))) as engine:
        found = engine.search(REQUEST, Stop())
    assert (found.troubles, found.note) == ((), "")


def test_a_missing_copy_and_a_full_disk_are_told_with_the_result(ill: Copy, nodes: Nodes) -> None:
    told: list[list[str]] = []
    with closing(TeamEngine(nodes.connect("health"), tell=lambda each: told.append(list(each)))) as engine:
        found = engine.search(REQUEST, Stop())
    assert found.hits
    assert found.troubles == (ServerTrouble.COPY_MISSING, ServerTrouble.DISK_FULL)
    assert found.note == " ".join(told[-1]) == " ".join(each.sentence() for each in found.troubles)


def test_the_command_line_and_the_window_tell_it(ill: Copy, nodes: Nodes, tmp_path: Path) -> None:
    library, environment = joined(nodes, tmp_path), {**os.environ, "DESKTOP_RAG_HOME": str(tmp_path)}
    command = [sys.executable, "-P", "-m", "desktop_rag", "search", "--library", "Office", "--mode", "keyword", "rent"]
    for more in ((), ("--json",)):
        done = subprocess.run(
            [*command, *more], env=environment, capture_output=True, text=True, timeout=120.0, check=True
        )
        if more:
            found = json.loads(done.stdout)
            assert found["troubles"] == ["copy_missing", "disk_full"]
            assert ServerTrouble.DISK_FULL.sentence() in found["note"]
        else:
            assert " ".join(done.stderr.split()).endswith(ServerTrouble.DISK_FULL.sentence())
            assert "lease.md" in done.stdout
    assert team_library_status(library).trouble.startswith(ServerTrouble.COPY_MISSING.sentence())
    note_team_status(library, TeamStatus("before", 1))
    with closing(SearcherClient(library.folder)) as searcher:
        assert searcher.search(REQUEST, Stop()).troubles == (ServerTrouble.COPY_MISSING, ServerTrouble.DISK_FULL)
        change(ill.connection, replicas=1, blocked=False)
        ends = time.monotonic() + 30.0  # the files are counted when no request waits
        while (status := team_library_status(library)).folders[0].found == 1 and time.monotonic() < ends:
            time.sleep(0.05)
        assert status.trouble.startswith(ServerTrouble.COPY_MISSING.sentence())
        assert status.folders[0].found == len(FILES)
    with closing(SearcherClient(library.folder)) as searcher:  # a new look
        assert searcher.search(REQUEST, Stop()).troubles == ()
        assert not team_library_status(library).trouble


@pytest.mark.parametrize(("format_", "remedy"), [(FORMAT + 1, "on this computer"), (FORMAT - 1, "where it is written")])
def test_another_format_is_told_when_the_library_is_opened(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: int, remedy: str
) -> None:
    with closing(nodes.connect(f"renewed{format_}")) as connection:
        with monkeypatch.context() as patch:
            patch.setattr(team_indexes, "FORMAT", format_)
            team_indexes.create_indexes(connection, DIMENSIONS, 1, 0)
        library = Library(tmp_path)
        place = nodes.place(f"renewed{format_}")
        TeamAddress(place, ca_file=nodes.ca, certificate=nodes.administrator).store(library)
        said = f"has format {format_}; this version of Desktop RAG reads format {FORMAT}. "
        with closing(TeamEngine(nodes.connect(f"renewed{format_}"))) as engine, pytest.raises(TeamError) as refused:
            engine.search(REQUEST, Stop())
        assert said in str(refused.value)
        with closing(SearcherClient(library.folder)) as searcher:
            with pytest.raises(TeamError, match=remedy):
                searcher.search(REQUEST, Stop())
            ends = time.monotonic() + 30.0
            while not (trouble := team_library_status(library).trouble) and time.monotonic() < ends:
                time.sleep(0.05)
            assert remedy in trouble
