"""Nothing that merely cannot be seen counts as gone."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.index.folders.file_changes import FileChanged, FileDeleted, FolderAway, RootMissing, ScanProgress
from desktop_rag.index.folders.scan import scan
from desktop_rag.stop import Stop
from tests.integration.index.folders.scan.walking import (
    catalog_of,
    folder,
    learn,
    run,
    write,
)


def test_a_missing_root_says_only_that(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    root.rename(tmp_path / "elsewhere")
    assert run(root, known) == [RootMissing()]


def test_an_empty_mount_point_is_a_missing_root(root: Path) -> None:
    write(root, "a.txt")
    known = {
        path: replace(file, stat=replace(file.stat, device=file.stat.device + 1)) for path, file in learn(root).items()
    }
    (root / "a.txt").unlink()
    assert run(root, known) == [RootMissing()]


def test_an_empty_mount_point_inside_keeps_its_files(root: Path) -> None:
    write(root, "drive/a.txt", "b.txt", "c.txt")
    known = learn(root)
    elsewhere = replace(known[b"drive/a.txt"].stat, device=known[b"b.txt"].stat.device + 1)
    known[b"drive/a.txt"] = replace(known[b"drive/a.txt"], stat=elsewhere)
    (root / "drive" / "a.txt").unlink()
    (root / "c.txt").unlink()
    assert run(root, known) == [FileDeleted(known[b"c.txt"]), FolderAway(b"drive")]


def test_a_folder_emptied_by_the_person_is_empty(root: Path) -> None:
    write(root, "a.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    assert run(root, known) == [FileDeleted(known[b"a.txt"])]


def test_a_root_that_goes_away_during_the_scan_loses_nothing(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt", "b/c.txt", "d/e.txt")
    known = learn(root)
    write(root, "b/new.txt")
    with catalog_of(known) as files:
        events = scan(folder(root), files, Stop())
        assert next(events) == ScanProgress(b"")
        root.rename(tmp_path / "elsewhere")
        assert list(events) == []
    assert run(root, known) == [RootMissing()]


def test_a_root_that_goes_away_before_its_end_is_told_keeps_its_files(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    real = os.scandir

    def listed_at_last(path: bytes) -> "os._ScandirIterator[bytes]":
        entries = real(path)
        if path == os.fsencode(root):
            root.rename(tmp_path / "elsewhere")
        return entries

    monkeypatch.setattr(os, "scandir", listed_at_last)
    assert run(root, known) == [RootMissing()]


def test_a_stopped_scan_takes_nothing_for_gone(root: Path) -> None:
    write(root, "a.txt", "b/c.txt")
    known = learn(root)
    (root / "a.txt").unlink()
    stop = Stop()
    stop.set()
    with catalog_of(known) as files:
        assert list(scan(folder(root), files, stop)) == []


def test_a_root_that_is_a_file_is_one_file_with_an_empty_path(root: Path) -> None:
    write(root, ".notes.txt")
    path = root / ".notes.txt"
    known = learn(path)
    assert set(known) == {b""}
    assert run(path, known) == []
    write(root, ".notes.txt", text="changed")
    (event,) = run(path, known)
    assert isinstance(event, FileChanged)
    kept = folder(path)
    path.unlink()
    with catalog_of(known) as files:
        assert list(scan(kept, files, Stop())) == [RootMissing()]


# Only where a hint says
