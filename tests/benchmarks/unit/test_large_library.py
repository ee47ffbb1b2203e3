from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.corpus import build
from benchmarks.opensearch import large_library
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.paths import resources


@pytest.mark.slow
@pytest.mark.parametrize("real", [False, True])
def test_a_library_that_was_interrupted_is_completed(
    real: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = build(resources() / "sample", 24)
    monkeypatch.setattr(large_library, "_BATCH", 8)

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        large_library.large_library(tmp_path, corpus, interrupt, real=real)
    library = Library(large_library.large_library(tmp_path, corpus, lambda _: None, real=real))
    files = [path for path in (tmp_path / "documents").rglob("*") if path.is_file()]
    with (
        closing(CatalogReader.open(library.catalog)) as catalog,
        closing(VectorReader.open(library.vectors)) as vectors,
    ):
        contents = catalog.files.visible_contents()
        assert len(contents) == len(files) == 20
        chunks = {chunk for content in contents for chunk in catalog.chunks.ids_of_content(content)}
        assert vectors.chunks().keys() == chunks
