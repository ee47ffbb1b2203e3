"""Measures a team library on a real cluster of two nodes: size, writing, searches by many, and the loss of a node.

The nodes share this machine with the clients; the heap of each is bounded. Latencies are wall-clock times of whole
searches, with snippets.
"""

import argparse
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of, sentences_of
from benchmarks.measuring import cpu_seconds_of
from benchmarks.opensearch.cluster import Cluster, ClusterError, Node, build
from benchmarks.opensearch.graph_recall import graph_recall
from benchmarks.opensearch.large_library import large_library
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError, TeamError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.library import Library
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.llm.json_value import as_object
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.query.tokenizer import OPERATORS
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import PASSAGES, create_indexes
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.json_answers import as_int, total
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MODES = (Mode.KEYWORD, Mode.HYBRID, Mode.LINKED)
CLIENTS = (1, 16)
RATE_GOAL = 1 / 0.6  # indexing keeps 60 % of its rate
HYBRID_GOAL = 300.0  # ms, of 95 % of the searches of 16 clients
AWAY_GOAL = 5.0  # seconds without an answer when one of two nodes dies
_WORDS = 6  # of a query
_COMPARED = 100  # queries whose nearest passages are all known
_DIMENSIONS = 384
_AWAY_SECONDS = 20.0
_ENCODED = 500  # sentences

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=100_000)
    parser.add_argument("--searches", type=int, default=20, metavar="N", help="of each client in each mode (20)")
    parser.add_argument(
        "--warm", type=int, default=500, metavar="N", help="searches of each node before measuring (500)"
    )
    parser.add_argument("--real", action="store_true", help="encode every sentence, instead of vectors with noise")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the library and the nodes there")
    parser.add_argument("--only", choices=("write", "search"), help="with --keep: one half now, the other one later")
    parser.add_argument("--heap", type=int, default=1024, metavar="MB", help="of each node (1024)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure a library of the corpus."""
    if options.only and not options.keep:
        raise BenchError("--only needs a folder: --keep FOLDER")
    return in_scratch(_measure, options, say)


def in_scratch(
    measure: Callable[[Path, argparse.Namespace, Say], Report], options: argparse.Namespace, say: Say
) -> Report:
    """Measure in a folder that is deleted afterwards; raises `BenchError` if there is no OpenSearch."""
    try:
        build()
        with tempfile.TemporaryDirectory(prefix="bench-team-", ignore_cleanup_errors=True) as scratch:
            return measure(Path(scratch), options, say)
    except ClusterError as error:
        raise BenchError(f"OpenSearch cannot be started: {error}") from error


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    folder = options.keep or folder
    corpus = corpus_of(options, say)
    library = large_library(folder, corpus, say, real=options.real)
    cluster = Cluster(folder / "cluster")
    say("Starting two nodes …")
    cluster.start(300.0, options.heap, measured=True)
    url = cluster.library_url("team")
    rows: list[Measurement] = []
    try:
        with closing(TeamConnection(f"{cluster.url}/team")) as connection:  # waits for this node, however slow
            if options.only != "search":
                rows += _write(library, corpus, connection, cluster, say)
                rows += graph_recall(library, connection, queries_of(corpus, _COMPARED))
            wait_for_copies(cluster)
            written = _written(connection)
        if options.only != "write":
            rows += _searches(library, corpus, options, cluster, url, say)
    finally:
        cluster.stop()
    notes = (
        corpus.describe(),
        f"{written}; their vectors are " + ("their own." if options.real else "real ones plus noise."),
        f"Each client is a process that sends its next search at once; {os.cpu_count()} cores for them and the nodes.",
    )
    return Report("A team library on two nodes", tuple(rows), notes, this_machine())


def _searches(
    library: Path, corpus: Corpus, options: argparse.Namespace, cluster: Cluster, url: str, say: Say
) -> list[Measurement]:
    """Search the embedded and the team library, by one and by many clients, and while a node is away."""
    queries = queries_of(corpus, options.searches)
    say("Searching the embedded library …")
    with closing(SearchEngine(library)) as embedded:
        rows = [_latency(mode, 1, "embedded", _search(embedded, queries, mode)) for mode in MODES]
    say("Warming up …")
    for node in cluster.nodes:
        _warm(f"{node.url}/team", queries_of(corpus, 200), options.warm)
    for clients in CLIENTS:
        for mode in MODES:
            say(f"{clients} clients search: {mode.value} …")
            rows += many(url, clients, queries, mode, cluster)
    for what, away in (("standing still", signal.SIGSTOP), ("killed", signal.SIGKILL)):
        rows.append(loss(what, away, cluster.nodes[1], url, queries, say))
        if away is signal.SIGSTOP:
            cluster.wait(len(cluster.nodes))
            wait_for_copies(cluster)
    return rows


def _written(connection: TeamConnection) -> str:
    """Return how many sentences and passages the server has, for the notes of a report."""
    body = {"size": 0, "track_total_hits": True, "aggs": {"sentences": {"sum": {"field": "sentence_count"}}}}
    answer = connection.ask("POST", f"/{connection.index(PASSAGES)}/_search", body)
    sentences = as_int(as_object(as_object(answer.get("aggregations")).get("sentences")).get("value"))
    return f"{sentences:,} sentences in {total(answer):,} passages"


def _write(library: Path, corpus: Corpus, connection: TeamConnection, cluster: Cluster, say: Say) -> list[Measurement]:
    """Copy the library once, as for a first copy, then let the nodes make the second copy; return what that took."""
    encoded, encoding = _encoding(corpus)
    create_indexes(connection, _DIMENSIONS, shards=1, replicas=0)
    settings = f"/{connection.name}-*/_settings"
    connection.ask("PUT", settings, {"index": {"refresh_interval": "-1"}})
    with closing(CatalogReader.open(Library(library).catalog)) as catalog:
        sync = TeamSync(catalog, connection, TeamSource("bench", "everyone"))
        sync.start(Stop())
        began, own, nodes = time.monotonic(), time.process_time(), node_seconds(cluster)
        while sync.step(Stop()):
            say(f"{sync.counts.sentences:,} sentences written, {time.monotonic() - began:.0f} s")
        seconds, sentences = time.monotonic() - began, sync.counts.sentences
    writer, away = time.process_time() - own, node_seconds(cluster) - nodes
    copying, indexing = (writer + away) / sentences, encoding / encoded
    rows = [
        _rate("written to the team library", sentences, seconds),
        _rate("written, for each CPU second of the writer", sentences, writer),
        _rate("written, for each CPU second of the nodes", sentences, away),
        _rate("encoded, for each CPU second (what indexing takes most of)", encoded, encoding),
        Measurement(
            "CPU of encoding and copying, of encoding alone", OURS, "×", (1 + copying / indexing,), goal=RATE_GOAL
        ),
        *_sizes(connection, sentences, "as written"),
        _merged(connection, cluster, say),
    ]
    say("Copying to the second node …")
    began = time.monotonic()
    connection.ask("PUT", settings, {"index": {"refresh_interval": "5s", "number_of_replicas": 1}})
    connection.ask("POST", f"/{connection.name}-*/_refresh")
    wait_for_copies(cluster)
    rows.append(Measurement("second copy made", OURS, "s", (time.monotonic() - began,)))
    return rows + _sizes(connection, sentences, "merged")


def _merged(connection: TeamConnection, cluster: Cluster, say: Say) -> Measurement:
    """Merge the passages as the guide says for a first copy; return the CPU seconds that took."""
    say("Merging the segments …")
    began, merging = node_seconds(cluster), f"/{connection.index(PASSAGES)}/_forcemerge?max_num_segments=1"
    task = connection.ask("POST", f"{merging}&wait_for_completion=false")["task"]
    while not connection.ask("GET", f"/_tasks/{task}").get("completed"):
        time.sleep(1.0)
    return Measurement("segments merged, CPU of the nodes", OURS, "s", (node_seconds(cluster) - began,))


def _encoding(corpus: Corpus) -> tuple[int, float]:
    """Encode sentences of this corpus: a long one takes several times as long as a short one."""
    encoder = Encoder.load(encoder_folder(), threads=1)
    texts = list(islice(sentences_of(" ".join(random.Random(SEED).sample(corpus.passages, 60))), _ENCODED))
    encoder.encode(texts[:20])
    began = time.process_time()
    encoder.encode(texts)
    return len(texts), time.process_time() - began


def _sizes(connection: TeamConnection, sentences: int, when: str) -> list[Measurement]:
    """Return the bytes of one copy, by index, and of the passages for each sentence."""
    connection.ask("POST", f"/{connection.name}-*/_flush")
    stats = as_object(connection.ask("GET", f"/{connection.name}-*/_stats/store").get("indices"))
    rows = []
    for index, each in sorted(stats.items()):
        store = as_object(as_object(as_object(each).get("primaries")).get("store"))
        size = as_int(store.get("size_in_bytes"))
        rows.append(Measurement(f"{index}, one copy, {when}", OURS, "MB", (size / 1e6,)))
        if "-passages-" in index:
            rows.append(Measurement(f"passages, for each sentence, {when}", OURS, "bytes", (size / sentences,)))
    return rows


def _rate(what: str, sentences: int, seconds: float) -> Measurement:
    return Measurement(what, OURS, "sentences/s", (sentences / max(seconds, 1e-3),), better="more")


def queries_of(corpus: Corpus, count: int) -> list[str]:
    """Return queries of some words that follow each other in passages, without operators."""
    drawn = random.Random(SEED)
    found = []
    for passage in drawn.sample(corpus.passages, min(count, len(corpus.passages))):
        words = [word for word in passage.split() if word.isalpha() and word not in OPERATORS]
        first = drawn.randrange(max(1, len(words) - _WORDS))
        found.append(" ".join(words[first : first + _WORDS]) or "report")
    return found


def _warm(url: str, queries: Sequence[str], count: int) -> None:
    """Search until a node has compiled what searches run: the first hundred take several times as long."""
    with closing(TeamEngine(TeamConnection(url))) as engine:
        for number in range(count):
            engine.search(SearchRequest(queries[number % len(queries)], MODES[1 + number % 4 // 3]), Stop())


def _search(engine: SearchEngine, queries: Sequence[str], mode: Mode) -> list[float]:
    """Return the milliseconds of each search, after one that is not counted."""
    engine.search(SearchRequest(queries[0], mode), Stop())
    return _timed(engine, queries, mode)


def _timed(engine: SearchEngine, queries: Sequence[str], mode: Mode) -> list[float]:
    times = []
    for query in queries:
        began = time.perf_counter()
        engine.search(SearchRequest(query, mode), Stop())
        times.append((time.perf_counter() - began) * 1000)
    return times


def many(url: str, clients: int, queries: Sequence[str], mode: Mode, cluster: Cluster) -> list[Measurement]:
    """Return the latency of searches by clients that all begin at once, and what they took of the processor."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(clients)]
    for number, (_, theirs) in enumerate(pipes):
        own = [*queries[number % len(queries) :], *queries[: number % len(queries)]]
        context.Process(target=_client, args=(theirs, url, own, mode), daemon=True).start()
        theirs.close()
    try:
        for mine, _ in pipes:
            mine.recv()
        nodes = node_seconds(cluster)
        for mine, _ in pipes:
            mine.send(None)
        done = [mine.recv() for mine, _ in pipes]
    except EOFError as error:
        raise BenchError("A client has ended; its message is above.") from error
    times = [each for found, _ in done for each in found]
    spent = sum(cpu for _, cpu in done) / len(times) * 1000
    away = (node_seconds(cluster) - nodes) / len(times) * 1000
    alone = away * max(1.0, clients / (os.cpu_count() or 1))  # all wait for the same cores
    what = f"{mode.value}, clients: {clients}, CPU of a search in the"
    return [
        _latency(mode, clients, OURS, times),
        Measurement(f"{what} client", OURS, "ms", (spent,)),
        Measurement(f"{what} nodes", OURS, "ms", (away,)),
        Measurement(f"{mode.value}, clients: {clients}, a search if only the nodes ran here", OURS, "ms", (alone,)),
    ]


def _client(parent: "Connection", url: str, queries: Sequence[str], mode: Mode) -> None:
    """Search in a process of its own, as each desktop does."""
    with closing(TeamEngine(TeamConnection(url))) as engine:
        engine.search(SearchRequest(queries[0], mode), Stop())
        parent.send(None)
        parent.recv()
        began, times = time.process_time(), _timed(engine, queries, mode)
        parent.send((times, time.process_time() - began))


def node_seconds(cluster: Cluster) -> float:
    """Return the CPU seconds of all nodes so far."""
    return sum(cpu_seconds_of(psutil.Process(node.pid)) for node in cluster.nodes if node.pid)


def _latency(mode: Mode, clients: int, subject: str, times: Sequence[float]) -> Measurement:
    ordered = sorted(times)
    worst = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    goal = HYBRID_GOAL if mode is Mode.HYBRID and clients > 1 else None
    what = f"{mode.value}, clients: {clients}, p50 {ordered[len(ordered) // 2]:.0f} ms, p95"
    return Measurement(what, subject, "ms", (worst,), goal=goal)


def loss(what: str, away: signal.Signals, node: Node, url: str, queries: Sequence[str], say: Say) -> Measurement:
    """Send a node a signal, which a client asks; return the longest time between two complete answers."""
    say(f"One node of two is {what} …")
    longest, failed, number, refusal = 0.0, 0, 0, ""
    while (connection := TeamConnection(url)).node != node.url:
        pass
    with closing(TeamEngine(connection)) as engine:
        _search(engine, queries[:1], Mode.HYBRID)
        os.kill(node.pid, away)
        last = time.monotonic()
        ends = last + _AWAY_SECONDS
        while time.monotonic() < ends:
            number += 1
            try:
                found = engine.search(SearchRequest(queries[number % len(queries)], Mode.HYBRID), Stop())
            except TeamError as error:
                failed, refusal = failed + 1, str(error)
                continue
            if ServerTrouble.INCOMPLETE not in found.troubles:
                longest, last = max(longest, time.monotonic() - last), time.monotonic()
    longest = max(longest, time.monotonic() - last)
    say(f"{number} searches, {failed} failed {refusal}".rstrip())
    if away is signal.SIGSTOP:
        os.kill(node.pid, signal.SIGCONT)
    return Measurement(
        f"one node of two {what}: longest time without a full answer", OURS, "s", (longest,), goal=AWAY_GOAL
    )


def wait_for_copies(cluster: Cluster) -> None:
    """Wait until both nodes have a copy of every index."""
    while cluster.health(cluster.url).get("status") != "green":
        time.sleep(0.5)
