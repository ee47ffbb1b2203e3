"""Reads the vector files as published at the last `refresh`, memory-mapped."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.shards import (
    Bits,
    Flags,
    Runs,
    Shard,
    ShardHeader,
    ShardPart,
    ShardRecord,
    file_errors,
    is_intact,
    read_dead,
    read_header,
    shard_file,
    sign_bits,
    verified_part,
)
from desktop_rag.index.vectors.vector_codes import Codes, Floats, dequantise
from desktop_rag.stop import Stop

# Nearest-neighbour search: brute force over few rows, else re-ranking of candidates chosen by their sign bits.
#
# Of many rows, the candidates are those whose sign bits differ least from the query's (Hamming distance), 8 times
# faster than multiplying; some thousands of them are then compared by their codes. Arrays are processed in blocks that
# fit the processor's cache; a `Stop` ends the search between two blocks.

EXACT_ROWS = 50_000  # up to this many allowed rows are all compared
CANDIDATES = 8_000  # rows chosen by their sign bits
_PER_CHUNK = 8  # at least this many candidates for each chunk of the limit
_BLOCK = 1_024  # rows converted and multiplied at a time
_BITS_BLOCK = 65_536  # rows whose bits are compared at a time
_LOOK = 16  # blocks between two checks of the stop
_SAMPLE = 16  # one of this many distances is sampled to choose the cut-off
_NEVER = 255

Numbers = npt.NDArray[np.int64]
SentenceHit = tuple[ChunkId, int, float]  # chunk, number of its best sentence, cosine


@dataclass(frozen=True, slots=True)
class ShardView:
    """The published rows of a shard; `allowed` (a flag for each run) is None if all are allowed."""

    runs: Runs
    scales: Floats
    bits: Bits
    codes: Codes
    allowed: npt.NDArray[np.bool_] | None

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.scales)

    def allowed_rows(self) -> int:
        """Return how many rows are allowed."""
        if self.allowed is None:
            return self.rows
        return int(self.runs["count"][self.allowed].sum(dtype=np.int64))

    def row_flags(self) -> npt.NDArray[np.bool_] | None:
        """Return which rows are allowed; None for all."""
        return None if self.allowed is None else np.repeat(self.allowed, self.runs["count"])


class _Scored(NamedTuple):
    """Some rows of a shard, ascending, with their cosines."""

    view: ShardView
    rows: Numbers
    scores: Floats


def nearest(views: Sequence[ShardView], direction: Floats, limit: int, stop: Stop | None = None) -> list[SentenceHit]:
    """Return the chunks whose best sentence is nearest to `direction`, a vector of length one; may raise `Stopped`."""
    count = sum(view.allowed_rows() for view in views)
    wanted = max(CANDIDATES, _PER_CHUNK * limit)
    while count > max(EXACT_ROWS, 2 * wanted):
        picked = _nearest_by_signs(views, direction, wanted, stop)
        found = _best([_scored(view, rows, direction, stop) for view, rows in zip(views, picked, strict=True)], limit)
        if len(found) >= limit:
            return found
        wanted *= 4
    return _best([_scored(view, _allowed_rows(view), direction, stop) for view in views], limit)


def _best(scored: Sequence[_Scored], limit: int) -> list[SentenceHit]:
    """Return the best row of each of the best `limit` chunks."""
    parts = [part for part in scored if len(part.rows)]
    if not parts or limit < 1:
        return []
    runs = [_runs_of(part.view, part.rows) for part in parts]
    scores = np.concatenate([part.scores for part in parts])
    # No run spans two shards: a run begins where the run number changes, and where a shard begins.
    begins = [np.concatenate([[True], np.diff(run) != 0]) for run in runs]
    firsts = np.flatnonzero(np.concatenate(begins))
    best = np.maximum.reduceat(scores, firsts)
    sizes = np.diff(np.append(firsts, len(scores)))
    equal = np.flatnonzero(scores == np.repeat(best, sizes))
    at = equal[np.searchsorted(equal, firsts)]  # the first best sentence of each run
    chunks = np.concatenate([part.view.runs["chunk"][run] for part, run in zip(parts, runs, strict=True)])[at]
    numbers = (part.rows - part.view.runs["first"][run] for part, run in zip(parts, runs, strict=True))
    ordinals = np.concatenate(list(numbers))[at]
    top = np.arange(len(best)) if limit >= len(best) else np.argpartition(-best, limit)[:limit]
    top = top[np.lexsort((chunks[top], -best[top]))]
    found = zip(chunks[top].tolist(), ordinals[top].tolist(), best[top].tolist(), strict=True)
    return [(ChunkId(chunk), ordinal, score) for chunk, ordinal, score in found]


def _runs_of(view: ShardView, rows: Numbers) -> Numbers:
    """Return the number of the run to which each row belongs."""
    if len(rows) == view.rows:
        return np.repeat(np.arange(len(view.runs)), view.runs["count"])
    return np.searchsorted(view.runs["first"], rows, side="right") - 1


def _allowed_rows(view: ShardView) -> Numbers:
    flags = view.row_flags()
    return np.arange(view.rows) if flags is None else np.flatnonzero(flags)


def _scored(view: ShardView, rows: Numbers, direction: Floats, stop: Stop | None) -> _Scored:
    """Compare rows of a shard by their codes."""
    scores = np.empty(len(rows), np.float32)
    block = np.empty((min(_BLOCK, len(rows)), len(direction)), np.float32)
    taken = np.empty(block.shape, np.int8)
    whole = len(rows) == view.rows
    for start in range(0, len(rows), _BLOCK):
        if stop is not None and not start % (_LOOK * _BLOCK):
            stop.check()
        end = min(len(rows), start + _BLOCK)
        codes = view.codes[start:end] if whole else taken[: end - start]
        if not whole:  # without the mode, numpy fills a copy of the output
            view.codes.take(rows[start:end], axis=0, out=codes, mode="clip")
        np.copyto(block[: end - start], codes)
        np.dot(block[: end - start], direction, out=scores[start:end])
    scores *= view.scales[: len(rows)] if whole else view.scales[rows]
    return _Scored(view, rows, scores)


def _nearest_by_signs(views: Sequence[ShardView], direction: Floats, wanted: int, stop: Stop | None) -> list[Numbers]:
    """Return about `wanted` of the allowed rows, those whose signs differ least."""
    signs = sign_bits(np.sign(direction).astype(np.int8)[None])[:, 0]
    distances = [_distances(view, signs, stop) for view in views]
    sample = np.concatenate([some[::_SAMPLE] for some in distances])
    near = np.cumsum(np.bincount(sample, minlength=_NEVER + 1))
    # All rows at the cut-off distance are taken, even if only some of them are needed.
    farthest = min(int(np.searchsorted(near, wanted / _SAMPLE)), _NEVER - 1)
    return [np.flatnonzero(some <= farthest) for some in distances]


def _distances(view: ShardView, signs: Bits, stop: Stop | None) -> npt.NDArray[np.uint8]:
    """Return the Hamming distance of each row's signs; `_NEVER` for rows that are not allowed.

    Counted modulo 256: a row with nearly opposite signs may look near, but its codes reveal it.
    """
    if stop is not None:
        stop.check()
    distances = np.empty(view.rows, np.uint8)
    differing, counts = np.empty(_BITS_BLOCK, np.uint64), np.empty(_BITS_BLOCK, np.uint8)
    for start in range(0, view.rows, _BITS_BLOCK):
        end = min(view.rows, start + _BITS_BLOCK)
        for number, (word, sign) in enumerate(zip(view.bits, signs, strict=True)):
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


Chunks = AbstractSet[ChunkId] | npt.NDArray[np.int64]


class VectorReader:
    """Searches the vector files of a library; finds nothing without usable files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._header = ShardHeader()
        self._shards: dict[ShardRecord, tuple[Shard, ShardPart]] = {}
        self._dead: list[Flags] = []
        self._allowed: frozenset[ChunkId] | None = None  # the last allowed chunks, with …
        self._allowed_runs: list[Flags] = []  # … their runs

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the published vectors."""
        reader = cls(folder)
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
                shards = self._mapped(header)
                self._dead = read_dead(self._folder, header)
                self._header, self._shards, self._allowed = header, shards, None
                return True
        changed = self._header != ShardHeader()
        self.close()
        return changed

    def close(self) -> None:
        """Close the files."""
        self._header, self._shards, self._dead, self._allowed = ShardHeader(), {}, [], None

    def search(
        self, query: Floats, limit: int, allowed: Chunks | None = None, stop: Stop | None = None
    ) -> list[SentenceHit]:
        """Return the `limit` chunks of those `allowed` with the nearest sentence, best first; may raise `Stopped`."""
        length = float(np.linalg.norm(query))
        if not self._header.live or not length or limit < 1:
            return []
        return nearest(self._views(allowed), np.asarray(query / length, np.float32), limit, stop)

    def vectors_of(self, chunks: Iterable[ChunkId]) -> Iterator[tuple[ChunkId, Floats]]:
        """Yield the vectors (n, dimensions) of the sentences of each of these chunks that has any."""
        wanted = np.fromiter(chunks, np.int64)
        for part, flags in zip(self._parts(), self._allowed_flags(wanted), strict=True):
            for chunk, first, count in part.runs[flags].tolist():
                rows = slice(first, first + count)
                yield ChunkId(chunk), dequantise(part.scales[rows], part.codes[rows])

    def chunks(self) -> dict[ChunkId, int]:
        """Return every chunk that has vectors, with the number of its vectors."""
        found: dict[ChunkId, int] = {}
        for part, dead in zip(self._parts(), self._dead, strict=True):
            runs = part.runs[~dead]
            found.update(zip(map(ChunkId, runs["chunk"].tolist()), runs["count"].tolist(), strict=True))
        return found

    def all_rows(self) -> Generator[tuple[ChunkId, ShardPart]]:
        """Yield every chunk with its rows, in the order of the files."""
        for part, dead in zip(self._parts(), self._dead, strict=True):
            for run in np.flatnonzero(~dead):
                chunk, first, count = part.runs[run].tolist()
                rows = slice(first, first + count)
                yield ChunkId(chunk), ShardPart(part.runs[run : run + 1], part.scales[rows], part.codes[rows])

    def damaged(self) -> Sequence[str]:
        """Return the names of the files whose checksums are wrong; reads all of them."""
        return [
            shard_file(self._folder, record.name).name
            for record, (shard, _) in self._shards.items()
            if not is_intact(shard, record.rows, record.runs, record.sums)
        ]

    def _mapped(self, header: ShardHeader) -> dict[ShardRecord, tuple[Shard, ShardPart]]:
        """Map the shards of a header, reusing mapped ones; verifies the checksums of new runs only."""
        known = {record.name: shard for record, (shard, _) in self._shards.items()}
        mapped = {}
        for record in header.shards:
            shard = known.get(record.name) or Shard(shard_file(self._folder, record.name), header.layout)
            mapped[record] = self._shards.get(record) or (
                shard,
                verified_part(shard, record.rows, record.runs, record.sums),
            )
        return mapped

    def _parts(self) -> list[ShardPart]:
        return [part for _, part in self._shards.values()]

    def _views(self, allowed: Chunks | None) -> list[ShardView]:
        flags = [~dead for dead in self._dead] if allowed is None else self._allowed_flags(allowed)
        return [
            ShardView(part.runs, part.scales, shard.bits[:, : part.rows], part.codes, None if some.all() else some)
            for (shard, part), some in zip(self._shards.values(), flags, strict=True)
        ]

    def _allowed_flags(self, allowed: Chunks) -> list[Flags]:
        """Return a flag for each run of each shard; cached for the last frozen set."""
        if isinstance(allowed, frozenset) and allowed == self._allowed:
            return self._allowed_runs
        wanted = allowed if isinstance(allowed, np.ndarray) else np.fromiter(allowed, np.int64, len(allowed))
        known = np.zeros(int(wanted.max(initial=0)) + 2, np.bool_)
        known[wanted] = True
        last = len(known) - 1  # stands for all other chunks
        pairs = zip(self._parts(), self._dead, strict=True)
        flags = [known[np.minimum(part.runs["chunk"], last)] & ~dead for part, dead in pairs]
        if isinstance(allowed, frozenset):
            self._allowed, self._allowed_runs = allowed, flags
        return flags
