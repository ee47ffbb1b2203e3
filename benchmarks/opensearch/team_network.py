"""Parts and slows the network of a team library: each node in a network namespace of its own, joined by two bridges.

Clients reach the nodes by one bridge, the nodes each other by the second one. A parted link loses what is sent on it
and tells nobody. It needs Linux, `ip`, `tc` and the rights of root.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.corpus import add_corpus_arguments, corpus_of
from benchmarks.opensearch.cluster import Cluster, ClusterError, Place, build
from benchmarks.opensearch.large_library import Say, large_library
from benchmarks.opensearch.team import queries_of, wait_for_copies
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError, Stopped, TeamError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker

AWAY_GOAL = 5.0  # seconds without an answer
STOP_GOAL = 0.5
_CLIENTS = 4  # each begins with a node by chance
_BEFORE, _PARTED, _AFTER = 3.0, 45.0, 10.0
_RATE = "4mbit"
_TCP_RETRIES = 5  # in each node, as the guide says; with 15, the default, a parted node notices it after 33 s
_OUTER, _INNER = "198.18.1", "198.18.2"  # for clients, between nodes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=2_000)


def run(options: argparse.Namespace, say: Say) -> Report:
    """Part and slow the network under searches."""
    if shutil.which("ip") is None or shutil.which("tc") is None or os.geteuid() != 0:
        raise BenchError("Networks are made with `ip` and `tc`, by root; one of these is missing here.")
    try:
        build()
        with (
            tempfile.TemporaryDirectory(prefix="bench-team-", ignore_cleanup_errors=True) as scratch,
            _network() as net,
        ):
            return _measure(Path(scratch), net, options, say)
    except ClusterError as error:
        raise BenchError(f"OpenSearch cannot be started: {error}") from error


class _Network:
    """Two namespaces and two bridges."""

    def __init__(self) -> None:
        self._mark = f"dr{os.getpid() % 10_000:04}"

    def place(self, number: int) -> Place:
        """Return where a node is, from 1."""
        inside = ("ip", "netns", "exec", f"{self._mark}n{number}")
        return Place(f"{_OUTER}.{number}", f"{_INNER}.{number}", inside)

    def create(self) -> None:
        """Make everything."""
        for side in "ab":
            _ip("link", "add", f"{self._mark}{side}", "type", "bridge")
            _ip("link", "set", f"{self._mark}{side}", "up")
        _ip("address", "add", f"{_OUTER}.254/24", "dev", f"{self._mark}a")
        for number in (1, 2):
            space = f"{self._mark}n{number}"
            _ip("netns", "add", space)
            _ip("-n", space, "link", "set", "dev", "lo", "up")
            _ip("netns", "exec", space, "sysctl", "-qw", f"net.ipv4.tcp_retries2={_TCP_RETRIES}")
            for side, network in (("a", _OUTER), ("b", _INNER)):
                _ip("link", "add", self._link(number, side), "type", "veth", "peer", "name", side, "netns", space)
                _ip("-n", space, "address", "add", f"{network}.{number}/24", "dev", side)
                _ip("-n", space, "link", "set", "dev", side, "up")
                _ip("link", "set", self._link(number, side), "up")
                self.join(number, side)

    def _link(self, number: int, side: str) -> str:
        return f"{self._mark}{side}{number}"

    def join(self, number: int, sides: str) -> None:
        """Connect a node to bridges: “a” is that of the clients, “b” that of the nodes."""
        for side in sides:
            _ip("link", "set", self._link(number, side), "master", f"{self._mark}{side}")

    def part(self, number: int, sides: str) -> None:
        """Disconnect a node from bridges; its links stay up."""
        for side in sides:
            _ip("link", "set", self._link(number, side), "nomaster")

    def slow(self, rate: str) -> None:
        """Slow the links of all nodes to their clients, in both directions."""
        limits = ("root", "tbf", "rate", rate, "burst", "32kbit", "latency", "400ms")
        for number in (1, 2):
            _run("tc", "qdisc", "add", "dev", self._link(number, "a"), *limits)
            _run("ip", "netns", "exec", f"{self._mark}n{number}", "tc", "qdisc", "add", "dev", "a", *limits)

    def remove(self) -> None:
        """Remove everything, as far as it was made."""
        for command in (
            *(("netns", "delete", f"{self._mark}n{number}") for number in (1, 2)),
            *(("link", "delete", f"{self._mark}{side}") for side in "ab"),
        ):
            subprocess.run(("ip", *command), capture_output=True, check=False)


@contextmanager
def _network() -> Iterator[_Network]:
    made = _Network()
    try:
        made.create()
        yield made
    finally:
        made.remove()


def _ip(*command: str) -> None:
    _run("ip", *command)


def _run(*command: str) -> None:
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise BenchError(f"`{' '.join(command)}` failed: {answer.stderr.strip()}")


@dataclass
class _Seen:
    """What the searches of one client saw."""

    full: list[float] = field(default_factory=list)  # when full answers came
    times: list[float] = field(default_factory=list)
    failed: int = 0
    noted: int = 0
    wrong: int = 0  # full answers with other passages

    def longest(self, began: float, ended: float) -> float:
        """Return the longest time without a full answer."""
        marks = [began, *self.full, ended]
        return max(later - earlier for earlier, later in pairwise(marks))


class _Watch:
    """Clients that search all the time, in threads."""

    def __init__(self, url: str, queries: Sequence[str]) -> None:
        self._url, self._queries = url, queries
        self._done = threading.Event()
        with closing(TeamEngine(TeamConnection(url))) as engine:
            self._expected = [_found(engine, query)[0] for query in queries]
        self.seen = [_Seen() for _ in range(_CLIENTS)]

    def during(self, seconds: float, change: Callable[[], object], back: Callable[[], object]) -> list[float]:
        """Search while `change` is in force for some seconds; return the longest time without a full answer of each."""
        threads = [threading.Thread(target=self._search, args=(each,), daemon=True) for each in self.seen]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        for wait, work in ((_BEFORE, change), (seconds, back), (_AFTER, self._done.set)):
            time.sleep(wait)
            work()
        ended = time.monotonic()
        for thread in threads:
            thread.join(60.0)
        return [each.longest(began, ended) for each in self.seen]

    def _search(self, seen: _Seen) -> None:
        number = 0
        with closing(TeamEngine(TeamConnection(self._url))) as engine:
            while not self._done.is_set():
                number = (number + 1) % len(self._queries)
                began = time.monotonic()
                try:
                    found, note = _found(engine, self._queries[number])
                except TeamError:
                    seen.failed += 1
                    continue
                seen.times.append((time.monotonic() - began) * 1000)
                if note:
                    seen.noted += 1
                    continue
                seen.full.append(time.monotonic())
                seen.wrong += found != self._expected[number]


def _found(engine: TeamEngine, query: str) -> tuple[frozenset[int], str]:
    result = engine.search(SearchRequest(query, Mode.HYBRID), Stop())
    return frozenset(hit.chunk for hit in result.hits), result.note


def _measure(folder: Path, net: _Network, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = Library(large_library(folder, corpus, say))
    cluster = Cluster(folder / "cluster", places=(net.place(1), net.place(2)))
    say("Starting two nodes …")
    cluster.start(300.0, 512, measured=True)
    url = ",".join([cluster.url, *(node.url.partition("//")[2] for node in cluster.nodes[1:])]) + "/team"
    queries = queries_of(corpus, 10)
    rows: list[Measurement] = []
    try:
        _write(library, url)
        wait_for_copies(cluster)
        for what, sides in (("one node cut off", "ab"), ("nodes parted, clients reach both", "b")):
            say(f"{what} …")
            watch = _Watch(url, queries)
            longest = watch.during(_PARTED, partial(net.part, 2, sides), partial(net.join, 2, sides))
            rows += _rows(what, watch.seen, longest)
            cluster.wait(2)
            wait_for_copies(cluster)  # else a node asks the other one, beyond the next parted link
        rows += _removal(library, url, net, cluster, say)
        say(f"{_RATE} …")
        watch = _Watch(url, queries)
        longest = watch.during(20.0, lambda: net.slow(_RATE), lambda: None)
        rows += _rows(f"network of {_RATE}", watch.seen, longest, slow=True)
        rows.append(_stopped(url, queries[0]))
    finally:
        cluster.stop()
    return Report("The network of a team library on two nodes", tuple(rows), (corpus.describe(),), this_machine())


def _write(library: Library, url: str) -> None:
    with closing(TeamConnection(url)) as connection:
        worker = TeamWorker(library, connection, (TeamSource("bench:everyone", "everyone"),), lambda _: None)
        worker.run(Stop(), 2, 1, once=True)
        connection.ask("POST", f"/{connection.name}-*/_refresh")


def _rows(what: str, seen: Sequence[_Seen], longest: Sequence[float], *, slow: bool = False) -> list[Measurement]:
    times = sorted(each for one in seen for each in one.times)
    counts = f"{len(times)} answers, {sum(each.noted for each in seen)} of them with a note"
    counts += f", {sum(each.failed for each in seen)} refused"
    return (
        [
            Measurement(f"{what}: longest time without a full answer", OURS, "s", (max(longest),), goal=AWAY_GOAL),
            Measurement(f"{what}: {counts}, p95", OURS, "ms", (times[int(0.95 * len(times))],)),
            Measurement(f"{what}: full answers that were not", OURS, "", (sum(e.wrong for e in seen),), goal=0),
        ]
        if not slow
        else [
            Measurement(f"{what}: {counts}, p95", OURS, "ms", (times[int(0.95 * len(times))],)),
            Measurement(f"{what}: refused", OURS, "", (sum(each.failed for each in seen),), goal=0),
        ]
    )


def _removal(library: Library, url: str, net: _Network, cluster: Cluster, say: Say) -> list[Measurement]:
    """Remove a file while the nodes are parted; return for how long clients of either node still find it."""
    say("A file is removed while the nodes are parted …")
    with closing(Catalog.open(library.catalog)) as catalog:
        root = catalog.folders.all()[0]
        path, file = sorted(catalog.files.of_folder(root.id).items())[0]
        net.part(2, "b")
        catalog.files.remove(file.id)
    began = time.monotonic()
    writer = threading.Thread(target=_write, args=(library, url), daemon=True)
    writer.start()
    name, shown, acknowledged = Path(os.fsdecode(path)).name, [0.0], 0.0
    query = f'"Document {int(Path(name).stem.split()[1])}"'
    while time.monotonic() - began < 2 * _PARTED:
        if not writer.is_alive() and not acknowledged:
            acknowledged = time.monotonic()
        with closing(TeamEngine(TeamConnection(url))) as engine:
            try:
                hits = engine.search(SearchRequest(query, Mode.KEYWORD), Stop()).hits
            except TeamError:
                continue
        if acknowledged and any(hit.path.name == name for hit in hits):
            shown.append(time.monotonic() - acknowledged)
    net.join(2, "b")
    cluster.wait(2)
    writer.join(120.0)
    taken = acknowledged - began if acknowledged else float("inf")
    return [
        Measurement("nodes parted: a removal acknowledged after", OURS, "s", (taken,)),
        Measurement("nodes parted: found after its removal for", OURS, "s", (max(shown),)),
    ]


def _stopped(url: str, query: str) -> Measurement:
    """Stop a search on the slow network; return how long it went on."""
    stop, stopped = Stop(), 0.0

    def end() -> None:
        nonlocal stopped
        stopped = time.monotonic()
        stop.set()

    timer = threading.Timer(0.3, end)
    with closing(TeamEngine(TeamConnection(url))) as engine:
        timer.start()
        try:
            while True:
                engine.search(SearchRequest(query, Mode.HYBRID), stop)
        except Stopped:
            ended = time.monotonic()
    return Measurement(
        f"network of {_RATE}: a search goes on after Stop", OURS, "s", (ended - stopped,), goal=STOP_GOAL
    )
