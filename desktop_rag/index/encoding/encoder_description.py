"""The description of a sentence encoder, `encoder.json`: everything it needs beside its network and tokenizer.

An encoder without one, or with only some of the fields, is used as all-MiniLM-L6-v2 is: no prefixes, mean pooling,
cosines as they are. Encoders trained with a low temperature (e5, gte) give unrelated texts a cosine of .7 to .8;
without that floor subtracted, the fusion with words loses instead of gaining, see docs/encoders.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import EncoderError

if TYPE_CHECKING:  # the window reads descriptions
    import numpy as np
    import numpy.typing as npt

FILE = "encoder.json"
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
GRAPH = "graph.onnx"  # see `packaging/mapped_graph`
MAX_TOKENS = 256  # the limit all-MiniLM-L6-v2 was trained with

Scores = TypeVar("Scores", float, "npt.NDArray[np.float32]")


def can_convert() -> bool:
    """Return whether encoders can be converted here; the program without Python lacks the package onnx for it."""
    return find_spec("onnx") is not None


_Prefix = Annotated[str, msgspec.Meta(max_length=500)]
_Line = Annotated[str, msgspec.Meta(max_length=300)]
_Score = Annotated[float, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class SpelledOut:
    """Letters per token of a text: at `least` and below the tokenizer only spells it out, from `known` it knows it."""

    least: float = 1.3
    known: float = 1.8


@dataclass(frozen=True, slots=True)
class EncoderDescription:
    """What is to be known of an encoder before it is loaded.

    `score_floor` is the cosine of unrelated texts; scores are (cosine − floor) · scale. `semantic_weight` is that of
    meaning beside words in hybrid search. `close` is the least score of the best sentence of a passage that is found
    without a word of the query, `close_to_few` and `close_to_word` if that has two or three words or one. `languages`
    are ISO 639-1 codes, empty if unknown. `spelled_out` is None where letters per token say nothing, as with pieces of
    whole words in all languages; then only unknown tokens count. `sentences_per_second` is of one thread, measured when
    it was added. `graph` is the SHA-256 of graph.onnx, empty without one.
    """

    id: str = ""
    name: _Line = ""
    precision: _Line = ""
    dimensions: int = 0
    max_tokens: Annotated[int, msgspec.Meta(ge=8, le=8192)] = MAX_TOKENS
    sha256: str = ""
    graph: str = ""
    bytes: int = 0
    recipe: str = ""
    query_prefix: _Prefix = ""
    passage_prefix: _Prefix = ""
    pooling: Literal["mean", "cls"] = "mean"
    tokenizer: _Line = ""
    score_floor: Annotated[float, msgspec.Meta(ge=-1, lt=1)] = 0.0
    score_scale: Annotated[float, msgspec.Meta(gt=0, le=100)] = 1.0
    semantic_weight: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.55
    close: _Score = 0.2  # unrelated passages mostly stay below 0.1
    close_to_few: _Score = 0.4  # of a subject that no passage has, the nearest reaches 0.39
    close_to_word: _Score = 0.42  # of a word with a slip, the nearest reaches 0.4
    languages: tuple[str, ...] = ()
    spelled_out: SpelledOut | None = SpelledOut()
    license: _Line = ""
    source: _Line = ""
    agreement: float = 0.0  # least cosine with the published network on texts that no range was measured on
    sentences_per_second: float = 0.0

    def scaled(self, cosines: Scores) -> Scores:
        """Return cosines as scores: 0 for unrelated texts, 1 for equal ones."""
        return (cosines - self.score_floor) * self.score_scale

    def crosses(self, one: str, other: str) -> bool:
        """Return whether it compares texts of these two different languages."""
        return one != other and one in self.languages and other in self.languages


def read_description(folder: Path) -> EncoderDescription:
    """Return the description in a folder, the default without one; raises `EncoderError` if it is damaged."""
    try:
        return decode_json((folder / FILE).read_bytes(), EncoderDescription)
    except FileNotFoundError:
        return EncoderDescription()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EncoderError(
            f"The sentence encoder is damaged: {folder / FILE} cannot be read ({error}). Add it again, or select "
            "another one with “desktop-rag encoder”."
        ) from error


def write_description(folder: Path, description: EncoderDescription) -> None:
    """Write the description into a folder."""
    text = msgspec.json.format(msgspec.json.encode(description), indent=2)
    (folder / FILE).write_bytes(text + b"\n")


def prefixed(prefix: str, texts: Sequence[str]) -> Sequence[str]:
    """Return the texts with a prefix, the same object without one."""
    return [prefix + text for text in texts] if prefix else texts
