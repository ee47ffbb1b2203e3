"""A shard: a preallocated, append-only, memory-mapped file of sentence vectors.

It has four parts, each for `capacity` rows: runs (the rows of each chunk's sentences, in order), scales, sign
bits (one column for each 64 dimensions), codes. Anything after the rows counted by the header is meaningless.
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
from desktop_rag.index.vectors.vector_codes import Codes, Floats, row_type
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


CAPACITY = 65_536  # rows; 29 MB with 384 dimensions
RUN = np.dtype([("chunk", "<i8"), ("first", "<u4"), ("count", "<u4")])

Bits = npt.NDArray[np.uint64]
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
    def scales(self) -> int:
        """Return the offset of the scales; the runs begin at 0."""
        return self.capacity * RUN.itemsize

    @property
    def bits(self) -> int:
        """Return the offset of the sign bits."""
        return self.scales + 4 * self.capacity

    @property
    def codes(self) -> int:
        """Return the offset of the codes."""
        return self.bits + 8 * self.words * self.capacity

    @property
    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self.codes + self.dimensions * self.capacity


@dataclass(frozen=True, slots=True)
class ShardPart:
    """Some rows of a shard, either its first ones or rows to append; `runs` count from the shard's first row."""

    runs: Runs
    scales: Floats
    codes: Codes

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.scales)

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return int(self.codes.shape[1])


class Shard:
    """The parts of a shard as arrays over the mapped file; (rows,) or (rows, dimensions), the bits (words, rows)."""

    def __init__(self, path: Path, layout: ShardLayout) -> None:
        """Map a file; raise OSError if it is missing, ValueError if it has the wrong size."""
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(data) != layout.size:
            raise ValueError(f"{path.name} has {len(data)} bytes instead of {layout.size}")
        rows, words = layout.capacity, layout.words
        self.runs = np.frombuffer(data, RUN, rows)
        self.scales = np.frombuffer(data, "<f4", rows, layout.scales)
        self.bits = np.frombuffer(data, "<u8", words * rows, layout.bits).reshape(words, rows)
        self.codes = np.frombuffer(data, np.int8, rows * layout.dimensions, layout.codes).reshape(rows, -1)

    def part(self, rows: int, runs: int) -> ShardPart:
        """Return the first rows and runs, unchecked."""
        return ShardPart(self.runs[:runs], self.scales[:rows], self.codes[:rows])


class ShardFile:
    """A shard being written."""

    def __init__(self, path: Path, layout: ShardLayout) -> None:
        self._layout = layout
        self._file = path.open("r+b" if path.exists() else "x+b", buffering=0)
        if self._file.seek(0, os.SEEK_END) != layout.size:
            self._file.truncate(layout.size)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def write(self, row: int, run: int, part: ShardPart) -> None:
        """Write rows from row number `row` and run number `run` on; idempotent."""
        layout = self._layout
        self._put(run * RUN.itemsize, part.runs)
        self._put(layout.scales + 4 * row, part.scales.astype("<f4", copy=False))
        self._put(layout.codes + layout.dimensions * row, part.codes)
        for word, column in enumerate(sign_bits(part.codes)):
            self._put(layout.bits + 8 * (word * layout.capacity + row), column)

    def zero(self, row: int, count: int) -> None:
        """Overwrite the scales, codes and sign bits of some rows with zeros."""
        layout = self._layout
        self._put(layout.scales + 4 * row, np.zeros(count, "<f4"))
        self._put(layout.codes + layout.dimensions * row, np.zeros(layout.dimensions * count, np.int8))
        for word in range(layout.words):
            self._put(layout.bits + 8 * (word * layout.capacity + row), np.zeros(count, "<u8"))

    def sync(self) -> None:
        """Sync the file."""
        sync_data(self._file.fileno())

    def _put(self, offset: int, values: npt.NDArray[np.generic]) -> None:
        data = _bytes(values)
        self._file.seek(offset)
        while len(data):
            data = data[self._file.write(data) or 0 :]


def sign_bits(codes: Codes) -> Bits:
    """Return (words, n): a bit for each positive code, in columns of 64 dimensions."""
    width = -(-codes.shape[1] // 64) * 8
    pack_rows = np.zeros((len(codes), width), np.uint8)
    signs = np.packbits(codes > 0, axis=1)
    pack_rows[:, : signs.shape[1]] = signs
    return np.ascontiguousarray(pack_rows.view("<u8").T)


def verified_part(shard: Shard, rows: int, runs: int, sums: Sequence[int]) -> ShardPart:
    """Return the first rows and runs; raise ValueError if the checksum of the runs is wrong."""
    part = shard.part(rows, runs)
    if zlib.crc32(_bytes(part.runs)) != sums[0]:
        raise ValueError("the runs have a wrong checksum")
    return part


def equals_rows(part: ShardPart, data: bytes) -> bool:
    """Return whether a part equals the given rows of the catalog."""
    rows = np.frombuffer(data, row_type(part.codes.shape[1]))
    return np.array_equal(rows["scale"], part.scales) and np.array_equal(rows["codes"], part.codes)


def checksums(part: ShardPart, before: Sequence[int] = (0, 0, 0)) -> tuple[int, int, int]:
    """Return the CRC-32 of runs, scales and codes (the sign bits follow from these), continuing `before`."""
    runs, scales, codes = before
    return (
        zlib.crc32(_bytes(part.runs), runs),
        zlib.crc32(_bytes(part.scales), scales),
        zlib.crc32(_bytes(part.codes), codes),
    )


def is_intact(shard: Shard, rows: int, runs: int, sums: Sequence[int]) -> bool:
    """Return whether the checksums of the first rows of a shard, and their sign bits, are right."""
    part = shard.part(rows, runs)
    if checksums(part) != tuple(sums):
        return False
    return np.array_equal(sign_bits(part.codes), shard.bits[:, :rows])


def _bytes(values: npt.NDArray[np.generic]) -> memoryview:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).data


# The header of the vector files: names the shards and counts their published rows.
#
# Rows are appended after the published ones, synced, and only then counted by a new header that replaces the old one by
# a rename. A crash leaves a tail that no header counts. Removed runs are marked in a bitmap in a separate file, so a
# header never names anything half written.

FORMAT = 2
HEADER = "header.json"
SHARD, DEAD, NEW = ".shard", ".dead", ".new"

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """The published part of a shard, with the checksums of its runs, scales and codes."""

    name: str
    rows: int = 0
    runs: int = 0
    sums: tuple[int, int, int] = (0, 0, 0)


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
