"""Turns sentences into vectors with the sentence encoder (MiniLM as ONNX, pooled and normalised inside the graph)."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 256  # the model was trained for no more; what follows in a sentence is not seen
BATCH_TOKENS = 2048  # a batch is about so many tokens wide, padding included …
SMALLEST_BATCH, LARGEST_BATCH = 8, 32  # … but has at least and at most so many sentences
_REPAIR = "Run “python3 packaging/dev.py run” to fetch it again, or install the program anew."


class Encoder:
    """The loaded encoder; use it from one thread at a time."""

    def __init__(self, session: "InferenceSession", tokenizer: "Tokenizer", encoder_id: str, dimensions: int) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._id = encoder_id
        self._dimensions = dimensions

    @classmethod
    def load(cls, folder: Path, threads: int) -> Self:
        """Load the encoder, to compute on `threads` threads; about 0.5 s. Raise `EncoderError` if it cannot be used."""
        model = folder / "model.onnx"
        description = _description(folder)
        try:
            size = model.stat().st_size
        except OSError as error:
            raise EncoderError(f"The sentence encoder is missing. {_REPAIR}") from error
        if description.get("bytes", size) != size:
            raise EncoderError(f"The sentence encoder is damaged. {_REPAIR}")
        tokenizer = _tokenizer(folder / "tokenizer.json")
        session = _session(model, threads)
        encoder_id = description.get("id") or _sha256(model)
        dimensions = session.get_outputs()[0].shape[-1]
        if not isinstance(dimensions, int):
            raise EncoderError(f"The sentence encoder does not say how long its vectors are. {_REPAIR}")
        return cls(session, tokenizer, str(encoder_id), dimensions)

    @property
    def id(self) -> str:
        """Return what tells this encoder from every other: vectors of different encoders do not compare."""
        return self._id

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def encode(self, texts: Sequence[str], stop: Stop | None = None) -> npt.NDArray[np.float32]:
        """Return vectors (n, dimensions) of length one, in the order of `texts`; may raise `Stopped`.

        Sentences of about one length are encoded together, which pads the least (1.5 times as fast as in order).
        """
        vectors = np.empty((len(texts), self._dimensions), np.float32)
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]))
        while order:
            if stop is not None:
                stop.check()
            # From the long end, so that a batch is never wider than the size it was planned with.
            size = min(max(BATCH_TOKENS // len(tokens[order[-1]]), SMALLEST_BATCH), LARGEST_BATCH)
            batch, order = order[-size:], order[:-size]
            vectors[batch] = self._run([tokens[index] for index in batch])
        return vectors

    def _run(self, batch: list[list[int]]) -> npt.NDArray[np.float32]:
        width = max(map(len, batch))
        ids = np.zeros((len(batch), width), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (vectors,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        return vectors


def _description(folder: Path) -> dict[str, object]:
    """Return what encoder.json says; an encoder without one is described by its bytes."""
    try:
        description = json.loads((folder / "encoder.json").read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EncoderError(f"The sentence encoder is damaged. {_REPAIR}") from error
    return description if isinstance(description, dict) else {}


def _session(model: Path, threads: int) -> "InferenceSession":
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # its messages would go to the terminal; what matters is raised
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # an idle encoder takes no CPU
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base
        raise EncoderError(f"The sentence encoder is damaged. {_REPAIR}") from error


def _tokenizer(path: Path) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # it would start a thread per core on its own
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more precise
        raise EncoderError(f"The sentence encoder is damaged: its tokenizer cannot be read. {_REPAIR}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
