"""The header of the vector files: names the shards and counts their published rows.

Rows are appended after the published ones, synced, and only then counted by a new header that replaces the old one by
a rename. A crash leaves a tail that no header counts. Removed runs are marked in a bitmap in a separate file, so a
header never names anything half written.
"""

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
from desktop_rag.index.vectors.shards import ShardLayout, sync
from desktop_rag.processes.shortage import is_shortage

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
