"""A real library of the sample documents' kind, searched in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.engine import Engine
from tests.integration.retrieval.conftest import FILES, SmallLibrary


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("library")
    library = SmallLibrary(folder)
    library.add(FILES)
    library.encode()
    engine = Engine(folder / "library", encoder_folder())
    yield engine
    engine.close()
    library.close()
