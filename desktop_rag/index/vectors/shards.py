"""A shard: an append-only, memory-mapped file of the signs of sentence vectors.

It has two parts: sign bits (one column for each 64 dimensions), preallocated for `capacity` rows, and runs (the rows of
each chunk's sentences, in order). Anything beyond what the header counts is meaningless.
"""

import mmap
import os
import secrets
import sys
import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryError, OutOfMemory
from desktop_rag.index.vectors.vector_codes import Signs
from desktop_rag.processes.shortage import is_shortage

# Syncs files to the disk, so that after a power failure they contain what a header counts.


def sync(path: Path) -> None:
    """Sync a file or folder."""
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        sync_data(handle)
    finally:
        os.close(handle)


def sync_data(handle: int) -> None:
    """Sync the data of an open file."""
    if sys.platform == "linux":
        os.fdatasync(handle)
    else:
        os.fsync(handle)


CAPACITY = 65_536  # rows; 3 MB with 384 dimensions
RUN = np.dtype([("chunk", "<i8"), ("first", "<u4"), ("count", "<u4")])

Runs = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class ShardLayout:
    """The offsets of the parts of a shard."""

    capacity: int
    dimensions: int

    @property
    def words(self) -> int:
        """Return how many 64-bit words the signs of one vector take."""
        return -(-self.dimensions // 64)

    @property
    def runs(self) -> int:
        """Return the offset of the runs; the sign bits begin at 0."""
        return 8 * self.words * self.capacity


@dataclass(frozen=True, slots=True)
class ShardPart:
    """Some rows of a shard, either its first ones or rows to append; `runs` count from the shard's first row."""

    runs: Runs
    signs: Signs


class ShardFile:
    """A shard being written."""

    def __init__(self, path: Path, layout: ShardLayout) -> None:
        self._layout = layout
        self._file = path.open("r+b" if path.exists() else "x+b", buffering=0)
        if self._file.seek(0, os.SEEK_END) < layout.runs:
            self._file.truncate(layout.runs)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, row: int, run: int, part: ShardPart) -> None:
        """Write rows from row number `row` and run number `run` on; idempotent."""
        layout = self._layout
        for word, column in enumerate(part.signs.T):
            self._put(8 * (word * layout.capacity + row), column)
        self._put(layout.runs + run * RUN.itemsize, part.runs)

    def zero(self, row: int, count: int) -> None:
        """Overwrite some rows with zeros."""
        self.write(row, 0, ShardPart(np.empty(0, RUN), np.zeros((count, self._layout.words), "<u8")))

    def sync(self) -> None:
        """Sync the file."""
        sync_data(self._file.fileno())

    def _put(self, offset: int, values: npt.NDArray[np.generic]) -> None:
        data = _bytes(values)
        self._file.seek(offset)
        while len(data):
            data = data[self._file.write(data) or 0 :]


def checksums(part: ShardPart, before: Sequence[int] = (0, 0)) -> tuple[int, int]:
    """Return the CRC-32 of runs and sign bits, continuing `before`."""
    return zlib.crc32(_bytes(part.runs), before[0]), zlib.crc32(_bytes(part.signs), before[1])


def _bytes(values: npt.NDArray[np.generic]) -> memoryview:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data


# The header of the vector files: names the shards and counts their published rows.
#
# Rows are appended after the published ones, synced, and only then counted by a new header that replaces the old one by
# a rename. A crash leaves a tail that no header counts. Removed runs are marked in a bitmap in a separate file, so a
# header never names anything half written.

FORMAT = 3
HEADER = "header.json"
SHARD, DEAD, NEW = ".shard", ".dead", ".new"

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """The published part of a shard, with its checksums."""

    name: str
    rows: int = 0
    runs: int = 0
    sums: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ShardHeader:
    """The published shards (the last one grows), without the runs marked in the file `dead`."""

    format: int = FORMAT
    encoder: str = ""
    lineage: str = ""
    sequence: int = 0
    dimensions: int = 0
    capacity: int = 0
    live: int = 0  # rows that are not removed
    dead: str = ""
    dead_sum: int = 0
    shards: tuple[ShardRecord, ...] = ()

    @property
    def layout(self) -> ShardLayout:
        """Return the layout of its shards."""
        return ShardLayout(self.capacity, self.dimensions)


@dataclass(frozen=True, slots=True)
class _Sealed:
    header: msgspec.Raw
    sum: int


@contextmanager
def file_errors(doing: str) -> Generator[None]:
    """Turn errors of the file system into `LibraryError`."""
    try:
        yield
    except OSError as error:
        kind = OutOfMemory if is_shortage(error) else LibraryError
        raise kind(f"The vectors could not be {doing}: {error.strerror or error}.") from error


def read_header(folder: Path) -> ShardHeader | None:
    """Return the header; None if it is missing, damaged or of another format; raise OSError if memory is short."""
    try:
        sealed = decode_json((folder / HEADER).read_bytes(), _Sealed)
        if zlib.crc32(sealed.header) != sealed.sum:
            return None
        header = decode_json(sealed.header, ShardHeader)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    except OSError as error:
        if is_shortage(error):
            raise
        return None
    return header if header.format == FORMAT else None


def write_header(folder: Path, header: ShardHeader) -> None:
    """Publish a header, atomically and durably."""
    data = msgspec.json.encode(header)
    fresh = folder / (HEADER + NEW)
    fresh.write_bytes(msgspec.json.encode(_Sealed(msgspec.Raw(data), zlib.crc32(data))))
    sync(fresh)
    fresh.replace(folder / HEADER)
    if sys.platform != "win32":
        sync(folder)


def shard_file(folder: Path, name: str) -> Path:
    """Return the file of a shard."""
    return folder / (name + SHARD)


def mapped_part(folder: Path, header: ShardHeader, record: ShardRecord) -> ShardPart:
    """Map the published rows and runs of a shard; its signs are columns.

    Raise OSError if the file is missing, ValueError if it is too short or the checksum of the runs is wrong.
    """
    with shard_file(folder, record.name).open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    layout, rows = header.layout, header.capacity
    columns = np.frombuffer(data, "<u8", layout.words * rows).reshape(layout.words, rows)
    runs = np.frombuffer(data, RUN, record.runs, layout.runs)
    if zlib.crc32(_bytes(runs)) != record.sums[0]:
        raise ValueError("the runs have a wrong checksum")
    return ShardPart(runs, columns[:, : record.rows].T)


def is_intact(folder: Path, header: ShardHeader, record: ShardRecord) -> bool:
    """Return whether the checksums of a shard are right; reads all of it."""
    try:
        return checksums(mapped_part(folder, header, record)) == record.sums
    except (OSError, ValueError):
        return False


def read_dead(folder: Path, header: ShardHeader) -> list[Flags]:
    """Return which runs of each shard are removed; runs newer than the bitmap are not.

    Raise OSError if the file is missing, ValueError if its checksum is wrong.
    """
    counts = [shard.runs for shard in header.shards]
    if not header.dead:
        return [np.zeros(count, np.bool_) for count in counts]
    marks = (folder / header.dead).read_bytes()
    if zlib.crc32(marks) != header.dead_sum:
        raise ValueError(f"{header.dead} has a wrong checksum")
    flags = np.zeros(sum(counts), np.bool_)
    known = np.unpackbits(np.frombuffer(marks, np.uint8))[: len(flags)]
    flags[: len(known)] = known
    return [part.copy() for part in np.split(flags, np.cumsum(counts)[:-1])] if counts else []


def write_dead(folder: Path, dead: Sequence[Flags]) -> tuple[str, int]:
    """Write the bitmap of removed runs to a new file; return its name and checksum."""
    name = fresh_name() + DEAD
    marks = np.packbits(np.concatenate(dead)).tobytes()
    (folder / name).write_bytes(marks)
    sync(folder / name)
    return name, zlib.crc32(marks)


def fresh_name() -> str:
    """Return a new, random file name."""
    return secrets.token_hex(8)


def sweep(folder: Path, header: ShardHeader) -> None:
    """Delete files that `header` does not name; those a reader still has open are left for the next sweep."""
    keep = {HEADER, header.dead, *(shard.name + SHARD for shard in header.shards)}
    for path in folder.iterdir():
        if path.name not in keep:
            with suppress(OSError):
                path.unlink()
