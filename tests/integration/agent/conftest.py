"""A real library of small documents, searched in this process."""

from collections.abc import Iterator

import pytest

from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from tests.integration.retrieval.conftest import FILES, SmallLibrary


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    library.add(FILES)
    library.encode()
    yield library
    library.close()


@pytest.fixture(scope="module")
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder, encoder_folder())
    yield engine
    engine.close()
