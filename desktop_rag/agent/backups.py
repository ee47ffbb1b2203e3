"""Rotating copies of a database, and the way back from a damaged one."""

import re
from pathlib import Path

import apsw

from desktop_rag.index.database import Database

COPIES = 3
_COPY = re.compile(r"\.(\d{12})\.backup$")


def sound(path: Path) -> bool:
    """Return whether a database passes SQLite's own check."""
    try:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            return bool(db.execute("PRAGMA quick_check(1)").get == "ok")
        finally:
            db.close()
    except (apsw.CorruptError, apsw.NotADBError):
        return False


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


def restore(path: Path) -> str:
    """Move a damaged database aside and put the newest good copy in its place; return what to tell the person."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.replace(aside)
    for ending in ("-wal", "-shm"):
        journal = path.with_name(path.name + ending)
        if journal.exists():
            journal.replace(aside.with_name(aside.name + ending))
    for copy in _copies(path):
        if sound(copy):
            path.touch(mode=0o600)
            path.write_bytes(copy.read_bytes())
            return (
                "The stored conversations were damaged. They were restored from the last good copy; "
                f"the damaged file was kept as {aside.name}."
            )
        copy.unlink(missing_ok=True)  # its number will be used again
    return (
        "The stored conversations were damaged and there is no good copy. A new file was begun; "
        f"the damaged one was kept as {aside.name}."
    )


def _copies(path: Path) -> list[Path]:
    """Return the copies of a database, newest first."""
    beside = [other for other in path.parent.glob(f"{path.name}.*.backup") if _COPY.search(other.name)]
    return sorted(beside, key=lambda other: other.name, reverse=True)
