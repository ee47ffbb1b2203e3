"""Measures a team library on a real cluster of two nodes: size, writing, searches by many, and the loss of a node.

The nodes share this machine with the clients; the heap of each is bounded. Latencies are wall-clock times of whole
searches, with snippets, of clients in one process.
"""

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of
from benchmarks.keywords.search_latency import library_of
from benchmarks.opensearch.cluster import Cluster, ClusterError, build
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError, TeamError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.team.team_connection import TeamConnection, as_dict, as_int
from desktop_rag.team.team_engine import TeamEngine
from desktop_rag.team.team_generations import create_indexes
from desktop_rag.team.team_sync import SyncCounts, TeamSource, TeamSync

MODES = (Mode.KEYWORD, Mode.HYBRID, Mode.LINKED)
CLIENTS = (1, 16)
HYBRID_GOAL = 300.0  # ms, of 95 % of the searches of 16 clients
AWAY_GOAL = 5.0  # seconds without an answer when one of two nodes dies
_WORDS = 6  # of a query
_DIMENSIONS = 384
_AWAY_SECONDS = 20.0

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=100_000)
    parser.add_argument("--searches", type=int, default=20, metavar="N", help="of each client in each mode (20)")
    parser.add_argument("--heap", type=int, default=1024, metavar="MB", help="of each node (1024)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure a library of the corpus."""
    try:
        build()
        with tempfile.TemporaryDirectory(prefix="bench-team-", ignore_cleanup_errors=True) as scratch:
            return _measure(Path(scratch), options, say)
    except ClusterError as error:
        raise BenchError(f"OpenSearch cannot be started: {error}") from error


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = library_of(folder, corpus, say)
    cluster = Cluster(folder / "cluster")
    say("Starting two nodes …")
    cluster.start(300.0, options.heap)
    url = ",".join([cluster.url, *(node.url.partition("//")[2] for node in cluster.nodes[1:])]) + "/team"
    try:
        with closing(TeamConnection(url)) as connection:
            counts, seconds = _write(library, connection, say)
            rows = [*_sizes(connection, counts), _rate("written to the team library", counts, seconds)]
        queries = _queries(corpus, options.searches)
        say("Searching the embedded library …")
        with closing(SearchEngine(library)) as embedded:
            rows += [_latency(mode, 1, "embedded", _search(embedded, queries, mode)) for mode in MODES]
        for clients in CLIENTS:
            rows += [_many(url, clients, queries, mode, say) for mode in MODES]
        rows.append(_loss(cluster, url, queries, say))
    finally:
        cluster.stop()
    notes = (corpus.describe(), f"{counts.sentences:,} sentences with vectors, {counts.passages:,} passages.")
    return Report("A team library on two nodes", tuple(rows), notes, this_machine())


def _write(library: Path, connection: TeamConnection, say: Say) -> tuple[SyncCounts, float]:
    """Copy the library, and return what was written in how many seconds."""
    create_indexes(connection, _DIMENSIONS, shards=2, replicas=1)
    with closing(CatalogReader.open(Library(library).catalog)) as catalog:
        sync = TeamSync(catalog, connection, TeamSource("bench", "everyone"))
        sync.start(Stop())
        began = time.monotonic()
        while sync.step(Stop()):
            say(f"{sync.counts.sentences:,} sentences written, {time.monotonic() - began:.0f} s")
        seconds = time.monotonic() - began
    connection.ask("POST", f"/{connection.name}-*/_refresh")
    return sync.counts, seconds


def _sizes(connection: TeamConnection, counts: SyncCounts) -> list[Measurement]:
    """Return the bytes of one copy for each passage and each sentence, by index."""
    connection.ask("POST", f"/{connection.name}-*/_flush")
    stats = as_dict(connection.ask("GET", f"/{connection.name}-*/_stats/store").get("indices"))
    rows = []
    for index, each in sorted(stats.items()):
        store = as_dict(as_dict(as_dict(each).get("primaries")).get("store"))
        size = as_int(store.get("size_in_bytes"))
        rows.append(Measurement(f"{index}, one copy", OURS, "MB", (size / 1e6,)))
        if index.endswith("passages"):
            rows.append(Measurement("passages, for each sentence", OURS, "bytes", (size / max(1, counts.sentences),)))
    return rows


def _rate(what: str, counts: SyncCounts, seconds: float) -> Measurement:
    return Measurement(what, OURS, "sentences/s", (counts.sentences / seconds,), better="more")


def _queries(corpus: Corpus, count: int) -> list[str]:
    drawn = random.Random(SEED)
    found = []
    for passage in drawn.sample(corpus.passages, min(count, len(corpus.passages))):
        words = [word for word in passage.split() if word.isalpha()]
        first = drawn.randrange(max(1, len(words) - _WORDS))
        found.append(" ".join(words[first : first + _WORDS]) or "report")
    return found


def _search(engine: SearchEngine, queries: Sequence[str], mode: Mode) -> list[float]:
    """Return the milliseconds of each search, after one that is not counted."""
    engine.search(SearchRequest(queries[0], mode), Stop())
    times = []
    for query in queries:
        began = time.perf_counter()
        engine.search(SearchRequest(query, mode), Stop())
        times.append((time.perf_counter() - began) * 1000)
    return times


def _many(url: str, clients: int, queries: Sequence[str], mode: Mode, say: Say) -> Measurement:
    say(f"{clients} clients search: {mode.value} …")
    times: list[float] = []

    def one(number: int) -> None:
        own = [*queries[number % len(queries) :], *queries[: number % len(queries)]]
        with closing(TeamEngine(TeamConnection(url))) as engine:
            times.extend(_search(engine, own, mode))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(times) != clients * len(queries):
        raise BenchError(f"{clients * len(queries) - len(times)} searches failed.")
    return _latency(mode, clients, OURS, times)


def _latency(mode: Mode, clients: int, subject: str, times: Sequence[float]) -> Measurement:
    ordered = sorted(times)
    worst = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    goal = HYBRID_GOAL if mode is Mode.HYBRID and clients > 1 else None
    what = f"{mode.value}, clients: {clients}, p50 {ordered[len(ordered) // 2]:.0f} ms, p95"
    return Measurement(what, subject, "ms", (worst,), goal=goal)


def _loss(cluster: Cluster, url: str, queries: Sequence[str], say: Say) -> Measurement:
    """Kill the second node under searches; return the longest time between two complete answers."""
    say("Killing one node of two …")
    longest, failed, last = 0.0, 0, time.monotonic()
    ends = last + _AWAY_SECONDS
    with closing(TeamEngine(TeamConnection(url))) as engine:
        _search(engine, queries[:1], Mode.HYBRID)
        cluster.nodes[1].kill()
        number, last = 0, time.monotonic()
        while time.monotonic() < ends:
            number += 1
            try:
                note = engine.search(SearchRequest(queries[number % len(queries)], Mode.HYBRID), Stop()).note
            except TeamError:
                failed += 1
                continue
            if not note:
                longest, last = max(longest, time.monotonic() - last), time.monotonic()
    longest = max(longest, time.monotonic() - last)
    say(f"{number} searches, {failed} failed")
    what = "one node of two killed: longest time without a full answer"
    return Measurement(what, OURS, "s", (longest,), goal=AWAY_GOAL)
