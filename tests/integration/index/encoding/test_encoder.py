"""The real encoder: vectors do not depend on batching, and errors say what to do."""

import json
import random
import shutil
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.encoder import Encoder, batches
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


def test_a_vector_does_not_depend_on_the_other_sentences(encoder: Encoder) -> None:
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


def test_a_stop_ends_a_running_batch(encoder: Encoder) -> None:
    """Not the next batch: there is only this one."""
    stop = Stop()
    batch = ["a very long sentence " * 200] * 8
    entered = threading.Event()

    class Entered(Stop):
        """Says that the encoder waits for its session."""

        @contextmanager
        def interrupting(self, interrupt: Callable[[], None]) -> Generator[None]:
            with stop.interrupting(interrupt):
                entered.set()
                yield

        def check(self) -> None:
            stop.check()

    def stop_it() -> None:
        entered.wait()
        stop.set()

    threading.Thread(target=stop_it).start()
    with pytest.raises(Stopped):
        encoder.encode(batch, Entered())


def test_a_stop_ends_encoding(encoder: Encoder) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        encoder.encode(["never encoded"], stop)


def test_vectors_do_not_depend_on_the_threads(encoder: Encoder) -> None:
    texts = sentences(600)
    assert np.abs(encoder.encode(texts, threads=3) - encoder.encode(texts, threads=1)).max() <= 1e-5


def test_a_stop_ends_encoding_on_several_threads(encoder: Encoder) -> None:
    class AfterSomeBatches(Stop):
        """Set by the encoder's own looking."""

        looks = 0

        def check(self) -> None:
            self.looks += 1
            if self.looks == 5:
                self.set()
            super().check()

    stop = AfterSomeBatches()
    with pytest.raises(Stopped):
        encoder.encode(sentences(3000), stop, threads=2)
    assert encoder.encode(["usable afterwards"]).shape == (1, encoder.dimensions)


def test_the_id_is_that_of_the_description(encoder: Encoder) -> None:
    description = json.loads((encoder_folder() / "encoder.json").read_text(encoding="utf-8"))
    assert encoder.id == description["id"]
    assert encoder.dimensions == description["dimensions"]


def test_the_default_id_is_a_hash_of_model_and_tokenizer(tmp_path: Path, encoder: Encoder) -> None:
    shutil.copytree(encoder_folder(), tmp_path, dirs_exist_ok=True)
    (tmp_path / "encoder.json").unlink()
    assert Encoder.load(tmp_path).id == encoder.id
    tokenizer = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["normalizer"]["lowercase"] = False
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    other = Encoder.load(tmp_path)
    assert other.id != encoder.id
    assert np.abs(other.encode(["Rent"]) - encoder.encode(["Rent"])).max() > 0.01


def test_a_changed_byte_of_the_model_is_detected(tmp_path: Path) -> None:
    shutil.copytree(encoder_folder(), tmp_path, dirs_exist_ok=True)
    with (tmp_path / "model.onnx").open("r+b") as file:
        file.seek(-1000, 2)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(EncoderError, match="damaged"):
        Encoder.load(tmp_path)


@given(st.lists(st.integers(1, 256)), st.integers(1, 1000))
def test_each_row_is_in_one_batch_within_the_budget(lengths: list[int], budget: int) -> None:
    made = list(batches(lengths, budget))
    assert sorted(row for batch in made for row in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget


def test_batches_of_many_sentences_are_hardly_padded() -> None:
    chance = random.Random(3)
    lengths = [min(256, 3 + int(chance.lognormvariate(3.2, 0.6))) for _ in range(2000)]
    padded = sum(len(batch) * max(lengths[row] for row in batch) for batch in batches(lengths))
    assert sum(lengths) / padded > 0.97


def test_a_missing_encoder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"missing.*desktop-rag encoder"):
        Encoder.load(tmp_path, threads=1)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "encoder.json"])
def test_a_damaged_encoder_says_what_to_do(tmp_path: Path, name: str) -> None:
    shutil.copy(encoder_folder() / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"model")
    (tmp_path / "encoder.json").write_text("{}", encoding="utf-8")
    (tmp_path / name).write_bytes(b"{ cut short")
    with pytest.raises(EncoderError, match=r"damaged.*“desktop-rag encoder”"):
        Encoder.load(tmp_path, threads=1)


def test_a_file_that_is_not_a_model_is_reported_as_damaged(tmp_path: Path) -> None:
    shutil.copy(encoder_folder() / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"x" * 1000)
    with pytest.raises(EncoderError, match="damaged"):
        Encoder.load(tmp_path, threads=1)
