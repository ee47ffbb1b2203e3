"""Measures the latency of a search, with snippets, through the real searcher in a library of realistic size.

Times are wall-clock, with the CPU time of the searcher beside them. The queries are consecutive words of the texts;
for keyword search also queries of every kind.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import psutil

from benchmarks.corpus import SEED, Corpus
from benchmarks.keywords.keyword_queries import drawn
from benchmarks.keywords.load import as_typed
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import cpu_seconds_of
from benchmarks.report import OURS, Measurement
from desktop_rag.evaluation.indexing import all_searchable, settled
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

GOALS = {
    Mode.KEYWORD: 50.0,
    Mode.SEMANTIC: 80.0,
    Mode.HYBRID: 120.0,
    Mode.RERANKED: 1500.0,
}  # milliseconds, of 95 % of the queries
TYPING_GOAL = 100.0
PAGE, OF_A_FILE = 60, 12  # hits of the window's search page, and hits per file
_FEWEST, _MOST = 3, 10  # words of a query
_TYPED = 6  # queries that are typed letter by letter
_FILES_OF = 36  # passages in a file, on average
_REST_SECONDS = 1.0  # for the searcher's idle-time work
_PLAIN = {ord(sign): " " for sign in '()"~^*:[]{}+-=!?/\\&|<>'}  # no operators of the query language
Say = Callable[[str], None]


def library_of(folder: Path, corpus: Corpus, say: Say) -> Path:
    """Return a library of all passages with vectors; an existing one is only synced."""
    documents, library = folder / "documents", folder / "library"
    made = documents.exists()
    if not made:
        write_folder(documents, corpus.passages, max(20, len(corpus.passages) // _FILES_OF))
    with MeasuredLibrary(library) as measured:
        if not made:
            say(f"Indexing {len(corpus.passages):,} passages …")
            measured.add(documents)
            measured.wait_until(all_searchable)
            fill(measured, list(islice(corpus.sentences(), REAL)), SEED, say)
        measured.wait_until(settled)
    return library


def latencies(library: Path, passages: Sequence[str], count: int, say: Say) -> list[Measurement]:
    """Run `count` queries in every mode and type some letter by letter, in a new searcher."""
    plain = list(islice(_plain(passages), count))
    every_kind = list(map(as_typed, drawn(passages, max(1, count // 6))))
    rows: list[Measurement] = []
    with closing(SearcherClient(library)) as client:
        before = set(psutil.Process().children())
        client.search(SearchRequest(plain[0]), Stop())
        (searcher,) = [child for child in psutil.Process().children() if child not in before]
        time.sleep(_REST_SECONDS)
        for mode in Mode:
            say(f"{mode}: {len(plain)} queries …")
            goal = GOALS.get(mode)
            rows += _measured(client, searcher, mode.value, [SearchRequest(query, mode) for query in plain], goal)
        kinds = [SearchRequest(query, Mode.KEYWORD) for query in every_kind]
        rows += _measured(client, searcher, "keyword, every kind of query", kinds, GOALS[Mode.KEYWORD])
        say("Typing …")
        for mode in (Mode.KEYWORD, Mode.HYBRID):
            typed = [
                _as_typed_so_far(query[:end], mode) for query in plain[:_TYPED] for end in range(2, len(query) + 1)
            ]
            rows += _measured(client, searcher, f"{mode}, at each letter typed", typed, TYPING_GOAL)
    return rows


def _measured(
    client: SearcherClient, searcher: psutil.Process, what: str, requests: Sequence[SearchRequest], goal: float | None
) -> Iterator[Measurement]:
    """Yield the wall-clock and CPU milliseconds of the requests, and their 95th percentile."""
    taken, spent = [], []
    for request in requests:
        before = cpu_seconds_of(searcher)
        began = time.perf_counter()
        client.search(request, Stop())
        taken.append((time.perf_counter() - began) * 1000)
        spent.append((cpu_seconds_of(searcher) - before) * 1000)
    clock = Measurement(f"{what}, clock", OURS, "ms", tuple(taken))
    yield clock
    yield Measurement(f"{what}, 95th percentile", OURS, "ms", (clock.at(95),), goal=goal)
    processor = Measurement(f"{what}, CPU of the searcher", OURS, "ms", tuple(spent))
    yield processor
    yield Measurement(f"{what}, CPU of the searcher, 95th percentile", OURS, "ms", (processor.at(95),))


def _as_typed_so_far(text: str, mode: Mode) -> SearchRequest:
    return SearchRequest(text, mode, PAGE, per_file=OF_A_FILE, unfinished=True)


def _plain(passages: Sequence[str]) -> Iterator[str]:
    """Yield consecutive words of random passages, without operators of the query language."""
    chance = random.Random(SEED)
    while True:
        words = chance.choice(passages).translate(_PLAIN).split()
        count = chance.randint(_FEWEST, _MOST)
        first = chance.randrange(max(1, len(words) - count))
        query = " ".join(word.lower() for word in words[first : first + count])  # AND, OR and NOT are words here
        if len(query) > _FEWEST:
            yield query
