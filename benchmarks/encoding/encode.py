"""Speed of sentence encoding, and the distance of the vectors from those of the published model.

The same sentences go in alternating rounds to this program's encoder, to other given ones, to fixed batches in text
order, and to sentence-transformers on torch. `--quality` measures instead what quantisation costs in search.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.corpus import add_corpus_arguments, corpus_of
from benchmarks.encoding import encode_peer, encode_quality, encode_threads
from benchmarks.encoding.encode_quality import Variant
from benchmarks.peer_tools import absent
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import collections_below, read_collection
from desktop_rag.evaluation.machine import this_machine, usable_cores
from desktop_rag.evaluation.retrieval.systems import VectorCache
from desktop_rag.index.encoding.encoder import BATCH_TOKENS, Encoder, batches
from desktop_rag.paths import encoder_folder

TORCH = "sentence-transformers"
TIMES_TORCH = 3.0  # goal for our speed-up
SLOWEST_QUERY = 8.0  # ms
FARTHEST = 10.0  # 1 − cosine in millionths, for a float32 encoder
FIXED_BATCH = 32
QUERIES = 100

Say = Callable[[str], None]
Work = Callable[[Sequence[str]], float]  # encodes, returns the CPU seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=500)
    parser.add_argument("--sentences", type=int, default=2_000, metavar="N", help="number of sentences (2,000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds per encoder (5)")
    parser.add_argument(
        "--encoder", type=Path, default=encoder_folder(), metavar="FOLDER", help="encoder to measure (the shipped one)"
    )
    parser.add_argument(
        "--fp32",
        type=Path,
        metavar="FOLDER",
        help="compare with this one (from packaging/encoder.py --fp32 FOLDER)",
    )
    parser.add_argument(
        "--peer-python", default=sys.executable, metavar="PATH", help="an interpreter with sentence-transformers"
    )
    parser.add_argument(
        "--quality", type=Path, metavar="FOLDER", help="compare search quality of both encoders on these collections"
    )
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="cache for the vectors of --quality")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure the speed of encoding, or with `--quality` the cost of quantisation in search."""
    ours = Encoder.load(options.encoder)
    exact = Encoder.load(options.fp32) if options.fp32 else None
    if options.quality:
        return _quality(options, ours, exact, say)
    corpus = corpus_of(options, say)
    sentences = list(corpus.sentences())
    random.Random(1).shuffle(sentences)
    notes = [corpus.describe()]
    encoders = {OURS: ours, "fp32": exact} if exact else {OURS: ours}
    with _torch(options.peer_python, notes) as torch:
        rows = _speed(encoders, torch, sentences[: options.sentences], options.rounds, notes, say)
        rows += _threads(options, sentences[: options.sentences], say)
        rows += _queries(encoders, torch, sentences, say)
        if torch is not None:
            rows += _distances(encoders, torch, sentences[:200])
    return Report("Encoding sentences", tuple(rows), tuple(notes), this_machine())


def _quality(options: argparse.Namespace, ours: Encoder, exact: Encoder | None, say: Say) -> Report:
    if exact is None:
        raise BenchError("The loss is measured against float32: name its folder with --fp32.")
    if missing := absent("BM25", "bm25s", "Stemmer", "ir_measures"):
        raise BenchError(missing)
    folders = collections_below(options.quality)
    if not folders:
        raise BenchError(f"There is no corpus.jsonl with a queries.jsonl below {options.quality}.")
    variants = (
        Variant("fp32", exact, exact, as_codes=False),
        Variant("fp32 stored as int8", exact, exact, as_codes=True),
        Variant("documents quantised, questions fp32", ours, exact, as_codes=True),
        Variant("all rounded", ours, ours, as_codes=True),
    )
    collections = [read_collection(folder) for folder in folders]
    rows, notes = encode_quality.compare(collections, variants, VectorCache(options.cache), say)
    notes.insert(0, "Ours: documents and questions by the shipped encoder, vectors stored as int8.")
    return Report("The cost of vector precision in search", tuple(rows), tuple(notes), this_machine())


def _speed(
    encoders: dict[str, Encoder],
    torch: "TorchPeer | None",
    sentences: Sequence[str],
    rounds: int,
    notes: list[str],
    say: Say,
) -> list[Measurement]:
    """Return the sentences per CPU second of all encoders, in alternating rounds."""
    cores = usable_cores()
    works: dict[str, Work] = {name: _timed(encoder, threads=1) for name, encoder in encoders.items()}
    works[f"{OURS}, {cores} threads"] = _timed(encoders[OURS], threads=cores)
    works[f"{OURS}, batches of {FIXED_BATCH} in order"] = _in_order(encoders[OURS])
    if torch is not None:
        works[TORCH] = lambda texts: torch.encode(texts).cpu
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds):
        for name, work in works.items():
            say(f"Round {number + 1} of {rounds}: {name}")
            speeds[name].append(len(sentences) / work(sentences))
    lengths = [len(tokens) for tokens in encoders[OURS].tokens(sentences)]
    padded = sum(max(lengths[row] for row in batch) * len(batch) for batch in batches(lengths))
    notes.append(
        f"{len(sentences):,} sentences of {statistics.mean(lengths):.0f} tokens; in batches of {BATCH_TOKENS} tokens "
        f"{1 - sum(lengths) / padded:.1%} of them padding."
    )
    return [
        Measurement(
            "sentences per CPU second", name, "/s", tuple(values), "more", TIMES_TORCH if name == TORCH else None
        )
        for name, values in speeds.items()
    ]


def _threads(options: argparse.Namespace, sentences: Sequence[str], say: Say) -> list[Measurement]:
    """Return what each core adds, on a machine with more than one."""
    if usable_cores() == 1:
        return []
    say("Encoding with several threads")
    encoder = encode_threads.MeteredEncoder.load(options.encoder)
    return encode_threads.measured(encoder, sentences, usable_cores(), options.rounds)


def _queries(
    encoders: dict[str, Encoder], torch: "TorchPeer | None", sentences: Sequence[str], say: Say
) -> list[Measurement]:
    """Return the wall-clock time of one short sentence."""
    say("Encoding queries")
    queries = [" ".join(sentence.split()[:10]) for sentence in sentences[:QUERIES]]
    times: dict[str, list[float]] = {name: [] for name in [*encoders, *([TORCH] if torch else [])]}
    for query in queries:
        for name, encoder in encoders.items():
            before = time.perf_counter()
            encoder.encode([query])
            times[name].append(time.perf_counter() - before)
        if torch is not None:
            times[TORCH].append(torch.encode([query]).clock)
    return [
        Measurement(
            "one query of ten words (clock)",
            name,
            "ms",
            tuple(1000 * value for value in values),
            goal=SLOWEST_QUERY if name == OURS else None,
        )
        for name, values in times.items()
    ]


def _distances(encoders: dict[str, Encoder], torch: "TorchPeer", sentences: Sequence[str]) -> list[Measurement]:
    published = torch.vectors(sentences)
    rows = []
    for name, encoder in encoders.items():
        apart = 1e6 * (1 - np.einsum("nd,nd->n", encoder.encode(sentences), published, dtype=np.float64))
        what = f"largest distance from {TORCH}, {name if name != OURS else 'as shipped'} (1 − cosine)"
        rows.append(Measurement(what, OURS, "·10⁻⁶", (float(apart.max()),), goal=FARTHEST if name == "fp32" else None))
    return rows


def _timed(encoder: Encoder, threads: int) -> Work:
    def work(texts: Sequence[str]) -> float:
        before = time.process_time()
        encoder.encode(texts, threads=threads)
        return time.process_time() - before

    return work


def _in_order(encoder: Encoder) -> Work:
    """Return the usual way: fixed-size batches in text order, padded to the longest sentence."""

    def work(texts: Sequence[str]) -> float:
        before = time.process_time()
        for first in range(0, len(texts), FIXED_BATCH):
            encoder.encode_batch(encoder.tokens(texts[first : first + FIXED_BATCH]))
        return time.process_time() - before

    return work


class _Spent(msgspec.Struct):
    cpu: float
    clock: float


class _Hello(msgspec.Struct):
    versions: str


class TorchPeer:
    """sentence-transformers in a separate process with one thread."""

    def __init__(self, process: "subprocess.Popen[bytes]", scratch: Path) -> None:
        self._process = process
        self._scratch = scratch
        self.versions = msgspec.json.decode(self._line(), type=_Hello).versions

    def encode(self, texts: Sequence[str], save: Path | None = None) -> _Spent:
        """Encode `texts` and return the seconds it took."""
        assert self._process.stdin is not None
        task = json.dumps({"texts": list(texts), "save": str(save) if save else None})
        self._process.stdin.write(task.encode() + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._line(), type=_Spent)

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the unit vectors of `texts`."""
        file = self._scratch / "vectors.npy"
        self.encode(texts, file)
        vectors: npt.NDArray[np.float32] = np.load(file)
        return vectors

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"{TORCH} ended with code {self._process.wait()}; see its output above.")
        return line


@contextmanager
def _torch(python: str, notes: list[str]) -> Generator[TorchPeer | None]:
    """Start sentence-transformers if it is installed."""
    if missing := absent(TORCH, "torch", "sentence_transformers") if python == sys.executable else "":
        notes.append(f"{missing} Name an interpreter that has it with --peer-python.")
        yield None
        return
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="desktop-rag-bench-")))
        process = stack.enter_context(
            subprocess.Popen(
                [python, str(Path(encode_peer.__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "TQDM_DISABLE": "1"},  # it prints progress bars while loading
            )
        )
        stack.callback(process.kill)
        peer = TorchPeer(process, scratch)
        notes.append(f"{peer.versions}, one thread.")
        yield peer
