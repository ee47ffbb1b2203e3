"""Links and vectors wait while files wait for a reader: their words come first."""

from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.root_folders import add_root_folders
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.status_board import IndexingActivity, StatusBoard, status
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop

FILES = 24  # of 230 KB, so that reading takes a while


def test_links_are_extracted_when_no_file_waits_for_a_reader(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"report {number}.txt").write_text(f"Report {number} quotes Report {number + 1}. " * 6_000, "utf-8")
    library.create()
    with closing(Catalog.open(library.catalog)) as catalog:
        add_root_folders(catalog, [bytes(folder)])
    loop = IndexerLoop(library, encoder_folder(), StatusBoard(), Stop())
    free: list[bool] = []
    sync_links = Pipeline.sync_links

    def noted(pipeline: Pipeline, *, eager: bool) -> bool:
        free.append(pipeline.read_queue.has_free_slot())
        return sync_links(pipeline, eager=eager)

    monkeypatch.setattr(Pipeline, "sync_links", noted)
    with closing(CatalogReader.open(library.catalog)) as reader:

        def is_done() -> bool:
            return bool(free) and not status(reader, IndexingActivity(), 0, 0).waiting_files

        loop.run(until=is_done)
    assert all(free)
