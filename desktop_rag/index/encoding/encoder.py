"""The sentence encoder: MiniLM as ONNX, with pooling and normalisation inside the graph.

Threads process whole batches: sharing a batch among threads costs more CPU in total. So the number of threads can
change with each call, depending on whether the user is active.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop

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


if TYPE_CHECKING:
    from onnxruntime import RunOptions
    from tokenizers import Tokenizer

MAX_TOKENS = 256  # the limit the model was trained with; longer sentences are truncated
BATCH_TOKENS = 512  # tokens of a batch, including padding: fits the cache of a core
TOKENISED_AT_ONCE = 256  # sentences tokenised at a time
_REPAIR = "Run “python3 packaging/dev.py run” to fetch it again, or reinstall the program."
_DAMAGED = f"The sentence encoder is damaged. {_REPAIR}"


class Encoder:
    """The loaded encoder; may be used from several threads."""

    def __init__(self, network: Network, tokenizer: "Tokenizer", encoder_id: str, threads: int) -> None:
        self._network = network
        self._tokenizer = tokenizer
        self._id = encoder_id
        self._threads = threads

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> Self:
        """Load the encoder, with `threads` as the default number of threads; takes about 0.3 s.

        `folder` holds model.onnx (see `Network`), tokenizer.json and optionally encoder.json with an id and checksum.
        Raise `EncoderError` if it cannot be used.
        """
        encoder_id = _checked_id(folder)
        return cls(_network(folder / "model.onnx"), _tokenizer(folder / "tokenizer.json"), encoder_id, threads)

    @property
    def id(self) -> str:
        """Return the id of the encoder; vectors of different encoders cannot be compared."""
        return self._id

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._network.dimensions

    def encode(
        self, texts: Sequence[str], stop: Stop | None = None, threads: int | None = None
    ) -> npt.NDArray[np.float32]:
        """Return vectors (n, dimensions) of length one, in the order of `texts`; raise `Stopped` within 20 ms.

        Sentences of similar length are batched together and run on `threads` threads (default: those of `load`);
        that is 2.5 times as fast as batches of 32 in the given order.
        """
        from onnxruntime import RunOptions

        stop = stop or Stop()
        options = RunOptions()
        options.log_severity_level = 4  # else it logs the termination to the terminal

        def end() -> None:
            options.terminate = True

        vectors = np.empty((len(texts), self.dimensions), np.float32)
        with stop.interrupting(end):
            for rows, encoded in self._encoded(texts, stop, options, threads or self._threads):
                vectors[rows] = encoded
        return vectors

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, truncated to `MAX_TOKENS`."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def letters_per_token(self, text: str) -> float:
        """Return the letters and digits per token of `text`: about one where the tokenizer does not know the words."""
        tokens = len(self.tokens([text])[0]) - 2  # without the start and end tokens
        return sum(map(str.isalnum, text)) / max(1, tokens)

    def encode_batch(
        self, batch: Sequence[Sequence[int]], options: "RunOptions | None" = None
    ) -> npt.NDArray[np.float32]:
        """Return the vectors of one batch, padded to the longest; raises onnxruntime's own errors."""
        return self._network.run(batch, options)

    def _encoded(
        self, texts: Sequence[str], stop: Stop, options: "RunOptions", threads: int
    ) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
        """Yield the numbers of some texts with their vectors, in any order."""

        def tokenise(first: int) -> list[list[int]]:
            stop.check()
            return self.tokens(texts[first : first + TOKENISED_AT_ONCE])

        def run(rows: list[int]) -> tuple[list[int], npt.NDArray[np.float32]]:
            stop.check()
            try:
                return rows, self.encode_batch([tokens[row] for row in rows], options)
            except Exception:  # onnxruntime's errors have no common base
                stop.check()
                raise

        starts = range(0, len(texts), TOKENISED_AT_ONCE)
        if threads == 1 or len(texts) == 1:
            tokens = list(chain.from_iterable(map(tokenise, starts)))
            yield from map(run, batches([len(ids) for ids in tokens]))
            return
        with ThreadPoolExecutor(threads, "encoder") as pool:
            tokens = list(chain.from_iterable(pool.map(tokenise, starts)))
            yield from pool.map(run, batches([len(ids) for ids in tokens]))


def batches(lengths: Sequence[int], budget: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Yield the rows of each batch, at most `budget` tokens with padding, or a single row; the longest first."""
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    first = 0
    while first < len(order):
        size = max(budget // max(lengths[order[first]], 1), 1)
        yield order[first : first + size]
        first += size


def _remedy(folder: Path) -> str:
    if folder == encoder_folder():
        return _REPAIR
    return f"There is none in {folder}; “desktop-rag encoder” selects another one."


def _checked_id(folder: Path) -> str:
    """Return the id; raise `EncoderError` if the model does not match the declared checksum."""
    description = _description(folder)
    try:
        model, tokenizer = (_sha256(folder / name) for name in ("model.onnx", "tokenizer.json"))
    except OSError as error:
        raise EncoderError(f"The sentence encoder is missing. {_remedy(folder)}") from error
    if description.get("sha256", model) != model:
        raise EncoderError(_DAMAGED)
    # A hash of everything a vector depends on, unless the folder declares an id.
    return str(description.get("id") or hashlib.sha256(f"{model} {tokenizer} {MAX_TOKENS}".encode()).hexdigest())


def _description(folder: Path) -> dict[str, object]:
    """Return the contents of encoder.json; an encoder without one is not checked."""
    try:
        description = json.loads((folder / "encoder.json").read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EncoderError(_DAMAGED) from error
    return description if isinstance(description, dict) else {}


def _network(model: Path) -> Network:
    try:
        return Network.load(model)
    except EncoderError:
        raise
    except Exception as error:  # onnxruntime's errors have no common base
        raise EncoderError(_DAMAGED) from error


def _tokenizer(path: Path) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it starts a thread per core
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
