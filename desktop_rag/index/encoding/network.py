"""The ONNX network of a sentence encoder: ours, with pooling in the graph, or a published one without."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, RunOptions

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # token_type_ids only if the model has it; always 0
_WHOLE = ("embedding", "sentence_embedding")  # outputs with one vector per sentence
_OF_TOKENS = ("last_hidden_state", "token_embeddings")  # outputs with one vector per token, which are averaged

Floats = npt.NDArray[np.float32]


class Network:
    """A loaded network; `dimensions` is the length of its vectors."""

    def __init__(self, session: "InferenceSession") -> None:
        self._session = session
        self._inputs = [known.name for known in session.get_inputs()]
        outputs = {known.name: known.shape for known in session.get_outputs()}
        self._output = next((name for name in (*_WHOLE, *_OF_TOKENS) if name in outputs), "")
        if not self._output or "input_ids" not in self._inputs or not set(self._inputs) <= set(_INPUTS):
            raise EncoderError(
                "This is not a sentence encoder: model.onnx needs the inputs input_ids and attention_mask and one of "
                f"the outputs {', '.join((*_WHOLE, *_OF_TOKENS))}; "
                f"it has {', '.join(self._inputs)} → {', '.join(outputs)}."
            )
        dimensions = outputs[self._output][-1]
        if not isinstance(dimensions, int):
            raise EncoderError("This sentence encoder does not declare the length of its vectors (its output shape).")
        self.dimensions = dimensions

    @classmethod
    def load(cls, model: Path) -> Self:
        """Load the network, single-threaded; raises onnxruntime's own errors."""
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # else it logs to the terminal; errors are raised anyway
        return cls(onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]))

    def run(self, batch: Sequence[Sequence[int]], options: "RunOptions | None" = None) -> Floats:
        """Return a normalised vector for each sequence of tokens; raises onnxruntime's own errors."""
        width = max(map(len, batch))
        ids = np.zeros((len(batch), width), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (found,) = self._session.run([self._output], {name: given[name] for name in self._inputs}, options)
        vectors: Floats = np.asarray(found, np.float32)
        if self._output == _WHOLE[0]:
            return vectors  # our graph normalises them
        if self._output in _OF_TOKENS:
            vectors = (vectors * mask[:, :, None]).sum(axis=1, dtype=np.float32) / mask.sum(axis=1, keepdims=True)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        directions: Floats = (vectors / lengths).astype(np.float32)
        return directions
