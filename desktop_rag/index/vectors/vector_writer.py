"""Writes the vector files: appends and removes rows, publishes atomically, rebuilds beside the published files."""

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np

from desktop_rag.errors import OutOfMemory
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.shards import (
    CAPACITY,
    RUN,
    Flags,
    Runs,
    ShardFile,
    ShardHeader,
    ShardPart,
    ShardRecord,
    checksums,
    file_errors,
    fresh_name,
    is_intact,
    mapped_part,
    read_dead,
    read_header,
    shard_file,
    sweep,
    write_dead,
    write_header,
)
from desktop_rag.index.vectors.vector_codes import row_type, signs_of
from desktop_rag.paths import durable_folder
from desktop_rag.processes.shortage import is_shortage

# Compaction: rewrites shards with many removed rows and merges small ones, a few rows at a time.

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
        self, picked: Sequence[int], name: str, sources: Sequence[tuple[ShardPart, Flags]], target: ShardFile
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
        part, alive = self._sources[0]
        runs = part.runs
        ends = np.cumsum(np.where(alive, runs["count"], 0)[self._done :])
        end = self._done + max(1, int(np.searchsorted(ends, STEP, side="right")))
        picked = self._done + np.flatnonzero(alive[self._done : end])
        if len(picked):
            self._take(part, runs[picked])
            self._taken += (self._before + picked).tolist()
        self._done = end
        if end >= len(runs):
            self._before += len(runs)
            self._sources.pop(0)
            self._done = 0
        return True

    def _take(self, source: ShardPart, runs: Runs) -> None:
        counts = runs["count"].astype(np.int64)
        starts = np.repeat(runs["first"] - (np.cumsum(counts) - counts), counts)
        rows = starts + np.arange(counts.sum())
        moved = runs.copy()
        moved["first"] = self.record.rows + np.cumsum(counts) - counts
        part = ShardPart(moved, source.signs[rows])
        record = self.record
        self._target.write(record.rows, record.runs, part)
        self.record = replace(
            record,
            rows=record.rows + len(rows),
            runs=record.runs + len(moved),
            sums=checksums(part, before=record.sums),
        )
        self.runs = np.concatenate([self.runs, moved])


class VectorWriter:
    """The one writer; nothing is visible to readers, or survives a crash, before `publish`.

    Writes add to what is published; after `begin_rebuild` they go to new files, which replace it at `publish_rebuild`.
    """

    def __init__(self, folder: Path, header: ShardHeader, runs: list[Runs], dead: list[Flags]) -> None:
        self._folder = folder
        self._header = header  # as of the next `publish`
        self._runs = runs  # of each shard …
        self._dead = dead  # … and which are removed
        self._dead_changed = False
        self._tail: ShardFile | None = None
        self._rebuilding = False
        self._unverified: list[ShardRecord] = list(header.shards)
        self._compaction: ShardCompaction | None = None

    @classmethod
    def open(cls, folder: Path, encoder: str, dimensions: int, lineage: str, capacity: int = CAPACITY) -> Self:
        """Open the vectors of this encoder and catalog.

        Without usable ones the writer starts empty with the watermark (0, lineage), and everything must be appended.
        Published files of the same catalog stay searchable until the new ones have caught up, see `publish_rebuild`.
        """
        with file_errors("opened"):
            durable_folder(folder)
            header = read_header(folder)
            if header is not None and (header.encoder, header.lineage, header.dimensions) == (
                encoder,
                lineage,
                dimensions,
            ):
                try:
                    runs = [mapped_part(folder, header, shard).runs.copy() for shard in header.shards]
                    dead = read_dead(folder, header)
                    sweep(folder, header)
                    return cls(folder, header, runs, dead)
                except (OSError, ValueError) as error:
                    if is_shortage(error):
                        raise OutOfMemory("Memory is too short to open the vectors. Close other programs.") from error
            useful = header is not None and header.lineage == lineage and header.encoder != encoder
            fresh = ShardHeader(encoder=encoder, lineage=lineage, dimensions=dimensions, capacity=capacity)
            writer = cls(folder, fresh, [], [])
            writer._rebuilding = useful
            if not useful:
                write_header(folder, fresh)
                sweep(folder, fresh)
        return writer

    @property
    def encoder(self) -> str:
        """Return the id of the encoder of the vectors."""
        return self._header.encoder

    @property
    def watermark(self) -> Watermark:
        """Return the last change of the catalog that the vectors contain."""
        return Watermark(self._header.sequence, self._header.lineage)

    def begin_rebuild(self) -> None:
        """Start new, empty files; the published ones stay searchable until `publish_rebuild`."""
        self.close()
        old = self._header
        self._header = ShardHeader(
            encoder=old.encoder, lineage=old.lineage, dimensions=old.dimensions, capacity=old.capacity
        )
        self._runs, self._dead, self._dead_changed, self._unverified = [], [], False, []
        self._rebuilding = True

    def append(self, chunks: Sequence[tuple[ChunkId, bytes]]) -> None:
        """Append the rows of all sentences of each chunk, in order, in the form the catalog stores them."""
        with file_errors("written"):
            waiting: list[tuple[ChunkId, bytes]] = []
            room = self._room()
            for chunk, data in chunks:
                count = len(data) // self._row_bytes
                if count > self._header.capacity:
                    raise ValueError(f"chunk {chunk} has {count} sentences")
                if count > room:
                    self._write(waiting)
                    self._begin_shard()
                    waiting, room = [], self._header.capacity
                waiting.append((chunk, data))
                room -= count
            self._write(waiting)

    def remove(self, chunks: Iterable[ChunkId]) -> None:
        """Mark all sentences of these chunks as removed; unknown chunks are ignored."""
        wanted = np.fromiter(chunks, np.int64)
        if not len(wanted):
            return
        for runs, dead in zip(self._runs, self._dead, strict=True):
            gone = np.isin(runs["chunk"], wanted) & ~dead
            if gone.any():
                dead |= gone
                self._dead_changed = True

    def publish(self, sequence: int) -> None:
        """Make everything done so far visible to readers, as the state of the catalog at change `sequence`."""
        with file_errors("written"):
            if self._tail is not None:
                self._tail.sync()
            header = replace(self._header, sequence=sequence, live=self._live())
            if self._rebuilding:
                self._header = header
                return
            self._publish_header(header)

    def publish_rebuild(self) -> bool:
        """Replace the published files by the rebuilt ones; return False if there is no rebuild."""
        if not self._rebuilding:
            return False
        with file_errors("written"):
            self._dead_changed = any(dead.any() for dead in self._dead)
            self._publish_header(self._header)
            self._rebuilding = False
            sweep(self._folder, self._header)
        return True

    def verify_some(self) -> bool | None:
        """Verify the checksums of one shard that existed at the start; None once all have been verified."""
        if not self._unverified:
            return None
        return is_intact(self._folder, self._header, self._unverified.pop())

    def compact_some(self) -> bool:
        """Take a step of compaction; return whether there is more to do.

        Everything appended or removed must have been published.
        """
        if self._rebuilding:
            return False
        with file_errors("written"):
            if self._compaction is None:
                self._compaction = self._planned_compaction()
            if self._compaction is None:
                return False
            if self._compaction.step():
                return True
            move, self._compaction = self._compaction, None
            self._replace_compacted(move)
        return True

    def zero_removed(self) -> bool:
        """Overwrite removed rows with zeros; return False during a rebuild, where that is not possible."""
        if self._rebuilding:
            return False
        with file_errors("written"):
            self.close()
            shards = list(self._header.shards)
            for index, record in enumerate(shards):
                if self._dead[index].any():
                    shards[index] = self._zeroed(record, self._runs[index][self._dead[index]])
            self._publish_header(replace(self._header, shards=tuple(shards)))
            sweep(self._folder, self._header)
        return True

    def close(self) -> None:
        """Close the files; unpublished changes are lost."""
        if self._tail is not None:
            self._tail.close()
        if self._compaction is not None:
            self._compaction.close()
        self._tail = self._compaction = None

    @property
    def _row_bytes(self) -> int:
        return row_type(self._header.dimensions).itemsize

    def _room(self) -> int:
        """Return how many rows fit into the last shard."""
        return self._header.capacity - self._header.shards[-1].rows if self._header.shards else 0

    def _begin_shard(self) -> None:
        if self._tail is not None:
            self._tail.sync()
            self._tail.close()
        name = fresh_name()
        self._tail = None
        self._tail = ShardFile(shard_file(self._folder, name), self._header.layout)
        self._header = replace(self._header, shards=(*self._header.shards, ShardRecord(name)))
        self._runs.append(np.empty(0, RUN))
        self._dead.append(np.empty(0, np.bool_))

    def _write(self, chunks: Sequence[tuple[ChunkId, bytes]]) -> None:
        """Append rows that fit into the last shard."""
        if not chunks:
            return
        header, last = self._header, self._header.shards[-1]
        rows = np.frombuffer(b"".join(data for _, data in chunks), row_type(header.dimensions))
        runs = np.empty(len(chunks), RUN)
        runs["chunk"] = [chunk for chunk, _ in chunks]
        runs["count"] = [len(data) // self._row_bytes for _, data in chunks]
        runs["first"] = last.rows + np.cumsum(runs["count"]) - runs["count"]
        part = ShardPart(runs, signs_of(rows["codes"]))
        try:
            if self._tail is None:
                self._tail = ShardFile(shard_file(self._folder, last.name), header.layout)
            self._tail.write(last.rows, last.runs, part)
        except OSError:
            self.close()
            raise
        grown = replace(
            last, rows=last.rows + len(rows), runs=last.runs + len(runs), sums=checksums(part, before=last.sums)
        )
        self._header = replace(header, shards=(*header.shards[:-1], grown))
        self._runs[-1] = np.concatenate([self._runs[-1], runs])
        self._dead[-1] = np.concatenate([self._dead[-1], np.zeros(len(runs), np.bool_)])

    def _zeroed(self, record: ShardRecord, removed: Runs) -> ShardRecord:
        with closing(ShardFile(shard_file(self._folder, record.name), self._header.layout)) as file:
            for _, first, count in removed.tolist():
                file.zero(first, count)
            file.sync()
        return replace(record, sums=checksums(mapped_part(self._folder, self._header, record)))

    def _live(self) -> int:
        pairs = zip(self._runs, self._dead, strict=True)
        return int(sum(runs["count"][~dead].sum(dtype=np.int64) for runs, dead in pairs))

    def _publish_header(self, header: ShardHeader) -> None:
        """Publish a header with the current bitmap of removed runs."""
        old = self._header.dead
        if self._dead_changed:
            name, total = write_dead(self._folder, self._dead)
            header = replace(header, dead=name, dead_sum=total)
        write_header(self._folder, header)
        self._header, self._dead_changed = header, False
        if old and old != header.dead:
            with suppress(OSError):
                (self._folder / old).unlink()

    def _planned_compaction(self) -> ShardCompaction | None:
        sealed = self._header.shards[:-1]
        alive = [~dead for dead in self._dead]
        live = [int(runs["count"][flags].sum()) for runs, flags in zip(self._runs, alive, strict=True)]
        picked = plan_compaction(sealed, live, self._header.capacity)
        if not picked:
            return None
        sources = [(mapped_part(self._folder, self._header, sealed[index]), alive[index]) for index in picked]
        name = fresh_name()
        return ShardCompaction(picked, name, sources, ShardFile(shard_file(self._folder, name), self._header.layout))

    def _replace_compacted(self, move: ShardCompaction) -> None:
        """Replace the compacted shards by the new one and publish that."""
        header = self._header
        gone = np.concatenate([self._dead[index] for index in move.picked])[move.taken]
        kept = [index for index in range(len(header.shards)) if index not in move.picked]
        shards = [header.shards[index] for index in kept]
        runs, dead = [self._runs[index] for index in kept], [self._dead[index] for index in kept]
        if move.record.rows:  # before the last one, which is still growing
            shards.insert(-1, move.record)
            runs.insert(-1, move.runs)
            dead.insert(-1, gone)
        self._runs, self._dead, self._dead_changed = runs, dead, True
        self._unverified = [record for record in self._unverified if record in shards]
        self._publish_header(replace(header, shards=tuple(shards), live=self._live()))
        sweep(self._folder, self._header)
