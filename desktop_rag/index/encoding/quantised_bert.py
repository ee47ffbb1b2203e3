"""Builds a sentence encoder with 7-bit weights and 8-bit activations: a quarter of the size, 2.5 times the speed.

Weights have a scale per column. Activations have a fixed scale per tensor, measured beforehand (`measure`;
for the shipped encoder it is kept in packaging/minilm_ranges.json), so a sentence's vector does not depend on the
rest of its batch, and no pass over the data looks for the maximum. A few channels are much larger than the others and
would leave those almost no bits; they are damped before rounding and the weights they multiply enlarged by the same
factor (after SmoothQuant, Xiao et al. 2023, §4, for those channels only). `packaging/dev.py bench encode --quality`
measures the effect on search.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper
from onnxruntime import InferenceSession, SessionOptions

from desktop_rag.index.encoding.bert_graph import MINILM, BertGraph, BertShape, Matrix

ONNXRUNTIME = "com.microsoft"  # custom operators of onnxruntime, in all of its builds
# Processors without VNNI add two products of a byte and a weight in 16 bits: with larger weights the sums overflow, and
# the vectors deviate by twice the quantisation error. With 7 bits they are the same everywhere.
GREATEST_WEIGHT = 64
GREATEST_WORD = 127  # embeddings are looked up, not multiplied
STEPS = 255


@dataclass(frozen=True, slots=True)
class Range:
    """The input range of a dense layer, with its largest channels divided by the factors in `damped`."""

    low: float
    high: float
    damped: Mapping[int, float]

    def factors(self, width: int) -> Matrix:
        """Return the factor of every channel, 1 for most."""
        factors = np.ones(width, np.float32)
        for channel, factor in self.damped.items():
            factors[channel] = factor
        return factors

    @property
    def step(self) -> npt.NDArray[np.float32]:
        """Return the quantisation step."""
        return np.asarray((self.high - self.low) / STEPS, np.float32)

    @property
    def zero(self) -> npt.NDArray[np.uint8]:
        """Return the code of 0 (the zero point)."""
        return np.asarray(round(-self.low / float(self.step)), np.uint8)


def by_column(weight: Matrix, greatest: int) -> tuple[npt.NDArray[np.int8], Matrix]:
    """Return codes up to `greatest` and the scale of each column."""
    scales = np.abs(weight).max(axis=0) / np.float32(greatest)
    scales[scales == 0] = 1.0
    return np.rint(weight / scales).astype(np.int8), scales


class QuantisedBert(BertGraph):
    """The same network with int8 matrix products in the dense layers and an int8 embedding table."""

    domains = ("", ONNXRUNTIME)

    def __init__(self, weights: Mapping[str, Matrix], ranges: Mapping[str, Range], shape: BertShape = MINILM) -> None:
        super().__init__(weights, shape)
        self._ranges = ranges
        self._rounded: dict[str, tuple[str, Range, str]] = {}  # per tensor: its codes, their range, its prefix

    def _words(self, name: str) -> str:
        g = self._graph
        codes, scales = by_column(self._weights[name].T, GREATEST_WORD)
        rows = g.step("Gather", g.constant("words", np.ascontiguousarray(codes.T)), "input_ids")
        scale = g.step("Gather", g.constant("word_scales", scales[:, None]), "input_ids")
        return g.step("Mul", g.step("Cast", rows, to=TensorProto.FLOAT), scale)

    def _product(self, x: str, prefix: str, weight: Matrix, bias: Matrix) -> str:
        g = self._graph
        codes, reach, origin = self._round(x, prefix, len(weight))
        weights, scales = by_column(weight * reach.factors(len(weight))[:, None], GREATEST_WEIGHT)
        return g.step(
            "MatMulIntegerToFloat",
            codes,
            g.constant(prefix + "weight", weights),
            origin + "step",
            g.constant(prefix + "scales", scales),
            origin + "zero",
            "",  # the codes of the weights are centred on 0
            g.constant(prefix + "bias", bias),
            domain=ONNXRUNTIME,
        )

    def _round(self, x: str, prefix: str, width: int) -> tuple[str, Range, str]:
        """Return the codes of `x`; query, key and value share them."""
        if x not in self._rounded:
            g = self._graph
            reach = self._ranges[prefix]
            step, zero = g.constant(prefix + "step", reach.step), g.constant(prefix + "zero", reach.zero)
            damping = g.constant(prefix + "damping", np.reciprocal(reach.factors(width))) if reach.damped else ""
            damped = g.step("Mul", x, damping) if damping else x
            self._rounded[x] = (g.step("QuantizeLinear", damped, step, zero), reach, prefix)
        return self._rounded[x]


# Measures the activation ranges of a sentence encoder's dense layers, for the quantisation in `quantised_bert`.

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
