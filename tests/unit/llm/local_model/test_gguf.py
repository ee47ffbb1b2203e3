"""Headers of model files: what they say, and that no damaged one passes or costs memory."""

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.local_model.model_files import read_gguf
from tests.unit.llm.local_model.gguf_files import LLAMA, gguf_bytes, written

WHOLE = gguf_bytes()


def test_the_header_names_the_model_and_its_needs(tmp_path: Path) -> None:
    model = read_gguf(written(tmp_path / "m.gguf", WHOLE))
    assert (model.name, model.architecture, model.quantisation) == ("Tiny", "llama", "Q4_K_M")
    assert (model.size, model.trained_context, model.has_template) == (len(WHOLE), 8_192, True)
    assert model.kv_bytes_per_token == 30 * 3 * (64 + 64) * 2


def test_layers_may_have_different_numbers_of_heads(tmp_path: Path) -> None:
    fields = LLAMA | {"llama.attention.head_count_kv": [1, 0, 2]}
    model = read_gguf(written(tmp_path / "m.gguf", gguf_bytes(fields)))
    assert model.kv_bytes_per_token == 3 * (64 + 64) * 2


def test_keys_and_values_may_differ_in_length(tmp_path: Path) -> None:
    fields = LLAMA | {"llama.attention.key_length": 192, "llama.attention.value_length": 128}
    assert read_gguf(written(tmp_path / "m.gguf", gguf_bytes(fields))).kv_bytes_per_token == 90 * 320 * 2


def test_a_model_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    fields = LLAMA | {"general.name": "\u202e\n"}
    assert read_gguf(written(tmp_path / "small.gguf", gguf_bytes(fields))).name == "small"


@pytest.mark.parametrize("length", [0, 3, 4, 20, 60, 200, 400, len(WHOLE) - 1])
def test_a_file_cut_anywhere_is_refused(length: int, tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match=r"cut off|not a GGUF"):
        read_gguf(written(tmp_path / "m.gguf", WHOLE[:length]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04" + bytes(100), "not a GGUF file"),
        (b"GGUF" + struct.pack("<IQQ", 9, 0, 0), "unknown version"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 1), "makes no sense"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 62), "makes no sense"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"a" + struct.pack("<IIQ", 9, 9, 1), "makes no sense"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"a" + struct.pack("<I", 99), "makes no sense"),
        (gguf_bytes({"general.architecture": "clip"}), "no language model"),
        (gguf_bytes(LLAMA | {"tokenizer.ggml.model": "bert"}), "no language model"),
        (gguf_bytes(LLAMA | {"split.count": 4}), "one of 4 parts"),
    ],
)
def test_what_cannot_run_is_refused_with_the_reason(data: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match=words):
        read_gguf(written(tmp_path / "m.gguf", data))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match=r"gone\.gguf cannot be read"):
        read_gguf(tmp_path / "gone.gguf")


@pytest.mark.property
@given(st.integers(4, 500), st.binary(min_size=1, max_size=8))
def test_changed_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, at: int, change: bytes) -> None:
    path = written(tmp_path_factory.getbasetemp() / "changed.gguf", WHOLE[:at] + change + WHOLE[at + len(change) :])
    with contextlib.suppress(LocalModelError):
        assert read_gguf(path).size == len(WHOLE)
