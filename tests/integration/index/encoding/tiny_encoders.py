"""Tiny published encoders of the BERT and XLM-RoBERTa kinds: random layers, a tokenizer trained on the samples.

The embedding of a word leans to the subjects of the samples that it occurs in, so that texts on a subject are near.
"""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, helper
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from desktop_rag.index.encoding.conversion import WORDS, sample_pairs
from desktop_rag.index.encoding.quantised_bert import BertGraph, BertShape

WIDTH, INNER, LAYERS, HEADS, POSITIONS = 96, 192, 2, 4, 96

Weights = dict[str, npt.NDArray[np.float32]]


def texts() -> list[str]:
    return [text for pair in sample_pairs() for text in (pair.question, pair.passage)]


def write_wordpiece(path: Path) -> int:
    """Write a WordPiece tokenizer of lower-cased words, as BERT has; return the number of its pieces."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    latin = [text for text in texts() if text.isascii()]
    tokenizer.train_from_iterator(latin, trainers.WordPieceTrainer(vocab_size=1500, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_padding(length=128)  # as hubs publish them
    tokenizer.save(str(path))
    return tokenizer.get_vocab_size()


def write_unigram(path: Path) -> int:
    """Write a Unigram tokenizer, as XLM-RoBERTa has; return the number of its pieces."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=2000, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(path))
    return tokenizer.get_vocab_size()


def random_weights(tokenizer: Path, first_position: int, seed: int = 3) -> Weights:
    """Return weights by the names that model hubs use."""
    random = np.random.default_rng(seed)
    loaded = Tokenizer.from_file(str(tokenizer))
    loaded.no_padding()
    words = loaded.get_vocab_size()
    counts = np.zeros((words, 4), np.float32)
    for pair in sample_pairs():
        for text in (pair.question, pair.passage):
            np.add.at(counts, (loaded.encode(text, add_special_tokens=False).ids, pair.subject), 1)
    totals = counts.sum(axis=1, keepdims=True)
    lean = np.where(totals > 0, counts / np.maximum(totals, 1) - 0.25, 0)

    def matrix(*shape: int, scale: float = 0.05) -> npt.NDArray[np.float32]:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    found = {
        WORDS: matrix(words, WIDTH, scale=0.5) + lean.astype(np.float32) @ matrix(4, WIDTH, scale=2.0),
        "embeddings.position_embeddings.weight": matrix(POSITIONS + first_position, WIDTH),
        "embeddings.token_type_embeddings.weight": matrix(1 if first_position else 2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            found |= {f"{prefix}{part}.weight": matrix(WIDTH, WIDTH), f"{prefix}{part}.bias": matrix(WIDTH)}
        found |= {f"{prefix}intermediate.dense.weight": matrix(INNER, WIDTH)}
        found |= {f"{prefix}intermediate.dense.bias": matrix(INNER), f"{prefix}output.dense.bias": matrix(WIDTH)}
        found |= {f"{prefix}output.dense.weight": matrix(WIDTH, INNER)}
        norms += [f"{prefix}attention.output.LayerNorm", f"{prefix}output.LayerNorm"]
    for name in norms:
        found |= {f"{name}.weight": np.ones(WIDTH, np.float32), f"{name}.bias": np.zeros(WIDTH, np.float32)}
    return found


def write_safetensors(weights: Weights, path: Path, prefix: str = "") -> None:
    """Write float32 tensors, with a buffer of integers among them as published files have."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, value in weights.items():
        header[prefix + name] = {"dtype": "F32", "shape": value.shape, "data_offsets": [at, at + value.nbytes]}
        at += value.nbytes
    header["embeddings.position_ids"] = {"dtype": "I64", "shape": [1], "data_offsets": [at, at + 8]}
    text = json.dumps(header).encode()
    body = b"".join(np.ascontiguousarray(value).tobytes() for value in weights.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + body + bytes(8))


def write_config(folder: Path, words: int, kind: str = "bert", **changes: object) -> None:
    """Write config.json."""
    config: dict[str, object] = {
        "model_type": kind,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "hidden_size": WIDTH,
        "vocab_size": words,
        "pad_token_id": 1 if kind != "bert" else 0,
        "max_position_embeddings": POSITIONS + (2 if kind != "bert" else 0),
    }
    (folder / "config.json").write_text(json.dumps(config | changes))


def write_bert(folder: Path) -> Path:
    """Write a published BERT encoder in safetensors."""
    folder.mkdir(parents=True)
    words = write_wordpiece(folder / "tokenizer.json")
    write_safetensors(random_weights(folder / "tokenizer.json", 0), folder / "model.safetensors", prefix="bert.")
    write_config(folder, words)
    return folder


def write_xlm_roberta(folder: Path) -> Path:
    """Write a published XLM-RoBERTa encoder in safetensors, with prompts."""
    folder.mkdir(parents=True)
    words = write_unigram(folder / "tokenizer.json")
    write_safetensors(random_weights(folder / "tokenizer.json", 2), folder / "model.safetensors", prefix="roberta.")
    write_config(folder, words, "xlm-roberta")
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    return folder


def write_onnx(folder: Path) -> Path:
    """Write a published BERT encoder as exporters do: token vectors, matrices without names."""
    folder.mkdir(parents=True)
    words = write_wordpiece(folder / "tokenizer.json")
    shape = BertShape(LAYERS, HEADS)
    graph = _TokenGraph(random_weights(folder / "tokenizer.json", 0), shape)
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(graph.model().SerializeToString())
    write_config(folder, words)
    return folder


class _TokenGraph(BertGraph):
    """The graph without pooling, whose nodes are named after their layers and whose matrices are not."""

    def _pool(self, x: str) -> None:
        g = self._graph
        g.step("Identity", x, name="last_hidden_state")

    def _product(self, x: str, prefix: str, weight: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> str:
        g = self._graph
        scale = np.float32(1.0 / (WIDTH // HEADS) ** 0.5) if prefix.endswith("query.") else np.float32(1)
        name = "/" + prefix.strip(".").replace(".", "/").replace("layer/", "layer.") + "/MatMul"
        product = g.step("MatMul", x, g.constant(f"onnx::MatMul_{len(g.nodes)}", weight / scale), name=name)
        added = g.step("Add", g.constant(prefix + "bias", bias / scale), product)
        return added if scale == 1 else g.step("Mul", added, g.number(f"scale{len(g.nodes)}", float(scale)))

    def _embeddings(self) -> str:
        g = self._graph
        words = self._words(WORDS)
        length = g.step("Slice", g.step("Shape", "input_ids"), g.integers(1), g.integers(2))
        places = self._weight("embeddings.position_embeddings.weight")
        placed = g.step("Add", words, g.step("Slice", places, g.integers(0), length, g.integers(0)))
        zeros = g.step("Sub", "input_ids", "input_ids")
        kinds = g.step("Gather", self._weight("embeddings.token_type_embeddings.weight"), zeros)
        return self._norm(g.step("Add", placed, kinds), "embeddings.LayerNorm.")

    def model(self) -> ModelProto:
        model = super().model()
        del model.graph.output[:]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", WIDTH])
        model.graph.output.append(output)
        return model
