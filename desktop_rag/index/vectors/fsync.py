"""Syncs files to the disk, so that after a power failure they contain what a header counts."""

import os
import sys
from pathlib import Path


def sync(path: Path) -> None:
    """Sync a file or folder."""
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        sync_data(handle)
    finally:
        os.close(handle)


def sync_data(handle: int) -> None:
    """Sync the data of an open file."""
    if sys.platform == "linux":
        os.fdatasync(handle)
    else:
        os.fsync(handle)
