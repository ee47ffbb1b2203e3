"""Measures the activation ranges of a sentence encoder's dense layers, for the quantisation in `quantised_bert`."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper
from onnxruntime import InferenceSession, SessionOptions

from desktop_rag.index.encoding.bert_graph import MINILM, BertGraph, BertShape, Matrix
from desktop_rag.index.encoding.quantised_bert import Range

DAMPED_BEYOND = 2.0  # times the median channel's maximum: with 1.5 to 2 the vectors come closest to those of fp32


def dense_inputs(
    weights: Mapping[str, Matrix], tokens: Iterable[list[int]], shape: BertShape = MINILM
) -> Iterator[Mapping[str, npt.NDArray[np.float32]]]:
    """Yield for each sentence the inputs of all dense layers, one row per token."""
    network = BertGraph(weights, shape)
    model = network.model()
    first_users = {tensor: prefix for prefix, tensor in reversed(network.dense_inputs.items())}
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in first_users)
    options = SessionOptions()
    options.intra_op_num_threads = 1
    session = InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    for sentence in tokens:
        ids = np.array([sentence], np.int64)
        taken = session.run(list(first_users), {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        yield {prefix: rows[0] for prefix, rows in zip(first_users.values(), taken, strict=True)}


def measure(sentences: Iterable[Mapping[str, npt.NDArray[np.float32]]]) -> dict[str, Range]:
    """Return the range of each layer, with the largest channels damped."""
    lows: dict[str, Matrix] = {}
    highs: dict[str, Matrix] = {}
    for taken in sentences:
        for prefix, rows in taken.items():
            low, high = rows.min(axis=0), rows.max(axis=0)
            lows[prefix] = np.minimum(lows.get(prefix, low), low)
            highs[prefix] = np.maximum(highs.get(prefix, high), high)
    return {prefix: damped(lows[prefix], highs[prefix]) for prefix in lows}


def damped(lows: Matrix, highs: Matrix) -> Range:
    """Return the range of one layer from the ranges of its channels."""
    greatest = np.maximum(-lows, highs)
    factors = np.maximum(greatest / max(DAMPED_BEYOND * float(np.median(greatest)), 1e-6), 1.0)
    return Range(
        round(min(float((lows / factors).min()), 0.0), 4),
        round(max(float((highs / factors).max()), 1e-3), 4),
        {int(channel): round(float(factors[channel]), 3) for channel in np.flatnonzero(factors > 1.0)},
    )
