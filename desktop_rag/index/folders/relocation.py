"""Relocates moved root folders: verified by file stats, and for a sample of files by their hashes.

Only the sample is read; other changes are left to the next scan.
"""

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.errors import LibraryRefused
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_lookup import absolute, relative_to
from desktop_rag.index.catalog.file_table import FileFingerprint
from desktop_rag.index.folders.mounts import Devices
from desktop_rag.index.indexer_api import Relocated
from desktop_rag.index.records import FileStat, Folder, FolderState

SAMPLE = 16  # files whose bytes are compared
SAMPLE_BYTES = 64_000_000  # larger files are not in the sample
ENOUGH = 0.5  # of the files must exist with the same size and time
COARSE_NS = 10_000_000  # the finest time of exFAT; FAT keeps even seconds only
SLACK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class _Known:
    """A file with unchanged size and time at its new path."""

    row: FileFingerprint
    path: bytes
    facts: os.stat_result


@dataclass(frozen=True, slots=True)
class _Move:
    """A root folder with its new path, its file count, and the files that look unchanged there."""

    folder: Folder
    path: bytes
    files: int
    known: tuple[_Known, ...]


def relocate(catalog: Catalog, old: bytes, new: bytes) -> Relocated:
    """Change the paths of root folders at and below `old` to `new`, after verifying that they moved there.

    Raises `LibraryRefused` with the reason if the verification fails; then nothing is changed.
    """
    new = os.path.realpath(new)
    # The old path may be a link to the new one by now.
    moving = _moving(catalog, os.path.normpath(old), new) or _moving(catalog, os.path.realpath(old), new)
    if not moving:
        raise LibraryRefused(f"No folder of the library is {_shown(old)}, or lies in it.")
    moves = [_proven(catalog, folder, path) for folder, path in moving]
    with catalog.transaction():
        _refuse_overlaps(catalog.folders.all(), moves)
        for move in moves:
            _apply(catalog, move)
    return Relocated(len(moves), sum(move.files for move in moves), sum(len(move.known) for move in moves))


def _moving(catalog: Catalog, old: bytes, new: bytes) -> list[tuple[Folder, bytes]]:
    """Return the root folders at and below `old` with their new paths."""
    below = ((folder, relative_to(old, folder.path)) for folder in catalog.folders.all())
    return [(folder, absolute(new, path)) for folder, path in below if path is not None]


def _proven(catalog: Catalog, folder: Folder, path: bytes) -> _Move:
    """Compare the known files of a root folder with those at `path`; raises `LibraryRefused`."""
    is_there = os.path.isfile(path) if folder.is_file else os.path.isdir(path)  # noqa: PTH112, PTH113 (bytes)
    if not is_there:
        raise LibraryRefused(
            f"There is no {'file' if folder.is_file else 'folder'} {_shown(path)}. Nothing was changed."
        )
    rows = catalog.files.fingerprints(folder.id)
    known = tuple(found for row in rows if (found := _look(row, absolute(path, row.path))) is not None)
    if len(known) < ENOUGH * len(rows):
        raise LibraryRefused(
            f"{_shown(path)} does not hold the files of {_shown(folder.path)}: of {len(rows):,} files "
            f"{len(known):,} are there unchanged. Nothing was changed. If it is another folder, add it as such."
        )
    _compare_sample(known)
    return _Move(folder, path, len(rows), known)


def _look(row: FileFingerprint, path: bytes) -> _Known | None:
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    same = stat.S_ISREG(facts.st_mode) and facts.st_size == row.size and _same_time(row.mtime_ns, facts.st_mtime_ns)
    return _Known(row, path, facts) if same else None


def _same_time(before: int, now: int) -> bool:
    """Return whether two times are equal up to the resolution of another file system."""
    return before == now or (now % COARSE_NS == 0 and abs(now - before) < SLACK_NS)


def _compare_sample(known: tuple[_Known, ...]) -> None:
    """Raise `LibraryRefused` if a file of an evenly spread sample has another hash."""
    read = [file for file in known if file.row.sha256 and not file.row.pending and file.row.size <= SAMPLE_BYTES]
    for file in read[:: max(1, -(-len(read) // SAMPLE))]:
        try:
            with Path(os.fsdecode(file.path)).open("rb") as opened:
                digest = hashlib.file_digest(opened, "sha256").digest()
        except OSError as error:
            raise LibraryRefused(
                f"{_shown(file.path)} cannot be read ({error.strerror or error}). Nothing was changed."
            ) from error
        if digest != file.row.sha256:
            raise LibraryRefused(
                f"{_shown(file.path)} has the size and time of the file the library knows, but not its bytes. "
                "Nothing was changed. If it is another folder, add it as such."
            )


def _refuse_overlaps(folders: Iterable[Folder], moves: list[_Move]) -> None:
    places = {folder.id: folder.path for folder in folders} | {move.folder.id: move.path for move in moves}
    for move in moves:
        if move.folder.id not in places:
            raise LibraryRefused(f"{_shown(move.folder.path)} is not in the library any more.")
        for other, path in places.items():
            inside = relative_to(path, move.path) is not None or relative_to(move.path, path) is not None
            if other != move.folder.id and inside:
                raise LibraryRefused(
                    f"{_shown(move.path)} and {_shown(path)}, which the library has already, lie in one another. "
                    "Nothing was changed."
                )


def _apply(catalog: Catalog, move: _Move) -> None:
    devices = Devices()
    device = devices.volume(move.path, os.stat(move.path).st_dev)  # noqa: PTH116 (bytes)
    # A file that is missing there is deleted, not offline: its old device is not waited for.
    catalog.folders.set_path(move.folder.id, move.path, device)
    if move.folder.state is FolderState.OFFLINE:
        catalog.folders.set_online(move.folder.id)
    for file in move.known:
        facts = file.facts
        volume = devices.volume(file.path, facts.st_dev)
        stat_ = FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, volume, facts.st_ctime_ns)
        catalog.files.set_stat(file.row.id, stat_)


def _shown(path: bytes) -> str:
    return os.fsdecode(path)
