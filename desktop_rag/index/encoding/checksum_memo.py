"""Checksums of large files that were computed lately: a short command need not read 24 MB to check its encoder again.

A file is known by its path, size, inode and times; after a day, or if any of these differ, it is read again, so that
damage on the disk is still noticed. The memo is a convenience: where it cannot be read or written, files are read.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.paths import data_home, private_opener

FILE = "checksums.json"
KEPT_SECONDS = 24 * 3600
MOST = 16  # files


class _Known(msgspec.Struct, frozen=True):
    state: tuple[int, ...]
    checked: float  # seconds since the epoch
    sha256: str


def remembered(path: Path) -> str | None:
    """Return the SHA-256 of a file if it was computed less than a day ago, and the file is still the same."""
    known = _memo().get(str(path))
    if known is None or not 0 <= time.time() - known.checked < KEPT_SECONDS or known.state != _state(path):
        return None
    return known.sha256


def remember(path: Path, checksum: str) -> None:
    """Remember the SHA-256 of a file that was just read; does nothing if the data folder cannot be written."""
    memo = {name: known for name, known in _memo().items() if name != str(path)}
    memo[str(path)] = _Known(_state(path), time.time(), checksum)
    newest = dict(list(memo.items())[-MOST:])
    target = data_home() / FILE
    scratch = target.with_name(f"{FILE}.{os.getpid()}")
    with suppress(OSError):  # a confined process, or another user's data
        with open(scratch, "wb", opener=private_opener) as file:
            file.write(msgspec.json.encode(newest))
        scratch.replace(target)


def _memo() -> dict[str, _Known]:
    try:
        return decode_json((data_home() / FILE).read_bytes(), dict[str, _Known])
    except (OSError, ValueError, RecursionError):
        return {}


def _state(path: Path) -> tuple[int, ...]:
    with suppress(OSError):
        stat = path.stat()
        return stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns
    return ()
