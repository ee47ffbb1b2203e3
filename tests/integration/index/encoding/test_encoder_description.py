"""What an encoder needs is read from its description: prefixes, pooling, length, score floor, trust."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding import encoder
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_description import EncoderDescription, read_description, write_description
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.retrievers import vector
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, library

__all__ = ["library"]  # the fixture


@pytest.fixture(scope="module")
def shipped() -> Encoder:
    return Encoder.load(encoder_folder())


def copy_with(folder: Path, **changes: object) -> Path:
    """Copy the shipped encoder with another description, under an id of its own."""
    shutil.copytree(encoder_folder(), folder)
    write_description(folder, replace(read_description(folder), id=folder.name, **changes))  # type: ignore[arg-type]
    return folder


def test_prefixes_are_encoded_with_the_text(tmp_path: Path, shipped: Encoder) -> None:
    prefixed = Encoder.load(copy_with(tmp_path / "p", query_prefix="query: ", passage_prefix="passage: "))
    assert (prefixed.encode_query("rent") == shipped.encode(["query: rent"])[0]).all()
    assert (prefixed.encode(["rent"]) == shipped.encode(["passage: rent"])).all()


def test_texts_are_cut_at_the_length_of_the_description(tmp_path: Path, shipped: Encoder) -> None:
    short = Encoder.load(copy_with(tmp_path / "short", max_tokens=8))
    assert len(short.tokens(["one two three four five six seven eight nine ten"])[0]) == 8
    assert len(shipped.tokens(["word " * 400])[0]) == 256


def test_the_shipped_encoder_scores_cosines_bit_by_bit(shipped: Encoder) -> None:
    cosines = np.random.default_rng(1).uniform(-1, 1, 1000).astype(np.float32)
    assert (shipped.description.scaled(cosines) == cosines).all()
    assert [shipped.description.scaled(one) for one in cosines.tolist()] == cosines.tolist()


def test_a_floor_is_subtracted_from_scores_and_changes_no_order_by_meaning(
    library: SmallLibrary, tmp_path: Path
) -> None:
    library.encode()
    request = SearchRequest("How long does a feline rest?", Mode.SEMANTIC, 4)
    engine = SearchEngine(library.layout.folder)
    plain = engine.search(request, Stop()).hits
    engine.close()
    floored = copy_with(tmp_path / "floored", score_floor=0.2, score_scale=1.25)
    shutil.copy(encoder_folder() / "encoder.json", tmp_path)
    write_description(floored, replace(read_description(floored), id=read_description(encoder_folder()).id))
    engine = SearchEngine(library.layout.folder, floored)
    found = engine.search(request, Stop()).hits
    engine.close()
    assert [hit.chunk for hit in found] == [hit.chunk for hit in plain]
    assert [hit.score for hit in found] == pytest.approx([(hit.score - 0.2) * 1.25 for hit in plain])


@pytest.mark.parametrize(("weight", "least"), [(0.0, 0.0), (0.65, 0.65), (1.0, 1.0)])
def test_meaning_counts_in_hybrid_search_as_the_encoder_says(
    library: SmallLibrary, tmp_path: Path, weight: float, least: float
) -> None:
    library.encode()
    weighed = copy_with(tmp_path / "weighed", semantic_weight=weight)
    write_description(weighed, replace(read_description(weighed), id=read_description(encoder_folder()).id))
    engine = SearchEngine(library.layout.folder, weighed)
    hits = engine.search(SearchRequest("How long does a feline rest?", Mode.HYBRID, 20), Stop()).hits
    engine.close()
    scores = {hit.path.name: hit.score for hit in hits}
    assert scores["cats.md"] == pytest.approx(least, abs=0.1)  # the nearest; has none of the words


@pytest.mark.parametrize(("close", "found"), [(0.2, True), (0.9, False)])
@pytest.mark.parametrize(("query", "limit"), [("feline", "close_to_word"), ("feline rest", "close_to_few")])
def test_few_words_find_what_is_as_near_as_the_encoder_says(
    library: SmallLibrary, tmp_path: Path, query: str, limit: str, close: float, found: bool
) -> None:
    library.encode()
    limited = copy_with(tmp_path / "limited", **{limit: close})
    write_description(limited, replace(read_description(limited), id=read_description(encoder_folder()).id))
    engine = SearchEngine(library.layout.folder, limited)
    hits = engine.search(SearchRequest(query, Mode.HYBRID, 20), Stop()).hits
    engine.close()
    assert any(hit.path.name == "cats.md" for hit in hits) is found


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("How long is the notice period?", True),
        ("ต้องจ่ายค่าเช่าเมื่อไร", False),  # whole runs of letters become one unknown token
        ("房租什么时候要付？", False),
        ("Wann muss die Miete gezahlt werden?", True),
    ],
)
def test_unknown_tokens_are_no_knowledge(shipped: Encoder, text: str, known: bool) -> None:
    assert (shipped.knowledge(text) > 0.5) is known


def test_hybrid_relies_on_words_where_the_encoder_knows_no_letter(library: SmallLibrary) -> None:
    library.encode()
    engine = SearchEngine(library.layout.folder)
    found = engine.search(SearchRequest("ต้องจ่ายค่าเช่าเมื่อไร", Mode.HYBRID), Stop())
    engine.close()
    assert found.note == vector.STRANGE


def test_an_encoder_of_whole_words_is_not_distrusted_for_short_ones(tmp_path: Path) -> None:
    encoder = Encoder.load(copy_with(tmp_path / "whole", spelled_out=None))
    assert encoder.knowledge("a b c d e f") == 1.0
    assert encoder.knowledge("2019 $ ?") == 1.0
    assert encoder.knowledge("ต้องจ่ายค่าเช่าเมื่อไร") < 0.5
    assert encoder.knowledge("?") == 1.0


@pytest.mark.parametrize(
    "damaged",
    [
        '{"score_floor": 1.0}',
        '{"max_tokens": 0}',
        '{"pooling": "max"}',
        '{"score_scale": 0}',
        "[]",
        '{"name": 3}',
        "\x00",
    ],
)
def test_a_description_with_impossible_values_is_refused(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "encoder.json").write_text(damaged)
    with pytest.raises(EncoderError, match=r"encoder\.json cannot be read"):
        read_description(tmp_path)


def test_fields_of_later_versions_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "encoder.json").write_text(json.dumps({"id": "x", "of_later": True}))
    assert read_description(tmp_path) == EncoderDescription(id="x")


def test_a_released_encoder_is_loaded_again_by_the_next_search(
    library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.encode()
    monkeypatch.setattr(encoder, "HEAVY", 1e6)
    loads: list[Path] = []
    load = Encoder.load

    def counted(folder: Path, threads: int = 1) -> Encoder:
        loads.append(folder)
        return load(folder, threads)

    monkeypatch.setattr(Encoder, "load", counted)
    engine = SearchEngine(library.layout.folder)
    request = SearchRequest("How long does a feline rest?", Mode.SEMANTIC, 1)
    first = engine.search(request, Stop()).hits
    engine.release()
    assert engine.search(request, Stop()).hits == first
    engine.search(request, Stop())
    engine.close()
    assert len(loads) == 2
