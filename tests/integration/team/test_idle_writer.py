"""A writer with nothing to write: it renews its watermark, and notices a server that is gone."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import TeamError, TeamNotSecure, TeamUnreachable
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import FileStore, StoreKey
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer import team_sync, team_worker
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync
from desktop_rag.team.writer.team_worker import TeamWorker
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.writer_server import WriterServer, writer_server


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    with closing(SmallLibrary(tmp_path)) as library:
        library.add({"note.md": "# Note\n\nThe valve leaks.\n"})
        library.encode()
        yield library


@pytest.fixture
def server() -> Iterator[WriterServer]:
    with writer_server() as server:
        yield server


def at(name: str, metrics: str) -> float:
    """Return the value of the only line that begins so."""
    (line,) = [line for line in metrics.splitlines() if line.startswith(name)]
    return float(line.rpartition(" ")[2])


def test_an_idle_writer_renews_its_watermark_when_it_is_old(
    library: SmallLibrary, server: WriterServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(TeamConnection(server.url)) as connection:
        sync = TeamSync(library.catalog, connection, TeamSource("office:everyone", "everyone"))
        sync.start(Stop())
        assert not sync.step(Stop())
        assert server.sources["1"]["at"]
        server.sources["1"]["at"] = 7
        assert not sync.step(Stop())
        assert server.sources["1"]["at"] == 7
        now = time.monotonic() + team_sync.HEARTBEAT_SECONDS
        monkeypatch.setattr(time, "monotonic", lambda: now)
        assert not sync.step(Stop())
        assert server.sources["1"]["at"] == int(sync.counts.synced_at)


def test_an_idle_writer_tells_of_a_server_that_is_gone(library: SmallLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_sync, "HEARTBEAT_SECONDS", 0.0)
    monkeypatch.setattr(team_worker, "POLL_SECONDS", 0.05)
    stop, said = Stop(), list[str]()

    def say(text: str) -> None:
        said.append(text)
        if "Trying again" in text:
            stop.set()

    with writer_server() as server, closing(TeamConnection(server.url)) as connection:
        worker = TeamWorker(library.layout, connection, (TeamSource("office:everyone", "everyone"),), say)
        thread = threading.Thread(target=worker.run, args=(stop, 1, 1))
        thread.start()
        ends = time.monotonic() + 30.0
        while not worker.reachable and time.monotonic() < ends:
            time.sleep(0.05)
        assert worker.reachable
        before = worker.metrics()
        server.shutdown()
        server.server_close()
        thread.join(30.0)
    assert not worker.reachable
    assert worker.failures == 1
    assert "does not answer" in said[-1]
    after = worker.metrics()
    assert "desktop_rag_team_reachable 0" in after
    for line in ("desktop_rag_team_behind{", "desktop_rag_team_documents_total{"):
        assert at(line, after) == at(line, before)
    assert at("desktop_rag_team_synced_at{", after) >= at("desktop_rag_team_synced_at{", before) > 0
    assert at("desktop_rag_team_documents_total{", after) == 1


def test_a_server_without_tls_ends_a_writer_that_works_once(library: SmallLibrary, server: WriterServer) -> None:
    with closing(TeamConnection(server.url.replace("http:", "https:"))) as connection:
        worker = TeamWorker(library.layout, connection, (TeamSource("office:everyone", "everyone"),), print)
        with pytest.raises(TeamNotSecure, match="no TLS"):
            worker.run(Stop(), 1, 1, once=True)


def test_a_writer_that_works_once_gives_up_without_an_answer(
    library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_worker, "PATIENCE_SECONDS", 1.5)
    said = list[str]()
    with closing(TeamConnection("http://127.0.0.1:9/team")) as connection:
        worker = TeamWorker(library.layout, connection, (TeamSource("office:everyone", "everyone"),), said.append)
        with pytest.raises(TeamUnreachable, match="it refused the connection"):
            worker.run(Stop(), 1, 1, once=True)
    assert worker.failures == 3
    assert "Not everything is copied" in said[-1]


def test_a_store_of_files_that_is_away_is_given_up_too(
    library: SmallLibrary, server: WriterServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_worker, "PATIENCE_SECONDS", 1.5)
    source, said = TeamSource("office:everyone", "everyone"), list[str]()
    store = FileStore("http://127.0.0.1:9/files", StoreKey("WRITER", "secret"))
    with closing(TeamConnection(server.url)) as connection, closing(store):
        worker = TeamWorker(library.layout, connection, (source,), said.append, store)
        with pytest.raises(TeamError, match="store of files"):
            worker.run(Stop(), 1, 1, once=True)
    assert "Not everything is copied" in said[-1]
