"""Kills the elected cluster manager of a team library, in searches and while a writer copies; two nodes have the data.

A third, small node without data is there to elect another one. Searches begin at the node that is killed.
"""

import argparse
import random
import signal
import tempfile
import time
from contextlib import closing
from pathlib import Path

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.opensearch.cluster import Cluster, ClusterError, Node, build
from benchmarks.opensearch.large_library import Say, large_library
from benchmarks.opensearch.team import loss, queries_of, wait_for_copies
from benchmarks.opensearch.team_faults import change, compared, write_all, writer
from benchmarks.report import Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.team.server.json_answers import as_dict
from desktop_rag.team.server.team_connection import TeamConnection

_CHANGES = 20  # files removed and added before the manager is killed under the writer
_AWAY_SECONDS = 3.0
_HEAP = 512


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=1_500)


def run(options: argparse.Namespace, say: Say) -> Report:
    """Write a library, kill the elected manager twice, and compare."""
    try:
        build()
        with tempfile.TemporaryDirectory(prefix="bench-team-", ignore_cleanup_errors=True) as scratch:
            return _measure(Path(scratch), options, say)
    except ClusterError as error:
        raise BenchError(f"OpenSearch cannot be started: {error}") from error


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = Library(large_library(folder, corpus, say))
    cluster = Cluster(folder / "cluster", small=1)
    say("Starting three nodes …")
    cluster.start(300.0, _HEAP, measured=True)
    url = f"{cluster.url},{cluster.nodes[1].url.partition('//')[2]}/team"
    chance = random.Random(SEED)
    rows: list[Measurement] = []
    try:
        write_all(library, url)
        wait_for_copies(cluster)
        elected = _elected(cluster, url)
        rows.append(loss("elected, killed", signal.SIGKILL, elected, url, queries_of(corpus, 100), say))
        _restart(elected, cluster)
        for _ in range(_CHANGES):
            change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
        elected, copying = _elected(cluster, url), writer(library, url)
        time.sleep(chance.uniform(0.5, 1.5))
        say("The manager is killed under the writer …")
        elected.kill()
        time.sleep(_AWAY_SECONDS)
        _restart(elected, cluster)
        copying.join(300.0)
        if copying.exitcode != 0:
            raise BenchError("The writer did not finish.")
        rows += compared("elected manager killed under the writer", library, url)
    finally:
        cluster.stop()
    return Report("A team library without its cluster manager", tuple(rows), (corpus.describe(),), this_machine())


def _elected(cluster: Cluster, url: str) -> Node:
    """Return the node that is cluster manager now."""
    with closing(TeamConnection(url)) as connection:
        found = as_dict(connection.ask("GET", "/_nodes/_cluster_manager/http").get("nodes"))
    names = {as_dict(each).get("name") for each in found.values()}
    return next(node for node in cluster.nodes if node.name in names)


def _restart(node: Node, cluster: Cluster) -> None:
    node.kill()
    node.start(_HEAP, measured=True)
    cluster.wait(len(cluster.nodes), 300.0)
    wait_for_copies(cluster)
