from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.library_statistics import unsearchable_files
from desktop_rag.index.records import FileState, UnreadFile, UnsearchableFiles
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    yield library
    library.close()


def test_a_library_that_is_read_has_no_gaps(library: SmallLibrary) -> None:
    library.add({"a.md": "Rent is due."})
    assert unsearchable_files(library.catalog) == UnsearchableFiles()


def test_what_waits_failed_or_is_away_is_counted(library: SmallLibrary) -> None:
    home = library.add({"a.md": "Rent is due.", "late.md": "Soon.", "bad.txt": "x", "empty.txt": "y"})
    stick = library.add({"b.md": "On a stick."}, root="stick")
    files = library.catalog.files.of_folder(home)
    database = library.catalog.database
    with library.catalog.transaction():
        database.execute("UPDATE file SET content = NULL WHERE path != ?", (b"a.md",))
        library.catalog.files.set_outcome(files[b"bad.txt"].id, FileState.FAILED, "It is damaged.", ProblemKind.DAMAGED)
        library.catalog.files.set_outcome(
            files[b"empty.txt"].id, FileState.SKIPPED, "This file is empty.", ProblemKind.EMPTY
        )
        database.execute("UPDATE file SET pending = 1 WHERE path = ?", (b"late.md",))
        scan = "UPDATE content SET partial = '3 of 9 pages', unread_pages = 3 WHERE id = ?"
        database.execute(scan, (files[b"a.md"].content,))
    library.catalog.folders.set_offline(stick)
    found = unsearchable_files(library.catalog, (home,))
    base = library.files / "home"
    assert (found.waiting, found.skipped, found.failed, found.partial) == (1, 1, 1, 1)
    assert (found.scans, found.scan_pages, found.offline) == (1, 3, ())
    assert set(found.examples) == {
        UnreadFile(base / "bad.txt", "It is damaged."),
        UnreadFile(base / "empty.txt", "This file is empty."),
        UnreadFile(base / "a.md", "3 of 9 pages"),
    }
    assert unsearchable_files(library.catalog).offline == (library.files / "stick",)
    library.catalog.folders.remove(home)
    assert unsearchable_files(library.catalog).failed == 0


def test_the_engine_tells_the_gaps_of_what_is_searched(library: SmallLibrary) -> None:
    home = library.add({"a.md": "Rent is due."})
    library.catalog.folders.set_offline(home)
    engine = SearchEngine(library.layout.folder)
    try:
        assert engine.facts(Scope(), Stop()).gaps.offline == (library.files / "home",)
        assert engine.facts(Scope(contents=(library.content("a.md"),)), Stop()).gaps == UnsearchableFiles()
    finally:
        engine.close()
