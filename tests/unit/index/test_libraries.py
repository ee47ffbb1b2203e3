"""The list of libraries: names, folders, and what happens when one of them is not there."""

import shutil
from pathlib import Path

import pytest

from desktop_rag.errors import LibraryError, LibraryMissing, LibraryRefused
from desktop_rag.index.libraries import FIRST_NAME, KnownLibrary, Libraries, present
from desktop_rag.index.library import Library

LIBRARY_FILES = (
    "catalog.sqlite",
    "catalog.sqlite-wal",
    "catalog.sqlite-shm",
    "catalog.sqlite.damaged-20260102-030405",
    "catalog.sqlite.damaged-20260102-030405-wal",
    "conversations.sqlite",
    "conversations.sqlite.000000000012.backup",
    "conversations.sqlite.unfinished",
    "conversations.sqlite.unfinished-journal",
    "conversations.sqlite.damaged-1",
    "bookmarks.sqlite",
    "bookmarks.sqlite-wal",
    "bookmarks.sqlite.000000000003.backup",
    "bookmarks.sqlite.damaged-2-shm",
    "searches.json",
    "documents.json",
    "searches.json.new",
    "searches.json.4711-4712.new",
    "folders.json",
    "folders.json.new",
    "sealed.json",
    "damaged.txt",
    "damaged.txt.new",
    "indexer.json",
    "indexer.json.new",
    "indexer.log",
    "indexer.sock",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def libraries(home: Path) -> Libraries:
    return Libraries(home)


def names(libraries: Libraries) -> list[str]:
    return [library.name for library in libraries.all()]


def test_at_first_there_is_one_library_which_may_be_made(libraries: Libraries, home: Path) -> None:
    [first] = libraries.all()
    assert (first.name, first.folder, first.made) == (FIRST_NAME, home / "libraries" / "default", False)
    assert present(first) == Library(home / "libraries" / "default")
    assert not home.exists()


def test_the_library_used_last_is_remembered(libraries: Libraries) -> None:
    first = libraries.use(libraries.usual())
    work = libraries.create("Work")
    assert libraries.last() == first
    libraries.use(work)
    assert libraries.last() == work
    assert libraries.usual() == first


def test_making_another_library_first_leaves_the_usual_one_as_it_is(libraries: Libraries) -> None:
    libraries.create("Work")
    assert names(libraries) == [FIRST_NAME, "Work"]
    assert not libraries.usual().is_missing()
    assert libraries.use(libraries.usual()).made


def test_libraries_of_the_usual_place_are_found_without_the_list(libraries: Libraries, home: Path) -> None:
    libraries.use(libraries.usual())
    libraries.create("Work")
    (home / "libraries.json").write_bytes(b"\xff\x00{")
    assert names(libraries) == [FIRST_NAME, "work"]
    assert (home / "libraries.unreadable.json").read_bytes() == b"\xff\x00{"


def test_libraries_move_with_the_data_folder(libraries: Libraries, home: Path, tmp_path: Path) -> None:
    libraries.use(libraries.usual())
    libraries.create("Work")
    disk = libraries.create("Disk", tmp_path / "disk" / "library")
    home.rename(tmp_path / "moved")
    moved = Libraries(tmp_path / "moved")
    assert names(moved) == [FIRST_NAME, "Work", "Disk"]
    assert not any(library.is_missing() for library in moved.all())
    assert moved.find("Work").folder == tmp_path / "moved" / "libraries" / "work"
    assert moved.find("Disk") == disk


def test_a_library_is_named_by_its_name_in_any_case_or_by_its_folder(libraries: Libraries, tmp_path: Path) -> None:
    work = libraries.create("Work", tmp_path / "disk" / "work library")
    assert libraries.find("wORK") == work
    assert libraries.find(str(work.folder)) == work
    assert libraries.find(str(tmp_path / "another")).made is False


def test_a_mistyped_name_makes_no_library(libraries: Libraries) -> None:
    with pytest.raises(LibraryError, match=r"There is no library called “Wrok”. There are: “My library”"):
        libraries.find("Wrok")


def test_a_library_whose_disk_is_not_connected_is_not_made_anew(libraries: Libraries, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    work = libraries.create("Work", disk / "work")
    shutil.rmtree(disk)
    [known] = [library for library in libraries.all() if library.name == "Work"]
    assert known.is_missing()
    with pytest.raises(LibraryMissing, match=r"does not exist\. Connect its disk"):
        present(known)
    with pytest.raises(LibraryMissing):
        libraries.use(work)
    disk.mkdir()
    (disk / "work").mkdir()  # an empty mount point is not the library either
    assert known.is_missing()


def test_a_library_on_another_disk_is_opened_and_found_again_at_another_place(
    libraries: Libraries, home: Path, tmp_path: Path
) -> None:
    work = Libraries(tmp_path / "other computer").create("Work", tmp_path / "disk" / "work")
    opened = libraries.open(work.folder)
    assert (opened.name, opened.folder) == ("work", work.folder)
    assert libraries.open(work.folder) == opened
    (tmp_path / "disk").rename(tmp_path / "mounted")
    moved = libraries.move("work", tmp_path / "mounted" / "work")
    assert not moved.is_missing()
    assert names(libraries)[-1] == "work"


def test_a_folder_without_a_library_is_not_opened(libraries: Libraries, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="There is no library in"):
        libraries.open(tmp_path)


def test_a_library_is_renamed_in_the_list_only(libraries: Libraries) -> None:
    work = libraries.use(libraries.create("Work"))
    renamed = libraries.rename("work", "Office")
    assert (renamed.name, renamed.folder) == ("Office", work.folder)
    assert libraries.last() == renamed
    assert libraries.rename("Office", "OFFICE").name == "OFFICE"


@pytest.mark.parametrize("name", ["", "  ", "a/b", ".hidden", "my LIBRARY"])
def test_a_name_that_cannot_be_used_is_refused(libraries: Libraries, name: str) -> None:
    libraries.use(libraries.usual())
    with pytest.raises(LibraryError):
        libraries.create(name)


def test_names_of_any_script_get_a_folder_of_their_own(libraries: Libraries, home: Path) -> None:
    folders = [libraries.create(name).folder for name in ("Zürich 2024", "書類", "архив")]
    assert [folder.name for folder in folders] == ["zurich-2024", "library", "library-2"]


def test_a_removed_library_keeps_its_files(libraries: Libraries) -> None:
    libraries.use(libraries.usual())
    work = libraries.create("Work")
    libraries.remove("Work")
    assert names(libraries) == [FIRST_NAME]
    assert work.library.exists()
    assert libraries.open(work.folder).name == "work"


def test_a_deleted_library_leaves_what_is_not_its_own(libraries: Libraries, tmp_path: Path) -> None:
    libraries.use(libraries.usual())
    work = libraries.create("Work", tmp_path / "work")
    for folder in ("keyword", "keyword.new", "keyword.old", "vectors"):
        (work.folder / folder).mkdir()
        (work.folder / folder / "MAIN.seg").touch()
    kept = {"letter.txt", "indexer.notes.txt", "catalog.sqlite.txt", "conversations.sqlite and I.doc", "searches.json~"}
    for name in (*kept, *LIBRARY_FILES):
        (work.folder / name).touch()
    (work.folder / "catalog.sqlite.damaged-1").mkdir()  # a folder of that name is no file of ours
    libraries.delete("Work")
    assert {file.name for file in work.folder.iterdir()} == {*kept, "catalog.sqlite.damaged-1"}
    assert names(libraries) == [FIRST_NAME]


def test_a_deleted_library_takes_bookmarks_and_searches_along(libraries: Libraries) -> None:
    libraries.use(libraries.usual())
    work = libraries.create("Work")
    for name in LIBRARY_FILES:
        (work.folder / name).touch()
    libraries.delete("Work")
    assert not work.folder.exists()


def test_the_last_library_stays(libraries: Libraries) -> None:
    libraries.use(libraries.usual())
    for leave in (libraries.remove, libraries.delete):
        with pytest.raises(LibraryError, match="the only library"):
            leave(FIRST_NAME)


def test_a_folder_with_something_else_in_it_becomes_no_library(libraries: Libraries, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").touch()
    with pytest.raises(LibraryError, match="is not empty"):
        libraries.create("Letters", tmp_path / "letters")


@pytest.mark.parametrize("act", ["create", "open", "move"])
def test_a_folder_that_cannot_be_read_is_refused_with_a_reason(libraries: Libraries, tmp_path: Path, act: str) -> None:
    first = libraries.use(libraries.usual())
    unreadable = tmp_path / ("x" * 300)  # longer than a file system allows: every look at it fails
    acts = {
        "create": lambda: libraries.create("Work", unreadable),
        "open": lambda: libraries.open(unreadable),
        "move": lambda: libraries.move(first.name, unreadable),
    }
    with pytest.raises(LibraryRefused, match="cannot be used"):
        acts[act]()


def test_an_unreadable_library_counts_as_missing(tmp_path: Path) -> None:
    assert KnownLibrary("Work", tmp_path / ("x" * 300)).is_missing()
