"""What makes the start of an encoder short, and that it is the same encoder."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding import encoder
from desktop_rag.index.encoding.encoder import Encoder, remember, remembered, sha256
from desktop_rag.paths import encoder_folder

TEXTS = ["How long is the notice period?", "The tenancy may be ended with three months' notice.", "Rent"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(folder))
    return folder


@pytest.fixture
def copy(tmp_path: Path, home: Path) -> Path:
    return Path(shutil.copytree(encoder_folder(), tmp_path / "encoder"))


def test_mapped_weights_give_the_same_vectors(copy: Path) -> None:
    assert (copy / "graph.onnx").stat().st_size < 100_000
    mapped = Encoder.load(copy)
    if sys.platform == "linux":
        assert str(copy / "model.onnx") in Path("/proc/self/maps").read_text()
    (copy / "graph.onnx").unlink()
    assert np.array_equal(mapped.encode(TEXTS), Encoder.load(copy).encode(TEXTS))


@pytest.mark.parametrize("damage", [b"", b"not a graph", b"one more byte"])
def test_a_graph_that_the_description_does_not_vouch_for_is_not_used(copy: Path, damage: bytes) -> None:
    whole = Encoder.load(copy)
    graph = copy / "graph.onnx"
    graph.write_bytes(graph.read_bytes() + damage if damage == b"one more byte" else damage)
    other = Encoder.load(copy)
    assert other.id == whole.id
    assert np.array_equal(other.encode(TEXTS), whole.encode(TEXTS))


def test_an_encoder_without_checksums_is_loaded_whole(copy: Path) -> None:
    (copy / "encoder.json").unlink()
    (copy / "graph.onnx").write_bytes(b"not a graph")
    assert Encoder.load(copy).encode(TEXTS).shape == (3, 384)


def test_the_checksum_of_a_model_is_remembered_while_the_file_stays_the_same(copy: Path) -> None:
    model = copy / "model.onnx"
    assert remembered(model) is None
    Encoder.load(copy)
    assert remembered(model) == sha256(model)
    with model.open("r+b") as file:
        file.seek(-1000, 2)
        file.write(b"changed")
    assert remembered(model) is None
    with pytest.raises(EncoderError, match="damaged"):
        Encoder.load(copy)


def test_a_file_is_read_again_after_a_day(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"weights")
    remember(file, "0" * 64)
    assert remembered(file) == "0" * 64
    memo = json.loads((home / encoder.FILE).read_text())
    for shift in (encoder.KEPT_SECONDS + 1, -60):  # too old, and of a clock that was put back
        changed = {str(file): {**memo[str(file)], "checked": memo[str(file)]["checked"] - shift}}
        (home / encoder.FILE).write_text(json.dumps(changed))
        assert remembered(file) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{ cut", b'{"/a": 1}', b"\xff"])
def test_a_damaged_memo_counts_as_none_and_is_replaced(home: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"weights")
    (home / encoder.FILE).write_bytes(content)
    assert remembered(file) is None
    remember(file, "1" * 64)
    assert remembered(file) == "1" * 64
    assert [path.name for path in home.iterdir()] == [encoder.FILE]


def test_few_files_are_remembered(home: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}" for number in range(encoder.MOST + 3)]
    for file in files:
        file.write_bytes(b"weights")
        remember(file, "2" * 64)
    assert [file for file in files if remembered(file)] == files[3:]


def test_without_a_data_folder_nothing_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "none"))
    file = tmp_path / "file"
    file.write_bytes(b"weights")
    remember(file, "3" * 64)
    assert remembered(file) is None
    assert not (tmp_path / "none").exists()
