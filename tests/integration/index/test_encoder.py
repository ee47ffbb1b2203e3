"""The real encoder: vectors do not depend on how sentences are batched, and trouble is said in plain words."""

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoder import Encoder
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop

WORDS = """rent notice tenant month deposit contract egg sugar mixture rocket launch pad password account law"""


def sentences(count: int) -> list[str]:
    choose = random.Random(7)
    return [" ".join(choose.choices(WORDS.split(), k=choose.choice([1, 3, 8, 20, 60]))) for _ in range(count)]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    assert (encoder_folder() / "model.onnx").is_file(), "run packaging/encoder.py first"
    return Encoder.load(encoder_folder(), threads=1)


def test_a_sentence_has_the_same_vector_in_any_company(encoder: Encoder) -> None:
    texts = sentences(70)
    together = encoder.encode(texts)
    backwards = encoder.encode(texts[::-1])[::-1]
    alone = np.concatenate([encoder.encode([text]) for text in texts[:12]])
    assert together.shape == (70, encoder.dimensions)
    assert np.abs(together - backwards).max() <= 1e-5
    assert np.abs(together[:12] - alone).max() <= 1e-5


def test_vectors_have_length_one(encoder: Encoder) -> None:
    vectors = encoder.encode(["A short one.", "", "word " * 1000])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_vectors_come_in_the_order_of_the_texts(encoder: Encoder) -> None:
    query, near, far = encoder.encode(
        ["How do I reset my password?", "Steps to recover an account whose password was lost", "Apple cake"]
    )
    assert query @ near > query @ far + 0.3


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_encoding_ends_when_it_is_stopped(encoder: Encoder) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        encoder.encode(["never encoded"], stop)


def test_the_id_is_the_one_of_the_description(encoder: Encoder) -> None:
    description = json.loads((encoder_folder() / "encoder.json").read_text(encoding="utf-8"))
    assert encoder.id == description["id"]
    assert encoder.dimensions == description["dimensions"]


def test_a_missing_encoder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"missing.*dev\.py"):
        Encoder.load(tmp_path, threads=1)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "encoder.json"])
def test_a_damaged_encoder_says_what_to_do(tmp_path: Path, name: str) -> None:
    shutil.copy(encoder_folder() / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"model")
    (tmp_path / "encoder.json").write_text('{"bytes": 5}', encoding="utf-8")
    (tmp_path / name).write_bytes(b"{ cut short")
    with pytest.raises(EncoderError, match=r"damaged.*dev\.py"):
        Encoder.load(tmp_path, threads=1)


def test_a_model_that_is_no_model_is_damaged(tmp_path: Path) -> None:
    shutil.copy(encoder_folder() / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"x" * 1000)
    with pytest.raises(EncoderError, match="damaged"):
        Encoder.load(tmp_path, threads=1)
