"""Memory that is short is no damage: nothing of a library is replaced, rebuilt or deleted for it."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Never

import apsw
import pytest

from desktop_rag.errors import OutOfMemory
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.indexer.integrity_scan import find_damage
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.library import Library
from desktop_rag.index.vectors.vector_writer import VectorWriter
from desktop_rag.stop import Stop


def failing(error: Exception) -> Callable[..., Never]:
    def fail(*_: object, **__: object) -> Never:
        raise error

    return fail


def test_a_check_without_memory_finds_no_damage(
    library: Library, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert catalog.lineage()
    monkeypatch.setattr(Database, "rows", failing(OutOfMemory("There is not enough memory.")))
    with pytest.raises(OutOfMemory):
        find_damage(library, Stop())


def test_a_catalog_without_memory_is_not_damaged(catalog: Catalog) -> None:
    before = apsw.hard_heap_limit(8 << 20)
    try:
        with pytest.raises(OutOfMemory, match="not enough memory"):
            catalog.database.number("SELECT length(randomblob(64000000))")
    finally:
        apsw.hard_heap_limit(before)
    assert catalog.lineage()


def test_indexes_are_not_replaced_while_too_many_files_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keywords, vectors = tmp_path / "keywords", tmp_path / "vectors"
    ColumnarKeywordWriter.open(keywords, "a")
    with closing(VectorWriter.open(vectors, "encoder", 4, "a")):
        pass
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr(Path, "read_bytes", failing(OSError(24, "Too many open files")))
    with pytest.raises(OutOfMemory):
        ColumnarKeywordWriter.open(keywords, "a")
    with pytest.raises(OutOfMemory):
        VectorWriter.open(vectors, "encoder", 4, "a")
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
