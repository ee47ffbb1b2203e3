"""The whole pipeline: when a file is ready, encoding that is paused, erasing, orphans."""

import os
import threading
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.root_folders import pause
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.status_board import StatusBoard, status
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileStat
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put


def test_a_file_queued_for_rereading_is_not_ready(catalog: Catalog, put: Put, library: Library) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    put(folder, b"one.txt", "")
    catalog.change_log.mark_searchable(catalog.change_log.last_sequence())
    reader = CatalogReader.open(library.catalog)
    board = StatusBoard()
    board.update(phase=IndexingPhase.READING)
    (before,) = status(reader, board.activity, 9.0, 9.0).folders
    catalog.files.queue(folder, b"one.txt", FileStat(99, 2, 1, 1))
    (after,) = status(reader, board.activity, 9.0, 9.0).folders
    board.update(phase=IndexingPhase.IDLE)
    idle = status(reader, board.activity, 9.0, 9.0)
    reader.close()
    assert (before.searchable, before.ready) == (1, 1)
    assert (after.found, after.searchable, after.ready) == (1, 0, 0)
    assert (idle.files_per_second, idle.sentences_per_second) == (0.0, 0.0)


@pytest.mark.processes
def test_a_pause_cancels_the_current_encoding_batch(library: Library, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "long.txt").write_text("\n\n".join(f"Sentence {n} " + "goes on " * 120 for n in range(90)))
    pipeline = Pipeline(library, encoder_folder(), StatusBoard(), Stop(), lambda *_: None, max_readers=1)
    try:
        folder = pipeline.catalog.folders.add(os.fsencode(tmp_path / "root"), is_file=False)
        pipeline.scans.request(folder)
        while pipeline.scans.step() or pipeline.read_queue.step() or pipeline.commit_keywords(force=True):
            pass
        ended = threading.Event()

        def interrupt() -> None:
            while not ended.wait(0.01):
                pipeline.interrupt(folder)

        interrupting = threading.Thread(target=interrupt)
        interrupting.start()
        assert pipeline.encode_some()
        ended.set()
        interrupting.join()
        assert pipeline.catalog.chunks.sentence_counts()[0] == 0
        pause(pipeline.catalog, folder)
        assert pipeline.is_paused()
        assert not pipeline.encode_some()
    finally:
        pipeline.close()


def test_the_catalog_shrinks_in_steps_after_erasing(library: Library, tmp_path: Path) -> None:
    pipeline = Pipeline(library, encoder_folder(), StatusBoard(), Stop(), lambda *_: None, max_readers=1)
    try:
        database = pipeline.catalog.database
        database.execute("CREATE TABLE filler (body BLOB)")
        with pipeline.catalog.transaction():
            database.execute_many("INSERT INTO filler VALUES (zeroblob(100000))", [()] * 100)
        database.execute("DELETE FROM filler")
        pipeline.catalog.checkpoint()
        full = library.catalog.stat().st_size
        steps = 0
        while pipeline.settle():
            steps += 1
        pipeline.catalog.checkpoint()
        assert steps > 3
        assert library.catalog.stat().st_size < full // 4
        assert database.number("PRAGMA freelist_count") == 0
    finally:
        pipeline.close()


def test_an_idle_library_is_not_searched_for_orphans_again(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.pipeline.RETENTION_SECONDS", 0.0)
    pipeline = Pipeline(library, encoder_folder(), StatusBoard(), Stop(), lambda *_: None, max_readers=1)
    try:
        folder = pipeline.catalog.folders.add(os.fsencode(tmp_path), is_file=False)
        for _ in range(4):
            pipeline.erase_removed()
        looked: list[int] = []
        monkeypatch.setattr(pipeline.catalog.contents, "discard_orphans", looked.append)
        pipeline.erase_removed()
        assert looked == []
        pipeline.catalog.files.queue(folder, b"new.txt", FileStat(1, 1, 1, 1))
        pipeline.erase_removed()
        assert len(looked) == 1
    finally:
        pipeline.close()
