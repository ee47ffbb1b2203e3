"""Searches the vector files as published at the last `refresh`, memory-mapped, and the vectors of the catalog."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.shards import (
    RUN,
    Flags,
    Runs,
    ShardHeader,
    ShardPart,
    ShardRecord,
    file_errors,
    is_intact,
    mapped_part,
    read_dead,
    read_header,
    shard_file,
)
from desktop_rag.index.vectors.vector_codes import Floats, Signs, row_type, signs_of, unpack_rows
from desktop_rag.stop import Stop

# Nearest-neighbour search in three steps, each over fewer rows at a higher price: the rows whose sign bits differ least
# from the query's (Hamming distance), the chunks of these whose signs have the largest product with the query, and the
# best of these by their vectors, which the catalog has. Of few allowed rows or chunks, a step takes all. Arrays are
# processed in blocks that fit the processor's cache; a `Stop` ends the search between two blocks.

CANDIDATES = 5_000  # rows chosen by their sign bits; at least …
_PER_CHUNK = 8  # … this many for each chunk that is compared by its vectors
SPARE, _MOST_SPARE = 60, 2_000  # chunks compared beyond the limit, see `compared_chunks`
_AT_ONCE = 1_024  # chunks whose vectors are compared at a time
_KEPT = 1_500  # chunks whose vectors are kept in memory, 4 KB each: the next letter asks for most of them again
_BLOCK = 1_024  # rows converted and multiplied at a time
_BITS_BLOCK = 65_536  # rows whose bits are compared at a time
_SAMPLE = 16  # one of this many distances is sampled to choose the cut-off
_NEVER = 255

Numbers = npt.NDArray[np.int64]
SentenceHit = tuple[ChunkId, int, float]  # chunk, number of its best sentence, cosine
StoredRows = Callable[[str, Sequence[ChunkId]], Mapping[ChunkId, bytes]]  # the catalog's, of an encoder and chunks


@dataclass(frozen=True, slots=True)
class ShardView:
    """The published rows of a shard; `allowed` (a flag for each run) is None if all are allowed."""

    part: ShardPart
    allowed: Flags | None

    def allowed_runs(self) -> Runs:
        """Return the runs that are allowed."""
        return self.part.runs if self.allowed is None else self.part.runs[np.flatnonzero(self.allowed)]

    def count(self) -> int:
        """Return how many runs are allowed."""
        return len(self.part.runs) if self.allowed is None else int(np.count_nonzero(self.allowed))

    def row_flags(self) -> Flags | None:
        """Return which rows are allowed; None for all."""
        return None if self.allowed is None else np.repeat(self.allowed, self.part.runs["count"])


def compared_chunks(limit: int, rows: int) -> int:
    """Return how many chunks to compare by their vectors, so that 98 % of the nearest `limit` of many are among them.

    Measured with 4,000 to 947,000 rows: half as many as the limit more for twice as many rows.
    """
    return min(SPARE + max(limit, limit * (rows.bit_length() - 9) // 2), limit + _MOST_SPARE)


def promising(views: Sequence[ShardView], direction: Floats, most: int, stop: Stop) -> Runs:
    """Return the runs of the `most` chunks that look nearest to `direction`, a vector of length one.

    If one chunk has many candidates, these are fewer; may raise `Stopped`.
    """
    if sum(view.count() for view in views) <= most:
        return np.concatenate([view.allowed_runs() for view in views])
    picked = _nearest_by_signs(views, direction, max(CANDIDATES, _PER_CHUNK * most), stop)
    parts = [(view.part, rows) for view, rows in zip(views, picked, strict=True)]
    runs = [np.searchsorted(part.runs["first"], rows, side="right") - 1 for part, rows in parts]
    products = _products(np.concatenate([part.signs[rows] for part, rows in parts]), direction, stop)
    # No run spans two shards: a run begins where the run number changes, and where a shard begins.
    firsts = np.flatnonzero(np.concatenate([np.diff(run, prepend=-1) for run in runs]))
    best = np.maximum.reduceat(products, firsts) if len(firsts) else products
    top = np.arange(len(best)) if most >= len(best) else np.argpartition(-best, most)[:most]
    return np.concatenate([part.runs[run] for (part, _), run in zip(parts, runs, strict=True)])[firsts[top]]


def _products(signs: Signs, direction: Floats, stop: Stop) -> Floats:
    """Return the products of a vector with rows of signs, which rise with the cosines."""
    products = np.empty(len(signs), np.float32)
    for start in range(0, len(signs), _BLOCK):
        stop.check()
        some = np.ascontiguousarray(signs[start : start + _BLOCK]).view(np.uint8)
        bits = np.unpackbits(some, axis=1, count=len(direction)).astype(np.float32)
        np.dot(bits, direction, out=products[start : start + _BLOCK])
    return products


def _nearest_by_signs(views: Sequence[ShardView], direction: Floats, wanted: int, stop: Stop) -> list[Numbers]:
    """Return about `wanted` of the allowed rows, those whose signs differ least."""
    signs = signs_of(direction[None])[0]
    distances = [_distances(view, signs, stop) for view in views]
    sample = np.concatenate([some[::_SAMPLE] for some in distances])
    near = np.cumsum(np.bincount(sample, minlength=_NEVER + 1))
    # All rows at the cut-off distance are taken, even if only some of them are needed.
    farthest = min(int(np.searchsorted(near, wanted / _SAMPLE)), _NEVER - 1)
    return [np.flatnonzero(some <= farthest) for some in distances]


def _distances(view: ShardView, signs: Signs, stop: Stop) -> npt.NDArray[np.uint8]:
    """Return the Hamming distance of each row's signs; `_NEVER` for rows that are not allowed.

    Counted modulo 256: a row with nearly opposite signs may look near, but its product reveals it.
    """
    stop.check()
    rows = len(view.part.signs)
    distances = np.empty(rows, np.uint8)
    differing, counts = np.empty(_BITS_BLOCK, np.uint64), np.empty(_BITS_BLOCK, np.uint8)
    for start in range(0, rows, _BITS_BLOCK):
        end = min(rows, start + _BITS_BLOCK)
        for number, (word, sign) in enumerate(zip(view.part.signs.T, signs, strict=True)):
            np.bitwise_xor(word[start:end], sign, out=differing[: end - start])
            if not number:
                np.bitwise_count(differing[: end - start], out=distances[start:end])
                continue
            np.bitwise_count(differing[: end - start], out=counts[: end - start])
            distances[start:end] += counts[: end - start]
    flags = view.row_flags()
    if flags is not None:
        distances[~flags] = _NEVER
    return distances


def compared(rows: Sequence[tuple[ChunkId, bytes]], direction: Floats, limit: int) -> list[SentenceHit]:
    """Return the nearest sentence of each of the `limit` nearest chunks, which are given with their rows."""
    kind = row_type(len(direction))
    every = np.frombuffer(b"".join([data for _, data in rows]), kind)
    codes, scores = every["codes"], np.empty(len(every), np.float32)
    for start in range(0, len(every), _BLOCK):
        np.dot(codes[start : start + _BLOCK].astype(np.float32), direction, out=scores[start : start + _BLOCK])
    scores *= every["scale"]
    ends = np.cumsum([len(data) // kind.itemsize for _, data in rows])
    firsts = np.concatenate([[0], ends[:-1]])
    best = np.maximum.reduceat(scores, firsts)
    top = np.arange(len(best)) if limit >= len(best) else np.argpartition(-best, limit)[:limit]
    return [(rows[at][0], int(scores[firsts[at] : ends[at]].argmax()), best.item(at)) for at in top.tolist()]


Chunks = AbstractSet[ChunkId] | npt.NDArray[np.int64]


class VectorReader:
    """Searches the vectors of a library; finds nothing without usable files, or without `stored`."""

    def __init__(self, folder: Path, stored: StoredRows | None = None) -> None:
        self._folder = folder
        self._stored = stored
        self._kept: dict[ChunkId, bytes] = {}  # rows that were read, the longest unused first
        self._header = ShardHeader()
        self._shards: dict[ShardRecord, ShardPart] = {}
        self._dead: list[Flags] = []
        self._allowed: frozenset[ChunkId] | None = None  # the last allowed chunks, with …
        self._allowed_runs: list[Flags] = []  # … their runs

    @classmethod
    def open(cls, folder: Path, stored: StoredRows | None = None) -> Self:
        """Open the published vectors."""
        reader = cls(folder, stored)
        reader.refresh()
        return reader

    @property
    def rows(self) -> int:
        """Return the number of sentences that can be found."""
        return self._header.live

    @property
    def encoder_id(self) -> str:
        """Return the id of the encoder of the vectors, which must also encode the queries; empty without any."""
        return self._header.encoder

    @property
    def watermark(self) -> Watermark:
        """Return the last change of the catalog that the vectors contain; (0, "") without any."""
        return Watermark(self._header.sequence, self._header.lineage)

    def refresh(self) -> bool:
        """Look for newly published vectors; return whether anything changed."""
        for _ in range(5):
            with file_errors("read"):
                header = read_header(self._folder) or ShardHeader()
            if header == self._header:
                return False
            with suppress(OSError, ValueError):  # a shard has just been compacted, or is damaged
                known = self._shards
                shards = {one: known.get(one) or mapped_part(self._folder, header, one) for one in header.shards}
                self._dead = read_dead(self._folder, header)
                self._header, self._shards, self._allowed, self._kept = header, shards, None, {}
                return True
        changed = self._header != ShardHeader()
        self.close()
        return changed

    def close(self) -> None:
        """Close the files."""
        self._header, self._shards, self._dead, self._allowed, self._kept = ShardHeader(), {}, [], None, {}

    def search(
        self, query: Floats, limit: int, allowed: Chunks | None = None, stop: Stop | None = None
    ) -> list[SentenceHit]:
        """Return the `limit` chunks of those `allowed` with the nearest sentence, best first; may raise `Stopped`."""
        length = float(np.linalg.norm(query))
        if not self._header.live or not length or limit < 1:
            return []
        direction, views = np.asarray(query / length, np.float32), self._views(allowed)
        every = sum(view.count() for view in views)
        most = compared_chunks(limit, self._header.live)
        while True:
            runs = promising(views, direction, most, stop or Stop())
            found: list[SentenceHit] = []
            for rows in self._rows_of(runs):
                (stop or Stop()).check()
                found += compared(rows, direction, limit)
            if len(found) >= limit or most >= every:
                return sorted(found, key=lambda hit: (-hit[2], hit[0]))[:limit]
            most *= 4

    def vectors_of(self, chunks: Iterable[ChunkId]) -> Iterator[tuple[ChunkId, Floats]]:
        """Yield the vectors (n, dimensions) of the sentences of each of these chunks that has any."""
        flags = self._allowed_flags(np.fromiter(chunks, np.int64))
        parts = zip(self._shards.values(), flags, strict=True)
        runs = (part.runs[np.flatnonzero(some)] for part, some in parts)
        for rows in self._rows_of(np.concatenate([np.empty(0, RUN), *runs])):
            for chunk, data in rows:
                yield chunk, unpack_rows(data, self._header.dimensions)

    def chunks(self) -> dict[ChunkId, int]:
        """Return every chunk that has vectors, with the number of its vectors."""
        found: dict[ChunkId, int] = {}
        for part, dead in zip(self._shards.values(), self._dead, strict=True):
            runs = part.runs[~dead]
            found.update(zip(map(ChunkId, runs["chunk"].tolist()), runs["count"].tolist(), strict=True))
        return found

    def damaged(self) -> Sequence[str]:
        """Return the names of the files whose checksums are wrong; reads all of them."""
        return [
            shard_file(self._folder, record.name).name
            for record in self._header.shards
            if not is_intact(self._folder, self._header, record)
        ]

    def wrong_signs(self, stop: Stop) -> Sequence[ChunkId]:
        """Return the chunks whose signs in the files are not those of their vectors; reads all of them."""
        wrong, kind = [], row_type(self._header.dimensions)
        for part, dead in zip(self._shards.values(), self._dead, strict=True):
            runs = part.runs[~dead]
            firsts = dict(zip(runs["chunk"].tolist(), runs["first"].tolist(), strict=True))
            for rows in self._rows_of(runs):
                stop.check()
                for chunk, data in rows:
                    signs = signs_of(np.frombuffer(data, kind)["codes"])
                    if not np.array_equal(signs, part.signs[firsts[chunk] : firsts[chunk] + len(signs)]):
                        wrong.append(chunk)
        return wrong

    def _rows_of(self, runs: Runs) -> Iterator[list[tuple[ChunkId, bytes]]]:
        """Yield the rows of the chunks of these runs, some chunks at a time; without those deleted meanwhile."""
        chunks, counts = runs["chunk"].tolist(), runs["count"].tolist()
        width = row_type(self._header.dimensions).itemsize
        for start in range(0, len(chunks), _AT_ONCE):
            wanted = dict(zip(chunks[start : start + _AT_ONCE], counts[start : start + _AT_ONCE], strict=True))
            rows = {chunk: self._kept.pop(chunk) for chunk in wanted if chunk in self._kept}
            missing = [chunk for chunk in wanted if chunk not in rows]
            if missing and self._stored is not None:
                stored = self._stored(self._header.encoder, missing).items()
                rows |= {chunk: data for chunk, data in stored if len(data) == width * wanted[chunk]}
            self._kept |= rows
            for chunk in list(self._kept)[: max(0, len(self._kept) - _KEPT)]:
                del self._kept[chunk]
            if rows:
                yield list(rows.items())

    def _views(self, allowed: Chunks | None) -> list[ShardView]:
        flags = [~dead for dead in self._dead] if allowed is None else self._allowed_flags(allowed)
        return [
            ShardView(part, None if some.all() else some)
            for part, some in zip(self._shards.values(), flags, strict=True)
        ]

    def _allowed_flags(self, allowed: Chunks) -> list[Flags]:
        """Return a flag for each run of each shard; cached for the last frozen set."""
        if isinstance(allowed, frozenset) and allowed == self._allowed:
            return self._allowed_runs
        wanted = allowed if isinstance(allowed, np.ndarray) else np.fromiter(allowed, np.int64, len(allowed))
        known = np.zeros(int(wanted.max(initial=0)) + 2, np.bool_)
        known[wanted] = True
        last = len(known) - 1  # stands for all other chunks
        pairs = zip(self._shards.values(), self._dead, strict=True)
        flags = [known[np.minimum(part.runs["chunk"], last)] & ~dead for part, dead in pairs]
        if isinstance(allowed, frozenset):
            self._allowed, self._allowed_runs = allowed, flags
        return flags
