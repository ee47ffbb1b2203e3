"""Reads the weights of a BERT or XLM-RoBERTa encoder from safetensors or from a published ONNX file."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError

if TYPE_CHECKING:
    from onnx import ModelProto

Weights = Mapping[str, npt.NDArray[np.float32]]

WORDS = "embeddings.word_embeddings.weight"
_MOST_HEADER = 64 << 20  # bytes: a header of a million tensors, as a hostile file may claim
_FLOATS = ("F32", "F16", "BF16")
# Exporters leave matrices without names; the nodes that use them are named after the layer.
_MATRIX_NODE = re.compile(r"(?:^|/)(encoder/layer\.\d+/.+)/MatMul$")


def read_safetensors(blob: bytes | memoryview) -> dict[str, npt.NDArray[np.float32]]:
    """Return the float tensors of a safetensors file by name; integer buffers are left out. Raises `EncoderError`."""
    size = int.from_bytes(blob[:8], "little")
    if len(blob) < 8 or size > min(_MOST_HEADER, len(blob) - 8):
        raise EncoderError("The safetensors file is damaged or cut short; download it again.")
    body = memoryview(blob)[8 + size :]
    tensors: dict[str, npt.NDArray[np.float32]] = {}
    try:
        for name, entry in json.loads(bytes(blob[8 : 8 + size])).items():
            if name != "__metadata__" and entry["dtype"] in _FLOATS:
                tensors[name] = _tensor(entry["dtype"], body, *entry["data_offsets"]).reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EncoderError("The safetensors file is damaged or cut short; download it again.") from error
    return tensors


def _tensor(kind: str, body: memoryview, first: int, last: int) -> npt.NDArray[np.float32]:
    if not 0 <= first <= last <= len(body):
        raise ValueError("a tensor outside the file")
    data = bytes(body[first:last])
    if kind == "BF16":  # the upper half of a float32
        halves = np.frombuffer(data, np.dtype("<u2")).astype(np.uint32)
        return (halves << 16).view(np.float32)
    if kind == "F16":
        return np.frombuffer(data, np.dtype("<f2")).astype(np.float32)
    return np.frombuffer(data, np.dtype("<f4"))


def read_onnx(path: Path) -> "tuple[ModelProto, Weights]":
    """Return a published network and its weights by the names of safetensors; those it does not name are missing."""
    import onnx
    from onnx import numpy_helper

    try:
        model = onnx.load(str(path))
    except Exception as error:  # protobuf's and onnx's errors have no common base
        raise EncoderError(f"{path.name} is damaged or not an ONNX file; download it again.") from error
    named = {one.name: one for one in model.graph.initializer}
    found = {name: numpy_helper.to_array(one) for name, one in named.items() if one.data_type == onnx.TensorProto.FLOAT}
    for node in model.graph.node:
        matrix = _MATRIX_NODE.search(node.name)
        if matrix and node.op_type == "MatMul" and node.input[1] in found:
            found[matrix[1].replace("/", ".") + ".weight"] = found[node.input[1]].T
    return model, found


def bert_weights(tensors: Weights, layers: int) -> Weights | None:
    """Return the tensors that the graph needs without the prefix of their module; None if any is missing."""
    words = next((name for name in tensors if name == WORDS or name.endswith("." + WORDS)), None)
    if words is None:
        return None
    prefix = words.removesuffix(WORDS)
    weights = {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
    for name, value in tensors.items():
        weights.setdefault(name, value)
    needed = [WORDS, "embeddings.position_embeddings.weight", "embeddings.token_type_embeddings.weight"]
    needed += [f"embeddings.LayerNorm.{part}" for part in ("weight", "bias")]
    for layer in range(layers):
        for part in _LAYER_PARTS:
            needed += [f"encoder.layer.{layer}.{part}.weight", f"encoder.layer.{layer}.{part}.bias"]
    return {name: weights[name] for name in needed} if weights.keys() >= set(needed) else None


_LAYER_PARTS = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "attention.output.LayerNorm"),
    *("intermediate.dense", "output.dense", "output.LayerNorm"),
)
