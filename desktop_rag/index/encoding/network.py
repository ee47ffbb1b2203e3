"""The ONNX network of a sentence encoder: ours, which pools by itself, or one as other projects publish them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, RunOptions

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # the last only if it is asked for; then it is all 0
_WHOLE = ("embedding", "sentence_embedding")  # outputs that are one vector a sentence
_OF_TOKENS = ("last_hidden_state", "token_embeddings")  # outputs of a vector a token, of which the mean is taken

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
                f"This is no sentence encoder: model.onnx needs the inputs input_ids and attention_mask and one of the "
                f"outputs {', '.join((*_WHOLE, *_OF_TOKENS))}; it has {', '.join(self._inputs)} → {', '.join(outputs)}."
            )
        dimensions = outputs[self._output][-1]
        if not isinstance(dimensions, int):
            raise EncoderError("This sentence encoder does not say how long its vectors are (the output's shape).")
        self.dimensions = dimensions

    @classmethod
    def load(cls, model: Path) -> Self:
        """Load the network, to compute on the thread that calls; onnxruntime's errors are its own."""
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # its messages would go to the terminal; what matters is raised
        return cls(onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]))

    def run(self, batch: Sequence[Sequence[int]], options: "RunOptions | None" = None) -> Floats:
        """Return a vector of length one for each sequence of tokens; onnxruntime's errors are its own."""
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
            return vectors  # ours has made them of length one
        if self._output in _OF_TOKENS:
            vectors = (vectors * mask[:, :, None]).sum(axis=1, dtype=np.float32) / mask.sum(axis=1, keepdims=True)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        directions: Floats = (vectors / lengths).astype(np.float32)
        return directions
