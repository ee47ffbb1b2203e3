"""Measures the throughput of one library's searcher with concurrent clients, in keyword and hybrid mode.

Times are wall-clock, because waiting is measured: all clients share the searchers, as the windows and agents of a
library do. Where other programs hold the cores, the searchers' processor time for a query says what two cores could
answer.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psutil

from benchmarks.keywords.keyword_queries import Kind, SampleQuery
from benchmarks.measuring import cpu_seconds_of
from benchmarks.report import OURS, Measurement
from desktop_rag.errors import BenchError, QueryError
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

_CORES, _RATE = 2, 60.0  # so many questions a second are wanted of so many cores
_SUBJECTS = {OURS: Mode.KEYWORD, "ours, hybrid": Mode.HYBRID}


def stored_queries(file: Path) -> list[str]:
    """Return the queries of a file, one per line."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"The queries in {file} cannot be read: {error}") from error
    queries = [line.strip() for line in lines if line.strip()]
    if not queries:
        raise BenchError(f"There are no queries in {file}.")
    return queries


def as_typed(query: SampleQuery) -> str:
    """Return a query in the syntax of the search field."""
    words = query.words
    match query.kind:
        case Kind.AND:
            return " AND ".join(words)
        case Kind.NOT:
            return " NOT ".join(words)
        case Kind.OR5:
            return " OR ".join(words)
        case Kind.PHRASE:
            return f'"{" ".join(words)}"'
        case Kind.PREFIX:
            return f"{words[0]}*"
        case Kind.FUZZY:
            return f"{words[0]}~1"
        case _:
            return words[0]


def under_load(
    library: Path, queries: Sequence[str], clients: Sequence[int], say: Callable[[str], None]
) -> list[Measurement]:
    """Run `queries` with each number of concurrent `clients`, in both modes."""
    rows: list[Measurement] = []
    with closing(SearcherClient(library)) as client:
        for mode in _SUBJECTS.values():  # warm up: loading the encoder is not measured
            _seconds(client, queries[0], mode)
        for count in clients:
            for subject, mode in _SUBJECTS.items():
                say(f"{count} clients, {mode} …")
                began, before = time.perf_counter(), _searchers_seconds()
                with ThreadPoolExecutor(count) as pool:
                    taken = list(pool.map(lambda query, mode=mode: _seconds(client, query, mode), queries))
                rate = len(queries) / (time.perf_counter() - began)
                spent = (_searchers_seconds() - before) / len(queries) * 1000
                latency = Measurement(f"one query, {count} at once", subject, "ms", tuple(s * 1000 for s in taken))
                mean = sum(latency.values) / len(taken)
                rows += (
                    Measurement(f"queries per second, {count} at once", subject, "1/s", (rate,), better="more"),
                    latency,
                    Measurement(
                        f"CPU of the searchers for a query, {count} at once",
                        subject,
                        "ms",
                        (spent,),
                        goal=1000 * _CORES / _RATE if subject == OURS else None,
                    ),
                    Measurement(f"mean, {count} at once", subject, "ms", (mean,)),
                    Measurement(f"95th percentile, {count} at once", subject, "ms", (latency.at(95),)),
                )
    return sorted(rows, key=lambda row: row.what)


def _searchers_seconds() -> float:
    return sum(map(cpu_seconds_of, psutil.Process().children()))


def _seconds(client: SearcherClient, query: str, mode: Mode) -> float:
    began = time.perf_counter()
    with suppress(QueryError):  # a stored query may be invalid
        client.search(SearchRequest(query, mode), Stop())
    return time.perf_counter() - began
