"""A team library on a real cluster of two OpenSearch nodes, and the library on this computer it was copied from."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from filelock import FileLock

from benchmarks.opensearch import cluster, security
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import create_indexes
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.contract import FILES

DIMENSIONS = 384
_BUILD_SECONDS, _START_SECONDS = (
    180.0,
    300.0,
)  # waited for what `dev.py test slow` resolves in the background; for the nodes


class Nodes(NamedTuple):
    """The address of the cluster, its folder, and a prefix for the names of libraries that only this worker uses."""

    url: str
    folder: Path
    worker: str

    def place(self, name: str) -> str:
        """Return the address of a library."""
        return f"{self.url}/team{self.worker}{name}"

    @property
    def ca(self) -> str:
        """Return the certificate of the cluster's authority."""
        return str(self.folder / "ca.pem")

    @property
    def administrator(self) -> str:
        """Return the certificate that may do everything."""
        return str(self.folder / f"{security.ADMIN}.pem")

    def connect(self, name: str) -> TeamConnection:
        """Return the administrator's connection to a library."""
        return TeamConnection(self.place(name), ca_file=self.ca, certificate=self.administrator)

    def configure(self, path: str, body: dict[str, object]) -> None:
        """Write a role or a user, see `security.configure`."""
        security.configure(self.url, security.admin_context(self.folder), path, body)


class Copy(NamedTuple):
    """A library on this computer, its writer, and both engines."""

    library: SmallLibrary
    sync: TeamSync
    connection: TeamConnection
    local: SearchEngine
    team: TeamEngine

    def follow(self) -> None:
        """Copy everything that is new, and let searches see it."""
        while self.sync.step(Stop()):
            pass
        self.sync.compare_all(Stop())
        refresh(self.connection)


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """The cluster; the workers of a parallel run share the one that the first of them starts, the last one stops it."""
    if reason := cluster.obstacle():
        pytest.skip(f"no OpenSearch: {reason}")
    waited = time.monotonic() + _BUILD_SECONDS
    while not cluster.is_built() and time.monotonic() < waited:
        time.sleep(0.5)
    if not cluster.is_built():
        pytest.skip("no OpenSearch: Maven has not resolved it yet; `packaging/dev.py opensearch start` does")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if worker else base) / "opensearch"
    state, folder = shared / "nodes.json", shared / "team"
    shared.mkdir(exist_ok=True)
    lock = FileLock(shared / "lock")
    with lock:
        if state.exists():
            url, pids, users = msgspec.json.decode(state.read_bytes(), type=tuple[str, list[int], int])
        else:
            folder.mkdir()
            run = os.getppid() if worker else os.getpid()  # a worker may crash, or end before the others
            started = cluster.Cluster(folder, security=security.prepare(folder), owner=run)
            started.start(_START_SECONDS)
            url, pids, users = started.url, [node.detach() for node in started.nodes], 0
        state.write_bytes(msgspec.json.encode((url, pids, users + 1)))
    yield Nodes(url, folder, worker)
    with lock:
        _, _, users = msgspec.json.decode(state.read_bytes(), type=tuple[str, list[int], int])
        state.write_bytes(msgspec.json.encode((url, pids, users - 1)))
        if users == 1:
            cluster.stop_nodes(pids)
            state.unlink()


def connect(nodes: Nodes, name: str) -> TeamConnection:
    """Return a connection to a library of this name, with its indexes."""
    connection = nodes.connect(name)
    create_indexes(connection, DIMENSIONS, shards=2, replicas=1)
    return connection


def refresh(connection: TeamConnection) -> None:
    """Let searches see what was written."""
    connection.ask("POST", f"/{connection.name}-*/_refresh")


def count(connection: TeamConnection, kind: str) -> int:
    """Return the number of entries of an index."""
    answer = connection.ask("GET", f"/{connection.index(kind)}/_count")
    found = answer["count"]
    assert isinstance(found, int)
    return found


def copy_of(library: SmallLibrary, nodes: Nodes, name: str, space: str = "everyone") -> Copy:
    """Copy a library to the cluster under a name."""
    connection = connect(nodes, name)
    sync = TeamSync(library.catalog, connection, TeamSource(connection.name, space))
    sync.start(Stop())
    team = TeamEngine(nodes.connect(name))
    found = Copy(library, sync, connection, SearchEngine(library.layout.folder), team)
    found.follow()
    connection.ask("GET", f"/_cluster/health/{connection.name}-*?wait_for_status=green&timeout=60s")
    return found


@pytest.fixture(scope="session")
def agreed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    """The files of the contract on this computer, with their sentence vectors; tests only read it."""
    library = SmallLibrary(tmp_path_factory.mktemp("contract"))
    library.add(FILES)
    library.encode()
    library.link()
    yield library
    library.close()


@pytest.fixture(scope="session")
def copied(agreed: SmallLibrary, nodes: Nodes) -> Iterator[Copy]:
    """The files of the contract in both libraries; tests only read it."""
    copy = copy_of(agreed, nodes, "contract")
    yield copy
    copy.local.close()
    copy.team.close()
    copy.connection.close()
