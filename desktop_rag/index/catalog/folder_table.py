"""The root folders of a library: paths, states, rules, and when the indexer works on them.

A file or folder that is attached to a conversation only is a root folder, too, whose `removed_ns` is `ATTACHED`: the
indexer works on it, and no search finds it whose scope does not name it.
"""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryDamaged, LibraryRefused
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.records import Folder, FolderId, FolderRules, FolderState

if TYPE_CHECKING:  # no search needs a schedule
    from desktop_rag.index.indexer_api import Schedule

ATTACHED = -1  # in `removed_ns`, which is 0 for a folder of the library and otherwise the time it was removed
FILES_PER_STEP = 2000  # deleted in some hundredths of a second


class _FolderRow(NamedTuple):
    id: FolderId
    path: bytes
    is_file: int
    state: FolderState
    rules: str


class FolderTable:
    """Reads the root folders."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Folder, ...]:
        """Return the root folders in the order they were added, without removed and attached ones."""
        return self._known("removed_ns = 0")

    def worked_on(self) -> tuple[Folder, ...]:
        """Return the root folders and what is attached to conversations: all that the indexer works on."""
        return self._known("removed_ns <= 0")

    def attached(self) -> tuple[Folder, ...]:
        """Return the files and folders that are attached to conversations and not root folders of the library."""
        return self._known(f"removed_ns = {ATTACHED}")

    def at(self, path: bytes) -> Folder | None:
        """Return the root folder, or what is attached, at exactly this path."""
        return next((folder for folder in self.worked_on() if folder.path == path), None)

    def _known(self, condition: str) -> tuple[Folder, ...]:
        rows = self._database.rows(
            _FolderRow, f"SELECT id, path, is_file, state, rules FROM folder WHERE {condition} ORDER BY id"
        )
        return tuple(Folder(r.id, r.path, bool(r.is_file), r.state, _rules(r.rules, self._database.path)) for r in rows)

    def paths(self) -> list[tuple[bytes, bool]]:
        """Return (path, is a single file) of each root folder; works even if their rules are damaged."""
        rows = self._database.rows(tuple[bytes, int], "SELECT path, is_file FROM folder WHERE removed_ns = 0")
        return [(path, bool(is_file)) for path, is_file in rows]

    def offline_since(self) -> dict[FolderId, float]:
        """Return when each offline root folder was first missed, in seconds since the epoch."""
        rows = self._database.rows(
            tuple[FolderId, str],
            "SELECT id, value FROM folder JOIN meta ON key = 'offline ' || id WHERE state = ?",
            (FolderState.OFFLINE,),
        )
        return {folder: float(since) for folder, since in rows}

    def away(self) -> dict[FolderId, frozenset[bytes]]:
        """Return the folders inside each root folder whose drives were not connected at its last scan."""
        rows = self._database.rows(
            tuple[FolderId, str], "SELECT id, value FROM folder JOIN meta ON key = 'away ' || id WHERE removed_ns <= 0"
        )
        return {folder: frozenset(map(bytes.fromhex, paths.split(","))) for folder, paths in rows}

    def was_scanned(self, folder: FolderId) -> bool:
        """Return whether a scan of a root folder was ever completed: without files it is empty."""
        return bool(self._database.number("SELECT count(*) FROM meta WHERE key = 'scanned ' || ?", (folder,)))

    def schedule(self) -> "Schedule":
        """Return when they are worked on; the usual schedule if none was chosen or it cannot be read."""
        from desktop_rag.index.indexer_api import Schedule

        stored = self._database.values(str, "SELECT value FROM meta WHERE key = 'schedule'")
        try:
            return decode_json(stored[0], Schedule) if stored else Schedule()
        except msgspec.DecodeError:
            return Schedule()

    def change_count(self) -> int:
        """Return how often the folders have been changed; a trigger of the catalog counts."""
        return self._database.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'folders'")


class FolderWriter(FolderTable):
    """Adds, changes and removes root folders."""

    def add(self, path: bytes, *, is_file: bool) -> FolderId:
        """Add a root folder, or restore a removed one with its rules and files."""
        known = self._database.row(tuple[FolderId, int], "SELECT id, is_file FROM folder WHERE path = ?", (path,))
        if known is None:
            rules = msgspec.json.encode(FolderRules()).decode()
            return FolderId(
                self._database.insert(
                    "INSERT INTO folder (path, is_file, state, rules) VALUES (?, ?, ?, ?)",
                    (path, is_file, FolderState.ACTIVE, rules),
                )
            )
        folder, was_file = known
        if was_file != is_file:  # a file has replaced a folder, or the other way round
            self._database.execute("DELETE FROM file WHERE folder = ?", (folder,))
            self._database.execute("UPDATE folder SET is_file = ? WHERE id = ?", (is_file, folder))
        self.restore(folder)
        self.set_state(folder, FolderState.ACTIVE)
        return folder

    def attach(self, path: bytes, *, is_file: bool) -> FolderId:
        """Add a file or folder for conversations only, with its files if it was removed a moment ago."""
        folder = self.add(path, is_file=is_file)
        self._database.execute("UPDATE folder SET removed_ns = ? WHERE id = ?", (ATTACHED, folder))
        return folder

    def set_state(self, folder: FolderId, state: FolderState) -> None:
        """Set the state of a root folder."""
        self._database.execute("UPDATE folder SET state = ? WHERE id = ?", (state, folder))

    def set_offline(self, folder: FolderId) -> None:
        """Mark an active root folder as offline; a paused one stays paused."""
        self._change_state(folder, FolderState.ACTIVE, FolderState.OFFLINE)
        if self._database.changed():
            now = str(int(time.time()))
            self._database.execute("INSERT OR REPLACE INTO meta VALUES ('offline ' || ?, ?)", (folder, now))

    def set_online(self, folder: FolderId) -> None:
        """Mark an offline root folder as active."""
        self._change_state(folder, FolderState.OFFLINE, FolderState.ACTIVE)

    def note_scanned(self, folder: FolderId) -> None:
        """Note that a scan of a root folder was completed."""
        self._database.execute("INSERT OR IGNORE INTO meta VALUES ('scanned ' || ?, '')", (folder,))

    def set_away(self, folder: FolderId, paths: Iterable[bytes]) -> None:
        """Set the folders inside a root folder whose drives are not connected."""
        given = sorted(paths)
        if given:
            stored = ",".join(map(bytes.hex, given))
            self._database.execute("INSERT OR REPLACE INTO meta VALUES ('away ' || ?, ?)", (folder, stored))
        else:
            self._database.execute("DELETE FROM meta WHERE key = 'away ' || ?", (folder,))

    def _change_state(self, folder: FolderId, old: FolderState, new: FolderState) -> None:
        self._database.execute("UPDATE folder SET state = ? WHERE id = ? AND state = ?", (new, folder, old))

    def set_rules(self, folder: FolderId, rules: FolderRules) -> None:
        """Set the rules that apply from the next scan on."""
        encoded = msgspec.json.encode(rules).decode()
        self._database.execute("UPDATE folder SET rules = ? WHERE id = ?", (encoded, folder))

    def set_path(self, folder: FolderId, path: bytes, device: int) -> None:
        """Move a root folder to another path; all its files are then known to be on that `device`."""
        self._database.execute("UPDATE folder SET path = ? WHERE id = ?", (path, folder))
        self._database.execute("UPDATE file SET device = ? WHERE folder = ?", (device, folder))

    def set_schedule(self, schedule: "Schedule") -> None:
        """Replace the schedule."""
        encoded = msgspec.json.encode(schedule).decode()
        self._database.execute("INSERT OR REPLACE INTO meta VALUES ('schedule', ?)", (encoded,))

    def set_change_count(self, count: int) -> None:
        """Set the number that `change_count` returns."""
        self._database.execute("UPDATE meta SET value = ? WHERE key = 'folders'", (str(count),))

    def remove(self, folder: FolderId) -> None:
        """Hide a root folder and its files from the next query on; `erase_removed` deletes it later."""
        self._database.execute("UPDATE folder SET removed_ns = ? WHERE id = ?", (time.time_ns(), folder))

    def restore(self, folder: FolderId) -> None:
        """Undo `remove`; raises `LibraryRefused` when the root folder has been deleted."""
        self._database.execute("UPDATE folder SET removed_ns = 0 WHERE id = ?", (folder,))
        if not self._database.changed():
            raise LibraryRefused("This folder has been erased from the library. Add it again.")

    def merge(self, parent: FolderId, child: FolderId, prefix: bytes) -> None:
        """Move the files of a root folder inside another one into that one; nothing is read again."""
        inside = os.path.join(prefix, b"")  # noqa: PTH118 (bytes)
        with self._database.transaction():
            self._database.execute(
                "UPDATE OR IGNORE file SET folder = ?, path = CASE WHEN path = x'' THEN ? "
                "ELSE CAST(? || path AS BLOB) END WHERE folder = ?",
                (parent, prefix, inside, child),
            )
            self._database.execute("DELETE FROM folder WHERE id = ?", (child,))

    def erase_removed(self, before_ns: int) -> bool:
        """Delete some files of root folders removed before `before_ns`, then the folders; return whether more remains.

        Their contents become orphans.
        """
        removed = "SELECT id FROM folder WHERE removed_ns BETWEEN 1 AND ?"
        with self._database.transaction():
            self._database.execute(
                f"DELETE FROM file WHERE id IN (SELECT id FROM file WHERE folder IN ({removed}) LIMIT ?)",
                (before_ns, FILES_PER_STEP),
            )
            if self._database.changed() == FILES_PER_STEP:
                return True
            self._database.execute(f"DELETE FROM folder WHERE id IN ({removed})", (before_ns,))
        return False


def _rules(text: str, catalog: Path) -> FolderRules:
    try:
        return decode_json(text, FolderRules)
    except msgspec.DecodeError as error:
        raise LibraryDamaged(
            f"{catalog} is damaged ({error}). `desktop-rag index`, or opening the window, repairs it."
        ) from error
