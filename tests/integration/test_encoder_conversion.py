"""The converted encoder is the published one: same vectors, and sentences lie where their meaning is."""

import json
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

import encoder

# The first numbers the publishers of all-MiniLM-L6-v2 print for this sentence.
PUBLISHED = (0.06765690, 0.06349598, 0.04871311, 0.07930495, 0.03744810)


class Encoder:
    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._session = InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])

    def tokens(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text).ids)

    def vector(self, text: str, padding: int = 0) -> npt.NDArray[np.float32]:
        tokens = self.tokens(text)
        ids = np.array([tokens + [0] * padding], np.int64)
        mask = np.array([[1] * len(tokens) + [0] * padding], np.int64)
        (rows,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        vector: npt.NDArray[np.float32] = rows[0]
        return vector


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    assert encoder.ready(), "run packaging/encoder.py first"
    return Encoder(encoder.FOLDER)


def test_the_vector_is_the_published_one(minilm: Encoder) -> None:
    vector = minilm.vector("This is an example sentence")
    assert vector.shape == (384,)
    assert np.allclose(vector[:5], PUBLISHED, atol=1e-5)


def test_vectors_have_length_one(minilm: Encoder) -> None:
    assert np.linalg.norm(minilm.vector("A short one.")) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("A man is eating food.", "A person eats a meal.", "The rocket left the launch pad."),
        ("How do I reset my password?", "Steps to recover an account", "Recipe for apple cake"),
    ],
)
def test_similar_sentences_lie_closer_than_unrelated_ones(minilm: Encoder, one: str, near: str, far: str) -> None:
    anchor = minilm.vector(one)
    assert anchor @ minilm.vector(near) > anchor @ minilm.vector(far) + 0.3


def test_padding_changes_no_vector(minilm: Encoder) -> None:
    plain, padded = minilm.vector("Rent is due monthly."), minilm.vector("Rent is due monthly.", 9)
    assert np.allclose(plain, padded, atol=1e-5)


def test_long_sentences_are_cut_and_short_ones_are_not_padded(minilm: Encoder) -> None:
    assert len(minilm.tokens("word " * 1000)) == encoder.MAX_TOKENS
    assert len(minilm.tokens("word")) == 3


def test_a_changed_model_file_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "encoder"
    folder.mkdir()
    for name in ("encoder.json", "tokenizer.json"):
        shutil.copy(encoder.FOLDER / name, folder)
    (folder / "model.onnx").write_bytes(b"cut short")
    assert not encoder.ready(folder)
    with pytest.raises(encoder.EncoderSetupError, match="not written as it was made"):
        encoder.verify(folder)


def test_the_description_names_the_model(minilm: Encoder) -> None:
    description = json.loads((encoder.FOLDER / "encoder.json").read_text(encoding="utf-8"))
    assert description["name"] == "all-MiniLM-L6-v2"
    assert description["dimensions"] == len(minilm.vector("x"))
    assert len(description["id"]) == 64
