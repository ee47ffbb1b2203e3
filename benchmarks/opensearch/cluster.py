"""Starts and stops OpenSearch nodes on loopback; standard library only, because `packaging/dev.py` uses it too.

Maven resolves OpenSearch and its plugins k-NN and security once (about 120 MB); later starts only use the result in
`build/`. The security plugin runs where `security` has prepared a cluster's folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent.parent / "build" / "opensearch"
JAVA_VERSION = 21
HEAP_MEGABYTES, SMALL_MEGABYTES = 384, 256
_LOG = "node.log"
_MODULES = ("--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED")
_CHEAP = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xshare:auto",
)  # starts sooner; searches take ten times as long


class ClusterError(Exception):
    """No cluster can be started here; the message says why."""


def java_home() -> Path | None:
    """Return the newest JDK that is new enough: of JAVA_HOME, of the path, or beside it."""
    named = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    on_path = shutil.which("javac")
    homes = [*named, *([Path(on_path).resolve().parent.parent] if on_path else []), *Path("/usr/lib/jvm").glob("*")]
    versions = {home: _version(home) for home in homes if (home / "bin" / "javac").is_file()}
    best = max(versions, key=lambda home: versions[home], default=None)
    return best if best is not None and versions[best] >= JAVA_VERSION else None


def _version(home: Path) -> int:
    try:
        found = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text(encoding="utf-8"))
    except OSError:
        return 0
    return int(found[1]) if found else 0


def obstacle() -> str:
    """Return why no cluster can be made here, or an empty text."""
    if java_home() is None:
        return f"no JDK {JAVA_VERSION} or newer was found"
    return "" if is_built() or shutil.which("mvn") else "Maven was not found"


def is_built() -> bool:
    """Return whether everything was resolved and compiled from the current files."""
    try:
        return (BUILT / "sources").read_text(encoding="utf-8") == _sources()
    except OSError:
        return False


def build() -> None:
    """Resolve the modules with Maven and compile the main class; raises `ClusterError`."""
    if reason := obstacle():
        raise ClusterError(reason)
    if is_built():
        return
    home = java_home()
    BUILT.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILT.parent) as scratch:
        target = Path(scratch) / "opensearch"
        _run("mvn", "-B", "-ntp", "-q", "-f", str(HERE / "pom.xml"), f"-Dtarget={target}", "package")
        sources = map(str, (HERE / "java").rglob("*.java"))
        _run(f"{home}/bin/javac", "-nowarn", "-d", f"{target}/classes", "-cp", f"{target}/lib/*", *sources)
        (target / "sources").write_text(_sources(), encoding="utf-8")
        if not is_built():
            shutil.rmtree(BUILT, ignore_errors=True)
            target.replace(BUILT)


def _sources() -> str:
    return "\0".join(path.read_text(encoding="utf-8") for path in (HERE / "pom.xml", *sorted(HERE.rglob("*.java"))))


def _run(*command: str) -> None:
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if answer.returncode != 0:
        said = (answer.stdout + answer.stderr).strip()
        raise ClusterError(f"{command[0]} failed: {said[:600]}")


class Security(NamedTuple):
    """What makes a cluster secure: settings of each node, and the TLS context of its administrator."""

    settings: Mapping[str, str]
    context: ssl.SSLContext


class Place(NamedTuple):
    """Where a node is: the addresses for its clients and for other nodes, and the command that runs it there."""

    host: str = "127.0.0.1"
    transport_host: str = "127.0.0.1"
    inside: tuple[str, ...] = ()


class Node:
    """One node in a process of its own; `folder` holds its data and its log.

    Its process ends with the process `owner`, 0 for none. `place` is where it is in a network, by default loopback.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        ports: tuple[int, int],
        seeds: Sequence[str],
        security: Security | None = None,
        place: Place | None = None,
    ) -> None:
        port, transport = ports
        place = place or Place()
        self.url = f"{'https' if security else 'http'}://{place.host}:{port}"
        self.name = name
        self.owner = os.getpid()
        self._inside = place.inside
        self.log = folder / _LOG
        self._folder = folder
        self._settings = {
            "node.name": name,
            "cluster.name": folder.parent.name,
            "network.host": place.transport_host,
            "http.host": place.host,
            "http.port": str(port),
            "transport.port": str(transport),
            "discovery.seed_hosts": ",".join(seeds),
            "path.repo": str(folder.parent / "snapshots"),
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            "cluster.no_cluster_manager_block": "all",  # a node that has lost the others answers nothing old
        }
        if security is not None:
            self._settings |= security.settings
        if seeds[0] == f"{place.transport_host}:{transport}":  # the first node forms the cluster
            self._settings["cluster.initial_cluster_manager_nodes"] = name
        self._process: subprocess.Popen[bytes] | None = None
        self._largest_heap = 1 << 20

    @property
    def pid(self) -> int:
        """Return the id of its process, 0 if there is none."""
        return self._process.pid if self._process is not None else 0

    @property
    def is_small(self) -> bool:
        """Return whether it has no data."""
        return "node.roles" in self._settings

    def make_small(self) -> None:
        """Let it have no data and a small heap."""
        self._settings["node.roles"] = "cluster_manager"
        self._largest_heap = SMALL_MEGABYTES

    def start(self, heap_megabytes: int = HEAP_MEGABYTES, *, measured: bool = False) -> None:
        """Start the process without waiting for it; also again after `kill`. `measured`: as fast as in production."""
        heap_megabytes = min(heap_megabytes, self._largest_heap)
        (self._folder / "config").mkdir(parents=True, exist_ok=True)
        paths = [f"{BUILT}/classes", f"{BUILT}/lib/*"]
        paths += [f"{BUILT}/plugins/opensearch-{name}/*" for name in ("knn", "security")]
        heap = (f"-Xms{heap_megabytes}m", f"-Xmx{heap_megabytes}m")
        command = [
            *self._inside,
            f"{java_home()}/bin/java",
            *heap,
            *(() if measured else _CHEAP),
            *_MODULES,
            "-cp",
            os.pathsep.join(paths),
            "ClusterNode",
        ]
        command += [str(self._folder), str(self.owner), *(f"{key}={value}" for key, value in self._settings.items())]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """Kill the process (SIGKILL) and wait for its end."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def detach(self) -> int:
        """Leave the process to `stop_nodes`; return its id."""
        process, self._process = self._process, None
        if process is None:
            raise ClusterError("this node does not run")
        process.returncode = 0  # nobody waits for it: no warning that it still runs
        return process.pid

    def wait(self, seconds: float) -> bool:
        """Wait for the end of its process; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                self._process.wait(seconds)
        return self._process is None or self.has_ended()

    def has_ended(self) -> bool:
        """Return whether the process ended by itself."""
        return self._process is not None and self._process.poll() is not None


class Cluster:
    """Nodes on loopback under a folder; the first one is their cluster manager.

    They end with the process `owner`, by default this one; with 0 they run on. The last `small` of them have no data
    and a heap of `SMALL_MEGABYTES`: they are there to elect another cluster manager. `ports` are those of an earlier
    start: for clients one of each node, then one of each for the others.
    """

    def __init__(
        self,
        folder: Path,
        nodes: int = 2,
        security: Security | None = None,
        owner: int | None = None,
        places: Sequence[Place] = (),
        small: int = 0,
        ports: Sequence[int] = (),
    ) -> None:
        nodes += small
        self.ports = ports = ports or free_ports(2 * nodes)
        self.folder = folder
        self._context = security.context if security is not None else None
        where = [*places] or [Place()] * nodes
        seeds = [f"{place.transport_host}:{port}" for place, port in zip(where, ports[nodes:], strict=True)]
        self.nodes = tuple(
            Node(folder / f"node-{number + 1}", f"node-{number + 1}", own, seeds, security, where[number])
            for number, own in enumerate(zip(ports[:nodes], ports[nodes:], strict=True))
        )
        for node in self.nodes:
            node.owner = os.getpid() if owner is None else owner
        for node in self.nodes[nodes - small :]:
            node.make_small()

    @property
    def url(self) -> str:
        """Return the address of the first node."""
        return self.nodes[0].url

    def library_url(self, name: str) -> str:
        """Return the address of a team library at all nodes that have data."""
        first, *others = (node.url for node in self.nodes if not node.is_small)
        return ",".join((first, *(url.partition("//")[2] for url in others))) + f"/{name}"

    def start(self, seconds: float = 120.0, heap_megabytes: int = HEAP_MEGABYTES, *, measured: bool = False) -> None:
        """Start all nodes and wait until they form one cluster; raises `ClusterError`."""
        for node in self.nodes:
            node.start(heap_megabytes, measured=measured)
        self.wait(len(self.nodes), seconds)

    def wait(self, nodes: int, seconds: float = 120.0) -> None:
        """Wait until the cluster has this many nodes; raises `ClusterError`."""
        ends = time.monotonic() + seconds
        while self.health(self.url).get("number_of_nodes") != nodes:
            ended = next((node for node in self.nodes if node.has_ended()), None)
            if ended is not None or time.monotonic() >= ends:
                log = (ended or self.nodes[0]).log.read_text(encoding="utf-8", errors="replace")
                self.stop()
                raise ClusterError(f"the cluster did not start within {seconds:.0f} s: {log[-600:]}")
            time.sleep(0.2)

    def health(self, url: str) -> dict[str, object]:
        """Return the health that a node reports; empty if it does not answer."""
        try:
            with urllib.request.urlopen(f"{url}/_cluster/health", timeout=5.0, context=self._context) as answer:
                found = json.load(answer)
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def stop(self) -> None:
        """Kill all nodes; their data stays."""
        for node in self.nodes:
            node.kill()


def stop_nodes(pids: Sequence[int]) -> None:
    """Kill nodes that another program has started, if these processes are still nodes."""
    for pid in pids:
        if is_node(pid):
            os.kill(pid, signal.SIGKILL)


def is_node(pid: int) -> bool:
    """Return whether a process is a node."""
    answer = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return " ClusterNode " in answer.stdout


def are_free(ports: Sequence[int]) -> bool:
    """Return whether all these ports of loopback can be listened on now."""
    for port in ports:
        with socket.socket() as each:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                each.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def free_ports(count: int) -> list[int]:
    """Return ports of loopback that are free now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()
