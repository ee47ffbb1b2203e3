"""Rotating copies of a database, and the way back from a damaged or lost one."""

import os
import re
from contextlib import closing
from enum import Enum, auto
from pathlib import Path

from desktop_rag.errors import LibraryDamaged
from desktop_rag.index.catalog.database import Database

COPIES = 3
_COPY = re.compile(r"\.(\d{12})\.backup$")
_JOURNALS = ("", "-wal", "-shm")


class BackupState(Enum):
    """What a file is to its owner."""

    SOUND = auto()
    EMPTY = auto()  # nothing was ever written, or all of it is lost
    DAMAGED = auto()


def state_of(path: Path) -> BackupState:
    """Return what SQLite's own check says of a database in which `keep_copy` counts."""
    if not path.exists():
        return BackupState.EMPTY
    try:
        with closing(Database(path, read_only=True)) as db:
            if db.values(str, "PRAGMA quick_check(1)") != ["ok"]:
                return BackupState.DAMAGED
            if not db.number("SELECT count(*) FROM sqlite_master"):
                return BackupState.EMPTY
            db.number("SELECT times FROM written")
    except LibraryDamaged:
        return BackupState.DAMAGED
    return BackupState.SOUND


def mend(path: Path, kept: str = "conversations") -> str:
    """Put the newest good copy in the place of a damaged or lost database; return what to tell the person, if any.

    `kept` says what is in it.
    """
    state = state_of(path)
    if state is BackupState.SOUND or (state is BackupState.EMPTY and not _copies(path)):
        return ""
    aside = _set_aside(path) if state is BackupState.DAMAGED else None
    what = "damaged" if aside else "lost"
    saved = f" The damaged file was kept as {aside.name}." if aside else ""
    for copy in _copies(path):
        if state_of(copy) is BackupState.SOUND:
            _put(copy, path)
            return f"The stored {kept} were {what}. They were restored from the last good copy.{saved}"
        copy.unlink(missing_ok=True)  # its number will be used again
    return f"The stored {kept} were {what} and there is no good copy. A new file was begun.{saved}"


def keep_copy(db: Database) -> None:
    """Copy a sound database beside itself if it has been written since its last copy; keep the last three."""
    path, times = db.path, db.number("SELECT times FROM written")
    copies = _copies(path)
    target = path.with_name(f"{path.name}.{times:012d}.backup")
    if not times or target in copies:
        return
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    db.execute("VACUUM INTO ?", (str(unfinished),))
    unfinished.replace(target)
    for old in [other for other in copies if other != target][COPIES - 1 :]:
        old.unlink(missing_ok=True)


def drop_copies(path: Path) -> None:
    """Delete all copies of a database, and the damaged ones that were set aside."""
    for copy in (*_copies(path), *path.parent.glob(f"{path.name}.damaged-*")):
        copy.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in _JOURNALS:
        file = path.with_name(path.name + ending)
        if file.exists():
            file.replace(aside.with_name(aside.name + ending))
    return aside


def _put(copy: Path, path: Path) -> None:
    """Put a copy in the place of a database, all of it or nothing."""
    for ending in _JOURNALS:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.touch(mode=0o600)
    with unfinished.open("wb") as file:
        file.write(copy.read_bytes())
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _copies(path: Path) -> list[Path]:
    """Return the copies of a database, newest first."""
    beside = [other for other in path.parent.glob(f"{path.name}.*.backup") if _COPY.search(other.name)]
    return sorted(beside, key=lambda other: other.name, reverse=True)
