"""What an indexer does before it opens a library that was not left properly, or is not what it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders import root_folders
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderRules, FolderState
from desktop_rag.index.recovery import recover, request_repair, seal

BOAT, HOUSE = b"/home/me/boat", b"/home/me/house"


@pytest.fixture
def known(library: Library) -> Library:
    """Return a library that knows two folders, one of them paused and with rules of its own."""
    library.create()
    recover(library)
    with closing(Catalog.open(library.catalog)) as catalog:
        catalog.folders.add(BOAT, is_file=False)
        house = catalog.folders.add(HOUSE, is_file=False)
        catalog.folders.set_rules(house, FolderRules(include_hidden=True))
        catalog.folders.set_state(house, FolderState.PAUSED)
        root_folders.keep(catalog, library.folder_list)
    return library


def folders_of(library: Library) -> set[tuple[bytes, FolderState, bool]]:
    with closing(Catalog.open(library.catalog)) as catalog:
        return {(folder.path, folder.state, folder.rules.include_hidden) for folder in catalog.folders.all()}


BOTH = {(BOAT, FolderState.ACTIVE, False), (HOUSE, FolderState.PAUSED, True)}


def damaged(library: Library) -> list[Path]:
    return [path for path in library.folder.glob("catalog.sqlite.damaged-*") if not path.name.endswith("-wal")]


def test_a_library_is_trusted_only_if_it_was_sealed_and_not_touched_since(known: Library) -> None:
    assert not recover(known).sealed
    seal(known)
    assert recover(known).sealed
    assert not recover(known).sealed  # the seal is broken by opening it
    seal(known)
    with known.catalog.open("ab") as file:
        file.write(bytes(4096))
    assert not recover(known).sealed


def test_reading_leaves_nothing_behind_and_does_not_break_the_seal(known: Library) -> None:
    seal(known)
    before = sorted(known.folder.iterdir())
    with closing(CatalogReader.open(known.catalog)) as reader:
        assert reader.folders.all()
        assert sorted(known.folder.iterdir()) != before  # a journal, while it is open
        with pytest.raises(LibraryError, match="cannot be written"):
            reader.database.execute("DELETE FROM folder")
    assert sorted(known.folder.iterdir()) == before
    known.catalog.with_name("catalog.sqlite-wal").touch()  # as a reader leaves it that is ended by force
    assert recover(known).sealed


def test_a_reader_leaves_the_journal_of_a_catalog_that_has_replaced_its_own(known: Library) -> None:
    reader = CatalogReader.open(known.catalog)
    assert reader.folders.all()
    known.catalog.unlink()
    for ending in ("-wal", "-shm"):
        known.catalog.with_name(f"catalog.sqlite{ending}").unlink()
    with closing(Catalog.open(known.catalog)) as catalog:
        catalog.folders.add(HOUSE, is_file=False)
        reader.close()
        assert known.catalog.with_name("catalog.sqlite-wal").stat().st_size
        with closing(CatalogReader.open(known.catalog)) as other:
            assert [folder.path for folder in other.folders.all()] == [HOUSE]


def test_a_sealed_library_is_looked_through_again_after_a_month(known: Library) -> None:
    with closing(Catalog.open(known.catalog)) as catalog:
        catalog.database.execute("UPDATE meta SET value = value - 31 * 86400 WHERE key = 'looked_through'")
    seal(known)
    assert not recover(known).sealed
    with closing(Catalog.open(known.catalog)) as catalog:
        catalog.record_integrity_scan()
    seal(known)
    assert recover(known).sealed


def test_a_lost_catalog_gets_its_folders_back(known: Library) -> None:
    known.catalog.unlink()
    recover(known)
    assert folders_of(known) == BOTH


def test_a_catalog_of_garbage_is_kept_aside_and_the_person_is_told(known: Library) -> None:
    known.catalog.write_bytes(b"garbage" * 1000)
    notice = recover(known).notice
    assert "is damaged" in notice
    assert "knows the same 2 folders" in notice
    assert folders_of(known) == BOTH
    assert [path.read_bytes() for path in damaged(known)] == [b"garbage" * 1000]


def test_a_catalog_of_another_library_is_kept_aside(known: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other")
    other.create()
    recover(other)
    with closing(Catalog.open(other.catalog)) as catalog:
        catalog.folders.add(b"/elsewhere", is_file=False)
    known.catalog.write_bytes(other.catalog.read_bytes())
    recover(known)
    assert folders_of(known) == BOTH
    assert len(damaged(known)) == 1


def test_an_older_catalog_learns_which_folders_were_added_and_removed_since(known: Library) -> None:
    older = known.catalog.read_bytes()
    with closing(Catalog.open(known.catalog)) as catalog:
        lineage = catalog.lineage()
        catalog.folders.remove(catalog.folders.all()[0].id)
        catalog.folders.add(b"/home/me/garden", is_file=False)
        root_folders.keep(catalog, known.folder_list)
    known.catalog.write_bytes(older)
    recover(known)
    assert {path for path, _, _ in folders_of(known)} == {HOUSE, b"/home/me/garden"}
    with closing(Catalog.open(known.catalog)) as catalog:
        assert catalog.lineage() == lineage
    assert damaged(known) == []


def test_a_catalog_of_an_older_version_is_begun_anew(known: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.index.catalog.catalog_schema.FORMAT", 1000)
    for module in ("desktop_rag.index.recovery", "desktop_rag.index.catalog.catalog_schema"):
        monkeypatch.setattr(f"{module}.OLDEST", 1000)
    recover(known)
    assert folders_of(known) == BOTH
    assert damaged(known) == []


def test_a_catalog_of_a_newer_version_is_left_alone(known: Library) -> None:
    with closing(sqlite3.connect(known.catalog)) as database:
        database.execute("PRAGMA user_version=1000")
    before = known.catalog.read_bytes()
    with pytest.raises(LibraryError, match="newer version"):
        recover(known)
    assert known.catalog.read_bytes() == before


def test_a_catalog_that_an_indexer_could_not_use_is_mended_by_the_next(known: Library) -> None:
    request_repair(known, LibraryDamaged("a page is malformed"))
    with closing(Catalog.open(known.catalog)) as catalog:
        lineage = catalog.lineage()
    recover(known)
    assert not known.repair_request.exists()
    assert folders_of(known) == BOTH
    with closing(Catalog.open(known.catalog)) as catalog:
        assert catalog.lineage() != lineage  # the copies are built anew
    assert not known.repair_request.exists()


def test_a_list_that_cannot_be_read_is_written_again(known: Library) -> None:
    known.folder_list.write_bytes(b"{")
    recover(known)
    listed = root_folders.read(known.folder_list)
    assert listed is not None
    assert {folder.path for folder in listed.folders} == {BOAT, HOUSE}
