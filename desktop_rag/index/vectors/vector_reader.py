"""Reads the vector files as published at the last `refresh`, memory-mapped."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vectors.shards import (
    Flags,
    Shard,
    ShardHeader,
    ShardPart,
    ShardRecord,
    file_errors,
    is_intact,
    read_dead,
    read_header,
    shard_file,
    verified_part,
)
from desktop_rag.index.vectors.vector_codes import Floats, dequantise
from desktop_rag.index.vectors.vector_search import SentenceHit, ShardView, nearest
from desktop_rag.stop import Stop

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
