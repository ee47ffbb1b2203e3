"""Finds the model files that other programs keep on this computer; reads nothing until it is called.

Every folder is walked with bounds on depth and number of entries; links are followed once, to files only.
"""

import os
import re
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Never

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.json_value import as_list, as_object, as_text, decode_json
from desktop_rag.paths import stat_of
from desktop_rag.text.display import label_of, printable

_MOST_ENTRIES = 20_000  # of one program's folder
_DEPTH = 6  # the hub cache of Hugging Face: models--OWNER--NAME/snapshots/COMMIT/FOLDER/FILE
_MANIFEST_BYTES = 1 << 20
_LATER_PART = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_OLLAMA_HOST = "registry.ollama.ai"
_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")
_SYSTEM_FOLDERS = {  # of settings, data and caches: the variables that name them, and where they are else
    "darwin": (*(("", "Library/Application Support"),) * 2, ("", "Library/Caches")),
    "win32": (("APPDATA", "AppData/Roaming"), *(("LOCALAPPDATA", "AppData/Local"),) * 2),
}
_XDG_FOLDERS = (("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share"), ("XDG_CACHE_HOME", ".cache"))


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A model file, the program that keeps it, and the name it has there (empty: the file's own)."""

    path: Path
    program: str
    name: str = ""


def model_files(home: Path | None = None, environment: Mapping[str, str] = os.environ) -> Iterator[FoundFile]:
    """Yield the GGUF files of LM Studio, Ollama, Jan, GPT4All, llama.cpp and the hub cache, each file once."""
    seen: set[tuple[int, int]] = set()
    for found in _all_files(home or Path.home(), environment):
        status = stat_of(found.path)
        if status is not None and (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            yield found


def _all_files(home: Path, environment: Mapping[str, str]) -> Iterator[FoundFile]:
    for folder in _ollama_folders(home, environment):
        yield from _of_ollama(folder)
    for program, folder in _folders(home, environment):
        yield from (FoundFile(path, program) for path in _gguf_files(folder))


def _folders(home: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield the folders in which the programs keep models, as their documentation names them for each system."""
    named = _SYSTEM_FOLDERS.get(sys.platform, _XDG_FOLDERS)
    settings, data, cache = (Path(environment.get(variable) or home / place) for variable, place in named)
    yield "LM Studio", home / ".lmstudio" / "models"
    yield "LM Studio", home / ".cache" / "lm-studio" / "models"
    for place in (settings, data):  # by its version
        yield "Jan", place / "Jan" / "data"
    yield "Jan", home / "jan" / "models"
    yield "GPT4All", data / "nomic.ai" / "GPT4All"
    yield "GPT4All", home / ".cache" / "gpt4all"  # its Python package
    yield "llama.cpp", Path(environment.get("LLAMA_CACHE") or cache / "llama.cpp")
    hub = environment.get("HF_HUB_CACHE") or Path(environment.get("HF_HOME") or home / ".cache" / "huggingface") / "hub"
    yield "llama.cpp", Path(hub)


def _gguf_files(folder: Path) -> Iterator[Path]:
    """Yield the GGUF files below `folder` in order of their names; of a model in parts the first."""
    left = _MOST_ENTRIES
    for place, folders, names in os.walk(folder):
        left -= len(folders) + len(names)
        if left < 0:
            return
        if len(Path(place).relative_to(folder).parts) >= _DEPTH:
            folders.clear()
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(".gguf") and not _LATER_PART.search(name):
                yield Path(place, name)


def _ollama_folders(home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if environment.get("OLLAMA_MODELS"):
        yield Path(environment["OLLAMA_MODELS"])
    yield home / ".ollama" / "models"
    if sys.platform == "linux":
        yield Path("/usr/share/ollama/.ollama/models")  # the service that its installer sets up


def _of_ollama(folder: Path) -> Iterator[FoundFile]:
    """Yield the models of Ollama: a manifest HOST/OWNER/MODEL/TAG names the blob."""
    manifests = folder / "manifests"
    left = _MOST_ENTRIES
    for place, folders, names in os.walk(manifests):
        left -= len(folders) + len(names)
        if left < 0:
            return
        folders.sort()
        for name in sorted(names):
            digest = _model_digest(Path(place, name))
            if digest:
                title = _ollama_name(Path(place, name).relative_to(manifests).parts)
                yield FoundFile(folder / "blobs" / f"sha256-{digest}", "Ollama", title)


def _model_digest(manifest: Path) -> str:
    try:
        with manifest.open("rb") as file:
            layers = as_list(as_object(decode_json(file.read(_MANIFEST_BYTES))).get("layers"))
    except (OSError, ValueError):
        return ""
    for layer in map(as_object, layers):
        found = _DIGEST.fullmatch(as_text(layer.get("digest")))
        if found and layer.get("mediaType") == _OLLAMA_MODEL:
            return found[1]
    return ""


def _ollama_name(parts: tuple[str, ...]) -> str:
    """Return llama3.2:3b for registry.ollama.ai/library/llama3.2/3b."""
    *place, model, tag = ("", "", *parts)[-4:]
    owner = "" if place[-1] == "library" else place[-1]
    host = "" if place[0] == _OLLAMA_HOST else place[0]
    return "/".join(filter(None, (host, owner, f"{model}:{tag}")))


# Reads the header of a GGUF file: what the model is, and whether the file is whole.
#
# The format is that of ggml's `docs/gguf.md`. The file is untrusted: every length is bounded before it is read.

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_VALUES, _MAX_TENSORS = 10_000, 200_000
_MAX_ITEMS = 4_000_000  # of one array; the largest vocabularies have 260,000
_MAX_LAYERS = 1_024
_MAX_STRING = 4 << 20  # bytes; chat templates have up to 30,000
_MAX_STRINGS = 1 << 28  # bytes of all items of an array together

# Weights and bytes of one block by ggml type; of a type that is not here only the offset is checked.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 20: (32, 18), 23: (256, 136), 30: (1, 2),
}  # fmt: skip
_QUANTISATIONS = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M",
    13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 25: "IQ4_NL", 30: "IQ4_XS",
    32: "BF16",
}  # fmt: skip

_Value = int | float | str | tuple[int | float, ...] | None


class NoLanguageModel(LocalModelError):
    """A whole file that holds something else, such as an encoder or the image part of a model."""


@dataclass(frozen=True, slots=True)
class GgufModel:
    """What the header says of a model; sizes in bytes, contexts in tokens."""

    path: Path
    name: str
    architecture: str
    size: int
    quantisation: str  # empty if unknown
    trained_context: int
    kv_bytes_per_token: int  # keys and values of all layers, as 16-bit floats
    has_template: bool


def read_gguf(path: Path) -> GgufModel:
    """Read the header; raises `LocalModelError` if the file is no whole language model."""
    try:
        with path.open("rb") as file:
            return _Header(path, file).model()
    except OSError as error:
        raise LocalModelError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise LocalModelError(f"{path} is damaged: its header contains no text where it should.") from error


class _Header:
    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._size = os.fstat(file.fileno()).st_size

    def model(self) -> GgufModel:
        if self._file.read(4) != b"GGUF":
            raise LocalModelError(f"{self._path} is not a GGUF file. Choose a file that ends in .gguf.")
        version = self._number("I")
        if version not in (2, 3):
            raise LocalModelError(f"{self._path} has an unknown version of the GGUF format ({version}).")
        tensors, values = self._bounded("Q", _MAX_TENSORS), self._bounded("Q", _MAX_VALUES)
        fields = {self._string(): self._value(self._number("I")) for _ in range(values)}
        self._check_whole(tensors, fields.get("general.alignment", 32))
        return self._model(fields)

    def _model(self, fields: dict[str, _Value]) -> GgufModel:
        architecture = _text(fields.get("general.architecture"))
        layers = self._count(fields, f"{architecture}.block_count")
        context = self._count(fields, f"{architecture}.context_length")
        if _text(fields.get("tokenizer.ggml.model")) in ("", "bert") or not 0 < layers <= _MAX_LAYERS or not context:
            raise NoLanguageModel(f"{self._path} holds no language model that can answer.")
        if (parts := self._count(fields, "split.count")) > 1:
            raise LocalModelError(
                f"{self._path} is one of {parts} parts of a model. Join them with `llama-gguf-split --merge` and "
                "choose the result."
            )
        return GgufModel(
            self._path,
            self._name(_text(fields.get("general.name"))),
            architecture,
            self._size,
            _QUANTISATIONS.get(self._count(fields, "general.file_type", -1), ""),
            context,
            self._kv_bytes(fields, architecture, layers),
            "tokenizer.chat_template" in fields,
        )

    def _name(self, told: str) -> str:
        return label_of(told) or printable(self._path.stem)

    def _kv_bytes(self, fields: dict[str, _Value], architecture: str, layers: int) -> int:
        """Return the bytes of the KV cache per token: heads of each layer x (key + value length) x 2 (f16).

        It is what llama.cpp's `llama_kv_cache` allocates; models with sliding windows need less.
        """
        heads = max(1, self._count(fields, f"{architecture}.attention.head_count", 1))
        length = self._count(fields, f"{architecture}.embedding_length") // heads
        key = self._count(fields, f"{architecture}.attention.key_length", length)
        value = self._count(fields, f"{architecture}.attention.value_length", length)
        kv_heads = fields.get(f"{architecture}.attention.head_count_kv", heads)
        each = kv_heads if isinstance(kv_heads, tuple) else (kv_heads,) * layers
        return sum(_whole(one, 0) for one in each) * (key + value) * 2

    def _check_whole(self, tensors: int, alignment: _Value) -> None:
        """Raise `LocalModelError` if the weights reach beyond the end of the file."""
        end = 0
        for _ in range(tensors):
            self._string()
            weights = 1
            for _ in range(self._bounded("I", 8)):
                weights *= self._number("Q")
            per_block, block_bytes = _BLOCKS.get(self._number("I"), (1, 0))
            end = max(end, self._number("Q") + weights // per_block * block_bytes)
        step = _whole(alignment, 32) or 32
        if -(-self._file.tell() // step) * step + end > self._size:
            self._cut()

    def _value(self, kind: int) -> _Value:
        """Return the next value; of arrays only short ones of numbers, the others are skipped."""
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array()
        return self._number(self._scalar(kind))

    def _array(self) -> _Value:
        kind, count = self._number("I"), self._bounded("Q", _MAX_ITEMS)
        if kind == _STRING:
            end = self._file.tell() + _MAX_STRINGS
            for _ in range(count):
                self._skip(self._bounded("Q", _MAX_STRING))
                if self._file.tell() > end:
                    self._damaged()
            return None
        letter = self._scalar(kind)
        if count > _MAX_LAYERS:
            self._skip(count * struct.calcsize(f"<{letter}"))
            return None
        return tuple(self._number(letter) for _ in range(count))

    def _scalar(self, kind: int) -> str:
        letter = _SCALARS.get(kind)
        return letter if letter else self._damaged()

    def _string(self) -> str:
        return self._read(self._bounded("Q", _MAX_STRING)).decode()

    def _bounded(self, letter: str, most: int) -> int:
        count = self._number(letter)
        return count if count <= most else self._damaged()

    def _number(self, letter: str) -> int:
        number: int = struct.unpack(f"<{letter}", self._read(struct.calcsize(f"<{letter}")))[0]
        return number

    def _read(self, length: int) -> bytes:
        data = self._file.read(length)
        return data if len(data) == length else self._cut()

    def _skip(self, length: int) -> None:
        if self._file.seek(length, os.SEEK_CUR) > self._size:
            self._cut()

    def _count(self, fields: dict[str, _Value], name: str, default: int = 0) -> int:
        number = _whole(fields.get(name), default)
        return number if number < 1 << 32 else self._damaged()

    def _cut(self) -> Never:
        raise LocalModelError(f"{self._path} is cut off: its end is missing. Download it again.")

    def _damaged(self) -> Never:
        raise LocalModelError(f"{self._path} is damaged: its header makes no sense. Download it again.")


def _text(value: _Value) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: _Value, default: int) -> int:
    return value if isinstance(value, int) and value >= 0 else default
