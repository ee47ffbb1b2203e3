"""Converts a published sentence encoder: writes its network as a new graph, quantises it, proves it, and describes it.

The proof compares vectors of texts that no range was measured on: those of the new network in float32 with those of the
published one, and those of the quantised network with the same. What does not agree is not used: a quantised network
falls back to float32, one that cannot be drawn to the published file.
"""

import json
import re
import shutil
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder import Encoder, Network, batches, encoder_id, load_tokenizer, sha256
from desktop_rag.index.encoding.encoder_description import (
    MODEL,
    TOKENIZER,
    EncoderDescription,
    SpelledOut,
    can_convert,
    write_description,
)
from desktop_rag.index.encoding.encoder_download import HubEncoder
from desktop_rag.paths import resources
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from onnx import ModelProto
    from tokenizers import Tokenizer


# Reads the weights of a BERT or XLM-RoBERTa encoder from safetensors or from a published ONNX file.

Weights = Mapping[str, npt.NDArray[np.float32]]

WORDS = "embeddings.word_embeddings.weight"
_MOST_HEADER = 64 << 20  # bytes: a header of a million tensors, as a hostile file may claim
_FLOATS = ("F32", "F16", "BF16")
# Exporters leave matrices without names; the nodes that use them are named after the layer.
_MATRIX_NODE = re.compile(r"(?:^|/)(encoder/layer\.\d+/.+)/MatMul$")


def read_safetensors(blob: bytes | memoryview) -> dict[str, npt.NDArray[np.float32]]:
    """Return the float tensors of a safetensors file by name; integer buffers are left out. Raises `EncoderError`."""
    size = int.from_bytes(blob[:8], "little")
    if len(blob) < 8 or size > min(_MOST_HEADER, len(blob) - 8):
        raise EncoderError("The safetensors file is damaged or cut short; download it again.")
    body = memoryview(blob)[8 + size :]
    tensors: dict[str, npt.NDArray[np.float32]] = {}
    try:
        for name, entry in json.loads(bytes(blob[8 : 8 + size])).items():
            if name != "__metadata__" and entry["dtype"] in _FLOATS:
                tensors[name] = _tensor(entry["dtype"], body, *entry["data_offsets"]).reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EncoderError("The safetensors file is damaged or cut short; download it again.") from error
    return tensors


def _tensor(kind: str, body: memoryview, first: int, last: int) -> npt.NDArray[np.float32]:
    if not 0 <= first <= last <= len(body):
        raise ValueError("a tensor outside the file")
    data = bytes(body[first:last])
    if kind == "BF16":  # the upper half of a float32
        halves = np.frombuffer(data, np.dtype("<u2")).astype(np.uint32)
        return (halves << 16).view(np.float32)
    if kind == "F16":
        return np.frombuffer(data, np.dtype("<f2")).astype(np.float32)
    return np.frombuffer(data, np.dtype("<f4"))


def read_onnx(path: Path) -> "tuple[ModelProto, Weights]":
    """Return a published network and its weights by the names of safetensors; those it does not name are missing."""
    import onnx
    from onnx import numpy_helper

    try:
        model = onnx.load(str(path))
    except Exception as error:  # protobuf's and onnx's errors have no common base
        raise EncoderError(f"{path.name} is damaged or not an ONNX file; download it again.") from error
    named = {one.name: one for one in model.graph.initializer}
    found = {name: numpy_helper.to_array(one) for name, one in named.items() if one.data_type == onnx.TensorProto.FLOAT}
    for node in model.graph.node:
        matrix = _MATRIX_NODE.search(node.name)
        if matrix and node.op_type == "MatMul" and node.input[1] in found:
            found[matrix[1].replace("/", ".") + ".weight"] = found[node.input[1]].T
    return model, found


def bert_weights(tensors: Weights, layers: int) -> Weights | None:
    """Return the tensors that the graph needs without the prefix of their module; None if any is missing."""
    words = next((name for name in tensors if name == WORDS or name.endswith("." + WORDS)), None)
    if words is None:
        return None
    prefix = words.removesuffix(WORDS)
    weights = {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
    for name, value in tensors.items():
        weights.setdefault(name, value)
    needed = [WORDS, "embeddings.position_embeddings.weight", "embeddings.token_type_embeddings.weight"]
    needed += [f"embeddings.LayerNorm.{part}" for part in ("weight", "bias")]
    for layer in range(layers):
        for part in _LAYER_PARTS:
            needed += [f"encoder.layer.{layer}.{part}.weight", f"encoder.layer.{layer}.{part}.bias"]
    return {name: weights[name] for name in needed} if weights.keys() >= set(needed) else None


_LAYER_PARTS = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "attention.output.LayerNorm"),
    *("intermediate.dense", "output.dense", "output.LayerNorm"),
)

Floats = npt.NDArray[np.float32]

MOST_BYTES = 1_900_000_000  # of weights: an ONNX file holds at most 2 GB
LEAST_DRAWN = 0.999  # cosine of the new network in float32 with the published one
LEAST_ROUNDED = 0.98  # the same of the quantised network, for its worst text …
LEAST_MEAN = 0.99  # … and for their mean
_NO_FLOOR = 0.3  # cosine of unrelated texts below which none is subtracted, as with all-MiniLM-L6-v2
_LEAD = 0.5  # of that of English: elsewhere all-MiniLM-L6-v2 and gte-small have at most .35, e5 at least .6
_WHOLE_WORDS = 100_000  # pieces of a tokenizer that has the words of all its languages
PROOF = 3  # the subject that no range is measured on

# What passages contain beside prose: numbers, tables, code, addresses.
OTHER = (
    "In 2019 the company sold 4,812 units at $39.95 each; margins fell to 12.5 %.",
    "def read(path: Path) -> bytes: return path.read_bytes()",
    "| year | revenue | change |\n| 2021 | 1,204 | +4.1 % |",
    "https://example.org/a/b?c=1 <info@example.org> +49 30 1234567",
    "Dr. Eleanor Whitfield, Chair; Minutes of 12/03/2021, item 4.2 (b)",
    "ok",
    "SELECT name, count(*) FROM file GROUP BY name HAVING count(*) > 1;",
    "x² + y² = z²; ∫ f(x) dx; α ≤ β; 5 µm; 20 °C; № 7; … — “quoted” ‘words’",
)


@dataclass(frozen=True, slots=True)
class SamplePair:
    """A question and the passage that answers it; `subject` counts from 0 and is the same in all languages."""

    language: str
    subject: int
    question: str
    passage: str


def sample_pairs() -> list[SamplePair]:
    """Return the pairs, those of a language together."""
    pairs: list[SamplePair] = []
    for line in (resources() / "encoder_samples.tsv").read_text(encoding="utf-8").splitlines():
        language, question, passage = line.split("\t")
        subject = sum(pair.language == language for pair in pairs)
        pairs.append(SamplePair(language, subject, question, passage))
    return pairs


class EncoderStep(StrEnum):
    """What a conversion does."""

    READING = "reading the published files"
    DRAWING = "drawing the network and comparing it with the published one"
    MEASURING = "measuring the ranges for 8 bits"
    PROVING = "comparing the vectors"
    DESCRIBING = "measuring scores, languages and speed"


@dataclass(frozen=True, slots=True)
class ConversionProof:
    """How far the vectors agree with the published network: mean and least cosine, and with what precision."""

    precision: str
    mean: float
    least: float


def convert(
    hub: HubEncoder, folder: Path, stop: Stop, known: EncoderDescription | None = None
) -> Generator[EncoderStep, None, EncoderDescription]:
    """Write the encoder into the empty `folder` and return its description; raises `EncoderError`.

    `known` has what was measured of this encoder before; else its floor, languages and gate are measured here.
    """
    yield EncoderStep.READING
    tokenizer = _tokenizer(hub, folder)
    texts = _Texts(hub, tokenizer)
    published = hub.onnx and _published(hub.onnx, hub.pooling)
    weights = _weights(hub)
    stop.check()
    proof: ConversionProof | None = None
    if weights is not None and hub.shape is not None:
        yield EncoderStep.DRAWING
        proof = yield from _drawn(hub, weights, texts, published or None, folder / MODEL, stop)
    if proof is None:
        if hub.onnx is None:
            raise EncoderError(f"The weights of {hub.name} are not those of its configuration; download it again.")
        shutil.copyfile(hub.onnx, folder / MODEL)
        proof = ConversionProof("as published", 1.0, 1.0)
    del weights, published
    stop.check()
    yield EncoderStep.DESCRIBING
    return _described(hub, folder, tokenizer, proof, known)


class _Texts:
    """The token ids of the samples: those to measure ranges on, and those to prove with."""

    def __init__(self, hub: HubEncoder, tokenizer: "Tokenizer") -> None:
        pairs = sample_pairs()
        seen = [pair for pair in pairs if pair.subject != PROOF]
        held = [pair for pair in pairs if pair.subject == PROOF]
        joined = [" ".join(pair.passage for pair in some) for _, some in groupby(seen, lambda pair: pair.language)]
        self.calibrating = _ids(tokenizer, hub.passage_prefix, [pair.passage for pair in seen] + joined + list(OTHER))
        self.calibrating += _ids(tokenizer, hub.query_prefix, [pair.question for pair in seen])
        self.proving = _ids(tokenizer, hub.query_prefix, [pair.question for pair in held])
        self.proving += _ids(tokenizer, hub.passage_prefix, [pair.passage for pair in held])


def _ids(tokenizer: "Tokenizer", prefix: str, texts: Sequence[str]) -> list[list[int]]:
    return [tokenizer.encode(prefix + text).ids for text in texts]


def _tokenizer(hub: HubEncoder, folder: Path) -> "Tokenizer":
    tokenizer = load_tokenizer(hub.tokenizer, hub.max_tokens)
    tokenizer.save(str(folder / TOKENIZER), pretty=False)
    return tokenizer


def _published(path: Path, pooling: str) -> Network:
    try:
        return Network.load(path, pooling)
    except EncoderError:
        raise
    except Exception as error:  # onnxruntime's errors have no common base
        raise EncoderError(f"{path} is damaged or needs a newer onnxruntime; download it again.") from error


def _weights(hub: HubEncoder) -> Weights | None:
    """Return the weights by the graph's names, None if the network cannot be drawn."""
    if hub.shape is None:
        return None
    if not can_convert():
        if hub.onnx is None:
            raise EncoderError(
                "Converting needs the package onnx, which this build does not have. Convert on a computer with "
                "“pip install 'desktop-rag[encoders]'” and add the converted folder here, or add the model's ONNX file."
            )
        return None
    if hub.safetensors is None:
        assert hub.onnx is not None  # `read_hub_folder` requires one of them
        _, tensors = read_onnx(hub.onnx)
    else:
        if hub.safetensors.stat().st_size > MOST_BYTES:
            raise EncoderError(f"{hub.safetensors} is too large: at most {MOST_BYTES / 1e9:.1f} GB of weights.")
        tensors = read_safetensors(hub.safetensors.read_bytes())
    return bert_weights(tensors, hub.shape.layers)


def _drawn(
    hub: HubEncoder, weights: Weights, texts: _Texts, published: Network | None, target: Path, stop: Stop
) -> Generator[EncoderStep, None, ConversionProof | None]:
    """Write the network in 8 bits, else in float32; return None if it is not the published one."""
    from desktop_rag.index.encoding.quantised_bert import BertGraph, QuantisedBert, dense_inputs, measure

    assert hub.shape is not None
    drawn = BertGraph(weights, hub.shape).model().SerializeToString(deterministic=True)
    exact = _vectors(Network.load(drawn), texts.proving)
    reference = _vectors(published, texts.proving) if published is not None else exact
    full = _proof("fp32", exact, reference)
    if full.least < LEAST_DRAWN:
        return None
    stop.check()
    yield EncoderStep.MEASURING
    ranges = measure(_checked(dense_inputs(weights, texts.calibrating, hub.shape), stop))
    small = QuantisedBert(weights, ranges, hub.shape).model().SerializeToString(deterministic=True)
    yield EncoderStep.PROVING
    rounded = _proof("int8", _vectors(Network.load(small), texts.proving), reference)
    good = rounded.least >= LEAST_ROUNDED and rounded.mean >= LEAST_MEAN
    target.write_bytes(small if good else drawn)
    return rounded if good else full


def _checked(items: Iterator[Mapping[str, Floats]], stop: Stop) -> Iterator[Mapping[str, Floats]]:
    for item in items:
        stop.check()
        yield item


def _vectors(network: Network, tokens: Sequence[list[int]]) -> Floats:
    vectors = np.empty((len(tokens), network.dimensions), np.float32)
    for rows in batches([len(ids) for ids in tokens]):
        vectors[rows] = network.run([tokens[row] for row in rows])
    return vectors


def _proof(precision: str, vectors: Floats, reference: Floats) -> ConversionProof:
    cosines = (vectors * reference).sum(axis=1)
    if not np.isfinite(cosines).all():
        return ConversionProof(precision, -1.0, -1.0)
    return ConversionProof(precision, round(float(cosines.mean()), 5), round(float(cosines.min()), 5))


def _described(
    hub: HubEncoder, folder: Path, tokenizer: "Tokenizer", proof: ConversionProof, known: EncoderDescription | None
) -> EncoderDescription:
    """Measure the finished encoder, and write its description."""
    whole_words = tokenizer.get_vocab_size() >= _WHOLE_WORDS
    model = sha256(folder / MODEL)
    given = EncoderDescription(
        name=hub.name,
        precision=proof.precision,
        max_tokens=hub.max_tokens,
        sha256=model,
        bytes=(folder / MODEL).stat().st_size,
        query_prefix=hub.query_prefix,
        passage_prefix=hub.passage_prefix,
        pooling="cls" if hub.pooling == "cls" else "mean",
        tokenizer=type(tokenizer.model).__name__,
        spelled_out=None if whole_words else SpelledOut(),
        agreement=proof.least,
    )
    given = replace(given, id=encoder_id(model, sha256(folder / TOKENIZER), given))
    write_description(folder, given)
    encoder = Encoder.load(folder)
    measured = _measured(encoder, given)
    if known is not None:
        measured = replace(
            measured,
            name=known.name,
            languages=known.languages,
            score_floor=known.score_floor,
            score_scale=known.score_scale,
            semantic_weight=known.semantic_weight,
            close=known.close,
            close_to_few=known.close_to_few,
            close_to_word=known.close_to_word,
            license=known.license,
            source=known.source,
        )
    write_description(folder, measured)
    return measured


def _measured(encoder: Encoder, given: EncoderDescription) -> EncoderDescription:
    """Return the description with what the samples show; raises `EncoderError` if similar texts are not nearest."""
    pairs = sample_pairs()
    questions = np.stack([encoder.encode_query(pair.question) for pair in pairs])
    began = time.process_time()
    passages = encoder.encode([pair.passage for pair in pairs])
    took = time.process_time() - began
    if not np.isfinite(passages).all():
        raise EncoderError(f"The vectors of {given.name} are not numbers; its files are damaged.")
    cosines = questions @ passages.T
    languages = tuple(
        language for language in dict.fromkeys(pair.language for pair in pairs) if _is_known(language, pairs, cosines)
    )
    if not languages:
        raise EncoderError(
            f"{given.name} does not rank similar sentences first in any language: it is no sentence encoder, or its "
            "pooling or prefixes are others than its folder says (--pooling, --query-prefix, --passage-prefix)."
        )
    floor = round(_unrelated(languages[0], pairs, cosines), 2)  # of English, if it knows it
    floor = min(floor, 0.98) if floor >= _NO_FLOOR else 0.0
    return replace(
        given,
        dimensions=encoder.dimensions,
        score_floor=floor,
        score_scale=round(1 / (1 - floor), 3),
        languages=languages,
        sentences_per_second=round(len(pairs) / max(took, 1e-3), 1),
    )


def _is_known(language: str, pairs: Sequence[SamplePair], cosines: Floats) -> bool:
    """Return whether every question in a language is nearest to its own passage, by a lead comparable to English."""
    rows = [row for row, pair in enumerate(pairs) if pair.language == language]
    near = cosines[np.ix_(rows, rows)]
    if not (near.argmax(axis=1) == np.arange(len(rows))).all():
        return False
    return language == "en" or _lead(language, pairs, cosines) >= _LEAD * _lead("en", pairs, cosines)


def _lead(language: str, pairs: Sequence[SamplePair], cosines: Floats) -> float:
    """Return how much nearer the own passage of a question is than others of its language."""
    own = [cosines[row, row] for row, pair in enumerate(pairs) if pair.language == language]
    return float(np.mean(own)) - _unrelated(language, pairs, cosines)


def _unrelated(language: str, pairs: Sequence[SamplePair], cosines: Floats) -> float:
    """Return the mean cosine of the questions in a language with the passages of other questions."""
    rows = [row for row, pair in enumerate(pairs) if pair.language == language]
    return float(np.mean([cosines[row, other] for row in rows for other in rows if row != other]))
