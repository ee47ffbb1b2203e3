"""Benchmarks: this program against public tools, in the same run, on any folder's texts.

A benchmark is one module of this package with two functions, and one line in `BENCHES`:

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        \"\"\"Declare the options of this benchmark; `--json` and `--out` are there already.\"\"\"
        add_corpus_arguments(parser, passages=10_000)

    def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
        \"\"\"Measure …\"\"\"

`say` tells the person what goes on and raises `Stopped` after Ctrl+C: call it between steps and clean up in `finally`.
Texts come from `corpus.corpus_of(options, say)`, times from `measuring` (CPU time, in rounds that take turns),
peers that may be missing are asked for with `peers.absent`. What is heavy (numpy, a peer, Whoosh) is imported inside
functions. What a row of the result means stands in `report`.
"""

from collections.abc import Mapping
from types import MappingProxyType

BENCHES: Mapping[str, str] = MappingProxyType(
    {
        "exact": "How long literal search takes, inside words too",
        "faults": "What is lost when everything goes wrong: kills, power losses, full disks, damaged files",
        "library": "What the library promises: first file, rescan, edit, delete, rename, memory, start",
        "index": "How fast words are indexed and how much space that takes, against public engines",
        "search": "How long queries take, of every kind, against public engines",
        "readers": "How files of all kinds end in the reader, how fast and with how much text, against public tools",
        "pipeline": "A folder of mixed files until every word is searchable, against recollindex",
        "window": "How long the window’s event loop is held, in every situation",
        "encode": "How fast sentences become vectors, against torch; and what their precision costs in search",
        "vectors": "Search by meaning over millions of sentences, against exact float32, usearch and faiss",
    }
)
"""The benchmarks, each with what it measures; the module of the same name is imported when it is run."""
