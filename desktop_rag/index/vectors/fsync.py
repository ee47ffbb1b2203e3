"""Writes through to the disk, so that a power failure finds what a header promises."""

import os
import sys
from pathlib import Path


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
