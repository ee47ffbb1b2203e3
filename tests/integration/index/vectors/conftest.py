"""A folder for vector files and their writers."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from desktop_rag.index.vectors.vector_writer import VectorWriter
from tests.integration.index.vectors.files import Opens, open_writer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


@pytest.fixture
def opened(folder: Path) -> Iterator[Opens]:
    with ExitStack() as stack:
        yield lambda *names: stack.enter_context(closing(open_writer(folder, *names)))


@pytest.fixture
def writer(opened: Opens) -> VectorWriter:
    return opened()
