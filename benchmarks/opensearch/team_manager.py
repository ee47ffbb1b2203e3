"""Kills the elected cluster manager of a team library, in searches and while a writer copies; two nodes have the data.

A third, small node without data is there to elect another one. Searches begin at the node that is killed.
"""

import argparse
import random
import signal
from contextlib import closing
from pathlib import Path

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.opensearch.cluster import Cluster, Node
from benchmarks.opensearch.large_library import Say, large_library
from benchmarks.opensearch.team import in_scratch, loss, queries_of, wait_for_copies
from benchmarks.opensearch.team_faults import HEAP, change, killed_under_the_writer, restart, write_all
from benchmarks.report import Measurement, Report
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.llm.json_value import as_object
from desktop_rag.team.server.team_connection import TeamConnection

_CHANGES = 20  # files removed and added before the manager is killed under the writer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=1_500)


def run(options: argparse.Namespace, say: Say) -> Report:
    """Write a library, kill the elected manager twice, and compare."""
    return in_scratch(_measure, options, say)


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = Library(large_library(folder, corpus, say))
    cluster = Cluster(folder / "cluster", small=1)
    say("Starting three nodes …")
    cluster.start(300.0, HEAP, measured=True)
    url = cluster.library_url("team")
    chance = random.Random(SEED)
    rows: list[Measurement] = []
    try:
        write_all(library, url)
        wait_for_copies(cluster)
        elected = _elected(cluster, url)
        rows.append(loss("elected, killed", signal.SIGKILL, elected, url, queries_of(corpus, 100), say))
        elected.kill()
        restart((elected,), cluster)
        for _ in range(_CHANGES):
            change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
        elected = _elected(cluster, url)
        rows += killed_under_the_writer("elected manager", (elected,), cluster, library, url, chance, say)
    finally:
        cluster.stop()
    return Report("A team library without its cluster manager", tuple(rows), (corpus.describe(),), this_machine())


def _elected(cluster: Cluster, url: str) -> Node:
    """Return the node that is cluster manager now."""
    with closing(TeamConnection(url)) as connection:
        found = as_object(connection.ask("GET", "/_nodes/_cluster_manager/http").get("nodes"))
    names = {as_object(each).get("name") for each in found.values()}
    return next(node for node in cluster.nodes if node.name in names)
