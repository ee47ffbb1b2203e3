"""The file of a segment: arrays one after another, then a directory with their checksums."""

import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_rag.decoding import decode_msgpack
from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.columnar.segments.segment import FieldSpec, Segment, Unsigned, segment_of
from desktop_rag.index.keywords.columnar.segments.split_numbers import (
    BLOCK,
    BYTE,
    LOW,
    WORD,
    WORDS,
    before_blocks,
    flags_of,
)

SUFFIX = ".seg"
_MAGIC = b"DRAGSEG1"
_TRAILER = struct.Struct("<QII8s")  # offset, length and checksum of the directory, the magic number again
_ALIGN = 64  # bytes; a cache line, and enough for every type
_PIECE = 1 << 22


class SegmentSeal(NamedTuple):
    """Identifies a finished segment file: its length in bytes and the checksum of its directory."""

    length: int
    checksum: int


@dataclass(slots=True)
class _Place:
    name: str
    dtype: str
    gap: int
    offset: int
    count: int
    checksum: int


@dataclass(frozen=True, slots=True)
class _Directory:
    size: int
    fields: list[tuple[FieldSpec, int]]
    arrays: list[_Place]


class SegmentFile:
    """A segment file being written; invalid before `seal`."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=0)
        self._places: list[_Place] = []
        self._unsynced = 0
        self._end = len(_MAGIC)
        try:
            self.write_at(0, memoryview(_MAGIC))
        except BaseException:
            self.abandon()
            raise

    def put_all(self, arrays: Mapping[str, Unsigned]) -> None:
        """Write whole arrays."""
        for name, values in arrays.items():
            self.reserve(name, values.dtype, len(values)).append(values)

    def reserve(self, name: str, dtype: np.dtype[np.unsignedinteger], count: int) -> "Region":
        """Reserve room for an array that is written piece by piece."""
        offset = -(-self._end // _ALIGN) * _ALIGN
        gap = offset - self._end  # counts as part of the array, so that every byte of the file has a checksum
        place = _Place(name, dtype.newbyteorder("<").str, gap, offset, count, zlib.crc32(bytes(gap)))
        self._places.append(place)
        self._end = offset + count * dtype.itemsize
        return Region(self, place)

    def seal(self, size: int, totals: Mapping[FieldSpec, int]) -> SegmentSeal:
        """Write the directory and sync the file; `totals` gives the total length of each field."""
        directory = msgspec.msgpack.encode(_Directory(size, list(totals.items()), self._places))
        checksum = zlib.crc32(directory)
        trailer = _TRAILER.pack(self._end, len(directory), checksum, _MAGIC)
        self.write_at(self._end, memoryview(directory + trailer))
        self.sync(0)
        self._file.close()
        return SegmentSeal(self._end + len(directory) + len(trailer), checksum)

    def sync(self, above: int) -> None:
        """Sync the file if more than `above` bytes are unsynced; a single sync at the end would take long."""
        if self._unsynced > above:
            os.fsync(self._file.fileno())
            self._unsynced = 0

    def abandon(self) -> None:
        """Close and delete an unfinished file."""
        self._file.close()
        with suppress(OSError):
            Path(self._file.name).unlink()

    def write_at(self, offset: int, data: memoryview) -> None:
        """Write bytes at an offset."""
        self._file.seek(offset)
        self._unsynced += len(data)
        while len(data):
            data = data[self._file.write(data) :]


class Region:
    """The region of one array in a file."""

    def __init__(self, file: SegmentFile, place: _Place) -> None:
        self._file = file
        self._place = place
        self._next = place.offset

    def append(self, values: Unsigned) -> None:
        """Write the next values."""
        data = np.ascontiguousarray(values, self._place.dtype).view(np.uint8).data
        self._file.write_at(self._next, data)
        self._next += len(data)
        self._place.checksum = zlib.crc32(data, self._place.checksum)


class SplitRegion:
    """The regions of `count` numbers of at most the width of `dtype`, at most `large` of them with a high part."""

    def __init__(
        self, file: SegmentFile, name: str, dtype: np.dtype[np.unsignedinteger], count: int, large: int
    ) -> None:
        self._low = file.reserve(name, BYTE, count)
        self._left = large
        self._split = large > 0
        self._waiting = np.empty(0, np.bool_)  # which of the last numbers, fewer than a block, have a high part
        self._counted = 0
        if self._split:
            blocks = -(-count // BLOCK)
            self._flags = file.reserve(f"{name}/flags", WORD, blocks * WORDS)
            self._before = file.reserve(f"{name}/before", np.dtype(np.uint32), blocks)
            self._high = file.reserve(f"{name}/high", np.dtype(np.uint8 if dtype.itemsize < 3 else np.uint32), large)

    def append(self, numbers: Unsigned) -> None:
        """Write the next numbers."""
        self._low.append(numbers.astype(np.uint8))
        if self._split:
            large = numbers >= LOW
            high = np.right_shift(numbers[large], np.uint8(8))
            self._high.append(high)
            self._left -= len(high)
            waiting = np.concatenate((self._waiting, large))
            whole = len(waiting) // BLOCK * BLOCK
            self._write(waiting[:whole])
            self._waiting = waiting[whole:]

    def finish(self) -> None:
        """Write the rest."""
        self._write(self._waiting)
        if self._left:  # those of deleted documents
            self._high.append(np.zeros(self._left, np.uint8))

    def _write(self, large: npt.NDArray[np.bool_]) -> None:
        if len(large):
            flags = flags_of(large)
            self._flags.append(flags)
            self._before.append(before_blocks(flags, self._counted))
            self._counted += int(np.count_nonzero(large))


def open_segment(path: Path, seal: SegmentSeal, deleted: npt.NDArray[np.bool_] | None = None) -> Segment:
    """Return the memory-mapped segment of a file; raise `LibraryError` if it does not have the given seal.

    The directory's checksum is verified, those of the arrays are not: see `is_damaged`. A missing file raises
    `FileNotFoundError`.
    """
    data, directory = _opened(path, seal)
    arrays: dict[str, Unsigned] = {
        place.name: np.frombuffer(data, place.dtype, place.count, place.offset) for place in directory.arrays
    }
    return segment_of(path.stem, directory.size, dict(directory.fields), arrays, deleted)


def is_damaged(path: Path, seal: SegmentSeal) -> bool:
    """Return whether any checksum of a segment file is wrong, or the file is missing; reads every byte."""
    try:
        data, directory = _opened(path, seal)
    except (LibraryError, OSError):
        return True
    with memoryview(data) as view:
        return any(_checksum(view, place) != place.checksum for place in directory.arrays)


def _checksum(view: memoryview, place: _Place) -> int:
    end = place.offset + place.count * np.dtype(place.dtype).itemsize
    checksum = 0
    for first in range(place.offset - place.gap, end, _PIECE):
        checksum = zlib.crc32(view[first : min(end, first + _PIECE)], checksum)
    return checksum


def _opened(path: Path, seal: SegmentSeal) -> tuple[mmap.mmap, _Directory]:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size != seal.length or seal.length < _TRAILER.size:
            raise _damage_error(path)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin, length, checksum, mark = _TRAILER.unpack_from(data, seal.length - _TRAILER.size)
    described = data[begin : begin + length]
    if (
        mark != _MAGIC
        or data[: len(_MAGIC)] != _MAGIC
        or checksum != seal.checksum
        or zlib.crc32(described) != checksum
    ):
        raise _damage_error(path)
    try:
        return data, decode_msgpack(described, _Directory)
    except msgspec.DecodeError as error:
        raise _damage_error(path) from error


def _damage_error(path: Path) -> LibraryError:
    return LibraryError(f"The keyword index is damaged ({path.name}); it will be rebuilt.")
