"""The table of contents of a columnar index: its segments, their deleted documents, and the watermark.

It is one small file with a checksum, replaced atomically by a rename: a crash leaves the old one or the new one. Files
that only the old one names are deleted after the new one has been synced.
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

from desktop_rag.decoding import decode_msgpack
from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.segments.segment_file import SUFFIX, SegmentSeal
from desktop_rag.index.records import Watermark
from desktop_rag.paths import write_durably

NAME = "contents"
FORMAT = 5  # incremented when the file format or the analysis changes; another number means: rebuild
_LOCK = "MAIN_WRITELOCK"
_MAGIC = b"DRAGKEY"
_HEADER = struct.Struct("<7sB8sQII")  # magic number, format, birth, generation, length and checksum of the body
_TRIES = 20


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment of the index; `deleted` is a bitmap of its deleted documents, empty if there are none."""

    name: str
    size: int
    seal: SegmentSeal
    deleted: bytes = b""

    @property
    def filename(self) -> str:
        """Return the file name."""
        return self.name + SUFFIX

    def deleted_mask(self) -> npt.NDArray[np.bool_] | None:
        """Return the mask of deleted documents, None if there are none."""
        if not self.deleted:
            return None
        return np.unpackbits(np.frombuffer(self.deleted, np.uint8), count=self.size).view(np.bool_)


@dataclass(frozen=True, slots=True)
class Version:
    """Identity of a commit: `birth` is a random id of the index, `generation` counts its commits."""

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
    """Return a mask of deleted documents in the form of `SegmentEntry.deleted`."""
    return b"" if mask is None or not mask.any() else np.packbits(mask).tobytes()


def empty(fields: str, watermark: Watermark) -> SegmentTable:
    """Return the table of a new index, before its first commit."""
    return SegmentTable(Version(os.urandom(8), 0), fields, watermark, 0)


def current_version(folder: Path) -> Version | None:
    """Return the last commit of a folder, None without a readable one; one short read."""
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
            raise LibraryError("The keyword index is damaged; it will be rebuilt.")
        contents = decode_msgpack(body, SegmentTable)
    except (struct.error, msgspec.DecodeError) as error:
        raise LibraryError("The keyword index is damaged; it will be rebuilt.") from error
    if contents.version != Version(birth, generation):
        raise LibraryError("The keyword index is damaged; it will be rebuilt.")
    return contents


def publish(folder: Path, contents: SegmentTable) -> None:
    """Replace the table of contents, atomically and durably; the segments must be synced already."""
    body = msgspec.msgpack.encode(contents)
    version = contents.version
    header = _HEADER.pack(_MAGIC, FORMAT, version.birth, version.generation, len(body), zlib.crc32(body))
    for attempt in range(_TRIES):
        try:
            write_durably(folder / NAME, header + body)
            return
        except PermissionError:
            if sys.platform != "win32" or attempt == _TRIES - 1:  # there a reader may have it open
                raise
            time.sleep(0.005)


def sweep(folder: Path, contents: SegmentTable, growing: Collection[str] = ()) -> None:
    """Delete all files that `contents` does not name, such as leftovers of a killed writer, except those `growing`.

    On Windows a file that another process has mapped remains; the next sweep tries again.
    """
    named = {NAME, _LOCK, *growing, *(entry.filename for entry in contents.segments)}
    for path in folder.iterdir():
        if path.name not in named and path.is_file():
            with suppress(OSError):
                path.unlink()
