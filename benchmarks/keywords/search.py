"""Measures query times: every kind of keyword query, at several sizes, against public engines over the same words.

Times are CPU milliseconds of one query with its ten best passages. For each kind the engines alternate, running all
its queries, so that a busy moment of the machine hits all of them, and each finds its caches warm.
"""

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.corpus import add_corpus_arguments, corpus_of
from benchmarks.keywords.keyword_engines import Engine, engines
from benchmarks.keywords.keyword_queries import Kind, SampleQuery, drawn
from benchmarks.keywords.load import as_typed, stored_queries, under_load
from benchmarks.keywords.search_latency import latencies, library_of
from benchmarks.options import SIZES, names, numbers
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library

TOP = 10
LEAST_RATIO = {Kind.OR5: 1 / 2.5, Kind.PREFIX: 1 / 2.5, Kind.PHRASE: 1 / 2}  # against tantivy; all other kinds 1 / 1.5
SLOWEST_MS = 5.0  # of 95 % of the queries of a kind
FIRST_MS = 30.0  # opening plus the first query
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=10_000)
    parser.add_argument("--sizes", type=numbers, default=(), metavar="N,N,…", help="measure at several sizes")
    parser.add_argument("--queries", type=int, default=40, metavar="N", help="number of queries of each kind (40)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="runs of each query (3)")
    parser.add_argument("--engines", type=names, default=(), metavar="NAME,…", help="only these, e.g. ours,tantivy")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the indexes there, and reuse existing ones")
    parser.add_argument(
        "--concurrency", type=numbers, default=(), metavar="N,N", help="concurrent clients of --library"
    )
    parser.add_argument("--library", type=Path, metavar="DIR", help="query this library, in keyword and hybrid mode")
    parser.add_argument("--size", choices=SIZES, help="measure the latency of a search in a library of this size")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="use the queries of this file, one per line")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure queries of every kind at every size, or a library with concurrent clients."""
    if bool(options.concurrency) != bool(options.library):
        raise BenchError("--concurrency and --library belong together.")
    if options.size:
        options.passages = SIZES[options.size]
        return _latency(options, say)
    sizes: Sequence[int] = options.sizes or (options.passages,)
    options.passages = max(sizes)
    if options.library and options.replay:
        queries = stored_queries(options.replay)
        rows = under_load(options.library, queries, options.concurrency, say)
        return Report("Concurrent clients", tuple(rows), (f"{len(queries)} stored queries.",), this_machine())
    corpus = corpus_of(options, say)
    drawn_queries = drawn(corpus.passages[: min(sizes)], options.queries)
    notes = [corpus.describe(), f"{options.queries} queries of each kind."]
    if options.library:
        rows = under_load(options.library, list(map(as_typed, drawn_queries)), options.concurrency, say)
        return Report("Concurrent clients", tuple(rows), tuple(notes), this_machine())
    notes.append(f"Each value is the median of {options.rounds} runs of a query.")
    return _compared(options, sizes, corpus.passages, drawn_queries, notes, say)


def _latency(options: argparse.Namespace, say: Say) -> Report:
    """Create a library of realistic size and query its searcher."""
    corpus = corpus_of(options, say)
    notes = (corpus.describe(), "Most vectors are real ones plus noise.", f"{options.queries} queries in each mode.")
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = library_of(options.keep or Path(scratch), corpus, say)
        rows = latencies(library, corpus.passages[: corpus.real], options.queries, say)
        wait_for_end(Library(library))
    return Report("Search latency", tuple(rows), notes, this_machine())


def _compared(
    options: argparse.Namespace,
    sizes: Sequence[int],
    passages: Sequence[str],
    queries: Sequence[SampleQuery],
    notes: list[str],
    say: Say,
) -> Report:
    rows: list[Measurement] = []
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        for size in sizes:
            folder = Path(options.keep or scratch, str(size))
            found, missing = engines(folder, options.engines)
            notes += [note for note in missing if note not in notes]
            _built(found, folder, passages[:size], say)
            say(f"Running {len(queries)} queries over {size:,} passages …")
            rows += _first(found, queries, size)
            rows += _rows(found, queries, options.rounds, size)
            for engine in found.values():
                engine.close()
    return Report("Keyword queries", tuple(rows), tuple(notes), this_machine())


def _built(found: Mapping[str, Engine], folder: Path, passages: Sequence[str], say: Say) -> None:
    for name, engine in found.items():
        done = folder / f"{name}.built"
        if not done.exists():
            say(f"Building {name} over {len(passages):,} passages …")
            folder.mkdir(parents=True, exist_ok=True)
            engine.build(passages)
            done.touch()


def _first(found: Mapping[str, Engine], queries: Sequence[SampleQuery], size: int) -> list[Measurement]:
    """Measure opening an index together with the first query, one of each kind."""
    rows = []
    firsts = {query.kind: query for query in reversed(queries)}.values()
    for name, engine in found.items():
        for query in firsts:  # warm up: imports do not count
            engine.open()
            _ask(engine, query)
        times: list[float] = []
        for query in firsts:
            began = time.process_time()
            engine.open()
            if _ask(engine, query):
                times.append((time.process_time() - began) * 1000)
        goal = FIRST_MS if name == OURS else None
        rows.append(Measurement(f"opening plus a first query, {size:,}", name, "ms", tuple(times), goal=goal))
    return rows


def _rows(found: Mapping[str, Engine], queries: Sequence[SampleQuery], rounds: int, size: int) -> list[Measurement]:
    rows = []
    for kind in Kind:
        asked = [query for query in queries if query.kind is kind]
        times = _times(found, asked, rounds)
        for name, values in times.items():
            goal = LEAST_RATIO.get(kind, 1 / 1.5) if name == "tantivy" else None
            rows.append(Measurement(f"{kind}, {size:,}", name, "ms", values, goal=goal))
            if name == OURS:
                slowest = (rows[-1].at(95),)
                rows.append(Measurement(f"{kind}, {size:,}, 95th percentile", OURS, "ms", slowest, goal=SLOWEST_MS))
    return sorted(rows, key=lambda row: row.what)


def _times(found: Mapping[str, Engine], queries: Sequence[SampleQuery], rounds: int) -> dict[str, tuple[float, ...]]:
    """Return the median milliseconds of each query, by engine; engines without such queries are missing."""
    taken: dict[str, list[list[float]]] = defaultdict(list)
    for _ in range(rounds):
        for name, engine in found.items():
            times = []
            for query in queries:
                began = time.process_time()
                if _ask(engine, query):
                    times.append((time.process_time() - began) * 1000)
            if times:
                taken[name].append(times)
    return {name: tuple(map(median, zip(*times, strict=True))) for name, times in taken.items()}


def _ask(engine: Engine, query: SampleQuery) -> bool:
    """Ask; return False if this engine has no such queries."""
    try:
        engine.best(query, TOP)
    except NotImplementedError:
        return False
    return True
