"""Common words bind where an operator stands beside them; among plain words they are left out."""

import pytest

from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, engine, library

__all__ = ["engine", "library"]  # the fixtures

FILES = {
    "tower.md": "The western tower is closed.",
    "gate.md": "See if western gates are open.",
    "health.md": "WHO reports are kept here.",
    "lungs.md": "Tuberculosis is a disease of the lungs.",
}


@pytest.fixture(autouse=True)
def files(library: SmallLibrary) -> None:
    library.add(FILES, root="common")


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.EXACT])
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("+if +western", {"gate.md"}),
        ("western AND if", {"gate.md"}),
        ("western AND NOT if", {"tower.md"}),
        ("WHO OR tuberculosis", {"health.md", "lungs.md"}),
        ("(who OR what) AND kept", {"health.md"}),
    ],
)
def test_a_common_word_binds_beside_an_operator(query: str, names: set[str], mode: Mode, engine: SearchEngine) -> None:
    found = engine.search(SearchRequest(query, mode), Stop())
    assert {hit.path.name for hit in found.hits if hit.path.parent.name == "common"} == names


def test_it_is_left_out_among_plain_words_and_no_document_needs_it(engine: SearchEngine) -> None:
    found = engine.search(SearchRequest("if western", Mode.KEYWORD), Stop())
    assert {hit.path.name for hit in found.hits} == {"gate.md", "tower.md"}
    every = engine.search(SearchRequest("is western", Mode.KEYWORD, default_and=True), Stop())
    assert {hit.path.name for hit in every.hits} == {"gate.md", "tower.md"}
