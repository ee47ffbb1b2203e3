"""Rewrites shards with many removed rows, and joins small ones, a few rows at a time."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from desktop_rag.index.vectors.shard_header import Flags, ShardRecord
from desktop_rag.index.vectors.shards import RUN, Runs, Shard, ShardFile, ShardPart, checksums

DEAD_SHARE = 0.25  # of a shard's rows; with more it is rewritten
STEP = 8_192  # rows


def planned(sealed: Sequence[ShardRecord], live: Sequence[int], capacity: int) -> list[int]:
    """Return the numbers of the shards to make one of: they have many removed rows, or are small; none if it is no use.

    `sealed` are those that do not grow any more, `live` their rows that are not removed.
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


class Move:
    """The rewriting of some shards, `picked` by their numbers, into a new one.

    When it is over, `taken` are the runs that were taken, counted over the picked shards one behind the other.
    """

    def __init__(
        self, picked: Sequence[int], name: str, sources: Sequence[tuple[Shard, Runs, Flags]], target: ShardFile
    ) -> None:
        self.picked = tuple(picked)
        self.record = ShardRecord(name)
        self.runs: Runs = np.empty(0, RUN)
        self._sources = list(sources)
        self._target = target
        self._done = 0  # runs of the first source that have been looked at
        self._before = 0  # runs of the sources that are through
        self._taken: list[int] = []

    @property
    def taken(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Return which runs were taken."""
        return np.array(self._taken, np.intp)

    def close(self) -> None:
        """Give the move up; the file it was writing is swept away later."""
        self._target.close()

    def step(self) -> bool:
        """Take the next rows; return whether there are more, else the new shard is on the disk."""
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
