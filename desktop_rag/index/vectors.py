"""Sentence vectors on disk, and the exact search by cosine over all of them."""

from collections.abc import Generator, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import LibraryError
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.index.vector_files import (
    NO_ROWS,
    ROW,
    VECTOR_BYTES,
    Header,
    Rows,
    border,
    fresh_name,
    map_rows,
    read_dead,
    read_header,
    rows_file,
    sweep,
    sync,
    sync_data,
    vectors_file,
    write_dead,
    write_header,
)
from desktop_rag.paths import private_folder

BLOCK = 16_384  # rows multiplied at a time
DEAD_SHARE = 0.25  # of all rows; beyond it `publish` rewrites the files without them

Floats = npt.NDArray[np.float32]
Chunks = AbstractSet[ChunkId] | npt.NDArray[np.int64]


class VectorWriter:
    """The one writer; nothing is seen by readers, or survives a crash, before `publish`."""

    def __init__(self, folder: Path, header: Header, rows: npt.NDArray[np.void], dead: npt.NDArray[np.bool_]) -> None:
        self._folder = folder
        self._header = header
        self._rows = rows  # with room at its end
        self._dead = dead
        self._count = header.rows
        self._present = set(np.unique(rows["chunk"][: header.rows][~dead[: header.rows]]).tolist())
        self._dead_changed = False
        self._files: tuple[IO[bytes], IO[bytes]] | None = None

    @classmethod
    def open(cls, folder: Path, encoder_id: str, lineage: str) -> Self:
        """Open the vectors of this encoder and catalog.

        Files that are missing, damaged, or of another encoder or catalog are replaced by empty ones whose
        watermark is (0, lineage): everything must then be appended again.
        """
        with border("opened"):
            private_folder(folder)
            header = read_header(folder)
            if header is not None and (header.encoder, header.lineage) == (encoder_id, lineage):
                with suppress(OSError, ValueError):
                    rows = _read_rows(folder, header)
                    dead = read_dead(folder, header)
                    sweep(folder, header)
                    return cls(folder, header, rows, dead)
            header = Header(encoder=encoder_id, lineage=lineage, generation=fresh_name())
            write_header(folder, header)
            sweep(folder, header)
        return cls(folder, header, np.empty(0, ROW), np.empty(0, np.bool_))

    @property
    def watermark(self) -> Watermark:
        """Return how far the published vectors follow the catalog."""
        return Watermark(self._header.sequence, self._header.lineage)

    def append(self, chunk_ids: Sequence[ChunkId], ordinals: Sequence[int], vectors: Floats) -> None:
        """Write one row per sentence; `vectors` is (n, dimensions), each of length one."""
        if not len(chunk_ids):
            return
        if vectors.shape != (len(chunk_ids), self._header.dimensions or vectors.shape[1]):
            raise ValueError(f"{vectors.shape} does not fit {len(chunk_ids)} rows of {self._header.dimensions} numbers")
        rows = np.empty(len(chunk_ids), ROW)
        rows["chunk"] = chunk_ids
        rows["ordinal"] = ordinals
        self._header = replace(self._header, dimensions=vectors.shape[1])
        with border("written"), self._open_files() as (vector_file, row_file):
            # After a write that failed half way the next one begins at the same place.
            vector_file.seek(self._count * self._header.dimensions * VECTOR_BYTES)
            row_file.seek(self._count * ROW.itemsize)
            vector_file.write(np.ascontiguousarray(vectors, "<f4").data)
            row_file.write(rows.tobytes())
            vector_file.flush()
            row_file.flush()
        self._remember(rows)

    def remove(self, chunks: Iterable[ChunkId]) -> None:
        """Mark all sentences of these chunks as removed; unknown chunks are passed over."""
        gone = self._present.intersection(chunks)
        if not gone:
            return
        self._present -= gone
        wanted = np.fromiter(gone, np.int64, len(gone))
        self._dead[: self._count] |= np.isin(self._rows["chunk"][: self._count], wanted)
        self._dead_changed = True

    def publish(self, sequence: int) -> None:
        """Let readers see everything done so far, as the state of the catalog at change `sequence`."""
        with border("written"):
            for file in self._files or ():
                sync_data(file.fileno())
            dead = int(np.count_nonzero(self._dead[: self._count]))
            old = self._header
            header = replace(old, sequence=sequence, rows=self._count, live=self._count - dead)
            if self._dead_changed:
                header = replace(header, dead=write_dead(self._folder, self._dead[: self._count]))
            write_header(self._folder, header)
            self._header, self._dead_changed = header, False
            if old.dead and old.dead != header.dead:
                with suppress(OSError):
                    (self._folder / old.dead).unlink()
        if dead > DEAD_SHARE * self._count:
            with suppress(LibraryError):  # what matters is published; a disk too full for a copy may have room later
                self.compact()

    def compact(self) -> None:
        """Rewrite the published rows without the removed ones; appended rows must have been published."""
        with border("written"):
            old = map_rows(self._folder, self._header)
            live = np.flatnonzero(~old.dead)
            generation = fresh_name()
            with vectors_file(self._folder, generation).open("wb") as file:
                for start in range(0, len(live), BLOCK):
                    file.write(np.ascontiguousarray(old.vectors[live[start : start + BLOCK]]).data)
                file.flush()
                sync_data(file.fileno())
            rows = self._rows[: self._count][live]
            rows_file(self._folder, generation).write_bytes(rows.tobytes())
            sync(rows_file(self._folder, generation))
            header = replace(self._header, generation=generation, rows=len(rows), live=len(rows), dead="")
            write_header(self._folder, header)
            self.close()
            self._header, self._dead_changed = header, False
            self._rows, self._dead, self._count = rows, np.zeros(len(rows), np.bool_), len(rows)
            sweep(self._folder, header)

    def close(self) -> None:
        """Close the files; what was not published is forgotten."""
        for file in self._files or ():
            file.close()
        self._files = None

    @contextmanager
    def _open_files(self) -> Generator[tuple[IO[bytes], IO[bytes]]]:
        """Hand out the open files; after an error they are opened afresh, without what their buffers hold."""
        if self._files is None:
            header = self._header
            vector_file = _open_at(
                vectors_file(self._folder, header.generation), self._count * header.dimensions * VECTOR_BYTES
            )
            row_file = _open_at(rows_file(self._folder, header.generation), self._count * ROW.itemsize)
            self._files = (vector_file, row_file)
        try:
            yield self._files
        except OSError:
            with suppress(OSError):
                self.close()
            self._files = None
            raise

    def _remember(self, rows: npt.NDArray[np.void]) -> None:
        end = self._count + len(rows)
        if end > len(self._rows):
            room = max(end, 2 * len(self._rows), 1024)
            self._rows = np.concatenate([self._rows[: self._count], np.empty(room - self._count, ROW)])
            self._dead = np.concatenate([self._dead[: self._count], np.zeros(room - self._count, np.bool_)])
        self._rows[self._count : end] = rows
        self._dead[self._count : end] = False
        self._present.update(np.unique(rows["chunk"]).tolist())
        self._count = end


class VectorReader:
    """Searches what was published at the last `refresh`; without usable files it finds nothing."""

    def __init__(self, folder: Path, encoder_id: str | None = None) -> None:
        self._folder = folder
        self._encoder = encoder_id
        self._header = Header()
        self._rows = NO_ROWS
        self._allowed: frozenset[ChunkId] | None = None
        self._allowed_rows = np.empty(0, np.bool_)

    @classmethod
    def open(cls, folder: Path, encoder_id: str | None = None) -> Self:
        """Open the vectors; those of another encoder than `encoder_id` count as none."""
        reader = cls(folder, encoder_id)
        reader.refresh()
        return reader

    @property
    def rows(self) -> int:
        """Return the number of sentences that can be found."""
        return self._header.live

    @property
    def encoder_id(self) -> str:
        """Return which encoder made the vectors; empty if there are none."""
        return self._header.encoder

    @property
    def watermark(self) -> Watermark:
        """Return how far the vectors follow the catalog; (0, "") without any."""
        return Watermark(self._header.sequence, self._header.lineage)

    def refresh(self) -> bool:
        """Look for newly published vectors; return whether anything changed."""
        for _ in range(5):
            header = read_header(self._folder)
            if header is None or self._encoder not in {None, header.encoder}:
                header = Header()
            if header == self._header:
                return False
            with suppress(OSError, ValueError):  # compacted just now, or damaged
                self._rows = map_rows(self._folder, header)
                self._header = header
                self._allowed = None
                return True
        changed = self._header != Header()
        self.close()
        return changed

    def close(self) -> None:
        """Let go of the files."""
        self._header, self._rows, self._allowed = Header(), NO_ROWS, None

    def search(self, query: Floats, limit: int, allowed: Chunks | None = None) -> list[tuple[ChunkId, int, float]]:
        """Return the `limit` chunks (among the `allowed`) with the nearest sentence: (chunk, ordinal, cosine)."""
        direction = self._direction(query)
        if direction is None or limit < 1:
            return []
        rows = self._rows
        scores = np.empty(len(rows.chunks), np.float32)
        for start in range(0, len(scores), BLOCK):
            np.dot(rows.vectors[start : start + BLOCK], direction, out=scores[start : start + BLOCK])
        scores[rows.dead] = -np.inf
        if allowed is not None:
            scores[~self._rows_of(allowed)] = -np.inf
        return _best_per_chunk(rows, scores, limit)

    def sentence_scores(self, query: Floats, chunk: ChunkId) -> list[tuple[int, float]]:
        """Return (ordinal, cosine) of each sentence of `chunk` that has a vector, in the order of the text."""
        direction = self._direction(query)
        if direction is None:
            return []
        ordinals, vectors = self.vectors(chunk)
        return list(zip(ordinals.tolist(), (vectors @ direction).tolist(), strict=True))

    def vectors(self, chunk: ChunkId) -> tuple[npt.NDArray[np.int32], Floats]:
        """Return the ordinals and vectors (n, dimensions) of a chunk's sentences, in the order of the text."""
        rows = self._rows
        found = np.flatnonzero((rows.chunks == chunk) & ~rows.dead)
        found = found[np.argsort(rows.ordinals[found], kind="stable")]
        return rows.ordinals[found], np.asarray(rows.vectors[found])

    def all_vectors(self) -> Generator[tuple[ChunkId, npt.NDArray[np.int32], Floats]]:
        """Yield every chunk with what `vectors` returns of it, in one pass over all rows."""
        rows = self._rows
        live = np.flatnonzero(~rows.dead)
        order = live[np.lexsort((rows.ordinals[live], rows.chunks[live]))]
        for part in np.split(order, np.flatnonzero(np.diff(rows.chunks[order])) + 1):
            if len(part):
                yield ChunkId(int(rows.chunks[part[0]])), rows.ordinals[part], np.asarray(rows.vectors[part])

    def chunks(self) -> dict[ChunkId, int]:
        """Return every chunk that has vectors, with their number."""
        chunks, counts = np.unique(self._rows.chunks[~self._rows.dead], return_counts=True)
        return {ChunkId(chunk): count for chunk, count in zip(chunks.tolist(), counts.tolist(), strict=True)}

    def _direction(self, query: Floats) -> Floats | None:
        """Return the query with length one, None if there is nothing to compare."""
        length = float(np.linalg.norm(query))
        if not self._header.live or not length:
            return None
        return np.asarray(query / length, np.float32)

    def _rows_of(self, allowed: Chunks) -> npt.NDArray[np.bool_]:
        if isinstance(allowed, frozenset):
            if allowed != self._allowed:
                self._allowed, self._allowed_rows = allowed, self._is_in(np.fromiter(allowed, np.int64, len(allowed)))
            return self._allowed_rows
        return self._is_in(allowed if isinstance(allowed, np.ndarray) else np.fromiter(allowed, np.int64, len(allowed)))

    def _is_in(self, chunks: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        return np.isin(self._rows.chunks, chunks)


def _best_per_chunk(rows: Rows, scores: Floats, limit: int) -> list[tuple[ChunkId, int, float]]:
    """Return the best row of each of the best `limit` chunks; looks at more rows until there are enough chunks."""
    count = limit * 8
    while True:
        top = np.arange(len(scores)) if count >= len(scores) else np.argpartition(-scores, count)[:count]
        top = top[np.lexsort((rows.ordinals[top], rows.chunks[top], -scores[top]))]
        top = top[scores[top] > -np.inf]
        _, first = np.unique(rows.chunks[top], return_index=True)
        if len(first) >= limit or len(top) < count:
            best = top[np.sort(first)[:limit]]
            found = zip(rows.chunks[best].tolist(), rows.ordinals[best].tolist(), scores[best].tolist(), strict=True)
            return [(ChunkId(chunk), ordinal, score) for chunk, ordinal, score in found]
        count *= 4


def _read_rows(folder: Path, header: Header) -> npt.NDArray[np.void]:
    """Return which sentence each row is of; raise OSError or ValueError unless both files hold all of them."""
    if not header.rows:
        return np.empty(0, ROW)
    map_rows(folder, header)
    return np.fromfile(rows_file(folder, header.generation), ROW, header.rows)


def _open_at(path: Path, size: int) -> IO[bytes]:
    """Open a file for writing behind its first `size` bytes, cutting off what a crash left there."""
    path.touch()
    file = path.open("r+b")
    with suppress(OSError):  # Windows refuses while a reader maps the file; the tail is overwritten anyway
        file.truncate(size)
    return file
