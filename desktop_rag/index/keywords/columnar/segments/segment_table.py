"""The table of contents: which segments are the index now, what is deleted in them, and how far they have come.

It is one small file, replaced by renaming: a crash at any moment leaves the old one or the new one, never half of one,
and the files that the old one names are deleted only when the new one is surely on the disk.
"""

import os
import struct
import sys
import time
import zlib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.segments.segment_file import SUFFIX, SegmentSeal
from desktop_rag.index.records import Watermark
from desktop_rag.paths import write_durably

NAME = "contents"
FORMAT = 3  # counts changes of the files; another number means: build anew
_LOCK = "MAIN_WRITELOCK"
_MAGIC = b"DRAGKEY"
_HEADER = struct.Struct("<7sB8sQII")  # mark, format, birth, generation, length and checksum of what follows
_TRIES = 20


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment of the index; `deleted` is a bitmap of its documents, empty if none is."""

    name: str
    size: int
    seal: SegmentSeal
    deleted: bytes = b""

    @property
    def filename(self) -> str:
        """Return the name of its file."""
        return self.name + SUFFIX

    def deleted_mask(self) -> npt.NDArray[np.bool_] | None:
        """Return which documents are deleted, None if none is."""
        if not self.deleted:
            return None
        return np.unpackbits(np.frombuffer(self.deleted, np.uint8), count=self.size).view(np.bool_)


@dataclass(frozen=True, slots=True)
class Version:
    """Which commit of which index: `birth` is drawn when an index begins, `generation` counts its commits."""

    birth: bytes
    generation: int


@dataclass(frozen=True, slots=True)
class SegmentTable:
    """One commit; `fields` is a fingerprint of the schema and the analysis, `highest` the largest id ever added."""

    version: Version
    fields: str
    watermark: Watermark
    highest: int
    segments: tuple[SegmentEntry, ...] = ()


def bitmap(mask: npt.NDArray[np.bool_] | None) -> bytes:
    """Return a mask of deleted documents as an `SegmentEntry` keeps it."""
    return b"" if mask is None or not mask.any() else np.packbits(mask).tobytes()


def empty(fields: str, watermark: Watermark) -> SegmentTable:
    """Return an index without documents, before its first commit."""
    return SegmentTable(Version(os.urandom(8), 0), fields, watermark, 0)


def current_version(folder: Path) -> Version | None:
    """Return which commit lies in a folder, None without one that can be told; one short read."""
    try:
        with (folder / NAME).open("rb") as file:
            header = file.read(_HEADER.size)
        mark, form, birth, generation, _, _ = _HEADER.unpack(header)
    except (OSError, struct.error):
        return None
    return Version(birth, generation) if mark == _MAGIC and form == FORMAT else None


def read(folder: Path) -> SegmentTable:
    """Return the last commit; raise `LibraryError` if there is none, or if it is damaged or of another format."""
    try:
        data = (folder / NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LibraryError("There is no keyword index yet.") from error
    except OSError as error:
        raise LibraryError(f"The keyword index cannot be read ({error.strerror or error}).") from error
    body = data[_HEADER.size :]
    try:
        mark, form, birth, generation, length, checksum = _HEADER.unpack_from(data)
        if mark != _MAGIC or form != FORMAT or length != len(body) or checksum != zlib.crc32(body):
            raise LibraryError("The keyword index is damaged; it will be built anew.")
        contents = msgspec.msgpack.decode(body, type=SegmentTable)
    except (struct.error, msgspec.DecodeError) as error:
        raise LibraryError("The keyword index is damaged; it will be built anew.") from error
    if contents.version != Version(birth, generation):
        raise LibraryError("The keyword index is damaged; it will be built anew.")
    return contents


def publish(folder: Path, contents: SegmentTable) -> None:
    """Make `contents`, whose segments are on the disk already, the index: durably, all of it or nothing."""
    body = msgspec.msgpack.encode(contents)
    version = contents.version
    header = _HEADER.pack(_MAGIC, FORMAT, version.birth, version.generation, len(body), zlib.crc32(body))
    for attempt in range(_TRIES):
        try:
            write_durably(folder / NAME, header + body)
            return
        except PermissionError:
            if sys.platform != "win32" or attempt == _TRIES - 1:  # there a reader may be looking at it
                raise
            time.sleep(0.005)


def sweep(folder: Path, contents: SegmentTable, growing: Collection[str] = ()) -> None:
    """Delete what the index does not name, leftovers of a killed writer included; `growing` files are being written.

    A file that another process still has mapped can stay on Windows; the next sweep tries again.
    """
    named = {NAME, _LOCK, *growing, *(entry.filename for entry in contents.segments)}
    for path in folder.iterdir():
        if path.name not in named and path.is_file():
            with suppress(OSError):
                path.unlink()
