"""The server for other programs under load: many requests at once for a while, their errors, times and memory.

The real `desktop-rag mcp` on a library of passages, driven by the protocol's own client over standard input and output.
Each of the clients' tasks searches, opens what it found, finds words in it, lists documents and has a sentence checked,
with wrong calls between. Latencies are those of a client that waits for all the others too.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import write_file
from benchmarks.libraries.many_files import queries_of
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import cpu_seconds_of, family, own_memory
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.running_library import all_searchable, settled
from desktop_rag.processes.child import own_command, plain_environment

if TYPE_CHECKING:
    from mcp import Client

WARM = 0.25  # of the time, before memory counts
MOST_GROWTH = 30.0  # MB from then on


@dataclass(slots=True)
class _Seen:
    """What the clients saw: milliseconds by tool, and what went wrong."""

    times: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=2_000)
    parser.add_argument("--clients", type=int, default=100, help="requests at once (100)")
    parser.add_argument("--seconds", type=int, default=60, help="how long (60)")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Index the passages and load the server."""
    import anyio

    corpus = corpus_of(options, say)
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as place:
        documents, folder = Path(place) / "documents", Path(place) / "library"
        for number, passage in enumerate(islice(corpus.passages, options.passages)):
            write_file(documents, number, [passage])
        with MeasuredLibrary(folder) as measured:
            say(f"Indexing {options.passages:,} files …")
            measured.add(documents)
            measured.wait_until(all_searchable)
            say("Creating vectors …")
            fill(measured, list(islice(corpus.sentences(), REAL)), SEED, lambda _: None)
            measured.wait_until(settled)
            words = queries_of(corpus.passages)["words"]
            say(f"{options.clients} requests at once for {options.seconds} seconds …")
            seen = _Seen()
            rows = anyio.run(_loaded, folder, words, options.clients, float(options.seconds), seen)
    notes = (corpus.describe(), *sorted(set(seen.wrong))[:5])
    return Report("The server for other programs", tuple(rows), notes, this_machine())


async def _loaded(folder: Path, words: list[str], clients: int, seconds: float, seen: _Seen) -> list[Measurement]:
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    command, *arguments = own_command("mcp", "--library", str(folder))
    server = StdioServerParameters(command=command, args=arguments, env=plain_environment())
    before = set(psutil.Process().children())
    began = time.perf_counter()
    async with Client(stdio_client(server)) as client:
        ready = (time.perf_counter() - began) * 1e3
        (process,) = [child for child in psutil.Process().children() if child not in before]
        started = cpu_seconds_of(process) * 1e3
        end = time.perf_counter() + seconds
        memory = [0.0]

        async def watch() -> None:
            await anyio.sleep(seconds * WARM)
            memory[0] = own_memory(family(process))

        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            for number in range(clients):
                group.start_soon(_work, client, random.Random(SEED + number), words, end, seen)
        memory.append(own_memory(family(process)))
        served = sum(map(len, seen.times.values()))
        spent = sum(cpu_seconds_of(each) for each in family(process)) * 1e3 - started
    return [
        Measurement("answer to `initialize`, clock", OURS, "ms", (ready,)),
        Measurement("answer to `initialize`, CPU", OURS, "ms", (started,)),
        *_times(seen, clients),
        Measurement("requests answered", OURS, "", (float(served),), "more"),
        Measurement("errors", OURS, "", (float(len(seen.wrong)),), goal=0.0),
        Measurement("a request, CPU of all processes", OURS, "ms", (spent / max(served, 1),)),
        Measurement("server and searcher, memory", OURS, "MB", (memory[1],)),
        Measurement(f"their growth in the last {1 - WARM:.0%}", OURS, "MB", (memory[1] - memory[0],), goal=MOST_GROWTH),
    ]


def _times(seen: _Seen, clients: int) -> Iterator[Measurement]:
    for tool, times in sorted(seen.times.items()):
        row = Measurement(f"{tool}, {clients} at once, clock", OURS, "ms", tuple(times))
        yield row
        yield Measurement(f"{tool}, {clients} at once, clock p95", OURS, "ms", (row.at(95),))


async def _work(client: "Client", chance: random.Random, words: list[str], end: float, seen: _Seen) -> None:
    """Use one tool after the other until the time is over."""

    async def call(tool: str, arguments: dict[str, object], *, fails: bool = False) -> dict[str, object]:
        began = time.perf_counter()
        result = await client.call_tool(tool, arguments)
        seen.times.setdefault(tool, []).append((time.perf_counter() - began) * 1e3)
        if result.is_error != fails:
            seen.wrong.append(f"{tool}: {result.content}")
        return dict(result.structured_content or {})

    while time.perf_counter() < end:
        found = (await call("search", {"queries": [chance.choice(words)], "limit": 5})).get("results")
        if isinstance(found, list) and found:
            best = found[0]
            await call("open", {"reference": best["reference"], "lines": 20})
            await call("find", {"reference": best["reference"], "patterns": [chance.choice(words).split()[0]]})
            await call("verify_citations", {"text": f"{best['quote'][:200]} [{best['reference']}]"})
        await call("list_documents", {"page": chance.randint(1, 9)})
        await call("open", {"reference": "turn99search99"}, fails=True)
