"""Benchmarks: this program against public tools, in the same run, on any folder's texts. Part of no release.

Run by `python3 packaging/dev.py bench NAME …`; `docs/benchmarks.md` holds the results and how to read them.

- `command` finds the benchmark that is named, prints and writes its report; `report` says what a row means.
- `corpus` (texts), `measuring` (clocks and memory), `options` and `peer_tools` serve all of them.
- `keywords`: indexing and search by words. `encoding`: the encoder and search by vectors.
- `readers`: files of all kinds in the reader, and whether lines of PDF files lie where they are printed.
- `libraries`: the real processes on a whole library: first file, edits, memory, the window's event loop.
- `faults`: kills, power losses, full disks, damaged files.

A benchmark is one module with two functions, and one line in `BENCHES`:

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        \"\"\"Declare the options of this benchmark; `--json` and `--out` are there already.\"\"\"
        add_corpus_arguments(parser, passages=10_000)

    def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
        \"\"\"Measure …\"\"\"

`say` reports progress and raises `Stopped` after Ctrl+C: call it between steps and clean up in `finally`.
Texts come from `corpus.corpus_of(options, say)`, times from `measuring` (CPU time, in rounds that take turns),
peers that may be missing are checked with `peer_tools.absent`. What is heavy (numpy, a peer, Whoosh) is imported inside
functions.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Bench(NamedTuple):
    """One benchmark: its module below this package, imported when it is run, and what it measures."""

    module: str
    measures: str


BENCHES: Mapping[str, Bench] = MappingProxyType(
    {
        "exact": Bench("keywords.exact", "How long literal search takes, inside words too"),
        "faults": Bench(
            "faults.campaigns",
            "What is lost when everything goes wrong: kills, power losses, full disks, damaged files",
        ),
        "library": Bench(
            "libraries.library", "What the library promises: first file, rescan, edit, delete, rename, memory, start"
        ),
        "index": Bench(
            "keywords.index", "How fast words are indexed and how much space that takes, against public engines"
        ),
        "search": Bench("keywords.search", "How long queries take, of every kind, against public engines"),
        "readers": Bench(
            "readers.kinds",
            "How files of all kinds end in the reader, how fast and with how much text, against public tools",
        ),
        "pipeline": Bench(
            "libraries.pipeline", "A folder of mixed files until every word is searchable, against recollindex"
        ),
        "window": Bench("libraries.window", "How long the window’s event loop is held, in every situation"),
        "encode": Bench(
            "encoding.encode",
            "How fast sentences become vectors, against torch; and what their precision costs in search",
        ),
        "vectors": Bench(
            "encoding.vectors",
            "Search by meaning over millions of sentences, against exact float32, usearch and faiss",
        ),
    }
)
"""The benchmarks by name, as the command lists them."""
