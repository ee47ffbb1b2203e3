"""Indexes a folder of mixed files until every word is searchable, against `recollindex`; CPU time by stage.

Both get the same files in the same run: this program through its real processes, recollindex with its default settings
except priority. Encoding, which comes later, is measured separately for a thousand sentences.
"""

import argparse
import compileall
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import psutil

import desktop_rag
from benchmarks.corpus import Corpus, add_corpus_arguments, corpus_of
from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import MB, family_cpu_seconds, folder_bytes, seconds_of_program
from benchmarks.peer_tools import absent_program
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.evaluation.indexing import all_searchable
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop

PEER, COMMAND, PACKAGE = "recollindex", "recollindex", "recollcmd"
NICENESS = 5  # of our indexer; by default recollindex would run behind every other process
GOAL = 1.5  # times as fast as recollindex
PDF_SHARE = 0.2  # share of the files, if the corpus has PDF files to split
PDF_PAGES = 6
ENCODING_SECONDS = 20.0
SEED = 3
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=72_000)
    parser.add_argument("--files", type=int, default=1_000, metavar="N", help="number of files (1,000)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds of both programs (1)")
    parser.add_argument("--documents", type=Path, metavar="FOLDER", help="index these files instead")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure this program and recollindex on the same files, and the stages of this program."""
    missing = absent_program(PEER, COMMAND, PACKAGE)
    notes = [missing] if missing else []
    compileall.compile_dir(str(Path(desktop_rag.__file__).parent), quiet=2)  # as it is where the program is installed
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as name:
        scratch = Path(name)
        documents: Path = options.documents or scratch / "documents"
        if not options.documents:
            corpus = corpus_of(options, say)
            pieces = write_mixed(documents, corpus, options.files)
            notes += [corpus.describe(), f"{pieces} of the files are parts of PDF files, the others text and Markdown."]
        count = sum(file.is_file() for file in documents.rglob("*"))
        size = f"{count:,} files, {folder_bytes(documents) / MB:,.0f} MB"
        subjects: dict[str, Callable[[Path, Path], tuple[float, float]]] = {OURS: index_ours}
        if not missing:
            subjects[PEER] = index_recoll
        rows = list(_compared(subjects, scratch, documents, size, options.rounds, say))
        say("Measuring the stages …")
        rows += _stages(scratch, documents, size)
    return Report("From adding a folder to searchable", tuple(rows), tuple(notes), this_machine())


def _compared(
    subjects: Mapping[str, Callable[[Path, Path], tuple[float, float]]],
    scratch: Path,
    documents: Path,
    size: str,
    rounds: int,
    say: Say,
) -> Iterator[Measurement]:
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in subjects}
    for number in range(rounds):
        for name, index in subjects.items():
            say(f"{name}: {size} …")
            found[name].append(index(scratch / f"{name} {number}", documents))
    for place, unit in enumerate(("CPU", "clock")):
        for name, pairs in found.items():
            goal = GOAL if name == PEER else None
            values = tuple(pair[place] for pair in pairs)
            yield Measurement(f"{size}, searchable by keyword, {unit}", name, "s", values, goal=goal)


def index_ours(place: Path, documents: Path) -> tuple[float, float]:
    """Return the seconds (CPU, wall-clock) from adding the folder until every file is found by its words."""
    with MeasuredLibrary(place) as measured:
        cpu, began = measured.cpu_seconds(), time.perf_counter()
        measured.add(documents)
        measured.wait_until(all_searchable)
        return measured.cpu_seconds() - cpu, time.perf_counter() - began


def index_recoll(place: Path, documents: Path) -> tuple[float, float]:
    """Return the seconds (CPU, wall-clock) recollindex takes for a new index of `documents`."""
    place.mkdir()
    settings = f"topdirs = {documents}\nidxniceprio = {NICENESS}\n"
    (place / "recoll.conf").write_text(settings, encoding="utf-8")
    return seconds_of_program((COMMAND, "-c", str(place)), place / "log")


# The files


def write_mixed(folder: Path, corpus: Corpus, files: int) -> int:
    """Write text and Markdown of all passages, and parts of the corpus's PDF files; return the number of PDF parts."""
    pieces = sum(1 for _ in islice(pdf_pieces(corpus.folder, folder / "printed"), int(files * PDF_SHARE)))
    write_folder(folder / "written", corpus.passages, files - pieces)
    return pieces


def pdf_pieces(source: Path, target: Path) -> Iterator[Path]:
    """Split the PDF files below `source` into files of a few pages each; yield each."""
    import pymupdf

    target.mkdir(parents=True)
    files = sorted(source.rglob("*.pdf"))
    random.Random(SEED).shuffle(files)  # do not write all files of one kind first
    for file in files:
        try:
            whole = pymupdf.open(str(file))
        except RuntimeError:  # damaged, which this benchmark does not measure
            continue
        with whole:
            for first in range(0, whole.page_count, PDF_PAGES):
                piece = target / f"{file.stem} from page {first + 1}.pdf"
                with pymupdf.open() as made:
                    made.insert_pdf(whole, from_page=first, to_page=min(first + PDF_PAGES, whole.page_count) - 1)
                    made.save(str(piece), garbage=3, deflate=True)
                yield piece


# The stages


def _stages(scratch: Path, documents: Path, size: str) -> list[Measurement]:
    """Return the CPU seconds of each stage, with the indexer's loop in this process."""
    stages, total, readers = _staged(Library(scratch / "stages"), documents)
    known = sum(stages.values())
    values = {**stages, "readers": readers, "threads": max(0.0, total - known - readers)}
    rows = [Measurement(f"{size}, CPU of: {_STAGES_TOLD[name]}", OURS, "s", (value,)) for name, value in values.items()]
    return [*rows, Measurement("encoding 1,000 sentences, CPU", OURS, "s", (_encoding(Library(scratch / "stages")),))]


_STAGES_TOLD = {
    "scan": "scanning",
    "store": "storing documents",
    "keyword": "keyword index",
    "readers": "reading (reader processes)",
    "threads": "indexer threads (dispatching files to readers, watching)",
}


def _staged(library: Library, documents: Path) -> tuple[dict[str, float], float, float]:
    from desktop_rag.index.catalog.catalog import Catalog
    from desktop_rag.index.catalog.catalog_reader import CatalogReader
    from desktop_rag.index.folders.root_folders import add_root_folders
    from desktop_rag.index.indexer.indexer_loop import IndexerLoop
    from desktop_rag.index.indexer.keyword_sync import KeywordSync
    from desktop_rag.index.indexer.read_queue import ReadQueue
    from desktop_rag.index.indexer.scan_scheduler import ScanScheduler
    from desktop_rag.index.indexer.status_board import IndexingActivity, StatusBoard, status

    library.create()
    with closing(Catalog.open(library.catalog)) as written:
        add_root_folders(written, [os.fsencode(documents)])
    worker = IndexerLoop(library, encoder_folder(), StatusBoard(), Stop())
    me = psutil.Process()
    readers = 0.0
    with closing(CatalogReader.open(library.catalog)) as catalog:

        def is_done() -> bool:
            nonlocal readers
            readers = max(readers, family_cpu_seconds(me) - _own(me))
            return all_searchable(status(catalog, IndexingActivity(), 0, 0))

        parts = (("scan", ScanScheduler, "step"), ("store", ReadQueue, "step"), ("keyword", KeywordSync, "follow"))
        before = family_cpu_seconds(me)
        readers_before = before - _own(me)
        with timed(parts) as seconds:
            worker.run(until=_now_and_then(is_done))
    return seconds, family_cpu_seconds(me) - before, readers - readers_before


def _own(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _encoding(library: Library) -> float:
    """Return the CPU seconds for encoding a thousand sentences in the indexer's loop."""
    from desktop_rag.index.catalog.catalog_reader import CatalogReader
    from desktop_rag.index.indexer.indexer_loop import IndexerLoop
    from desktop_rag.index.indexer.status_board import StatusBoard

    worker = IndexerLoop(library, encoder_folder(), StatusBoard(), Stop())
    until = time.monotonic() + ENCODING_SECONDS
    with closing(CatalogReader.open(library.catalog)) as catalog:
        before, cpu = catalog.chunks.sentence_counts()[0], time.process_time()
        worker.run(until=lambda: time.monotonic() > until)
        done = catalog.chunks.sentence_counts()[0] - before
        return (time.process_time() - cpu) / max(1, done) * 1000


def _now_and_then(question: Callable[[], bool], seconds: float = 0.5) -> Callable[[], bool]:
    """Return `question` throttled to two calls per second, false in between."""
    due = 0.0

    def asked() -> bool:
        nonlocal due
        if time.monotonic() < due:
            return False
        due = time.monotonic() + seconds
        return question()

    return asked


@contextmanager
def timed(parts: tuple[tuple[str, type, str], ...]) -> Iterator[dict[str, float]]:
    """Collect the CPU seconds this thread spends in each (name, class, method) while the block runs."""
    seconds = dict.fromkeys((name for name, _, _ in parts), 0.0)
    before = {(owner, method): getattr(owner, method) for _, owner, method in parts}
    for name, owner, method in parts:
        setattr(owner, method, _measured(getattr(owner, method), name, seconds))
    try:
        yield seconds
    finally:
        for (owner, method), function in before.items():
            setattr(owner, method, function)


def _measured(function: Callable[..., object], name: str, seconds: dict[str, float]) -> Callable[..., object]:
    def measured(*arguments: object, **named: object) -> object:
        began = time.thread_time()
        try:
            return function(*arguments, **named)
        finally:
            seconds[name] += time.thread_time() - began

    return measured
