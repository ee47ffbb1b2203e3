"""Kills the writer and the nodes of a team library at any moment, then compares it with the library it was copied from.

The writer is a process that ends by SIGKILL; between two kills the library changes. Nodes are killed while it writes.
"""

import argparse
import multiprocessing
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.libraries.folders import write_file
from benchmarks.opensearch.cluster import Cluster, ClusterError, build
from benchmarks.opensearch.large_library import Say, add_file, large_library
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.stop import Stop
from desktop_rag.team.document_cards import shared_id
from desktop_rag.team.team_connection import TeamConnection, as_dict, as_list
from desktop_rag.team.team_indexes import DOCUMENTS, LINES, PASSAGES
from desktop_rag.team.team_sync import TeamSource
from desktop_rag.team.team_worker import TeamWorker

_SOONEST, _LATEST = 0.05, 2.5  # seconds of a writer before it is killed
_AWAY_SECONDS = 3.0
_PAGE = 10_000
_FORK = multiprocessing.get_context("fork") if "fork" in multiprocessing.get_all_start_methods() else None


class Difference(NamedTuple):
    """How many entries the team library lacks, and how many it should not have."""

    lost: int
    phantom: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=1_500)
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="of the writer (100)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Kill, let the last writer finish, and compare."""
    if _FORK is None:
        raise BenchError("Processes are killed as on POSIX systems; this is none.")
    try:
        build()
        with tempfile.TemporaryDirectory(prefix="bench-team-", ignore_cleanup_errors=True) as scratch:
            return _measure(Path(scratch), options, say)
    except ClusterError as error:
        raise BenchError(f"OpenSearch cannot be started: {error}") from error


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = Library(large_library(folder, corpus, say))
    cluster = Cluster(folder / "cluster")
    say("Starting two nodes …")
    cluster.start(300.0, 512, measured=True)
    url = ",".join([cluster.url, *(node.url.partition("//")[2] for node in cluster.nodes[1:])]) + "/team"
    rows: list[Measurement] = []
    try:
        chance = random.Random(SEED)
        ended = 0
        for number in range(options.kills):
            _change(library, folder / "documents", corpus.passages, number, chance)
            ended += _killed(library, url, chance.uniform(_SOONEST, _LATEST))
            say(f"{number + 1} writers killed, {ended} had finished before")
        rows += _compared(f"{options.kills} writers killed", library, url)
        for what, nodes in (("one node", cluster.nodes[1:]), ("both nodes", cluster.nodes)):
            for _ in range(10):
                _change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
            writer = _writer(library, url)
            time.sleep(chance.uniform(0.5, 1.5))
            for node in nodes:
                node.kill()
            say(f"{what} killed under the writer …")
            time.sleep(_AWAY_SECONDS)
            for node in nodes:
                node.start(512, measured=True)
            cluster.wait(2)
            writer.join(300.0)
            if writer.exitcode != 0:
                raise BenchError(f"The writer did not finish after {what} came back.")
            rows += _compared(f"{what} killed under the writer", library, url)
    finally:
        cluster.stop()
    return Report("Faults of a team library on two nodes", tuple(rows), (corpus.describe(),), this_machine())


def _write_all(library: Library, url: str) -> None:
    with closing(TeamConnection(url)) as connection:
        worker = TeamWorker(library, connection, (TeamSource("bench:everyone", "everyone"),), lambda _: None)
        worker.run(Stop(), 2, 1, once=True)


def _writer(library: Library, url: str) -> "multiprocessing.process.BaseProcess":
    assert _FORK is not None
    process = _FORK.Process(target=_write_all, args=(library, url), daemon=True)
    process.start()
    return process


def _killed(library: Library, url: str, seconds: float) -> bool:
    """Kill a writer after some seconds; return whether it had finished by itself."""
    writer = _writer(library, url)
    writer.join(seconds)
    finished = writer.exitcode == 0
    writer.kill()
    writer.join()
    return finished


def _change(library: Library, documents: Path, passages: list[str], number: int, chance: random.Random) -> None:
    """Remove a file of the library, and add another one."""
    with closing(Catalog.open(library.catalog)) as catalog:
        root = catalog.folders.all()[0]
        files = sorted(catalog.files.of_folder(root.id).items())
        catalog.files.remove(files[chance.randrange(len(files))][1].id)
        path = write_file(documents, 100_000 + number, chance.sample(passages, 5))
        with catalog.transaction():
            add_file(catalog, root.id, documents, path)


def _compared(what: str, library: Library, url: str) -> list[Measurement]:
    """Let a writer finish, and count what is not as in the library."""
    _write_all(library, url)
    with closing(TeamConnection(url)) as connection, closing(Catalog.open(library.catalog)) as catalog:
        connection.ask("POST", f"/{connection.name}-*/_refresh")
        wanted = _expected(catalog)
        differing = []
        for kind, ids in wanted.items():
            there = set(_ids(connection, kind))
            differing.append(Difference(len(ids - there), len(there - ids)))
        entries = sum(map(len, wanted.values()))
    return [
        Measurement(f"{what}: lost of {entries:,} entries", OURS, "entries", (sum(d.lost for d in differing),), goal=0),
        Measurement(f"{what}: phantoms", OURS, "entries", (sum(d.phantom for d in differing),), goal=0),
    ]


def _expected(catalog: Catalog) -> dict[str, set[str]]:
    wanted: dict[str, set[str]] = {DOCUMENTS: set(), PASSAGES: set(), LINES: set()}
    for content in catalog.files.visible_contents():
        chunks = catalog.chunks.ids_of_content(content)
        if chunks:
            shared = shared_id(1, content)
            wanted[DOCUMENTS].add(str(shared))
            wanted[PASSAGES].update(str(shared_id(1, chunk)) for chunk in chunks)
            wanted[LINES].update(f"{shared}-{line}" for line in (*catalog.texts.piece_lines(content), "layout"))
    return wanted


def _ids(connection: TeamConnection, kind: str) -> Iterator[str]:
    after: list[object] = []
    field = "chunk" if kind == PASSAGES else "content"
    while True:
        body = {"size": _PAGE, "query": {"match_all": {}}, "_source": False, "sort": [{field: "asc"}]}
        answer = connection.ask(
            "POST", f"/{connection.alias(kind)}/_search", body | ({"search_after": after} if after else {})
        )
        found = [as_dict(hit) for hit in as_list(as_dict(answer.get("hits")).get("hits"))]
        yield from (str(hit["_id"]) for hit in found)
        if len(found) < _PAGE:
            return
        after = as_list(found[-1].get("sort"))
