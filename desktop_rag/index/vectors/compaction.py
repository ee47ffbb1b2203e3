"""Compaction: rewrites shards with many removed rows and merges small ones, a few rows at a time."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from desktop_rag.index.vectors.shard_header import Flags, ShardRecord
from desktop_rag.index.vectors.shards import RUN, Runs, Shard, ShardFile, ShardPart, checksums

DEAD_SHARE = 0.25  # share of removed rows above which a shard is rewritten
STEP = 8_192  # rows


def plan_compaction(sealed: Sequence[ShardRecord], live: Sequence[int], capacity: int) -> list[int]:
    """Return the numbers of the shards to merge: those with many removed rows, and small ones; none if not worthwhile.

    `sealed` are the full shards, `live` their rows that are not removed.
    """
    worn = [index for index, shard in enumerate(sealed) if live[index] < (1 - DEAD_SHARE) * shard.rows]
    small = [index for index, _ in enumerate(sealed) if live[index] < capacity / 2 and index not in worn]
    picked: list[int] = []
    room = capacity
    for index in (*worn, *small):
        if live[index] <= room:
            picked.append(index)
            room -= live[index]
    useful = len(picked) > 1 or any(index in worn for index in picked)
    return sorted(picked) if useful else []


class ShardCompaction:
    """Rewrites the shards with the numbers `picked` into a new one.

    At the end, `taken` are the copied runs, numbered over all picked shards.
    """

    def __init__(
        self, picked: Sequence[int], name: str, sources: Sequence[tuple[Shard, Runs, Flags]], target: ShardFile
    ) -> None:
        self.picked = tuple(picked)
        self.record = ShardRecord(name)
        self.runs: Runs = np.empty(0, RUN)
        self._sources = list(sources)
        self._target = target
        self._done = 0  # processed runs of the first source
        self._before = 0  # runs of the finished sources
        self._taken: list[int] = []

    @property
    def taken(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Return which runs were copied."""
        return np.array(self._taken, np.intp)

    def close(self) -> None:
        """Cancel; the unfinished file is swept later."""
        self._target.close()

    def step(self) -> bool:
        """Copy the next rows; return whether there are more, else the new shard has been synced."""
        if not self._sources:
            self._target.sync()
            self._target.close()
            return False
        shard, runs, alive = self._sources[0]
        ends = np.cumsum(np.where(alive, runs["count"], 0)[self._done :])
        end = self._done + max(1, int(np.searchsorted(ends, STEP, side="right")))
        picked = self._done + np.flatnonzero(alive[self._done : end])
        if len(picked):
            self._take(shard, runs[picked])
            self._taken += (self._before + picked).tolist()
        self._done = end
        if end >= len(runs):
            self._before += len(runs)
            self._sources.pop(0)
            self._done = 0
        return True

    def _take(self, shard: Shard, runs: Runs) -> None:
        counts = runs["count"].astype(np.int64)
        starts = np.repeat(runs["first"] - (np.cumsum(counts) - counts), counts)
        rows = starts + np.arange(counts.sum())
        moved = runs.copy()
        moved["first"] = self.record.rows + np.cumsum(counts) - counts
        part = ShardPart(moved, shard.scales[rows], shard.codes[rows])
        record = self.record
        self._target.write(record.rows, record.runs, part)
        self.record = replace(
            record,
            rows=record.rows + part.rows,
            runs=record.runs + len(moved),
            sums=checksums(part, before=record.sums),
        )
        self.runs = np.concatenate([self.runs, moved])
