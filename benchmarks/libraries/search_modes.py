"""What the modes take that read texts or follow links, beside hybrid search, in one person's gigabyte.

The library has 5,000 files: a file for each passage of a collection with questions, whose titles are links, and other
files with the rest of `--passages`. Each mode has a searcher process of its own, so that none finds a query encoded; a
question is asked in all modes, one after the other. Beyond the first sentences, vectors are real ones plus noise.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

import psutil

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.library import BIG_FILES
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import cpu_seconds_of
from benchmarks.options import SIZES
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.datasets import Collection, read_collection
from desktop_rag.evaluation.indexing import all_searchable, settled, wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.retrieval.passage_library import write
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

MODES = (Mode.HYBRID, Mode.LINKED, Mode.RERANKED, Mode.BEST)
MORE = 250.0  # ms that re-ranking and links may add at the 95th percentile
WARMING = 5  # questions before those that count
FEWEST_OTHERS = 100  # files beside those of the collection
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=SIZES["S"])
    parser.add_argument("--questions", type=Path, required=True, metavar="FOLDER", help="a collection (evaluation.md)")
    parser.add_argument("--asked", type=int, default=60, metavar="N", help="how many of its questions (60)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the library here, or use the one found here")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Create the library and ask."""
    collection = read_collection(options.questions)
    notes: list[str] = []
    with ExitStack() as stack:
        place = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="desktop-rag-bench-")))
        folder = place / "library"
        if not (place / "complete").exists():
            corpus = corpus_of(options, say)
            notes.append(corpus.describe())
            _index(place / "documents", folder, corpus, collection, say)
            (place / "complete").touch()
        say("Searching …")
        questions = [question.text for question in collection.questions[: WARMING + options.asked]]
        cpu, clock = _asked(folder, questions)
    found = (*rows(cpu, "CPU"), *rows(clock, "clock"))
    notes.append(f"{len(questions) - WARMING} questions of {collection.name}, each in all modes.")
    return Report("Search modes beside hybrid", found, tuple(notes), this_machine())


def _index(documents: Path, folder: Path, corpus: Corpus, collection: Collection, say: Say) -> None:
    say("Writing the files …")
    write(documents / "collection", collection.passages)
    others = corpus.passages[len(collection.passages) :] or corpus.passages
    write_folder(documents / "others", others, max(FEWEST_OTHERS, BIG_FILES - len(collection.passages)))
    with MeasuredLibrary(folder) as measured:
        say("Indexing …")
        for part in ("collection", "others"):
            measured.add(documents / part)
            measured.wait_until(all_searchable)
        say("Creating vectors …")
        fill(measured, list(islice(corpus.sentences(), REAL)), SEED, say)
        measured.wait_until(settled)
    wait_for_end(Library(folder))


def _asked(folder: Path, questions: Sequence[str]) -> tuple[dict[Mode, list[float]], dict[Mode, list[float]]]:
    """Return the milliseconds of each question in each mode: of the processor, and by the clock."""
    cpu: dict[Mode, list[float]] = {mode: [] for mode in MODES}
    clock: dict[Mode, list[float]] = {mode: [] for mode in MODES}
    with ExitStack() as stack:
        searchers = {mode: _searcher(stack, folder) for mode in MODES}
        for number, question in enumerate(questions):
            for mode, (searcher, process) in searchers.items():
                began, used = time.perf_counter(), cpu_seconds_of(process)
                searcher.search(SearchRequest(question, mode), Stop())
                if number >= WARMING:
                    cpu[mode].append((cpu_seconds_of(process) - used) * 1e3)
                    clock[mode].append((time.perf_counter() - began) * 1e3)
    return cpu, clock


def _searcher(stack: ExitStack, folder: Path) -> tuple[SearcherClient, psutil.Process]:
    """Start a searcher and return it with its process."""
    before = set(psutil.Process().children())
    searcher = stack.enter_context(closing(SearcherClient(folder)))
    searcher.search(SearchRequest("the", Mode.HYBRID), Stop())
    (process,) = [each for each in psutil.Process().children() if each not in before]
    return searcher, process


def rows(spent: Mapping[Mode, Sequence[float]], what: str) -> Iterator[Measurement]:
    """Yield the percentiles of each mode, and of what its questions took more than in hybrid search."""
    for mode in MODES:
        more = [one - base for one, base in zip(spent[mode], spent[Mode.HYBRID], strict=True)]
        for percent in (50.0, 95.0):
            yield _at(spent[mode], percent, f"{mode.value}, {what}")
            if mode is not Mode.HYBRID:
                yield _at(more, percent, f"{mode.value} more than hybrid, {what}", MORE if percent > 50 else None)


def _at(values: Sequence[float], percent: float, what: str, goal: float | None = None) -> Measurement:
    whole = Measurement(what, OURS, "ms", tuple(values))
    return Measurement(f"{what}, p{percent:g}", OURS, "ms", (whole.at(percent),), goal=goal)
