"""How sentence vectors lie on the disk: growing files of rows, and a header that says which of them count.

Rows are written behind the published ones, synced, and only then counted by a new header that replaces the old
one in one rename. A crash leaves a tail that no header counts. Removed rows are marked in a bitmap of their own
file, so a header never points at anything half written. All of it can be deleted and comes back from the catalog.
"""

import json
import os
import secrets
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import LibraryError

FORMAT = 1
HEADER = "header.json"
ROW = np.dtype([("chunk", "<i8"), ("ordinal", "<i4")])
VECTOR_BYTES = 4  # float32, little endian


@dataclass(frozen=True, slots=True)
class Header:
    """What counts: the first `rows` rows of generation `generation`, without those marked in the file `dead`."""

    format: int = FORMAT
    encoder: str = ""
    lineage: str = ""
    sequence: int = 0
    generation: str = ""
    dimensions: int = 0
    rows: int = 0
    live: int = 0
    dead: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """The published rows; `vectors` (n, dimensions) is mapped from the file, `dead` (n,) marks removed rows."""

    chunks: npt.NDArray[np.int64]
    ordinals: npt.NDArray[np.int32]
    vectors: npt.NDArray[np.float32]
    dead: npt.NDArray[np.bool_]


NO_ROWS = Rows(np.empty(0, np.int64), np.empty(0, np.int32), np.empty((0, 0), np.float32), np.empty(0, np.bool_))


def vectors_file(folder: Path, generation: str) -> Path:
    """Return the file of the vectors of a generation."""
    return folder / f"{generation}.vectors"


def rows_file(folder: Path, generation: str) -> Path:
    """Return the file that says which sentence each vector belongs to."""
    return folder / f"{generation}.rows"


@contextmanager
def border(doing: str) -> Generator[None]:
    """Turn errors of the file system into `LibraryError`."""
    try:
        yield
    except OSError as error:
        raise LibraryError(f"The vectors could not be {doing}: {error.strerror or error}.") from error


def read_header(folder: Path) -> Header | None:
    """Return the header, or None if there is none that this version understands."""
    try:
        values = json.loads((folder / HEADER).read_bytes())
        header = Header(**values)
    except (OSError, ValueError, TypeError):
        return None
    right = all(type(value) is type(getattr(Header(), name)) for name, value in asdict(header).items())
    return header if right and header.format == FORMAT else None


def write_header(folder: Path, header: Header) -> None:
    """Make `header` the one that counts."""
    fresh = folder / (HEADER + ".new")
    fresh.write_text(json.dumps(asdict(header)), encoding="utf-8")
    sync(fresh)
    fresh.replace(folder / HEADER)
    if sys.platform != "win32":
        sync(folder)


def map_rows(folder: Path, header: Header) -> Rows:
    """Map what `header` counts; raise OSError or ValueError if the files are gone or shorter than it says."""
    if not header.rows:
        return NO_ROWS
    rows = np.memmap(rows_file(folder, header.generation), ROW, "r", shape=(header.rows,))
    shape = (header.rows, header.dimensions)
    vectors = np.memmap(vectors_file(folder, header.generation), "<f4", "r", shape=shape)
    return Rows(
        np.ascontiguousarray(rows["chunk"]),
        np.ascontiguousarray(rows["ordinal"]),
        vectors,
        read_dead(folder, header),
    )


def read_dead(folder: Path, header: Header) -> npt.NDArray[np.bool_]:
    """Return which rows are removed, rows younger than the marks being alive; raise OSError like `map_rows`."""
    dead = np.zeros(header.rows, np.bool_)
    if header.dead:
        marks = np.unpackbits(np.fromfile(folder / header.dead, np.uint8))[: header.rows]
        dead[: len(marks)] = marks
    return dead


def write_dead(folder: Path, dead: npt.NDArray[np.bool_]) -> str:
    """Write the marks into a file of their own and return its name."""
    name = f"{fresh_name()}.dead"
    np.packbits(dead).tofile(folder / name)
    sync(folder / name)
    return name


def fresh_name() -> str:
    """Return a name no file has yet."""
    return secrets.token_hex(8)


def sweep(folder: Path, header: Header) -> None:
    """Delete what `header` does not name; files that a reader still holds are left for the next time."""
    keep = {HEADER, f"{header.generation}.vectors", f"{header.generation}.rows", header.dead}
    for path in folder.iterdir():
        if path.name not in keep and path.suffix in {".vectors", ".rows", ".dead", ".new"}:
            with suppress(OSError):
                path.unlink()


def sync(path: Path) -> None:
    """Write a file or folder through to the disk."""
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        sync_data(handle)
    finally:
        os.close(handle)


def sync_data(handle: int) -> None:
    """Write the data of an open file through to the disk."""
    if sys.platform == "linux":
        os.fdatasync(handle)
    else:
        os.fsync(handle)
