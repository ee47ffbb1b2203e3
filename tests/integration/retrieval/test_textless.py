"""Files without text are found by their names, apart from the passages."""

from pathlib import Path

import pytest
from PIL import Image

from desktop_rag.errors import ProblemKind
from desktop_rag.index.records import FileStat, FileState, FolderId
from desktop_rag.retrieval.api import Mode, Scope, SearchRequest, SearchResult, Sort
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

REASON = "This kind of file is not read."


def add_textless(library: SmallLibrary) -> FolderId:
    """Add a text, a scan without text and three files that are not read."""
    folder = library.add({"written.md": "# Written\n\nA text about the sea.\n"}, root="pictures")
    base = library.files / "pictures"
    Image.new("RGB", (400, 600), "grey").save(base / "scanned_notes.pdf")
    library.put(folder, "scanned_notes.pdf", base / "scanned_notes.pdf")
    for name, size in (("Passport Anna 2021.psd", 10), ("holiday_beach.raw", 30), ("beachHouse.raw", 20)):
        add_unread(library, folder, base / name, size)
    library.commit()
    return folder


def add_unread(library: SmallLibrary, folder: FolderId, path: Path, size: int) -> None:
    """Add a file of a kind that is not read."""
    path.write_bytes(b"x" * size)
    stat, name = path.stat(), path.name.encode()
    known = FileStat(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev)
    library.catalog.files.queue(folder, name, known)
    file = library.catalog.files.of_folder(folder)[name]
    library.catalog.files.set_outcome(file.id, FileState.SKIPPED, REASON, ProblemKind.OTHER)


@pytest.fixture(autouse=True)
def files(library: SmallLibrary) -> FolderId:
    return add_textless(library)


def found(engine: SearchEngine, query: str, **asked: object) -> SearchResult:
    return engine.search(SearchRequest(query, **asked), Stop())  # type: ignore[arg-type]  # the tests name its fields


def test_a_word_of_such_a_name_is_no_slip(engine: SearchEngine, library: SmallLibrary, files: FolderId) -> None:
    """“lent” is a slip for “rent” unless a file has it in its name."""
    assert found(engine, "lent", mode=Mode.KEYWORD).suggestion == "rent"
    add_unread(library, files, library.files / "pictures" / "lent_2021.raw", 20)
    library.commit()
    assert found(engine, "lent", mode=Mode.KEYWORD).suggestion == ""


def test_scope_filters_and_order_hold(engine: SearchEngine, files: FolderId) -> None:
    assert found(engine, "beach", scope=Scope((FolderId(files + 9),))).named == ()
    assert len(found(engine, "beach", scope=Scope((files,))).named) == 2
    assert found(engine, "beach", filters=(Filter(FileField.EXT, "pdf"),)).named == ()
    by_size = found(engine, "beach", sort=Sort.SIZE).named
    assert [file.path.name for file in by_size] == ["holiday_beach.raw", "beachHouse.raw"]


def test_a_removed_folder_is_not_found(engine: SearchEngine, library: SmallLibrary, files: FolderId) -> None:
    assert found(engine, "passport").named
    library.catalog.folders.remove(files)
    engine.close()
    assert found(engine, "passport").named == ()


def test_a_picture_is_a_hit_or_named_but_not_both(engine: SearchEngine, library: SmallLibrary, files: FolderId) -> None:
    base = library.files / "pictures"
    Image.new("RGB", (40, 60), "grey").save(base / "receipt_Berlin_hotel.png")
    library.put(files, "receipt_Berlin_hotel.png", base / "receipt_Berlin_hotel.png")
    library.commit()
    for mode in Mode:
        result = found(engine, "receipt berlin hotel", mode=mode)
        paths = [hit.path.name for hit in result.hits] + [file.path.name for file in result.named]
        assert paths.count("receipt_Berlin_hotel.png") == 1
