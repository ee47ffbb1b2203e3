"""The library's goals measured on the real processes: latency, work and memory.

Two libraries are created. One of 10,000 small files is rescanned, edited and renamed; one of `--passages` passages (or
`--size S`, a person's gigabyte) is measured for memory, the window's start and the catalog's size. Encoding so many
sentences would take an hour: beyond 1,000 passages most vectors are real ones plus noise, written back to the indexer
as a searcher does with vectors it encoded on demand.
"""

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec
import psutil

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.measured_library import MeasuredLibrary, PeakMemory
from benchmarks.libraries.window import environment, probe_command
from benchmarks.measuring import MB, folder_bytes, own_memory
from benchmarks.options import SIZES
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.indexing import all_searchable, settled, wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

SMALL_FILES, RENAMED_FILES = 10_000, 5_000
BIG_FILES = 5_000
ENCODED = 1_000  # up to this many passages all sentences are really encoded; beyond, most vectors are synthetic
ROUNDS = 5
REST_SECONDS = 5.0  # for a window to finish its work after the start
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=4_000)
    parser.add_argument("--size", choices=SIZES, help="S: 250 MB of text, L: 1 GB, instead of --passages")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure the library against its goals."""
    if options.size:
        options.passages = SIZES[options.size]
    corpus = corpus_of(options, say)
    notes = [corpus.describe()]
    if len(corpus.passages) > ENCODED:
        notes.append("Beyond the first sentences, vectors are real ones plus noise.")
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        found = [*_small(Path(scratch, "small"), corpus, say), *_big(Path(scratch, "big"), corpus, say)]
    return Report("The library", tuple(found), tuple(notes), this_machine())


def _ours(what: str, unit: str, values: tuple[float, ...], goal: float | None = None) -> Measurement:
    return Measurement(what, OURS, unit, values, goal=goal)


# Many small files


def _small(scratch: Path, corpus: Corpus, say: Say) -> Iterator[Measurement]:
    """Rescan, edit, delete and rename among 10,000 files of one sentence."""
    documents = scratch / "documents"
    write_small_files(documents, SMALL_FILES)
    with MeasuredLibrary(scratch / "library") as measured:
        say(f"Adding {SMALL_FILES:,} small files …")
        yield _first(measured, documents, SMALL_FILES)
        measured.wait_until(lambda status: all_searchable(status) and settled(status))
        say("Rescanning …")
        yield _ours(f"rescan of {SMALL_FILES:,} unchanged files, CPU", "s", _rescans(measured), 0.7)
        say("Editing and deleting …")
        edits, deletions = _edits(measured, documents)
        yield _ours("edit until searchable, clock", "s", edits, 3.0)
        yield _ours("delete until gone, clock", "s", deletions, 1.0)
        say(f"Renaming a folder of {RENAMED_FILES:,} files …")
        yield from _renaming(measured, documents)


def write_small_files(folder: Path, count: int) -> None:
    """Write `count` files of one sentence, half of them in `moving`, each with a unique word."""
    for number in range(count):
        place = folder / ("moving" if number < count // 2 else "staying") / f"part {number // 500:02}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note {number:05}.txt").write_text(f"A common note: q{number:05}x.\n")


def _first(measured: MeasuredLibrary, documents: Path, files: int) -> Measurement:
    began = time.perf_counter()
    measured.add(documents)
    measured.seconds_until(lambda: bool(measured.hits("the OR a OR and OR common")))
    return _ours(f"first of {files:,} files searchable, clock", "s", (time.perf_counter() - began,), 2.0)


def _rescans(measured: MeasuredLibrary) -> tuple[float, ...]:
    seconds = []
    for _ in range(ROUNDS):
        before = measured.cpu_seconds()
        measured.rescan()
        seconds.append(measured.cpu_seconds() - before)
    return tuple(seconds)


def _edits(measured: MeasuredLibrary, documents: Path) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the seconds from writing a new word until it is found, and from deleting the file until it is gone."""
    edits, deletions = [], []
    files = sorted((documents / "staying").rglob("*.txt"))
    for number, file in enumerate(files[:ROUNDS]):
        word = f"zz{number}edited"
        file.write_text(f"{file.read_text()}Now it also says {word}.\n")
        edits.append(measured.seconds_until(partial(_is_found, measured, word, found=True)))
        measured.wait_until(settled)
        file.unlink()
        deletions.append(measured.seconds_until(partial(_is_found, measured, word, found=False)))
        measured.wait_until(settled)
    return tuple(edits), tuple(deletions)


def _is_found(measured: MeasuredLibrary, word: str, *, found: bool) -> bool:
    return bool(measured.hits(word)) is found


def _renaming(measured: MeasuredLibrary, documents: Path) -> Iterator[Measurement]:
    measured.wait_until(settled)
    before, cpu = measured.read(_last_change), measured.cpu_seconds()
    (documents / "moving").rename(documents / "renamed")
    seconds = measured.seconds_until(lambda: measured.read(_is_renamed))
    seconds += measured.seconds_until(lambda: _lies_in(measured, "q00007x", "renamed"))
    measured.wait_until(settled)
    what = f"folder of {RENAMED_FILES:,} files renamed"
    yield _ours(f"{what} until found under the new name, clock", "s", (seconds,), 5.0)
    yield _ours(f"{what}, CPU", "s", (measured.cpu_seconds() - cpu,))
    yield _ours(f"{what}, keyword documents and vectors written", "", (measured.read(_last_change) - before,), 0.0)


def _last_change(catalog: CatalogReader) -> int:
    return catalog.change_log.last_sequence()


def _is_renamed(catalog: CatalogReader) -> bool:
    lookups = [catalog.files.lookup(folder.id) for folder in catalog.folders.all()]
    old, new = (sum(lookup.count_beneath(path) for lookup in lookups) for path in (b"moving", b"renamed"))
    return old == 0 and new == RENAMED_FILES


def _lies_in(measured: MeasuredLibrary, query: str, folder: str) -> bool:
    hits = measured.hits(query)
    return bool(hits) and all(folder in hit.path.parts for hit in hits)


# Much text


def _big(scratch: Path, corpus: Corpus, say: Say) -> Iterator[Measurement]:
    """Measure memory, start and catalog size with all passages in the library."""
    documents, folder = scratch / "documents", scratch / "libraries" / "default"
    files = min(BIG_FILES, max(20, len(corpus.passages) // 20))
    write_folder(documents, corpus.passages, files)
    text = folder_bytes(documents)
    size = f"{text / MB:,.0f} MB of text"
    with MeasuredLibrary(folder) as measured, PeakMemory(measured) as memory:
        say(f"Adding {size} in {files:,} files …")
        yield _first(measured, documents, files)
        cpu = measured.cpu_seconds()
        began = time.perf_counter()
        measured.wait_until(all_searchable)
        yield _ours(f"{size} searchable by keyword, clock", "s", (time.perf_counter() - began,))
        yield _ours(f"{size} searchable by keyword, CPU", "s", (measured.cpu_seconds() - cpu,))
        say("Creating vectors …")
        if len(corpus.passages) > ENCODED:
            fill(measured, list(islice(corpus.sentences(), REAL)), SEED, say)
        measured.wait_until(settled)
        yield from _search(folder, size, corpus)
        yield _ours(f"indexer and readers at {size}, peak memory", "MB", (memory.megabytes,), 1024.0)
        sentences = measured.read(lambda catalog: catalog.chunks.sentence_counts())[1]
    allowed = 1.2 * text + 480 * sentences
    catalog = folder_bytes(folder / "catalog.sqlite", folder / "catalog.sqlite-wal")
    yield _ours(f"catalog of {size} and {sentences:,} sentences", "MB", (catalog / MB,), allowed / MB)
    say("Opening the window …")
    yield from _window(scratch, folder, size)
    wait_for_end(Library(folder))


def _search(folder: Path, size: str, corpus: Corpus) -> Iterator[Measurement]:
    """Query in every mode through a searcher process and measure its memory."""
    queries = [" ".join(passage.split()[5:9]) for passage in corpus.passages[: 20 * 97 : 97]]
    before = set(psutil.Process().children())
    with closing(SearcherClient(folder)) as searcher:
        for mode in Mode:
            for query in queries:
                searcher.search(SearchRequest(query.translate(_PLAIN), mode), Stop())
        (child,) = [process for process in psutil.Process().children() if process not in before]
        yield _ours(f"searcher at {size}, memory beyond mapped files", "MB", (own_memory([child]),), 500.0)


_PLAIN = {ord(sign): " " for sign in '()"~^*:[]{}+-!?/\\&|'}  # no operators of the query language


def _window(scratch: Path, folder: Path, size: str) -> Iterator[Measurement]:
    """Open the window on the library repeatedly; the first, cold start does not count."""
    opened = [_opened(scratch, folder, then="end") for _ in range(ROUNDS + 1)][1:]
    yield _ours(f"window on screen at {size}, clock", "s", tuple(one.seconds for one in opened), 1.0)
    yield _ours(f"window on screen at {size}, CPU", "s", tuple(one.cpu for one in opened))
    yield _ours(f"window at {size}, memory", "MB", (_opened(scratch, folder, then="wait").megabytes,), 300.0)


@dataclass(frozen=True, slots=True)
class _Opened:
    seconds: float
    cpu: float
    megabytes: float


def _opened(home: Path, folder: Path, *, then: str) -> _Opened:
    """Return the seconds until the first paint (wall-clock and CPU), and the megabytes a while later."""
    command = probe_command("--library", str(folder), "--then", then)
    began = time.perf_counter()  # the system's own note of when a process began is a second wrong at times
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(home, "offscreen")) as window:
        assert window.stdout is not None
        line = msgspec.json.decode(window.stdout.readline(), type=dict[str, float])
        seconds = time.perf_counter() - began
        megabytes = 0.0
        if then == "wait":
            time.sleep(REST_SECONDS)
            megabytes = psutil.Process(window.pid).memory_info().rss / MB
            window.terminate()
        window.wait()
    return _Opened(seconds, line["cpu"], megabytes)
