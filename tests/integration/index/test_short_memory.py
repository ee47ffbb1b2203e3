"""Memory that is short is no damage: nothing of a library is replaced, rebuilt or deleted for it."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Never

import apsw
import pytest

from desktop_rag.documents.sandbox import process_limits
from desktop_rag.errors import OutOfMemory
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.database import Database
from desktop_rag.index.indexer.integrity_scan import find_damage
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient, start_indexer
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


def test_an_indexer_that_the_system_ended_for_memory_is_told_as_that(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counters = tmp_path / "vmstat"
    counters.write_text("oom_kill 3\n")
    monkeypatch.setattr(process_limits, "_OWN_CGROUP", tmp_path / "none")
    monkeypatch.setattr(process_limits, "_SYSTEM_COUNTERS", counters)
    with closing(LibraryClient(library)) as client, closing(client.follow(Stop())) as statuses:
        next(statuses)
        started = client._started
        assert started is not None
        counters.write_text("oom_kill 4\n")
        os.kill(started.pid, signal.SIGKILL)
        assert any("ran out of memory" in status.trouble for status in islice(statuses, 20))
    ended = start_indexer(library)
    os.kill(ended.pid, signal.SIGKILL)  # by anybody else: nothing is known of memory
    assert ended.failure(10.0) is None
