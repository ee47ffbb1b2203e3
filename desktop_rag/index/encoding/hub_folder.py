"""Reads the folder of a sentence encoder as model hubs publish it: configuration, tokenizer, weights, pooling."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.bert_graph import BertShape
from desktop_rag.index.encoding.encoder_description import MAX_TOKENS, MODEL, TOKENIZER

T = TypeVar("T")

SAFETENSORS = "model.safetensors"
_ONNX = ("onnx/model.onnx", MODEL)
_KINDS = ("bert", "roberta", "xlm-roberta")
_PLAIN_MODULES = ("Transformer", "Pooling", "Normalize")
_E5 = re.compile(r"(^|[/_-])e5-", re.IGNORECASE)  # published without prompts, but trained with them


@dataclass(frozen=True, slots=True)
class _Config:
    model_type: str = ""
    num_hidden_layers: int = 0
    num_attention_heads: int = 0
    hidden_size: int = 0
    hidden_act: str = "gelu"
    layer_norm_eps: float = 1e-12
    max_position_embeddings: int = 512
    pad_token_id: int | None = 0
    position_embedding_type: str = "absolute"


@dataclass(frozen=True, slots=True)
class _Pooling:
    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False
    pooling_mode_max_tokens: bool = False
    pooling_mode_lasttoken: bool = False
    pooling_mode_weightedmean_tokens: bool = False


@dataclass(frozen=True, slots=True)
class _Module:
    type: str = ""


@dataclass(frozen=True, slots=True)
class _Prompts:
    prompts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Lengths:
    max_seq_length: int | None = None


@dataclass(frozen=True, slots=True)
class HubEncoder:
    """An encoder as published; `shape` is None if its network cannot be drawn, only used as the ONNX file it is."""

    name: str
    tokenizer: Path
    safetensors: Path | None
    onnx: Path | None
    shape: BertShape | None
    pooling: str
    query_prefix: str
    passage_prefix: str
    max_tokens: int


def read_hub_folder(folder: Path, name: str = "") -> HubEncoder:
    """Return what a folder holds, or raise `EncoderError` with what is missing.

    `name` is what the encoder is called; the folder's own name if empty.
    """
    tokenizer = next((path for path in (folder / TOKENIZER, folder / "onnx" / TOKENIZER) if path.is_file()), None)
    safetensors = folder / SAFETENSORS if (folder / SAFETENSORS).is_file() else None
    onnx = next((folder / name for name in _ONNX if (folder / name).is_file()), None)
    if tokenizer is None or (safetensors is None and onnx is None):
        raise EncoderError(
            f"{folder} is not a published sentence encoder: it needs {TOKENIZER}, and {SAFETENSORS} or {_ONNX[0]}. "
            "Download these files of the model, with config.json, into one folder."
        )
    config = _read(folder / "config.json", _Config)
    name = name or folder.name
    _check_modules(folder)
    pooling = _pooling(folder)
    prompts = _read(folder / "config_sentence_transformers.json", _Prompts).prompts
    usual = ("query: ", "passage: ") if any(map(_E5.search, (name, folder.name))) else ("", "")
    shape, most = _shape(config, pooling)
    if shape is None and onnx is None:
        raise EncoderError(
            f"{name} is of the kind “{config.model_type or 'unknown'}”; only BERT and XLM-RoBERTa can be converted "
            f"from {SAFETENSORS}. Add its ONNX file (onnx/model.onnx) to the folder."
        )
    length = _read(folder / "sentence_bert_config.json", _Lengths).max_seq_length or MAX_TOKENS
    return HubEncoder(
        name=name,
        tokenizer=tokenizer,
        safetensors=safetensors,
        onnx=onnx,
        shape=shape,
        pooling=pooling,
        query_prefix=prompts.get("query", usual[0]),
        passage_prefix=prompts.get("passage", prompts.get("document", usual[1])),
        max_tokens=max(8, min(MAX_TOKENS, length, most)),
    )


def _shape(config: _Config, pooling: str) -> tuple[BertShape | None, int]:
    """Return the shape of the network, None if it cannot be drawn, and the most tokens it takes."""
    heads = config.num_attention_heads
    drawable = (
        config.model_type in _KINDS
        and config.hidden_act == "gelu"
        and config.position_embedding_type == "absolute"
        and 0 < config.num_hidden_layers <= 64
        and heads > 0
        and config.hidden_size % heads == 0
    )
    # RoBERTa counts positions from the one after that of the padding token.
    first = 0 if config.model_type == "bert" else (config.pad_token_id or 0) + 1
    most = config.max_position_embeddings - first
    shape = BertShape(config.num_hidden_layers, heads, config.layer_norm_eps, first, pooling)
    return (shape if drawable else None), most


def _check_modules(folder: Path) -> None:
    modules = _read_list(folder / "modules.json")
    strange = [module.type for module in modules if module.type.rpartition(".")[2] not in _PLAIN_MODULES]
    if strange:
        raise EncoderError(
            f"{folder.name} has parts that are not supported ({', '.join(strange)}). Choose a sentence encoder whose "
            "modules.json has only Transformer, Pooling and Normalize."
        )


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return "mean"
    found = _read(path, _Pooling)
    if found.pooling_mode_cls_token:
        return "cls"
    if found.pooling_mode_max_tokens or found.pooling_mode_lasttoken or found.pooling_mode_weightedmean_tokens:
        raise EncoderError(f"{folder.name} pools its tokens neither by their mean nor by the first. Choose another.")
    return "mean"


def _read(path: Path, kind: type[T]) -> T:
    try:
        return decode_json(path.read_bytes(), kind, strict=False)
    except FileNotFoundError:
        return kind()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EncoderError(f"{path} cannot be read ({error}); download it again.") from error


def _read_list(path: Path) -> list[_Module]:
    try:
        return decode_json(path.read_bytes(), list[_Module])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EncoderError(f"{path} cannot be read ({error}); download it again.") from error
