"""Writes an ELF file without what the loader never maps: symbols, and the holes that repairing a wheel leaves.

`strip` breaks such files, because their segments are aligned to more than a page.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE = 0x1000  # of x86-64
_X86_64 = 62
_LOAD = 1
_NO_BITS = 8
_ALLOCATED = 2
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")  # type, flags, offset, address, physical, file size, memory size, alignment
_SECTION = struct.Struct("<IIQQQQIIQQ")  # name, type, flags, address, offset, size, link, info, alignment, entry


@dataclass(frozen=True, slots=True)
class _Move:
    """Bytes of the file that are mapped, and where they go."""

    start: int
    size: int
    target: int


def compact(source: Path, target: Path) -> Path:
    """Write a copy of an ELF file that holds only its loaded segments to `target`; return the smaller of the two."""
    data = source.read_bytes()
    header = list(_HEADER.unpack_from(data)) if data[:6] == b"\x7fELF\x02\x01" else []
    if not header or header[2] != _X86_64:
        return source
    segments = _table(_SEGMENT, data, header[5], header[10])
    moves = _moves(segments)
    table = _moved(moves, header[5])
    if table is None or _moved(moves, 0) != 0:
        return source
    packed = bytearray(max(move.target + move.size for move in moves))
    for move in moves:
        packed[move.target : move.target + move.size] = data[move.start : move.start + move.size]
    header[5] = table
    for number, segment in enumerate(segments):
        segment[2] = _moved(moves, segment[2]) or segment[2]
        segment[7] = min(segment[7], _PAGE)
        _SEGMENT.pack_into(packed, header[5] + number * _SEGMENT.size, *segment)
    packed += bytes(-len(packed) % 8)
    sections = _table(_SECTION, data, header[6], header[12])
    header[6], header[13] = len(packed), 0  # the names of sections are not loaded
    for section in sections:
        packed += _SECTION.pack(*_section(section, moves))
    _HEADER.pack_into(packed, 0, *header)
    if len(packed) >= len(data):
        return source
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(packed)
    target.chmod(0o755)
    return target


def _table(layout: struct.Struct, data: bytes, start: int, count: int) -> list[list[int]]:
    return [list(layout.unpack_from(data, start + number * layout.size)) for number in range(count)]


def _moves(segments: Sequence[Sequence[int]]) -> list[_Move]:
    """Return where the loaded segments go: one after another, each at the same place in a page as in memory."""
    end = 0
    moves = []
    for kind, _, start, address, _, size, *_ in sorted(segments, key=lambda segment: segment[2]):
        if kind == _LOAD and size:
            target = end + (address - end) % _PAGE
            moves.append(_Move(start, size, target))
            end = target + size
    return moves


def _moved(moves: Sequence[_Move], place: int) -> int | None:
    """Return where a byte of the file goes, None if it is not mapped."""
    return next((one.target + place - one.start for one in moves if one.start <= place < one.start + one.size), None)


def _section(section: Sequence[int], moves: Sequence[_Move]) -> list[int]:
    """Return a section at its new place, an empty one if it is not loaded."""
    _, kind, flags, address, place, *rest = section
    if not flags & _ALLOCATED:
        return [0] * len(section)
    return [0, kind, flags, address, place if kind == _NO_BITS else _moved(moves, place) or 0, *rest]
