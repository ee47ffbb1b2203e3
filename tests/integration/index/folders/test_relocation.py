"""A folder that was moved is the same folder: nothing is read or encoded again, and nothing else is taken for it."""

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import LibraryError, ProblemKind
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders import relocation
from desktop_rag.index.folders.file_changes import ScanProgress
from desktop_rag.index.folders.scan import scan
from desktop_rag.index.indexer_api import Relocated
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FileStat, FolderState
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put
from tests.integration.index.running import add, only_folder, ready, settled, wait_until, wrong_in

pytestmark = pytest.mark.processes


def write(folder: Path, files: int = 20) -> Path:
    (folder / "deep").mkdir(parents=True)
    for number in range(files):
        path = folder / ("deep" if number % 2 else "") / f"{number}.txt"
        path.write_text(f"The {number}th oar is made of ash.\nIt is {number} feet long.\n")
    return folder


def chunks_of(library: Library) -> frozenset[int]:
    """Return the ids of the chunks: a file that was read again would have others."""
    with closing(CatalogReader.open(library.catalog)) as catalog:
        return catalog.chunks.all_ids()


def changes_of(library: Library) -> int:
    """Return how much the copies were ever told: nothing is read or encoded without it."""
    with closing(CatalogReader.open(library.catalog)) as catalog:
        return catalog.database.number("SELECT max(sequence) FROM change")


def relocate(client: LibraryClient, old: Path, new: Path) -> tuple[int, int, int]:
    moved = client.relocate(os.fsencode(old), os.fsencode(new), Stop())
    return moved.folders, moved.files, moved.known


@pytest.fixture
def indexed(client: LibraryClient, tmp_path: Path) -> Path:
    folder = write(tmp_path / "old" / "Oars")
    add(client, folder)
    wait_until(client, ready(20))
    return folder


@pytest.mark.parametrize("how", ["moved", "copied to another disk"])
def test_a_moved_folder_is_known_again_without_reading_it(
    how: str, indexed: Path, client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    chunks, changes = chunks_of(library), changes_of(library)
    new = tmp_path / "new" / "Boat oars"
    new.parent.mkdir()
    if how == "moved":
        indexed.rename(new)
    else:  # other inodes
        shutil.copytree(indexed, new)
        shutil.rmtree(indexed)
    client.rescan(None, Stop())
    wait_until(client, lambda status: only_folder(status).state is FolderState.OFFLINE)
    assert relocate(client, indexed, new) == (1, 20, 20)
    status = wait_until(client, settled)
    assert only_folder(status).path == os.fsencode(new)
    assert only_folder(status).state is FolderState.ACTIVE
    assert only_folder(status).ready == 20
    assert (chunks_of(library), changes_of(library)) == (chunks, changes)
    assert wrong_in(library) == []


def facts_of(file: Path) -> FileStat:
    facts = file.stat()
    return FileStat(facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_dev, facts.st_ctime_ns)


@pytest.fixture
def known(catalog: Catalog, put: Put, tmp_path: Path) -> Path:
    """A folder that the catalog knows, without an indexer."""
    folder = write(tmp_path / "known")
    root = catalog.folders.add(os.fsencode(folder), is_file=False)
    for file in folder.rglob("*.txt"):
        path = os.fsencode(file.relative_to(folder))
        put(root, path, file.read_text())
        catalog.files.set_stat(catalog.files.of_folder(root)[path].id, facts_of(file))
    (folder / "empty.txt").touch()
    catalog.files.skip(root, b"empty.txt", facts_of(folder / "empty.txt"), "This file is empty.", ProblemKind.EMPTY)
    return folder


def refusal(catalog: Catalog, old: Path, new: Path) -> str:
    """Return why a folder is not taken for the moved one, which changes nothing."""
    before = catalog.folders.all()
    with pytest.raises(LibraryError) as refused:
        relocation.relocate(catalog, os.fsencode(old), os.fsencode(new))
    assert catalog.folders.all() == before
    return str(refused.value)


def test_a_scan_of_the_new_place_finds_nothing_to_read(catalog: Catalog, known: Path, tmp_path: Path) -> None:
    new = Path(shutil.copytree(known, tmp_path / "new"))  # with other inodes and times of change
    shutil.rmtree(known)
    assert relocation.relocate(catalog, os.fsencode(known), os.fsencode(new)) == Relocated(1, 21, 21)
    [root] = catalog.folders.all()
    events = scan(root, catalog.files.lookup(root.id), Stop())
    assert [event for event in events if not isinstance(event, ScanProgress)] == []


def test_a_link_from_the_old_place_to_the_new_one_is_no_hindrance(
    catalog: Catalog, known: Path, tmp_path: Path
) -> None:
    new = known.rename(tmp_path / "new")
    known.symlink_to(new)
    assert relocation.relocate(catalog, os.fsencode(known), os.fsencode(new)).known == 21


def test_edits_at_the_new_place_are_noticed(indexed: Path, client: LibraryClient, tmp_path: Path) -> None:
    new = indexed.rename(tmp_path / "new")
    (new / "0.txt").write_text("A paddle of spruce.\n")
    (new / "2.txt").unlink()
    assert relocate(client, indexed, new) == (1, 20, 18)
    wait_until(client, lambda status: settled(status) and only_folder(status).ready == 19)
    (new / "4.txt").unlink()
    wait_until(client, ready(18))


def test_all_folders_of_a_drive_move_at_once(client: LibraryClient, library: Library, tmp_path: Path) -> None:
    drive, mounted = tmp_path / "drive", tmp_path / "mounted"
    for name in ("Oars", "Sails"):
        add(client, write(drive / name, 4))
    single = drive / "hull.txt"
    single.write_text("The hull is larch.\n")
    add(client, single)
    wait_until(client, ready(9))
    chunks = chunks_of(library)
    drive.rename(mounted)
    assert relocate(client, drive, mounted) == (3, 9, 9)
    status = wait_until(client, settled)
    assert {folder.path for folder in status.folders} == {
        os.fsencode(mounted / name) for name in ("Oars", "Sails", "hull.txt")
    }
    assert chunks_of(library) == chunks


def test_a_folder_with_other_files_is_refused(catalog: Catalog, known: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "1.txt").write_text("Something else.\n")
    assert "of 21 files 0 are there unchanged. Nothing was changed" in refusal(catalog, known, tmp_path / "other")


def test_files_of_the_same_size_and_time_with_other_bytes_are_refused(
    catalog: Catalog, known: Path, tmp_path: Path
) -> None:
    forged = Path(shutil.copytree(known, tmp_path / "forged"))
    for file in forged.rglob("*.txt"):
        facts = file.stat()
        file.write_bytes(file.read_bytes()[::-1])
        os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert "but not its bytes" in refusal(catalog, known, forged)


def test_places_that_make_no_sense_are_refused(catalog: Catalog, known: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    catalog.folders.add(os.fsencode(other), is_file=False)
    inside = Path(shutil.copytree(known, other / "Oars"))
    assert "There is no folder" in refusal(catalog, known, tmp_path / "nowhere")
    assert "No folder of the library is" in refusal(catalog, tmp_path / "nowhere", known)
    assert "lie in one another" in refusal(catalog, known, inside)
