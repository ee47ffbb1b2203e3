"""Libraries of many small files: the work of indexing them, bytes written, and the latency of searches.

Each library has 100 files per folder, of about 200 words each; those beyond the real texts are woven of their pieces.
Searches go through a real searcher process; its CPU time counts, since other programs may hold the cores meanwhile, and
each query is asked of all libraries in turn. Beyond the first sentences, vectors are real ones plus noise. With
`--keep FOLDER` the libraries stay and are used again by the next run, which then measures searches only.
"""

import argparse
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

import psutil

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of, woven
from benchmarks.libraries.filling import REAL, fill
from benchmarks.libraries.folders import place_of, write_file
from benchmarks.libraries.measured_library import MeasuredLibrary
from benchmarks.measuring import MB, cpu_seconds_of, folder_bytes, own_memory
from benchmarks.options import numbers
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import all_searchable, settled, wait_for_end
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop

QUERIES = 60
_WORD = re.compile(r"[a-z]{4,}")
_SLOWER = 1.5  # times the CPU time of the smallest library, of the largest one at most
_COMMON = 0.02  # a word in more than this share of the passages is no word that people search for alone
_MODES = {
    "words": (Mode.KEYWORD, Mode.HYBRID, Mode.EXACT),
    "common words": (Mode.KEYWORD, Mode.EXACT),
    "few words of a sentence": (Mode.HYBRID,),
    "sentences": (Mode.KEYWORD, Mode.HYBRID),
}  # of a kind of queries; the others are asked by their words alone
_COUNTED = ("words", "sentences")  # whose facets are counted, too
_FIELDS = ("name", "path", "ext", "folder", "date", "looks like a name")
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=100_000)
    parser.add_argument("--files", type=numbers, default=(10_000, 100_000), help="library sizes (10000,100000)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the libraries here, and use those found here")
    parser.add_argument(
        "--characters", type=int, metavar="N", help="write files of so many instead, and only index them"
    )


def run(options: argparse.Namespace, say: Say) -> Report:
    """Create the libraries and search them."""
    options.passages = max(options.files)
    corpus = corpus_of(options, say, woven)
    found: list[Measurement] = []
    folders: dict[int, Path] = {}
    with ExitStack() as stack:
        place = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="desktop-rag-bench-")))
        for files in options.files:
            if options.characters:
                found += _told(_index_tiny(place / f"{files} tiny", corpus, files, options.characters, say), say)
                continue
            folder = place / f"{files}" / "library"
            if not Library(folder).catalog.exists():
                found += _told(_index(place / f"{files}" / "documents", folder, corpus, files, say), say)
            folders[files] = folder
        if folders:
            say("Searching …")
            found += _told(_search(folders, queries_of(corpus.passages[: min(folders)])), say)
    return Report("Many small files", tuple(found), (corpus.describe(),), this_machine())


def _told(measurements: Iterator[Measurement], say: Say) -> Iterator[Measurement]:
    """Yield the measurements and say each: a run that is ended early has not measured in vain."""
    for each in measurements:
        say(f"{each.what}: {each.median:,.1f} {each.unit}")
        yield each


def _index(documents: Path, folder: Path, corpus: Corpus, files: int, say: Say) -> Iterator[Measurement]:
    """Write the files and index them."""
    say(f"Writing {files:,} files …")
    for number, passage in enumerate(islice(corpus.passages, files)):
        write_file(documents, number, [passage])
    text = folder_bytes(documents)
    size = f"{files:,} files, {text / MB:,.0f} MB"
    with MeasuredLibrary(folder) as measured:
        say(f"Indexing {size} …")
        began = time.perf_counter()
        measured.add(documents)
        measured.wait_until(all_searchable)
        yield Measurement(f"{size} searchable, clock", OURS, "s", (time.perf_counter() - began,))
        yield Measurement(f"{size} searchable, CPU", OURS, "s", (measured.cpu_seconds(),), goal=files / 500)
        written = measured.indexer.io_counters().write_bytes
        yield Measurement(f"{size} searchable, written per byte of text", OURS, "×", (written / text,), goal=12.0)
        say("Creating vectors …")
        fill(measured, list(islice(corpus.sentences(), REAL)), SEED, lambda _: None)
        measured.wait_until(settled)
        yield Measurement(f"{size} and vectors, library on disk", OURS, "MB", (folder_bytes(folder) / MB,))
    wait_for_end(Library(folder))


def _index_tiny(place: Path, corpus: Corpus, files: int, characters: int, say: Say) -> Iterator[Measurement]:
    """Write files of a few characters and index them."""
    documents = place / "documents"
    for number, passage in enumerate(islice(corpus.passages, files)):
        file = documents / str(number // 100) / f"{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{number} {passage}"[:characters], encoding="utf-8")
    size = f"{files:,} files of {characters} characters"
    with MeasuredLibrary(place / "library") as measured:
        say(f"Indexing {size} …")
        measured.add(documents)
        measured.wait_until(all_searchable)
        yield Measurement(f"{size} searchable, CPU", OURS, "s", (measured.cpu_seconds(),))
        written = measured.indexer.io_counters().write_bytes / 1024
        yield Measurement(f"{size}: written per file", OURS, "KB", (written / files,), goal=4.0)
    wait_for_end(Library(place / "library"))


class _Searched:
    """A library of so many files and its searcher process."""

    def __init__(self, files: int, folder: Path, first: str) -> None:
        self.size = f"{files:,} files"
        before = set(psutil.Process().children())
        self.client = SearcherClient(folder)
        began = time.perf_counter()
        self.client.search(SearchRequest(first, Mode.HYBRID), Stop())
        self.first = (time.perf_counter() - began) * 1e3
        (self.process,) = set(psutil.Process().children()) - before

    def milliseconds(self, query: str, mode: Mode) -> tuple[float, int]:
        """Return the CPU time of a search and the number of its hits."""
        before = cpu_seconds_of(self.process)
        result = self.client.search(SearchRequest(query, mode), Stop())
        return (cpu_seconds_of(self.process) - before) * 1e3, len(result.hits)

    def facets_milliseconds(self, query: str, mode: Mode) -> tuple[float, int]:
        """Return the CPU time of the counts beside the hits of a search, and how many documents they count."""
        before = cpu_seconds_of(self.process)
        counted = self.client.facets(SearchRequest(query, mode), Stop())
        return (cpu_seconds_of(self.process) - before) * 1e3, counted.documents


def _search(folders: Mapping[int, Path], queries: Mapping[str, Sequence[str]]) -> Iterator[Measurement]:
    with ExitStack() as stack:
        libraries: list[_Searched] = []
        for files, folder in sorted(folders.items()):
            libraries.append(_Searched(files, folder, queries["words"][0]))
            stack.enter_context(closing(libraries[-1].client))
        for each in libraries:
            yield Measurement(f"{each.size}: first hybrid search with start, clock", OURS, "ms", (each.first,))
        for what, texts in queries.items():
            for mode in _MODES.get(what, (Mode.KEYWORD,)):
                yield from _asked(libraries, f"{what}, {mode.value}", texts, mode, _Searched.milliseconds)
            if what in _COUNTED:
                yield from _asked(libraries, f"{what}, facets", texts, Mode.HYBRID, _Searched.facets_milliseconds)
        for each in libraries:
            memory = own_memory([each.process])
            yield Measurement(f"{each.size}: searcher beyond mapped files", OURS, "MB", (memory,), goal=150.0)


def _asked(
    libraries: Sequence[_Searched],
    kind: str,
    texts: Sequence[str],
    mode: Mode,
    ask: Callable[[_Searched, str, Mode], tuple[float, int]],
) -> Iterator[Measurement]:
    """Ask every query of each library in turn, and compare the largest library with the smallest."""
    spent: list[list[float]] = [[] for _ in libraries]
    hits = [0.0 for _ in libraries]
    for text in texts:
        for number, library in enumerate(libraries):
            took, shown = ask(library, text, mode)
            spent[number].append(took)
            hits[number] += shown / len(texts)
    for library, times, average in zip(libraries, spent, hits, strict=True):
        yield Measurement(f"{library.size}: {kind}, CPU p50", OURS, "ms", _part(times, 0.5))
        yield Measurement(f"{library.size}: {kind}, CPU p95", OURS, "ms", _part(times, 0.95))
        yield Measurement(f"{library.size}: {kind}, CPU most", OURS, "ms", (max(times),))
        yield Measurement(f"{library.size}: {kind}, hits of a query", OURS, "", (average,), better="more")
    if len(libraries) > 1:
        small, large = statistics.mean(spent[0]), statistics.mean(spent[-1])
        what = f"{libraries[-1].size} against {libraries[0].size}: {kind}, mean CPU"
        yield Measurement(what, OURS, "×", (large / small,), goal=_SLOWER)


def _part(values: Sequence[float], share: float) -> tuple[float, ...]:
    return (sorted(values)[min(len(values) - 1, int(share * len(values)))],)


def queries_of(passages: Sequence[str]) -> dict[str, list[str]]:
    """Return queries by kind, of words that some passages hold and most do not.

    If the passages repeat so few texts that every word is common, of the least common words of each. Raise `BenchError`
    if no passage has enough words of Latin letters.
    """
    chance = random.Random(SEED)
    sample = [chance.choice(passages).lower() for _ in range(2000)]
    counts: dict[str, int] = {}
    for passage in sample:
        for word in set(_WORD.findall(passage)):
            counts[word] = counts.get(word, 0) + 1
    words = [_WORD.findall(passage) for passage in sample]
    rare = [[word for word in row if counts[word] < _COMMON * len(sample)] for row in words]
    usable = [(row, few) for row, few in zip(words, rare, strict=True) if len(few) > 3][:QUERIES]
    if not usable:
        distinct = [(row, sorted(set(row), key=lambda word: (counts[word], word))) for row in words]
        usable = [(row, few) for row, few in distinct if len(few) > 5][:QUERIES]
    if not usable:
        raise BenchError("The texts have too few words to search for. Name a folder with documents: --corpus FOLDER")
    common = sorted(counts, key=lambda word: (-counts[word], word))
    found = {
        "words": [" ".join(few[:3]) for _, few in usable],
        "common words": [" ".join(common[at : at + 2]) for at in range(len(usable))],
        "few words of a sentence": [" ".join(row[:6]) for row, _ in usable],
        "sentences": [f"{' '.join(row[:14])}?" for row, _ in usable],
        "phrase": [f'"{" ".join(row[4:6])}"' for row, _ in usable],
        "AND": [f"{few[0]} AND {few[2]}" for _, few in usable],
    }
    for kind in _FIELDS:
        found[kind] = [_about_file(kind, at % len(passages), few) for at, (_, few) in enumerate(usable)]
    return found


def _about_file(kind: str, number: int, words: Sequence[str]) -> str:
    """Return a query about one file (see `write_file`), or about many and a word."""
    file = place_of(Path(), number)
    match kind:
        case "name":
            return f'name:"{file.stem}"'
        case "path":
            return f'path:"{file.parent.name}/"'
        case "ext":
            return f"ext:{file.suffix[1:]} {words[0]}"
        case "folder":
            return f'folder:"{file.parent.name}" {words[0]}'
        case "date":
            return f"date:today {words[0]}"
        case _:
            return (file.name, f"{words[0]}.pdf", f"{words[0]}@{words[1]}.com", f"{words[0]}/{file.name}")[number % 4]
