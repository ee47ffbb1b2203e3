"""The header of the vector files, which says what of them counts.

Rows are written behind the published ones, synced, and only then counted by a new header that replaces the old
one in one rename. A crash leaves a tail that no header counts. Removed runs are marked in a bitmap of their own
file, so a header never points at anything half written. All of it can be deleted and comes back from the catalog.
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

from desktop_rag.errors import LibraryError
from desktop_rag.index.vectors.fsync import sync
from desktop_rag.index.vectors.shards import ShardLayout

FORMAT = 2
HEADER = "header.json"
SHARD, DEAD, NEW = ".shard", ".dead", ".new"

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """What counts of a shard, with the checksums of its runs, scales and codes."""

    name: str
    rows: int = 0
    runs: int = 0
    sums: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class ShardHeader:
    """What counts: the shards, the last of which grows, without the runs that are marked in the file `dead`."""

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
        """Return how its shards are laid out."""
        return ShardLayout(self.capacity, self.dimensions)


@dataclass(frozen=True, slots=True)
class _Sealed:
    header: msgspec.Raw
    sum: int


@contextmanager
def border(doing: str) -> Generator[None]:
    """Turn errors of the file system into `LibraryError`."""
    try:
        yield
    except OSError as error:
        raise LibraryError(f"The vectors could not be {doing}: {error.strerror or error}.") from error


def read_header(folder: Path) -> ShardHeader | None:
    """Return the header, or None if there is none that is whole and of this format."""
    try:
        sealed = msgspec.json.decode((folder / HEADER).read_bytes(), type=_Sealed)
        if zlib.crc32(sealed.header) != sealed.sum:
            return None
        header = msgspec.json.decode(sealed.header, type=ShardHeader)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return header if header.format == FORMAT else None


def write_header(folder: Path, header: ShardHeader) -> None:
    """Make `header` the one that counts."""
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
    """Return which runs of each shard are removed; runs younger than the marks are not.

    Raises OSError when the file is gone, ValueError when it is not as it was written.
    """
    counts = [shard.runs for shard in header.shards]
    if not header.dead:
        return [np.zeros(count, np.bool_) for count in counts]
    marks = (folder / header.dead).read_bytes()
    if zlib.crc32(marks) != header.dead_sum:
        raise ValueError(f"{header.dead} is not as it was written")
    flags = np.zeros(sum(counts), np.bool_)
    known = np.unpackbits(np.frombuffer(marks, np.uint8))[: len(flags)]
    flags[: len(known)] = known
    return [part.copy() for part in np.split(flags, np.cumsum(counts)[:-1])] if counts else []


def write_dead(folder: Path, dead: Sequence[Flags]) -> tuple[str, int]:
    """Write the marks into a file of their own; return its name and checksum."""
    name = fresh_name() + DEAD
    marks = np.packbits(np.concatenate(dead)).tobytes()
    (folder / name).write_bytes(marks)
    sync(folder / name)
    return name, zlib.crc32(marks)


def fresh_name() -> str:
    """Return a name no file has yet."""
    return secrets.token_hex(8)


def sweep(folder: Path, header: ShardHeader) -> None:
    """Delete what `header` does not name; files that a reader still holds are left for the next time."""
    keep = {HEADER, header.dead, *(shard.name + SHARD for shard in header.shards)}
    for path in folder.iterdir():
        if path.name not in keep:
            with suppress(OSError):
                path.unlink()
