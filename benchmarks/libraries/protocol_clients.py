"""The servers for other programs under load: many requests at once for a while, their errors, times and memory.

The real `desktop-rag mcp` on a library of passages, driven by the protocol's own client: by many tasks of one client
over standard input and output, then by as many clients over HTTP. Each searches, opens what it found, finds words in
it, lists documents and has a sentence checked, with wrong calls between. Then `desktop-rag serve` is asked for whole
answers of the built-in model. Latencies are those of a client that waits for all the others too, once a searcher runs.
"""

import argparse
import http.client
import json
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

import psutil

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import write_file
from benchmarks.libraries.many_files import queries_of
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import cpu_seconds_of, family, own_memory
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.indexing import all_searchable, settled
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.processes.child import own_command, plain_environment

if TYPE_CHECKING:
    from mcp import Client

FACES = ("stdio", "http", "serve")
WARM = 0.25  # of the time, before memory counts
MOST_GROWTH = 30.0  # MB from then on
SEARCHES = 60  # a second, which two cores answer: as many clients as wait for each other take that share of a second
KEY = "the key of a benchmark"


@dataclass(frozen=True, slots=True)
class _Load:
    """What the clients do: how many there are, for how many seconds, and the words they search for."""

    folder: Path
    words: list[str]
    clients: int
    seconds: float


@dataclass(slots=True)
class _Seen:
    """What the clients saw: milliseconds by tool, how many of them were of the first quarter, and what went wrong."""

    times: dict[str, list[float]] = field(default_factory=dict)
    begun: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=2_000)
    parser.add_argument("--clients", type=int, default=100, help="requests at once (100)")
    parser.add_argument("--seconds", type=int, default=60, help="how long (60)")
    parser.add_argument("--faces", nargs="+", choices=FACES, default=FACES, help="which servers (all)")


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
            load, rows, wrong = (
                _Load(folder, words, options.clients, float(options.seconds)),
                list[Measurement](),
                set(),
            )
            for face in options.faces:
                say(f"{face}: {options.clients} requests at once for {options.seconds} seconds …")
                seen = _Seen()
                rows += anyio.run(_FACES[face], load, seen)
                wrong |= {f"{face}: {each}" for each in seen.wrong}
    notes = (corpus.describe(), *sorted(wrong)[:5])
    return Report("The servers for other programs", tuple(rows), notes, this_machine())


async def _over_stdio(load: _Load, seen: _Seen) -> list[Measurement]:
    from mcp import Client, StdioServerParameters, stdio_client

    command, *arguments = own_command("mcp", "--library", str(load.folder))
    server = StdioServerParameters(command=command, args=arguments, env=plain_environment())
    before = set(psutil.Process().children())
    began = time.perf_counter()
    async with Client(stdio_client(server)) as client:
        ready = (time.perf_counter() - began) * 1e3
        (process,) = [child for child in psutil.Process().children() if child not in before]
        started = cpu_seconds_of(process) * 1e3

        @asynccontextmanager
        async def connected() -> AsyncIterator[Client]:
            yield client

        rows = await _loaded("stdio", process, load, seen, connected)
    return [
        Measurement("stdio: answer to `initialize`, clock", OURS, "ms", (ready,)),
        Measurement("stdio: answer to `initialize`, CPU", OURS, "ms", (started,)),
        *rows,
    ]


async def _over_http(load: _Load, seen: _Seen) -> list[Measurement]:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    with _serving("mcp", "--http", key="DESKTOP_RAG_MCP_KEY", folder=load.folder) as (process, address):

        @asynccontextmanager
        async def connected() -> AsyncIterator[Client]:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=120) as sender,
                Client(streamable_http_client(address, http_client=sender)) as client,
            ):
                yield client

        return await _loaded("http", process, load, seen, connected)


async def _over_serve(load: _Load, seen: _Seen) -> list[Measurement]:
    """Ask for whole answers, one after the other in each of as many threads as clients."""
    import anyio
    import anyio.to_thread

    arguments = ("serve", "--profile", "built-in")
    with _serving(*arguments, key="DESKTOP_RAG_SERVE_KEY", folder=load.folder) as (process, address):
        place = urlsplit(address)

        async def work(number: int, end: float) -> None:
            chance = random.Random(SEED + number)
            while True:
                question = f"What is {chance.choice(load.words)}?"
                await anyio.to_thread.run_sync(_ask, place, question, seen, limiter=threads)
                if time.perf_counter() > end:
                    return

        threads = anyio.CapacityLimiter(load.clients)
        return await _measured("serve", process, load, seen, work)


def _ask(place: SplitResult, question: str, seen: _Seen) -> None:
    body = json.dumps({"model": "desktop-rag", "messages": [{"role": "user", "content": question}]})
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    began = time.perf_counter()
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=300)) as connection:
        connection.request("POST", f"{place.path}/chat/completions", body, headers)
        reply = connection.getresponse()
        text = reply.read()
    seen.times.setdefault("an answer", []).append((time.perf_counter() - began) * 1e3)
    if reply.status != 200:
        seen.wrong.append(f"{reply.status}: {text[:200]!r}")


_FACES = {"stdio": _over_stdio, "http": _over_http, "serve": _over_serve}


@contextmanager
def _serving(*arguments: str, key: str, folder: Path) -> Generator[tuple[psutil.Process, str]]:
    """A running server on loopback and its address."""
    command = own_command(*arguments, "--json", "--library", str(folder))
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**plain_environment(), key: KEY}) as server:
        assert server.stdout is not None
        try:
            yield psutil.Process(server.pid), json.loads(server.stdout.readline())["address"]
        finally:
            server.send_signal(signal.SIGINT)


async def _loaded(
    name: str,
    process: psutil.Process,
    load: _Load,
    seen: _Seen,
    connected: Callable[[], "AbstractAsyncContextManager[Client]"],
) -> list[Measurement]:
    """Use the tools by all clients for the time, then return what was measured, without the start of the searcher."""
    async with connected() as client:
        began = time.perf_counter()
        await client.call_tool("search", {"queries": [load.words[0]]})
        first = Measurement(f"{name}: first search, clock", OURS, "ms", ((time.perf_counter() - began) * 1e3,))

    async def work(number: int, end: float) -> None:
        async with connected() as client:
            await _work(client, random.Random(SEED + number), load.words, end, seen)

    return [first, *await _measured(name, process, load, seen, work)]


async def _measured(
    name: str,
    process: psutil.Process,
    load: _Load,
    seen: _Seen,
    work: Callable[[int, float], Coroutine[None, None, None]],
) -> list[Measurement]:
    import anyio

    started = sum(cpu_seconds_of(each) for each in family(process)) * 1e3
    end = time.perf_counter() + load.seconds
    memory = [0.0]

    async def watch() -> None:
        await anyio.sleep(load.seconds * WARM)
        memory[0] = own_memory(family(process))
        seen.begun = {tool: len(times) for tool, times in seen.times.items()}

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        for number in range(load.clients):
            group.start_soon(work, number, end)
    memory.append(own_memory(family(process)))
    served = sum(map(len, seen.times.values()))
    spent = sum(cpu_seconds_of(each) for each in family(process)) * 1e3 - started
    measured = [
        *_times(seen, load.clients),
        Measurement("requests answered", OURS, "", (float(served),), "more"),
        Measurement("errors", OURS, "", (float(len(seen.wrong)),), goal=0.0),
        Measurement("a request, CPU of all processes", OURS, "ms", (spent / max(served, 1),)),
        Measurement("server and searchers, memory", OURS, "MB", (memory[1],)),
        Measurement(f"their growth in the last {1 - WARM:.0%}", OURS, "MB", (memory[1] - memory[0],), goal=MOST_GROWTH),
    ]
    return [replace(each, what=f"{name}: {each.what}") for each in measured]


def _times(seen: _Seen, clients: int) -> Iterator[Measurement]:
    for tool, times in sorted(seen.times.items()):
        row = Measurement(f"{tool}, {clients} at once, clock", OURS, "ms", tuple(times))
        yield row
        goal = None if tool == "an answer" else clients / SEARCHES * 1e3
        yield Measurement(f"{tool}, {clients} at once, clock p95", OURS, "ms", (row.at(95),), goal=goal)
        later = tuple(times[seen.begun.get(tool, 0) :])
        if later:  # all clients begin at the same moment with the same tool, and wait for all others
            after = replace(row, what=f"{tool}, after the first {WARM:.0%}, clock p95", values=later).at(95)
            yield Measurement(f"{tool}, after the first {WARM:.0%}, clock p95", OURS, "ms", (after,), goal=goal)


async def _work(client: "Client", chance: random.Random, words: list[str], end: float, seen: _Seen) -> None:
    """Use one tool after the other, each at least once, until the time is over."""

    async def call(tool: str, arguments: dict[str, object], *, fails: bool = False) -> dict[str, object]:
        began = time.perf_counter()
        result = await client.call_tool(tool, arguments)
        seen.times.setdefault(tool, []).append((time.perf_counter() - began) * 1e3)
        if result.is_error != fails:
            seen.wrong.append(f"{tool}: {result.content}")
        return dict(result.structured_content or {})

    while True:
        found = (await call("search", {"queries": [chance.choice(words)], "limit": 5})).get("results")
        if isinstance(found, list) and found:
            best = found[0]
            await call("open", {"reference": best["reference"], "lines": 20})
            await call("find", {"reference": best["reference"], "patterns": [chance.choice(words).split()[0]]})
            await call("verify_citations", {"text": f"{best['quote'][:200]} [{best['reference']}]"})
        await call("list_documents", {"page": chance.randint(1, 9)})
        await call("open", {"reference": "turn99search99"}, fails=True)
        if time.perf_counter() > end:
            return
