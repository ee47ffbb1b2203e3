"""Faults between the program and a real cluster: cut, slow and lost connections, full disks, a writer that stops."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import Stopped, TeamBusy, TeamError
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import DOCUMENTS, PASSAGES, SOURCES
from desktop_rag.team.reader.team_engine import STALLED_SECONDS, TeamEngine
from desktop_rag.team.server import team_connection
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer import team_sync
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.conftest import Nodes, connect, count, refresh
from tests.integration.team.tcp_proxy import TcpProxy, tcp_proxy

pytestmark = pytest.mark.slow

FILES = {f"notes/{number}.md": f"# Note {number}\n\nThe valve {number} leaks.\n" for number in range(30)}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture
def proxy(nodes: Nodes) -> Iterator[TcpProxy]:
    with tcp_proxy(nodes.url) as found:
        yield found


def through(proxy: TcpProxy, nodes: Nodes, name: str) -> TeamConnection:
    url = nodes.place(name).replace(nodes.url.rpartition(":")[2], str(proxy.port), 1)
    return TeamConnection(url, ca_file=nodes.ca, certificate=nodes.administrator)


def written(library: SmallLibrary, connection: TeamConnection) -> TeamSync:
    sync = TeamSync(library.catalog, connection, TeamSource("faults", "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass
    return sync


def names(engine: TeamEngine, query: str = "leaks") -> set[str]:
    return {hit.path.name for hit in engine.search(SearchRequest(query, Mode.KEYWORD, 100), Stop()).hits}


def test_a_writer_whose_connections_are_cut_loses_and_repeats_nothing(
    library: SmallLibrary, nodes: Nodes, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_sync, "BULK_BYTES", 4_000)
    with closing(connect(nodes, "cut")) as administrator:
        tries = 0
        for proxy.cut_after in (3_000, 7_000, 12_000, 20_000, 33_000, 0):
            with closing(through(proxy, nodes, "cut")) as connection:
                try:
                    written(library, connection)
                except TeamError:
                    tries += 1
        assert tries >= 3
        assert proxy.cuts >= tries
        refresh(administrator)
        assert (count(administrator, DOCUMENTS), count(administrator, PASSAGES)) == (len(FILES), len(FILES))
        with closing(TeamEngine(nodes.connect("cut"))) as engine:
            assert names(engine) == {Path(name).name for name in FILES}


def test_a_slow_network_is_waited_for_and_stop_stops(library: SmallLibrary, nodes: Nodes, proxy: TcpProxy) -> None:
    with closing(connect(nodes, "slow")) as administrator:
        written(library, administrator)
        refresh(administrator)
    with closing(TeamEngine(through(proxy, nodes, "slow"))) as engine:
        proxy.delay = 0.1
        assert len(names(engine)) == len(FILES)
        proxy.partitioned = True
        stop = Stop()
        timer = threading.Timer(0.5, stop.set)
        timer.start()
        began = time.monotonic()
        with pytest.raises(Stopped):
            engine.search(SearchRequest("valve", Mode.KEYWORD), stop)
        assert time.monotonic() - began < 10
        timer.join()


def test_a_partition_is_told_and_ends_with_the_network_back(
    library: SmallLibrary, nodes: Nodes, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(connect(nodes, "parted-network")) as administrator:
        written(library, administrator)
        refresh(administrator)
    with closing(TeamEngine(through(proxy, nodes, "parted-network"))) as engine:
        monkeypatch.setattr(team_connection, "READ_SECONDS", 1.0)
        proxy.partitioned = True
        with pytest.raises(TeamError, match="does not answer"):
            names(engine)
        proxy.partitioned = False
        monkeypatch.undo()
        assert len(names(engine)) == len(FILES)


def test_the_other_node_is_asked_when_one_stands_still(library: SmallLibrary, nodes: Nodes, proxy: TcpProxy) -> None:
    with closing(connect(nodes, "still-node")) as administrator:
        written(library, administrator)
        refresh(administrator)
    other, _, name = nodes.place("still-node").removeprefix("https://").partition("/")
    both = f"https://127.0.0.1:{proxy.port},{other}/{name}"
    while True:
        connection = TeamConnection(both, ca_file=nodes.ca, certificate=nodes.administrator)
        if connection.node.endswith(f":{proxy.port}"):
            break
    with closing(TeamEngine(connection)) as engine:
        assert len(names(engine)) == len(FILES)
        proxy.partitioned = True
        began = time.monotonic()
        assert len(names(engine)) == len(FILES)
        assert time.monotonic() - began < 5


def test_a_full_disk_stops_the_writer_and_not_the_readers(library: SmallLibrary, nodes: Nodes) -> None:
    with closing(connect(nodes, "full")) as connection:
        sync = written(library, connection)
        refresh(connection)
        library.add({"late.md": "# Late\n\nThe valve leaks late.\n"}, root="late")
        flooded = {"index": {"blocks": {"read_only_allow_delete": True}}}  # as the server does at its flood stage
        connection.ask("PUT", f"/{connection.index(PASSAGES)}/_settings", flooded)
        with pytest.raises(TeamBusy, match="disk"):
            sync.step(Stop())
        with closing(TeamEngine(nodes.connect("full"))) as engine:
            assert len(names(engine)) == len(FILES)
            flooded["index"]["blocks"]["read_only_allow_delete"] = False
            connection.ask("PUT", f"/{connection.index(PASSAGES)}/_settings", flooded)
            while sync.step(Stop()):
                pass
            refresh(connection)
            assert "late.md" in names(engine)


def test_a_writer_that_stands_still_is_told_and_its_clock_decides_nothing_else(
    library: SmallLibrary, nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    with closing(connect(nodes, "still")) as connection:
        monkeypatch.setattr(time, "time", lambda: now() + 86_400)  # the writer's clock is a day ahead …
        written(library, connection)
        library.add({"late.md": "# Late\n\nThe valve leaks late.\n"}, root="late")
        monkeypatch.setattr(time, "time", lambda: now() - STALLED_SECONDS - 60)  # … then behind
        written(library, connection)
        monkeypatch.undo()
        refresh(connection)
        assert count(connection, SOURCES) == 1
        with closing(TeamEngine(nodes.connect("still"))) as engine:
            assert "late.md" in names(engine)  # what is newer is decided by numbers, not by clocks
            note = engine.search(SearchRequest("valve", Mode.KEYWORD), Stop()).note
            assert "last brought up to date" in note
