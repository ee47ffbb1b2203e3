"""Links: extracted when no file waits for a reader, since words come first, and with a phase of their own."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.root_folders import add_root_folders
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.status_board import IndexingActivity, StatusBoard, status
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put

pytestmark = pytest.mark.processes

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


def test_linking_tells_how_much_and_how_long_is_left(catalog: Catalog, library: Library) -> None:
    board = StatusBoard()
    board.update(phase=IndexingPhase.LINKING, links_left=100)
    with closing(CatalogReader.open(library.catalog)) as reader:
        unknown = status(reader, board.activity, 0.0, 0.0)
        told = status(reader, replace(board.activity, links_per_second=50.0), 0.0, 0.0)
    assert (unknown.links_left, unknown.eta_seconds) == (100, None)
    assert told.eta_seconds == 2


def test_links_are_extracted_in_a_phase_of_their_own(
    catalog: Catalog, put: Put, library: Library, tmp_path: Path
) -> None:
    root = catalog.folders.add(bytes(tmp_path), is_file=False)
    for number in range(3):
        put(root, b"%d.txt" % number, f"Mara Lindqvist sailed to Kvikkjokk in year {number}.")
    board = StatusBoard()
    pipeline = Pipeline(library, encoder_folder(), board, Stop(), Mock(), 1)
    try:
        assert pipeline.sync_links(eager=True)
        assert (board.activity.phase, board.activity.links_left) == (IndexingPhase.LINKING, 0)
        while pipeline.sync_links(eager=True):
            pass
    finally:
        pipeline.close()
    assert catalog.database.number("SELECT count(DISTINCT chunk) FROM mention") == 3
