"""Builds a sentence encoder with 7-bit weights and 8-bit activations: a quarter of the size, 2.5 times the speed.

Weights have a scale per column. Activations have a fixed scale per tensor, measured beforehand (`measure`;
for the shipped encoder it is kept in packaging/minilm_ranges.json), so a sentence's vector does not depend on the
rest of its batch, and no pass over the data looks for the maximum. A few channels are much larger than the others and
would leave those almost no bits; they are damped before rounding and the weights they multiply enlarged by the same
factor (after SmoothQuant, Xiao et al. 2023, §4, for those channels only). `packaging/dev.py bench encode --quality`
measures the effect on search.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession, SessionOptions

# Builds a sentence encoder as an ONNX graph from its published weights, without a deep-learning framework.
#
# The network is BERT (Devlin et al. 2019) or XLM-RoBERTa (Conneau et al. 2020), which differs in where positions begin.
# Pooling over the tokens and L2 normalisation (Reimers and Gurevych 2019) are inside the graph: each output row is a
# sentence vector ready to compare.

OPSET = 17  # the first opset with LayerNormalization
IR_VERSION = 8

Array = npt.NDArray[np.float32] | npt.NDArray[np.int64] | npt.NDArray[np.int8] | npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the weights alone do not say: `first_position` is the row of the first token's position embedding."""

    layers: int = 6
    heads: int = 12
    epsilon: float = 1e-12
    first_position: int = 0
    pooling: str = "mean"  # or "cls": the vector of the first token


MINILM = BertShape()  # all-MiniLM-L6-v2


class Graph:
    """Nodes and constants in topological order; every method returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, TensorProto] = {}

    def constant(self, name: str, value: Array) -> str:
        """Add `value` once as the constant `name`."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def integers(self, *values: int) -> str:
        """Add a vector of integers as a constant, named after its values."""
        return self.constant("i" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, name: str, value: float) -> str:
        """Add a scalar constant."""
        return self.constant(name, np.array(value, np.float32))

    def step(
        self, kind: str, *inputs: str, name: str = "", domain: str = "", **attributes: float | Sequence[int]
    ) -> str:
        """Add a node with the operator `kind`."""
        output = name or f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [output], name=output, domain=domain)
        node.attribute.extend(helper.make_attribute(key, attributes[key]) for key in attributes)
        self.nodes.append(node)
        return output


class BertGraph:
    """The network's layers, built into one graph.

    After `model`, `dense_inputs` maps the prefix of each dense layer to the name of its input tensor.
    """

    domains: tuple[str, ...] = ("",)  # the opsets of the operators used

    def __init__(self, weights: Mapping[str, npt.NDArray[np.float32]], shape: BertShape = MINILM) -> None:
        self._weights = weights
        self._shape = shape
        self._graph = Graph()
        self.dense_inputs: dict[str, str] = {}
        self._width = weights["embeddings.word_embeddings.weight"].shape[1]

    def model(self) -> ModelProto:
        """Return the whole model: `input_ids`, `attention_mask` (batch × tokens) → `embedding` (batch × width)."""
        mask = self._mask()
        x = self._embeddings()
        for layer in range(self._shape.layers):
            x = self._layer(x, mask, f"encoder.layer.{layer}.")
        self._pool(x)
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        outputs = [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", self._width])]
        constants = list(self._graph.constants.values())
        # The name of every graph: it is part of the checksum, and so of the id, of the shipped encoder.
        graph = helper.make_graph(self._graph.nodes, "minilm", inputs, outputs, constants)
        opsets = [helper.make_opsetid(domain, 1 if domain else OPSET) for domain in self.domains]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _mask(self) -> str:
        """Return 0 for tokens and a large negative number for padding, to be added to the attention scores."""
        g = self._graph
        present = g.step("Cast", "attention_mask", to=TensorProto.FLOAT)
        absent = g.step("Sub", g.number("one", 1.0), present)
        penalty = g.step("Mul", absent, g.number("penalty", -1e4))
        return g.step("Unsqueeze", penalty, g.integers(1, 2))

    def _embeddings(self) -> str:
        g = self._graph
        prefix = "embeddings."
        # Every token has type 0: add its row to the position embeddings once instead of in each run.
        places = (
            self._weights[prefix + "position_embeddings.weight"][self._shape.first_position :]
            + self._weights[prefix + "token_type_embeddings.weight"][0]
        )
        words = self._words(prefix + "word_embeddings.weight")
        length = g.step("Slice", g.step("Shape", "input_ids"), g.integers(1), g.integers(2))
        positions = g.step("Slice", g.constant("positions", places), g.integers(0), length, g.integers(0))
        return self._norm(g.step("Add", words, positions), prefix + "LayerNorm.")

    def _words(self, name: str) -> str:
        return self._graph.step("Gather", self._weight(name), "input_ids")

    def _layer(self, x: str, mask: str, prefix: str) -> str:
        g = self._graph
        attended = self._attention(x, mask, prefix + "attention.self.")
        attended = self._dense(attended, prefix + "attention.output.dense.")
        x = self._norm(g.step("Add", attended, x), prefix + "attention.output.LayerNorm.")
        y = self._gelu(self._dense(x, prefix + "intermediate.dense."))
        y = self._dense(y, prefix + "output.dense.")
        return self._norm(g.step("Add", y, x), prefix + "output.LayerNorm.")

    def _attention(self, x: str, mask: str, prefix: str) -> str:
        g = self._graph
        scale = 1.0 / (self._width // self._shape.heads) ** 0.5  # folded into the queries' weights
        query = self._heads(self._dense(x, prefix + "query.", scale), (0, 2, 1, 3))
        key = self._heads(self._dense(x, prefix + "key."), (0, 2, 3, 1))
        value = self._heads(self._dense(x, prefix + "value."), (0, 2, 1, 3))
        scores = g.step("Add", g.step("MatMul", query, key), mask)
        mixed = g.step("MatMul", g.step("Softmax", scores, axis=-1), value)
        joined = g.step("Transpose", mixed, perm=(0, 2, 1, 3))
        return g.step("Reshape", joined, g.integers(0, 0, self._width))

    def _heads(self, x: str, order: tuple[int, ...]) -> str:
        g = self._graph
        split = g.step("Reshape", x, g.integers(0, 0, self._shape.heads, self._width // self._shape.heads))
        return g.step("Transpose", split, perm=order)

    def _dense(self, x: str, prefix: str, scale: float = 1.0) -> str:
        self.dense_inputs[prefix] = x
        factor = np.float32(scale)
        return self._product(
            x, prefix, self._weights[prefix + "weight"].T * factor, self._weights[prefix + "bias"] * factor
        )

    def _product(self, x: str, prefix: str, weight: Matrix, bias: Matrix) -> str:
        """Return x · weight + bias."""
        g = self._graph
        product = g.step("MatMul", x, g.constant(prefix + "weight", weight))
        return g.step("Add", product, g.constant(prefix + "bias", bias))

    def _norm(self, x: str, prefix: str) -> str:
        weight, bias = self._weight(prefix + "weight"), self._weight(prefix + "bias")
        return self._graph.step("LayerNormalization", x, weight, bias, axis=-1, epsilon=self._shape.epsilon)

    def _gelu(self, x: str) -> str:
        """Return x · ½ (1 + erf(x / √2)), the exact form BERT was trained with."""
        g = self._graph
        erf = g.step("Erf", g.step("Div", x, g.number("root_two", 2.0**0.5)))
        doubled = g.step("Mul", x, g.step("Add", erf, g.number("one", 1.0)))
        return g.step("Mul", doubled, g.number("half", 0.5))

    def _pool(self, x: str) -> None:
        """Take the first token, or sum those that are not padding: the mean's divisor cancels in the normalisation."""
        g = self._graph
        if self._shape.pooling == "cls":
            first = g.step("Gather", x, g.constant("first", np.array(0, np.int64)), axis=1)
            g.step("LpNormalization", first, name="embedding", axis=-1, p=2)
            return
        present = g.step("Cast", "attention_mask", to=TensorProto.FLOAT)
        row = g.step("Unsqueeze", present, g.integers(1))
        total = g.step("Squeeze", g.step("MatMul", row, x), g.integers(1))
        g.step("LpNormalization", total, name="embedding", axis=-1, p=2)

    def _weight(self, name: str) -> str:
        return self._graph.constant(name, self._weights[name])


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
