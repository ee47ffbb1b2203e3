"""Builds a sentence encoder as an ONNX graph from its published weights, without a deep-learning framework.

The network is BERT (Devlin et al. 2019) or XLM-RoBERTa (Conneau et al. 2020), which differs in where positions begin.
Pooling over the tokens and L2 normalisation (Reimers and Gurevych 2019) are inside the graph: each output row is a
sentence vector ready to compare.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

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
