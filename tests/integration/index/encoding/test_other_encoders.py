"""Encoders other than the shipped one: published models, other dimensions, selection."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop_rag.cli.program import run_verb
from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.paths import added_encoders, data_home, encoder_folder, settings_file
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.retrievers.vector import EARLIER
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import chosen_encoder, load
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, library

__all__ = ["library"]  # the fixture

DIMENSIONS = 48
VOCABULARY = 30_522


def write_encoder(folder: Path, output: str = "last_hidden_state", third_input: bool = True) -> Path:
    """Write a network that looks each token up, with the tokenizer of the shipped encoder."""
    folder.mkdir(parents=True)
    table = np.random.default_rng(5).standard_normal((VOCABULARY, DIMENSIONS)).astype(np.float32)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if third_input else [])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    shape: list[str | int | None] = (
        ["batch", "tokens", DIMENSIONS] if output == "last_hidden_state" else ["batch", DIMENSIONS]
    )
    looked_up = "rows" if output != "last_hidden_state" else output
    nodes = [helper.make_node("Gather", ["table", "input_ids"], [looked_up])]
    if output != "last_hidden_state":
        nodes.append(helper.make_node("ReduceMean", ["rows"], [output], axes=[1], keepdims=0))
    graph = helper.make_graph(
        nodes,
        "lookup",
        inputs,
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    shutil.copy(encoder_folder() / "tokenizer.json", folder)
    (folder / "encoder.json").write_text(json.dumps({"id": f"lookup-{output}", "name": "lookup"}))
    return folder


@pytest.mark.parametrize(("output", "third_input"), [("last_hidden_state", True), ("sentence_embedding", False)])
def test_a_published_encoder_gives_vectors_of_length_one(tmp_path: Path, output: str, third_input: bool) -> None:
    encoder = Encoder.load(write_encoder(tmp_path / "other", output, third_input))
    long, short, again = encoder.encode(["the rent is due on monday and so on", "kittens", "kittens"])
    assert encoder.dimensions == DIMENSIONS
    assert np.linalg.norm([long, short], axis=1) == pytest.approx(1.0, abs=1e-5)
    assert short == pytest.approx(again, abs=1e-5)


def test_padding_does_not_change_a_mean_of_tokens(tmp_path: Path) -> None:
    encoder = Encoder.load(write_encoder(tmp_path / "other"))
    alone = encoder.encode(["kittens"])[0]
    beside = encoder.encode_batch(encoder.tokens(["kittens", "the rent is due on monday"]))[0]
    assert beside == pytest.approx(alone, abs=1e-5)


def test_a_library_switches_to_an_encoder_of_other_dimensions(library: SmallLibrary, tmp_path: Path) -> None:
    other = write_encoder(tmp_path / "elsewhere" / "other")
    library.encode()
    library.encode(other)
    engine = SearchEngine(library.layout.folder, other)
    result = engine.search(SearchRequest("A cat sleeps up to sixteen hours a day.", Mode.SEMANTIC, 3), Stop())
    hybrid = engine.search(SearchRequest("deposit paid back", Mode.HYBRID, 3), Stop())
    engine.close()
    assert (result.coverage, result.note) == (1.0, "")
    assert result.hits[0].path.name == "cats.md"
    assert hybrid.hits[0].path.name == "lease.md"


def test_the_shipped_encoder_is_searched_while_new_vectors_are_made(library: SmallLibrary, tmp_path: Path) -> None:
    other = write_encoder(tmp_path / "elsewhere" / "other")
    library.encode()
    engine = SearchEngine(library.layout.folder, other)
    result = engine.search(SearchRequest("how often to feed a young cat", Mode.SEMANTIC, 3), Stop())
    engine.close()
    assert result.hits[0].path.name == "cats.md"
    assert "earlier one" in result.note


def test_an_encoder_is_selected_and_deselected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    other = write_encoder(tmp_path / "other")
    assert chosen_encoder() == encoder_folder()
    assert run_verb(["encoder", "use", str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dimensions"] == DIMENSIONS
    assert chosen_encoder() == added_encoders() / other.name
    assert run_verb(["encoder", "use", str(other)]) == 0  # the copy is used again
    assert run_verb(["encoder"]) == 0
    assert f"● {other.name}" in capsys.readouterr().out
    assert run_verb(["encoder", "use", encoder_folder().name]) == 0
    assert load(settings_file()).encoder == ""


@pytest.mark.parametrize("declared", [True, False])
def test_the_vectors_of_a_folder_elsewhere_answer_after_the_next_change(
    library: SmallLibrary,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    declared: bool,
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    Libraries(data_home()).use(KnownLibrary("mine", library.layout.folder, made=False))
    other = write_encoder(tmp_path / "elsewhere" / "other")
    if not declared:
        (other / "encoder.json").unlink()
    assert run_verb(["encoder", "use", str(other)]) == 0
    library.encode(chosen_encoder())
    shutil.rmtree(other)

    def note() -> str:
        with closing(SearchEngine(library.layout.folder, chosen_encoder())) as engine:
            found = engine.search(SearchRequest("A cat sleeps up to sixteen hours a day.", Mode.SEMANTIC, 3), Stop())
        assert found.hits[0].path.name == "cats.md"
        return found.note

    assert note() == ""
    assert run_verb(["encoder", "use", encoder_folder().name]) == 0
    assert "uses the earlier vectors" in capsys.readouterr().err
    assert note() == EARLIER
    assert run_verb(["encoder", "remove", "other"]) == 1
    assert "Search uses its vectors in “mine”" in capsys.readouterr().err
    assert note() == EARLIER
    library.encode()
    assert note() == ""
    assert run_verb(["encoder", "remove", "other"]) == 0
    assert not (added_encoders() / "other").exists()


@pytest.mark.processes
def test_an_encoder_whose_vectors_answer_is_removed_after_consent(
    library: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    Libraries(data_home()).use(KnownLibrary("mine", library.layout.folder, made=False))
    other = write_encoder(tmp_path / "other")
    assert run_verb(["encoder", "use", str(other), "--name", "mine"]) == 0
    library.encode(chosen_encoder())
    assert run_verb(["encoder", "remove", "mine", "--yes"]) == 1  # the chosen one stays, with consent, too
    assert run_verb(["encoder", "use", encoder_folder().name]) == 0
    assert run_verb(["encoder", "remove", "mine"]) == 1
    assert (added_encoders() / "mine").exists()
    assert run_verb(["encoder", "add", str(other), "--name", "twin"]) == 0
    assert run_verb(["encoder", "remove", "mine"]) == 0  # the other copy encodes the questions
    assert run_verb(["encoder", "remove", "twin"]) == 1
    assert run_verb(["encoder", "remove", "twin", "--yes"]) == 0


def test_a_folder_without_an_encoder_is_not_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    assert run_verb(["encoder", "use", str(tmp_path)]) == 1
    assert "There is none in" in capsys.readouterr().err
    strange = write_encoder(tmp_path / "strange", "logits", third_input=False)
    with pytest.raises(EncoderError, match=r"it has input_ids, attention_mask → logits"):
        Encoder.load(strange)
    assert run_verb(["encoder", "use", str(strange)]) == 1
    assert chosen_encoder() == encoder_folder()
