"""Draws all-MiniLM-L6-v2 with weights of seven bits, activations of eight: a quarter of the size, 2.5 times the speed.

Weights have a scale per column. Activations have a fixed scale per tensor, measured beforehand (`calibrate.py` writes
it to minilm_ranges.json), so that a sentence has the same vector in any company, and no pass over the data looks for
the greatest value. A few channels are far greater than all others and would leave these next to no bits; they are
damped before rounding and the weights that take them made as much greater (after SmoothQuant, Xiao et al. 2023, §4,
for those channels only). What rounding costs in search is measured by `packaging/dev.py bench encode --quality`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from minilm import Matrix, MiniLM

RANGES = Path(__file__).with_name("minilm_ranges.json")
ONNXRUNTIME = "com.microsoft"  # operators of onnxruntime's own, in all of its builds
# Older processors add two products of a byte and a weight in sixteen bits: with greater weights these overflow, and
# the vectors differ from those of others by twice as much as rounding costs. So they are the same everywhere.
GREATEST_WEIGHT = 64
GREATEST_WORD = 127  # words are looked up, not multiplied
STEPS = 255


@dataclass(frozen=True, slots=True)
class Range:
    """What the input of a dense layer reaches, its greatest channels divided by the factors in `damped`."""

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
        """Return how far two neighbouring codes lie apart."""
        return np.asarray((self.high - self.low) / STEPS, np.float32)

    @property
    def zero(self) -> npt.NDArray[np.uint8]:
        """Return the code of 0."""
        return np.asarray(round(-self.low / float(self.step)), np.uint8)


def read_ranges(path: Path = RANGES) -> dict[str, Range]:
    """Return the ranges by the prefix of the dense layer they are the input of."""
    return {
        prefix: Range(entry["low"], entry["high"], {int(number): entry["damped"][number] for number in entry["damped"]})
        for prefix, entry in json.loads(path.read_text(encoding="utf-8")).items()
    }


def by_column(weight: Matrix, greatest: int) -> tuple[npt.NDArray[np.int8], Matrix]:
    """Return codes up to `greatest` and the scale of every column."""
    scales = np.abs(weight).max(axis=0) / np.float32(greatest)
    scales[scales == 0] = 1.0
    return np.rint(weight / scales).astype(np.int8), scales


class QuantisedMiniLM(MiniLM):
    """The same network with dense layers that multiply bytes, and a table of words in bytes."""

    domains = ("", ONNXRUNTIME)

    def __init__(self, weights: Mapping[str, Matrix], ranges: Mapping[str, Range]) -> None:
        super().__init__(weights)
        self._ranges = ranges
        self._rounded: dict[str, tuple[str, Range, str]] = {}  # by tensor: its codes, their range, its prefix

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
            "",  # the codes of the weights lie around 0
            g.constant(prefix + "bias", bias),
            domain=ONNXRUNTIME,
        )

    def _round(self, x: str, prefix: str, width: int) -> tuple[str, Range, str]:
        """Return the codes of `x`; query, key and value share theirs."""
        if x not in self._rounded:
            g = self._graph
            reach = self._ranges[prefix]
            step, zero = g.constant(prefix + "step", reach.step), g.constant(prefix + "zero", reach.zero)
            damping = g.constant(prefix + "damping", np.reciprocal(reach.factors(width))) if reach.damped else ""
            damped = g.step("Mul", x, damping) if damping else x
            self._rounded[x] = (g.step("QuantizeLinear", damped, step, zero), reach, prefix)
        return self._rounded[x]
