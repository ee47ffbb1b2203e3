"""The sentence encoder: a network in ONNX form with its tokenizer and description.

Threads process whole batches: sharing a batch among threads costs more CPU in total. So the number of threads can
change with each call, depending on whether the user is active.
"""

import ctypes
import gc
import hashlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_rag.decoding import decode_json
from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder_description import (
    GRAPH,
    MODEL,
    TOKENIZER,
    EncoderDescription,
    prefixed,
    read_description,
)
from desktop_rag.paths import data_home, encoder_folder, private_opener
from desktop_rag.processes.shortage import is_shortage
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, RunOptions
    from tokenizers import Tokenizer


# Checksums of large files that were computed lately: a short command need not read 24 MB to check its encoder again.
#
# A file is known by its path, size, inode and times; after a day, or if any of these differ, it is read again, so that
# damage on the disk is still noticed. The memo is a convenience: where it cannot be read or written, files are read.

FILE = "checksums.json"
KEPT_SECONDS = 24 * 3600
MOST = 16  # files


class _Known(msgspec.Struct, frozen=True):
    state: tuple[int, ...]
    checked: float  # seconds since the epoch
    sha256: str


def remembered(path: Path) -> str | None:
    """Return the SHA-256 of a file if it was computed less than a day ago, and the file is still the same."""
    known = _memo().get(str(path))
    if known is None or not 0 <= time.time() - known.checked < KEPT_SECONDS or known.state != _state(path):
        return None
    return known.sha256


def remember(path: Path, checksum: str) -> None:
    """Remember the SHA-256 of a file that was just read; does nothing if the data folder cannot be written."""
    memo = {name: known for name, known in _memo().items() if name != str(path)}
    memo[str(path)] = _Known(_state(path), time.time(), checksum)
    newest = dict(list(memo.items())[-MOST:])
    target = data_home() / FILE
    scratch = target.with_name(f"{FILE}.{os.getpid()}")
    with suppress(OSError):  # a confined process, or another user's data
        with open(scratch, "wb", opener=private_opener) as file:
            file.write(msgspec.json.encode(newest))
        scratch.replace(target)


def _memo() -> dict[str, _Known]:
    try:
        return decode_json((data_home() / FILE).read_bytes(), dict[str, _Known])
    except (OSError, ValueError, RecursionError):
        return {}


def _state(path: Path) -> tuple[int, ...]:
    with suppress(OSError):
        stat = path.stat()
        return stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns
    return ()


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # token_type_ids only if the model has it; always 0
_WHOLE = ("embedding", "sentence_embedding")  # outputs with one vector per sentence
_OF_TOKENS = ("last_hidden_state", "token_embeddings")  # outputs with one vector per token, which are pooled

Floats = npt.NDArray[np.float32]


class Network:
    """A loaded network; `dimensions` is the length of its vectors.

    `pooling` (mean or cls) makes one vector of those of the tokens, if the network does not.
    """

    def __init__(self, session: "InferenceSession", pooling: str = "mean") -> None:
        self._session = session
        self._pooling = pooling
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
    def load(cls, model: Path | bytes, pooling: str = "mean") -> Self:
        """Load the network from a file or its bytes, single-threaded; raises onnxruntime's own errors."""
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # else it logs to the terminal; errors are raised anyway
        given = model if isinstance(model, bytes) else str(model)
        return cls(onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"]), pooling)

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
        if self._output in _OF_TOKENS and self._pooling == "cls":
            vectors = vectors[:, 0]
        elif self._output in _OF_TOKENS:
            vectors = (vectors * mask[:, :, None]).sum(axis=1, dtype=np.float32) / mask.sum(axis=1, keepdims=True)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        directions: Floats = (vectors / lengths).astype(np.float32)
        return directions


BATCH_TOKENS = 512  # tokens of a batch, including padding: fits the cache of a core
TOKENISED_AT_ONCE = 256  # sentences tokenised at a time
HEAVY = 64e6  # bytes of a model that is not kept in memory while nothing is encoded
_SHORT = "There is not enough memory for the sentence encoder now. Close other programs."
_REPAIR = "Run “python3 packaging/dev.py run” to fetch it again, or reinstall the program."


class Encoder:
    """The loaded encoder; may be used from several threads."""

    def __init__(
        self, network: Network, tokenizer: "Tokenizer", encoder_id: str, description: EncoderDescription, threads: int
    ) -> None:
        self._network = network
        self._tokenizer = tokenizer
        self.id = encoder_id  # vectors of different encoders cannot be compared
        self.description = description
        self._threads = threads
        self._unknown = {tokenizer.token_to_id(name) for name in ("[UNK]", "<unk>")} - {None}

    @classmethod
    def load(cls, folder: Path, threads: int = 1) -> Self:
        """Load the encoder, with `threads` as the default number of threads; takes 0.3 s, or over a second.

        `folder` holds model.onnx (see `Network`), tokenizer.json and optionally encoder.json (`EncoderDescription`).
        Raise `EncoderError` if it cannot be used.
        """
        description = read_description(folder)
        encoder_id = _checked_id(folder, description)
        network = _network(folder / _network_file(folder, description), description.pooling)
        tokenizer = load_tokenizer(folder / TOKENIZER, description.max_tokens)
        return cls(network, tokenizer, encoder_id, description, threads)

    @property
    def is_heavy(self) -> bool:
        """Return whether its memory is worth giving back while nothing is encoded."""
        return self.description.bytes > HEAVY

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._network.dimensions

    def encode(
        self, texts: Sequence[str], stop: Stop | None = None, threads: int | None = None
    ) -> npt.NDArray[np.float32]:
        """Return vectors (n, dimensions) of passages, of length one, in their order; raise `Stopped` within 20 ms.

        Sentences of similar length are batched together and run on `threads` threads (default: those of `load`);
        that is 2.5 times as fast as batches of 32 in the given order.
        """
        return self._vectors(prefixed(self.description.passage_prefix, texts), stop or Stop(), threads)

    def encode_query(self, text: str, stop: Stop | None = None) -> npt.NDArray[np.float32]:
        """Return the vector (dimensions) of a query, of length one."""
        direction: npt.NDArray[np.float32] = self._vectors([self.description.query_prefix + text], stop or Stop())[0]
        return direction

    def _vectors(self, texts: Sequence[str], stop: Stop, threads: int | None = None) -> npt.NDArray[np.float32]:
        from onnxruntime import RunOptions

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
        """Return the token ids of each text without a prefix, truncated to the maximum length."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def text_of(self, given: str | Sequence[int]) -> str:
        """Return the text of these tokens; "" if the tokenizer would not make them of it: they are of another one."""
        if isinstance(given, str):
            return given
        text: str = self._tokenizer.decode(list(given))
        made = self._tokenizer.encode(text).ids
        known = self._tokenizer.get_added_tokens_decoder()
        plain, sent = ([token for token in ids if token not in known] for ids in (made, given))
        is_whole = len(plain) == len(sent) or len(made) == self.description.max_tokens
        return text if plain and is_whole and sent[: len(plain)] == plain else ""

    def knowledge(self, text: str) -> float:
        """Return how well the tokenizer knows the words of a text: 1 well, 0 or less not at all.

        Where its pieces are of few languages, letters per token tell: other words are spelled out. Unknown tokens count
        as tokens without letters.
        """
        encoding = self._tokenizer.encode(text)
        tokens = len(encoding.ids) - 2  # without the start and end tokens
        letters = sum(map(str.isalnum, text))
        lost = [place for id_, place in zip(encoding.ids, encoding.offsets, strict=True) if id_ in self._unknown]
        known = letters - sum(sum(map(str.isalnum, text[first:last])) for first, last in lost)
        scale = self.description.spelled_out
        if scale is None:
            return known / letters if letters else 1.0
        return (known / max(1, tokens) - scale.least) / (scale.known - scale.least)

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
            except Exception as error:  # onnxruntime's errors have no common base
                stop.check()
                raise _unusable(f"Sentences cannot be encoded ({error}).", error) from error

        starts = range(0, len(texts), TOKENISED_AT_ONCE)
        if threads == 1 or len(texts) == 1:
            tokens = list(chain.from_iterable(map(tokenise, starts)))
            yield from map(run, batches([len(ids) for ids in tokens]))
            return
        with ThreadPoolExecutor(threads, "encoder") as pool:
            tokens = list(chain.from_iterable(pool.map(tokenise, starts)))
            yield from pool.map(run, batches([len(ids) for ids in tokens]))


def return_memory() -> None:
    """Return freed memory to the system, where the C library otherwise keeps it."""
    if sys.platform == "linux":
        gc.collect()
        with suppress(AttributeError, OSError):  # musl has none
            ctypes.CDLL(None).malloc_trim(0)


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
    return (
        f"There is none in {folder} that can be used; add it again, or select another one with “desktop-rag encoder”."
    )


def _unusable(why: str, error: Exception) -> EncoderError:
    """Return the error to raise: memory that is short is no damage."""
    return EncoderError(_SHORT if is_shortage(error) else why)


def _checked_id(folder: Path, description: EncoderDescription) -> str:
    """Return the id; raise `EncoderError` if the model does not match the declared checksum."""
    try:
        model, tokenizer = _checksum(folder / MODEL), sha256(folder / TOKENIZER)
    except OSError as error:
        raise _unusable(f"The sentence encoder is missing. {_remedy(folder)}", error) from error
    if description.sha256 not in ("", model):
        raise EncoderError(f"The sentence encoder is damaged. {_remedy(folder)}")
    return description.id or encoder_id(model, tokenizer, description)


def _checksum(path: Path) -> str:
    known = remembered(path)
    if known is None:
        known = sha256(path)
        remember(path, known)
    return known


def _network_file(folder: Path, description: EncoderDescription) -> str:
    """Return the name of the file to load: the graph whose weights are mapped, if the description vouches for it."""
    graph = folder / GRAPH
    if description.graph and description.sha256 and graph.is_file() and sha256(graph) == description.graph:
        return GRAPH
    return MODEL


def encoder_id(model: str, tokenizer: str, description: EncoderDescription) -> str:
    """Return a hash of all that a vector depends on: the checksums of both files, the limit, prefixes, pooling."""
    parts = [model, tokenizer, str(description.max_tokens)]
    if description.query_prefix or description.passage_prefix or description.pooling != "mean":
        parts += [description.query_prefix, description.passage_prefix, description.pooling]
    return hashlib.sha256(" ".join(parts).encode("utf-8", "replace")).hexdigest()


def _network(model: Path, pooling: str) -> Network:
    try:
        return Network.load(model, pooling)
    except EncoderError:
        raise
    except Exception as error:  # onnxruntime's errors have no common base
        raise _unusable(f"The sentence encoder is damaged. {_remedy(model.parent)}", error) from error


def load_tokenizer(path: Path, max_tokens: int) -> "Tokenizer":
    """Load a tokenizer.json that truncates at `max_tokens` and never pads; raises `EncoderError`."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it starts a thread per core
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more precise
        remedy = _remedy(path.parent)
        raise _unusable(f"The sentence encoder is damaged: its tokenizer cannot be read. {remedy}", error) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
