"""Vector search: our vector files against exact float32, usearch and faiss, over the same vectors in one run.

The vectors are those of real sentences, encoded here from a corpus or loaded from files of an earlier run. Additional
rows are real ones drawn at random plus noise. The queries are real sentences that are not among the rows. Recall is
the share of the ten nearest by float32 that are found; a row at most 0.001 farther counts as a match.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.corpus import add_corpus_arguments, corpus_of
from benchmarks.encoding import vector_peers
from benchmarks.encoding.vector_peers import NEAREST
from benchmarks.measuring import cpu_seconds
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import ChunkId
from desktop_rag.paths import encoder_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

TIE = 0.001
PER_CHUNK = 30  # sentences per chunk, as in documents
BLOCK = 15_360  # rows generated and written at a time: whole chunks
NOISE = 0.8  # norm of the noise added to a unit vector
MOST_FLOATS = 1_000_000  # most rows held as float32 for the peers: 1.5 GB
GOALS = {300_000: 8.0, 1_000_000: 15.0, 3_000_000: 40.0}  # milliseconds per query
RECALL = 0.97
BUILT = 0.001  # seconds; a faster build builds nothing
CHANGED = 500  # rows added or removed at a time

Say = Callable[[str], None]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Real vectors and queries; `rows` generates any number of rows, deterministically."""

    real: "Floats"
    queries: "Floats"

    def blocks(self, count: int) -> "Iterator[Floats]":
        """Yield `count` unit vectors in blocks, the real ones first."""
        for start in range(0, count, BLOCK):
            yield self.block(start, min(BLOCK, count - start))

    def block(self, start: int, size: int) -> "Floats":
        """Return `size` vectors starting at number `start`, which begins a block."""
        import numpy as np

        real = self.real[start : start + size]
        if len(real) == size:
            return np.ascontiguousarray(real)
        dice = np.random.default_rng(start)
        noise = dice.standard_normal((BLOCK, self.real.shape[1]), np.float32)[: size - len(real)]
        drawn = self.real[dice.integers(0, len(self.real), BLOCK)[: size - len(real)]]
        shifted = drawn + noise * np.float32(NOISE / self.real.shape[1] ** 0.5)
        shifted /= np.linalg.norm(shifted, axis=1, keepdims=True)
        return np.concatenate([real, shifted])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=1_000)
    parser.add_argument("--rows", type=_sizes, default=(100_000, 1_000_000), metavar="N,N", help="sizes (100k,1M)")
    parser.add_argument("--queries", type=int, default=50, metavar="N", help="number of queries (50)")
    parser.add_argument("--vectors", type=Path, metavar="FOLDER", help="real vectors: .npy files of unit rows")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the vectors of the corpus here")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure queries, recall, size, writing and opening at each size."""
    vectors, told = _given(options) if options.vectors else _encoded(options, say)
    notes = [
        told,
        f"{len(vectors.queries)} queries: sentences that are not among the rows. Chunks of {PER_CHUNK} rows.",
    ]
    notes += vector_peers.missing()
    rows: list[Measurement] = []
    for count in options.rows:
        real = min(count, len(vectors.real))
        label = _label(count)
        notes.append(f"{label}: {real:,} real rows" + (f", {count - real:,} shifted ones." if real < count else "."))
        rows += _measured(vectors, count, label, notes, say)
    return Report("Vectors", tuple(rows), tuple(notes), this_machine())


def _given(options: argparse.Namespace) -> tuple[Vectors, str]:
    import numpy as np

    files = [file for file in sorted(options.vectors.glob("*.npy")) if ".tmp" not in file.name]
    if not files:
        raise BenchError(f"There are no .npy files in {options.vectors}.")
    real = np.concatenate([np.load(file) for file in files])
    return _split(real, options.queries), f"{len(real):,} vectors of real sentences from {options.vectors.name}."


def _encoded(options: argparse.Namespace, say: Say) -> tuple[Vectors, str]:
    import numpy as np

    from desktop_rag.index.encoding.encoder import Encoder

    corpus = corpus_of(options, say)
    sentences = list(dict.fromkeys(sentence for sentence in corpus.sentences() if sentence.strip()))
    encoder = Encoder.load(encoder_folder(), threads=1)
    made = []
    for start in range(0, len(sentences), 2_000):
        say(f"Encoding {start:,} of {len(sentences):,} sentences …")
        made.append(encoder.encode(sentences[start : start + 2_000]))
    real = np.concatenate(made)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        np.save(options.keep / "vectors.npy", real)
    return _split(real, options.queries), f"{len(real):,} different sentences of {corpus.folder.name}, encoded here."


def _split(real: "Floats", queries: int) -> Vectors:
    """Take the queries from the end, and remove them from the rows."""
    if len(real) < 10 * queries:
        raise BenchError("There are too few sentences for this number of queries.")
    return Vectors(real[:-queries], real[-queries:])


def _measured(vectors: Vectors, count: int, label: str, notes: list[str], say: Say) -> list[Measurement]:
    folder = Path(tempfile.mkdtemp(prefix="desktop-rag-bench-"))
    try:
        say(f"Writing {label} rows …")
        with closing(_Blobs(folder / "rows.sqlite")) as blobs:
            truth, rows = _written(vectors, count, label, folder / "vectors", blobs)
            say(f"Querying {label} rows …")
            rows += _asked(vectors, count, label, folder / "vectors", blobs, truth.of_chunks)
        rows += _changed(vectors, label, folder / "vectors")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if count > MOST_FLOATS:
        notes.append(
            f"{label}: the peers would need {count * vectors.real.shape[1] * 4 / 1e9:.1f} GB and are left out."
        )
        return rows
    say(f"Querying the peers over {label} rows …")
    return rows + _peers(vectors, count, label, truth.of_rows)


class _Blobs:
    """The rows of each chunk, as in the catalog."""

    def __init__(self, file: Path) -> None:
        self._database = Database(file)
        self._database.execute("CREATE TABLE vector (chunk INTEGER PRIMARY KEY, data BLOB NOT NULL)")
        self._reading = Database(file, read_only=True)

    def close(self) -> None:
        """Close the file."""
        self._reading.close()
        self._database.close()

    def add(self, chunks: Sequence[tuple[ChunkId, bytes]]) -> None:
        """Store rows."""
        with self._database.transaction():
            self._database.execute_many("INSERT INTO vector VALUES (?, ?)", chunks)

    def stored(self, encoder: str, chunks: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Return the rows of some chunks."""
        del encoder
        sql = "SELECT chunk, data FROM vector WHERE chunk IN (SELECT value FROM json_each(?))"
        return dict(self._reading.rows(tuple[ChunkId, bytes], sql, (json.dumps(chunks),)))


@dataclass(frozen=True, slots=True)
class _Truth:
    """The cosine of the tenth nearest row of each query, and of the tenth nearest chunk."""

    of_rows: "Floats"
    of_chunks: "Floats"


def _written(vectors: Vectors, count: int, label: str, folder: Path, blobs: _Blobs) -> tuple[_Truth, list[Measurement]]:
    """Write the vector files; return the ground truth and the measurements of writing."""
    import numpy as np

    from desktop_rag.index.vectors.vector_writer import VectorWriter

    rows = chunks = np.full((len(vectors.queries), NEAREST), -2, np.float32)
    seconds, last = 0.0, 0
    with closing(VectorWriter.open(folder, "bench", vectors.real.shape[1], "bench")) as writer:
        for block in vectors.blocks(count):
            scores = vectors.queries @ block.T
            rows = _nearest(rows, scores)
            chunks = _nearest(chunks, np.maximum.reduceat(scores, np.arange(0, len(block), PER_CHUNK), axis=1))
            ready = _chunks(block, last)
            before = cpu_seconds()
            blobs.add(ready)
            writer.append(ready)
            writer.publish(last := last + len(ready))
            seconds += cpu_seconds() - before
    used = sum(_disk_bytes(file) for file in folder.parent.rglob("*") if file.is_file())
    return _Truth(rows[:, -1], chunks[:, -1]), [
        Measurement(f"build, {label} rows", OURS, "s", (seconds,)),
        Measurement(f"bytes per row, {label} rows", OURS, "B", (used / count,)),
    ]


def _nearest(best: "Floats", scores: "Floats") -> "Floats":
    """Return the ten best cosines of each query, in descending order."""
    import numpy as np

    return np.asarray(-np.sort(-np.concatenate([best, scores], axis=1), axis=1)[:, :NEAREST], np.float32)


def _chunks(block: "Floats", last: int) -> list[tuple[ChunkId, bytes]]:
    """Return the rows of a block in chunks, as the catalog passes them to the files."""
    from desktop_rag.index.vectors.vector_codes import pack_rows

    rows = list(pack_rows((number.to_bytes(16) for number in range(len(block))), block).values())
    parts = [b"".join(rows[start : start + PER_CHUNK]) for start in range(0, len(rows), PER_CHUNK)]
    return [(ChunkId(number), part) for number, part in enumerate(parts, last + 1)]


def _asked(vectors: Vectors, count: int, label: str, folder: Path, blobs: _Blobs, truth: "Floats") -> list[Measurement]:
    from desktop_rag.index.vectors.vector_reader import VectorReader

    began = time.perf_counter()
    reader = VectorReader.open(folder, blobs.stored)
    opened = 1000 * (time.perf_counter() - began)
    first, _ = _timed(lambda query: reader.search(query, NEAREST), vectors.queries[:1])
    times, answers = _timed(lambda query: reader.search(query, NEAREST), vectors.queries)
    rows = [[(chunk - 1) * PER_CHUNK + ordinal for chunk, ordinal, _ in hits] for hits in answers]
    reader.close()
    return [
        Measurement(f"open, {label} rows", OURS, "ms", (opened,)),
        Measurement(f"first query, {label} rows", OURS, "ms", first),
        Measurement(f"query, {label} rows", OURS, "ms", times, goal=GOALS.get(count)),
        Measurement(f"recall@10, {label} rows", OURS, "", (_recall(vectors, count, rows, truth),), "more", RECALL),
    ]


def _changed(vectors: Vectors, label: str, folder: Path) -> list[Measurement]:
    """Add and remove a few rows at a time, each change published and synced to disk."""
    from desktop_rag.index.vectors.vector_reader import VectorReader
    from desktop_rag.index.vectors.vector_writer import VectorWriter

    last = len(VectorReader.open(folder).chunks())
    added, removed = [], []
    with closing(VectorWriter.open(folder, "bench", vectors.real.shape[1], "bench")) as writer:
        sequence = writer.watermark.sequence
        for round_ in range(1, 9):
            chunks = _chunks(vectors.real[:CHANGED], last + 100 * round_)
            before = time.perf_counter()
            writer.append(chunks)
            writer.publish(sequence + 2 * round_)
            between = time.perf_counter()
            writer.remove(chunk for chunk, _ in chunks)
            writer.publish(sequence + 2 * round_ + 1)
            added.append(1000 * (between - before))
            removed.append(1000 * (time.perf_counter() - between))
    return [
        Measurement(f"add {CHANGED} rows to {label}, clock", OURS, "ms", tuple(added)),
        Measurement(f"remove {CHANGED} rows of {label}, clock", OURS, "ms", tuple(removed)),
    ]


def _peers(vectors: Vectors, count: int, label: str, truth: "Floats") -> list[Measurement]:
    """Measure the installed peers over the same vectors."""
    import numpy as np

    floats = np.concatenate(list(vectors.blocks(count)))
    rows = []
    for name, build in vector_peers.builders(count).items():
        before = cpu_seconds()
        search, size = build(floats)
        seconds = cpu_seconds() - before
        times, answers = _timed(search, vectors.queries)
        recall = _recall(vectors, count, answers, truth)
        if seconds >= BUILT:
            rows.append(Measurement(f"build, {label} rows", name, "s", (seconds,)))
        rows += [
            Measurement(f"bytes per row, {label} rows", name, "B", (size,)),
            Measurement(f"query, {label} rows", name, "ms", times),
            Measurement(f"recall@10, {label} rows", name, "", (recall,), "more"),
        ]
    return rows


def _recall(vectors: Vectors, count: int, answers: Sequence[Sequence[int]], truth: "Floats") -> float:
    """Return the share of result rows that are at least as near as the tenth nearest by float32."""
    import numpy as np

    found = 0
    by_block: dict[int, list[tuple[int, int]]] = {}
    for number, rows in enumerate(answers):
        for row in rows:
            by_block.setdefault(row // BLOCK, []).append((number, row % BLOCK))
    for block, pairs in by_block.items():
        floats = vectors.block(block * BLOCK, min(BLOCK, count - block * BLOCK))
        numbers, rows_in = (list(column) for column in zip(*pairs, strict=True))
        scores = np.einsum("ij,ij->i", floats[rows_in], vectors.queries[numbers])
        found += int(np.count_nonzero(scores >= truth[numbers] - TIE))
    return found / (NEAREST * len(vectors.queries))


def _timed(search: Callable[["Floats"], Found], queries: "Floats") -> tuple[tuple[float, ...], list[Found]]:
    """Return the milliseconds of each query, and the results."""
    times, answers = [], []
    for query in queries:
        before = cpu_seconds()
        answers.append(search(query))
        times.append(1000 * (cpu_seconds() - before))
    return tuple(times), answers


def _disk_bytes(file: Path) -> int:
    """Return a file's allocated bytes: shards are preallocated, so their length says nothing."""
    facts = file.stat()
    return 512 * facts.st_blocks if hasattr(facts, "st_blocks") else facts.st_size


def _sizes(text: str) -> tuple[int, ...]:
    """Parse sizes such as `100k,1M`."""
    units = {"k": 1_000, "M": 1_000_000}
    try:
        sizes = tuple(int(float(part.rstrip("kM")) * units.get(part[-1:], 1)) for part in text.split(","))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < PER_CHUNK:
        raise argparse.ArgumentTypeError("sizes such as 100k,1M")
    return sizes


def _label(count: int) -> str:
    if count % 100_000 == 0 and count >= 1_000_000:
        return f"{count / 1_000_000:g}M"
    return f"{count // 1000}k" if count % 1000 == 0 else f"{count:,}"
