"""Databases of user data: opened with a restore from rotating backup copies if the file is damaged or lost.

Such a database has a table `written (times)` with one row, incremented in every transaction; it numbers the copies.
"""

import os
import re
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from enum import Enum, auto
from pathlib import Path

from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.index.catalog.database import Database
from desktop_rag.paths import private_folder

COPIES = 3
_COPY = re.compile(r"\.(\d{12})\.backup$")
_JOURNALS = ("", "-wal", "-shm")


class BackupState(Enum):
    """The condition of a database file."""

    SOUND = auto()
    EMPTY = auto()  # missing, never written, or emptied
    DAMAGED = auto()


def open_database(
    path: Path, version: int, prepare: Callable[[Database, int], None], kept: str
) -> tuple[Database, str]:
    """Open a database for writing, restored, migrated and copied if needed; return it with a notice, if any.

    `prepare(db, found)` creates or migrates the tables of a file of version `found` (0: empty); `kept` names the data.
    """
    private_folder(path.parent)
    notice = restore_if_damaged(path, kept)
    db = Database(path)
    try:
        db.execute("PRAGMA synchronous = FULL")
        found = db.number("PRAGMA user_version")
        if found > version:
            raise LibraryError("They were written by a newer version of this program. Please update.")
        if found < version:
            with db.transaction():
                found = db.number("PRAGMA user_version")  # another page or program may have been first
                if found < version:
                    prepare(db, found)
                    db.execute(f"PRAGMA user_version = {version}")
    except BaseException:
        db.close()
        raise
    try:
        keep_copy(db)
    except (LibraryError, OSError) as error:  # a full disk must not hide what is stored
        notice = notice or f"The {kept} could not be backed up ({error.__cause__ or error})."
    return db, notice


def open_or_read(path: Path, version: int, prepare: Callable[[Database, int], None], kept: str) -> tuple[Database, str]:
    """Open a database as above, one that cannot be written for reading only."""
    try:
        return open_database(path, version, prepare, kept)
    except (LibraryError, OSError) as error:
        if not path.is_file():
            raise
        notice = f"The {kept} can be read, but no changes can be saved ({error.__cause__ or error})."
        return Database(path, read_only=True), notice


@contextmanager
def counted_transaction(db: Database) -> Generator[None]:
    """Write in one transaction and count it, so that the next start makes a copy."""
    with db.transaction():
        yield
        db.execute("UPDATE written SET times = times + 1")


def erase_traces(db: Database) -> None:
    """Overwrite deleted rows in the file, its journal and its copies; a new copy replaces the old ones."""
    db.execute("VACUUM")  # rows that moved between pages leave copies of themselves in the gaps
    db.empty_journal()
    drop_copies(db.path)
    keep_copy(db)


def state_of(path: Path) -> BackupState:
    """Check a database file with SQLite's `quick_check`."""
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


def restore_if_damaged(path: Path, kept: str) -> str:
    """Replace a damaged or lost database by its newest sound copy; return a notice for the user, or ""."""
    state = state_of(path)
    if state is BackupState.SOUND or (state is BackupState.EMPTY and not _copies(path)):
        return ""
    aside = _move_aside(path) if state is BackupState.DAMAGED else None
    what = "damaged" if aside else "lost"
    saved = f" The damaged file was kept as {aside.name}." if aside else ""
    for copy in _copies(path):
        if state_of(copy) is BackupState.SOUND:
            _restore(copy, path)
            return f"The stored {kept} were {what}. They were restored from the last good copy.{saved}"
        copy.unlink(missing_ok=True)  # its number will be used again
    return f"The stored {kept} were {what} and there is no good copy. A new file was started.{saved}"


def keep_copy(db: Database) -> None:
    """Copy a database if it was written since its last copy; keep the last three copies."""
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
    """Delete all copies of a database, also the damaged files that were moved aside."""
    for copy in (*_copies(path), *path.parent.glob(f"{path.name}.damaged-*")):
        copy.unlink(missing_ok=True)


def _move_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in _JOURNALS:
        file = path.with_name(path.name + ending)
        if file.exists():
            file.replace(aside.with_name(aside.name + ending))
    return aside


def _restore(copy: Path, path: Path) -> None:
    """Replace a database by a copy, atomically."""
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
    copies = [other for other in path.parent.glob(f"{path.name}.*.backup") if _COPY.search(other.name)]
    return sorted(copies, key=lambda other: other.name, reverse=True)
