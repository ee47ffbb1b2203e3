"""Fetches the published files of a known encoder, one at a time, each checked by its size and checksum."""

import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.encoder_description import MAX_TOKENS, MODEL, TOKENIZER
from desktop_rag.index.encoding.installed_encoders import PublishedFile
from desktop_rag.index.encoding.quantised_bert import BertShape
from desktop_rag.llm.transport import OFFLINE, interruptible, is_closed_offline, is_loopback, proxy_for, trust
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    import httpx2

MOST_REDIRECTS = 5
SPARE = 1.8  # times the files: the converted encoder is written beside them
_SECONDS, _CONNECT_SECONDS = 30.0, 10.0
_BLOCK = 256 * 1024


class Progress(NamedTuple):
    """Bytes fetched so far, and of all files."""

    done: int
    total: int


def fetch(
    files: Sequence[PublishedFile], folder: Path, stop: Stop, report: Callable[[Progress], None] = lambda _: None
) -> None:
    """Fetch the files into an existing folder; raises `EncoderError` and `SettingsError`, or `Stopped` at once."""
    for file in files:
        _check_address(file.address)
    total = sum(file.bytes for file in files)
    if shutil.disk_usage(folder).free < SPARE * total:
        raise EncoderError(f"There is too little space in {folder}: {SPARE * total / 1e6:,.0f} MB are needed.")
    done = 0
    for file in files:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _waited_for(partial(_fetch, file, target, stop, _from(done, total, report)), stop)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        done += file.bytes


def _waited_for(work: Callable[[], None], stop: Stop) -> None:
    """Run `work` on a thread; after `stop` it is abandoned, and ends by itself at its next block."""

    def run() -> EncoderError | Stopped | None:
        try:
            work()
        except (EncoderError, Stopped) as error:
            return error
        return None

    if error := interruptible(run, stop):
        raise error


def _from(before: int, total: int, report: Callable[[Progress], None]) -> Callable[[int], None]:
    return lambda size: report(Progress(before + size, total))


def _fetch(file: PublishedFile, target: Path, stop: Stop, report: Callable[[int], None]) -> None:
    import httpx2

    address = file.address
    try:
        for _ in range(MOST_REDIRECTS):
            _check_address(address)
            with _client(address) as client, client.stream("GET", address) as response:
                if response.is_redirect:
                    address = urljoin(address, response.headers.get("location", ""))
                    continue
                if not response.is_success:
                    raise EncoderError(f"{_host(address)} answered {response.status_code} for {file.path}. Try later.")
                _save(response, file, target, stop, report)
                return
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        stop.check()
        raise EncoderError(
            f"{_host(address)} cannot be reached, or broke off ({str(error) or type(error).__name__}). Check the "
            "network and start again."
        ) from error
    except OSError as error:
        raise EncoderError(f"{target} cannot be written: {error.strerror or error}.") from error
    raise EncoderError(f"{_host(file.address)} passes {file.path} on without end. Try later.")


def _save(
    response: "httpx2.Response", file: PublishedFile, target: Path, stop: Stop, report: Callable[[int], None]
) -> None:
    """Write the response body; raise `EncoderError` once it exceeds the published size."""
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as out:
        for block in response.iter_bytes(_BLOCK):
            stop.check()
            size += len(block)
            if size > file.bytes:
                break
            digest.update(block)
            out.write(block)
            report(size)
    stop.check()
    if size != file.bytes or digest.hexdigest() != file.sha256:
        raise EncoderError(
            f"{file.path} from {_host(file.address)} is not the published file: its size or checksum differs. Nothing "
            "was kept. Start again later; if it stays, the file was changed there."
        )


def _client(address: str) -> "httpx2.Client":
    import httpx2

    profile = Profile("", address, "")
    plain = address.startswith("http:")
    return httpx2.Client(
        verify=False if plain else trust(profile),
        trust_env=False,
        proxy=proxy_for(profile, address) or None,
        follow_redirects=False,
        timeout=httpx2.Timeout(_SECONDS, connect=_CONNECT_SECONDS),
        headers={"User-Agent": "desktop-rag", "Accept-Encoding": "identity"},
    )


def _check_address(address: str) -> None:
    """Raise `EncoderError` unless the address is on this computer, or encrypted and the user not offline."""
    if is_closed_offline(address):
        raise EncoderError(OFFLINE)
    if not address.startswith("https://") and not (address.startswith("http://") and is_loopback(address)):
        raise EncoderError(f"{_host(address)} is not asked: its address is not encrypted (https).")


def _host(address: str) -> str:
    return urlsplit(address).hostname or address


# Reads the folder of a sentence encoder as model hubs publish it: configuration, tokenizer, weights, pooling.

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
