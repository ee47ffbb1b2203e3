"""Segments of the keyword index: merged when all words are in it, before sentences are encoded."""

from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.indexer.indexer_loop import IndexerLoop
from desktop_rag.index.indexer.keyword_sync import KeywordSync
from desktop_rag.index.indexer.pipeline import Pipeline
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put

pytestmark = pytest.mark.processes


def test_segments_are_merged_before_sentences_are_encoded(
    catalog: Catalog, put: Put, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = catalog.folders.add(bytes(tmp_path), is_file=False)
    keywords = KeywordSync(library.keywords, catalog, catalog.lineage())
    for number in range(6):
        put(root, b"%d.txt" % number, f"The rent of year {number} is due.")
        keywords.follow(force=True)
    assert len(list(library.keywords.glob("*.seg"))) == 6
    segments: list[int] = []
    encode_some = Pipeline.encode_some

    def noted(pipeline: Pipeline, threads: int = 1) -> bool:
        segments.append(len(list(library.keywords.glob("*.seg"))))
        return encode_some(pipeline, threads)

    monkeypatch.setattr(Pipeline, "encode_some", noted)
    IndexerLoop(library, encoder_folder(), StatusBoard(), Stop()).run(until=lambda: bool(segments))
    assert segments[0] == 1
