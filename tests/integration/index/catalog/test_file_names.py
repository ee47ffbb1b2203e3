"""The index of file names follows the files, before and after the indexer has taken its queue."""

import os
import re
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Line
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog import file_names
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.quarantine import overwrite
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId, FileStat, FileState, FolderId


@pytest.fixture
def folder(catalog: Catalog, tmp_path: Path) -> FolderId:
    return catalog.folders.add(os.fsencode(tmp_path / "documents"), is_file=False)


def add(catalog: Catalog, folder: FolderId, name: str, number: int) -> ContentId:
    builder = DocumentBuilder("text")
    builder.add(Line(f"This is text number {number}."))
    document = builder.build()
    path = os.fsencode(name)
    catalog.files.queue(folder, path, FileStat(1, 1, number, 1))
    content = catalog.contents.store(b"%032d" % number, document, tuple(split(document)))
    catalog.files.link(catalog.files.of_folder(folder)[path].id, content)
    return content


def index_all(catalog: Catalog) -> None:
    while catalog.file_names.index_some():
        pass


@pytest.mark.parametrize("indexed", [False, True])
def test_a_name_is_found_by_its_words_and_parts(
    catalog: Catalog, library: Library, folder: FolderId, *, indexed: bool
) -> None:
    budget = add(catalog, folder, "plans/Budget2023_finalVersion.xlsx", 1)
    minutes = add(catalog, folder, "minutes c++ o'neil größe.txt", 2)
    if indexed:
        index_all(catalog)
    with closing(CatalogReader.open(library.catalog)) as reader:
        names = reader.file_names
        for word in ("budget", "2023", "final", "version", "budget2023"):
            assert names.holding([word]) == {budget}
        assert names.holding(["minut"]) == names.holding(["grosse", "nothing"]) == {minutes}
        assert names.holding(["xlsx"]) == names.holding([]) == frozenset()
        assert names.matching(re.compile("budg.*"), "budg") == {budget}
        assert names.count() == 2


def test_a_renamed_file_is_found_by_its_new_name_only(catalog: Catalog, library: Library, folder: FolderId) -> None:
    content = add(catalog, folder, "draft.txt", 1)
    index_all(catalog)
    catalog.database.execute("UPDATE file SET path = ? WHERE content = ?", (b"contract.txt", content))
    index_all(catalog)
    with closing(CatalogReader.open(library.catalog)) as reader:
        assert reader.file_names.holding(["contract"]) == {content}
        assert reader.file_names.holding(["draft"]) == frozenset()


def test_deleted_files_and_removed_folders_are_not_found(catalog: Catalog, library: Library, folder: FolderId) -> None:
    add(catalog, folder, "draft.txt", 1)
    index_all(catalog)
    catalog.folders.remove(folder)
    with closing(CatalogReader.open(library.catalog)) as reader:
        assert reader.file_names.holding(["draft"]) == frozenset()
    catalog.database.execute("DELETE FROM folder")
    index_all(catalog)
    assert catalog.database.number("SELECT count(*) FROM name_vocabulary") == 0


def test_the_names_of_deleted_files_are_overwritten(catalog: Catalog, library: Library, folder: FolderId) -> None:
    for number in range(300):
        add(catalog, folder, f"paper {number}.txt", number)
    add(catalog, folder, "extraordinaryname.txt", 999)
    index_all(catalog)
    catalog.checkpoint()
    assert b"extraordinarynam" in library.catalog.read_bytes()
    catalog.database.execute("DELETE FROM file WHERE path = ?", (b"extraordinaryname.txt",))
    assert overwrite(catalog)
    assert b"extraordinarynam" not in library.catalog.read_bytes()


def test_a_word_of_nearly_all_names_finds_nothing(
    catalog: Catalog, library: Library, folder: FolderId, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        add(catalog, folder, f"scan {number}.txt", number)
    index_all(catalog)
    monkeypatch.setattr(file_names, "_MOST_FILES", 20)
    with closing(CatalogReader.open(library.catalog)) as reader:
        assert reader.file_names.holding(["scan"]) == frozenset()
        assert len(reader.file_names.holding(["7", "17"])) == 2


def test_a_catalog_without_the_index_is_searched_and_then_indexed(
    catalog: Catalog, library: Library, folder: FolderId
) -> None:
    content = add(catalog, folder, "old lease.txt", 1)
    catalog.files.queue(folder, b"photo of the lease.jpg", FileStat(1, 1, 2, 1))
    picture = catalog.files.of_folder(folder)[b"photo of the lease.jpg"].id
    catalog.files.set_outcome(picture, FileState.FAILED, "Damaged.", ProblemKind.DAMAGED)
    for name in ("name_added", "name_changed", "name_removed"):
        catalog.database.execute(f"DROP TRIGGER {name}")
    for name in ("name_vocabulary", "name_word", "name_queue"):
        catalog.database.execute(f"DROP TABLE {name}")
    for name in ("file_unread", "content_without_words"):
        catalog.database.execute(f"DROP INDEX {name}")
    with closing(CatalogReader.open(library.catalog)) as reader:  # as an earlier version left it
        assert reader.file_names.holding(["leas"]) == {content}
        assert [file.reason for file in reader.textless.with_words(["photo"])] == ["Damaged."]
        with closing(Catalog.open(library.catalog)) as opened:
            index_all(opened)
        assert reader.file_names.holding(["leas"]) == {content}
        assert [file.reason for file in reader.textless.with_words(["photo"])] == ["Damaged."]


def test_files_without_text_are_found_through_partial_indexes(catalog: Catalog) -> None:
    plan = catalog.database.rows(tuple[int, int, int, str], f"EXPLAIN QUERY PLAN {file_names._TEXTLESS}")
    searches = " ".join(detail for *_, detail in plan)
    assert "file_unread" in searches
    assert "content_without_words" in searches
