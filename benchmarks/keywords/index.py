"""Measures indexing time and index size at several sizes, against public keyword engines.

“Plain” is the same analysis for all: every word, in lower case, with its positions. “Full” is what the library stores:
folded words and their stems, title and headings, in our index and in stock Whoosh. Building ends when the index is
synced and merged as far as each engine does by itself.
"""

import argparse
import gc
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.keywords import xapian_peer
from benchmarks.keywords.keyword_engines import engines
from benchmarks.keywords.keyword_queries import plain_words
from benchmarks.measuring import MB, cpu_seconds, folder_bytes
from benchmarks.options import names, numbers
from benchmarks.peer_tools import absent
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.records import ChunkId, ContentId, Watermark

STOCK = "stock Whoosh"
XAPIAN = "Xapian"
# Goals: CPU time of the other engine divided by ours.
PLAIN_GOALS = {STOCK: 25.0, "SQLite FTS5": 1.0, "tantivy": 0.8, XAPIAN: 5.0}
FULL_GOALS = {STOCK: 8.0}
SIZE_GOALS = {STOCK: 2.0, "SQLite FTS5": 1 / 1.2}
GROWTH = 1.3  # time per passage at the largest size, compared with the smallest
CHANGE_MS = 60.0  # until a changed file can be found
BATCH = 500  # chunks of a commit, as the indexer makes them
CHANGES = 21  # files that are changed, one after another
FILE = 8  # chunks of one file

Say = Callable[[str], None]
Build = Callable[[Path, Sequence[str]], float]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=10_000)
    parser.add_argument("--sizes", type=numbers, default=(), metavar="N,N,…", help="measure at several sizes")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="number of builds of each index (1)")
    parser.add_argument("--engines", type=names, default=(), metavar="NAME,…", help="only these, e.g. ours,tantivy")
    parser.add_argument("--slow", type=int, default=50_000, metavar="N", help=f"most passages for {STOCK} (50,000)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Build the index of every engine at every size, then change single files in ours."""
    sizes: Sequence[int] = sorted(options.sizes or (options.passages,))
    options.passages = sizes[-1]
    corpus = corpus_of(options, say)
    random.Random(SEED).shuffle(corpus.passages)  # so that a small index has the same kinds of texts as a large one
    builders, notes = _builders(options.engines)
    full = {name: build for name, build in _FULL.items() if not options.engines or name in options.engines}
    rows: list[Measurement] = []
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        for size in sizes:
            for analysis, works, goals in (("plain", builders, PLAIN_GOALS), ("full", full, FULL_GOALS)):
                fit = {name: build for name, build in works.items() if name != STOCK or size <= options.slow}
                passages = corpus.passages[:size]
                rows += _built(fit, goals, passages, f"{analysis}, {size:,}", options.rounds, Path(scratch), say)
        if OURS in full:
            rows += _growth(rows, sizes)
            say(f"Changing {CHANGES} files among {sizes[-1]:,} passages …")
            rows += _changed(Path(scratch), corpus.passages)
    notes = [corpus.describe(), *notes]
    if sizes[-1] > options.slow:
        notes.append(f"{STOCK} is built for up to {options.slow:,} passages only.")
    return Report("Keyword index", tuple(rows), tuple(notes), this_machine())


def _builders(names: Sequence[str]) -> tuple[dict[str, Build], list[str]]:
    """Return the builder of each engine's index over plain words, and notes on missing engines."""
    found, notes = engines(Path(), names)
    builders: dict[str, Build] = {name: partial(_engine, name) for name in found}
    wanted = {"bm25s": (_bm25s, absent("bm25s", "bm25s")), XAPIAN: (_xapian, _xapian_absent())}
    for name, (build, missing) in wanted.items():
        if not names or name in names:
            builders |= {} if missing else {name: build}
            notes += [missing] if missing else []
    return builders, notes


def _built(
    works: Mapping[str, Build],
    goals: Mapping[str, float],
    passages: Sequence[str],
    what: str,
    rounds: int,
    scratch: Path,
    say: Say,
) -> list[Measurement]:
    seconds: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, float] = {}
    folder = scratch / "index"
    for number in range(rounds + 1):
        for name, build in works.items():
            folder.mkdir()
            if number == 0:  # warm up imports and caches
                build(folder, passages[:FILE])
            else:
                say(f"Building {name} ({what} passages) …")
                gc.collect()
                seconds[name].append(build(folder, passages))
                sizes[name] = folder_bytes(folder) / MB
            shutil.rmtree(folder)
    times = [Measurement(f"{what}: time", n, "s", tuple(v), goal=goals.get(n)) for n, v in seconds.items()]
    return times + [Measurement(f"{what}: size", n, "MB", (v,), goal=SIZE_GOALS.get(n)) for n, v in sizes.items()]


def _growth(rows: Sequence[Measurement], sizes: Sequence[int]) -> Iterator[Measurement]:
    """Compare the cost of a passage in our largest and our smallest index."""
    for analysis in ("plain", "full") if len(sizes) > 1 else ():
        costs = [
            next(row.median for row in rows if (row.what, row.subject) == (f"{analysis}, {size:,}: time", OURS)) / size
            for size in (sizes[0], sizes[-1])
        ]
        what = f"{analysis}, a passage at {sizes[-1]:,} against {sizes[0]:,}"
        yield Measurement(what, OURS, "×", (costs[1] / costs[0],), goal=GROWTH)


def _changed(scratch: Path, passages: Sequence[str]) -> Iterator[Measurement]:
    """Measure the commits of single changed files in a large index."""
    writer = ColumnarKeywordWriter.open(scratch / "changing", "bench")
    _fill(writer, passages)
    while writer.settle():
        pass
    work, clock = [], []
    highest = len(passages)
    for number in range(1, CHANGES + 1):
        gone = range(number * FILE, (number + 1) * FILE)
        added = [_document(highest + place, passages[old]) for place, old in enumerate(gone, start=1)]
        began = time.process_time(), time.perf_counter()
        writer.apply(added, map(ChunkId, gone), Watermark(highest + number, "bench"))
        work.append((time.process_time() - began[0]) * 1000)
        clock.append((time.perf_counter() - began[1]) * 1000)
        highest += FILE
        writer.tend()
    what = f"one file changed among {len(passages):,}"
    yield Measurement(what, OURS, "ms", tuple(work), goal=CHANGE_MS)
    yield Measurement(f"{what}, clock", OURS, "ms", tuple(clock))


def _engine(name: str, folder: Path, passages: Sequence[str]) -> float:
    (engine,) = engines(folder, (name,))[0].values()
    return _spent(lambda: engine.build(passages))


def _bm25s(folder: Path, passages: Sequence[str]) -> float:
    import bm25s

    def build() -> None:
        index = bm25s.BM25()
        index.index([plain_words(passage) for passage in passages], show_progress=False)
        index.save(str(folder / "bm25s"))

    return _spent(build)


def _xapian(folder: Path, passages: Sequence[str]) -> float:
    lines = "".join(json.dumps(passage) + "\n" for passage in passages)
    environment = os.environ | {"XAPIAN_FLUSH_THRESHOLD": "100000"}  # documents; slower with the default of 10,000
    command = [_xapian_python(), xapian_peer.__file__, str(folder / "xapian")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def _xapian_python() -> str:
    """Return a Python with Xapian's bindings, that is Debian's: there is no wheel."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import xapian"], capture_output=True, check=False)
        if found.returncode == 0:
            return python
    return ""


def _xapian_absent() -> str:
    return "" if _xapian_python() else f"{XAPIAN} is left out: its bindings are not installed (Debian python3-xapian)."


def _full(folder: Path, passages: Sequence[str]) -> float:
    return _spent(lambda: _fill(ColumnarKeywordWriter.open(folder / "full", "bench"), passages))


def _fill(writer: ColumnarKeywordWriter, passages: Sequence[str]) -> None:
    for first in range(0, len(passages), BATCH):
        some = passages[first : first + BATCH]
        documents = [_document(first + place, passage) for place, passage in enumerate(some, start=1)]
        writer.apply(documents, (), Watermark(first + len(some), "bench"))
        writer.tend()


def _stock(folder: Path, passages: Sequence[str]) -> float:
    from benchmarks.keywords.stock_index import build

    documents = (_document(number, passage) for number, passage in enumerate(passages, start=1))
    return _spent(lambda: build(folder / "stock", documents, Watermark(len(passages), "bench")))


def _document(number: int, passage: str) -> KeywordDocument:
    """Return a passage as a chunk with its first words as title and headings."""
    words = passage.split(maxsplit=12)
    title, headings = " ".join(words[:4]), " ".join(words[4:12])
    return KeywordDocument(ChunkId(number), ContentId(number // FILE + 1), title, headings, passage)


def _spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds of `work`, with an empty stem cache."""
    from desktop_rag.index.keywords.analysis import _stems, stem

    stem.cache_clear()
    _stems.clear()
    before = cpu_seconds()
    work()
    return cpu_seconds() - before


_FULL: Mapping[str, Build] = {OURS: _full, STOCK: _stock}
