"""One small library, indexed once in a process of tests; each test gets a copy of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from desktop_rag.evaluation.indexing import index
from desktop_rag.index.libraries import Libraries

TEXTS = {
    "notes.md": "# Notes\n\nThe xylophone has forty bars of rosewood.\nIt was tuned in May.\n",
    "wood/drums.txt": "The drums are made of maple.\nRosewood is for the xylophone only.\n",
    "wood/flutes.txt": "The flutes are made of silver.\n",
}


class Indexed(NamedTuple):
    """A data home with a library, and the folder it was made of."""

    home: Path
    documents: Path


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    base = tmp_path_factory.mktemp("search")
    documents = base / "Instruments"
    for name, text in TEXTS.items():
        (documents / name).parent.mkdir(parents=True, exist_ok=True)
        (documents / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESKTOP_RAG_HOME", str(base / "home"))
        index(Libraries(base / "home").usual().folder, [documents], lambda _: None)
    return Indexed(base / "home", documents)


@pytest.fixture
def documents(indexed: Indexed, own_data_home: Path) -> Iterator[Path]:
    """Folder of the library that the test may change: a copy; what the test adds to the folder goes after it."""
    shutil.copytree(indexed.home, own_data_home)
    yield indexed.documents
    for path in sorted(indexed.documents.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(indexed.documents).as_posix() not in TEXTS:
            path.unlink()
