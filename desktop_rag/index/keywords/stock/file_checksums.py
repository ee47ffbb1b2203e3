"""Checksums for the files of a stock Whoosh index: Whoosh itself does not notice a flipped bit.

A segment never changes once committed; the checksums of its files are in a file beside it that is deleted with it. The
checksum of the table of contents is appended to it, where Whoosh does not look.
"""

import json
import struct
import zlib
from pathlib import Path

_TRAILER = struct.Struct("<4sI")
_MARK = b"CRC1"
_PIECE = 1 << 20
_SUFFIX = ".sums"


def seal_segment(folder: Path, segment: str) -> None:
    """Write the checksums of a new segment's files."""
    sums = {path.name: _sum(path) for path in folder.glob(f"{segment}.*")}
    (folder / f"{segment}{_SUFFIX}").write_text(json.dumps(sums), encoding="utf-8")


def seal_contents(toc: Path) -> None:
    """Append the checksum to a new table of contents; one without (after a crash in between) is valid too."""
    with toc.open("ab") as file:
        file.write(_TRAILER.pack(_MARK, _sum(toc)))


def damaged_files(folder: Path) -> list[str]:
    """Return the files whose checksum is wrong; files without a checksum pass."""
    tables = sorted(folder.glob("_MAIN_*.toc"), key=lambda path: (len(path.name), path.name))
    wrong = [path.name for path in tables[-1:] if not _is_whole(path)]
    for sums in folder.glob(f"*{_SUFFIX}"):
        wrong += _wrong_in(folder, sums)
    return sorted(wrong)


def _wrong_in(folder: Path, sums: Path) -> list[str]:
    try:
        wanted = json.loads(sums.read_bytes())
    except FileNotFoundError:
        return []  # its segment has just been merged into another
    except ValueError:
        return [sums.name]
    if not isinstance(wanted, dict):
        return [sums.name]
    return [name for name, value in wanted.items() if _sum_or_none(folder / name) != value and sums.exists()]


def _is_whole(toc: Path) -> bool:
    data = toc.read_bytes()
    body, trailer = data[: -_TRAILER.size], data[-_TRAILER.size :]
    if len(trailer) < _TRAILER.size:
        return False
    return not trailer.startswith(_MARK) or trailer == _TRAILER.pack(_MARK, zlib.crc32(body))


def _sum_or_none(path: Path) -> int | None:
    try:
        return _sum(path)
    except OSError:
        return None


def _sum(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            value = zlib.crc32(piece, value)
    return value
