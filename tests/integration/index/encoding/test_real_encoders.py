"""Real converted encoders, below the folder `DESKTOP_RAG_TEST_ENCODERS`: multilingual-e5-small and gte-small."""

import os
from pathlib import Path

import pytest

from desktop_rag.index.encoding.encoder_description import read_description
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, library

__all__ = ["library"]  # the fixture

LOCATION = os.environ.get("DESKTOP_RAG_TEST_ENCODERS", "")


def converted(name: str) -> Path:
    folder = Path(LOCATION) / name
    if not LOCATION or not folder.is_dir():
        pytest.skip(f"{name} is not here: see docs/encoders.md, and set DESKTOP_RAG_TEST_ENCODERS")
    return folder


@pytest.mark.parametrize(("name", "floor"), [("multilingual-e5-small", 0.74), ("gte-small", 0.73)])
def test_the_floor_is_near_that_of_xquad(name: str, floor: float) -> None:
    described = read_description(converted(name))
    assert described.score_floor == pytest.approx(floor, abs=0.04)
    assert described.agreement > 0.99
    assert ("de" in described.languages) is name.startswith("multilingual")


@pytest.mark.parametrize("question", ["Wie lange schlafen Katzen?", "猫每天睡多久？", "Сколько спят кошки?"])
def test_a_question_in_another_language_finds_english_passages(library: SmallLibrary, question: str) -> None:
    encoder = converted("multilingual-e5-small")
    library.encode(encoder)
    engine = SearchEngine(library.layout.folder, encoder)
    for mode in (Mode.SEMANTIC, Mode.HYBRID):
        assert engine.search(SearchRequest(question, mode, 3), Stop()).hits[0].path.name == "cats.md"
    engine.close()
