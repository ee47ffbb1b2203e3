"""Published encoders are converted, quantised, proved and described."""

import json
from math import erf
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tokenizers import Tokenizer

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.conversion import WORDS, EncoderStep, Weights, bert_weights, convert, read_safetensors
from desktop_rag.index.encoding.encoder import Encoder, Network
from desktop_rag.index.encoding.encoder_description import EncoderDescription, read_description
from desktop_rag.index.encoding.encoder_download import read_hub_folder
from desktop_rag.index.encoding.quantised_bert import BertGraph, BertShape
from desktop_rag.stop import Stop
from tests.integration.index.encoding.tiny_encoders import (
    HEADS,
    LAYERS,
    WIDTH,
    random_weights,
    write_bert,
    write_config,
    write_onnx,
    write_safetensors,
    write_xlm_roberta,
)

Floats = npt.NDArray[np.float32]

SENTENCES = ["The tenant pays the rent on the first day.", "cats", "A bridge was closed for a year after the flood."]


def converted(source: Path, target: Path) -> EncoderDescription:
    target.mkdir()
    *steps, last = list(convert(read_hub_folder(source), target, Stop()))
    assert last is EncoderStep.DESCRIBING
    assert steps
    return read_description(target)


def reference(source: Path, shape: BertShape, texts: list[str]) -> Floats:
    """Return vectors by the published formula in plain numpy: the graph is compared with the paper, not with itself."""
    tensors = read_safetensors((source / "model.safetensors").read_bytes())
    weights = bert_weights(tensors, LAYERS)
    assert weights is not None
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    return np.stack([_forward(weights, shape, tokenizer.encode(text).ids) for text in texts])


def _forward(weights: Weights, shape: BertShape, ids: list[int]) -> Floats:
    def dense(x: Floats, name: str) -> Floats:
        found: Floats = x @ weights[name + ".weight"].T + weights[name + ".bias"]
        return found

    def norm(x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + shape.epsilon)
        found: Floats = scaled * weights[name + ".weight"] + weights[name + ".bias"]
        return found

    gelu = np.vectorize(lambda value: value * 0.5 * (1 + erf(value / 2**0.5)))
    places = weights["embeddings.position_embeddings.weight"][shape.first_position :][: len(ids)]
    x = weights["embeddings.word_embeddings.weight"][ids] + places
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        query, key, value = (
            dense(x, f"{at}attention.self.{part}").reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / (WIDTH // HEADS) ** 0.5
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (shares / shares.sum(axis=-1, keepdims=True)) @ value
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = norm(x + dense(mixed, at + "attention.output.dense"), at + "attention.output.LayerNorm")
        inner = dense(gelu(dense(x, at + "intermediate.dense")), at + "output.dense")
        x = norm(x + inner, at + "output.LayerNorm")
    pooled = x[0] if shape.pooling == "cls" else x.mean(axis=0)
    direction: Floats = pooled / np.linalg.norm(pooled)
    return direction


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("kind", ["bert", "xlm-roberta"])
def test_the_drawn_network_computes_the_published_formula(tmp_path: Path, kind: str, pooling: str) -> None:
    source = (write_bert if kind == "bert" else write_xlm_roberta)(tmp_path / "hub")
    shape = BertShape(LAYERS, HEADS, first_position=0 if kind == "bert" else 2, pooling=pooling)
    weights = bert_weights(read_safetensors((source / "model.safetensors").read_bytes()), LAYERS)
    assert weights is not None
    network = Network.load(BertGraph(weights, shape).model().SerializeToString())
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    together = network.run([tokenizer.encode(text).ids for text in SENTENCES])
    assert together == pytest.approx(reference(source, shape, SENTENCES), abs=2e-5)


@pytest.mark.parametrize("kind", ["bert", "xlm-roberta", "onnx"])
def test_a_published_folder_becomes_a_quantised_encoder(tmp_path: Path, kind: str) -> None:
    write = {"bert": write_bert, "xlm-roberta": write_xlm_roberta, "onnx": write_onnx}[kind]
    source = write(tmp_path / "tiny")
    description = converted(source, tmp_path / "made")
    assert (description.name, description.precision) == ("tiny", "int8")
    assert description.agreement >= 0.98
    assert description.dimensions == WIDTH
    assert description.sentences_per_second > 0
    prefixes = ("query: ", "passage: ") if kind == "xlm-roberta" else ("", "")
    assert (description.query_prefix, description.passage_prefix) == prefixes
    encoder = Encoder.load(tmp_path / "made")
    assert encoder.id == description.id
    vectors = encoder.encode(SENTENCES)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert vectors[1] == pytest.approx(encoder.encode(["cats"])[0], abs=1e-6)  # whatever is in its batch


def test_the_same_folder_gives_the_same_encoder(tmp_path: Path) -> None:
    source = write_bert(tmp_path / "tiny")
    assert converted(source, tmp_path / "one").id == converted(source, tmp_path / "two").id


def test_a_network_that_is_not_bert_is_used_as_published(tmp_path: Path) -> None:
    source = write_onnx(tmp_path / "tiny")
    published = (source / "onnx" / "model.onnx").read_bytes()
    words = json.loads((source / "config.json").read_text())["vocab_size"]
    write_config(source, words, "mpnet")
    assert converted(source, tmp_path / "made").precision == "as published"
    assert (tmp_path / "made" / "model.onnx").read_bytes() == published


def test_weights_that_disagree_with_the_published_network_are_not_drawn(tmp_path: Path) -> None:
    source = write_onnx(tmp_path / "tiny")
    words = json.loads((source / "config.json").read_text())["vocab_size"]
    write_config(source, words, layer_norm_eps=5.0)  # another network of the same sizes
    assert converted(source, tmp_path / "made").precision == "as published"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("no tokenizer", "needs tokenizer.json"),
        ("no weights", "model.safetensors or onnx/model.onnx"),
        ("cut short", "damaged or cut short"),
        ("huge header", "damaged or cut short"),
        ("outside", "damaged or cut short"),
        ("dense", "parts that are not supported"),
        ("max", "pools its tokens"),
        ("config", "cannot be read"),
        ("gpt", "only BERT and XLM-RoBERTa"),
        ("layers", "not those of its configuration"),
    ],
)
def test_a_folder_that_cannot_be_converted_says_why(tmp_path: Path, change: str, says: str) -> None:
    source = write_bert(tmp_path / "tiny")
    weights, config = source / "model.safetensors", source / "config.json"
    pooling = source / "1_Pooling"
    pooling.mkdir()
    match change:
        case "no tokenizer":
            (source / "tokenizer.json").unlink()
        case "no weights":
            weights.unlink()
        case "cut short":
            weights.write_bytes(weights.read_bytes()[:1000])
        case "huge header":
            weights.write_bytes(b"\xff" * 16)
        case "outside":
            header = json.dumps({"x": {"dtype": "F32", "shape": [4], "data_offsets": [0, 1 << 40]}}).encode()
            weights.write_bytes(len(header).to_bytes(8, "little") + header)
        case "dense":
            (source / "modules.json").write_text('[{"type": "sentence_transformers.models.Dense"}]')
        case "max":
            (pooling / "config.json").write_text('{"pooling_mode_max_tokens": true}')
        case "config":
            config.write_text("{ cut short")
        case "gpt":
            config.write_text('{"model_type": "gpt2"}')
        case "layers":
            config.write_text(config.read_text().replace('"num_hidden_layers": 2', '"num_hidden_layers": 3'))
    target = tmp_path / "made"
    target.mkdir()
    with pytest.raises(EncoderError, match=says):
        list(convert(read_hub_folder(source), target, Stop()))


def test_weights_without_numbers_are_refused(tmp_path: Path) -> None:
    source = write_bert(tmp_path / "tiny")
    blob = bytearray((source / "model.safetensors").read_bytes())
    size = int.from_bytes(blob[:8], "little")
    blob[8 + size :] = bytes(len(blob) - 8 - size)  # all weights are 0
    (source / "model.safetensors").write_bytes(bytes(blob))
    target = tmp_path / "made"
    target.mkdir()
    with pytest.raises(EncoderError, match="not those of its configuration"):
        list(convert(read_hub_folder(source), target, Stop()))


def test_a_conversion_can_be_stopped(tmp_path: Path) -> None:
    source = write_bert(tmp_path / "tiny")
    target = tmp_path / "made"
    target.mkdir()
    stop = Stop()
    steps = convert(read_hub_folder(source), target, stop)
    next(steps)
    stop.set()
    with pytest.raises(Stopped):
        list(steps)


def test_an_encoder_that_ranks_nothing_is_refused(tmp_path: Path) -> None:
    source = write_bert(tmp_path / "tiny")
    weights = random_weights(source / "tokenizer.json", 0)
    weights[WORDS] = np.random.default_rng(1).standard_normal(weights[WORDS].shape).astype(np.float32)
    weights[WORDS][:] = weights[WORDS][0] + 1e-3 * weights[WORDS]
    weights["embeddings.position_embeddings.weight"] *= 100  # only the length of a text counts
    write_safetensors(weights, source / "model.safetensors")
    target = tmp_path / "made"
    target.mkdir()
    with pytest.raises(EncoderError, match="does not rank similar sentences first"):
        list(convert(read_hub_folder(source), target, Stop()))
