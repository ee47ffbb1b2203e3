"""Hits in another language than the query carry their score by meaning, if the encoder compares both languages."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.index.encoding.encoder_description import read_description, write_description
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

KATZEN = """# Katzen

Eine Katze schläft bis zu sechzehn Stunden am Tag, und wer sie weckt, wird nicht geliebt.
Die Katze frisst Mäuse und trinkt Wasser, aber keine Milch.
"""
ENGLISH = "How long does a Katze sleep on each day, and what does it eat?"
GERMAN = "Wie lange schläft eine Katze am Tag, und was frisst sie?"


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """Return the encoder that ships, described as one of two languages."""
    folder = tmp_path / "encoder"
    shutil.copytree(encoder_folder(), folder)
    _describe(folder, ("en", "de"))
    return folder


def _describe(folder: Path, languages: tuple[str, ...], close: float = 0.2) -> None:
    write_description(folder, replace(read_description(folder), languages=languages, close=close))


@pytest.mark.parametrize("mode", [Mode.SEMANTIC, Mode.HYBRID, Mode.LINKED, Mode.BEST])
def test_only_hits_in_another_language_have_the_score(library: SmallLibrary, encoder: Path, mode: Mode) -> None:
    library.add({"katzen.md": KATZEN}, "other")
    library.encode(encoder)
    engine = SearchEngine(library.layout.folder, encoder)
    asked, here = (engine.search(SearchRequest(question, mode), Stop()).hits for question in (ENGLISH, GERMAN))
    engine.close()
    across = {hit.path.name: hit.why.across for hit in asked}
    assert 0 < across.pop("katzen.md") < 1
    assert "cats.md" in across
    assert set(across.values()) == {0.0}
    assert next(hit.why.across for hit in here if hit.path.name == "katzen.md") == 0.0


def test_an_encoder_of_one_language_compares_none(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add({"katzen.md": KATZEN}, "other")
    library.encode()
    found = engine.search(SearchRequest(ENGLISH, Mode.SEMANTIC), Stop()).hits
    assert {hit.why.across for hit in found} == {0.0}


@pytest.mark.parametrize(
    ("languages", "close", "found"), [(("en", "de"), 0.05, True), (("en", "de"), 0.08, False), (("en",), 0.05, False)]
)
def test_half_the_score_is_enough_in_another_language(
    tmp_path: Path, encoder: Path, languages: tuple[str, ...], close: float, *, found: bool
) -> None:
    library = SmallLibrary(tmp_path)
    library.add({"katzen.md": KATZEN})
    library.encode(encoder)
    _describe(encoder, languages, close)
    engine = SearchEngine(library.layout.folder, encoder)
    hits = engine.search(SearchRequest("Who wrote the constitution of Brazil?", Mode.HYBRID), Stop()).hits  # .032
    engine.close()
    library.close()
    assert bool(hits) == found
