"""Benchmarks: this program against public tools, in the same run, on the texts of any folder. Not part of a release.

Run by `python3 packaging/dev.py bench NAME …`; `docs/benchmarks.md` holds the results and how to read them.

- `command` finds the named benchmark, prints and writes its report; `report` defines rows, ratios and goals.
- `corpus` (texts), `measuring` (clocks and memory), `options` and `peer_tools` are shared by all benchmarks.
- `keywords`: keyword indexing and search. `encoding`: the encoder and vector search.
- `readers`: files of all formats in the reader, and whether lines of PDF files have correct rectangles.
- `libraries`: the real processes on a whole library: first file, edits, memory, the window's event loop.
- `lies`: the citation check, on honest and false statements about real documents.
- `tables`: cells of tables over documents whose values are known: right, empty, false.
- `reference`: the product's search over stock Whoosh (`keywords/stock_index`) and float32 vectors.
- `evidence_weights` fits the weights by which the built-in model pairs sentences, `rerank_weights` those of re-ranking.
- `security`: hidden orders in documents and a model that obeys them; with the scripted endpoint of the tests.
- `faults`: kills, power losses, full disks, damaged files.

A benchmark is one module with two functions, and one line in `BENCHES`:

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        \"\"\"Declare the options of this benchmark; `--json` and `--out` are predefined.\"\"\"
        add_corpus_arguments(parser, passages=10_000)

    def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
        \"\"\"Measure …\"\"\"

`say` reports progress and raises `Stopped` after Ctrl+C: call it between steps and clean up in `finally`.
Texts come from `corpus.corpus_of(options, say)`, times from `measuring` (CPU time, in alternating rounds),
`peer_tools.absent` checks for peers that may be missing. Import heavy modules (numpy, a peer, Whoosh) inside
functions.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Bench(NamedTuple):
    """One benchmark: its module below this package, imported only when it runs, and a description."""

    module: str
    measures: str


BENCHES: Mapping[str, Bench] = MappingProxyType(
    {
        "answers": Bench("libraries.answer_turns", "Answers made to cost time: the longest turn of the window's loop"),
        "endpoint-faults": Bench(
            "libraries.endpoint_faults", "The window while an endpoint misbehaves: Stop, memory, blocking of its loop"
        ),
        "exact": Bench("keywords.exact", "Literal substring search, against str.count and a trigram index"),
        "evidence": Bench(
            "evidence_weights",
            "The built-in model's pairs of sentences: weights tested on unseen collections",
        ),
        "faults": Bench(
            "faults.campaigns",
            "Data loss under injected faults: kills, power losses, full disks, damaged files",
        ),
        "files": Bench("libraries.files", "The page of all files: frames while scrolling, sorting, filtering"),
        "formats": Bench("readers.formats", "One file of each suffix: words found by our reader and by Recoll"),
        "library": Bench(
            "libraries.library", "A library's goals: first file, rescan, edit, delete, rename, memory, start"
        ),
        "many": Bench(
            "libraries.many_files", "Libraries of many small files: work and bytes of indexing, search latency"
        ),
        "modes": Bench(
            "libraries.search_modes", "What re-ranking and links take beside hybrid search, in a library of 5,000 files"
        ),
        "protocol": Bench(
            "libraries.protocol_clients", "The server for other programs: many requests at once, errors, times, memory"
        ),
        "lies": Bench("lies.bench", "The citation check: lies that it notices, and honest statements that it doubts"),
        "reference": Bench("reference", "The same search over stock Whoosh and float32 vectors, on test collections"),
        "rerank": Bench("rerank_weights", "The weights of hybrid+rerank, tested on unseen collections"),
        "index": Bench("keywords.index", "Keyword indexing time and index size, against public engines"),
        "security": Bench(
            "security.campaign", "Hidden orders in documents: what a model that obeys gets out, how many are noticed"
        ),
        "search": Bench("keywords.search", "Query times of every kind, against public engines"),
        "readers": Bench(
            "readers.kinds",
            "Reading files of all formats: outcome, speed and amount of text, against public tools",
        ),
        "pipeline": Bench(
            "libraries.pipeline", "Indexing a folder of mixed files until every word is searchable, against recollindex"
        ),
        "tables": Bench("tables.bench", "Tables over documents with known values: right, empty and false cells"),
        "table-frames": Bench(
            "tables.frames", "The page of tables, 1,000 × 10 cells: frames, cells that come, sorting"
        ),
        "team": Bench("opensearch.team", "A team library on OpenSearch: size, writing, searches by many, a lost node"),
        "team-network": Bench("opensearch.team_network", "A team library on a network that is parted or slow"),
        "team-faults": Bench(
            "opensearch.team_faults", "A team library whose writer and nodes are killed: lost and phantom entries"
        ),
        "team-manager": Bench(
            "opensearch.team_manager", "A team library whose cluster manager is killed: the time without an answer"
        ),
        "window": Bench("libraries.window", "Blocking of the window’s event loop in every situation"),
        "encode": Bench(
            "encoding.encode",
            "Sentence encoding speed, against torch; the cost of quantisation in search",
        ),
        "vectors": Bench(
            "encoding.vectors",
            "Vector search over millions of sentences, against exact float32, usearch and faiss",
        ),
    }
)
"""The benchmarks by name, as the command lists them."""
